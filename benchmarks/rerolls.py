"""The best dice to roll again, for dice that lie and before the roll, beside every choice tried on every face.

Cold means that nothing is kept from a question before, what is derived from the dice alone included; warm that the same
dice were asked about with the same goal just before. What is tried is one axis alone, as plain numbers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from benchmarks.odds import Run, alternated, in_units
from storypool import odds as module
from storypool.odds import policy, rerolls
from storypool.systems.twod20.dice import AXES, bound

D20 = bound("d20", 12, 6)
STEPS = tuple(AXES.net(face)["successes"] for face in D20.faces)
LIES = (2, 8, 13, 16, 19)
"""Places of the faces that five dice show: two successes, one, and three dice that show none."""

SHOWN = tuple(STEPS[face] for face in LIES)
WANTED = 5


def best(number: int = 5) -> Fraction:
    """The chance after the best re-roll of so many dice that lie, its joint odds on all axes included."""
    lies = [(D20, D20.faces[place]) for place in LIES[:number]]
    return rerolls.best(lies, AXES, rerolls.at_least(successes=WANTED)).after


def planned(number: int = 5, wanted: int = WANTED, singly: bool = False) -> Fraction:
    """The chance before a roll of so many dice with the best re-rolls after it, its joint odds included."""
    most = 3 if singly else None
    return rerolls.planned({D20: number}, AXES, rerolls.at_least(successes=wanted), most=most, singly=singly).after


def tried(shown: tuple[int, ...] = SHOWN, wanted: int = WANTED) -> Fraction:
    """The same for dice that show these numbers, by trying each choice of dice on each combination of faces."""
    found = []
    for n in range(len(shown) + 1):
        for kept in combinations(shown, len(shown) - n):
            sums = [sum(kept)]
            for _ in range(n):
                sums = [so_far + step for so_far in sums for step in STEPS]
            found.append(Fraction(sum(so_far >= wanted for so_far in sums), len(sums)))
    return max(found)


def tried_before(number: int = 2, wanted: int = 3) -> Fraction:
    """The same before a roll of so many dice, by trying that on each way in which they can fall."""
    throws = list(product(STEPS, repeat=number))
    return sum((tried(shown, wanted) for shown in throws), Fraction(0)) / len(throws)


def cold(run: Run) -> Run:
    """A run that keeps nothing from the one before."""

    def anew() -> object:
        for kept in (module._of, policy.slots, rerolls._policy):
            kept.cache_clear()
        return run()

    return anew


def report(title: str, ours: Run, theirs: Run | None = None) -> None:
    """Our times cold and warm, and how many times as fast that is as trying everything, which gives the same."""
    runs = {"cold": cold(ours), "warm": ours}
    if theirs is not None:
        assert theirs() == ours()
        runs["tried"] = theirs
    times = alternated(runs, 2.0)
    said = ", ".join(f"{name} {in_units(taken)}" for name, taken in times.items())
    if theirs is not None:
        said += (
            f"; times as fast: cold {times['tried'] / times['cold']:,.0f}, warm {times['tried'] / times['warm']:,.0f}"
        )
    print(f"  {title}: {said}")


def main() -> None:
    """Print the figures."""
    print(f"\nAt least {WANTED} successes with 5d20 against 12, critical up to 6")
    report("the best re-roll of five dice that lie", best, tried)
    report("before the roll, any dice again at once", planned)
    report("before the roll, three single re-rolls", lambda: planned(singly=True))
    print("\nAt least 3 successes with 2d20 against 12, critical up to 6")
    report("before the roll, any dice again at once", lambda: planned(2, 3), tried_before)
