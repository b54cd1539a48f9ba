"""`storypool odds` for every game with odds: its output, pictures and refusals."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from storypool import systems
from storypool.cli import main
from storypool.contract.material import material
from storypool.engine.bag import Bag
from storypool.odds.allowance import SURFACES
from storypool.odds.display import bar
from storypool.odds.question import Question, Reckoned, text
from storypool.worth.showing import title
from tests.games_with_odds import TELLING, odds_of_check

every_game = pytest.mark.parametrize("key", TELLING)


def words(key: str, *more: str) -> list[str]:
    """The command for the odds of a game's example pool."""
    given = odds_of_check(key, "example")
    return [
        "odds",
        key,
        given["pool"],
        *(f"{name}={value}" for name, value in given.get("terms", {}).items()),
        *more,
    ]


def found(key: str, pool: str = "", **terms: str) -> Reckoned:
    """The library's answer to the same question, or with another pool or further terms."""
    given = odds_of_check(key, "example")
    bag = systems.dice(key).NOTATION.parse(pool or given["pool"])
    return systems.odds(key).reckon(Question(bag, {**given.get("terms", {}), **terms}))


def answer_of(capsys: pytest.CaptureFixture[str], command: Sequence[str]) -> Any:
    """The `--json` output of a successful command."""
    assert 0 == main([*command, "--json"])
    return json.loads(capsys.readouterr().out)


def error(capsys: pytest.CaptureFixture[str], command: Sequence[str]) -> tuple[str, str]:
    """The code and field of a refused command's error."""
    assert 2 == main([*command, "--json"])
    refused = json.loads(capsys.readouterr().out)["error"]
    assert ["code", "text", "rule", "remedy", "field", "overridable"] == list(refused)
    assert refused["text"]
    return refused["code"], refused["field"]


