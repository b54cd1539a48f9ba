"""The keys of the narrative vectors, as questions on the joint odds."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import ge, le, odds
from tests.vectors import Answers, Questions, Vector, vectors, whole

DICE = {
    name: Die(name, tuple(map(Bag, faces)))
    for name, faces in vectors("narrative")["faces"].items()
    if name != "key"
}
AXES = Axes(
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


def pool(vector: Vector, dice: Mapping[str, Die] = DICE, axes: Axes = AXES) -> Answers:
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


QUESTIONS: Questions = {"starwars_genesys": pool}
"""The function for each group of vectors of this folder."""
