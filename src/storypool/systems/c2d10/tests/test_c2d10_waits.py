"""Waits of a C2D10 table that no play can check: order, answers, frequency."""

from __future__ import annotations

from storypool.engine.events import CheckChanged
from storypool.engine.game.panels import ListPanel
from storypool.engine.offers import offer
from storypool.engine.table import Table
from storypool.engine.waiting import waiting
from storypool.play import perform, read
from storypool.systems import get
from storypool.systems.c2d10.harm import KINDS

SYSTEM = get("c2d10")
PEOPLE = """
table c2d10 trust=players_set
seat gm   side=gm
seat Ann  mira: name=Mira systems=3 logic=3
seat Bo   odo: name=Odo brawl=2 strength=2
seat gm   thug: name=Thug dice=3
"""


def table_of(*lines: str) -> Table:
    """The table of a play with these people and lines."""
    return perform(read(PEOPLE + "\n".join(lines))).table


def test_trouble_advice_is_logged_once() -> None:
    """A re-roll that changes no trouble does not log the same advice again."""
    lines = (
        "points villain=2",
        "Ann contest.declare as=mira against=thug skill=systems talent=logic",
        "Ann check.roll dice 7 0 1 1 1 1 9 1 1",
        "gm check.reroll die=8 dice 1",
    )
    records = perform(read(PEOPLE + "\n".join(lines))).records
    written = [record.event.what for record in records if isinstance(record.event, CheckChanged)]
    assert 1 == sum(what.startswith("Take the setback, or ignore it") for what in written)


def test_roll_display_keeps_zeros_and_nines() -> None:
    """Zeros and nines are shown; trouble is drawn while it is unsettled, and stays in sight."""
    lists = {
        kind for panel in SYSTEM.panels if isinstance(panel, ListPanel) for kind in panel.traits
    }
    assert ("zero", "setback") == (SYSTEM.look["zeros"].word, SYSTEM.look["setback"].word)
    assert ("crisis nine", "mess") == (SYSTEM.look["messes"].word, SYSTEM.look["mess"].word)
    assert {"bonus", *KINDS} <= lists


def test_scene_settles_heroes_first() -> None:
    """The players' characters' tests after a scene come before those of NPCs for each reader."""
    people = (
        "table c2d10\nseat gm side=gm\nseat gm ada: name=Ada dice=2\nseat Bo odo: name=Odo"
        " endurance=2\n"
    )
    table = perform(read(f"{people}points odo.strain=1 ada.strain=1\ngm scene.begin")).table
    first, second = waiting(SYSTEM, table, "gm")
    assert "Odo" in first.text
    assert "Odo" not in second.text
    assert (False, True) == (first.yours, second.yours)


def test_successful_dice_show_their_loss() -> None:
    """Among dice to re-roll, those with successes name them, and come last."""
    table = table_of(
        "points hero=3",
        "Ann check.declare as=mira skill=systems dc=5",
        "Ann check.roll dice 9 1 7 0 1 1",
    )
    die = next(
        ask for ask in offer(SYSTEM, table, "ann", "check.reroll", {}).asks if ask.name == "die"
    )
    assert [
        "",
        "",
        "",
        "",
        "2 successes, lost with this face",
        "1 success, lost with this face",
    ] == [choice.note for choice in die.choices]


def test_turn_belongs_to_its_character() -> None:
    """A Keeper who plays several acts for the one whose turn it is; a player has one."""
    lines = [
        "seat gm guard: name=Guard dice=2",
        "gm conflict.open title=Roof type=opposed dc=2 target=20",
        "gm initiative.roll as=thug dice 9",
        "gm initiative.roll as=guard dice 8",
        "Ann initiative.roll dice 2",
        "Bo initiative.roll dice 1",
    ]
    [keepers] = waiting(SYSTEM, table_of(*lines), "gm")
    assert {"as": "thug"} == keepers.args
    [players] = waiting(SYSTEM, table_of(*lines, *["gm initiative.next"] * 2), "ann")
    assert (True, {}) == (players.yours, players.args)
