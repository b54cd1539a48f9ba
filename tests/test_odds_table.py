"""`storypool odds-table`: the notation of a grid, the exact odds of each cell, and the output."""

from __future__ import annotations

import csv
import doctest
import io
import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from storypool import systems
from storypool.cli import main
from storypool.cli.commands import odds_table_command
from storypool.cli.commands.odds_table_command import decimal, read, shares, watched
from storypool.cli.odds_answer import reckoned
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.odds.allowance import SURFACES, allowing
from storypool.pictures.rows import percent
from storypool.systems.destinydice.sheet import rungs
from storypool.worth import grid
from storypool.worth.grid import MAX_CELLS, Side
from tests.games_with_odds import TELLING, odds_of_check

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "odds-tables.md").read_text(encoding="utf-8")
GRIDS = {key: odds_of_check(key, "table") for key in TELLING}


def examples() -> Iterator[tuple[str, str]]:
    """Each command of the page with its documented output."""
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL):
        for example in re.findall(r"^\$ storypool (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            yield example[0], example[1]


def side(key: str, text: str) -> Side:
    """A side of a table of this game."""
    return grid.side(text, systems.dice(key).NOTATION, systems.named(key), "rows")


@pytest.mark.parametrize(("command", "sentence"), list(examples()))
def test_page_is_true(command: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command runs, and prints the text below it or its picture."""
    assert 0 == main(shlex.split(command))
    out, err = capsys.readouterr()
    assert "" == err
    if "--svg -" in command:
        assert "{http://www.w3.org/2000/svg}svg" == ElementTree.fromstring(out).tag
    else:
        assert sentence == out


def test_page_has_examples() -> None:
    """It has tables and pictures of several games, and all games exist."""
    commands = [command for command, _ in examples()]
    assert len(commands) > 8
    asked = {command.split()[1] for command in commands}
    assert len(asked) > 3
    assert asked <= set(TELLING)


def test_docstring_examples_are_true() -> None:
    """The examples in the docstrings give their results."""
    assert [0, 0] == [doctest.testmod(module).failed for module in (odds_table_command, grid)]


@pytest.mark.parametrize(
    ("key", "text", "name", "labels", "pools"),
    [
        (
            "starwars",
            "0..2 difficulty",
            "difficulty",
            "0|1|2",
            [{}, {"difficulty": 1}, {"difficulty": 2}],
        ),
        (
            "starwars",
            "1..2 proficiencies",
            "proficiencies",
            "1|2",
            [{"proficiency": 1}, {"proficiency": 2}],
        ),
        ("starwars", "0..1P", "P", "0|1", [{}, {"proficiency": 1}]),
        ("starwars", "1, 3 ability", "ability", "1|3", [{"ability": 1}, {"ability": 3}]),
        (
            "starwars",
            "1..2, 5 ability",
            "ability",
            "1|2|5",
            [{"ability": 1}, {"ability": 2}, {"ability": 5}],
        ),
        ("starwars", "2A,1A1P", "", "2A|1A1P", [{"ability": 2}, {"ability": 1, "proficiency": 1}]),
        ("starwars", "2A/1D", "", "2A/1D", [{"ability": 2, "difficulty": 1}]),
        (
            "genesys",
            "1A 0..1 boost",
            "",
            "1A 0 boost|1A 1 boost",
            [{"ability": 1}, {"ability": 1, "boost": 1}],
        ),
        ("c2d10", "vs 1..2 d10", "", "vs 1 d10|vs 2 d10", [{"rival": 1}, {"rival": 2}]),
        ("c2d10", "6d10", "d10", "6", [{"d10": 6}]),
        ("dune", "1..2d20", "d20", "1|2", [{"d20": 1}, {"d20": 2}]),
        ("starwars", "skill=3:1", "skill", "3:1", [{"ability": 2, "proficiency": 1}]),
        (
            "genesys",
            "opposed=2:0..1",
            "opposed",
            "2:0|2:1",
            [{"difficulty": 2}, {"difficulty": 1, "challenge": 1}],
        ),
        ("destinydice", "opponent=0,1", "opponent", "0|1", [{"difficulty": 1}, {"difficulty": 2}]),
    ],
)
def test_dice_of_a_side(
    key: str, text: str, name: str, labels: str, pools: list[dict[str, int]]
) -> None:
    """Ranges, lists and names use the game's notation; 0 omits the dice."""
    found = side(key, text)
    assert (name, labels.split("|")) == (found.name, [step.label for step in found.lines])
    assert [Bag(pool) for pool in pools] == [step.pool for step in found.lines]
    assert [{}] * len(pools) == [dict(step.terms) for step in found.lines]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("target=6..8", ["6", "7", "8"]),
        ("target=6, 8..9", ["6", "8", "9"]),
        ("reroll=none,failed", ["none", "failed"]),
        ("assist=10:1..2", ["10:1", "10:2"]),
    ],
)
def test_terms_of_a_side(text: str, values: list[str]) -> None:
    """A term's values are a list or a range of numbers, and bring no dice."""
    found = side("dune", text)
    key = text.partition("=")[0]
    assert (key, values) == (found.name, [step.label for step in found.lines])
    assert [(Bag(), {key: value}) for value in values] == [
        (step.pool, step.terms) for step in found.lines
    ]


