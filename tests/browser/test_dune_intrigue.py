"""An intrigue on the page to a lasting defeat, with a GM, two players and real dice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.guests import DESK, PHONE, REAL_DICE, Come, Gathering, Guest
from tests.browser.page_scripts import script
from tests.browser.test_access import press, tab_to
from tests.browser.test_screens import Camera
from tests.browser.test_taking_back import LONG

YSOLDE = {"battle": 4, "communicate": 8, "discipline": 6, "move": 4, "understand": 6}
YSOLDE |= {"duty": 6, "faith": 7, "justice": 4, "power": 8, "truth": 5}
RUHAN = {"battle": 7, "communicate": 4, "discipline": 6, "move": 6, "understand": 5}
RUHAN |= {"duty": 8, "faith": 5, "justice": 7, "power": 4, "truth": 6}
LETTER = "A letter with two seals"


class Intrigue(Gathering):
    """A table before the dinner, with known guests and assets.

    Everybody has a page, or these seats do.
    """

    def __init__(self, come: Come, *seats: str) -> None:
        super().__init__(come, "dune", "The dinner")
        self.player("Ann", "Ysolde", YSOLDE)
        self.player("Bo", "Ruhan", RUHAN)
        self.make("mira", "session.begin")
        self.make("mira", "adventure.begin", title="The dinner")
        power = "What I ask for, I get"
        self.make("ann", "sheet.write", who="ysolde", kind="statement", at="power", text=power)
        self.make(
            "ann", "sheet.write", who="ysolde", kind="focus", at="communicate", text="Innuendo"
        )
        self.make("ann", "asset.add", who="ysolde", text=LETTER, kind="knowledge", potency=2)
        self.make("bo", "asset.add", who="ruhan", text="A word with the steward", kind="contact")
        count = {"skill": "communicate", "second": "understand", "drive": "power", "drive2": "duty"}
        named = {"name": "Count Verrin", "trait": "Count", "focus": "Etiquette"}
        self.make("mira", "npc.make", rank="notable", **named, **count)
        self.make(
            "mira", "asset.add", who="count-verrin", text="Courtiers", kind="people", defensive=True
        )
        self.sit(*seats)


# What people do.


def sheet(guest: Guest) -> Locator:
    """The form on top."""
    return guest.page.locator("dialog[open]").last


def pick(guest: Guest, ask: str, answer: str) -> None:
    """Answer a question of the form by its button."""
    sheet(guest).locator(f"[data-ask={ask}] .pick", has_text=answer).first.click()


def tell(guest: Guest, ask: str, text: str) -> None:
    """Answer a question of the form in one's own words."""
    sheet(guest).locator(f"[data-ask={ask}] :is(input[type=text], textarea)").first.fill(text)


def target(guest: Guest, n: int | str) -> None:
    """The visible target number: in an open form, or on the table."""
    place = (
        sheet(guest) if guest.page.locator("dialog[open]").count() else guest.page.locator(".stage")
    )
    expect(place.locator(".figure-main dd")).to_have_text(str(n))


def send(guest: Guest) -> None:
    """Make the move of the form; it closes."""
    sheet(guest).locator("button[type=submit]").press("Enter")
    expect(guest.page.locator("dialog[open] form")).to_have_count(0)


def drawer(guest: Guest, move: str) -> None:
    """Open the form of a move from the game master's drawer."""
    guest.tool(move)


def shut(guest: Guest) -> None:
    """Close the drawer if it floats."""
    if guest.page.locator("dialog.drawer[open]").count():
        guest.tap("Close")


def faces_of(guest: Guest, *faces: int) -> None:
    """Enter the faces of real dice."""
    guest.tap_real_dice()
    rows = sheet(guest).locator(".face-row")
    expect(rows).to_have_count(len(faces))
    for i, face in enumerate(faces):
        rows.nth(i).locator(".face-pick").nth(face - 1).click()
    send(guest)


def step(guest: Guest, move: str) -> None:
    """Take a step of the dock or the table."""
    places = f".dock [data-move='{move}'], .offer-place[data-move='{move}'] .offer"
    guest.page.locator(places).locator("visible=true").first.click()


