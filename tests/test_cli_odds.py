"""`storypool odds`: every exact vector of Star Wars through what the command prints, and what it refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from storypool import odds as module
from storypool import systems
from storypool.cli import main
from storypool.cli.odds_command import reckoned
from storypool.odds import Distribution
from storypool.systems.narrative import odds as narrative
from storypool.systems.narrative.dice import AXES, BOOST, CHALLENGE, PROFICIENCY
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
SAID = {"id", "note", "method", "pool", "players", "results", "approx_p_success"}


def answer_of(vector: dict[str, Any], system: str = "starwars") -> dict[str, Any]:
    """What the command says about the pool of a vector, typed as a pool is typed."""
    pool = vector.get("pool") or {"force": vector["players"]}
    return reckoned(system, systems.dice(system).NOTATION.show(pool), {})


def joint_of(answer: dict[str, Any]) -> list[tuple[Row, Fraction]]:
    """The joint odds with their axes named."""
    return [(dict(zip(answer["axes"], row, strict=True)), Fraction(odds)) for row, odds in answer["joint"]]


def p(joint: list[tuple[Row, Fraction]], holds: Callable[[Row], bool]) -> Fraction:
    """The odds that a question is answered with yes."""
    return sum((odds for row, odds in joint if holds(row)), Fraction(0))


@pytest.mark.parametrize("vector", CASES.values(), ids=CASES)
def test_vector(vector: dict[str, Any]) -> None:
    """Each number of a vector is a question on the joint odds that the command prints, and no key is left over."""
    answer = answer_of(vector)
    joint = joint_of(answer)
    asked = dict(vector["results"])
    for key, question in (NARRATIVE | FORCE).items():
        if key in asked:
            assert Fraction(asked.pop(key)) == p(joint, question), key
    for key, axes in MEANS.items():
        if key in asked:
            assert Fraction(asked.pop(key)) == sum(Fraction(answer["mean"][axis]) for axis in axes), key
    assert {} == asked
    for key in vector.keys() - SAID:
        found: dict[str, Fraction] = {}
        for row, odds in joint:
            found[SPREADS[key](row)] = found.get(SPREADS[key](row), Fraction(0)) + odds
        assert {name: Fraction(odds) for name, odds in vector[key].items()} == found, key


@pytest.mark.parametrize("vector", CASES.values(), ids=CASES)
def test_answer_is_whole(vector: dict[str, Any]) -> None:
    """The joint rows are sorted and sum to 1, means follow from them, and each outcome is the vector's own number."""
    answer = answer_of(vector)
    joint = joint_of(answer)
    assert 1 == sum(odds for _, odds in joint)
    assert sorted(row for row, _ in answer["joint"]) == [row for row, _ in answer["joint"]]
    assert answer["axes"] == list(answer["mean"])
    for axis in answer["axes"]:
        assert sum(row[axis] * odds for row, odds in joint) == Fraction(answer["mean"][axis])
    for name, odds in answer["outcomes"].items():
        if name == "failure":
            # A net of zero is a failure (seed 003); the vectors have the odds of a net Failure besides.
            assert 1 == Fraction(odds) + Fraction(answer["outcomes"]["success"])
        elif OUTCOMES[name] in vector["results"]:
            assert vector["results"][OUTCOMES[name]] == odds, name
    narrative, force = ["success", "failure", "advantage", "threat", "triumph", "despair"], ["light", "dark"]
    assert (force if "force" in answer["pool"] else narrative) == list(answer["outcomes"])


@pytest.mark.parametrize("vector", VECTORS["starwars_genesys"], ids=lambda v: v["id"])
def test_genesys_shares_the_narrative_dice(vector: dict[str, Any]) -> None:
    """Genesys gives the same odds for the same pool."""
    ours, theirs = answer_of(vector, "genesys"), answer_of(vector)
    assert theirs | {"system": "genesys"} == ours


def test_mixed_pool_has_all_axes() -> None:
    """Force dice beside narrative dice are independent of them, on six axes."""
    mixed, apart = reckoned("starwars", "1A1F/1D", {}), [reckoned("starwars", text, {}) for text in ("1A/1D", "1F")]
    assert ["success", "advantage", "triumph", "despair", "light", "dark"] == mixed["axes"]
    beside = {
        (*a, *b): Fraction(one) * Fraction(other)
        for (a, one), (b, other) in product(apart[0]["joint"], apart[1]["joint"])
    }
    assert beside == {tuple(row): Fraction(odds) for row, odds in mixed["joint"]}