def test_every_rung_has_its_dice() -> None:
    """The names of Destiny Dice are the rows of the ladder."""
    ladder = list(rungs().values())
    for name, pools in (
        ("approach", [rung.pool for rung in ladder]),
        ("task", [Bag(difficulty=rung.difficulty) for rung in ladder]),
    ):
        assert pools == [step.pool for step in side("destinydice", f"{name}=-2..8").lines]


@pytest.mark.parametrize("key", GRIDS)
def test_each_cell_has_the_odds_of_its_pool(key: str) -> None:
    """It equals `storypool odds` for the dice and terms of row, column and all."""
    table = GRIDS[key]
    asked = read(key, tuple(table.get("words", ())), table["rows"], table["cols"])
    outcome, odds = shares(asked, "")
    assert (len(asked.rows.lines), {len(asked.cols.lines)}) == (
        len(odds),
        {len(line) for line in odds},
    )
    show = systems.dice(key).NOTATION.show
    for row, line in zip(asked.rows.lines, odds, strict=True):
        for col, share in zip(asked.cols.lines, line, strict=True):
            terms = {**asked.terms, **row.terms, **col.terms}
            answer = reckoned(key, show(asked.pool + row.pool + col.pool), terms)
            assert Fraction(answer["outcomes"][outcome]) == share
            assert outcome == next(iter(answer["outcomes"]))


def test_axis_condition_can_be_shown() -> None:
    """A cell can have at least, at most or exactly a number of an axis."""
    asked = read("starwars", (), "2A", "2D")
    joint = reckoned("starwars", "2A/2D", {})["joint"]
    shown = {"advantage>=2": range(2, 9), "advantage <= -1": range(-9, 0), "advantage=0": range(1)}
    for show, numbers in shown.items():
        expected = sum((Fraction(odds) for row, odds in joint if row[1] in numbers), Fraction(0))
        assert expected == shares(asked, show)[1][0][0]


def test_contest_has_one_opposing_pool() -> None:
    """`--against` is the other pool of every cell."""
    asked = read("genesys", ("1D",), "1..2 ability", "0..1 boost", "2A/1D")
    outcome, odds = shares(asked, "")
    assert "active" == outcome
    assert odds[0][1] == Fraction(reckoned("genesys", "1A1B/1D", {}, "2A/1D")["outcomes"]["active"])


