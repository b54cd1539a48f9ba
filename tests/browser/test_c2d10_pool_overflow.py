"""C2D10 on the page: the party's pool overflows to the Keeper in a conflict and later fades."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.guests import DESK, PHONE, Come, Guest
from tests.browser.page_scripts import script
from tests.browser.test_screens import Camera

SHEETS = {
    "ann": ("Juna", {"systems": 3, "logic": 3, "endurance": 2, "willpower": 2}),
    "bo": ("Odo", {"brawl": 3, "strength": 3, "endurance": 2, "willpower": 2}),
}
EXCESS = "Successes above what was needed"
OVERFLOW = "More hero points than there was room for"


class Night:
    """A Keeper and two players at a table with real dice, each with a page of their own."""

    def __init__(self, come: Come, size: Mapping[str, int]) -> None:
        self.gm = come(size)
        opened = self.gm.api(
            "POST", "/api/tables", system="c2d10", title="Nine minutes", name="Mira"
        )
        self.id: str = opened["table"]
        self.ann, self.bo = self._player(come, size, "Ann"), self._player(come, size, "Bo")
        for seat, guest in (("mira", self.gm), ("ann", self.ann), ("bo", self.bo)):
            guest.at(self.id, seat)

    def _player(self, come: Come, size: Mapping[str, int], name: str) -> Guest:
        return come(size).joins(self.gm, self.id, name, *SHEETS[name.lower()])

    @property
    def guests(self) -> tuple[Guest, Guest, Guest]:
        """Everybody at the table."""
        return self.gm, self.ann, self.bo


def form(guest: Guest) -> Locator:
    """The open form."""
    return guest.page.locator("dialog[open]").last


def ask(guest: Guest, name: str) -> Locator:
    """One question of the open form."""
    return form(guest).locator(f"[data-ask='{name}']")


def choose(guest: Guest, name: str, label: str) -> None:
    """Answer a question with a list by typing the name of the answer."""
    ask(guest, name).locator(".chosen").click()
    search = guest.page.get_by_role("searchbox", name="Search: ")
    search.fill(label)
    search.press("Enter")


def send(guest: Guest) -> None:
    """Send the form."""
    form(guest).locator("button[type=submit]").press("Enter")
    expect(guest.page.locator("dialog[open]")).to_have_count(0)


def send_top(guest: Guest) -> None:
    """Send the form on top of the drawer, which then closes."""
    forms = guest.page.locator("dialog[open] button[type=submit]")
    forms.last.press("Enter")
    expect(forms).to_have_count(0)


def drawer(guest: Guest, move: str) -> None:
    """A move of the Keeper's drawer, wherever it is."""
    guest.tool(move)


def done(guest: Guest) -> None:
    """Close the drawer if it hides the table."""
    if guest.page.locator("dialog[open]").count():
        guest.tap("Close")


def attempt(guest: Guest, title: str, skill: str, talent: str) -> None:
    """A player tests a skill and a talent of their sheet."""
    guest.tap("Make a test")
    form(guest).get_by_label("What are you trying to do?").fill(title)
    choose(guest, "skill", skill)
    if talent:
        choose(guest, "talent", talent)
    send(guest)
    expect(guest.page.locator(".action-title")).to_have_text(title)


def roll(guest: Guest, faces: str) -> None:
    """Enter the faces of real dice by taps."""
    guest.tap_real_dice()
    rows = form(guest).locator(".face-row")
    for i, face in enumerate(faces.split()):
        rows.nth(i).locator(".face-pick").nth(int(face)).click()
    send(guest)
    guest.see(".outcome .result")


def points(night: Night, hero: int, villain: int) -> None:
    """Every page shows these numbers of points."""
    for guest in night.guests:
        for nth, n, word in ((0, hero, "hero"), (1, villain, "villain")):
            tray = guest.page.locator(".tray-place").nth(nth)
            expect(tray).to_have_attribute("aria-label", f"{n} {word} point{'' if n == 1 else 's'}")


def announced(night: Night, *sentences: str) -> None:
    """Everybody reads this on the page and in the log."""
    for guest in night.guests:
        for sentence in sentences:
            expect(guest.page.locator(".announced[aria-live=polite]")).to_contain_text(sentence)
    for seat, guest in zip(("mira", "ann", "bo"), night.guests, strict=True):
        lines = [record["text"] for record in guest.log(night.id, seat)]
        assert set(sentences) <= set(lines)


