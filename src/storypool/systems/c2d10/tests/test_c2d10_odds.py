"""Odds of C2D10: vectors through the terminal, re-rolls and terms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from storypool.cli import main
from storypool.cli.odds_answer import reckoned
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.odds import Distribution, ge
from storypool.systems.c2d10 import odds
from storypool.systems.c2d10.dice import DICE
from tests.vectors import vectors

VECTORS = vectors("c2d10")["c2d10"]
FIELDS = {"id", "note", "method", "pool", "results"}
FACES = range(10)

Row = dict[str, int]
Question = Callable[[Row, int], bool]

SHARES: dict[str, Question] = {
    "p_pass": lambda r, dc: r["successes"] >= dc,
    "p_fail": lambda r, dc: r["successes"] < dc,
    "p_excess_ge_1": lambda r, dc: r["successes"] > dc,
    "p_fail_with_setback": lambda r, dc: r["successes"] < dc and r["zeros"] > 0,
    "p_any_complication": lambda r, dc: r["crisis_zeros"] > 0,
    "p_pass_with_complication": lambda r, dc: r["successes"] >= dc and r["crisis_zeros"] > 0,
    "p_fail_with_complication": lambda r, dc: r["successes"] < dc and r["crisis_zeros"] > 0,
}


def asked(pool: dict[str, Any]) -> Any:
    """The output of the terminal for the pool of a vector."""
    if "a" in pool:
        return reckoned("c2d10", f"{pool['a']}d10", {}, f"{pool['b']}d10")
    terms = {"dc": str(pool["dc"])}
    if pool.get("crisis"):
        terms["crisis"] = str(pool["crisis"])
    if "reroll_budget" in pool:
        terms["rerolls"] = str(pool["reroll_budget"])
    return reckoned("c2d10", f"{pool['dice']}d10", terms)


def rows(answer: Any) -> list[tuple[Row, Fraction]]:
    """The joint odds as rows by axis."""
    return [
        (dict(zip(answer["axes"], row, strict=True)), Fraction(share))
        for row, share in answer["joint"]
    ]


def answers(vector: dict[str, Any]) -> dict[str, Any]:
    """The answers to every key of a vector of this group."""
    pool, reply = vector["pool"], asked(vector["pool"])
    if "a" in pool:
        shares = {"p_a_more": "active", "p_equal": "tie", "p_b_more": "opponent"}
        return {key: Fraction(reply["outcomes"][name]) for key, name in shares.items()}
    dc, joint = pool["dc"], rows(reply)
    found: dict[str, Any] = {}
    for key, holds in SHARES.items():
        found[key] = sum(p for row, p in joint if holds(row, dc))
    by_successes: dict[str, Fraction] = {}
    for row, p in joint:
        by_successes[str(row["successes"])] = (
            by_successes.get(str(row["successes"]), Fraction(0)) + p
        )
    found |= {
        "approx_p_pass": found["p_pass"],
        "mean_successes": Fraction(reply["mean"]["successes"]),
        "mean_hero_points_uncapped": Fraction(reply["mean"]["hero_points"]),
        "mean_setbacks_suffered": sum(
            p * row["zeros"] for row, p in joint if row["successes"] < dc
        ),
        "success_distribution": by_successes,
    }
    if "reroll_budget" in pool:
        found["mean_points_spent"] = Fraction(reply["mean"]["points_spent"])
        return found
    # A crisis 9 is on no axis of the answer; the game's own distribution has it.
    d = odds.distribution(odds.with_crisis(Bag(d10=pool["dice"]), pool["crisis"]))
    found["p_clean_pass"] = d.p(successes=ge(dc), crisis_zeros=0, messes=0)
    found["p_crisis_nine"] = d.p(messes=ge(1))
    return found


def exact(value: Any) -> Any:
    """A vector's value: texts as fractions."""
    if isinstance(value, dict):
        return {key: Fraction(share) for key, share in value.items()}
    return Fraction(value)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_every_vector(vector: dict[str, Any]) -> None:
    """The odds of the terminal give every number of the vector exactly; no key is left out."""
    found = answers(vector)
    keys = {
        **vector["results"],
        **{key: value for key, value in vector.items() if key not in FIELDS},
    }
    assert set() == keys.keys() - found.keys()
    for key, value in keys.items():
        if key.startswith("approx_"):
            assert value == round(float(found[key]), 6)
        else:
            assert exact(value) == found[key], key


@pytest.mark.parametrize(
    "vector", [v for v in VECTORS if "a" not in v["pool"]], ids=lambda vector: vector["id"]
)
def test_answer_has_its_shape(vector: dict[str, Any]) -> None:
    """An answer has the promised axes, outcomes and means, and complete sorted joint odds."""
    reply = asked(vector["pool"])
    assert ["successes", "zeros", "crisis_zeros"] == reply["axes"]
    assert ["pass", "fail", "setback", "complication", "mess"] == list(reply["outcomes"])
    points = ["points_spent"] if "reroll_budget" in vector["pool"] else []
    assert [*reply["axes"], "hero_points", *points] == list(reply["mean"])
    assert sorted(reply["joint"]) == reply["joint"]
    assert 1 == sum(Fraction(share) for _, share in reply["joint"])
    joint, dc = rows(reply), vector["pool"]["dc"]
    same = {
        "pass": "p_pass",
        "fail": "p_fail",
        "setback": "p_fail_with_setback",
        "complication": "p_any_complication",
    }
    for name, key in same.items():
        assert Fraction(reply["outcomes"][name]) == sum(
            p for row, p in joint if SHARES[key](row, dc)
        ), name
    assert {"d10": vector["pool"]["dice"]} == reply["pool"]
    assert str(dc) == reply["terms"]["dc"]


