"""What each key of the shared vectors asks, as a question on the joint odds: one function for each group of them.

A function takes a vector and the dice by name, and gives the answer to every key that a vector of its group may have.
A whole distribution is answered as the odds by the text that the vector uses for a result. Sources: the conventions
in `meta` of the vectors, and the worked examples of the rules that name their ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, between, ge, le, odds

Vector = Mapping[str, Any]
Answers = dict[str, Fraction | dict[str, Fraction]]
Dice = Mapping[str, Die]

NARRATIVE = Axes(
    {
        "S": Bag(success=1),
        "F": Bag(success=-1),
        "A": Bag(advantage=1),
        "T": Bag(advantage=-1),
        "R": Bag(success=1, triumph=1),
        "X": Bag(success=-1, despair=1),
    },
    {},
)
PIPS = Axes({"L": Bag(light=1), "D": Bag(dark=1)}, {})
MARGIN = Axes(
    {
        "+": Bag(margin=1),
        "-": Bag(margin=-1),
        "o": Bag(advantage=1),
        "x": Bag(advantage=-1),
        "H": Bag(margin=1, hope=1),
        "D": Bag(margin=-1, despair=1),
    },
    {},
)
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
D20 = Axes({"success": Bag(successes=1), "complication": Bag(complications=1), "blank": Bag(blanks=1)}, {})
SUM = Axes({"plus": Bag(sum=1), "minus": Bag(sum=-1)}, {})
TOTAL = Axes({"total": Bag(total=1), "effect": Bag(effects=1)}, {})

_PLAIN = (Bag(blank=1),) * 6 + (Bag(success=1), Bag(success=1))
REGULAR = Die("regular", (Bag(zero=1), *_PLAIN, Bag(success=2)), first=0)
CRISIS = Die("crisis", (Bag({"crisis zero": 1}), *_PLAIN, Bag(mess=1)), first=0)
FATE = Die("fate", (Bag(plus=1),) * 2 + (Bag(),) * 2 + (Bag(minus=1),) * 2)
CHALLENGE = Die("challenge", (Bag(total=1), Bag(total=2), Bag(), Bag(), *(Bag(total=1, effect=1),) * 2))


def whole(distribution: Distribution, text: str = "{}") -> dict[str, Fraction]:
    """The odds of every result, by the text of its row."""
    return {text.format(*row): share for row, share in distribution.joint()}


def starwars_genesys(vector: Vector, dice: Dice, axes: Axes = NARRATIVE) -> Answers:
    """Net success, net advantage, triumphs and despairs of one pool."""
    d = odds({dice[name]: n for name, n in vector["pool"].items()}, axes)
    return {
        "p_success": d.p(success=ge(1)),
        "p_net_zero_success": d.p(success=0),
        "p_net_failure": d.p(success=le(-1)),
        "p_net_advantage_ge_1": d.p(advantage=ge(1)),
        "p_net_advantage_ge_2": d.p(advantage=ge(2)),
        "p_net_advantage_ge_3": d.p(advantage=ge(3)),
        "p_net_advantage_zero": d.p(advantage=0),
        "p_net_threat_ge_1": d.p(advantage=le(-1)),
        "p_net_threat_ge_2": d.p(advantage=le(-2)),
        "p_triumph_ge_1": d.p(triumph=ge(1)),
        "p_despair_ge_1": d.p(despair=ge(1)),
        "p_triumph_and_despair": d.p(triumph=ge(1), despair=ge(1)),
        "p_success_and_net_advantage": d.p(success=ge(1), advantage=ge(1)),
        "p_success_and_net_threat": d.p(success=ge(1), advantage=le(-1)),
        "p_fail_and_net_advantage": d.p(success=le(0), advantage=ge(1)),
        "p_fail_and_triumph": d.p(success=le(0), triumph=ge(1)),
        "p_success_and_despair": d.p(success=ge(1), despair=ge(1)),
        "p_total_washout": d.p(success=0, advantage=0, triumph=0, despair=0),
        "mean_net_success": d.mean("success"),
        "mean_net_advantage": d.mean("advantage"),
        "approx_p_success": d.p(success=ge(1)),
        "net_success_distribution": whole(d.on("success")),
        "net_advantage_distribution": whole(d.on("advantage")),
    }


def starwars_force_dice(vector: Vector, dice: Dice, axes: Axes = PIPS) -> Answers:
    """Light and dark pips, which do not cancel; a light-side user with no light pip needs a point to turn over."""
    d = odds({dice["force"]: vector["pool"]["force"]}, axes).on("light", "dark")
    return {
        "p_light_ge_1": d.p(light=ge(1)),
        "p_light_ge_2": d.p(light=ge(2)),
        "p_light_ge_3": d.p(light=ge(3)),
        "p_dark_ge_1": d.p(dark=ge(1)),
        "p_no_light": d.p(light=0),
        "p_no_dark": d.p(dark=0),
        "mean_light": d.mean("light"),
        "mean_dark": d.mean("dark"),
        "p_needs_flip_for_1_point": d.p(light=0, dark=ge(1)),
        "joint_light_dark": whole(d, "{}L{}D"),
    }


def starwars_destiny_pool(vector: Vector, dice: Dice, axes: Axes = PIPS) -> Answers:
    """The points a session starts with, from one die of each player."""
    d = odds({dice["force"]: vector["players"]}, axes).on("light", "dark")
    size = d.map(["size"], lambda light, dark: (light + dark,))
    return {
        "mean_pool_size": size.mean("size"),
        "mean_light": d.mean("light"),
        "mean_dark": d.mean("dark"),
        "p_zero_light": d.p(light=0),
        "p_zero_dark": d.p(dark=0),
        "p_light_gt_dark": d.p(lambda light, dark: light > dark),
        "p_light_eq_dark": d.p(lambda light, dark: light == dark),
        "p_light_lt_dark": d.p(lambda light, dark: light < dark),
        "pool_size_distribution": whole(size),
    }


def destiny_dice(vector: Vector, dice: Dice, axes: Axes = MARGIN) -> Answers:
    """Margin and net advantage, with Hope and Despair counted in and apart."""
    d = odds({dice[name]: n for name, n in vector["pool"].items()}, axes)
    return {
        "p_fail": d.p(margin=le(-1)),
        "p_tie": d.p(margin=0),
        "p_succeed_any": d.p(margin=ge(1)),
        "p_succeed_margin_1_2": d.p(margin=between(1, 2)),
        "p_succeed_with_style": d.p(margin=ge(3)),
        "p_fail_by_3_or_more": d.p(margin=le(-3)),
        "p_net_advantage_ge_1": d.p(advantage=ge(1)),
        "p_net_advantage_ge_2": d.p(advantage=ge(2)),
        "p_net_advantage_zero": d.p(advantage=0),
        "p_net_disadvantage_ge_1": d.p(advantage=le(-1)),
        "p_net_disadvantage_ge_2": d.p(advantage=le(-2)),
        "p_net_disadvantage_ge_3": d.p(advantage=le(-3)),
        "p_hope_ge_1": d.p(hope=ge(1)),
        "p_despair_ge_1": d.p(despair=ge(1)),
        "p_despair_and_not_fail": d.p(despair=ge(1), margin=ge(0)),
        "p_succeed_and_disadvantage": d.p(margin=ge(1), advantage=le(-1)),
        "mean_margin": d.mean("margin"),
        "mean_net_advantage": d.mean("advantage"),
        "approx_p_succeed_any": d.p(margin=ge(1)),
        "margin_distribution": whole(d.on("margin")),
    }


def c2d10(vector: Vector, dice: Dice) -> Answers:
    """A test, a test with points for re-rolls, or a contest of two pools."""
    pool = vector["pool"]
    if "a" in pool:
        compared = odds({REGULAR: pool["a"]}, D10).compare(odds({REGULAR: pool["b"]}, D10), "successes")
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
        # A crisis 9 makes a mess of a pass, as a crisis 0 makes a complication of it.
        "p_clean_pass": d.p(successes=ge(dc), crisis_zeros=0, messes=0),
        "p_crisis_nine": d.p(messes=ge(1)),
        "approx_p_pass": d.p(successes=ge(dc)),
        "success_distribution": whole(d.on("successes")),
    }


def _with_rerolls(d: Distribution, dc: int, budget: int) -> Distribution:
    """A point re-rolls one die without a success, one at a time, each die once, until the DC is met."""
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


def fate_accelerated(vector: Vector, dice: Dice) -> Answers:
    """Four plain dice: their sum, the margin of two equal sides, or a rating against a fixed difficulty."""
    d = odds({FATE: 4}, SUM)
    if vector["id"] == "fae_opposed_equal":
        return {**whole(d.combine(d, ["margin"], lambda mine, theirs: (mine[0] - theirs[0],)))}
    if vector["id"] == "fae01":
        return {**whole(d)}
    found = re.fullmatch(r"fae_r(\d+)_d(\d+)", vector["id"])
    assert found, f"{vector['id']} does not say its rating and difficulty"
    short = int(found[2]) - int(found[1])
    return {
        "p_fail": d.p(sum=le(short - 1)),
        "p_tie": d.p(sum=short),
        "p_succeed_1_2": d.p(sum=between(short + 1, short + 2)),
        "p_style": d.p(sum=ge(short + 3)),
    }


def d20(target: int, critical: int, complication_range: int = 1) -> Die:
    """A d20 read against a target number: a 1, or what is within the critical range, is two successes."""

    def face(n: int) -> Bag:
        successes = 2 if n == 1 or n <= critical else 1 if n <= target else 0
        return Bag(success=successes, blank=not successes, complication=n > 20 - complication_range)

    return Die("d20", tuple(map(face, range(1, 21))))


AUTOMATIC = Die("automatic 1", (Bag(success=2),))


def dune_2d20(vector: Vector, dice: Dice) -> Answers:
    """A test, a test with the failed dice re-rolled, a contest, or an opposed test of two who both test."""
    pool = vector["pool"]
    if "active" in pool:
        return _opposed(pool) if "reactive" in pool else _contest(pool)
    die = d20(pool["tn"], pool["crit_at_or_below"], pool.get("complication_range", 1))
    difficulty = pool["difficulty"]
    if "assistants" not in pool:
        d = odds({die: pool["dice"]}, D20).then(
            lambda successes, blanks: (
                odds({die: 0 if successes >= difficulty else blanks}, D20)
                .on("successes")
                .map(["successes"], lambda *more: (successes + more[0],))
            )
        )
        return {"p_pass": d.p(successes=ge(difficulty)), "approx_p_pass": d.p(successes=ge(difficulty))}
    fixed = pool["automatic_ones"]
    d = odds({die: pool["dice"] - fixed, AUTOMATIC: fixed}, D20).on("successes", "complications")
    for target, critical in pool["assistants"]:
        helper = odds([d20(target, critical)], D20).on("successes", "complications")
        d = d.combine(helper, d.axes, lambda lead, help: (lead[0] + (help[0] if lead[0] else 0), lead[1] + help[1]))
    return {
        "p_pass": d.p(successes=ge(difficulty)),
        "mean_successes": d.mean("successes"),
        "mean_momentum_generated": d.mean(lambda successes: max(0, successes - difficulty)),
        "p_momentum_ge_1": d.p(successes=ge(difficulty + 1)),
        "p_momentum_ge_2": d.p(successes=ge(difficulty + 2)),
        "p_complication_ge_1": d.p(complications=ge(1)),
        "p_complication_ge_2": d.p(complications=ge(2)),
        "p_pass_no_complication": d.p(successes=ge(difficulty), complications=0),
        "p_pass_with_complication": d.p(successes=ge(difficulty), complications=ge(1)),
        "p_fail_with_complication": d.p(successes=le(difficulty - 1), complications=ge(1)),
        "approx_p_pass": d.p(successes=ge(difficulty)),
        "success_distribution": whole(d.on("successes")),
    }


def _side(side: Mapping[str, int]) -> Distribution:
    return odds({d20(side["tn"], side["crit"]): side["dice"]}, D20).on("successes")


def _contest(pool: Vector) -> Answers:
    """The opponent's successes, and what an asset adds, are the Difficulty; the active side wins when it is met."""
    extra = pool["extra_difficulty"]
    d = _side(pool["active"]).combine(
        _side(pool["opponent"]), ["lead"], lambda mine, theirs: (mine[0] - theirs[0] - extra,)
    )
    return {
        "p_active_wins": d.p(lead=ge(0)),
        "approx_p_active_wins": d.p(lead=ge(0)),
        "mean_active_momentum": d.mean(lambda lead: max(0, lead)),
        "mean_opponent_momentum_on_loss": d.mean(lambda lead: max(0, -lead)),
    }


