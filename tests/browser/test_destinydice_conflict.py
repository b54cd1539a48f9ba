"""Destiny Dice on the page: a conflict where one player's roll helps the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.guests import PHONE, Come, Gathering, Guest, tap_face
from tests.browser.test_screens import Camera

SHEETS = {
    "Ann": ("Juna", {"forceful": 1, "quick": 1, "refresh": 3, "stress": 3}),
    "Bo": ("Bram", {"forceful": 2, "quick": 1, "refresh": 3, "stress": 3}),
}
BLANK, BOTH, SETBACK = "1", "5", "2"
"""Faces: nothing; a Success and an Advantage on a Skill die; a Disadvantage on a Difficulty die."""


class Conflict(Gathering):
    """A GM with an enemy and two players; moves can be made without the page.

    Everybody has a page, or these seats do.
    """

    def __init__(self, come: Come, *seats: str) -> None:
        super().__init__(come, "destinydice", "The mill race")
        for name, (who, sheet) in SHEETS.items():
            self.player(name, who, sheet)
        self.make("mira", "session.begin")
        self.make("mira", "mook.add", name="The miller", skilled="brawling", stress=2)
        self.sit(*seats)

    def attack(self, seat: str) -> None:
        """A player attacks the miller, who opposes with three Skill dice."""
        self.make(
            seat, "check.declare", title="Push him back", action="attack", approach="forceful"
        )
        self.make("mira", "check.defend", theirs="3 skill")


def dice(guest: Guest, *expected: str) -> None:
    """Check the dice of the pool on this guest's page, by their letters."""
    expect(guest.page.locator(".pool .die-letter")).to_have_text(list(expected))


def roll(guest: Guest, faces: list[str]) -> None:
    """Enter each face of real dice by a tap."""
    guest.tap("I rolled real dice")
    rows = guest.page.locator("dialog[open] .face-row")
    expect(rows).to_have_count(len(faces))
    for i, face in enumerate(faces):
        tap_face(rows.nth(i), int(face))
    guest.page.locator("dialog[open]").get_by_role("button", name="Take these faces").click()
    expect(guest.page.locator("dialog[open]")).to_have_count(0)


def card(guest: Guest, who: str) -> Locator:
    """The card of a character, among the open ones."""
    return guest.page.locator(".person-card").filter(
        has=guest.page.get_by_role("heading", name=who, exact=True)
    )


