"""The keys of the vectors of Force dice, as questions on the joint odds."""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import ge, odds
from tests.vectors import Answers, Questions, Vector, vectors, whole

FORCE = Die("force", tuple(map(Bag, vectors("starwars")["faces"]["force"])))
AXES = Axes({"L": Bag(light=1), "D": Bag(dark=1)}, {})


def force_dice(vector: Vector, die: Die = FORCE, axes: Axes = AXES) -> Answers:
    """Light and dark pips, which do not cancel, and the need of a point.

    A light-side user without a light pip has to turn a point over.
    """
    d = odds({die: vector["pool"]["force"]}, axes).on("light", "dark")
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


def destiny_pool(vector: Vector, die: Die = FORCE, axes: Axes = AXES) -> Answers:
    """The starting points of a session, from one die of each player."""
    d = odds({die: vector["players"]}, axes).on("light", "dark")
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


QUESTIONS: Questions = {"starwars_force_dice": force_dice, "starwars_destiny_pool": destiny_pool}
"""The function for each group of vectors of this folder."""
