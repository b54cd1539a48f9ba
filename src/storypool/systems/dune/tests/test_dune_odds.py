"""Odds of 2d20 pools through the command's own function: every shared vector, and refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from storypool.cli import main
from storypool.cli.odds_answer import reckoned
from storypool.engine.refusal import Refused
from storypool.odds.question import OddsShown
from storypool.play import perform
from storypool.systems import get
from storypool.worth.weighing import weighed
from tests.games_with_odds import raises_the_odds
from tests.vectors import vectors

VECTORS = vectors("dune")


def cases(group: str) -> list[Any]:
    """The vectors of a group, each under its own id."""
    return [pytest.param(vector, id=vector["id"]) for vector in VECTORS[group]]


def share(answer: OddsShown, holds: Any) -> Fraction:
    """The odds that something holds of a row of the joint odds."""
    return sum((Fraction(odds) for row, odds in answer["joint"] if holds(*row)), Fraction(0))


def asked(pool: dict[str, Any]) -> dict[str, str]:
    """The terms that a vector's test is asked with."""
    terms = {
        "target": pool["tn"],
        "focus": pool["crit_at_or_below"],
        "difficulty": pool["difficulty"],
    }
    if "automatic_ones" in pool:
        terms |= {"range": pool["complication_range"], "ones": pool["automatic_ones"]}
    if pool.get("assistants"):
        terms["assist"] = ",".join(f"{target}:{focus}" for target, focus in pool["assistants"])
    return {key: str(value) for key, value in terms.items()}


@pytest.mark.parametrize("vector", cases("dune_2d20"))
def test_every_dune_vector_is_answered(vector: dict[str, Any]) -> None:
    """Every number of every vector follows from the answer that the command line gives."""
    pool, results = vector["pool"], vector["results"]
    if "active" in pool:
        return contest(vector)
    terms = asked(pool)
    if "assistants" not in pool:
        answer = reckoned("dune", f"{pool['dice']}d20", terms | {"reroll": "failed"})
        assert {"p_pass": answer["outcomes"]["pass"]} == results
        return None
    need = pool["difficulty"]
    answer = reckoned("dune", f"{pool['dice']}d20", terms)
    have = {
        "p_pass": Fraction(answer["outcomes"]["pass"]),
        "mean_successes": Fraction(answer["mean"]["successes"]),
        "mean_momentum_generated": Fraction(answer["mean"]["momentum"]),
        "p_momentum_ge_1": share(answer, lambda s, c: s > need),
        "p_momentum_ge_2": share(answer, lambda s, c: s > need + 1),
        "p_complication_ge_1": Fraction(answer["outcomes"]["complication"]),
        "p_complication_ge_2": share(answer, lambda s, c: c >= 2),
        "p_pass_no_complication": share(answer, lambda s, c: s >= need and not c),
        "p_pass_with_complication": share(answer, lambda s, c: s >= need and c),
        "p_fail_with_complication": share(answer, lambda s, c: s < need and c),
    }
    assert {key: Fraction(value) for key, value in results.items()} == have
    for n, odds in vector["success_distribution"].items():
        assert Fraction(odds) == share(answer, lambda s, c, n=int(n): s == n)
    assert 1 == share(answer, lambda s, c: True)
    assert 1 == Fraction(answer["outcomes"]["pass"]) + Fraction(answer["outcomes"]["fail"])
    return None


def contest(vector: dict[str, Any]) -> None:
    """A vector of two sides, in the style of Dune or of the SRD."""
    pool, results = vector["pool"], vector["results"]
    mine, theirs = pool["active"], pool.get("opponent") or pool["reactive"]
    terms = {
        "target": str(mine["tn"]),
        "focus": str(mine["crit"]),
        "their_target": str(theirs["tn"]),
        "their_focus": str(theirs["crit"]),
    }
    if "reactive" in pool:
        terms |= {"contest_style": "srd", "difficulty": str(pool["difficulty_both"])}
    else:
        terms |= {"defence": str(pool["extra_difficulty"])}
    answer = reckoned("dune", f"{mine['dice']}d20", terms, f"{theirs['dice']}d20")
    have = {
        "p_active_wins": answer["outcomes"]["active"],
        "p_reactive_wins": answer["outcomes"]["opponent"],
        "p_both_fail": answer["outcomes"]["tie"],
        "mean_active_momentum": answer["mean"]["momentum"],
        "mean_opponent_momentum_on_loss": answer["mean"]["opponent_momentum"],
    }
    assert results == {key: have[key] for key in results}
    assert 1 == sum(map(Fraction, answer["outcomes"].values()))


@pytest.mark.parametrize("vector", cases("2d20_challenge_dice"))
def test_every_challenge_dice_vector_is_answered(vector: dict[str, Any]) -> None:
    """The total and the effects of challenge dice are those of the vectors, row by row."""
    answer = reckoned("dune", f"{vector['id'].removeprefix('cd')} challenge", {})
    results = vector["results"]
    assert ["total", "effects"] == answer["axes"]
    assert results["mean_total"] == answer["mean"]["total"]
    assert results["p_effect_ge_1"] == answer["outcomes"]["effect"]
    assert results["joint_total_effects"] == {f"{n}/{e}e": odds for (n, e), odds in answer["joint"]}


def test_other_side_has_the_same_numbers_unless_they_are_given() -> None:
    """A contest of equals needs no second target number."""
    answer = reckoned("dune", "2d20", {"target": "12"}, "2d20")
    assert "107163/160000" == answer["outcomes"]["active"]


def test_a_die_above_the_target_is_never_critical() -> None:
    """With a focus above the target number only a success is critical.

    Source: seed 004, Skill Test Procedure.
    """
    high, same = (reckoned("dune", "2d20", {"target": "4", "focus": focus}) for focus in ("9", "4"))
    assert same["joint"] == high["joint"]
    assert Fraction(1, 25) == share(high, lambda successes, _: successes == 4)