@every_game
def test_json_has_the_whole_answer(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints the pool as read, terms, axes, joint odds, outcomes and means."""
    answer = answer_of(capsys, words(key))
    assert ["system", "pool", "terms", "axes", "joint", "outcomes", "mean"] == list(answer)
    assert json.loads(json.dumps(found(key).plain())) == answer
    assert sorted(answer["joint"]) == answer["joint"]
    assert 1 == sum(Fraction(share) for _, share in answer["joint"])


@every_game
def test_readable_odds(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the same odds are in percent, next to the exact fraction."""
    assert 0 == main(words(key))
    lines = capsys.readouterr().out.splitlines()
    assert title(found(key)) == lines[0]
    shown = [[word for word in line.split() if "█" not in word] for line in lines]
    for name, share in found(key).outcomes.items():
        assert [name, f"{float(share):.2%}", text(share)] in [
            [line[0], line[1], line[-1]] for line in shown if line[2:]
        ]


@every_game
def test_bars_match_the_odds(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each number of the first axis above a threshold has a bar, the likeliest the longest."""
    assert 0 == main(words(key))
    lines = capsys.readouterr().out.splitlines()
    axis = found(key).distribution.axes[0]
    shares = {n: share for (n,), share in found(key).distribution.on(axis).joint()}
    at = lines.index(f"{axis}, exactly") + 1
    rows = [line.split() for line in lines[at : lines.index("on average")]]
    shown = {int(row[0]): (row[1], "".join(row[2:])) for row in rows}
    assert list(range(min(shown), max(shown) + 1)) == list(shown)
    assert {n: f"{float(shares.get(n, 0)):.2%}" for n in shown} == {
        n: share for n, (share, _) in shown.items()
    }
    assert sum(shares.values()) - sum(shares.get(n, 0) for n in shown) < Fraction(len(shares), 2000)
    most = max(shares.values())
    assert {n: bar(shares.get(n, Fraction(0)) / most, 30) for n in shown} == {
        n: row for n, (_, row) in shown.items()
    }
    assert "█" * 30 in [row for _, row in shown.values()]


@every_game
def test_output_without_blocks_has_hashes(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding without blocks draws hashes instead of question marks."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="strict")
    monkeypatch.setattr("sys.stdout", out)
    assert 0 == main(words(key))
    out.flush()
    printed = raw.getvalue().decode("ascii")
    assert "#" * 30 in printed
    assert "?" not in printed


@every_game
def test_bad_input(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input exits with code 2 and the common error shape, which names the field."""
    many = f"{(SURFACES.dice or 0) + 1} {systems.dice(key).DICE[0].name}"
    for command, field in (
        (["odds", key, "2 zebra"], "pool"),
        (["odds", key, ""], "pool"),
        (["odds", key], "pool"),
        (["odds", key, many], "pool"),
        (words(key, "luck=3"), "luck"),
        (words(key, "luck=3", "luck=4"), "luck"),
        (words(key, "--against", "2 zebra"), "against"),
        (words(key, "--nonsense"), ""),
    ):
        assert ("argument", field) == error(capsys, command), command
    assert ("unknown", "system") == error(capsys, ["odds", "chess", "2A"])


@every_game
def test_bad_input_for_people(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the sentence goes only to standard error."""
    assert 2 == main(["odds", key, "2 zebra"])
    out, err = capsys.readouterr()
    assert ("", True) == (out, "“zebra” is not a die of this game" in err)


# Two pools, and pictures.


@every_game
def test_two_pools_are_printed_in_turn(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--compare` takes a pool, terms or both, and uses the first pool's for the rest."""
    first, terms = found(key), dict(material(key).odds.get("terms", [{}])[0])
    larger = systems.dice(key).NOTATION.show(
        first.question.pool + Bag({next(iter(first.question.pool)): 1})
    )
    alone = [f"{name}={value}" for name, value in terms.items()]
    for compare, second in (
        ([larger], found(key, larger)),
        (alone, found(key, **terms)),
        ([larger, *alone], found(key, larger, **terms)),
    ):
        if compare:
            assert 0 == main(words(key, "--compare", " ".join(compare)))
            lines = capsys.readouterr().out.splitlines()
            assert [title(first), title(second)] == [
                line for line in lines if line in (title(first), title(second))
            ]
            answer = answer_of(capsys, words(key, "--compare", " ".join(compare)))
            assert json.loads(json.dumps(second.plain())) == answer.pop("compare")
            assert json.loads(json.dumps(first.plain())) == answer


PICTURES: tuple[tuple[str, ...], ...] = (
    (),
    ("--picture", "curve"),
    ("--picture", "map"),
    ("--compare",),
)
"""The pictures; a comparison is followed by a pool and perhaps an axis."""


@every_game
@pytest.mark.parametrize("more", PICTURES, ids=" ".join)
def test_picture_is_written(
    key: str, more: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--svg FILE` writes the picture and prints the odds; `-` prints only the picture."""
    file, axes = tmp_path / "odds.svg", found(key).distribution.axes
    if more == ("--picture", "map") and len(axes) < 2:
        assert ("argument", "picture") == error(capsys, words(key, "--svg", str(file), *more))
        return
    if more == ("--compare",):
        more = ("--compare", odds_of_check(key, "example")["pool"], "--axis", axes[-1])
    elif more:
        more = (*more, "--axis", axes[-1])
    assert 0 == main(words(key, "--svg", str(file), *more))
    printed = capsys.readouterr().out
    assert all(text(share) in printed for share in found(key).outcomes.values())
    drawn = file.read_text(encoding="utf-8")
    about = ElementTree.fromstring(drawn)[1].text or ""
    assert all(name in about for name in ([axes[-1]] if more else found(key).outcomes))
    assert 0 == main(words(key, "--svg", "-", *more))
    assert (drawn, "") == tuple(capsys.readouterr())


@every_game
def test_contest_is_printed_and_drawn(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal pools in `--against` can both win, outcomes sum to 1, and the picture has them."""
    pool = f"2 {systems.dice(key).DICE[0].name}"
    terms = (
        f"{name}={value}"
        for name, value in next(iter(material(key).odds.get("contests", ())), {}).items()
    )
    command = ["odds", key, pool, *terms, "--against", pool]
    outcomes = {
        name: Fraction(share) for name, share in answer_of(capsys, command)["outcomes"].items()
    }
    assert ["active", "tie", "opponent"] == list(outcomes)
    assert outcomes["active"] >= outcomes["opponent"] > 0
    assert 1 == sum(outcomes.values())
    assert 0 == main([*command, "--svg", "-"])
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert (root[0].text or "").startswith(f"{pool}, against {pool}")
    assert all(name in (root[1].text or "") for name in outcomes)
    # Two sides that roll at once are not an action of one of them.
    assert 2 == main([*command, "--what-if", "--json"])
    assert "--what-if" in json.loads(capsys.readouterr().out)["error"]["remedy"]


def tables(key: str, *more: str) -> list[str]:
    """The command for a game's example table of odds."""
    table = odds_of_check(key, "table")
    return [
        "odds-table",
        key,
        *table.get("words", ()),
        "--rows",
        table["rows"],
        "--cols",
        table["cols"],
        *more,
    ]


@every_game
@pytest.mark.parametrize("command", [words, tables])
def test_existing_files_are_kept(
    key: str, command: Callable[..., list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An existing file, a folder and an unwritable place get a sentence, and nothing changes."""
    there, folder = tmp_path / "there.svg", tmp_path / "folder"
    there.write_text("mine", encoding="utf-8")
    folder.mkdir()
    places = {
        there: "is already there. Choose another name, or move it away.",
        folder: "is a folder. Name a file in it.",
        tmp_path / "none" / "a.svg": "cannot be written: No such file or directory.",
        there / "a.svg": "cannot be written: Not a directory.",
    }
    for place, expected in places.items():
        assert 2 == main(command(key, "--svg", str(place)))
        out, err = capsys.readouterr()
        assert ("", f"storypool: {place} {expected}\n") == (out, err)
    assert "mine" == there.read_text(encoding="utf-8")
    assert [there, folder] == sorted(tmp_path.iterdir(), reverse=True)


@every_game
def test_invalid_picture_options_are_refused(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Conflicting options get the common error shape, and leave no file."""
    monkeypatch.chdir(tmp_path)
    axis = found(key).distribution.axes[0]
    for more, field in (
        (["--svg", "-"], ""),
        (["--picture", "map"], ""),
        (["--axis", axis], ""),
        (["--svg", "x.svg", "--picture", "pie"], "kind"),
        (["--svg", "x.svg", "--axis", "luck", "--picture", "curve"], "axis"),
        (["--svg", "x.svg", "--picture", "compare"], "picture"),
        (["--compare", "2 zebra"], "compare"),
        (["--compare", "luck=3"], "luck"),
    ):
        assert ("argument", field) == error(capsys, words(key, *more)), more
    assert [] == list(tmp_path.iterdir())


# The effects of offers.


@pytest.mark.slow
@every_game
def test_what_if_weighs_both_sides(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Moves that cost points are listed with price and exact odds before and after."""
    given = odds_of_check(key, "example")
    command = words(key, "--what-if")
    asked = systems.dice(key).NOTATION.parse(given["pool"])
    answer = answer_of(capsys, command)
    assert {"player", "gm", "other"} == set(answer["what_if"])
    outcomes = json.loads(json.dumps(found(key).plain()))["outcomes"]
    assert (dict(asked), outcomes) == (answer["pool"], answer["outcomes"])
    priced = [
        row for row in answer["what_if"]["player"] if row["price"] and row["before"] == outcomes
    ]
    first = next(iter(outcomes))
    assert [row for row in priced if Fraction(row["before"][first]) < Fraction(row["after"][first])]
    assert 0 == main(command)
    assert "what the player may do" in capsys.readouterr().out


def test_what_if_gives_the_tables_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    """A question with odds that no table allows is refused in the table's words."""
    assert 2 == main(["odds", "dune", "2d20", "target=12", "difficulty=9", "--what-if", "--json"])
    assert "Difficulty" in json.loads(capsys.readouterr().out)["error"]["text"]


def test_what_if_includes_other_players_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves of another player are listed too, without duplicates."""
    assert 0 == main(["odds", "starwars", "2A1P/2D", "--what-if"])
    _, _, others = capsys.readouterr().out.partition("what another player may do as well\n")
    assert ["Help with this check: friend"] == [
        line.strip().split("  ")[0] for line in others.splitlines()
    ]
