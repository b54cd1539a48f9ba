"""The best dice to roll again, after a roll and before it, compared with trying everything.

Cold means that dice of these odds are new, except for what follows from a single die: each run
takes the next of many dice. Warm means that the same was just asked. The comparison tries every
choice on every face of one axis, as plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations, cycle, product

from benchmarks.odds import Run, alternated, in_units
from storypool.engine.dice import Die
from storypool.odds.rerolls import at_least, best, planned
from storypool.systems.twod20.dice import AXES, bound

D20 = bound("d20", 12, 6)
STEPS = tuple(AXES.net(face)["successes"] for face in D20.faces)
MANY = [bound("d20", target, critical) for target in range(8, 17) for critical in range(1, 9)]
OTHERS = cycle(MANY)
"""More dice than the caches hold, so that each is new in its next turn."""

ROLLED = (2, 8, 13, 16, 19)
"""Places of the faces of five dice: two successes, one, and three dice without."""

SHOWN = tuple(STEPS[face] for face in ROLLED)
WANTED = 5


def reroll_of_five(die: Die) -> Fraction:
    """The chance after the best re-roll of five rolled dice, with its joint odds on all axes."""
    return best(
        [(die, die.faces[place]) for place in ROLLED], AXES, at_least(successes=WANTED)
    ).after


def at_once(number: int, wanted: int, die: Die) -> Fraction:
    """The chance before a roll of this many dice with one re-roll of any, with its joint odds."""
    return planned({die: number}, AXES, at_least(successes=wanted)).after


def singly(points: int, die: Die) -> Fraction:
    """The chance before a roll of five dice with this many single re-rolls, with its joint odds."""
    return planned({die: 5}, AXES, at_least(successes=WANTED), most=points, singly=True).after


def tried(shown: tuple[int, ...] = SHOWN, wanted: int = WANTED) -> Fraction:
    """The same for rolled dice, by trying each choice of dice on each combination of faces."""
    found = []
    for n in range(len(shown) + 1):
        for kept in combinations(shown, len(shown) - n):
            sums = [sum(kept)]
            for _ in range(n):
                sums = [so_far + step for so_far in sums for step in STEPS]
            found.append(Fraction(sum(so_far >= wanted for so_far in sums), len(sums)))
    return max(found)


def tried_before(number: int = 2, wanted: int = 3) -> Fraction:
    """The same before a roll of this many dice, by doing that for each possible roll."""
    throws = list(product(STEPS, repeat=number))
    return sum((tried(shown, wanted) for shown in throws), Fraction(0)) / len(throws)


def report(
    title: str, ours: Callable[[Die], Fraction], theirs: Callable[[], Fraction] | None = None
) -> None:
    """Print our times cold and warm, and our speed relative to trying everything."""
    runs: dict[str, Run] = {"cold": lambda: ours(next(OTHERS)), "warm": partial(ours, D20)}
    if theirs is not None:
        assert theirs() == ours(D20)
        runs["tried"] = theirs
    for die in MANY:  # what a die says on its own is read
        ours(die)
    times = alternated(runs, 2.0)
    text = ", ".join(f"{name} {in_units(taken)}" for name, taken in times.items())
    if theirs is not None:
        cold, warm = times["tried"] / times["cold"], times["tried"] / times["warm"]
        text += f"; times as fast: cold {cold:,.0f}, warm {warm:,.0f}"
    print(f"  {title}: {text}")


def main() -> None:
    """Print the figures."""
    print(f"\nAt least {WANTED} successes with 5d20 against 12, critical up to 6")
    report("the best re-roll of five rolled dice", reroll_of_five, tried)
    report("before the roll, any dice again at once", partial(at_once, 5, WANTED))
    report("before the roll, three single re-rolls", partial(singly, 3))
    print("\nAt least 3 successes with 2d20 against 12, critical up to 6")
    report("before the roll, any dice again at once", partial(at_once, 2, 3), tried_before)
