"""The possible rolls of dice, distinguished only by their value to an economy.

The value of a face is its step on the game's first axis, along which actions pass and fail. Without
an open action every symbol counts. Chances are exact.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, groupby, product
from math import factorial, prod
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled
from storypool.engine.game.system import System
from storypool.engine.table import Check, Table

Faces = tuple[int, ...]


class Alike(NamedTuple):
    """Faces of a die with the same value: their number, and the one with the fewest symbols."""

    worth: Bag
    n: int
    face: int


Counted = tuple[Alike, ...]
"""A die by the value of its faces."""


class Total(NamedTuple):
    """Rolls with the same value: their chance, and one of them."""

    chance: Fraction
    faces: Faces


def dice_by_value(
    system: System, table: Table, rolled: DiceRolled, dice: Sequence[Die], apart: bool = False
) -> tuple[Counted, ...]:
    """The dice that a move rolls by the value of their faces, with their symbols in its action.

    With `apart` every symbol counts in an action too.
    """
    check = table.checks.get(rolled.check)
    if apart or check is None:
        axes = system.axes.names
    else:
        axes = system.axes.names[:1]
    if check is not None and system.bind is not None:
        bound = [die for die in system.bind(table, check) if die.sides > 1]
        if [die.name for die in bound] != [die.name for die in dice]:
            # Only some of the dice of the action are rolled again.
            by_name = {die.name: die for die in reversed(bound)}
            bound = [by_name[die.name] for die in dice]
        dice = bound
    known: dict[Die, Counted] = {}
    for die in dice:
        if die not in known:
            known[die] = _counted(system, die, axes)
    return tuple(known[die] for die in dice)


def _counted(system: System, die: Die, axes: Sequence[str]) -> Counted:
    alike: dict[Bag, list[int]] = {}
    for face in range(die.first, die.last + 1):
        alike.setdefault(system.axes.net(die.face(face)).only(axes), []).append(face)
    return tuple(
        Alike(worth, len(faces), min(faces, key=lambda face: die.face(face).total))
        for worth, faces in alike.items()
    )


def worth_of(system: System, table: Table, check: Check) -> Bag:
    """The number of dice in an action for each kind and value, named by both."""
    first = system.axes.names[0]
    bound = system.bind(table, check) if system.bind else ()
    dice = {die.name: die for die in (*system.dice, *bound)}
    return Bag(
        [
            f"{rolled_die.die} {system.axes.net(dice[rolled_die.die].face(rolled_die.face))[first]}"
            for rolled_die in check.rolled
        ]
    )


def _number_of_rolls(dice: Sequence[Counted]) -> int:
    n = 1
    for die in dice:
        n *= sum(side.n for side in die)
    return n


def totals(dice: Sequence[Counted]) -> dict[Bag, Total]:
    """All rolls of these dice by their total value."""
    found: dict[Bag, tuple[int, Faces]] = {Bag(): (1, ())}
    for die in dice:
        after: dict[Bag, tuple[int, Faces]] = {}
        for worth, (n, faces) in found.items():
            for side in die:
                here = worth + side.worth
                before, first = after.get(here, (0, (*faces, side.face)))
                after[here] = before + n * side.n, first
        found = after
    every = _number_of_rolls(dice)
    return {worth: Total(Fraction(n, every), faces) for worth, (n, faces) in found.items()}


def rolls_with_total(dice: Sequence[Counted], total: Bag) -> Iterator[tuple[Fraction, Faces]]:
    """The rolls with this total value, dice of one kind in any order: their chances and faces."""
    every = _number_of_rolls(dice)
    for parts in product(*(_several(die, len(list(same))) for die, same in groupby(dice))):
        if sum((worth for worth, _, _ in parts), Bag()) == total:
            yield (
                Fraction(prod(n for _, n, _ in parts), every),
                tuple(face for _, _, faces in parts for face in faces),
            )


@cache
def _several(die: Counted, n: int) -> list[tuple[Bag, int, Faces]]:
    """The unordered rolls of n dice of one kind: their value, number of ways, and faces."""
    found = []
    for chosen in combinations_with_replacement(die, n):
        orders = factorial(n) // prod(factorial(len(list(same))) for _, same in groupby(chosen))
        ways = orders * prod(side.n for side in chosen)
        found.append(
            (sum((side.worth for side in chosen), Bag()), ways, tuple(side.face for side in chosen))
        )
    return found
