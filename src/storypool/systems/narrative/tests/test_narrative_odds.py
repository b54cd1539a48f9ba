"""The odds of narrative dice: exact vectors, contests, offers, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest

from storypool import odds as odds_of
from storypool import systems
from storypool.cli import main
from storypool.cli.odds_answer import reckoned
from storypool.odds import Distribution
from storypool.odds.question import OddsShown
from storypool.systems.narrative import symbol_odds as narrative
from storypool.systems.narrative.symbol_dice import AXES, BOOST, CHALLENGE, PROFICIENCY
from tests.games_with_odds import raises_the_odds
from tests.vectors import vectors

VECTORS = {**vectors("narrative"), **vectors("starwars")}


GROUPS = ("starwars_genesys", "starwars_force_dice", "starwars_destiny_pool")


CASES = {vector["id"]: vector for group in GROUPS for vector in VECTORS[group]}


Row = dict[str, int]


NARRATIVE: dict[str, Callable[[Row], bool]] = {
    "p_success": lambda r: r["success"] >= 1,
    "p_net_zero_success": lambda r: r["success"] == 0,
    "p_net_failure": lambda r: r["success"] <= -1,
    "p_net_advantage_ge_1": lambda r: r["advantage"] >= 1,
    "p_net_advantage_ge_2": lambda r: r["advantage"] >= 2,
    "p_net_advantage_ge_3": lambda r: r["advantage"] >= 3,
    "p_net_advantage_zero": lambda r: r["advantage"] == 0,
    "p_net_threat_ge_1": lambda r: r["advantage"] <= -1,
    "p_net_threat_ge_2": lambda r: r["advantage"] <= -2,
    "p_triumph_ge_1": lambda r: r["triumph"] >= 1,
    "p_despair_ge_1": lambda r: r["despair"] >= 1,
    "p_triumph_and_despair": lambda r: r["triumph"] >= 1 and r["despair"] >= 1,
    "p_success_and_net_advantage": lambda r: r["success"] >= 1 and r["advantage"] >= 1,
    "p_success_and_net_threat": lambda r: r["success"] >= 1 and r["advantage"] <= -1,
    "p_fail_and_net_advantage": lambda r: r["success"] <= 0 and r["advantage"] >= 1,
    "p_fail_and_triumph": lambda r: r["success"] <= 0 and r["triumph"] >= 1,
    "p_success_and_despair": lambda r: r["success"] >= 1 and r["despair"] >= 1,
    "p_total_washout": lambda r: not any(r.values()),
}


FORCE: dict[str, Callable[[Row], bool]] = {
    "p_light_ge_1": lambda r: r["light"] >= 1,
    "p_light_ge_2": lambda r: r["light"] >= 2,
    "p_light_ge_3": lambda r: r["light"] >= 3,
    "p_dark_ge_1": lambda r: r["dark"] >= 1,
    "p_no_light": lambda r: r["light"] == 0,
    "p_no_dark": lambda r: r["dark"] == 0,
    "p_needs_flip_for_1_point": lambda r: r["light"] == 0,
    "p_zero_light": lambda r: r["light"] == 0,
    "p_zero_dark": lambda r: r["dark"] == 0,
    "p_light_gt_dark": lambda r: r["light"] > r["dark"],
    "p_light_eq_dark": lambda r: r["light"] == r["dark"],
    "p_light_lt_dark": lambda r: r["light"] < r["dark"],
}


MEANS = {
    "mean_net_success": ("success",),
    "mean_net_advantage": ("advantage",),
    "mean_light": ("light",),
    "mean_dark": ("dark",),
    "mean_pool_size": ("light", "dark"),
}


SPREADS: dict[str, Callable[[Row], str]] = {
    "net_success_distribution": lambda r: str(r["success"]),
    "net_advantage_distribution": lambda r: str(r["advantage"]),
    "joint_light_dark": lambda r: f"{r['light']}L{r['dark']}D",
    "pool_size_distribution": lambda r: str(r["light"] + r["dark"]),
}


OUTCOMES = {
    "success": "p_success",
    "advantage": "p_net_advantage_ge_1",
    "threat": "p_net_threat_ge_1",
    "triumph": "p_triumph_ge_1",
    "despair": "p_despair_ge_1",
    "light": "p_light_ge_1",
    "dark": "p_dark_ge_1",
}


FIELDS = {"id", "note", "method", "pool", "players", "results", "approx_p_success"}


def answer_of(vector: dict[str, Any], system: str = "starwars") -> OddsShown:
    """The answer of the command to the pool of a vector, typed in its notation."""
    pool = vector.get("pool") or {"force": vector["players"]}
    return reckoned(system, systems.dice(system).NOTATION.show(pool), {})


def joint_of(answer: OddsShown) -> list[tuple[Row, Fraction]]:
    """The joint odds with their axes named."""
    return [
        (dict(zip(answer["axes"], row, strict=True)), Fraction(odds))
        for row, odds in answer["joint"]
    ]


def p(joint: list[tuple[Row, Fraction]], holds: Callable[[Row], bool]) -> Fraction:
    """The odds of a yes."""
    return sum((odds for row, odds in joint if holds(row)), Fraction(0))


@pytest.mark.parametrize("vector", CASES.values(), ids=CASES)
def test_vector(vector: dict[str, Any]) -> None:
    """The joint odds of the command answer every key of a vector."""
    answer = answer_of(vector)
    joint = joint_of(answer)
    asked = dict(vector["results"])
    for key, question in (NARRATIVE | FORCE).items():
        if key in asked:
            assert Fraction(asked.pop(key)) == p(joint, question), key
    for key, axes in MEANS.items():
        if key in asked:
            assert Fraction(asked.pop(key)) == sum(
                Fraction(answer["mean"][axis]) for axis in axes
            ), key
    assert {} == asked
    for key in vector.keys() - FIELDS:
        found: dict[str, Fraction] = {}
        for row, odds in joint:
            found[SPREADS[key](row)] = found.get(SPREADS[key](row), Fraction(0)) + odds
        assert {name: Fraction(odds) for name, odds in vector[key].items()} == found, key


@pytest.mark.parametrize("vector", CASES.values(), ids=CASES)
def test_answer_is_complete(vector: dict[str, Any]) -> None:
    """The joint rows are sorted and sum to 1; means and outcomes follow from them."""
    answer = answer_of(vector)
    joint = joint_of(answer)
    assert 1 == sum(odds for _, odds in joint)
    assert sorted(row for row, _ in answer["joint"]) == [row for row, _ in answer["joint"]]
    assert answer["axes"] == list(answer["mean"])
    for axis in answer["axes"]:
        assert sum(row[axis] * odds for row, odds in joint) == Fraction(answer["mean"][axis])
    for name, odds in answer["outcomes"].items():
        if name == "failure":
            # Everything but success, including net zero: seed 003.
            assert 1 == Fraction(odds) + Fraction(answer["outcomes"]["success"])
        elif OUTCOMES[name] in vector["results"]:
            assert vector["results"][OUTCOMES[name]] == odds, name
    narrative, force = (
        ["success", "failure", "advantage", "threat", "triumph", "despair"],
        ["light", "dark"],
    )
    assert (force if "force" in answer["pool"] else narrative) == list(answer["outcomes"])


@pytest.mark.parametrize("vector", VECTORS["starwars_genesys"], ids=lambda v: v["id"])
def test_genesys_shares_the_narrative_dice(vector: dict[str, Any]) -> None:
    """Genesys gives the same odds for the same pool."""
    ours, theirs = answer_of(vector, "genesys"), answer_of(vector)
    assert theirs | {"system": "genesys"} == ours


def test_mixed_pool_has_all_axes() -> None:
    """Force dice are independent of the narrative dice next to them, on six axes."""
    mixed, apart = (
        reckoned("starwars", "1A1F/1D", {}),
        [reckoned("starwars", text, {}) for text in ("1A/1D", "1F")],
    )
    assert ["success", "advantage", "triumph", "despair", "light", "dark"] == mixed["axes"]
    beside = {
        (*a, *b): Fraction(one) * Fraction(other)
        for (a, one), (b, other) in product(apart[0]["joint"], apart[1]["joint"])
    }
    assert beside == {tuple(row): Fraction(odds) for row, odds in mixed["joint"]}


def test_equal_contest_is_even() -> None:
    """Equal pools win equally often, and the three outcomes sum to 1."""
    outcomes = {
        k: Fraction(v) for k, v in reckoned("starwars", "2A/2D", {}, "2A/2D")["outcomes"].items()
    }
    assert ["active", "tie", "opponent"] == list(outcomes)
    assert outcomes["active"] == outcomes["opponent"] > 0
    assert 1 == sum(outcomes.values())


@pytest.mark.parametrize("tiebreak", ["triumph", "advantage", "none"])
def test_contest_follows_from_the_joints(tiebreak: str) -> None:
    """The winner, counted row by row: most successes of those who succeed, then the tiebreak."""
    mine, theirs = (joint_of(reckoned("starwars", text, {})) for text in ("1A1P/1D", "2P/1C"))
    ranks = {
        "triumph": ("triumph", "advantage"),
        "advantage": ("advantage", "triumph"),
        "none": (),
    }[tiebreak]

    def place(row: Row) -> tuple[int, ...]:
        if row["success"] > 0:
            return (row["success"], *(row[axis] for axis in ranks))
        return (0, *(0 for _ in ranks))

    expected = {"active": Fraction(0), "tie": Fraction(0), "opponent": Fraction(0)}
    for (a, one), (b, other) in product(mine, theirs):
        if place(a) > place(b):
            won = "active"
        elif place(a) < place(b):
            won = "opponent"
        else:
            won = "tie"
        expected[won] += one * other
    answer = reckoned("starwars", "1A1P/1D", {"competitive_tiebreak": tiebreak}, "2P/1C")
    assert expected == {name: Fraction(odds) for name, odds in answer["outcomes"].items()}
    assert {"proficiency": 2, "challenge": 1} == answer["against"]


class Ways(int):
    """A number of ways that counts its multiplications."""

    times = 0

    def __mul__(self, other: int) -> int:
        Ways.times += 1
        return int(self) * int(other)


def test_contest_takes_no_longer_than_its_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place of one side is combined with all places of the other at once."""
    places = narrative._places

    def counted(of: Distribution, ranked: tuple[str, ...]) -> dict[tuple[int, ...], int]:
        return {place: Ways(n) for place, n in places(of, ranked).items()}

    monkeypatch.setattr(narrative, "_places", counted)
    monkeypatch.setattr(Ways, "times", 0)
    outcomes = {
        k: Fraction(v)
        for k, v in reckoned("starwars", "6P4B/2C", {}, "6P4B/3C")["outcomes"].items()
    }
    rows = len(
        places(
            odds_of([(PROFICIENCY, 6), (BOOST, 4), (CHALLENGE, 3)], AXES),
            ("triumph", "advantage"),
        )
    )
    others = len(
        places(
            odds_of([(PROFICIENCY, 6), (BOOST, 4), (CHALLENGE, 2)], AXES),
            ("triumph", "advantage"),
        )
    )
    assert rows < Ways.times < 6 * rows < rows * others
    assert outcomes["active"] > outcomes["opponent"]
    assert 1 == sum(outcomes.values())