def test_json_is_what_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one object with the pool as it was read, its terms, axes, joint odds, outcomes and means."""
    assert 0 == main(["odds", "starwars", "1 ability", "vs", "difficulty", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert ["system", "pool", "terms", "axes", "joint", "outcomes", "mean"] == list(answer)
    assert ("starwars", {"ability": 1, "difficulty": 1}, {}) == (answer["system"], answer["pool"], answer["terms"])
    assert [[-2, 0, 0, 0], "1/64"] == answer["joint"][0]
    assert {"success": "11/32", "failure": "21/32"} == {k: answer["outcomes"][k] for k in ("success", "failure")}


def test_odds_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the same odds stand there in percent, beside the exact fraction."""
    assert 0 == main(["odds", "starwars", "2A1P/2D"])
    told = capsys.readouterr().out
    assert "2 ability 1 proficiency vs 2 difficulty" in told
    assert ["success", "65.08%", "7997/12288"] == [w for w in told.splitlines()[1].split() if "█" not in w]
    # A net of zero is a failure, so there is no third line between the two.
    assert ["failure", "34.92%", "4291/12288"] == [w for w in told.splitlines()[2].split() if "█" not in w]
    assert "even" not in told


def test_contest_of_equals_is_even() -> None:
    """In a contest of equal pools both win as often, and all three outcomes sum to 1."""
    outcomes = {k: Fraction(v) for k, v in reckoned("starwars", "2A/2D", {}, "2A/2D")["outcomes"].items()}
    assert ["active", "tie", "opponent"] == list(outcomes)
    assert outcomes["active"] == outcomes["opponent"] > 0
    assert 1 == sum(outcomes.values())


@pytest.mark.parametrize("tiebreak", ["triumph", "advantage", "none"])
def test_contest_follows_from_the_joints(tiebreak: str) -> None:
    """Who wins is counted row by row: of those who succeed the most successes, and then the table's tiebreak."""
    mine, theirs = (joint_of(reckoned("starwars", text, {})) for text in ("1A1P/1D", "2P/1C"))
    ranks = {"triumph": ("triumph", "advantage"), "advantage": ("advantage", "triumph"), "none": ()}[tiebreak]

    def place(row: Row) -> tuple[int, ...]:
        return (row["success"], *(row[axis] for axis in ranks)) if row["success"] > 0 else (0, *(0 for _ in ranks))

    expected = {"active": Fraction(0), "tie": Fraction(0), "opponent": Fraction(0)}
    for (a, one), (b, other) in product(mine, theirs):
        won = "active" if place(a) > place(b) else "opponent" if place(a) < place(b) else "tie"
        expected[won] += one * other
    answer = reckoned("starwars", "1A1P/1D", {"competitive_tiebreak": tiebreak}, "2P/1C")
    assert expected == {name: Fraction(odds) for name, odds in answer["outcomes"].items()}
    assert {"proficiency": 2, "challenge": 1} == answer["against"]


class Ways(int):
    """A number of ways, which counts how often such numbers are multiplied."""

    times = 0

    def __mul__(self, other: int) -> int:
        Ways.times += 1
        return int(self) * int(other)


