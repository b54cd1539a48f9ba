"""The worth of an offer: its odds, and those after the other side's best answer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from storypool.engine.table import Check, Table
from storypool.odds.question import Worth
from storypool.systems import get
from storypool.systems.narrative.symbol_odds import distribution, outcomes
from storypool.worth.gains import TrialMoves, worth
from tests.sample_table import Evening

STARWARS = get("starwars")


def chances(table: Table, check: Check) -> Mapping[str, Fraction]:
    """The odds of a check of this game."""
    return outcomes(distribution(check.pool, STARWARS.dice, STARWARS.axes))


def scene(light: int, dark: int) -> Evening:
    """Ann tries something average with one rank and three in the characteristic."""
    evening = Evening(STARWARS)
    evening.make("mona", "destiny.begin")
    for account, n in (("light", light), ("dark", dark)):
        evening.make("mona", "points.correct", account=account, to=n, why="for this scene")
    evening.make(
        "ann", "check.declare", {"as": "pash", "pool": "2 ability 1 proficiency vs 2 difficulty"}
    )
    evening.make("mona", "check.agree")
    return evening


def offered(evening: Evening, seat: str) -> dict[str, Worth]:
    """The worth of each offer of a seat, by its move and its die."""
    found = worth(TrialMoves(STARWARS, chances), evening.table, seat)
    return {f"{one.move} {one.args.get('die', '')}".strip(): one for one in found}


def test_point_and_boost_are_compared() -> None:
    """Three against two with one rank has 65 %, more upgraded, and still more with a Boost."""
    offers = offered(scene(light=1, dark=0), "ann")
    assert (
        Fraction(7997, 12288)
        < offers["destiny.upgrade"].after["success"]
        < offers["pool.add boost"].after["success"]
    )
    assert offers["destiny.upgrade"].answered is None


def test_best_answer_is_shown() -> None:
    """With a dark point the GM may answer, which lowers the gain of the upgrade."""
    upgrade = offered(scene(light=1, dark=1), "ann")["destiny.upgrade"]
    assert upgrade.answered is not None
    assert upgrade.answered["success"] < upgrade.after["success"]
    assert {"light": 1} == upgrade.price.written()


def test_answer_to_a_waiting_roll_has_odds() -> None:
    """An answer that lets the waiting dice fall shows the pool that they will be."""
    after = []
    for decision in ("destiny.pass", "check.ready"):
        evening = scene(light=1, dark=1)
        evening.make("ann", decision)
        after.append(offered(evening, "mona")["destiny.upgrade"].after)
    assert after[0] == after[1]


def test_no_pool_means_no_worth() -> None:
    """Between actions no offer changes a pool."""
    evening = scene(light=1, dark=1)
    evening.make("ann", "check.cancel")
    assert {} == offered(evening, "ann")
