"""Counts and permissions of every game, kept as numbers: what may be done changes on purpose or not at all.

`python -m tests.test_perft KEY ...` writes `vectors/perft.json` and `permissions.json` in the folders of these games
anew, or of all; look at the difference before it is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.check.brought import brought
from storypool.engine import house
from storypool.engine.asks import AskView
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import Event
from storypool.engine.fold import fold_on
from storypool.engine.offers import Offer, offer, offers, open_offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.engine.system import System
from storypool.engine.table import Table
from tests.tries import ONE_IN

SYSTEMS: Mapping[str, System] = systems.find()
DEPTH = {"rest": 3 if ONE_IN == 1 else 2, "action": 2}
"""How many moves deep the sequences are counted, from a table at rest and from an action that Ann has declared."""
ABOUT_THE_TABLE = ("seat", "table", "character", "points", "trait")
"""Groups of moves that can be made at any time: they are counted as offers, and left out of the sequences."""

Position = tuple[Table, tuple[Table, ...]]
"""A table, and every table before it, by the number of its last record."""


def opened(system: System) -> Position:
    """The fixed table: a GM with an adversary, two players with a character, a session, and points on both sides."""
    position: Position = (Table(), (Table(),))
    position = kept(position, [house.open_table(system, "Perft")], "")
    for name, side in (("Mona", "gm"), ("Ann", "player"), ("Bo", "player")):
        position = kept(position, [house.take_seat(system, position[0], name, side)], name.lower())  # type: ignore[arg-type]
    for seat, key, args in (
        ("mona", "session.begin", {}),
        ("mona", "character.add", {"name": "Brute"}),
        ("ann", "character.add", {"name": "Pash"}),
        ("bo", "character.add", {"name": "Oska"}),
    ):
        position = made(system, position, seat, key, args)
    for account in system.accounts:
        if account.each == "table":
            one = {"account": account.name, "to": 1, "why": "a beginning"}
            position = made(system, position, "mona", "points.correct", one)
    for key in brought(system.key).opening:
        position = made(system, position, "mona", key, {})
    return position


def kept(position: Position, events: list[Event], seat: str) -> Position:
    """The position after these events."""
    tables = list(position[1])
    for record in records_of(events, seat, tables[-1].seq, 0):
        tables.append(fold_on(tables[-1], [record], tables.__getitem__))
    return tables[-1], tuple(tables)


def made(system: System, position: Position, seat: str, key: str, args: Mapping[str, object]) -> Position:
    """The position after this move."""
    return kept(position, decide(system, position[0], seat, key, args, middle), seat)


def middle(die: Die) -> int:
    """The face in the middle: every die always shows the same one here."""
    return die.first + die.sides // 2


def answered(system: System, table: Table, seat: str, one: Offer) -> dict[str, object] | None:
    """The least that has to be said for this move: each needed question answered by its first choice, or None."""
    args: dict[str, object] = {}
    while True:
        ask = next((ask for ask in one.asks if ask.needed and ask.default is None and ask.name not in args), None)
        if ask is None:
            return args
        answer = _least(system, ask)
        if answer is None:
            return None
        args[ask.name] = answer
        one = offer(system, table, seat, one.key, args)


def _least(system: System, ask: AskView) -> object | None:
    match ask.kind:
        case "choice":
            return ask.choices[0].value if ask.choices else None
        case "text":
            return "so"
        case "number":
            return ask.low
        case "flag":
            return False
        case "pool":
            return system.notation.show({system.dice[0].name: 1})
        case _:
            return None


def legal(system: System, position: Position) -> Iterator[Position]:
    """Every position that one move in play leads to from here, each move made with the least that has to be said."""
    table = position[0]
    for seat in table.seats.values():
        in_play = [move.key for move in system.moves if seat.side in move.by and move.group not in ABOUT_THE_TABLE]
        for one in open_offers(system, table, seat.id, in_play):
            args = answered(system, table, seat.id, one)
            try:
                if args is not None:
                    yield made(system, position, seat.id, one.key, args)
            except Refused:
                continue


def perft(system: System) -> dict[str, Any]:
    """Open offers of each seat at the fixed table, and how many sequences of moves in play there are at each depth."""
    start = opened(system)
    tables = {"rest": start}
    args = answered(system, start[0], "ann", offer(system, start[0], "ann", "check.declare", {})) or {}
    by_hand = any(ask.name == "pool" for ask in system.by_key["check.declare"].asks)
    pool = {"pool": system.notation.show({system.dice[0].name: 2, system.dice[-1].name: 1})} if by_hand else {}
    tables["action"] = made(system, start, "ann", "check.declare", {**args, **pool})
    counted = {}
    for name, position in tables.items():
        seats = position[0].seats
        listed = {seat: sum(o.closed is None for o in offers(system, position[0], seat)) for seat in seats}
        layer, sequences = [position], []
        for _ in range(DEPTH[name]):
            layer = [after for one in layer for after in legal(system, one)]
            sequences.append(len(layer))
        counted[name] = {"open": listed, "sequences": sequences}
    return counted


def permissions(system: System) -> dict[str, list[str]]:
    """The sides that may make each move."""
    return {move.key: sorted(move.by) for move in sorted(system.moves, key=lambda move: move.key)}


def file(name: str, key: str) -> Path:
    """Where the numbers of a game are kept."""
    return Path(str(systems.folder(key))) / "vectors" / f"{name}.json"


def expected(name: str, key: str) -> Any:
    """What was counted before."""
    kept = file(name, key)
    assert kept.is_file(), (
        f"{kept} is missing: `python -m tests.test_perft {key}` counts what may be done and writes it"
    )
    return json.loads(kept.read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", SYSTEMS)
def test_perft(key: str) -> None:
    """At the fixed table as many moves are open, and as many sequences of moves lead on, as were counted before."""
    before = expected("perft", key)
    for name, depth in DEPTH.items():
        before[name]["sequences"] = before[name]["sequences"][:depth]
    assert before == perft(SYSTEMS[key])


@pytest.mark.parametrize("key", SYSTEMS)
def test_permissions(key: str) -> None:
    """The sides that may make each move are those that were written down."""
    assert expected("permissions", key) == permissions(SYSTEMS[key])


def test_missing_numbers_are_told_with_the_command_that_writes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose moves were never counted is told where the numbers are missing and what writes them."""
    monkeypatch.setattr(systems, "folder", lambda key: Path("nowhere") / key)
    with pytest.raises(AssertionError, match=r"nowhere.*perft\.json is missing: `python -m tests\.test_perft chess`"):
        expected("perft", "chess")


@pytest.mark.parametrize("key", SYSTEMS)
def test_permissions_are_what_is_offered(key: str) -> None:
    """A side is offered exactly the moves that are written down for it."""
    system = SYSTEMS[key]
    table = opened(system)[0]
    for seat, side in (("mona", "gm"), ("ann", "player")):
        listed = {one.key for one in offers(system, table, seat)}
        assert {move for move, sides in expected("permissions", key).items() if side in sides} == listed


def main(keys: Sequence[str]) -> None:
    """Write the numbers of these games anew, or of all."""
    for key in keys or SYSTEMS:
        for name, count in (("perft", perft), ("permissions", permissions)):
            file(name, key).parent.mkdir(exist_ok=True)
            file(name, key).write_text(json.dumps(count(SYSTEMS[key]), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