def test_a_contest_takes_no_longer_than_its_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place of one side is laid beside all places of the other at once, not beside each of them."""
    places = narrative._places

    def counted(of: Distribution, ranked: tuple[str, ...]) -> dict[tuple[int, ...], int]:
        return {place: Ways(n) for place, n in places(of, ranked).items()}

    monkeypatch.setattr(narrative, "_places", counted)
    monkeypatch.setattr(Ways, "times", 0)
    outcomes = {k: Fraction(v) for k, v in reckoned("starwars", "6P4B/2C", {}, "6P4B/3C")["outcomes"].items()}
    rows = len(places(module.odds([(PROFICIENCY, 6), (BOOST, 4), (CHALLENGE, 3)], AXES), ("triumph", "advantage")))
    others = len(places(module.odds([(PROFICIENCY, 6), (BOOST, 4), (CHALLENGE, 2)], AXES), ("triumph", "advantage")))
    assert rows < Ways.times < 6 * rows < rows * others
    assert outcomes["active"] > outcomes["opponent"]
    assert 1 == sum(outcomes.values())


@pytest.mark.parametrize(
    ("words", "code", "field"),
    [
        (["chess", "2A"], "unknown", "system"),
        (["starwars", "2Q"], "argument", "pool"),
        (["starwars", ""], "argument", "pool"),
        (["genesys", "1F"], "argument", "pool"),
        (["starwars", "2A", "luck=3"], "argument", "luck"),
        (["starwars", "2A", "luck=3", "luck=4"], "argument", "luck"),
        (["starwars", "61A"], "argument", "pool"),
        (["starwars", "10A10P10B/10D10C10S"], "argument", "pool"),
        (["starwars", "2A", "--against", "2Q"], "argument", "against"),
        (["starwars", "2A", "--against", "2F"], "argument", "against"),
        (["starwars", "2A", "--against", "2A", "competitive_tiebreak=coin"], "argument", "competitive_tiebreak"),
        (["starwars"], "argument", "pool"),
        (["starwars", "2A", "--nonsense"], "argument", ""),
    ],
)
def test_bad_input(words: list[str], code: str, field: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input ends with exit code 2 and the one error shape, which names the field."""
    assert 2 == main(["odds", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert ["code", "text", "rule", "remedy", "field", "overridable"] == list(error)
    assert (code, field) == (error["code"], error["field"])
    assert error["text"]


def test_bad_input_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the sentence goes to standard error, and nothing to standard output."""
    assert 2 == main(["odds", "starwars", "2 zebra"])
    told = capsys.readouterr()
    assert ("", True) == (told.out, "“zebra” is not a die of this game" in told.err)


def test_bars_stand_for_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Each outcome and each number of the first axis has a bar, in eighths of a letter, the likeliest number the
    longest."""
    assert 0 == main(["odds", "starwars", "2A1P/2D"])
    lines = capsys.readouterr().out.splitlines()
    assert f"{'█' * 19}▌" == lines[1].split()[2]
    at = lines.index("success, exactly")
    numbers = {int(n): (share, bar) for n, share, bar in (line.split() for line in lines[at + 1 : at + 12])}
    assert list(range(-4, 7)) == list(numbers)
    assert "█" * 30 == numbers[1][1]
    found = dict.fromkeys(numbers, Fraction(0))
    for row, share in joint_of(reckoned("starwars", "2A1P/2D", {})):
        if row["success"] in found:
            found[row["success"]] += share
    assert {n: f"{float(share):.2%}" for n, share in found.items()} == {n: share for n, (share, _) in numbers.items()}


def test_an_output_without_blocks_gets_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the output's encoding has no blocks, bars are hashes, and nothing is replaced by a question mark."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="strict")
    monkeypatch.setattr("sys.stdout", out)
    assert 0 == main(["odds", "dune", "2d20", "target=12"])
    out.flush()
    told = raw.getvalue().decode("ascii")
    assert "pass           84.00%  #########################" in told
    assert "?" not in told


def test_two_pools_are_told_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    """`--compare` takes a pool, terms, or both; what it leaves out is as in the first pool."""
    for compare, title in (
        ("3d20", "3 d20, target=12, focus=2, difficulty=1 (assumed)"),
        ("target=10", "2 d20, target=10, focus=2, difficulty=1 (assumed)"),
        ("1d20 focus=5", "1 d20, target=12, focus=5, difficulty=1 (assumed)"),
    ):
        assert 0 == main(["odds", "dune", "2d20", "target=12", "focus=2", "--compare", compare])
        lines = capsys.readouterr().out.splitlines()
        first = "2 d20, target=12, focus=2, difficulty=1 (assumed)"
        assert [first, title] == [line for line in lines if "target" in line]


def test_json_stays_as_it_is_but_for_what_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--compare` the same object has the other pool's whole answer besides."""
    assert 0 == main(["odds", "starwars", "2A/2D", "--compare", "2P/2D", "--json"])
    whole = json.loads(capsys.readouterr().out)
    other = whole.pop("compare")
    assert (reckoned("starwars", "2A/2D", {}), reckoned("starwars", "2P/2D", {})) == (whole, other)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "success 65.1 %; failure 34.9 %"),
        (["--picture", "curve", "--axis", "triumph"], "triumph at least 1: 8.3 %"),
        (["--picture", "map"], "success against advantage"),
        (["--compare", "2P/2D"], "success 65.1 % against"),
        (["--compare", "2P/2D", "--axis", "success"], "success at least 1: 65.1 %"),
    ],
)
def test_a_picture_is_written(more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--svg FILE` writes the picture that was asked for, and tells the odds as ever; `-` prints the picture alone."""
    file = tmp_path / "odds.svg"
    assert 0 == main(["odds", "starwars", "2A1P/2D", "--svg", str(file), *more])
    assert "7997/12288" in capsys.readouterr().out
    drawn = file.read_text(encoding="utf-8")
    about = ElementTree.fromstring(drawn)[1].text or ""
    assert said in about
    assert 0 == main(["odds", "starwars", "2A1P/2D", "--svg", "-", *more])
    assert (drawn, "") == tuple(capsys.readouterr())


def test_a_contest_is_drawn_too(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--against` the picture shows who wins."""
    assert 0 == main(["odds", "genesys", "2A/2D", "--against", "2A/2D", "--svg", "-"])
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert "2 ability vs 2 difficulty, against 2 ability vs 2 difficulty" == root[0].text
    assert "active" in (root[1].text or "")


@pytest.mark.parametrize(
    "command", [["odds", "starwars", "2A"], ["odds-table", "dune", "--rows=2d20", "--cols=target=9"]]
)
def test_nothing_is_written_over(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is there, a folder, and a place that cannot be written each give one sentence; nothing is changed."""
    there, folder = tmp_path / "there.svg", tmp_path / "folder"
    there.write_text("mine", encoding="utf-8")
    folder.mkdir()
    places = {
        there: "is already there. Choose another name, or move it away.",
        folder: "is a folder. Name a file in it.",
        tmp_path / "none" / "a.svg": "cannot be written: No such file or directory.",
        there / "a.svg": "cannot be written: Not a directory.",
    }
    for place, said in places.items():
        assert 2 == main([*command, "--svg", str(place)])
        out, err = capsys.readouterr()
        assert ("", f"storypool: {place} {said}\n") == (out, err)
    assert "mine" == there.read_text(encoding="utf-8")
    assert [there, folder] == sorted(tmp_path.iterdir(), reverse=True)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        (["--svg", "-", "--json"], ""),
        (["--picture", "map", "--json"], ""),
        (["--axis", "success", "--json"], ""),
        (["--svg", "x.svg", "--picture", "pie", "--json"], "kind"),
        (["--svg", "x.svg", "--axis", "luck", "--picture", "curve", "--json"], "axis"),
        (["--svg", "x.svg", "--picture", "compare", "--json"], "picture"),
        (["--compare", "2Q", "--json"], "compare"),
        (["--compare", "luck=3", "--json"], "luck"),
    ],
)
def test_a_picture_asked_for_wrongly(
    more: list[str], field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Options that do not go together are refused in the one error shape, and no file is left behind."""
    monkeypatch.chdir(tmp_path)
    assert 2 == main(["odds", "starwars", "2A", *more])
    error = json.loads(capsys.readouterr().out)["error"]
    assert ("argument", field) == (error["code"], error["field"])
    assert [] == list(tmp_path.iterdir())


# What offers would make of it.


@pytest.mark.parametrize(
    ("asked", "offer"),
    [
        (["starwars", "2A1P/2D"], ("destiny.upgrade", {}, {"light": 1})),
        (["genesys", "2A1P/2D"], ("story.upgrade", {}, {"players": 1})),
        (["c2d10", "4d10", "dc=2", "crisis=1"], ("dice.buy", {"n": 2}, {"hero": 3})),
        (["dune", "3d20", "target=14", "focus=7", "difficulty=2"], ("dice.buy", {"n": 1}, {"momentum": 2})),
        (["dune", "2d20", "target=12", "difficulty=2"], ("determination.one", {}, {"hero.determination": 1})),
        (
            ["dune", "2d20", "target=12", "difficulty=2"],
            ("determination.reroll", {"which": "failed"}, {"hero.determination": 1}),
        ),
        (["destinydice", "2S/1D"], ("aspect.invoke", {"how": "upgrade"}, {"hero.fate": 1})),
    ],
)
def test_what_if_weighs_the_offers_of_both_sides(
    capsys: pytest.CaptureFixture[str], asked: list[str], offer: tuple[str, dict[str, object], dict[str, int]]
) -> None:
    """For every game the moves that cost points are told with their price and with exact odds before and after."""
    assert 0 == main(["odds", *asked, "--what-if", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert {"player", "gm"} == set(answer["what_if"])
    key, args, price = offer
    rows = [
        row
        for row in answer["what_if"]["player"]
        if (row["move"], row["price"]) == (key, price) and args.items() <= row["args"].items()
    ]
    assert 1 == len(rows), [(row["move"], row["args"], row["price"]) for row in answer["what_if"]["player"]]
    [row] = rows
    assert answer["outcomes"] == row["before"]
    first = next(iter(row["before"]))
    assert Fraction(row["before"][first]) < Fraction(row["after"][first])
    assert 0 == main(["odds", *asked, "--what-if"])
    assert "what the player may do" in capsys.readouterr().out


@pytest.mark.parametrize(
    "asked", [["dune", "2d20", "target=14", "assist=11:5"], ["c2d10", "4d10", "--against", "3d10"], ["starwars", "F"]]
)
def test_what_if_says_when_no_action_asks_this(capsys: pytest.CaptureFixture[str], asked: list[str]) -> None:
    """A question that no single action at a table asks is refused with what to leave out, or has nothing to tell."""
    code = main(["odds", *asked, "--what-if", "--json"])
    answer = json.loads(capsys.readouterr().out)
    if asked[-1] == "F":
        assert all(row["move"] != "destiny.upgrade" for row in answer["what_if"]["player"])
    else:
        assert (2, "argument") == (code, answer["error"]["code"])
        assert "--what-if" in answer["error"]["remedy"]
