"""Counts and permissions of every game as stored numbers: offers change only on purpose.

`python -m tests.test_perft KEY ...` writes `vectors/perft.json` and `permissions.json` in the
folders of these games again, or of all; review the difference before keeping it.
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
    """The earlier counts: every game of this repository has both files."""
    kept = perft.expected(name, key)
    assert kept is not None, (
        f"{name}.json of {key} is missing: `python -m tests.test_perft {key}` counts what may be"
        " done and writes it"
    )
    return kept


@pytest.mark.parametrize("depth", cases((2, 3), (2,)))
@pytest.mark.parametrize("key", cases(SYSTEMS, ("starwars", "tiny"), pytest.mark.slow))
def test_perft(key: str, depth: int) -> None:
    """The fixed table has the recorded numbers of open moves and of sequences."""
    before, depths = expected("perft", key), {**perft.DEPTH, "rest": depth}
    for name, n in depths.items():
        before[name]["sequences"] = before[name]["sequences"][:n]
    assert before == perft.perft(SYSTEMS[key], depths)


@pytest.mark.parametrize("key", SYSTEMS)
def test_permissions(key: str) -> None:
    """Each move has the recorded sides that may make it."""
    assert expected("permissions", key) == perft.permissions(SYSTEMS[key])


def test_missing_counts_name_their_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An uncounted game is reported with the missing file and the command for it."""
    monkeypatch.setattr(systems, "folder", lambda key: Path("nowhere") / key)
    with pytest.raises(
        AssertionError,
        match=r"perft\.json of chess is missing: `python -m tests\.test_perft chess`",
    ):
        expected("perft", "chess")


def test_changed_number_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each changed number is reported with its old value, and no other."""
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
def test_permissions_match_the_offers(key: str) -> None:
    """A side is offered exactly its recorded moves."""
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