def done(guest: Guest) -> None:
    """Finish the test, if choices were left."""
    if guest.api("GET", f"/api/tables/{guest.table}?{guest.page.url.partition('?')[2]}")["table"][
        "checks"
    ]:
        step(guest, "check.close")


def acted(guest: Guest) -> None:
    """Finish the action of a turn without keeping the initiative."""
    done(guest)
    where = f"/api/tables/{guest.table}/offers?{guest.page.url.partition('?')[2]}"
    if any(one["yours"] and one["id"] == "keep" for one in guest.api("GET", where)["waits"]):
        step(guest, "turn.pass")


def roll(guest: Guest, *faces: int) -> None:
    """Enter each number of real dice by a tap."""
    faces_of(guest, *faces)
    guest.see(".outcome .result")
    shown = [str(face) for face in faces]
    expect(guest.page.locator(".stage .fallen:not(.facing *) .numbered > .count")).to_have_text(
        shown
    )


def primary(guest: Guest, title: str) -> None:
    """Tap the main button with this label."""
    button = guest.page.locator("#primary", has_text=title)
    button.click()


def begin(guest: Guest, thing: str, title: str) -> None:
    """Start a move from the board: tap the actor or target, then the action."""
    guest.up_to_date()
    expect(guest.page.locator(".stage[data-phase=idle]")).to_be_visible()
    name = guest.page.locator("span > span:first-child", has_text=re.compile(f"^{thing}$"))
    item = guest.page.locator(".board button.board-item").filter(has=name)
    item.click()
    tools = guest.page.locator(f"#{item.get_attribute('aria-controls')}")
    tools.get_by_role("button", name=title, exact=False).click()


def balance(guest: Guest, text: str) -> None:
    """One of the two pools, as read aloud."""
    expect(guest.page.locator(".trays").get_by_label(text, exact=True)).to_be_visible()


def oppose(gm: Guest, *faces: int) -> None:
    """The Count defends himself, and rolls first."""
    primary(gm, "Defend Count Verrin")
    target(gm, 14)
    faces_of(gm, *faces)


def attack(ann: Guest) -> None:
    """Ysolde goes for the Count with her letter."""
    begin(ann, "Count Verrin", "Attack")
    pick(ann, "asset", LETTER)
    pick(ann, "skill", "Communicate")
    pick(ann, "drive", "Power")
    pick(ann, "focus", "Innuendo")
    expect(sheet(ann).locator("[data-ask=fit] .pick-face").first).to_have_text(
        "“What I ask for, I get” applies"
    )
    expect(sheet(ann).locator("[data-ask=fit] .pick:has(:checked)")).to_have_text("None")
    target(ann, 16)
    send(ann)


def agree(gm: Guest) -> None:
    """The GM agrees to the proposal in the drawer."""
    gm.pull()
    gm.tap("Agree")
    expect(gm.page.locator(".proposal")).to_have_count(0)
    shut(gm)


def score(guest: Guest) -> None:
    """Count the success on the track unchanged."""
    counts = ".dock .chips[data-move='track.score'] button, .dock #primary[data-move='track.score']"
    guest.page.locator(counts).first.click()


def place(guest: Guest, name: str) -> Locator:
    """A zone on the board."""
    heading = guest.page.get_by_role("heading", name=re.compile(f"^{name}"))
    return guest.page.locator(".place").filter(has=heading)


def goal(guest: Guest, who: str) -> Locator:
    """A character's progress to defeat."""
    return guest.page.locator(".tasks-place .tasks", has_text=who).get_by_role("meter")


