"""Decisions inside a roll by brute force: every choice of dice, each with every face."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds.rerolls import Goal, RolledDie

Value = Callable[[Bag], int | Fraction]


def value_of(goal: Goal, axes: Axes) -> Value:
    """The value of a bag of symbols for a goal, higher is better."""
    sign = -1 if goal.lowest else 1

    def value(symbols: Bag) -> int | Fraction:
        net = axes.net(symbols)
        return sign * goal.number(*[net[axis] for axis in goal.axes])

    return value


def mean(values: Iterable[int | Fraction]) -> Fraction:
    """The mean of equally likely numbers."""
    every = list(values)
    return Fraction(sum(every)) / len(every)


def at_once(rolled: list[RolledDie], value: Value, most: int) -> tuple[Fraction, int]:
    """The best mean of every choice of dice over all faces, and the fewest dice that reach it."""
    free = [place for place, lie in enumerate(rolled) if lie.free]
    found = []
    for n in range(min(most, len(free)) + 1):
        for again in combinations(free, n):
            kept = sum((lie.face for place, lie in enumerate(rolled) if place not in again), Bag())
            faces = product(*(rolled[place].die.faces for place in again))
            found.append((mean(value(sum(faces_up, kept)) for faces_up in faces), -n))
    worth, n = max(found)
    return worth, -n


def singly(rolled: list[RolledDie], value: Value, left: int) -> tuple[Fraction, Fraction]:
    """The best mean of single re-rolls of every die over all faces, and the fewest on average."""
    found = [(Fraction(value(sum((lie.face for lie in rolled), Bag()))), Fraction(0))]
    for place, lie in enumerate(rolled if left else []):
        if lie.free:
            after = [
                singly(
                    [*rolled[:place], lie._replace(face=face), *rolled[place + 1 :]],
                    value,
                    left - 1,
                )
                for face in lie.die.faces
            ]
            found.append((mean(worth for worth, _ in after), -1 - mean(n for _, n in after)))
    worth, n = max(found)
    return worth, -n


def mean_of(
    throws: list[list[RolledDie]], worth: Callable[[list[RolledDie]], int | Fraction]
) -> Fraction:
    """The mean worth of these throws; equal throws are tried once."""
    found = {throw: worth(list(throw)) for throw in set(map(tuple, throws))}
    return mean(found[tuple(throw)] for throw in throws)


def thrown(free: list[Die], fixed: list[Die]) -> list[list[RolledDie]]:
    """Every combination of these dice; those of `fixed` are never re-rolled."""
    sides = [
        [RolledDie(die, face, place < len(free)) for face in die.faces]
        for place, die in enumerate([*free, *fixed])
    ]
    return [list(rolled) for rolled in product(*sides)]
