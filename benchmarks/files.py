"""A move of a game on one page compared with the same move in Python: processor time, in turns.

The game is the small one of the docs, `docs/example/lantern` and
`docs/games/lanternlight.game.toml`. Both play the same scenes with the same dice: pools of one,
three and six dice, dimmed and let through, pushed and kept, and something that lurks and is
revealed; after each move both have the same dice and points. Two times are measured: to decide the
move, and to compute all offers and questions of every seat after it. The file differs in two moves:
dice are bought once an action, and revealed things stay on the table.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from random import Random
from statistics import fmean
from time import thread_time_ns
from typing import NamedTuple

from benchmarks import brief
from storypool import systems
from storypool.engine.offers import offers
from storypool.engine.rules import System
from storypool.engine.waiting import waiting
from storypool.play import LocalTable

DOCS = Path(__file__).parent.parent / "docs"
ROUNDS = brief(60, 2)
GOAL = 1.1
"""The most time of a move of the file, in moves of Python."""
SHEET = {"body": 1, "wits": 3, "heart": 6}


class Move(NamedTuple):
    """A move of both games: its seat, its key in each, its answers, and their names in the file.

    One without a key in Python is made in the file alone, and does not count.
    """

    seat: str
    in_python: str
    in_file: str
    args: Mapping[str, object] = {}
    named: Mapping[str, str] = {}


class Spent(NamedTuple):
    """The processor time of a move, in ns: to decide it, and to compute every seat's offers."""

    decided: int
    shown: int


def declare(ability: str) -> Move:
    """Declare an action with this ability."""
    return Move(
        "ann", "check.declare", "check.declare", {"as": "ada", "with": ability}, {"with": "ability"}
    )


def dim(n: int) -> Move:
    """Spend this much Dread to add shade dice."""
    return Move("mona", "dread.dim", "move.dim", {"n": n})


DIMMED = Move("mona", "", "check.let")
"""Python passes the window on with the dice; the file lets the GM go on spending."""
LET = Move("mona", "dread.wait", "check.let")
ROLL = Move("ann", "check.roll", "check.roll")
PUSH = Move("ann", "check.push", "move.push")
CLOSE = Move("ann", "check.close", "check.close")
LURK = Move("mona", "horror.lurk", "move.lurk", {"text": "Something breathes"})
REVEAL = Move("mona", "horror.reveal", "move.reveal", {"to": "ada"})
SCENES: Sequence[Sequence[Move]] = (
    *(
        (declare(ability), dim(n), DIMMED, ROLL, PUSH, CLOSE)
        for ability, n in zip(SHEET, (1, 2, 3), strict=True)
    ),
    *((declare(ability), LET, ROLL, CLOSE) for ability in SHEET),
    (LURK, REVEAL, declare("wits"), LET, ROLL, PUSH, CLOSE),
)


def games() -> tuple[System, System]:
    """The game in Python and in the file."""
    sys.path.insert(0, str(DOCS / "example"))
    python = import_module("lantern.game").SYSTEM
    assert isinstance(python, System)
    return python, systems.get(systems.added(DOCS / "games" / "lanternlight.game.toml"))


def opened(system: System) -> LocalTable:
    """A table with a GM and a player, with fixed dice."""
    table = LocalTable(system, Random(5).randint)
    table.sit("Mona", "gm")
    table.sit("Ann")
    table.make("mona", "session.begin")
    table.make("ann", "character.add", {"name": "Ada", "sheet": SHEET})
    return table


def played(system: System, of_file: bool) -> tuple[list[Spent], list[object]]:
    """Play all scenes; returns for each move its time, and the dice and the Dread after it."""
    table, spent, states = opened(system), list[Spent](), list[object]()
    for scene in SCENES:
        table.make("mona", "points.correct", {"account": "dread", "to": 9, "why": "A new scene"})
        for move in scene if of_file else filter(_in_both, scene):
            names = move.named if of_file else {}
            args = {names.get(name, name): value for name, value in move.args.items()}
            if move is REVEAL:
                args["what"] = next(
                    one.id for one in table.state.traits.values() if one.kind == "horror"
                )
            began = thread_time_ns()
            table.make(move.seat, move.in_file if of_file else move.in_python, args)
            decided = thread_time_ns()
            for seat in ("ann", "mona"):
                offers(system, table.state, seat)
                waiting(system, table.state, seat)
            shown = thread_time_ns()
            if move.in_python:
                spent.append(Spent(decided - began, shown - decided))
                rolled = [
                    (one.die, one.face)
                    for check in table.state.checks.values()
                    for one in check.rolled
                ]
                states.append((table.state.balance("dread"), sorted(rolled)))
    return spent, states


def printed(name: str, python: Sequence[Spent], file: Sequence[Spent]) -> float:
    """Print the mean times of a move in Python and in the file; returns their ratio."""
    texts = []
    for what in Spent._fields:
        ours, theirs = (fmean(map(attrgetter(what), found)) / 1e6 for found in (file, python))
        texts.append(f"{what} {theirs:.3f} and {ours:.3f} ms ({ours / theirs:.2f})")
    ratio = sum(map(sum, file)) / sum(map(sum, python))
    print(f"  {name:14} {', '.join(texts)}; in all {ratio:.2f}")
    return ratio


def main() -> None:
    """Print the times of each move in Python and in the file, and their ratio."""
    python, file = games()
    assert played(python, False)[1] == played(file, True)[1], "both play the same"
    rounds: dict[bool, list[list[Spent]]] = {False: [], True: []}
    for n in range(ROUNDS):
        for of_file in (n % 2 == 0, n % 2 == 1):
            rounds[of_file].append(played(file if of_file else python, of_file)[0])
    in_python, in_file = (
        list(map(_quickest, zip(*rounds[which], strict=True))) for which in (False, True)
    )
    names = [move.in_python for scene in SCENES for move in scene if move.in_python]
    for name in dict.fromkeys(names):
        own = [place for place, one in enumerate(names) if one == name]
        printed(name, [in_python[place] for place in own], [in_file[place] for place in own])
    ratio = printed("every move", in_python, in_file)
    print(
        f"  A move of the file takes {ratio:.2f} times the processor time of Python, {GOAL} at most"
    )


def _in_both(move: Move) -> bool:
    return bool(move.in_python)


def _quickest(found: Sequence[Spent]) -> Spent:
    """The least of each time, since other programs of the machine only add."""
    return Spent(*map(min, zip(*found, strict=True)))
