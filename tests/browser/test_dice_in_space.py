"""Dice that fall in space: one throw for everybody, which ends on the rolled faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import ne
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from storypool import systems
from storypool.play import Performance, read
from tests.browser.guests import PHONE, Guest
from tests.browser.page_scripts import script
from tools.states import State, states
from tools.visits import House

WANTED = "localStorage.setItem('storypool.dice', '\"on\"')"
WITHOUT = """
const context = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...how) {
  return kind.startsWith("webgl") ? null : context.call(this, kind, ...how);
};
"""
"""A script with which a browser has no WebGL."""
COUNTED = """
window.frames3d = 0;
const ask = window.requestAnimationFrame;
window.requestAnimationFrame = (...how) => { window.frames3d += 1; return ask(...how); };
"""
LOSE = """() => document.querySelector('.felt canvas').getContext('webgl2')
    .getExtension('WEBGL_lose_context').loseContext()"""
POOLS = [[20], [20, 20], [4, 4, 6], [10, 10, 10], [8, 8, 12, 8, 8, 12], [6] * 8, [12, 20] * 6]
OTHERS = {"genesys": ("ann", "kim", "bo"), "c2d10": ("ann", "gm")}
AIR, FELT = ".felt[data-falling=true]", ".felt[data-falling=false]"
LONGEST = 5000
"""Milliseconds of the page's clock in which every throw is over."""
CHOICES = """() => ['dice', 'sound', 'buzz', 'offered'].map(
    (name) => localStorage.getItem(`storypool.${name}`)
)"""
NUMBERS = 7
"""The numbers of a pose: a place and a turn."""
Sit = Callable[..., Guest]


@pytest.fixture
def state(request: pytest.FixtureRequest) -> State:
    """A table about to roll: of Genesys, or of the game and the play that a test names."""
    if not hasattr(request, "param"):
        return next(one for one in states("genesys") if one.name == "moment-triumph")
    game, name = request.param
    performance = Performance(read(systems.plays(game)[name], name))
    for step in performance.steps():
        if " check.declare" in step.text:
            break
    return State(game, name, performance.records, "ann")


@pytest.fixture
def sit(drawing: Browser, house: House, dice: None, state: State) -> Iterator[Sit]:
    """Seat guests at one table of a game that is about to roll: `sit(seat, scripts, **context)`."""
    guests: list[Guest] = []
    table, _, links = house.open(replace(state, others=OTHERS[state.game]))

    def sit(seat: str, *scripts: str, **more: Any) -> Guest:
        how = {"regular": True, "reduced_motion": "no-preference", **more}
        guest = Guest(drawing, house, PHONE, **how)
        guests.append(guest)
        for one in scripts:
            guest.prepare(one)
        guest.page.clock.install()
        guest.api("POST", "/api/join", secret=links[seat], seat=seat)
        guest.at(table, seat)
        guest.page.wait_for_load_state("networkidle")
        guest.page.clock.pause_at(guest.page.evaluate("Date.now()") / 1000 + 1)
        return guest

    yield sit
    troubles = [trouble for guest in guests for trouble in guest.troubles]
    for guest in guests:
        guest.context.close()
    assert [] == troubles


def roll(guest: Guest, move: str = "check.roll", **args: object) -> list[int]:
    """The faces that the server rolled."""
    path = f"/api/tables/{guest.table}/moves"
    made = guest.api("POST", path, seat="ann", move=move, args=args)
    rolled = next(
        one["event"]["rolled"] for one in made["records"] if one["event"]["type"] == "dice.rolled"
    )
    return [one["face"] for one in rolled]


def drawn(guest: Guest) -> dict[str, str]:
    """The seed of the picture, where its dice are, and the faces that point up in it."""
    found: dict[str, str] = guest.page.locator(".felt canvas").evaluate(
        "(one) => ({...one.dataset})"
    )
    return found


def poses(picture: dict[str, str]) -> list[list[str]]:
    """The place and the turn of each die in a picture."""
    numbers = picture["pose"].split()
    return [numbers[i : i + NUMBERS] for i in range(0, len(numbers), NUMBERS)]