@pytest.mark.exhaustive
def test_intrigue_to_a_lasting_defeat(come: Come, shots: Path) -> None:
    """Large buttons, the target, zones on the board and hits on the track lead to the defeat."""
    table = Intrigue(come)
    gm, ann, bo = table.guests
    camera = Camera(shots, PHONE, DESK)

    def look(guest: Guest, state: str) -> None:
        camera.shoot(guest, f"intrigue-{state}")

    # The first test: Ruhan listens among the servants.
    primary(bo, "Make a test")
    tell(bo, "title", "Listen among the servants")
    pick(bo, "skill", "Communicate")
    pick(bo, "drive", "Duty")
    target(bo, 12)
    look(bo, "declare")
    send(bo)
    target(gm, 12)
    # The form with the worth of each answer is behind the chips of the dock.
    gm.see(".dock .chips[data-move='check.difficulty'] [data-kind=plain]").click()
    expect(sheet(gm).locator("[data-ask=difficulty] .pick-worth")).to_have_count(6)
    expect(sheet(gm).locator(".worth-list")).to_have_count(0)
    pick(gm, "difficulty", "Average")
    look(gm, "difficulty")
    send(gm)
    shut(gm)
    step(ann, "check.assist")
    pick(ann, "skill", "Communicate")
    pick(ann, "drive", "Power")
    send(ann)
    bo.offer("dice.buy").click()
    expect(sheet(bo).locator(".worth-change")).to_have_text(["84 → 94 %", "84 → 97 %", "84 → 99 %"])
    look(bo, "dice")
    send(bo)
    balance(bo, "5 Threat")
    bo.page.locator(".pool .die").first.click()
    expect(bo.page.locator(".origin-runs dt")).to_have_text(["1", "2 to 12", "20"])
    look(bo, "pool")
    roll(bo, 3, 11, 18, 9)
    look(bo, "rolled")
    # The next step is Done, with the purchases of Momentum next to it.
    expect(bo.page.locator("#primary")).to_have_attribute("data-move", "check.close")
    expect(bo.page.locator("#primary")).to_have_attribute("data-kind", "primary")
    step(bo, "momentum.ask")
    tell(bo, "text", "Whom does the Count fear?")
    send(bo)
    # To be done would let the question lapse: the GM answers first.
    expect(bo.page.locator(".dock")).to_contain_text("Waiting for the GM to answer")
    expect(bo.page.locator("#primary")).to_have_count(0)
    agree(gm)
    done(bo)
    balance(ann, "1 Momentum")

    # The conflict: the game master lays out the zones, and everybody sees who stands where.
    drawer(gm, "conflict.begin")
    pick(gm, "kind", "Intrigue")
    tell(gm, "text", "Before the whole dinner")
    send(gm)
    for zone, beside in (("The long table", ""), ("The gallery", "The long table")):
        drawer(gm, "zone.add")
        tell(gm, "text", zone)
        if beside:
            pick(gm, "next", beside)
        send(gm)
    shut(gm)
    for thing, zone in (
        ("Count Verrin", "The long table"),
        ("Courtiers", "The gallery"),
        (LETTER, "The gallery"),
    ):
        begin(gm, thing, "Place a character or an asset")
        pick(gm, "zone", zone)
        send(gm)
    expect(place(bo, "The long table")).to_contain_text("Count Verrin")
    expect(place(bo, "The gallery").locator(".there .grow > span:first-child")).to_have_text(
        [LETTER, "Courtiers"]
    )
    look(bo, "board")

    # The letter wanders over to the long table, subtly: so the initiative is kept for nothing.
    begin(ann, LETTER, "Move an asset")
    pick(ann, "to", "The long table")
    pick(ann, "style", "Subtly")
    pick(ann, "skill", "Communicate")
    pick(ann, "drive", "Power")
    target(ann, 16)
    look(ann, "move")
    send(ann)
    roll(ann, 4, 9)
    done(ann)
    expect(place(gm, "The long table")).to_contain_text(LETTER)
    ann.page.locator(".dock .chips[data-move='initiative.keep'] button", has_text="Ysolde").click()

    # The first attack. One die is a 1 before the roll: it is not thrown, so one face is entered.
    attack(ann)
    oppose(gm, 15, 12)
    # The statement is quoted; that it applies is what a player says who spends Determination.
    expect(ann.page.locator(".action-terms")).not_to_contain_text("applies")
    expect(ann.offer("determination.one")).to_contain_text(
        "By this you say that “What I ask for, I get” applies."
    )
    step(ann, "determination.one")
    expect(ann.page.locator(".pool .die-letter")).to_have_text(["D", "1"])
    look(ann, "attack")
    roll(ann, 6)
    look(ann, "hit")
    score(ann)
    expect(goal(bo, "Count Verrin")).to_have_attribute("aria-valuenow", "4")
    done(ann)
    balance(gm, "3 Momentum")

    # What Threat buys is shown to the players as it happens.
    drawer(gm, "threat.environment")
    tell(gm, "text", "The lamps go out")
    send(gm)
    shut(gm)
    for guest in (ann, bo):
        expect(guest.page.locator(".announced")).to_contain_text("Mira spends 1 Threat")
        expect(guest.page.locator(".announced")).to_contain_text("The lamps go out")
    look(bo, "announced")

    # The opposition's turn: courtiers laugh. Then Ysolde's second attack would defeat him, and he
    # resists.
    begin(gm, "Courtiers", "Use an asset")
    pick(gm, "use", "trait")
    tell(gm, "text", "Laughter at the table")
    pick(gm, "skill", "Communicate")
    pick(gm, "drive", "Power")
    send(gm)
    roll(gm, 8, 13)
    acted(gm)
    attack(ann)
    oppose(gm, 18, 20)
    gm.page.locator(".menu-row").first.click()
    roll(ann, 3, 7)
    score(ann)
    expect(goal(bo, "Count Verrin")).to_have_attribute("aria-valuetext", "7 of 7")
    # The card that says so is above all else, and in view.
    for guest in (ann, bo):
        expect(guest.page.locator(".fallen-card").last).to_be_in_viewport(ratio=1)
    look(bo, "defeated")
    step(gm, "defeat.resist")
    sheet(gm).locator("[data-ask=text] .chosen").click()
    gm.page.keyboard.press("Enter")
    # The keys of the list are still its own until it has closed.
    expect(sheet(gm).locator("[data-ask=text] .chosen .quiet")).to_have_count(0)
    tell(gm, "text", "His hand shakes")
    send(gm)
    expect(bo.page.locator(".tasks-place .mark").filter(visible=True)).to_have_count(0)
    acted(ann)

    # He acts once more; the third attack is the last, and the defeat is made to last.
    begin(gm, "Courtiers", "Use an asset")
    pick(gm, "use", "learn")
    pick(gm, "skill", "Communicate")
    pick(gm, "drive", "Power")
    send(gm)
    # What need not be rolled can be rolled, with real dice too.
    expect(gm.page.locator(".dock-row").get_by_role("button", name=REAL_DICE)).to_be_visible()
    step(gm, "check.simple")
    acted(gm)
    attack(ann)
    oppose(gm, 10, 11)
    roll(ann, 5, 16)
    score(ann)
    look(ann, "spend")
    step(ann, "track.lasting")
    tell(ann, "text", "No door at court opens to him")
    send(ann)
    done(ann)
    for guest in table.guests:
        expect(guest.page.locator(".tasks-place .mark").filter(visible=True)).to_contain_text(
            "No door at court opens to him"
        )
        expect(guest.page.locator(".stage[data-phase=idle]")).to_be_visible()
    look(gm, "lasting")
    ann.view("Characters")
    look(ann, "characters")

    # The scene ends, and with it the conflict and its tracks: not the defeat.
    drawer(gm, "scene.begin")
    send(gm)
    shut(gm)
    expect(bo.page.locator(".board, .task")).to_have_count(0)
    expect(bo.page.locator(".tasks-place .mark").filter(visible=True)).to_contain_text(
        "No door at court opens to him"
    )
    look(bo, "after")


