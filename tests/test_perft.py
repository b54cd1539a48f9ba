"""Counts and permissions of every game, kept as numbers: what may be done changes on purpose or not
at all.

`python -m tests.test_perft KEY ...` writes `vectors/perft.json` and `permissions.json` in the
folders of these games again, or of all; look at the difference before it is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.contract import perft
from storypool.engine.game.system import System
from storypool.engine.offers import offers
from tests.fixed_set import cases

SYSTEMS: Mapping[str, System] = systems.find()


def expected(name: str, key: str) -> Any:
    """What was counted before: the games of this repository all have both files."""
    kept = perft.expected(name, key)
    assert kept is not None, (
        f"{name}.json of {key} is missing: `python -m tests.test_perft {key}` counts what may be"
        " done and writes it"
    )
    return kept


@pytest.mark.parametrize("depth", cases((2, 3), (2,)))
@pytest.mark.parametrize("key", SYSTEMS)
def test_perft(key: str, depth: int) -> None:
    """At the fixed table as many moves are open, and as many sequences of moves lead on, as were
    counted before.
    """
    before, depths = expected("perft", key), {**perft.DEPTH, "rest": depth}
    for name, n in depths.items():
        before[name]["sequences"] = before[name]["sequences"][:n]
    assert before == perft.perft(SYSTEMS[key], depths)


@pytest.mark.parametrize("key", SYSTEMS)
def test_permissions(key: str) -> None:
    """The sides that may make each move are those that were written down."""
    assert expected("permissions", key) == perft.permissions(SYSTEMS[key])


def test_missing_numbers_are_reported_with_the_command_that_writes_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game whose moves were never counted is reported with where the numbers are missing and what
    writes them.
    """
    monkeypatch.setattr(systems, "folder", lambda key: Path("nowhere") / key)
    with pytest.raises(
        AssertionError,
        match=r"perft\.json of chess is missing: `python -m tests\.test_perft chess`",
    ):
        expected("perft", "chess")


def test_a_changed_number_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each number that is another now is reported with what it was, and the others are not."""
    key = next(iter(SYSTEMS))
    counts, sides = (
        perft.perft(SYSTEMS[key], {"rest": 1, "action": 1}),
        perft.permissions(SYSTEMS[key]),
    )
    move, seat = next(iter(sides)), next(iter(counts["rest"]["open"]))
    now = counts["rest"]["open"][seat], ", ".join(sides[move]), counts["action"]["sequences"][0]
    counts["rest"]["open"][seat] += 1
    counts["action"]["sequences"] = [now[2] + 1]
    kept = {"perft": counts, "permissions": {**sides, move: ["spectator"], "no.move": ["gm"]}}
    monkeypatch.setattr(perft, "expected", lambda name, key: kept[name])
    remedy = f"If you meant the change, `storypool check-game {key} --count` writes it."
    found = [
        ("permissions", f"Who may make {move}: {now[1]}; it was spectator before."),
        ("permissions", "Who may make no.move: none; it was gm before."),
        (
            "perft",
            f"Moves open to {seat} at a table at rest: {now[0]}; it was {now[0] + 1} before.",
        ),
        (
            "perft",
            f"Sequences of 1 move from an action under way: {now[2]}; it was {now[2] + 1} before.",
        ),
    ]
    assert [f"vectors/{file}.json: {text} {remedy}" for file, text in found] == [
        str(one) for one in perft.changes(SYSTEMS[key])
    ]


@pytest.mark.parametrize("key", SYSTEMS)
def test_permissions_are_what_is_offered(key: str) -> None:
    """A side is offered exactly the moves that are written down for it."""
    system = SYSTEMS[key]
    table = perft.fixed_table(system)[0]
    for seat, side in (("mona", "gm"), ("ann", "player")):
        listed = {one.key for one in offers(system, table, seat)}
        assert {
            move for move, sides in expected("permissions", key).items() if side in sides
        } == listed


def main(keys: Sequence[str]) -> None:
    """Write the numbers of these games again, or of all."""
    for key in keys or SYSTEMS:
        perft.write(SYSTEMS[key])


if __name__ == "__main__":
    main(sys.argv[1:])