def test_answer_says_which_difficulty_it_assumed() -> None:
    """Without a Difficulty the odds are those against 1, and say so."""
    assert {"difficulty": "1"} == reckoned("dune", "2d20", {"target": "12"})["assumed"]
    assert "assumed" not in reckoned("dune", "2d20", {"target": "12", "difficulty": "1"})


def test_answer_says_what_was_asked() -> None:
    """The axes, the pool and the terms are those of the question."""
    terms = {
        "target": "14",
        "focus": "7",
        "difficulty": "2",
        "range": "1",
        "ones": "1",
        "assist": "11:5,9",
    }
    answer = reckoned("dune", "3d20", terms)
    assert (["successes", "complications"], {"d20": 3}, terms) == (
        answer["axes"],
        answer["pool"],
        answer["terms"],
    )
    assert {"successes", "complications", "momentum"} == set(answer["mean"])
    assert sorted(answer["joint"]) == answer["joint"]


@pytest.mark.parametrize(
    ("pool", "terms", "field", "words"),
    [
        ("6d20", {"target": "12"}, "pool", "1 to 5 d20, not with 6"),
        ("2d20 1 helper", {"target": "12"}, "pool", "Only d20"),
        ("2d20", {}, "target", "has to be given"),
        ("2d20", {"target": "21"}, "target", "from 1 to 20, not “21”"),
        ("2d20", {"target": "x"}, "target", "not “x”"),
        ("2d20", {"target": "12", "range": "6"}, "range", "from 1 to 5"),
        ("2d20", {"target": "12", "ones": "3"}, "ones", "from 0 to 2"),
        ("1d20 1 automatic", {"target": "12", "ones": "0"}, "ones", "from 1 to 2"),
        ("1d20 1 automatic", {"target": "12", "ones": "one"}, "ones", "from 1 to 2"),
        ("2d20", {"target": "12", "assist": "11:x"}, "assist", "not “11:x”"),
        ("2d20", {"target": "12", "assist": ",".join(["9"] * 11)}, "assist", "at most 10"),
        ("2d20", {"target": "12", "reroll": "all"}, "reroll", "choose one of: none, failed"),
        ("2d20", {"target": "12", "luck": "3"}, "luck", "Nothing here depends on “luck”"),
        ("2d20 1C", {"target": "12"}, "pool", "on their own"),
        ("2C", {"target": "12"}, "target", "Nothing here depends on “target”"),
        ("200C", {}, "pool", "at most 60 dice"),
    ],
)
def test_what_cannot_be_reckoned_is_refused(
    pool: str, terms: dict[str, str], field: str, words: str
) -> None:
    """Each bad question names the field and says in a sentence what would be right."""
    with pytest.raises(Refused) as no:
        reckoned("dune", pool, terms)
    assert (field, True) == (no.value.refusal.field, words in str(no.value)), str(no.value)


def test_difficulty_of_a_contest_is_what_the_opponent_rolls() -> None:
    """A Difficulty is refused in this style, with the way to count defensive assets."""
    with pytest.raises(Refused) as no:
        reckoned("dune", "2d20", {"target": "12", "difficulty": "1"}, "2d20")
    assert ("difficulty", "Give defence=n for what assets add.") == (
        no.value.refusal.field,
        no.value.refusal.remedy,
    )


def test_dice_without_a_test_are_only_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """A d20 rolled for no test passes nothing; challenge dice tell their total."""
    from storypool.cli import main

    assert 0 == main(["roll", "dune", "2d20", "--faces", "1 20"])
    assert "1, 20: against no target number." in capsys.readouterr().out
    assert 0 == main(["roll", "dune", "3C", "--faces", "2 5 3"])
    assert "3 in all, 1 effect." in capsys.readouterr().out


def test_pool_that_changed_after_its_roll_is_not_weighed() -> None:
    """A table that only warns lets a player help too late; a re-roll has no worth then."""
    played = perform("""\
table dune enforcement=warn
seat gm side=gm
seat ann ruhan: battle=7 duty=8
seat bo vell: battle=6 duty=7
points ruhan.determination=1
ann check.declare as=ruhan skill=battle drive=duty difficulty=2 fit=applies
gm  check.agree
ann check.roll dice 19 18
bo  check.assist helper=vell skill=battle drive=duty override
""")
    worth = weighed(get("dune"), played.table, "ann").worth
    assert all(row.move != "determination.reroll" for row in worth)


@pytest.mark.parametrize(
    ("asked", "move", "args", "price"),
    [
        (
            ["dune", "3d20", "target=14", "focus=7", "difficulty=2"],
            "dice.buy",
            {"n": 1},
            {"momentum": 2},
        ),
        (
            ["dune", "2d20", "target=12", "difficulty=2"],
            "determination.one",
            {},
            {"hero.determination": 1},
        ),
        (
            ["dune", "2d20", "target=12", "difficulty=2"],
            "determination.reroll",
            {"which": "failed"},
            {"hero.determination": 1},
        ),
    ],
)
def test_offers_are_worth_what_the_odds_say(
    capsys: pytest.CaptureFixture[str],
    asked: list[str],
    move: str,
    args: dict[str, object],
    price: dict[str, int],
) -> None:
    """`--what-if` shows the effect of spending points, with the price and exact odds."""
    raises_the_odds(capsys, asked, move, args, price)


def test_what_no_action_asks_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """`--what-if` refuses a question that no action asks, and names the part to omit."""
    assert 2 == main(["odds", "dune", "2d20", "target=14", "assist=11:5", "--what-if", "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert "argument" == error["code"]
    assert "--what-if" in error["remedy"]
