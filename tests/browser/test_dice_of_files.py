"""The dice of games in one file on the page: those that explode, and those put at a place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import Come, Gathering, Guest, tap_face
from tests.gamefile.conftest import GAMES
from tests.gamefile.test_exploding_dice import EXPLODING
from tests.gamefile.test_own_looks import LANTERNS
from tests.gamefile.test_placed_dice import KEEP

TAKEN_AT_ONCE = """() => {
    document.querySelectorAll('.face-row')[2].querySelector('[value="4"]').click();
    setTimeout(() => document.querySelector('form button[type=submit]').click());
}"""
"""Taps the 4 of the third die and the button below at once."""


@pytest.fixture
def bursts(tmp_path: Path) -> Iterator[str]:
    """A game with two dice that explode on a 6, and one that does on 3 and 4."""
    yield from _added(tmp_path, EXPLODING)


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[str]:
    """A game in which a player keeps two of four dice, which explode."""
    yield from _added(tmp_path, KEEP)


def _added(folder: Path, text: str) -> Iterator[str]:
    file = folder / "written.game.toml"
    file.write_text(text, encoding="utf-8")
    key = systems.added(file)
    yield key
    systems.removed(key)


def _declared(come: Come, game: str) -> tuple[Gathering, Guest]:
    """A table where a player has declared an action, and that player at it."""
    table = Gathering(come, game, "A try")
    table.player("Ann", "Kit", {})
    table.make("mira", "session.begin")
    seq = table.make("ann", "check.declare", title="Over the wall", **{"as": "kit"})
    ann = table.sit("ann").ann
    ann.caught_up(seq)
    return table, ann


def test_dice_that_explode_are_typed(come: Come, bursts: str, shots: Path) -> None:
    """Rows for further dice follow their faces, until none explodes; a correction drops them."""
    table, ann = _declared(come, bursts)
    ann.tap_real_dice()
    rows, legends = ann.page.locator(".face-row"), ann.page.locator(".face-row legend")
    expect(rows).to_have_count(3)
    for n, face in enumerate((6, 6, 2)):
        tap_face(rows.nth(n), face)
    expect(legends).to_have_text(
        ["1. d6", "2. d6", "3. d4", "4. d6: die 1 explodes", "5. d6: die 2 explodes"]
    )
    ann.read("3 of 5 entered")
    ann.picture(shots / "exploding-faces.png")
    tap_face(rows.nth(4), 1)
    tap_face(rows.nth(3), 6)
    expect(legends.nth(5)).to_have_text("6. d6: die 4 explodes")
    # The dice are not rolled before the last of them has its face.
    ann.tap("Take these faces")
    ann.read("Some dice have no face yet.")
    tap_face(rows.nth(0), 5)
    expect(legends).to_have_text(["1. d6", "2. d6", "3. d4", "4. d6: die 2 explodes"])
    ann.read("3 of 4 entered")
    tap_face(rows.nth(3), 6)
    expect(rows).to_have_count(5)
    tap_face(rows.nth(4), 4)
    ann.read("5 of 5 entered")
    ann.tap("Take these faces")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    ann.read("Little: 16.")
    rolls = [
        [die["face"] for die in one["event"]["rolled"] if die["source"] == "hand"]
        for one in ann.log(table.id, "ann")
        if one["event"]["type"] == "dice.rolled"
    ]
    assert rolls == [[5, 6, 2], [6], [4]]


def test_faces_that_explode_are_not_sent_alone(come: Come, bursts: str) -> None:
    """A tap that is quicker than the question for further dice sends nothing."""
    table, ann = _declared(come, bursts)
    ann.tap_real_dice()
    rows = ann.page.locator(".face-row")
    expect(rows).to_have_count(3)
    tap_face(rows.nth(0), 1)
    tap_face(rows.nth(1), 1)
    expect(ann.page.locator("form[aria-busy]")).to_have_count(0)
    ann.page.evaluate(TAKEN_AT_ONCE)
    expect(rows).to_have_count(4)
    tap_face(rows.nth(3), 1)
    ann.tap("Take these faces")
    ann.read("Little: 1.")
    kinds = [one["event"]["type"] for one in ann.log(table.id, "ann")]
    assert kinds.count("dice.rolled") == 2


@pytest.fixture
def nightshift() -> Iterator[str]:
    """A game of the docs that throws two dice for an empty pool."""
    key = systems.added(GAMES / "nightshift.game.toml")
    yield key
    systems.removed(key)


def test_dice_of_an_empty_pool_are_typed(come: Come, nightshift: str) -> None:
    """The dice that are thrown for none have a row each."""
    table = Gathering(come, nightshift, "The long night")
    table.player("Ann", "Ilse", {"sneak": 0})
    table.make("mira", "session.begin")
    table.make("ann", "check.declare", action="sneak", title="Over the roofs")
    seq = table.make("mira", "check.agree")
    ann = table.sit("ann").ann
    ann.caught_up(seq)
    ann.tap_real_dice()
    rows = ann.page.locator(".face-row")
    expect(rows).to_have_count(2)
    for n, face in enumerate((6, 4)):
        tap_face(rows.nth(n), face)
    ann.tap("Take these faces")
    ann.read("Costly: you do it, and something goes wrong.")


def test_place_is_at_the_die(come: Come, keep: str, shots: Path) -> None:
    """A die that a player keeps says so where it is drawn, and at each of its rolls."""
    table, ann = _declared(come, keep)
    table.make("ann", "check.roll", faces="4 1 6 2 6 1")
    dice, placed = ann.page.locator(".fallen > li:has(.throw)"), ann.page.locator(".die-place")
    expect(dice).to_have_count(6)
    expect(placed).to_have_count(0)
    table.make("ann", "move.keep", one="2", two="3")
    expect(placed).to_have_text(["Kept"] * 4)
    for n, kept in enumerate((False, False, True, True, True, True)):
        expect(dice.nth(n).locator(".die-place")).to_have_count(int(kept))
    ann.picture(shots / "placed-dice.png")
    # The whole roll still says so once the action is over.
    table.make("ann", "check.close")
    ann.see(".last-result").click()
    expect(ann.top.locator(".die-place")).to_have_count(4)


@pytest.fixture
def lanterns(tmp_path: Path) -> Iterator[str]:
    """The game of the docs whose die is drawn in its file."""
    yield from _added(tmp_path, LANTERNS)


def test_drawn_die_has_its_side(come: Come, lanterns: str, shots: Path) -> None:
    """In the pool and after the roll it has the file's shapes, in the die's colour."""
    table = Gathering(come, lanterns, "Fog")
    table.player("Ann", "Kit", {})
    table.make("mira", "session.begin")
    seq = table.make("ann", "check.declare", title="Tend the light", **{"as": "kit"})
    ann = table.sit("ann").ann
    ann.caught_up(seq)
    shapes = ann.page.locator(".pool .die").first.locator("svg > *")
    expect(shapes).to_have_count(4)
    expect(shapes.first).to_have_css("fill", "rgb(243, 207, 69)")
    expect(shapes.nth(1)).to_have_attribute("class", "die-mark")
    ann.picture(shots / "drawn-die.png")
    table.make("ann", "check.roll", faces="1 4 6")
    expect(ann.page.locator(".fallen .upside svg .die-mark")).to_have_count(6)
    ann.picture(shots / "drawn-die-rolled.png")
