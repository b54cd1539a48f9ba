"""The dice of this game and what they come to: all that rolling and odds need, without the moves.

Source: c2d10.md 2.1 and 2.2. A die is read 0 to 9: 7 and 8 are a success, 9 is two. In a contest both sides roll at
once, so the dice of whoever opposes have names of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Rolled, symbols
from storypool.engine.notation import Notation


class Part(NamedTuple):
    """One side of a roll, by the names of its dice; `mark` stands before its symbols, `axis` before its axes."""

    mark: str
    axis: str
    regular: str
    crisis: str


ACTIVE = Part("", "", "d10", "crisis")
RIVAL = Part("rival-", "rival_", "rival", "rival-crisis")
PARTS = (ACTIVE, RIVAL)


def _die(name: str, mark: str, zero: str, nine: str) -> Die:
    success = f"{mark}success"
    plain = ((),) * 6 + ((success,),) * 2
    nines = (success, success, f"{mark}{nine}") if nine else (success, success)
    return Die(name, tuple(Bag(face) for face in ((f"{mark}{zero}",), *plain, nines)), first=0)


# A 0 is a setback only where the test fails, a 9 on a crisis die a mess only where it passes.
DICE = tuple(
    die
    for part in PARTS
    for die in (
        _die(part.regular, part.mark, "setback", ""),
        _die(part.crisis, part.mark, "complication", "mess"),
    )
)

AXES = Axes(
    {
        f"{part.mark}{symbol}": Bag({f"{part.axis}{axis}": 1})
        for part in PARTS
        for symbol, axis in (
            ("success", "successes"),
            ("setback", "zeros"),
            ("complication", "crisis_zeros"),
            ("mess", "messes"),
        )
    },
    {},
)

NOTATION = Notation(
    (ACTIVE.regular, ACTIVE.crisis),
    (RIVAL.regular, RIVAL.crisis),
    words_after_slash={ACTIVE.regular: RIVAL.regular, ACTIVE.crisis: RIVAL.crisis},
    words={"rivals": RIVAL.regular, "die": ACTIVE.regular, "dice": ACTIVE.regular},
)


def net(lies: Sequence[Rolled]) -> Bag:
    """What the dice came to on every axis; nothing cancels."""
    return AXES.net(symbols(lies, DICE))
