"""Destiny Dice: the number of taps of an action."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.waiting import waiting
from storypool.play import perform, read

TABLE = """
table destinydice
seat gm   side=gm
seat ann  juna: quick=3 careful=0 refresh=3 name=Juna
seat bo   bram: quick=1 careful=2 refresh=3 name=Bram
seat gm   duke: quick=2 name=Duke
"""
FIGHT = TABLE + "gm conflict.begin kind=physical\ngm conflict.next\n"


LINES = {
    # A form costs two taps and one for each choice; anything else costs one.
    "a check": (
        TABLE,
        [
            (3, "ann check.declare as=juna approach=careful"),
            (1, "gm check.oppose difficulty=fair"),
            (1, "ann check.roll dice 6 4"),
            (1, "ann check.close"),
        ],
        6,
    ),
    "a check that fails": (
        TABLE,
        [
            (2, "ann check.declare as=juna"),
            (1, "gm check.oppose difficulty=fair"),
            (1, "ann check.roll dice 1 1 1 4"),
            (1, "ann outcome.take how=fail"),
        ],
        5,
    ),
    "an NPC's attack that hits": (
        FIGHT,
        [
            (3, "gm check.declare as=duke action=attack against=juna"),
            (1, "ann check.defend by=quick"),
            (1, "gm check.roll dice 4 4 4 1 1 2"),
            (1, "ann harm.absorb how=2"),
        ],
        6,
    ),
    "an NPC's attack that misses": (
        FIGHT,
        [
            (3, "gm check.declare as=duke action=attack against=juna"),
            (1, "ann check.defend by=quick"),
            (1, "gm check.roll dice 1 1 1 4 1 2"),
            (1, "gm check.close"),
        ],
        6,
    ),
}


@pytest.mark.parametrize(("table", "lines", "taps"), LINES.values(), ids=list(LINES))
def test_action_takes_six_taps(table: str, lines: list[tuple[int, str]], taps: int) -> None:
    """From the try to its end all seats together need six taps at most, each for a question."""
    scene = table
    for n, (_, line) in enumerate(lines):
        seat, move, *_ = line.split()
        if n:
            waits = waiting(systems.get("destinydice"), perform(read(scene)).table, seat)
            assert move in next(wait.moves for wait in waits if wait.yours)
        scene += f"{line}\n"
    assert taps == sum(n for n, _ in lines) <= 6
    assert not perform(read(scene)).table.checks
