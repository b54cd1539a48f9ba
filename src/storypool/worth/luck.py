"""The percentile of each roll among all rolls of its dice, and the usual range of the means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from storypool.engine.bag import Bag
from storypool.engine.events import PeriodBegan
from storypool.odds import Distribution

NINE_OF_TEN = 1.645
"""The standard deviations on either side of the mean that hold nine means in ten."""


@dataclass(frozen=True, slots=True)
class LuckyRoll:
    """A roll against its own odds.

    `place` is a percentile, 0 to 1: the share of rolls of these dice that are worse, plus half the
    ties. `spread` is its variance for fair dice. `chance` is how likely it was to pass when it was
    rolled, `passed` how the action ended, `paid` how many points were spent on it, before the roll
    and after it, `instead` the substitute payments, such as free invokes, and `bought` by
    how much all of it changed the chance, up and down alike. `bargain` is the term of the action
    that made it a success and has a word of its own, or "". `scene` is the event that began its
    scene.
    """

    seq: int
    who: str
    side: str
    action: str
    chance: Fraction
    place: Fraction
    spread: Fraction
    passed: bool | None
    paid: int = 0
    instead: Mapping[str, int] = field(default_factory=dict)
    bought: Fraction = Fraction(0)
    check: str = ""
    bargain: str = ""
    scene: PeriodBegan | None = None

    @property
    def weight(self) -> Fraction:
        """How much it mattered, from 0: unlikeliness of the result, and change by points."""
        missed = 1 - self.chance if self.passed else self.chance
        return missed + self.bought


@dataclass(frozen=True, slots=True)
class Luck:
    """The mean percentile of the rolls of one person or, if `who` is empty, of a side.

    With fair dice it is within `reach` of 0.5 nine times in ten.
    """

    who: str
    side: str
    rolls: int
    place: Fraction
    reach: float


def luck(rolls: Sequence[LuckyRoll]) -> list[Luck]:
    """The luck of each person, and of each side with several rollers."""
    found = []
    for side in ("players", "gm"):
        by_person: dict[str, list[LuckyRoll]] = {}
        for one in rolls:
            if one.side == side:
                by_person.setdefault(one.who, []).append(one)
        found += [_mean(who, side, own) for who, own in by_person.items()]
        if len(by_person) > 1:
            found.append(_mean("", side, [one for own in by_person.values() for one in own]))
    return found


def _mean(who: str, side: str, rolls: Sequence[LuckyRoll]) -> Luck:
    n, places = len(rolls), sum((one.place for one in rolls), Fraction(0))
    return Luck(who, side, n, places / n, NINE_OF_TEN * sqrt(sum(one.spread for one in rolls)) / n)


def place_of(odds: Distribution, net: Bag) -> tuple[Fraction, Fraction]:
    """The percentile of a roll, 0 to 1 (lower rolls plus half the ties), and its variance.

    It compares the first axis, which decides. `TooManyDice` if the allowance is too small.
    """
    axis = odds.axes[0]
    below, found, squares = Fraction(0), Fraction(0), Fraction(0)
    for (n,), share in odds.on(axis).joint():
        place = below + share / 2
        below, squares = below + share, squares + share * place * place
        found = place if n == net[axis] else found
    return found, squares - Fraction(1, 4)
