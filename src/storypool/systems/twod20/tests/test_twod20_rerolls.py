"""Re-rolls of d20s agree with every choice tried, and the fixed choice after a failed test."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from storypool.odds import ge, odds
from storypool.odds.rerolls import Goal, RolledDie, at_least, best, fewest, planned
from storypool.systems.twod20.dice import AXES, bound
from storypool.systems.twod20.odds import Numbers, of_test
from tests.brute_force_rerolls import at_once, value_of

D20 = bound("d20", 12, 6)


@pytest.mark.slow
def test_five_d20_match_every_choice() -> None:
    """A rolled 5d20: each of the 32 choices on up to 3.2 million face combinations."""
    steps = [AXES.net(face)["successes"] for face in D20.faces]
    chance = random.Random(5)
    for wanted in (4, 6):
        shown = [chance.choice(range(20)) for _ in range(5)]
        found = []
        for n in range(6):
            for again in combinations(range(5), n):
                sums = [sum(steps[face] for place, face in enumerate(shown) if place not in again)]
                for _ in again:
                    sums = [so_far + step for so_far in sums for step in steps]
                found.append((Fraction(sum(so_far >= wanted for so_far in sums), len(sums)), -n))
        choice = best([(D20, D20.faces[face]) for face in shown], AXES, at_least(successes=wanted))
        assert max(found) == (choice.after, -len(choice.again))


@pytest.mark.parametrize(
    "goal", [at_least(successes=3), fewest("complications"), at_least(successes=2)]
)
def test_d20_before_the_roll_match_every_choice(goal: Goal) -> None:
    """Two d20 bound to a target, with one or both re-rolled after each of the 400 throws."""
    tally = Counter(D20.faces)
    value = value_of(goal, AXES)
    for most in (1, 2):
        tried = Fraction(0)
        for (first, ways), (second, others) in product(tally.items(), repeat=2):
            tried += (
                ways
                * others
                * at_once([RolledDie(D20, first), RolledDie(D20, second)], value, most)[0]
            )
        assert abs(tried / 400) == planned({D20: 2}, AXES, goal, most=most).after


@pytest.mark.parametrize("dice", range(1, 6))
def test_failed_dice_are_best_for_one_success(dice: int) -> None:
    """Re-rolling all dice without a success is best at difficulty 1."""
    fixed_way = of_test(Numbers(dice, 12, 6), 1, again=True)
    plan = planned({D20: dice}, AXES, at_least(successes=1), on=["complications"])
    assert fixed_way == plan.joint.on("successes", "complications")


def test_failed_dice_are_not_always_best() -> None:
    """With a wide focus at difficulty 2 it is better to re-roll a lone success too."""
    wide = bound("d20", 10, 9)
    rolled = [(wide, wide.face(10)), (wide, wide.face(15))]
    choice = best(rolled, AXES, at_least(successes=2))
    assert ((0, 1), Fraction(7, 10)) == (choice.again, choice.after)
    assert Fraction(1, 2) == odds({wide: 1}, AXES).p(successes=ge(1))
    fixed_way = of_test(Numbers(2, 10, 9), 2, again=True).p(successes=ge(2))
    assert fixed_way < planned({wide: 2}, AXES, at_least(successes=2)).after
