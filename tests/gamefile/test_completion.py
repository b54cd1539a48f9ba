"""Completions at the caret of a game file, also of a half-written one."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from storypool.contract.material import PARTS as CHECK_PARTS
from storypool.gamefile.authoring.completion import completion
from storypool.gamefile.authoring.format_schema import types_of
from storypool.gamefile.file_format.lab_rows import CheckRow, EveningRow
from storypool.lab.evenings import PARTS
from tests.fixed_set import cases
from tests.gamefile.conftest import GAMES

TEXT = (GAMES / "nightshift.game.toml").read_text(encoding="utf-8")
MOVE = '\n[[move]]\nkey = "x"\ntitle = "X"\nwhen = "before the roll"\n'
FILES = sorted(GAMES.glob("*.game.toml"))


def known(row: str) -> dict[str, str]:
    """The completions at the bar in a row at the end of the game, with their meanings."""
    before, after = row.split("|", 1)
    found = completion(TEXT + before, after).known
    return {one.name: str(one.about) for one in found}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("\n[[mov|", "[[move]]"),
        ("\n[[move]]\nke|", "key"),
        ('\n[[move]]\nwho = "|"\n', "helper"),
        ("\n[[move]]\ndue = |\n", "true"),
        (MOVE + "price = { | }\n", "stress"),
        (MOVE + 'do = [{ add = "risk" }, { ga|\n\n[[move]]\nkey = "y"\n', "gain"),
        (MOVE + 'do = [{ add = "risk" }, { gain = "|" }]\n', "gambit"),
        (MOVE + "do = [{ add = |\n\n[[move]]\n", "risk"),
        (MOVE + 'do = [{ when = "stre|" }]\n', "stress"),
        (MOVE + 'only = "stress > 1 and po|"\n', "position"),
        (MOVE + "only = \"position == '|'\"\n", "desperate"),
        (MOVE + 'only = "traits(|) > 0"\n', "harm"),
        ("\n[words]\nwait.|\n", "gm"),
        ("\n[evening.long]\nsce|\n", "scenes"),
        ("\n[evening.long]\nplayers = { po| }\n", "policy"),
    ],
)
def test_completion_knows_what_may_stand(row: str, expected: str) -> None:
    """Keys, values of fixed sets and names of the file come with a sentence each."""
    assert known(row).get(expected)


def test_names_depend_on_the_place() -> None:
    """A name without a value at a place is not offered there; a mistake would say so."""
    before, after = (
        known(f"\n[[move]]\nkey = 'x'\nwhen = '{when} the roll'\nonly = '|'\n")
        for when in ("before", "after")
    )
    assert {"outcome", "best", "sixes"} == after.keys() - before.keys() - {"shows("}
    assert "Points of each character: stress." == before["stress"]


def places(text: str) -> dict[tuple[str, ...], re.Match[str]]:
    """The first place of each of some keys in each kind of table of a game, by table and key."""
    found: dict[tuple[str, ...], re.Match[str]] = {}
    table = ""
    for line in re.finditer(r"^(?:(\[+[a-z]+)|([a-z]+) = )", text, re.MULTILINE):
        table = line[1] or table
        if line[2] in {"key", "title", "who", "when", "do", "of", "word"}:
            found.setdefault((table, line[2]), line)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_keys_of_the_docs_are_completed(file: Path) -> None:
    """Each key of the format in a game of the docs is offered where it stands."""
    text = file.read_text(encoding="utf-8")
    found = places(text)
    assert ("[[move", "do") in found
    for (_, key), place in found.items():
        begin = place.start() + 1
        known = completion(text[:begin], text[place.end(2) :]).known
        assert key in [one.name for one in known], text[: place.end()].count("\n") + 1


@pytest.mark.parametrize("cuts", cases((10, 30), (10,)))
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_cut_text_is_completed(file: Path, cuts: int) -> None:
    """A text cut anywhere raises nothing."""
    text, chance = file.read_text(encoding="utf-8"), Random(file.name)
    for _ in range(cuts):
        cut = chance.randrange(len(text))
        completion(text[:cut], chance.choice(["", text[cut:], text[cut + 9 :]]))


def test_taught_tables_are_those_that_are_read() -> None:
    """The format teaches the parts of evenings and of checks that the lab and the checks read."""
    assert set(PARTS) == types_of(EveningRow).keys()
    assert set(CHECK_PARTS) == types_of(CheckRow).keys()
