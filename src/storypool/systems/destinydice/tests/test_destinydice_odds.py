"""The odds of Destiny Dice: every shared vector through the terminal, contests, options."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from storypool import systems
from storypool.cli import main
from storypool.cli.odds_answer import reckoned
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.odds import Distribution, allowing, ge
from storypool.odds.allowance import SURFACES
from storypool.odds.question import OddsShown, Question
from storypool.play import perform, read
from storypool.systems.destinydice.dice import AXES, DICE, NOTATION, mirrored
from storypool.systems.destinydice.odds import distribution, outcomes
from storypool.systems.destinydice.tests.questions import destiny_dice
from storypool.worth.gains import TrialMoves, worth
from tests.games_with_odds import raises_the_odds
from tests.vectors import holds, vectors

CASES = [pytest.param(vector, id=vector["id"]) for vector in vectors("destinydice")["destiny_dice"]]
OUTCOMES = {
    "p_fail": "fail",
    "p_tie": "tie",
    "p_succeed_any": "succeed",
    "p_succeed_with_style": "style",
    "p_net_advantage_ge_1": "advantage",
    "p_net_disadvantage_ge_1": "disadvantage",
    "p_hope_ge_1": "hope",
    "p_despair_ge_1": "despair",
}
"""The outcomes of the answer, by their keys in the vectors."""


def asked(pool: dict[str, int] | Bag, **terms: str) -> OddsShown:
    """The terminal's answer for a pool, through its notation."""
    return reckoned("destinydice", NOTATION.show(pool), terms)


@pytest.mark.parametrize("vector", CASES)
def test_terminal_matches_every_vector(vector: dict[str, Any]) -> None:
    """The terminal's outcomes, means and margins are those of the vector."""
    answer, results = asked(vector["pool"]), vector["results"]
    assert ["margin", "advantage", "hope", "despair"] == answer["axes"]
    known = {key: Fraction(results[key]) for key in OUTCOMES if key in results}
    assert known
    assert known == {key: Fraction(answer["outcomes"][OUTCOMES[key]]) for key in known}
    joint: dict[tuple[int, ...], Fraction] = {
        tuple(row): Fraction(share) for row, share in answer["joint"]
    }
    assert 1 == sum(joint.values())
    assert sorted(joint) == list(joint)
    for key, axis in (("mean_margin", "margin"), ("mean_net_advantage", "advantage")):
        if key in results:
            assert Fraction(results[key]) == Fraction(answer["mean"][axis])
    whole = results.get("margin_distribution") or vector.get("margin_distribution")
    if whole:
        margins: dict[int, Fraction] = {}
        for row, share in joint.items():
            margins[row[0]] = margins.get(row[0], Fraction(0)) + share
        assert {int(margin): Fraction(share) for margin, share in whole.items()} == margins


@pytest.mark.parametrize("vector", CASES)
def test_game_dice_match_every_vector(vector: dict[str, Any]) -> None:
    """The game's own dice and axes answer every question of the vectors."""
    holds(vector, destiny_dice(vector, {die.name: die for die in DICE}, AXES))


