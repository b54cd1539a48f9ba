"""Re-rolls for points, one by one: agreement with every choice tried, and with the fixed order."""

from __future__ import annotations

import pytest

from storypool.engine.bag import Bag
from storypool.odds import ge
from storypool.odds.rerolls import at_least, planned
from storypool.systems.c2d10 import odds as c2d10
from storypool.systems.c2d10.dice import ACTIVE
from tests.brute_force_rerolls import mean_of, singly, thrown, value_of

D10 = c2d10.BY_NAME[ACTIVE.regular]
CRISIS = c2d10.BY_NAME[ACTIVE.crisis]


@pytest.mark.parametrize("crisis", [0, 1])
def test_single_points_match_every_choice(crisis: int) -> None:
    """Two d10 and up to two points, each spent after the last re-roll."""
    free, fixed = [D10] * (2 - crisis), [CRISIS] * crisis
    value = value_of(at_least(successes=2), c2d10.AXES)
    for n in (1, 2):
        tried = mean_of(thrown(free, fixed), lambda rolled, n=n: singly(rolled, value, n)[0])  # type: ignore[misc]
        plan = planned(free, c2d10.AXES, at_least(successes=2), fixed=fixed, most=n, singly=True)
        assert tried == plan.after


@pytest.mark.parametrize("dc", range(1, 7))
@pytest.mark.parametrize("points", [1, 3])
@pytest.mark.parametrize("n", range(1, 6))
def test_points_on_failed_dice_are_best(n: int, points: int, dc: int) -> None:
    """Points on dice without a success are the best choice while each is re-rolled once.

    With fewer dice than successes wanted it can be beaten: a die with one success may have to
    show two.
    """
    fixed_way = c2d10.rolled_again(Bag(d10=n), dc, points)
    plan = planned({D10: n}, c2d10.AXES, at_least(successes=dc), most=points, singly=True)
    assert c2d10.distribution(Bag(d10=n)).p(successes=ge(dc)) == plan.before
    assert fixed_way.p(successes=ge(dc)) <= plan.after
    if n >= dc:
        assert fixed_way.p(successes=ge(dc)) == plan.after
        assert plan.joint.mean("rerolled") <= fixed_way.mean("spent")
    elif dc <= 2 * n:
        assert fixed_way.p(successes=ge(dc)) < plan.after
