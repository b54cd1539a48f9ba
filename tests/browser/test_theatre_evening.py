"""An evening with all its theatre in three windows: faces, a handout, a board, dice that fall.

Everything that a browser receives is kept, so that at the end the test can read what came to whom.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from PIL import Image
from playwright.sync_api import Browser, FilePayload, Response, WebSocket, expect

from tests.browser.first_evening import Act, perform
from tests.browser.guests import DESK, PHONE, Gathering, Guest
from tests.browser.test_board_dragged import grip, place
from tests.browser.test_dice_in_space import AIR, FELT, LONGEST, WANTED, drawn
from tools.visits import House

THING, PLACE = "Quillon", "Thimble Stair"
"""Words of the evening that occur nowhere else."""


class Evening(NamedTuple):
    """The differences between the games: the characters, the NPC, and the roll."""

    system: str
    sheet: dict[str, int]
    person: str
    faces: str
    tried: dict[str, object]
    board: tuple[tuple[str, dict[str, object]], ...]
    opening: tuple[tuple[str, dict[str, object]], ...] = ()
    before: tuple[tuple[str, str], ...] = ()


STAR_WARS = Evening(
    "starwars",
    sheet={"agility": 3, "cunning": 3, "presence": 2, "willpower": 2, "skulduggery": 1},
    person="Dock guards",
    faces="2 2 3 4 1",
    tried={"skill": "skulduggery", "difficulty": "average"},
    opening=(
        ("points.correct", {"account": "light", "to": 2, "why": "for the test"}),
        ("points.correct", {"account": "dark", "to": 2, "why": "for the test"}),
        ("destiny.begin", {}),
    ),
    before=(("ann", "destiny.pass"), ("mira", "destiny.pass")),
    board=(
        ("zone.add", {"text": "Gate, Yard"}),
        ("zone.place", {"what": THING, "zone": "Yard"}),
    ),
)
DUNE = Evening(
    "dune",
    sheet={"battle": 7, "communicate": 4, "discipline": 6, "move": 6, "understand": 5}
    | {"duty": 8, "faith": 5, "justice": 7, "power": 4, "truth": 6},
    person="House guards",
    faces="3 12",
    tried={"skill": "move", "drive": "duty", "difficulty": "1"},
    board=(
        ("npc.make", {"rank": "minor", "name": "Ivo", "skill": "battle", "trait": "Trooper"}),
        ("conflict.begin", {"kind": "skirmish", "text": "The yard", "against": "ivo"}),
        ("zone.add", {"text": "Gate"}),
        ("zone.add", {"text": "Yard", "next": "Gate"}),
        ("zone.place", {"what": THING, "zone": "Yard"}),
    ),
)


class Window:
    """The browser of one guest, and all that it received."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self._frames, self._answers = list[str](), list[Response]()
        guest.page.on("websocket", self._follow)
        guest.page.on("response", lambda one: self._answers.append(one))

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._frames.append(str(frame)))

    def received(self, word: str) -> bool:
        """Whether this word is in anything that came to the browser or is on its page."""
        answers = (one.body() for one in self._answers if "/api/" in one.url and one.ok)
        return (
            any(word in text for text in self._frames)
            or any(word.encode() in body for body in answers)
            or word in self.guest.page.content()
        )


def picture(colour: str) -> FilePayload:
    """A picture of a camera in one colour."""
    file = io.BytesIO()
    Image.new("RGB", (640, 480), colour).save(file, "JPEG")
    return {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()}


@pytest.fixture
def windows(drawing: Browser, house: House, dice: None) -> Iterator[list[Window]]:
    """The windows of an evening, which complain about nothing."""
    found: list[Window] = []
    yield found
    troubles = [trouble for window in found for trouble in window.guest.troubles]
    for window in found:
        window.guest.context.close()
    assert [] == troubles


def opened(windows: list[Window], evening: Evening, drawing: Browser, house: House) -> Gathering:
    """A table in its first session, open for a GM and a player at desks and Ann on a phone."""

    def come(size: dict[str, int]) -> Guest:
        guest = Guest(drawing, house, size, regular=True, reduced_motion="no-preference")
        guest.prepare(WANTED)
        guest.page.clock.install()
        windows.append(Window(guest))
        return guest

    table = Gathering(come, evening.system, "The long night", DESK)
    for name, who in (("Ann", "Pash"), ("Bo", "Oska")):
        table.player(name, who, evening.sheet)
    table.make("mira", "session.begin")
    for move, args in evening.opening:
        table.make("mira", move, **args)
    table.sit()
    table.ann.resize(PHONE)
    return table