def test_odds_of_one_pool(capsys: pytest.CaptureFixture[str]) -> None:
    """The odds of a small and a larger pool, for programs, for people and as bars."""
    assert 0 == main(["odds", "starwars", "1 ability", "vs", "difficulty", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert ("starwars", {"ability": 1, "difficulty": 1}, {}) == (
        answer["system"],
        answer["pool"],
        answer["terms"],
    )
    assert [[-2, 0, 0, 0], "1/64"] == answer["joint"][0]
    assert {"success": "11/32", "failure": "21/32"} == {
        k: answer["outcomes"][k] for k in ("success", "failure")
    }
    assert 0 == main(["odds", "starwars", "2A1P/2D"])
    lines = capsys.readouterr().out.splitlines()
    assert "2 ability 1 proficiency vs 2 difficulty" == lines[0]
    assert ["success", "65.08%", f"{'█' * 19}▌", "7997/12288"] == lines[1].split()
    at = lines.index("success, exactly")
    assert list(range(-4, 7)) == [int(line.split()[0]) for line in lines[at + 1 : at + 12]]


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["genesys", "1F"], "pool"),
        (["starwars", "10A10P10B/10D10C10S"], "pool"),
        (["starwars", "2A", "--against", "2F"], "against"),
        (
            ["starwars", "2A", "--against", "2A", "competitive_tiebreak=coin"],
            "competitive_tiebreak",
        ),
    ],
)
def test_invalid_pools_are_refused(
    words: list[str], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal of a die, of too many dice, of a contest or a tiebreak names the field."""
    assert 2 == main(["odds", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert ("argument", field) == (error["code"], error["field"])


@pytest.mark.parametrize(
    ("more", "label"),
    [
        ([], "success 65.1 %; failure 34.9 %"),
        (["--picture", "curve", "--axis", "triumph"], "triumph at least 1: 8.3 %"),
        (["--picture", "map"], "success against advantage"),
        (["--compare", "2P/2D"], "success 65.1 % against"),
        (["--compare", "2P/2D", "--axis", "success"], "success at least 1: 65.1 %"),
    ],
)
def test_picture_has_its_numbers_as_text(
    more: list[str], label: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader who cannot see the picture can read its numbers."""
    assert 0 == main(["odds", "starwars", "2A1P/2D", "--svg", "-", *more])
    assert label in (ElementTree.fromstring(capsys.readouterr().out)[1].text or "")


def test_force_dice_alone_have_no_upgrade(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an action that needs a pool, no offer changes one."""
    assert 0 == main(["odds", "starwars", "F", "--what-if", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert all(row["move"] != "destiny.upgrade" for row in answer["what_if"]["player"])


@pytest.mark.parametrize(
    ("asked", "move", "args", "price"),
    [
        (["starwars", "2A1P/2D"], "destiny.upgrade", {}, {"light": 1}),
        (["genesys", "2A1P/2D"], "story.upgrade", {}, {"players": 1}),
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


@pytest.mark.parametrize("key", ["starwars", "genesys"])
@pytest.mark.parametrize(
    "pool", [{"ability": 2, "difficulty": 1}, {"proficiency": 1, "challenge": 1}, {"setback": 1}]
)
def test_failure_is_the_rest_of_success(key: str, pool: dict[str, int]) -> None:
    """Success and failure are complementary. Source: seed 003, Interpreting the Pool."""
    game = systems.get(key)
    found = narrative.outcomes(narrative.distribution(pool, game.dice, game.axes))
    assert 1 == found["success"] + found["failure"]
