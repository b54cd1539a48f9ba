"""The dice of this game and their results: all that rolls and odds need, without moves.

Source: c2d10.md 2.1 and 2.2. A die has the faces 0 to 9: 7 and 8 are a success, 9 is two. In a
contest both sides roll at once, so the opponent's dice have names of their own.
"""

from collections.abc import Sequence
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Rolled, symbols
from storypool.engine.notation import Notation


class Part(NamedTuple):
    """The dice of one side of a roll, with prefixes of its symbols (`mark`) and axes (`axis`)."""

    mark: str
    axis: str
    regular: str
    crisis: str

    @property
    def dice(self) -> tuple[str, str]:
        """The names of its dice."""
        return self.regular, self.crisis


ACTIVE = Part("", "", "d10", "crisis")
RIVAL = Part("rival-", "rival_", "rival", "rival-crisis")
PARTS = (ACTIVE, RIVAL)


def _die(name: str, mark: str, zero: str, nine: tuple[str, ...] = ()) -> Die:
    faces = ((zero,), *((),) * 6, *(("success",),) * 2, ("success", "success", *nine))
    marked = (map(mark.__add__, face) for face in faces)
    return Die(name, tuple(map(Bag, marked)), first=0)


BEST = 2
"""The most successes on one die."""
# A 0 is a setback only if the test fails, and a 9 on a crisis die a mess only if it passes.
DICE = tuple(
    die
    for part in PARTS
    for die in (
        _die(part.regular, part.mark, "setback"),
        _die(part.crisis, part.mark, "complication", ("mess",)),
    )
)

COUNTED = {
    "success": "successes",
    "setback": "zeros",
    "complication": "crisis_zeros",
    "mess": "messes",
}
"""The axis of each symbol."""

AXES = Axes(
    {
        f"{part.mark}{symbol}": Bag({f"{part.axis}{axis}": 1})
        for part in PARTS
        for symbol, axis in COUNTED.items()
    },
    {},
)

NOTATION = Notation(
    ACTIVE.dice,
    RIVAL.dice,
    words_after_slash=dict(zip(ACTIVE.dice, RIVAL.dice, strict=True)),
    words={"rivals": RIVAL.regular, "die": ACTIVE.regular, "dice": ACTIVE.regular},
    goal="dc",
)


def net(rolled: Sequence[Rolled]) -> Bag:
    """The sum of the dice on every axis; nothing cancels."""
    return AXES.net(symbols(rolled, DICE))
