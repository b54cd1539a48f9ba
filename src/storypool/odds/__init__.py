"""Exact odds of any pool of dice: `odds(dice, axes)` gives a `Distribution`.

>>> from storypool.engine.bag import Bag
>>> from storypool.engine.dice import Axes, Die
>>> moves = {"hit": Bag(hit=1), "miss": Bag(hit=-1), "star": Bag(hit=1, star=1)}
>>> axes = Axes(moves, {"hit": "miss"})
>>> sword = Die("sword", (Bag(), Bag(hit=1), Bag(hit=2), Bag(star=1)))
>>> shield = Die("shield", (Bag(), Bag(miss=1)))
>>> d = odds({sword: 2, shield: 1}, axes)
>>> d.p(hit=ge(1)), d.p(hit=ge(1), star=ge(1)), d.p(lambda hit, star: star > hit)
(Fraction(13, 16), Fraction(3, 8), Fraction(1, 8))
>>> d.on("hit").counts
mappingproxy({-1: 1, 0: 5, 1: 10, 2: 10, 3: 5, 4: 1})
>>> d.mean("hit"), d.variance("hit"), d.median("hit")
(Fraction(3, 2), Fraction(5, 4), Fraction(3, 2))
>>> d.given(star=0).p(hit=ge(1))
Fraction(7, 9)

`storypool.odds.rerolls` finds the best dice to roll again. `storypool.odds.sampling` draws samples
in bulk, and is the one module that needs numpy. Import both explicitly.
"""

from storypool.engine.dice import Axes, Die, Handful, Misused, d
from storypool.odds.allowance import allowing
from storypool.odds.dice_text import parse
from storypool.odds.distribution import Distribution, UnknownAxis
from storypool.odds.further import explode, reroll
from storypool.odds.intervals import Comparison, Condition, Interval, between, eq, ge, gt, le, lt
from storypool.odds.ordered import by_face, drop, keep, runs, sets
from storypool.odds.pool import MAX_DICE, MAX_RESULTS, TooManyDice
from storypool.odds.rollable import MAX_FACES, odds

__all__ = [
    "MAX_DICE",
    "MAX_FACES",
    "MAX_RESULTS",
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
