"""Exact odds of any pool of dice: `odds(dice, axes)` gives a `Distribution`.

`storypool.odds.rerolls` finds the best dice to roll again. `storypool.odds.sampling` draws samples
in bulk, and is the one module that needs numpy. Import both explicitly.
"""

import sys
from types import ModuleType

from storypool.engine.dice import Axes, Die, Handful, Misused, d
from storypool.odds.allowance import SURFACES, Allowance, TooManyDice, allowing
from storypool.odds.dice_text import parse
from storypool.odds.distribution import Distribution, UnknownAxis
from storypool.odds.further import explode, reroll
from storypool.odds.intervals import Comparison, Condition, Interval, between, eq, ge, gt, le, lt
from storypool.odds.ordered import by_face, drop, keep, runs, sets
from storypool.odds.rollable import Dice, die, odds

MAX_DICE, MAX_FACES, MAX_RESULTS = SURFACES.dice, SURFACES.faces, SURFACES.results
"""The limits of the server and the terminal; elsewhere only an `Allowance` limits odds."""

__all__ = [
    "MAX_DICE",
    "MAX_FACES",
    "MAX_RESULTS",
    "Allowance",
    "Axes",
    "Comparison",
    "Condition",
    "Die",
    "Distribution",
    "Handful",
    "Interval",
    "Misused",
    "TooManyDice",
    "UnknownAxis",
    "allowing",
    "between",
    "by_face",
    "d",
    "die",
    "drop",
    "eq",
    "explode",
    "ge",
    "gt",
    "keep",
    "le",
    "lt",
    "odds",
    "parse",
    "reroll",
    "runs",
    "sets",
]


class _CalledPackage(ModuleType):
    """This package; a call of it is one of its function `odds`.

    So `from storypool import odds` works: Python sets that name to this package as soon as anything
    imports from here.
    """

    def __call__(
        self, dice: Dice, axes: Axes | None = None, *, allowance: Allowance | None = None
    ) -> Distribution:
        return odds(dice, axes, allowance=allowance)


sys.modules[__name__].__class__ = _CalledPackage
