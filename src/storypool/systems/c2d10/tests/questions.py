"""The keys of the C2D10 vectors, as questions on the joint odds."""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, ge, le, odds
from tests.vectors import Answers, Questions, Vector, whole

D10 = Axes(
    {
        "success": Bag(successes=1),
        "blank": Bag(blanks=1),
        "zero": Bag(zeros=1, blanks=1),
        "crisis zero": Bag(crisis_zeros=1, blanks=1),
        "mess": Bag(successes=2, messes=1),
    },
    {},
)
D20 = Axes(
    {"success": Bag(successes=1), "complication": Bag(complications=1), "blank": Bag(blanks=1)}, {}
)

_PLAIN = (Bag(blank=1),) * 6 + (Bag(success=1), Bag(success=1))
REGULAR = Die("regular", (Bag(zero=1), *_PLAIN, Bag(success=2)), first=0)
CRISIS = Die("crisis", (Bag({"crisis zero": 1}), *_PLAIN, Bag(mess=1)), first=0)


def pool_of(vector: Vector) -> Answers:
    """A test, a test with points for re-rolls, or a contest of two pools."""
    pool = vector["pool"]
    if "a" in pool:
        compared = odds({REGULAR: pool["a"]}, D10).compare(
            odds({REGULAR: pool["b"]}, D10), "successes"
        )
        return {"p_a_more": compared.greater, "p_equal": compared.equal, "p_b_more": compared.less}
    d = odds({REGULAR: pool["dice"] - pool["crisis"], CRISIS: pool["crisis"]}, D10)
    dc = pool["dc"]
    if "reroll_budget" in pool:
        d = _with_rerolls(d, dc, pool["reroll_budget"])
        passed = d.p(successes=ge(dc))
        return {"p_pass": passed, "approx_p_pass": passed, "mean_points_spent": d.mean("spent")}
    return {
        "p_pass": d.p(successes=ge(dc)),
        "p_fail": d.p(successes=le(dc - 1)),
        "mean_successes": d.mean("successes"),
        "mean_hero_points_uncapped": d.mean(lambda successes: max(0, successes - dc)),
        "p_excess_ge_1": d.p(successes=ge(dc + 1)),
        "p_fail_with_setback": d.p(successes=le(dc - 1), zeros=ge(1)),
        "mean_setbacks_suffered": d.mean(lambda successes, zeros: zeros if successes < dc else 0),
        "p_any_complication": d.p(crisis_zeros=ge(1)),
        "p_pass_with_complication": d.p(successes=ge(dc), crisis_zeros=ge(1)),
        "p_fail_with_complication": d.p(successes=le(dc - 1), crisis_zeros=ge(1)),
        # A crisis 9 turns a pass into a mess; a crisis 0 adds a complication.
        "p_clean_pass": d.p(successes=ge(dc), crisis_zeros=0, messes=0),
        "p_crisis_nine": d.p(messes=ge(1)),
        "approx_p_pass": d.p(successes=ge(dc)),
        "success_distribution": whole(d.on("successes")),
    }


def _with_rerolls(d: Distribution, dc: int, budget: int) -> Distribution:
    """Points re-roll dice without a success, one at a time, each die once, until the DC is met."""
    again = odds([REGULAR], D10).on("successes")
    axes = ("successes", "blanks", "spent")
    d = d.map(axes, lambda successes, blanks: (successes, blanks, 0))

    def spend(successes: int, blanks: int, spent: int) -> Distribution:
        if successes >= dc or not blanks:
            return Distribution.from_outcomes(axes, {(successes, blanks, spent): 1})
        return again.map(axes, lambda *more: (successes + more[0], blanks - 1, spent + 1))

    for _ in range(budget):
        d = d.then(spend)
    return d


QUESTIONS: Questions = {"c2d10": pool_of}
"""The function for each group of vectors of this folder."""