@pytest.mark.exhaustive
def test_reroll_is_weighed_and_entered_by_hand(come: Come, shots: Path) -> None:
    """After a failed roll dice choices show their worth, and new faces are entered."""
    table = Intrigue(come, "ann")
    ann, camera = table.ann, Camera(shots, PHONE)
    # Of the GM's characters she reads what everybody knows, of her own side's all.
    ann.view("Characters")
    count, own = (
        ann.page.locator(".person-card", has_text=name) for name in ("Count Verrin", "Ysolde")
    )
    expect(own).to_contain_text("Innuendo")
    expect(own.get_by_role("button", name="Numbers")).to_be_visible()
    expect(count.locator(".words")).to_have_text("TraitsCount")
    expect(count.get_by_role("button", name="Numbers")).to_have_count(0)
    ann.view("Play")
    chosen = {"skill": "communicate", "drive": "power", "fit": "applies", "difficulty": "2"}
    table.make("mira", "points.correct", account="momentum", to=2, why="The last scene")
    table.make("ann", "check.declare", title="Ask for the salt", **chosen)
    table.make("mira", "check.agree")
    expect(ann.page.locator(".odds-words")).to_contain_text("66 %to succeed")
    # One die is the default, without a number next to the odds.
    expect(ann.see(".tray-die[data-die=d20]")).to_contain_text("66 → ")
    ann.offer("dice.buy").click()
    # The points that pay for a row are above it.
    purses = sheet(ann).locator(".worth-purse")
    expect(purses.first).to_have_text("Momentum")
    expect(purses.last).to_have_text("Threat")
    camera.shoot(ann, "intrigue-worth")
    ann.tap("Cancel")
    roll(ann, 18, 17)
    # To keep the roll is the gold step where other dice have a price.
    expect(ann.page.locator(".dock .dock-menu")).to_have_attribute("data-kind", "wide")
    expect(ann.page.locator(".dock [data-kind=primary]")).to_have_text("Done")
    row = ann.page.locator(".menu-row", has_text="without a success")
    expect(row).to_contain_text("0 → 66 %")
    row.scroll_into_view_if_needed()
    camera.shoot(ann, "intrigue-reroll")
    row.click()
    rows = sheet(ann).locator(".face-row")
    expect(rows).to_have_count(2)
    for i, face in enumerate((3, 4)):
        rows.nth(i).locator(".face-pick").nth(face - 1).click()
    camera.shoot(ann, "intrigue-faces")
    send(ann)
    expect(ann.page.locator(".stage .fallen .numbered > .count")).to_have_text(["3", "4"])
    expect(ann.page.locator(".outcome")).to_have_attribute("data-passed", "true")
    _attacked(table)