def test_odds_state_the_assumed_dc(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a DC the odds are against the default one, as the first line and the JSON say."""
    assert 0 == main(["odds", "c2d10", "4d10"])
    assert "4 d10, dc=2 (assumed)" == capsys.readouterr().out.splitlines()[0]
    assumed, given = reckoned("c2d10", "4d10", {}), reckoned("c2d10", "4d10", {"dc": "2"})
    assert ({"dc": "2"}, given["outcomes"]) == (assumed["assumed"], assumed["outcomes"])
    assert "assumed" not in given


def test_mess_needs_a_pass_and_a_crisis_nine() -> None:
    """A mess is a crisis 9 in a passing test: seed 001, counted by hand for one and two dice."""
    assert "0/1" == reckoned("c2d10", "4d10", {})["outcomes"]["mess"]
    assert "1/10" == reckoned("c2d10", "1 crisis", {"dc": "2"})["outcomes"]["mess"]
    assert "0/1" == reckoned("c2d10", "1 crisis", {"dc": "3"})["outcomes"]["mess"]
    # 9 and at least one more: 7, 8 or 9 on the other die.
    assert "3/100" == reckoned("c2d10", "1 d10 1 crisis", {"dc": "3"})["outcomes"]["mess"]


# Points for re-rolls.


def value(face: int) -> int:
    """The successes on a face."""
    return {7: 1, 8: 1, 9: 2}.get(face, 0)


@cache
def played(
    faces: tuple[int, ...], crisis: tuple[int, ...], dc: int, points: int
) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """The outcomes of these faces, counted by hand, with their odds."""
    successes = sum(map(value, faces + crisis))
    again = [face for face in faces if not value(face)]
    if successes >= dc or not points or not again:
        return (((successes, faces.count(0), crisis.count(0), crisis.count(9), 0), Fraction(1)),)
    rest = list(faces)
    rest.remove(0 if 0 in again else again[0])
    found: dict[tuple[int, ...], Fraction] = {}
    for face in FACES:
        for (*row, n), share in played(tuple(sorted([*rest, face])), crisis, dc, points - 1):
            found[(*row, n + 1)] = found.get((*row, n + 1), Fraction(0)) + share / 10
    return tuple(found.items())


@pytest.mark.parametrize(
    ("dice", "crisis", "dc", "points"),
    [
        (1, 0, 1, 1),
        (1, 0, 2, 4),
        (2, 0, 2, 1),
        (2, 1, 1, 2),
        (3, 0, 3, 2),
        (3, 1, 2, 1),
        (3, 1, 4, 3),
        (2, 2, 1, 2),
    ],
)
def test_rerolls_match_the_table(dice: int, crisis: int, dc: int, points: int) -> None:
    """Points go one by one while the test fails, a 0 first, never on a crisis die."""
    found: dict[tuple[int, ...], Fraction] = {}
    for faces in product(FACES, repeat=dice):
        regular, shaken = tuple(sorted(faces[crisis:])), faces[:crisis]
        for row, share in played(regular, shaken, dc, points):
            found[row] = found.get(row, Fraction(0)) + share / 10**dice
    reply = odds.rolled_again(odds.with_crisis(Bag(d10=dice), crisis), dc, points)
    assert found == dict(reply.joint())


@pytest.mark.parametrize("dice", range(1, 6))
@pytest.mark.parametrize("points", [1, 2, 3])
def test_reroll_is_worth_a_die(dice: int, points: int) -> None:
    """Up to a DC of the number of dice a re-roll is worth one more die; above it less."""
    for dc in range(1, dice + 1):
        again = odds.rolled_again(Bag(d10=dice), dc, points).p(successes=ge(dc))
        assert odds.distribution(Bag(d10=dice + points)).p(successes=ge(dc)) == again
    beyond = odds.rolled_again(Bag(d10=dice), dice + 1, points).p(successes=ge(dice + 1))
    assert beyond < odds.distribution(Bag(d10=dice + points)).p(successes=ge(dice + 1))


def test_reroll_odds_are_not_cached() -> None:
    """Odds with re-rolls are not cached: anybody's questions could fill a server's memory."""
    assert not [name for name, value in vars(odds).items() if hasattr(value, "cache_info")]


def test_more_points_than_needed_are_kept() -> None:
    """Nothing is spent on a passing test, nor ever at DC 0."""
    reply = reckoned("c2d10", "3d10", {"dc": "0", "rerolls": "20"})
    assert ("0/1", "1/1", "6/5") == (
        reply["mean"]["points_spent"],
        reply["outcomes"]["pass"],
        reply["mean"]["hero_points"],
    )


# Contests, notation, terms.


def test_tie_rules() -> None:
    """A tie is a draw, the defender's, or shared, by the table's option; the odds sum to 1."""
    reply = {}
    for tie in ("draw", "defender", "reroll"):
        outcomes = reckoned("c2d10", "6d10", {"contest_tie": tie}, "4d10")["outcomes"]
        reply[tie] = {name: Fraction(share) for name, share in outcomes.items()}
    draw = reply["draw"]
    assert [1, 1, 1] == [sum(shares.values()) for shares in reply.values()]
    assert draw["opponent"] + draw["tie"] == reply["defender"]["opponent"]
    assert draw["active"] / (1 - draw["tie"]) == reply["reroll"]["active"]
    assert 0 == reply["defender"]["tie"] == reply["reroll"]["tie"]
    nothing = Distribution.from_outcomes(["successes"], {(0,): 1})
    undecided, excess = odds.contest(nothing, nothing, "reroll")
    assert {"active": 0, "tie": 1, "opponent": 0} == undecided
    assert 0 == excess


@pytest.mark.parametrize("tie", ["draw", "defender", "reroll"])
def test_contest_winner_gains_the_excess(tie: str) -> None:
    """The mean of its hero points is that of all faces, with ties re-rolled or not."""
    shown = list(product(FACES, repeat=3))
    ahead = [value(a) + value(b) - value(c) for a, b, c in shown]
    among = [n for n in ahead if n or tie != "reroll"]
    expected = Fraction(sum(max(0, n) for n in among), len(among))
    reply = reckoned("c2d10", "2d10", {"contest_tie": tie}, "1d10")
    assert expected == Fraction(reply["mean"]["hero_points"])
    theirs = reckoned("c2d10", "2d10", {"contest_tie": tie, "gains": "villain"}, "1d10")
    assert expected == Fraction(theirs["mean"]["villain_points"])
    assert reply["axes"] == list(reckoned("c2d10", "2d10", {"gains": "none"}, "1d10")["mean"])


def test_contest_in_one_pool() -> None:
    """A pool with "vs" is the same contest as with the other side's pool apart."""
    one = reckoned("c2d10", "5D10 1 crisis vs 4d10", {})
    two = reckoned("c2d10", "5d10 crisis", {}, "4d10")
    assert {"d10": 5, "crisis": 1, "rival": 4} == one["pool"]
    assert one["outcomes"] == two["outcomes"]
    assert one["joint"] == two["joint"]


def test_crisis_dice_by_name_or_term() -> None:
    """`crisis=` replaces regular dice, at most all; a pool may also name its crisis dice."""
    named = reckoned("c2d10", "5d10 1crisis", {"dc": "3"})
    term = reckoned("c2d10", "6d10", {"dc": "3", "crisis": "1"})
    assert named["joint"] == term["joint"]
    assert (
        reckoned("c2d10", "2 crisis", {"dc": "1"})["joint"]
        == asked({"dice": 2, "crisis": 3, "dc": 1})["joint"]
    )


@pytest.mark.parametrize(
    ("pool", "terms", "against", "field"),
    [
        ("6d10", {"dc": "11"}, "", "dc"),
        ("6d10", {"dc": "-1"}, "", "dc"),
        ("6d10", {"dc": "two"}, "", "dc"),
        ("6d10", {"rerolls": "21"}, "", "rerolls"),
        ("6d10", {"crisis": "61"}, "", "crisis"),
        ("6d10", {"luck": "1"}, "", "luck"),
        ("6d10", {"dc": "2"}, "4d10", "dc"),
        ("6d10", {"contest_tie": "draw"}, "", "contest_tie"),
        ("6d10", {"contest_tie": "maybe"}, "4d10", "contest_tie"),
        ("31d10", {"rerolls": "1"}, "", "pool"),
        ("6d12", {}, "", "pool"),
        ("6d10", {}, "4d12", "against"),
        ("6d10 vs 2d10", {}, "4d10", "against"),
        ("6d10", {"gains": "mine"}, "4d10", "gains"),
    ],
)
def test_invalid_odds_are_refused(
    pool: str, terms: dict[str, str], against: str, field: str
) -> None:
    """A value out of range or unknown is refused in a sentence that names it."""
    with pytest.raises(Refused) as refused:
        reckoned("c2d10", pool, terms, against)
    assert ("argument", field) == (refused.value.refusal.code, refused.value.refusal.field)
    assert refused.value.refusal.text.endswith(".")


def test_faces_match_the_vectors() -> None:
    """7 and 8 are a success, 9 is two; a 0 is a setback or, on a crisis die, a complication."""
    for die in DICE:
        mark = "rival-" if die.name.startswith("rival") else ""
        assert [value(face) for face in FACES] == [
            die.face(face)[f"{mark}success"] for face in FACES
        ], die.name
        crisis = die.name.endswith("crisis")
        zero = Bag({f"{mark}{'complication' if crisis else 'setback'}": 1})
        assert (zero, int(crisis)) == (die.face(0), die.face(9)[f"{mark}mess"])
        assert 0 == die.first