def test_csv_has_exact_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each cell's line has its exact fraction, and its percent to six places."""
    file = tmp_path / "table.csv"
    asked = [
        "odds-table",
        "starwars",
        "--rows",
        "2A, 1A 1P",
        "--cols",
        "0..2 difficulty",
        "--csv",
        str(file),
    ]
    assert 0 == main(asked)
    assert "2A" in capsys.readouterr().out
    lines = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    cells = shares(read("starwars", (), "2A, 1A 1P", "0..2 difficulty"), "")[1]
    assert [share for line in cells for share in line] == [
        Fraction(line["fraction"]) for line in lines
    ]
    assert [("2A", "0"), ("1A 1P", "2")] == [(lines[i]["row"], lines[i]["column"]) for i in (0, -1)]
    for line in lines:
        assert abs(Fraction(line["percent"]) - 100 * Fraction(line["fraction"])) <= Fraction(
            1, 2_000_000
        )
        assert re.fullmatch(r"\d+\.\d{6}", line["percent"])


def test_json_has_exact_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """One object has the rows, the columns and the exact odds by row."""
    asked = [
        "odds-table",
        "dune",
        "--rows",
        "target=8,12",
        "--cols",
        "1..3 d20",
        "focus=3",
        "--json",
    ]
    assert 0 == main(asked)
    whole = json.loads(capsys.readouterr().out)
    assert ["system", "pool", "terms", "show", "rows", "cols", "odds"] == list(whole)
    assert ("dune", {}, {"focus": "3"}, "pass") == tuple(
        whole[key] for key in ("system", "pool", "terms", "show")
    )
    assert {"label": "12", "pool": {}, "terms": {"target": "12"}} == whole["rows"]["steps"][1]
    assert {"name": "d20", "steps": whole["cols"]["steps"]} == whole["cols"]
    cells = shares(read("dune", ("focus=3",), "target=8,12", "1..3 d20"), "")[1]
    assert cells == [[Fraction(odds) for odds in line] for line in whole["odds"]]


def test_svg_has_every_number(tmp_path: Path) -> None:
    """The picture has each row, column and share as text."""
    file = tmp_path / "table.svg"
    assert 0 == main(
        ["odds-table", "c2d10", "--rows", "1..3 d10", "--cols", "dc=1..2", "--svg", str(file)]
    )
    root = ElementTree.parse(file).getroot()
    sentence = [part.text for part in root.iter("{http://www.w3.org/2000/svg}title")][1:]
    cells = shares(read("c2d10", (), "1..3 d10", "dc=1..2"), "")[1]
    assert [
        f"d10 {row}, dc {col}: {percent(cells[row - 1][col - 1])}"
        for row in range(1, 4)
        for col in range(1, 3)
    ] == sentence