@pytest.mark.exhaustive
def test_advantage_gives_an_ally_an_aid_die(come: Come, shots: Path) -> None:
    """Two Advantages buy a die that waits on the ally's card for the next pool, then goes."""
    conflict = Conflict(come)
    gm, ann, bo = conflict.guests
    camera = Camera(shots, PHONE)

    conflict.attack("ann")
    dice(ann, "S", "S", "D", "D", "D")
    expect(ann.page.locator("#primary")).to_contain_text("Roll the dice")
    camera.at_the_thumb(ann, "conflict-pool")
    roll(ann, [BOTH, BOTH, BLANK, BLANK, BLANK])
    ann.read("Hit for 2 shifts")
    expect(ann.page.locator(".left-token")).to_have_count(2)
    # The question is the rows, which are in sight.
    camera.shoot(ann, "conflict-rolled")
    expect(ann.page.locator(".menu-row").first).to_be_in_viewport()

    # One tap says enough: there is one way to pay, and one ally.
    ann.page.locator(".menu-row", has_text="An ally gets an Aid die").click()
    expect(ann.page.locator(".left-token")).to_have_count(0)
    bo.view("Characters")
    expect(card(bo, "Bram").locator(".trait[data-kind=promise]")).to_contain_text("Aid")
    expect(card(bo, "Juna").locator(".trait[data-kind=promise]")).to_have_count(0)
    camera.shoot(bo, "conflict-promise")
    # More Fate points than Refresh do not cause an alarm.
    conflict.make("mira", "points.correct", account="juna.fate", to=4, why="A compel")
    expect(card(bo, "Juna").locator(".track[data-over=false] .count")).to_have_text("4")

    # The hit is taken: a box is checked, and everybody can read that it is. That is the end, for
    # nothing is left to do.
    conflict.make("mira", "harm.absorb", how="2")
    stress = (
        card(bo, "The miller")
        .get_by_role("list", name="Stress: The miller")
        .get_by_role("listitem")
    )
    expect(stress).to_have_text(["1box 1: free", "box 2: checked"])
    gm.view("Characters")
    boxes = card(gm, "The miller").get_by_role("checkbox")
    expect(boxes).to_have_count(2)
    expect(boxes.nth(1)).to_be_checked()
    boxes.nth(0).click()
    expect(stress).to_have_text(["box 1: checked", "box 2: checked"])
    camera.shoot(gm, "conflict-boxes")
    boxes.nth(0).click()
    expect(stress.first).to_have_text("1box 1: free")
    for guest in (gm, bo):
        guest.view("Play")
    for guest in conflict.guests:
        expect(guest.page.locator(".stage[data-phase=idle] .outcome .result")).to_be_visible()

    # A conflict begins: the last roll is small, and the form is gold once its kind is chosen.
    gm.tool("conflict.begin")
    send = gm.page.locator("dialog[open] button[type=submit]")
    kind = gm.page.locator("dialog[open] [data-ask=kind]")
    for wanting in (send, kind):
        expect(wanting).to_have_attribute("data-wanting", "true")
    kind.get_by_text("A physical conflict").click()
    for answered in (send, kind):
        expect(answered).not_to_have_attribute("data-wanting", "true")
    send.click()
    expect(send).to_have_count(0)
    gm.tap("Close")
    for guest in conflict.guests:
        expect(guest.page.locator(".stage[data-phase=idle] .last-result .result")).to_be_visible()
    conflict.make("mira", "conflict.next")

    # The ally's next roll: the die is in it already, and says where it comes from.
    conflict.attack("bo")
    for guest in conflict.guests:
        dice(guest, "S", "S", "S", "A", "D", "D", "D")
    bo.page.locator(".pool").get_by_role("button", name="Aid", exact=False).click()
    expect(bo.page.locator(".origin")).to_contain_text("Left by an earlier roll")
    camera.at_the_thumb(bo, "conflict-aid")
    # A form that was opened at the thumb gives the page back as it was.
    before = bo.page.evaluate("scrollY")
    place = bo.page.get_by_role("button", name="I rolled real dice").bounding_box()
    assert place
    # Where a finger would: Playwright's own click scrolls.
    bo.page.mouse.click(place["x"] + 10, place["y"] + 10)
    bo.page.locator("dialog[open]").get_by_role("button", name="Cancel").click()
    expect(bo.page.locator("dialog[open]")).to_have_count(0)
    assert before == bo.page.evaluate("scrollY")
    roll(bo, [BLANK, BLANK, BLANK, BLANK, SETBACK, SETBACK, SETBACK])
    bo.see(".outcome .result")
    expect(bo.page.locator(".fallen .throw")).to_have_count(7)
    expect(bo.page.locator(".left-token")).to_have_count(3)
    camera.at_the_thumb(bo, "conflict-aided")
    camera.shoot(gm, "conflict-gm")
    bo.view("Characters")
    expect(card(bo, "Bram").locator(".trait[data-kind=promise]")).to_have_count(0)

    # What the game master makes of it stands with its bearer, as the aspects do.
    gm.page.locator(".menu-row", has_text="takes a consequence").click()
    gm.page.locator("dialog[open] [data-ask=name] input").fill("Soaked to the skin")
    gm.page.locator("dialog[open] button[type=submit]").click()
    conflict.make("bo", "aspect.add", text="Strong as the weir", about="bram")
    traits = card(bo, "Bram").locator(".trait")
    expect(traits.and_(bo.page.locator("[data-kind=consequence]"))).to_contain_text(
        "Soaked to the skin, mild"
    )
    expect(traits.and_(bo.page.locator("[data-kind=aspect]"))).to_contain_text("Strong as the weir")
    camera.shoot(bo, "conflict-traits")

    # A character who is out stays in the order, marked in words.
    conflict.make("mira", "conflict.concede")
    bo.view("Play")
    expect(bo.page.locator(".slot[data-out=true]").filter(visible=True)).to_have_text(
        ["The miller, Quick +0out"]
    )


@pytest.mark.exhaustive
def test_reference_is_one_tap_away(come: Come, shots: Path) -> None:
    """The choice of a game and a table link to the printable page, which fits a phone."""
    conflict = Conflict(come, "mira")
    camera = Camera(shots, PHONE)
    gm = conflict.gm
    gm.view("Table")
    link = gm.page.get_by_role("link", name="Print the rules on one page")
    expect(link).to_have_attribute("href", "/api/systems/destinydice/reference")
    new = come(PHONE)
    new.open("/")
    new.tap("New table")
    new.page.get_by_text("Destiny Dice with Fate Accelerated").click()
    with new.context.expect_page() as opened:
        new.page.get_by_role("link", name="Print the rules on one page").click()
    new.page = opened.value
    new.read("What symbols buy")
    expect(new.page.locator(".one-die")).to_have_count(6)
    # The page can be read before its pictures have come.
    new.until(
        "() => document.images.length && [...document.images].every((one) => one.naturalWidth > 0)"
    )
    new.still()
    new.picture(camera.folder / "reference-360.png")
    assert new.page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


def test_turn_order_shows_a_foes_injuries(come: Come) -> None:
    """Everybody sees the checked boxes of a foe, and the GM checks them in the drawer."""
    conflict = Conflict(come)
    gm = conflict.gm
    conflict.make("mira", "conflict.begin", kind="physical")
    for guest in conflict.guests:
        slot = guest.page.locator(".slot", has_text="The miller").filter(visible=True)
        expect(slot.get_by_role("img", name="0 of 2")).to_be_visible()
    gm.pull()
    gm.page.locator(".drawer .scene-one", has_text="The miller").get_by_role(
        "checkbox"
    ).last.click()
    for guest in conflict.guests:
        boxes = guest.page.locator(".slot", has_text="The miller").first.get_by_role(
            "img", name="1 of 2, box 2: checked"
        )
        for i, checked in enumerate(("false", "true")):
            expect(boxes.locator("span").nth(i)).to_have_attribute("data-on", checked)
