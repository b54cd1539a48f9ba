"""A whole panel: the odds of a typical Star Wars check, and the worth of each offer of its player.

Two abilities and a proficiency against two difficulties, with two points on both sides: weighed for
the player, with the other side's best answer to each offer. Cold means that no pool was asked about
before and no table was weighed; warm that the same table was just weighed. The baseline is the
least that any panel needs: the offers of the seat, and one question about each of its pools. The
installed libraries answer the same question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.odds import ONE, Run, alternated, in_units, installed, own, success
from storypool import play, systems
from storypool.engine.bag import Bag
from storypool.engine.offers import offers
from storypool.engine.table import Table
from storypool.odds import rollable as module
from storypool.odds.question import Question
from storypool.systems import game_stakes
from storypool.systems.narrative.symbol_dice import AXES, DICE
from storypool.worth import weighing
from storypool.worth.weighing import Weighed, weighed

KEY, SEAT = "starwars", "ann"
POOL = Bag(ability=2, proficiency=1, difficulty=2)
POINTS = "points light=2 dark=2"
SYSTEM = systems.get(KEY)

GOALS = {"cold": 10e-3, "warm": 1e-3}
"""The longest time of a panel, in seconds."""


def scene() -> Table:
    """The table, with a declared check before its roll."""
    begins = game_stakes.scene(KEY, Question(POOL))
    assert begins is not None
    text = re.sub(r"(?m)^points.*", POINTS, begins)
    performance = play.Performance(play.read(text, "panel"))
    for step in performance.steps():
        assert step.refusal is None
        assert step.problem is None
    return performance.table


def cold(table: Table) -> Weighed:
    """Weigh a table when nothing was asked before."""
    module._pools.clear()
    weighing._answer.cache_clear()
    weighing._kept.clear()
    weighing._sides.clear()
    return weighed(SYSTEM, table, SEAT)


def pools(table: Table) -> Sequence[Bag]:
    """Every pool of the panel: the present one, with each offer, and with each answer."""
    cold(table)
    reading = module._readings[id(AXES)]
    names = {reading.read(die)[0]: die.name for die in DICE}
    asked = [found._pool for _, found in module._pools.values()]
    bags = []
    for pool in filter(None, asked):
        bags.append(Bag({names[kind]: n for kind, n in pool.dice.items()}))
    return bags


def in_turn(runs: Sequence[Run]) -> Run:
    """A run of all of these, one after the other."""

    def run() -> None:
        for each in runs:
            each()

    return run


def main() -> None:
    """Print the figures."""
    libraries, table = installed(), scene()
    asked, panel = pools(table), cold(table)
    answered = sum(one.answered is not None for one in panel.worth)
    print(
        f"\nA panel of {len(panel.worth)} offers, {answered} of them answered, on {len(asked)}"
        " pools"
    )
    dice = [own(pool) for pool in asked]
    runs: dict[str, Run] = {
        "cold": lambda: cold(table),
        "offers alone": lambda: offers(SYSTEM, table, SEAT),
        "pools alone, cold": lambda: [success(pool) for pool in dice],
    }
    for name, library in libraries.items():
        runs[f"pools alone, {name}"] = in_turn([ONE[name](library, pool) for pool in asked])
    times = alternated(runs)
    # Not among the cold ones, which clear the cache that it uses.
    cold(table)
    times |= alternated({"warm": lambda: weighed(SYSTEM, table, SEAT)}, 0.2)
    for name, taken in times.items():
        goal = f", of {in_units(GOALS[name])} at most" if name in GOALS else ""
        print(f"  {name}: {in_units(taken)}{goal}")