def test_programmers_picture_is_current(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The page has the picture that its own command draws now."""
    page = (ROOT / "docs" / "programmers.md").read_text(encoding="utf-8")
    [command] = re.findall(r"^\$ storypool (odds-table .*)$", page, re.MULTILINE)
    assert 0 == main([*shlex.split(command), "--svg", "-"])
    assert capsys.readouterr().out == (ROOT / "docs" / "screens" / "odds.svg").read_text(
        encoding="utf-8"
    )


class Terminal(io.StringIO):
    """An output that claims to be a terminal."""

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return True


def progress(stream: io.StringIO, seconds: float) -> str:
    """The output during ten cells that take this long each."""
    now = iter(seconds * n for n in range(20))
    assert list(range(10)) == list(
        watched(range(10), 10, stream, lambda: next(now), label="Computing")
    )
    return stream.getvalue()


def test_progress_appears_after_a_second() -> None:
    """On a terminal a bar appears after a second, reaches the end, and is absent if quick."""
    assert "" == progress(Terminal(), 0.1)
    shown = progress(Terminal(), 0.3)
    assert "Computing" in shown
    steps = [int(share) for share in re.findall(r"(\d+)%", shown)]
    assert (40, 100) == (next(share for share in steps if share), steps[-1])
    assert sorted(steps) == steps


def test_progress_is_not_in_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is only on a terminal's standard error, and standard output is unchanged."""
    assert "" == progress(io.StringIO(), 0.9)
    out, err = io.StringIO(), Terminal()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    monkeypatch.setattr(odds_table_command, "PATIENCE", -1)
    assert 0 == main(["odds-table", "starwars", "--rows", "1..3A", "--cols", "1..3D", "--json"])
    assert "Computing" in err.getvalue()
    assert 3 == len(json.loads(out.getvalue())["odds"])


def test_terminal_table_is_ruled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers are in a ruled table, and labels are not markup."""
    out = Terminal()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setenv("COLUMNS", "100")
    assert 0 == main(
        ["odds-table", "starwars", "--rows", "1..3 ability", "--cols", "1..3 difficulty"]
    )
    for line in shares(read("starwars", (), "1..3 ability", "1..3 difficulty"), "")[1]:
        assert all(percent(share) in out.getvalue() for share in line)
    assert "───" in out.getvalue()


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["starwars", "--rows", "1..40 ability", "--cols", "0..40 difficulty"], "rows"),
        (["starwars", "--rows", "0..999 ability", "--cols", "0..999 difficulty"], "rows"),
        (["starwars", "--rows", "2A", "--cols", "0..999 boost 0..999 setback"], "cols"),
        (["starwars", "--rows", "2A", "--cols", "skill=0..99:0..99"], "cols"),
        (["starwars", "--rows", "1..999999 ability", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "5..1 ability", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "-2..1 ability", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "1..2 zebra", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "1, 2", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "2A,,3A", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "=3", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "skill=3", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "skill=a:b", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "skill=-1:2", "--cols", "2D"], "rows"),
        (["starwars", "--rows", "2A", "--cols", "A" * 300], "cols"),
        (["starwars", "--rows", "2A", "--cols", "2D", "--show", "luck"], "show"),
        (["starwars", "--rows", "2A", "--cols", "2D", "--show", "luck>=2"], "show"),
        (["starwars", "--rows", "2A", "--cols", "luck=1..3"], "luck"),
        (["starwars", "skill=3", "--rows", "2A", "--cols", "2D"], "skill"),
        (["starwars", "2Q", "--rows", "2A", "--cols", "2D"], "pool"),
        (["starwars", "--rows", "2A", "--cols", "2D", "--against", "2Q"], "against"),
        (["starwars", "--rows", "2A"], "cols"),
        (["chess", "--rows", "2A", "--cols", "2D"], "system"),
        (["dune", "--rows", "target=8..9", "--cols", "target=8..9", "2d20"], "target"),
        (["dune", "--rows", "target=8..9", "--cols", "1..2 d20", "target=3"], "target"),
        (["dune", "--rows", "target=8..9", "--cols", "0..2 d20"], "pool"),
        (["dune", "--rows", "1..2 d20", "--cols", "focus=1..3"], "target"),
    ],
)
def test_bad_input(words: list[str], field: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Unreadable, excessive or contradictory input exits with 2 and a sentence on its field."""
    assert 2 == main(["odds-table", *words, "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert field == error["field"]
    assert error["text"].endswith((".", "?"))


def test_largest_table_is_accepted() -> None:
    """The limit is allowed, one more cell is not, and is known before computation."""
    assert MAX_CELLS == read("starwars", (), "skill=1..10:1..10", "0..9 difficulty").cells
    with pytest.raises(Refused, match="at most 1000 cells"):
        read("starwars", (), "skill=1..10:1..10", "0..10 difficulty")
    assert read("starwars", ("1A",), "1..59 proficiency", "1, 40 difficulty").cells
    many = "101 dice are too many for exact odds"
    with allowing(SURFACES), pytest.raises(Refused, match=many):
        read("starwars", ("1A",), "1..60 proficiency", "1, 40 difficulty")


def test_decimals_are_rounded_exactly() -> None:
    """A share is rounded as a fraction, since a float would lose very rare ones."""
    assert ["0.000000", "0.000001", "33.333333", "100.000000"] == [
        decimal(n, 6)
        for n in (Fraction(1, 10**9), Fraction(1, 10**6), Fraction(100, 3), Fraction(100))
    ]