def test_page_dice_are_rerolled_by_one_tap(come: Come) -> None:
    """Only a player with real dice is asked for faces, or one who taps the hand by the rows."""
    table = Intrigue(come, "ann")
    ann = table.ann
    chosen = {"skill": "communicate", "drive": "power", "fit": "applies", "difficulty": "5"}
    table.make("ann", "check.declare", title="Ask for the salt", **chosen)
    table.make("mira", "check.agree")
    # Two dice bring four successes at the most.
    table.make("ann", "check.roll")
    row = ann.page.locator(".menu-row", has_text="All of them")
    row.click()
    expect(row).to_have_count(0)
    assert "rolled again" in str(ann.log(table.id, "ann"))


def _attacked(table: Intrigue) -> None:
    """The Count attacks, loses and hits: the rolls, the gold steps and the place of the harm."""
    ann = table.ann
    done(ann)
    table.make("mira", "conflict.begin", kind="intrigue", text="At the table", first="gm")
    attack = {
        "as": "count-verrin",
        "against": "ysolde",
        "asset": "Courtiers",
        "skill": "communicate",
        "drive": "power",
    }
    oppose = {"skill": "communicate", "drive": "power"}
    table.make("mira", "conflict.attack", **attack)
    table.make("ann", "contest.oppose", **oppose)
    # A contest has two tests: a form says whose it is about.
    step(ann, "check.drive")
    expect(sheet(ann).locator(".form-about")).to_have_text(
        "Ysolde Against Count Verrin: Attack with Courtiers"
    )
    ann.tap("Cancel")
    table.make("ann", "check.roll", faces="1 2")
    table.make("mira", "check.roll", faces="19 19")
    # What a purchase costs is never the gold step.
    expect(ann.page.locator("#primary")).to_have_attribute("data-move", "momentum.ask")
    expect(ann.page.locator("#primary")).to_have_attribute("data-kind", "wide")
    # Who lost accepts that, and who held out ends it.
    table.make("mira", "check.close")
    table.make("ann", "check.close")
    table.make("ann", "turn.pass")
    table.make("mira", "conflict.attack", **attack)
    table.make("ann", "contest.oppose", **oppose)
    table.make("ann", "check.roll", faces="19 19")
    table.make("mira", "check.roll", faces="1 2")
    table.make("mira", "track.score")
    expect(ann.page.locator(".mine .strip")).to_contain_text("To defeat 2 of 8")
    table.make("mira", "points.correct", account="ysolde.determination", to=1, why="as it may be")
    table.make("mira", "points.correct", account="ysolde.advancement", to=1, why="as it may be")
    expect(ann.page.locator(".mine .strip-point")).to_have_count(3)
    name = ann.page.locator(".mine .strip-name")
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth")