def wears_a_fox(ann: Guest) -> None:
    """Ann chooses a drawn portrait for her character."""
    ann.view("Characters")
    ann.page.get_by_role("button", name="Edit Pash").click()
    ann.tap("Change a portrait")
    ann.tap("A fox")
    ann.page.keyboard.press("Escape")


def brings(gm: Guest, person: str) -> None:
    """The GM brings in a hidden NPC from the library, under a name of this evening."""
    gm.tool("character.bring")
    perform(Act("You", "choose", person, "Who comes?"), gm, gm)
    form = gm.page.locator("dialog[open] form")
    form.get_by_label("Under which name?").fill(THING)
    form.get_by_label("Only for the GM's eyes?").check()
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)


def hands(gm: Guest, ann: Guest) -> None:
    """The GM shows Ann alone a picture, which fills her screen."""
    gm.view("Characters")
    gm.page.locator(".papers input[type=file]").last.set_input_files(picture("teal"))
    form = gm.page.locator("dialog form")
    form.get_by_label("Title").fill("The thimble letter")
    form.get_by_label("Ann").check()
    form.locator("button[type=submit]").click()
    held = ann.page.locator("dialog.held-paper")
    ann.until("() => document.querySelector('.held-paper img')?.naturalWidth > 0")
    ann.still()
    assert {"x": 0, "y": 0, **PHONE} == held.bounding_box()
    held.get_by_role("button", name="Put it away").click()
    expect(held).to_have_count(0)


def takes_a_place(table: Gathering, evening: Evening) -> None:
    """Ann drags her character to a place of the board, which all see."""
    for move, args in evening.board:
        table.ann.caught_up(table.make("mira", move, **args))
    table.ann.view("Play")
    grip(table.ann, "Pash").hover()
    table.ann.page.mouse.down()
    place(table.ann, "Gate").hover()
    table.ann.page.mouse.up()
    for guest in table.guests:
        expect(place(guest, "Gate")).to_contain_text("Pash")
    assert place(table.gm, "Yard").get_by_text(THING).count()
    assert not place(table.bo, "Yard").get_by_text(THING).count()


def throws(table: Gathering, evening: Evening) -> None:
    """Ann rolls with her thumb: the same dice fall in all windows, and end on the rolled faces."""
    table.make("ann", "check.declare", title="Over the wall", **evening.tried)
    last = table.make("mira", "check.agree")
    for seat, move in evening.before:
        last = table.make(seat, move)
    table.ann.view("Play")
    for guest in table.guests:
        guest.caught_up(last)
        guest.awake()
        guest.page.clock.pause_at(guest.page.evaluate("Date.now()") / 1000 + 1)
    table.ann.rolls(evening.faces)
    table.ann.page.locator("#primary").click()
    pictures = []
    for guest in table.guests:
        guest.see(AIR)
        guest.page.clock.run_for(LONGEST)
        guest.see(FELT)
        expect(guest.page.locator(".outcome .result")).to_be_visible()
        pictures.append(drawn(guest))
        guest.page.clock.resume()
    assert 1 == len({(one["throw"], one["pose"], one["faces"]) for one in pictures})
    assert evening.faces == pictures[0]["faces"]


@pytest.mark.parametrize("evening", [STAR_WARS, DUNE], ids=lambda one: one.system)
def test_evening_with_all_its_theatre(
    windows: list[Window], drawing: Browser, house: House, evening: Evening
) -> None:
    """Each sees their own: Bo gets no byte of Ann's picture and of a hidden NPC."""
    table = opened(windows, evening, drawing, house)
    gm, ann, bo = table.guests
    wears_a_fox(ann)
    expect(bo.page.locator(".people-here .person img")).to_have_attribute(
        "src", "/static/faces/fox.svg"
    )
    brings(gm, evening.person)
    hands(gm, ann)
    takes_a_place(table, evening)
    throws(table, evening)
    for guest in (ann, bo):
        guest.view("Characters")
    for word, who in (("thimble", (gm, ann)), (THING, (gm,))):
        for window in windows:
            assert window.received(word) == (window.guest in who), (word, window.guest)
    # All see it as soon as the GM shows it.
    bo.caught_up(table.make("mira", "character.show", who=THING.lower()))
    assert all(window.received(THING) for window in windows)
