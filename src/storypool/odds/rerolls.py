"""The best dice to roll again, exactly, for a goal of the roller.

`best` is for dice already rolled, `planned` for a roll to come. Both take a goal and return its
value without and with rolling again, and the joint odds of the final roll; `policy` has the method.

>>> from storypool.engine.bag import Bag
>>> from storypool.engine.dice import Axes, Die
>>> axes = Axes({"hit": Bag(hit=1), "flaw": Bag(flaw=1)}, {})
>>> blade = Die("blade", (Bag(hit=2), Bag(hit=1), Bag(), Bag(flaw=1)))
>>> rolled = [(blade, Bag(hit=1)), (blade, Bag()), (blade, Bag(flaw=1))]
>>> choice = best(rolled, axes, at_least(hit=2))
>>> choice.again, choice.before, choice.after, choice.joint.p(flaw=0)
((1, 2), Fraction(0, 1), Fraction(3, 4), Fraction(9, 16))
>>> best(rolled, axes, fewest("flaw")).again, best(rolled, axes, at_least(hit=2), most=1).again
((2,), (1,))
>>> plan = planned({blade: 3}, axes, at_least(hit=2), most=1)
>>> plan.before, plan.after, plan.joint.mean("rerolled")
(Fraction(11, 16), Fraction(13, 16), Fraction(5, 16))
>>> wanted = weighted({"hit": 2, "flaw": -1})
>>> best(rolled, axes, wanted).again
(1, 2)
>>> isinstance(wanted, Goal), isinstance(choice, Reroll), isinstance(plan, Plan)
(True, True, True)
>>> best([RolledDie(blade, Bag()), RolledDie(blade, Bag(flaw=1), free=False)], axes, wanted).again
(0,)
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, lcm, prod
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Misused, described
from storypool.odds import Distribution, TooManyDice, odds
from storypool.odds.allowance import current
from storypool.odds.intervals import axes_of
from storypool.odds.policy import Counts, Number, Policy, Row, Slots, minus, moved, plus, slots
from storypool.odds.rollable import Dice, counted
from storypool.words import BadValue, Phrase

__all__ = [
    "Goal",
    "Plan",
    "Reroll",
    "RolledDie",
    "at_least",
    "best",
    "fewest",
    "planned",
    "weighted",
]

STEP = 3
"""A step of a decision takes as long as this many of a count; there is an upper bound of steps."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A roller's goal: the highest mean of a number computed from some axes, or the lowest.

    Two goals are equal when axes, `key` and `lowest` are. `at_least`, `fewest` and `weighted` make
    the usual ones.
    """

    axes: tuple[str, ...]
    number: Callable[..., Number] = field(compare=False)
    key: object
    lowest: bool = False

    def of(self, row: Row) -> Number:
        """The number of a row whose first axes are those of the goal, unrounded."""
        number = self.number(*row[: len(self.axes)])
        return int(number) if isinstance(number, int) else Fraction(number)


def at_least(**least: int) -> Goal:
    """The goal of the highest probability that each named axis is at least its number."""

    def reached(*row: int) -> int:
        return int(all(n >= wanted for n, wanted in zip(row, least.values(), strict=True)))

    return Goal(tuple(least), reached, ("at least", *least.values()))


def fewest(axis: str) -> Goal:
    """The goal of the lowest mean of an axis."""
    return Goal((axis,), int, "fewest", lowest=True)


def weighted(weights: Mapping[str, Number]) -> Goal:
    """The goal of the highest mean of a weighted sum of axes."""
    factors = [Fraction(weight) for weight in weights.values()]

    def worth(*row: int) -> Number:
        return sum((n * factor for n, factor in zip(row, factors, strict=True)), Fraction(0))

    return Goal(tuple(weights), worth, ("weighted", *factors))


class RolledDie(NamedTuple):
    """A rolled die: the symbols on its upper face, and whether it may be rolled again (`free`)."""

    die: Die
    face: Bag
    free: bool = True


class Reroll(NamedTuple):
    """The dice to roll again, by index from 0; none if nothing is gained.

    `before` is the value of the goal for the dice as they are, `after` its mean once these are
    rolled again, and then the best of any further re-rolls. `joint` has the odds of the final roll;
    its last axis `rerolled` counts the dice rolled again.
    """

    again: tuple[int, ...]
    before: Fraction
    after: Fraction
    joint: Distribution


class Plan(NamedTuple):
    """The mean value of a roll for a goal, before and after the best dice are rolled again.

    `joint` has the odds of the final roll; its last axis `rerolled` counts the dice that were
    rolled again.
    """

    before: Fraction
    after: Fraction
    joint: Distribution


def best(
    rolled: Iterable[RolledDie | tuple[Die, Bag | Mapping[str, int] | int]],
    axes: Axes,
    goal: Goal | Callable[..., Number],
    *,
    most: int | None = None,
    singly: bool = False,
    on: Iterable[str] | None = None,
) -> Reroll:
    """The best dice of a roll to roll again, and the gain.

    Each die is given with the symbols on its face, or the number printed there. They are rolled
    again at once, at most `most` of them when that is given; or `singly`, at most `most` times one
    die, each chosen once the last result is known, the same die again if need be. `goal` is a
    `Goal`, or a function that names its axes as in a question of a `Distribution` and gives the
    whole number or `Fraction` whose mean is to be high. Of equally good choices it is the one with
    fewer dice (in the mean, where more choices follow); of dice that are alike to the goal, those
    with the lower row on the other axes.

    `joint` is on the axes of the goal, then those of `on` (by default all), then `rerolled`.
    `TooManyDice` for more dice, single re-rolls or steps than are allowed, before any of them, see
    `Allowance`: of single re-rolls there may be as many as dice. `UnknownAxis` for an axis that is
    not there; `ValueError` for a face that is not on its die, for `most` below 0 or left out with
    `singly`, and for dice that `odds` refuses.
    """
    dice = [_rolled(one) for one in rolled]
    for die, face, _ in dice:
        if face not in die.faces:
            raise BadValue(
                f"No face of a {die.name} die is {dict(face) or 'blank'}; give one of its faces."
            )
    odds([one.die for one in dice], axes)  # refuses dice without odds
    hand = _Hand(
        Counter(one.die for one in dice if one.free), axes, goal, most=most, singly=singly, on=on
    )
    places = []
    for die, face, free in dice:
        places.append(hand.place(die, face) if free else None)
    held = tuple([places.count(slot) for slot in range(len(hand.shown.all))])
    hand.judge(held)
    at = reduce(plus, [hand.row(face) for _, face, _ in dice], (0,) * len(hand.names))
    again: list[int] = []
    for slot, n in enumerate(hand.first(held, at)):
        again += [place for place, its in enumerate(places) if its == slot][:n]
    return Reroll(tuple(sorted(again)), *hand.played({(held, at): 1}))


def planned(
    dice: Dice,
    axes: Axes,
    goal: Goal | Callable[..., Number],
    *,
    fixed: Dice = (),
    most: int | None = None,
    singly: bool = False,
    on: Iterable[str] | None = None,
) -> Plan:
    """The value of a roll when its best dice are rolled again, as `best` would choose.

    `dice` and `fixed` are given as to `odds`; those of `fixed` are rolled once, and never again.
    The other arguments are those of `best`.
    """
    free, fixed_dice = _counted(dice), _counted(fixed)
    odds([*free.items(), *fixed_dice.items()], axes)  # refuses dice without odds
    hand = _Hand(free, axes, goal, most=most, singly=singly, on=on)
    others, _, numbers = _kinds(fixed_dice, axes, hand.names)
    known, _, same = _kinds(fixed_dice, axes, hand.goal.axes)
    hand.judge(None, known.results(same), others.results(numbers))
    fixed_rolls = odds(fixed_dice, axes).on(*hand.names).row_counts
    start = {}
    for held, at, ways in hand.shown.throws(hand.numbers):
        for row, count in fixed_rolls.items():
            start[held, plus(at, row)] = ways * count
    return Plan(*hand.played(start))


class _Hand:
    """Dice that may be rolled again: decided on the axes of the goal, reported on the axes `on`.

    `shown` are their slots on the axes reported, the goal's first; `alike` has, for each slot that
    the policy knows, those of `shown` that are the same to the goal.
    """

    def __init__(
        self,
        dice: Mapping[Die, int],
        axes: Axes,
        goal: Goal | Callable[..., Number],
        most: int | None,
        singly: bool,
        on: Iterable[str] | None,
    ) -> None:
        number = sum(dice.values())
        if most is not None and most < 0:
            raise BadValue(f"Dice cannot be rolled again {most} times; give 0 or more.")
        if singly and most is None:
            raise BadValue("Single re-rolls need a number; say how many there are with most=n.")
        limit = current().dice
        if singly and most is not None and limit is not None and most > limit:
            raise TooManyDice(Phrase("odds.singly", n=most, most=limit))
        self.axes, self.singly = axes, singly
        if most is None or (most > number and not singly):
            most = number
        self.most = most
        self.goal = goal if isinstance(goal, Goal) else Goal(axes_of(goal, axes.names), goal, goal)
        self.names = tuple(dict.fromkeys((*self.goal.axes, *(axes.names if on is None else on))))
        self.shown, self.kind_of, self.numbers = _kinds(dice, axes, self.names)
        seen, kind_of, self.folded = _kinds(dice, axes, self.goal.axes)
        self.policy = _policy(seen, self.goal)
        self.policy.forget()
        wide = len(self.goal.axes)
        to_goal = {self.kind_of[die]: kind_of[die] for die in dice}
        self.alike: list[list[int]] = [[] for _ in seen.all]
        for slot, (kind, row) in enumerate(self.shown.all):
            self.alike[seen.place[to_goal[kind], row[:wide]]].append(slot)

    def row(self, face: Bag) -> Row:
        """The step of a face on the reported axes."""
        net = self.axes.net(face)
        return tuple([net[name] for name in self.names])

    def place(self, die: Die, face: Bag) -> int:
        """The slot of a die with this face up."""
        return self.shown.place[self.kind_of[die], self.row(face)]

    # The cost, estimated before any work is done.

    def judge(
        self, held: Counts | None = None, fixed_results: int = 1, fixed_results_shown: int = 1
    ) -> None:
        """Refuse work beyond the limit, by upper bounds, for the dice `held` or every result.

        The fixed dice have `fixed_results` results on the axes of the goal, and
        `fixed_results_shown` on those reported.
        """
        seen, shown = self.policy.slots, self.shown
        throws, reported = seen.shares(self.folded), shown.shares(self.numbers)
        # A step looks at a few dice; one that visits all slots counts as a sixteenth of them.
        wide = 1 + len(shown.all) // 16
        if self.singly:
            deep, turns = min(self.most, 20), min(len(seen.all), sum(self.folded)) * seen.sides_most
            if held is not None:
                # All are tried, one is reported; more than twenty are beyond the limit anyway.
                throws, reported = (
                    min(throws, (1 + turns) ** deep),
                    min(reported, (1 + shown.sides_most) ** deep),
                )
            tried = (
                throws * fixed_results * turns + reported * fixed_results_shown * shown.sides_most
            )
            steps = wide * (self.most + 1) * tried
        else:
            some = comb(len(seen.all) + self.most, self.most)
            choices = min(seen.shares(self.folded, 2), throws * some)
            if held is not None:
                choices, reported = min(prod(n + 1 for n in self._fold(held)), some), 1
            decided = choices * fixed_results
            results = seen.results(self.folded)
            steps = (
                decided
                + min(decided, prod(n + 1 for n in self.folded) * results * fixed_results) * results
            )
            reported, results = reported * fixed_results_shown, shown.results(self.numbers)
            steps += (
                wide * reported
                + min(reported, prod(n + 1 for n in self.numbers) * results * fixed_results_shown)
                * results
            )
        limit = current().steps
        if limit is not None and steps > limit // STEP:
            raise TooManyDice(Phrase("odds.steps", most=f"{limit // STEP:,}"))

    # The decisions, and the resulting odds.

    def first(self, held: Counts, at: Row) -> Counts:
        """The number of dice of each shown slot to roll again now."""
        seen, known = self._fold(held), at[: len(self.goal.axes)]
        if not self.singly:
            return self._spread(held, self.policy.taken(seen, known, self.most))
        slot = self._next(held, at, self.most)
        return tuple([int(place == slot) for place in range(len(held))])

    def played(self, start: Mapping[tuple[Counts, Row], int]) -> Plan:
        """The plan for these results, with their counts, when the best dice are rolled again."""
        joint = self._one_by_one(start) if self.singly else self._together(start)
        total = sum(start.values())
        before = sum(self.goal.of(at) * ways for (_, at), ways in start.items())
        after = sum(self.goal.of(row) * ways for row, ways in joint.items())
        return Plan(
            Fraction(before) / total,
            Fraction(after) / sum(joint.values()),
            Distribution.from_outcomes((*self.names, "rerolled"), joint),
        )

    def _together(self, start: Mapping[tuple[Counts, Row], int]) -> dict[Row, int]:
        rolled: dict[tuple[Counts, Row], int] = {}
        for (held, at), ways in start.items():
            key = self.shown.after(at, range(len(held)), self.first(held, at))
            rolled[key] = rolled.get(key, 0) + ways
        joint: dict[Row, int] = {}
        whole = prod(kind.total**n for kind, n in zip(self.shown.kinds, self.numbers, strict=True))
        for (numbers, kept), ways in rolled.items():
            found, n = self.shown.rolled(numbers), sum(numbers)
            ways *= whole // found.total
            for row, count in found.row_counts.items():
                end = (*plus(kept, row), n)
                joint[end] = joint.get(end, 0) + ways * count
        return joint

    def _one_by_one(self, start: Mapping[tuple[Counts, Row], int]) -> dict[Row, int]:
        joint: dict[Row, int] = {}
        rolls, scale = dict(start), lcm(*[kind.total for kind in self.shown.kinds])
        for left in range(self.most, -1, -1):
            after: dict[tuple[Counts, Row], int] = {}
            for (held, at), ways in rolls.items():
                slot = self._next(held, at, left)
                if slot is None:
                    end = (*at, self.most - left)
                    joint[end] = joint.get(end, 0) + ways * scale**left
                    continue
                kind, row = self.shown.all[slot]
                kept, share = minus(at, row), ways * (scale // kind.total)
                for other, step, count in self.shown.sides(kind):
                    key = moved(held, slot, other), plus(kept, step)
                    after[key] = after.get(key, 0) + share * count
            rolls = after
        return joint

    def _next(self, held: Counts, at: Row, left: int) -> int | None:
        """The shown slot of the next die to roll again, or None to stop."""
        _, _, seen = self.policy.next(self._fold(held), at[: len(self.goal.axes)], left)
        return None if seen is None else next(slot for slot in self.alike[seen] if held[slot])

    def _fold(self, held: Counts) -> Counts:
        """The dice on the slots that the policy knows."""
        return tuple([sum(map(held.__getitem__, slots)) for slots in self.alike])

    def _spread(self, held: Counts, taken: Counts) -> Counts:
        """The policy's choice as shown slots; of slots that are alike, the lowest rows first."""
        found = [0] * len(held)
        for n, places in zip(taken, self.alike, strict=True):
            for slot in places:
                found[slot] = min(n, held[slot])
                n -= found[slot]
        return tuple(found)