PRESS_AT_ONCE = """() => new MutationObserver((_, drawn) => {
    if (document.querySelector('.action-title')) return;
    drawn.disconnect();
    document.querySelector('.there button.board-item').click();
}).observe(document.body, { childList: true, subtree: true })"""
"""Presses the first board element as soon as the page is drawn without the action."""


def test_rows_and_board_by_keyboard(come: Come) -> None:
    """Arrows move along a row and update the target; Enter opens board elements.

    It also opens when pressed as soon as it is there.
    """
    table = Intrigue(come, "ann")
    ann = table.ann
    table.make(
        "mira", "conflict.begin", kind="intrigue", text="Before the whole dinner", first="players"
    )
    table.make("mira", "zone.add", text="The gallery")
    table.make("mira", "zone.place", what="count-verrin", zone="The gallery")
    expect(place(ann, "The gallery")).to_contain_text("Count Verrin")
    for _ in range(60):
        press(ann, "Tab")
        if ann.page.evaluate(
            "document.activeElement?.textContent.trim().startsWith('Count Verrin')"
        ):
            break
    press(ann, "Enter")
    tab_to(ann, ".board-offers .offer")
    press(ann, "Enter")
    expect(sheet(ann).locator("h2")).to_be_focused()
    tab_to(ann, "[data-ask=asset] input")
    press(ann, "Space")
    tab_to(ann, "[data-ask=skill] input")
    target(ann, 16)
    press(ann, "ArrowRight")
    expect(sheet(ann).locator("[data-ask=skill] input:checked + .pick-face")).to_contain_text(
        "Discipline"
    )
    target(ann, 14)
    tab_to(ann, "[data-ask=drive] input")
    press(ann, "ArrowLeft", 3)
    expect(sheet(ann).locator("[data-ask=drive] input:checked + .pick-face")).to_contain_text(
        "Duty"
    )
    target(ann, 12)
    tab_to(ann, "dialog[open] button[type=submit]")
    press(ann, "Enter")
    expect(ann.page.locator(".action-title")).to_contain_text(LETTER)
    ann.page.evaluate(PRESS_AT_ONCE)
    table.make("mira", "check.cancel")
    first = place(ann, "The gallery").locator(".there button").first
    expect(first).to_have_attribute("aria-expanded", "true")
    # An opened part of an action stays open at its end, and closes with the next action.
    table.make("mira", "zone.add", text="The hall")
    gm = table.gm
    gm.resize(DESK)
    gm.at(table.id, "mira")
    zone = place(gm, "The gallery").locator(".place-name button")
    zone.click()
    gm.caught_up(
        table.make("ann", "check.declare", **{"as": "ysolde", "skill": "battle", "drive": "duty"})
    )
    expect(zone).to_have_attribute("aria-expanded", "false")
    zone.click()
    gm.caught_up(table.make("mira", "check.cancel"))
    expect(zone).to_have_attribute("aria-expanded", "true")


