"""What each key of the vectors of 2d20 asks, as a question on the joint odds."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, ge, le, odds
from tests.vectors import Answers, Questions, Vector, whole

D20 = Axes(
    {"success": Bag(successes=1), "complication": Bag(complications=1), "blank": Bag(blanks=1)}, {}
)
TOTAL = Axes({"total": Bag(total=1), "effect": Bag(effects=1)}, {})

CHALLENGE = Die(
    "challenge", (Bag(total=1), Bag(total=2), Bag(), Bag(), *(Bag(total=1, effect=1),) * 2)
)


def d20(target: int, critical: int, complication_range: int = 1) -> Die:
    """A d20 against a target number: a 1, or one in the critical range, is two successes."""

    def face(n: int) -> Bag:
        successes = 2 if n == 1 or n <= critical else 1 if n <= target else 0
        return Bag(success=successes, blank=not successes, complication=n > 20 - complication_range)

    return Die("d20", tuple(map(face, range(1, 21))))


AUTOMATIC = Die("automatic 1", (Bag(success=2),))


def dune_2d20(vector: Vector) -> Answers:
    """A test, one with failed dice re-rolled, a contest, or an opposed test of two."""
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
        return {
            "p_pass": d.p(successes=ge(difficulty)),
            "approx_p_pass": d.p(successes=ge(difficulty)),
        }
    fixed = pool["automatic_ones"]
    d = odds({die: pool["dice"] - fixed, AUTOMATIC: fixed}, D20).on("successes", "complications")
    for target, critical in pool["assistants"]:
        helper = odds([d20(target, critical)], D20).on("successes", "complications")
        d = d.combine(helper, d.axes, lambda a, b: (a[0] + (b[0] if a[0] else 0), a[1] + b[1]))
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
    """The opponent's successes plus an asset are the Difficulty; meeting it wins."""
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
    """Both test against one Difficulty; more Momentum wins, and the active side on a tie."""
    need = pool["difficulty_both"]
    d = _side(pool["active"]).combine(
        _side(pool["reactive"]), ["active", "reactive"], lambda a, r: (a[0], r[0])
    )
    return {
        "p_active_wins": d.p(lambda active, reactive: active >= need and active >= reactive),
        "p_reactive_wins": d.p(lambda active, reactive: reactive >= need and reactive > active),
        "p_both_fail": d.p(active=le(need - 1), reactive=le(need - 1)),
    }


def challenge_dice(vector: Vector) -> Answers:
    """The total and the effects of so many dice as the vector's id says."""
    d = odds({CHALLENGE: int(vector["id"].removeprefix("cd"))}, TOTAL)
    return {
        "mean_total": d.mean("total"),
        "p_effect_ge_1": d.p(effects=ge(1)),
        "joint_total_effects": whole(d, "{}/{}e"),
    }


QUESTIONS: Questions = {"dune_2d20": dune_2d20, "2d20_challenge_dice": challenge_dice}
"""The function for each group of vectors of this folder."""
