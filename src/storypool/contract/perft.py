"""Counts and permissions of a game, stored in its folder to detect unintended changes.

`vectors/perft.json` has the number of moves open to each seat, and the number of sequences of
moves, from a table at rest and from a declared action. `vectors/permissions.json` has the sides
that may make each move. Either file is optional.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from storypool import systems
from storypool.contract.finding import Finding, finding
from storypool.contract.material import material
from storypool.engine import house
from storypool.engine.decisions import decide
from storypool.engine.events import Event
from storypool.engine.fold import fold_on
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offer, offers, open_offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.engine.table import Side, Table
from storypool.words import Phrase

DEPTH: Mapping[str, int] = {"rest": 3, "action": 2}
"""The length of the counted sequences, from a table at rest and from Ann's declared action."""
SEATS: tuple[tuple[str, Side], ...] = (("Mona", "gm"), ("Ann", "player"), ("Bo", "player"))
ABOUT_THE_TABLE = ("seat", "table", "character", "points", "trait", "paper")
"""Groups of moves that are always possible: counted as offers, left out of the sequences."""

Position = tuple[Table, tuple[Table, ...]]
"""A table, and all tables up to it, by the number of their last record."""


def changes(system: System) -> Iterator[Finding]:
    """The stored numbers of a game that have changed, with the command to update them."""
    sides = expected("permissions", system.key)
    if sides is not None:
        yield from _compared(system, "permissions", _sides(permissions(system)), _sides(sides))
    counts = expected("perft", system.key)
    if counts is not None:
        depth = {name: len(one["sequences"]) for name, one in counts.items()}
        yield from _compared(system, "perft", _counts(perft(system, depth)), _counts(counts))


def _compared(
    system: System, file: str, now: Mapping[str, str], before: Mapping[str, str]
) -> Iterator[Finding]:
    command, none = f"storypool check-game {system.key} --count", system.words["list.none"]
    for what in {**before, **now}:
        have, want = now.get(what, none), before.get(what, none)
        if have != want:
            yield finding(
                f"vectors/{file}.json",
                "perft.other",
                what=what,
                have=have,
                want=want,
                command=command,
            )


def _sides(permitted: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The sides that may make each move, by the name in a finding."""
    return {
        str(Phrase("check.perft.side", move=move)): ", ".join(sides)
        for move, sides in permitted.items()
    }


def _counts(counted: Mapping[str, Any]) -> dict[str, str]:
    """The numbers, by their names in a finding."""
    found = dict[str, str]()
    for name, one in counted.items():
        at = Phrase(f"check.perft.{name}")
        found |= {
            str(Phrase("check.perft.open", who=who, at=at)): str(n)
            for who, n in one["open"].items()
        }
        for length, n in enumerate(one["sequences"], 1):
            found[str(Phrase("check.perft.sequences", n=length, at=at))] = str(n)
    return found


def expected(name: str, key: str) -> Any:
    """The contents of `vectors/NAME.json` in the folder of a game, or None without the file."""
    file = systems.folder(key).joinpath("vectors").joinpath(f"{name}.json")
    if file.is_file():
        return json.loads(file.read_text(encoding="utf-8"))
    return None


def write(system: System) -> list[Path]:
    """Count the moves of a game, write the counts into its folder, and return the files."""
    folder = systems.folder(system.key) / "vectors"
    folder.mkdir(exist_ok=True)
    files = []
    for name, numbers in (("perft", perft(system)), ("permissions", permissions(system))):
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    return files


def permissions(system: System) -> dict[str, list[str]]:
    """The sides that may make each move."""
    return {move.key: sorted(move.by) for move in sorted(system.moves, key=lambda move: move.key)}


def perft(system: System, depth: Mapping[str, int] = DEPTH) -> dict[str, Any]:
    """The number of moves open to each seat, and the number of sequences of each length.

    Counted from a table at rest, and from an action if the game has `check.declare`.
    """
    start = fixed_table(system)
    positions = {"rest": start}
    if "check.declare" in system.by_key:
        args = (
            _answered(system, start[0], "ann", offer(system, start[0], "ann", "check.declare", {}))
            or {}
        )
        by_hand = any(ask.name == "pool" for ask in system.by_key["check.declare"].asks)
        if by_hand:
            first, last = system.pool_dice[0].name, system.pool_dice[-1].name
            args["pool"] = system.notation.show({first: 2, last: 1})
        positions["action"] = _made(system, start, "ann", "check.declare", args)
    counted = {}
    for name, position in positions.items():
        listed = dict[str, int]()
        for seat in position[0].seats:
            listed[seat] = sum(one.closed is None for one in offers(system, position[0], seat))
        layer, sequences = [position], []
        for _ in range(depth.get(name, 0)):
            layer = [after for one in layer for after in _legal(system, one)]
            sequences.append(len(layer))
        counted[name] = {"open": listed, "sequences": sequences}
    return counted


def fixed_table(system: System) -> Position:
    """The fixed table: a GM with an adversary, two players with characters, a session, points."""
    position: Position = (Table(), (Table(),))
    position = _after(position, [house.open_table(system, "Perft")], "")
    for name, side in SEATS:
        position = _after(
            position, [house.take_seat(system, position[0], name, side)], name.lower()
        )
    for seat, key, args in (
        ("mona", "session.begin", {}),
        ("mona", "character.add", {"name": "Brute"}),
        ("ann", "character.add", {"name": "Pash"}),
        ("bo", "character.add", {"name": "Oska"}),
    ):
        position = _made(system, position, seat, key, args)
    for account in system.accounts:
        if account.each == "table":
            one = {"account": account.name, "to": 1, "why": "a beginning"}
            position = _made(system, position, "mona", "points.correct", one)
    for key in material(system.key).opening:
        position = _made(system, position, "mona", key, {})
    return position


def _after(position: Position, events: list[Event], seat: str) -> Position:
    """The position after these events."""
    tables = list(position[1])
    for record in records_of(events, seat, tables[-1].seq, 0):
        tables.append(fold_on(tables[-1], [record], tables.__getitem__))
    return tables[-1], tuple(tables)


def _made(
    system: System, position: Position, seat: str, key: str, args: Mapping[str, object]
) -> Position:
    """The position after this move."""
    return _after(
        position,
        decide(system, position[0], seat, key, args, roll=lambda die: die.first + die.sides // 2),
        seat,
    )


def _answered(system: System, table: Table, seat: str, one: Offer) -> dict[str, object] | None:
    """The fewest answers for this move, each the first choice; None if a question has none."""
    args: dict[str, object] = {}
    while True:
        ask = next(
            (
                ask
                for ask in one.asks
                if ask.needed and ask.default is None and ask.name not in args
            ),
            None,
        )
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
            if ask.choices:
                return ask.choices[0].value
            return None
        case "text":
            return "so"
        case "number":
            return ask.low
        case "flag":
            return False
        case "pool":
            return system.notation.show({system.pool_dice[0].name: 1})
        case _:
            return None


def _legal(system: System, position: Position) -> Iterator[Position]:
    """Every position that one move leads to, made with the fewest answers."""
    table = position[0]
    for seat in table.seats.values():
        in_play = []
        for move in system.moves:
            if seat.side in move.by and move.group not in ABOUT_THE_TABLE:
                in_play.append(move.key)
        for one in open_offers(system, table, seat.id, in_play):
            args = _answered(system, table, seat.id, one)
            try:
                if args is not None:
                    yield _made(system, position, seat.id, one.key, args)
            except Refused:
                continue