def test_conflict_scrolls_into_sight(come: Come) -> None:
    """The GM sees the current turn of a first and a second conflict from anywhere."""
    table = Intrigue(come, "mira")
    gm = table.gm
    gm.resize(DESK)
    gm.see(".drawer-place")
    gm.page.evaluate(LONG)
    for title in ("In the ring", "On the stairs"):
        gm.go_elsewhere()
        table.make("mira", "conflict.begin", kind="personal", text=title, first="gm")
        expect(gm.page.locator(".slots h2")).to_contain_text(title)
        expect(gm.page.locator(".slots [aria-current]")).to_be_in_viewport(ratio=1)
        # Nothing else says whose move it is.
        expect(gm.page.locator(".calm-words")).to_have_text("No action is under way.")
        table.make("mira", "conflict.end")
        expect(gm.page.locator(".slots")).to_have_count(0)
        expect(gm.page.locator(".calm-words")).to_have_text("The scene is yours.")


OUT_OF_TRAYS = script("out-of-trays")


def test_five_tokens_stay_in_their_tray(come: Come) -> None:
    """Each side's five tokens are inside their tray, and no tray covers the other."""
    table = Intrigue(come, "mira")
    for account in ("momentum", "threat"):
        table.make("mira", "points.correct", account=account, to=5, why="for the test")
    for width in (DESK["width"], 1000, PHONE["width"]):
        table.gm.resize({**DESK, "width": width})
        expect(table.gm.page.locator(".tray .point")).to_have_count(10)
        assert table.gm.page.evaluate(OUT_OF_TRAYS) == [], width


def test_visible_menu_needs_no_link(come: Come) -> None:
    """On a phone the dock links to the question, except while it is in sight."""
    table = Intrigue(come, "ann")
    ann = table.ann
    # On a higher phone the first row is in sight at once.
    ann.resize({**PHONE, "height": 600})
    table.make("ann", "check.declare", title="Read the letter", skill="understand", drive="truth")
    table.make("mira", "check.difficulty", difficulty=1)
    table.make("ann", "check.roll", faces="20 2")
    leads, row = ann.page.locator(".dock-menu"), ann.page.locator(".menu-row").first
    expect(leads).to_be_visible()
    # A click that meets what is still on its way would be tried again from elsewhere, for which the
    # page is scrolled.
    for event in ("pointerdown", "click"):
        leads.dispatch_event(event)
    expect(row).to_be_in_viewport()
    expect(leads).to_be_hidden()
    ann.page.mouse.wheel(0, -3000)
    expect(leads).to_be_visible()


@pytest.mark.exhaustive
def test_trait_from_momentum_is_a_scene_fact(come: Come) -> None:
    """Between actions it is shown with the facts on Play, like a Threat purchase.

    A trait of a character is only on that card.
    """
    table = Intrigue(come, "ann", "bo")
    _, ann, bo = table.guests
    table.make("mira", "points.correct", account="momentum", to=4, why="for the test")
    for text, about in (("Whispers behind fans", {}), ("Blushing", {"about": "count-verrin"})):
        chosen = {"skill": "communicate", "drive": "power", "fit": "applies", "difficulty": "0"}
        table.make("ann", "check.declare", title="Ask for the salt", **chosen)
        table.make("mira", "check.agree")
        table.make("ann", "check.roll", faces="19 19")
        table.make("ann", "momentum.trait", text=text, **about)
        table.make("mira", "proposal.accept")
        table.make("ann", "check.close")
    table.make("mira", "points.correct", account="threat", to=2, why="for the test")
    seq = table.make("mira", "threat.environment", text="The lamps go out")
    for guest in (ann, bo):
        guest.caught_up(seq)
        facts = guest.page.locator(".stage .facts li")
        expect(facts).to_have_text(["Whispers behind fans", "The lamps go out"])


def test_purchase_effects_are_in_words(come: Come) -> None:
    """A big Threat is peril: its price is followed by words for both heroes, not signs."""
    table = Intrigue(come, "mira")
    table.make("mira", "points.correct", account="threat", to=6, why="for the test")
    order = {"as": "count-verrin", "difficulty": 1, "title": "Order them out"}
    table.make("mira", "check.declare", **order)
    table.gm.offer("dice.buy").click()
    expect(table.gm.top.locator(".worth-adds").first).to_have_text("+ 2 advancement points")