def gauge(guest: Guest) -> Locator:
    """The open gauge between the trays."""
    guest.tap("Point history: Hero and villain points")
    expect(form(guest).locator(".gauge-table")).to_be_visible()
    return form(guest).locator(".gauge")


def sources(of: Locator, nth: int) -> list[str]:
    """The sum and source of each change of one pool."""
    rows = of.locator(".gauge-account").nth(nth).locator(".gauge-source")
    return [
        f"{row.locator('strong').inner_text()} {row.locator('span').first.inner_text()}"
        for row in rows.all()
    ]


def table_of(of: Locator) -> list[tuple[str, ...]]:
    """The rows of the gauge, newest first: the change and both balances after it."""
    return [tuple(row.locator("td").all_inner_texts()) for row in of.locator("tbody tr").all()]


@pytest.mark.exhaustive
def test_pool_overflows_to_the_other_side(come: Come, shots: Path) -> None:
    """Gains above the cap go to the Keeper and the gauge; the end of the scene takes one."""
    night = Night(come, PHONE)
    gm, ann, bo = night.guests
    camera = Camera(shots, PHONE, DESK)

    def look(guest: Guest, state: str) -> None:
        camera.shoot(guest, f"overflow-{state}")

    # The session: 2 villain points for each of two players.
    gm.tap("Start a session 4 villain points for the Keeper", exact=False)
    points(night, 0, 4)
    announced(
        night,
        "The Keeper gains 4 villain points (4 in all): a new session, 2 for each player (Ann and"
        " Bo).",
    )

    # The Keeper opens a conflict; its circumstance makes everything harder, and everybody can see
    # it.
    drawer(gm, "conflict.open")
    form(gm).get_by_label("What is it about?").fill("Into the server hall")
    ask(gm, "type").get_by_text("unopposed").click()
    form(gm).get_by_label("What is at stake for the heroes?").fill("Nine minutes without an alarm")
    target = ask(gm, "target").locator("input")
    expect(target).to_have_value("6")
    target.fill("30")
    send_top(gm)
    gm.offer("circumstance.set").click()
    form(gm).get_by_label("What is it?").fill("The lights are out")
    ask(gm, "way").get_by_text("harder").click()
    send_top(gm)
    done(gm)
    for guest in night.guests:
        expect(guest.page.locator(".course-of").filter(visible=True)).to_contain_text(
            "Into the server hall"
        )
        expect(guest.page.locator(".course-words").filter(visible=True)).to_have_text(
            "Progress of the heroes: 0 of 30"
        )
        expect(guest.page.locator(".course-besides").filter(visible=True)).to_contain_text(
            "The lights are out: DC +1 for everybody"
        )
    look(ann, "calm")
    # The chart leaves the room to what can be done.
    expect(ann.page.locator(".glance")).to_be_visible()
    assert 0 == ann.page.locator(".glance .gauge-chart").filter(visible=True).count()
    ann.tap("Where each point came from")
    ann.see("dialog[open] .gauge-chart")
    ann.tap("Close")

    # Juna has six dice, and the dark has made the usual DC of 2 a 3: nine successes are 6 above it.
    attempt(ann, "Keep the alarm asleep", "systems", "logic")
    expect(ann.page.locator(".stage .figure dt")).to_have_text("DC · +1 The lights are out")
    look(ann, "build")
    # Nobody has a point for the roll, so that it is over at once, and the points arrive.
    roll(ann, "9 9 9 9 7 0")
    ann.read("Passed with 6 to spare: 9 successes against DC 3")
    look(ann, "rolled")
    points(night, 6, 4)
    announced(
        night,
        "The party gains 6 hero points (6 in all): Juna did 6 better than needed (Keep the alarm"
        " asleep).",
    )

    # Odo gains 8 more, and there is room for 4: the rest is the Keeper's.
    attempt(bo, "Hold the door", "brawl", "strength")
    roll(bo, "9 9 9 9 9 7")
    tray = ann.page.locator(".tray-place").first
    expect(tray).to_have_attribute("aria-label", "6 hero points, and 8 to come")
    bo.tap(
        "Done The party's pool has no room for 4 of these points; the Keeper gains 4 villain"
        " points.",
        exact=False,
    )
    points(night, 10, 8)
    announced(
        night,
        "The party gains 4 hero points (10 in all): Odo did 8 better than needed (Hold the door).",
        "The Keeper gains 4 villain points (8 in all): more hero points than there was room for.",
    )
    for guest in night.guests:
        expect(guest.page.locator(".course-words").filter(visible=True)).to_have_text(
            "Progress of the heroes: 18 of 30"
        )
    look(gm, "announced")

    # The gauge on every page: the chart, what fades next, where each point came from, and the same
    # numbers as a table.
    for guest in night.guests:
        seen = gauge(guest)
        expect(seen.locator(".gauge-chart")).to_have_attribute(
            "aria-label",
            "hero points from 0 to 10; villain points from 0 to 8. The table below has every"
            " change.",
        )
        expect(seen.locator(".gauge-legend li")).to_have_text(
            ["Hero points 10 of 10", "Villain points 8 of 20"]
        )
        expect(seen.locator(".gauge-fades")).to_have_text(
            "The end of this scene takes 1 hero point. 9 stay."
        )
        assert [f"+10 {EXCESS}"] == [row.splitlines()[0] for row in sources(seen, 0)]
        assert [f"+4 {OVERFLOW}", "+4 The start of a session"] == [
            row.splitlines()[0] for row in sources(seen, 1)
        ]
        assert [
            ("+4", "10", "8"),
            ("+4", "10", "4"),
            ("+6", "6", "4"),
            ("+4", "0", "4"),
        ] == table_of(seen)
    look(ann, "gauge")
    form(ann).locator(".gauge-source", has_text=OVERFLOW).click()
    expect(ann.page.locator(".log-entry:focus")).to_contain_text(
        "more hero points than there was room for"
    )
    look(ann, "log")
    ann.view("Play")
    bo.tap("Close")
    gm.tap("Close")

    # A bought die: the offer says what the next one costs, and the roll brings nothing.
    attempt(ann, "Out again", "systems", "logic")
    die = ann.see(".tray-die[data-move='dice.buy']")
    price = die.locator(".price")
    expect(price).to_have_attribute("aria-label", "1 hero point")
    die.click()
    expect(price).to_have_attribute("aria-label", "2 hero points")
    points(night, 9, 8)
    # Gains and losses are announced, prices are not.
    expect(bo.page.locator(".announced li", has_text="(9 left)")).to_have_count(0)
    roll(ann, "9 9 9 9 9 9 9")
    ann.tap("Done")
    expect(ann.page.locator(".action-title")).to_have_count(0)
    points(night, 9, 8)

    # At the end of the scene the party automatically loses a point, and everybody reads it.
    drawer(gm, "scene.begin")
    send_top(gm)
    done(gm)
    points(night, 8, 8)
    announced(night, "The party loses 1 hero point (8 left): a scene is over.")

    # Another period is chosen on the page: now a scene takes nothing, and the end of the session
    # does.
    gm.view("Table")
    gm.tap("House rules")
    gm.page.locator("#option-decay").select_option("session")
    gm.view("Play")
    fades = bo.page.locator(".glance .gauge-fades")
    expect(fades).to_have_text("The end of this session takes 1 hero point. 7 stay.")
    for hero, stays in ((2, " 1 stays."), (1, ""), (8, " 7 stay.")):
        gm.make(night.id, "mira", "points.correct", account="hero", to=hero, why="to count")
        expect(fades).to_have_text(f"The end of this session takes 1 hero point.{stays}")
    drawer(gm, "scene.begin")
    send_top(gm)
    done(gm)
    bo.read("Scene 3")
    points(night, 8, 8)
    drawer(gm, "session.end")
    gm.top.locator(".form-foot [data-kind=primary]").click()
    expect(gm.page.locator("dialog[open] .form-foot")).to_have_count(0)
    done(gm)
    points(night, 7, 8)
    announced(night, "The party loses 1 hero point (7 left): the session is over.")
    expect(fades).to_have_count(0)
    look(bo, "over")


def test_first_page_foot_covers_nothing(come: Come) -> None:
    """At twice the text size, focused elements of a phone stay above the large buttons."""
    gm = come(PHONE)
    gm.api("POST", "/api/tables", system="destinydice", title="The night", name="Mira")
    gm.open("/")
    gm.see(".table-card")
    gm.page.evaluate("document.documentElement.style.fontSize = '200%'")
    gm.still()
    assert [] == gm.page.evaluate(script("covered"))