def _kinds(
    dice: Mapping[Die, int], axes: Axes, names: tuple[str, ...]
) -> tuple[Slots, dict[Die, Distribution], Counts]:
    """The slots of dice on some axes, the kind of each die, and the number of each kind."""
    kind_of = {die: odds([die], axes).on(*names) for die in dice}
    numbers: dict[Distribution, int] = {}
    for die, n in dice.items():
        numbers[kind_of[die]] = numbers.get(kind_of[die], 0) + n
    return slots(odds([], axes).on(*names), tuple(numbers)), kind_of, tuple(numbers.values())


def _rolled(one: object) -> RolledDie:
    """A rolled die; its face may be its printed number, or a dict of symbols."""
    if isinstance(one, tuple) and 2 <= len(one) <= 3 and isinstance(one[0], Die):
        die, face = one[:2]
        if isinstance(face, int | Mapping):
            return RolledDie(
                die, die.face(face) if isinstance(face, int) else Bag(face), bool((*one, True)[2])
            )
    raise Misused(
        "A rolled die is given with its face, as in (d(6), 5) or (die, {'hit': 1}), not"
        f" {described(one)}."
    )


def _counted(dice: Dice) -> Counter[Die]:
    """The number of each die, from any of the forms that `odds` takes."""
    found = Counter[Die]()
    for die, n in counted(dice):
        found[die] += n
    return found


@lru_cache(maxsize=8)
def _policy(seen: Slots, goal: Goal) -> Policy:
    """The policy for a goal, cached for the next question about it."""
    sign = -1 if goal.lowest else 1
    return Policy(seen, lambda row: sign * goal.of(row))
