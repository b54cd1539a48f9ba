"""The keys of the vectors of Destiny Dice and plain dice, as questions on the joint odds."""

from __future__ import annotations

import re
from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import between, ge, le, odds
from tests.vectors import Answers, Questions, Vector, vectors, whole

DICE = {
    name: Die(name, tuple(map(Bag, faces)))
    for name, faces in vectors("destinydice")["faces"].items()
    if name != "key"
}
AXES = Axes(
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
D20 = Axes(
    {"success": Bag(successes=1), "complication": Bag(complications=1), "blank": Bag(blanks=1)}, {}
)
SUM = Axes({"plus": Bag(sum=1), "minus": Bag(sum=-1)}, {})
FATE = Die("fate", (Bag(plus=1),) * 2 + (Bag(),) * 2 + (Bag(minus=1),) * 2)


def destiny_dice(vector: Vector, dice: Mapping[str, Die] = DICE, axes: Axes = AXES) -> Answers:
    """Margin and net advantage, with Hope and Despair included and apart."""
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


def fate_accelerated(vector: Vector) -> Answers:
    """Four plain dice: their sum, the margin of equal sides, or a rating against a difficulty."""
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


QUESTIONS: Questions = {"destiny_dice": destiny_dice, "fate_accelerated": fate_accelerated}
"""The function for each group of vectors of this folder."""