def _opposed(pool: Vector) -> Answers:
    """Both test against one Difficulty; whoever passes with more Momentum wins, and a tie goes to the active side."""
    need = pool["difficulty_both"]
    d = _side(pool["active"]).combine(_side(pool["reactive"]), ["active", "reactive"], lambda a, r: (a[0], r[0]))
    return {
        "p_active_wins": d.p(lambda active, reactive: active >= need and active >= reactive),
        "p_reactive_wins": d.p(lambda active, reactive: reactive >= need and reactive > active),
        "p_both_fail": d.p(active=le(need - 1), reactive=le(need - 1)),
    }


def challenge_dice(vector: Vector, dice: Dice) -> Answers:
    """The total and the effects of so many dice as the vector's id says."""
    d = odds({CHALLENGE: int(vector["id"].removeprefix("cd"))}, TOTAL)
    return {
        "mean_total": d.mean("total"),
        "p_effect_ge_1": d.p(effects=ge(1)),
        "joint_total_effects": whole(d, "{}/{}e"),
    }


QUESTIONS: dict[str, Callable[[Vector, Dice], Answers]] = {
    "starwars_genesys": starwars_genesys,
    "starwars_force_dice": starwars_force_dice,
    "starwars_destiny_pool": starwars_destiny_pool,
    "c2d10": c2d10,
    "destiny_dice": destiny_dice,
    "fate_accelerated": fate_accelerated,
    "dune_2d20": dune_2d20,
    "2d20_challenge_dice": challenge_dice,
}
"""The function for each group of vectors that holds odds."""
