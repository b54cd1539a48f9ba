"""Dice with symbols from a check's terms, dice that stay as they are, and terms in plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storypool.engine import story
from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Rolled
from storypool.engine.events import DiceRolled, Record
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.notation import Notation
from storypool.engine.offers import turn_of
from storypool.engine.table import GM_ONLY, Check, Seat, Table
from storypool.play import PlayError, perform, read
from storypool.web.wire import table_data
from storypool.words.languages import ENGLISH, Language
from tests.games.tiny import game as tiny

NUMBERED = Die("d4", (Bag(),) * 4)
FIXED = Die("fixed", (Bag(heads=2),), first=4)


def bind(table: Table, check: Check) -> tuple[Die, ...]:
    """The first die shows heads from 3 up, every other only on a 4."""
    high = Die("d4", (Bag(), Bag(), Bag(heads=1), Bag(heads=1)))
    return (high, *[Die("d4", (Bag(), Bag(), Bag(), Bag(heads=1)))] * (check.pool["d4"] - 1))


GAME: System = replace(
    tiny.SYSTEM,
    dice=(NUMBERED, FIXED),
    axes=Axes({"heads": Bag(heads=1)}, {}),
    notation=Notation(("d4", "fixed")),
    bind=bind,
)


def turn(faces: list[int]) -> Turn:
    """A turn with these dice results."""
    return turn_of(
        GAME, Table(), Seat("ann", "Ann", "player"), GAME.moves[0], lambda die: faces.pop(0)
    )


def test_story_uses_the_checks_symbols() -> None:
    """Each die's number is written with the symbols that the check's terms give it."""
    table = Table(checks={"c1": Check("c1", "pash", "players", pool=Bag(d4=2))})
    rolled = (Rolled("d4", 3), Rolled("d4", 3))
    line = story.sentence(Record(1, DiceRolled("c1", "ann", rolled), "ann", 0), table, GAME)
    assert "ann rolled d4 3 (1 heads); d4 3 (blank)." == line


def test_story_has_plain_dice_numbers() -> None:
    """A die without symbols or a check is written as its number alone."""
    line = story.sentence(
        Record(1, DiceRolled("", "ann", (Rolled("d4", 3),)), "ann", 0), Table(), GAME
    )
    assert "ann rolled d4 3." == line


def test_one_faced_die_is_not_rolled() -> None:
    """It stays as it is among rolled dice, and no face is typed for it."""
    assert (Rolled("d4", 2), Rolled("fixed", 4)) == turn([2]).cast(Bag(d4=1, fixed=1))
    assert (Rolled("d4", 1, "hand"), Rolled("fixed", 4)) == turn([]).cast(Bag(d4=1, fixed=1), (1,))


def test_play_expects_terms() -> None:
    """`term KEY WORDS` holds for an equal term of the open action, or names the real one."""
    scene = "table tiny\nseat ann pash: wits=2\nann check.declare as=pash pool=coin => term {}"

    def find(key: str, language: Language = ENGLISH) -> System:
        return tiny.SYSTEM

    perform(read(scene.format("place nothing")), find)
    with pytest.raises(
        PlayError, match="found the term place as nothing, expected `term place home`"
    ):
        perform(read(scene.format("place home")), find)


def test_table_shows_bound_dice() -> None:
    """An open action has its bound dice, with equal ones in a row once, or nothing."""
    check = Check("c1", "pash", "players", pool=Bag(d4=3))
    table = Table(seats={"ann": Seat("ann", "Ann", "player")}, checks={"c1": check})
    first, rest = table_data(table, table.seats["ann"], GAME)["bound"]["c1"]
    assert ("d4", 1, 1, (Bag(), Bag(), Bag(heads=1), Bag(heads=1))) == tuple(first.values())
    assert ("d4", 2, 1, (Bag(), Bag(), Bag(), Bag(heads=1))) == tuple(rest.values())
    assert {"c1": []} == table_data(table, None, tiny.SYSTEM)["bound"]


def test_hidden_action_hides_its_dice() -> None:
    """A seat that may not see an action does not see its dice symbols either."""
    check = Check("c1", "pash", "gm", pool=Bag(d4=3), seen_by=GM_ONLY)
    table = Table(seats={"ann": Seat("ann", "Ann", "player")}, checks={"c1": check})
    assert {} == table_data(table, table.seats["ann"], GAME)["bound"]