def test_everybody_sees_one_throw_of_the_rolled_faces(sit: Sit) -> None:
    """A tap skips it on one page only; no frame is drawn when all dice are at rest."""
    ann, gm = sit("ann", WANTED, COUNTED), sit("kim", WANTED)
    faces = roll(ann)
    for guest in (ann, gm):
        guest.see(AIR)
        assert "" == drawn(guest)["faces"]
        assert "false" == guest.page.locator(".outcome").get_attribute("data-shown")
    gm.page.locator(".action-title").click()
    gm.see(FELT)
    ann.page.clock.run_for(400)
    ann.see(AIR)
    ann.page.clock.run_for(LONGEST)
    ann.see(FELT)
    expect(ann.page.locator(".outcome .result")).to_be_visible()
    pictures = [drawn(ann), drawn(gm)]
    assert [faces, faces] == [list(map(int, one["faces"].split())) for one in pictures]
    assert 1 == len({(one["throw"], one["pose"]) for one in pictures})
    assert int(pictures[0]["frames"]) > 20
    expect(ann.page.locator(".felt .throw")).to_have_count(len(faces))
    before = ann.page.evaluate("frames3d")
    ann.page.clock.run_for(LONGEST)
    assert before == ann.page.evaluate("frames3d")
    # A lost context leaves the flat dice, on this page alone.
    ann.page.evaluate(LOSE)
    expect(ann.page.locator(".fallen:not(.felt) .throw")).to_have_count(len(faces))
    expect(ann.page.locator(".felt")).to_have_count(0)
    assert 1 == gm.page.locator(".felt").count()


def test_dice_fall_flat_where_space_is_not_wanted(sit: Sit) -> None:
    """Without the setting, with less motion, without WebGL; the first two load no more."""
    guests = [
        sit("ann"),
        sit("kim", WANTED, reduced_motion="reduce"),
        sit("bo", WANTED, WITHOUT),
    ]
    loaded = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
    faces = roll(guests[0])
    for guest in guests:
        guest.page.clock.run_for(LONGEST)
        expect(guest.page.locator(".fallen[data-falling=false] .throw")).to_have_count(len(faces))
        assert 0 == guest.page.locator(".felt").count()
    for guest in guests[:2]:
        assert not any("ogl" in name for name in guest.page.evaluate(loaded))


@pytest.mark.parametrize("state", [("c2d10", "use-reroll.play")], indirect=True)
def test_only_dice_of_a_new_roll_are_thrown(sit: Sit) -> None:
    """The others stay where they are, and a page that is opened later shows the same."""
    ann = sit("ann", WANTED)
    faces = roll(ann)
    ann.see(AIR)
    ann.page.clock.run_for(LONGEST)
    ann.see(FELT)
    first = drawn(ann)
    [faces[1]] = roll(ann, "check.reroll", die="2")
    ann.see(AIR)
    ann.page.clock.run_for(LONGEST)
    ann.see(FELT)
    second = drawn(ann)
    assert first["throw"] != second["throw"]
    assert faces == list(map(int, second["faces"].split()))
    before, after = map(poses, (first, second))
    assert [i == 1 for i in range(len(faces))] == list(map(ne, before, after))
    ann.page.clock.resume()
    ann.page.reload()
    ann.see(FELT)
    assert second == {**drawn(ann), "frames": second["frames"]}


def test_first_roll_offers_sound_and_falling_dice(sit: Sit) -> None:
    """Once, with the result; "Yes" turns them on, and who goes on is not asked again."""
    ann, kim = sit("ann", regular=False), sit("kim", regular=False)
    for guest in (ann, kim):
        guest.page.clock.resume()
    faces = roll(ann)
    for guest in (ann, kim):
        guest.see(".outcome[data-shown=true] > .first-roll")
    assert [None, None, None, '"yes"'] == ann.page.evaluate(CHOICES)
    kim.page.locator(".first-roll").get_by_role("button", name="Yes").click()
    kim.see(FELT)
    expect(kim.page.locator(".first-roll")).to_have_count(0)
    assert ['"on"', '"on"', '"on"', '"yes"'] == kim.page.evaluate(CHOICES)
    assert faces == list(map(int, drawn(kim)["faces"].split()))
    ann.make(ann.table, "ann", "check.close")
    ann.see(".last-result")
    expect(ann.page.locator(".first-roll")).to_have_count(0)
    assert [None, None, None, '"yes"'] == ann.page.evaluate(CHOICES)


def test_every_throw_ends_well(sit: Sit) -> None:
    """Each die rests flat on the felt and apart from others, the decisive one last."""
    page = sit("ann").page
    folder = f"{page.url.partition('/t/')[0]}/static/js/falling"
    found = page.evaluate(script("throw-many-dice"), {"folder": folder, "pools": POOLS, "seeds": 3})
    assert [] == found["faults"]
    assert len(POOLS) * 3 == found["ends"]
