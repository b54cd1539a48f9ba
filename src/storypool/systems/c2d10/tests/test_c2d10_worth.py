"""The worth of C2D10's points before and after a roll."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import pytest

from storypool import play, systems
from storypool.cli import main
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.engine.events import CharacterSet
from storypool.engine.fold import evolve
from storypool.engine.table import Character, Check, Outcome, Table, Trait, Value
from storypool.odds.question import Worth
from storypool.systems.c2d10 import odds
from storypool.systems.c2d10.stakes import further, question
from storypool.worth import weighing
from tests.games_with_odds import raises_the_odds


def check(phase: Literal["build", "rolled"] = "build", **more: Any) -> Check:
    """A test of four dice against DC 2, or with these changes."""
    terms: dict[str, Value] = {"kind": "test", "dc": 2, "target": 2}
    base = Check("c1", "mira", "players", pool=Bag(d10=4), terms=terms)
    return replace(base, phase=phase, **more)


SCENE = """\
table c2d10 trust=players_set
seat kay side=gm
seat ann mira: strength=2 brawl=2
points hero=6
ann check.declare as=mira pool=4d10 dc=2
"""


def weighed_by_ann(more: str = "") -> dict[str, tuple[int, Fraction, Fraction]]:
    """The worth of each of Ann's offers in this scene: price, and chance before and after."""
    performed = play.perform(play.read(SCENE + more, "scene.play"))
    found = weighing.weighed(systems.get("c2d10"), performed.table, "ann").worth
    return {
        f"{one.move} {one.args.get('n', '')}".strip(): (
            one.price.total,
            first(one.before),
            first(one.after),
        )
        for one in found
    }


def first(odds: Mapping[str, Fraction]) -> Fraction:
    """The chance of the main outcome."""
    return next(iter(odds.values()))


def test_dice_and_rerolls_before_the_roll() -> None:
    """For four dice at DC 2 both lead from 48.55 % to 59.183 %, for 1 point each."""
    before, after = Fraction(971, 2000), Fraction(59183, 100000)
    found = weighed_by_ann()
    assert (1, before, after) == found["dice.buy 1"] == found["check.reroll"]
    assert [1, 3, 6] == [found[f"dice.buy {n}"][0] for n in (1, 2, 3)]
    assert 2 == weighed_by_ann("ann dice.buy n=1\n")["dice.buy 1"][0]


def test_unaffordable_offers_have_no_worth() -> None:
    """Without a hero point there is no re-roll to hold, and no die to buy."""
    assert {"check.reroll", "dice.buy 1"} == weighed_by_ann("points hero=1\n").keys()
    assert {} == weighed_by_ann("points hero=0\n")


def test_rerolls_and_successes_after_the_roll() -> None:
    """One success short, three of ten faces pass; two short, one. A success is progress by 1."""
    on_table = (Rolled("d10", 7), Rolled("d10", 1))
    table = Table()
    for margin, chance in ((-1, Fraction(3, 10)), (-2, Fraction(1, 10)), (-3, Fraction(0))):
        failed = check("rolled", rolled=on_table, outcome=Outcome(False, margin, Bag()))
        assert [Worth("check.reroll", {}, {"pass": Fraction(0)}, {"pass": chance})] == list(
            further(table, failed)
        )
    passed = check("rolled", rolled=on_table, outcome=Outcome(True, 1, Bag()))
    nobody = replace(passed, actor="nobody")
    assert [] == list(further(table, nobody))
    party = evolve(table, CharacterSet(Character("juna", "Juna", "players", "ann")))
    gains = {"hero_points": Fraction(1)}, {"hero_points": Fraction(7, 5)}
    assert [Worth("check.reroll", {}, *gains, of="amount")] == list(
        further(party, replace(passed, actor="juna"))
    )
    added = replace(nobody, terms={**nobody.terms, "conflict": "t1", "added": 1, "settled": True})
    progress = {"progress": Fraction(3)}, {"progress": Fraction(4)}
    for side, worth in (
        ("@gm", [Worth("success.buy", {}, *progress, of="amount")]),
        ("@players", []),
    ):
        # Without a score for the successful side, progress is worth nothing.
        fight = (
            Trait("t1", "conflict", "A fight"),
            Trait("t2", "progress", "Progress", side, goal=9, at="t1"),
        )
        assert worth == list(further(replace(table, traits={one.id: one for one in fight}), added))