def test_outcomes_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the named outcomes as JSON, with the parsed pool."""
    assert 0 == main(["odds", "destinydice", "3 skill 1 aid vs 2 difficulty", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert {"skill": 3, "aid": 1, "difficulty": 2} == answer["pool"]
    assert {*OUTCOMES.values()} == set(answer["outcomes"])
    assert "succeed" == next(iter(answer["outcomes"]))
    shares = {name: Fraction(share) for name, share in answer["outcomes"].items()}
    assert 1 == shares["fail"] + shares["tie"] + shares["succeed"]
    assert shares["style"] <= shares["succeed"]


@pytest.mark.parametrize(
    ("pool", "against"),
    [("3 skill", "3 skill 1 aid"), ("2 skill 1 expertise", "1 skill vs 1 hindrance"), ("2S", "2S")],
)
def test_contest_mirrors_the_other_pool(pool: str, against: str) -> None:
    """A contest is one roll with the other pool mirrored: the opposition never rolls."""
    whole = NOTATION.parse(pool) + mirrored(NOTATION.parse(against))
    one, contest = asked(whole)["outcomes"], reckoned("destinydice", pool, {}, against)["outcomes"]
    assert {"active": one["succeed"], "tie": one["tie"], "opponent": one["fail"]} == contest


def test_equal_contest_is_even() -> None:
    """Equal pools win equally often."""
    won = reckoned("destinydice", "1 skill 2 expertise 1 aid", {}, "1 skill 2 expertise 1 aid")[
        "outcomes"
    ]
    assert won["active"] == won["opponent"]


def test_extra_aid_gives_even_odds() -> None:
    """Fair with two Aid against Fair with one succeeds exactly half the time."""
    assert (
        "1/2"
        == asked({"skill": 3, "aid": 2, "difficulty": 3, "hindrance": 1})["outcomes"]["succeed"]
    )


def test_aid_or_upgrade() -> None:
    """An invoke succeeds more often as Aid, and shows a Hope more often as an upgrade."""
    aid = outcomes(distribution(Bag(skill=2, expertise=1, aid=1, difficulty=3)))
    upgrade = outcomes(distribution(Bag(skill=1, expertise=2, difficulty=3)))
    assert (Fraction(13409, 23328), Fraction(1417, 2592)) == (aid["succeed"], upgrade["succeed"])
    assert (Fraction(1, 6), Fraction(11, 36)) == (aid["hope"], upgrade["hope"])


def test_uncancelled_hope_by_every_roll() -> None:
    """With the option, no roll has a margin below its Hopes; rolls without Hope are unchanged."""
    pool = Bag(expertise=1, skill=1, challenge=1)
    plain, stands = asked(pool), asked(pool, hope_success_uncancellable="yes")
    counted: dict[tuple[int, ...], int] = {}
    by_name = {die.name: die for die in DICE}
    for a in by_name["skill"].faces:
        for b in by_name["expertise"].faces:
            for c in by_name["challenge"].faces:
                lie = a + b + c
                other = lie["success"] - lie["failure"] - lie["despair"]
                margin = lie["hope"] + (max(0, other) if lie["hope"] else other)
                row = (margin, lie["advantage"] - lie["disadvantage"], lie["hope"], lie["despair"])
                counted[row] = counted.get(row, 0) + 1
    assert {row: Fraction(n, 216) for row, n in counted.items()} == {
        tuple(row): Fraction(share) for row, share in stands["joint"]
    }
    assert Fraction(stands["outcomes"]["succeed"]) > Fraction(plain["outcomes"]["succeed"])
    assert plain["outcomes"]["hope"] == stands["outcomes"]["hope"]
    assert {"hope_success_uncancellable": "yes"} == stands["terms"]


def test_unknown_term_is_refused() -> None:
    """An unknown term is refused by name."""
    with pytest.raises(Refused, match="Nothing here depends on “difficulty”"):
        asked(Bag(skill=1), difficulty="2")
    with pytest.raises(Refused, match="cannot be “maybe”"):
        asked(Bag(skill=1), hope_success_uncancellable="maybe")


def test_too_many_dice_are_refused() -> None:
    """Too many dice are refused with a clear sentence."""
    with pytest.raises(Refused, match="at most"), allowing(SURFACES):
        systems.odds("destinydice").reckon(Question(Bag(skill=101)))


def test_joint_matches_the_outcomes() -> None:
    """The joint rows form a distribution with the same outcomes."""
    answer = asked(Bag(skill=2, expertise=1, difficulty=2, hindrance=1))
    joint = Distribution.from_outcomes(
        answer["axes"], {tuple(row): Fraction(share) for row, share in answer["joint"]}
    )
    assert Fraction(answer["outcomes"]["style"]) == joint.p(margin=ge(3))


def test_offers_weigh_aid_and_upgrade() -> None:
    """Each way to use an aspect is weighed: the added Aid, and the upgraded Skill."""
    scene = """\
table destinydice
seat ann juna: clever=3
seat gm side=gm
points juna.fate=1
ann aspect.add about=juna text=Patient
ann check.declare as=juna approach=clever
gm check.oppose difficulty=great
"""
    table = perform(read(scene)).table
    tries = TrialMoves(
        systems.get("destinydice"), lambda table, check: outcomes(distribution(check.pool))
    )
    found = worth(tries, table, "ann")
    weighed = {
        one.args["how"]: one.after["succeed"] for one in found if one.move == "aspect.invoke"
    }
    assert {"aid": Fraction(13409, 23328), "upgrade": Fraction(1417, 2592)} == weighed


@pytest.mark.parametrize(
    ("asked", "move", "args", "price"),
    [
        (["destinydice", "2S/1D"], "aspect.invoke", {"how": "upgrade"}, {"hero.fate": 1}),
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