def test_reroll_after_the_roll_costs_a_point() -> None:
    """The offer shows its price and chance."""
    assert (1, Fraction(0), Fraction(3, 10)) == weighed_by_ann("ann check.roll dice 7 1 1 1\n")[
        "check.reroll"
    ]


def test_hidden_test_weighs_no_points() -> None:
    """Nobody spends on a hidden roll, so a re-roll is not weighed."""
    seen = check(terms={"kind": "test", "dc": 2, "target": 2}, pool=Bag(d10=4))
    assert ["check.reroll"] == [one.move for one in further(Table(), seen)]
    assert [] == list(further(Table(), replace(seen, seen_by=("gm",))))


def test_contests_and_unknown_dcs_are_weighed() -> None:
    """A contest compares two pools; without a DC there is no answer."""
    asked = question(Table(), check(pool=Bag(d10=6, rival=4), terms={"kind": "contest"}))
    assert asked is not None
    assert Fraction(2752970079, 5000000000) == odds.reckon(asked).outcomes["active"]
    assert question(Table(), check(terms={"kind": "test"})) is None
    # At DC 0 nothing is rolled or gained unless the Keeper asks for the roll.
    free = {"kind": "test", "dc": 0, "target": 0}
    assert question(Table(), check(terms=free)) is None
    assert [] == list(further(Table(), check(terms=free)))
    assert question(Table(), check(terms={**free, "called": True})) is not None
    assert question(Table(), check(pool=Bag(d10=6), terms={"kind": "contest"})) is None
    assert [] == list(further(Table(), check(terms={"kind": "test"})))


def test_mean_points_include_only_future_points() -> None:
    """Excess is the party's or its opponents' points; none with bought dice, or for neutrals."""
    expected = Fraction(1773, 5000)
    scene = SCENE + "kay npc.add name=Rook dice=4 stance={stance}\n" + "ann check.cancel\n"
    declared = "kay check.declare as=rook pool=4d10 dc=2\n"

    def means(more: str) -> Mapping[str, Fraction]:
        performed = play.perform(play.read(more, "scene.play"))
        found = weighing.weighed(systems.get("c2d10"), performed.table, "kay").odds
        assert found is not None
        return {name: mean for name, mean in found.means.items() if name.endswith("points")}

    assert {"hero_points": expected} == means(SCENE)
    assert {} == means(SCENE + "ann dice.buy n=1\n")
    assert {"villain_points": expected} == means(scene.format(stance="opposed") + declared)
    assert {"hero_points": expected} == means(scene.format(stance="heroes") + declared)
    assert {} == means(scene.format(stance="neutral") + declared)


@pytest.mark.parametrize(
    ("asked", "move", "args", "price"),
    [
        (["c2d10", "4d10", "dc=2", "crisis=1"], "dice.buy", {"n": 2}, {"hero": 3}),
    ],
)
def test_what_if_shows_worths(
    capsys: pytest.CaptureFixture[str],
    asked: list[str],
    move: str,
    args: dict[str, object],
    price: dict[str, int],
) -> None:
    """`--what-if` shows the effect of points on a pool, with the price and exact odds."""
    raises_the_odds(capsys, asked, move, args, price)


def test_what_if_refuses_impossible_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """`--what-if` refuses a question of no single action, and names the part to leave out."""
    assert 2 == main(["odds", "c2d10", "4d10", "--against", "3d10", "--what-if", "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert "argument" == error["code"]
    assert "--what-if" in error["remedy"]
