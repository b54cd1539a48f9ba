"""The sheets of paper: each row that a paper.toml prints with a number is what a move does, in `tests/printed`.

A scene is a play. Below a comment `# printed SECTION.ROW` it makes the moves that this row promises, and what the table
has then is compared with the numbers of the row. `# -` begins what only leads to the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.folder import rows
from storypool.engine.table import Table
from storypool.play import Performance, read

SCENES = Path(__file__).with_name("printed")
GAMES = [key for key in systems.names() if systems.folder(key).joinpath("paper.toml").is_file()]
FOLDERS = {"starwars": ("narrative", "starwars"), "genesys": ("genesys",)}
"""Where the papers of a game are, if not in its own folder alone."""
ELSEWHERE = {
    # What the faces of the dice say, and how pools begin and end, are no prices: the plays of the game hold them.
    ("c2d10", "faces"),
    ("c2d10", "pools"),
    # Held by tests/test_web_reference.py.
    ("dune", "dice"),
}
NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")


@cache
def printed(key: str) -> dict[str, str]:
    """Return each row of the papers of a game that has a number, as SECTION.ROW.

    A number that is filled in, in braces, is that of the rules already.
    """
    found = dict[str, str]()
    for folder in FOLDERS.get(key, (key,)):
        for section, note in rows(f"storypool.systems.{folder}", "paper").items():
            if isinstance(note, dict) and (key, section) not in ELSEWHERE:
                lines = note.get("rows", {}).items()
                found |= {f"{section}.{row}": text for row, text in lines if NUMBER.search(text) and "{" not in text}
    return found


@cache
def done(key: str) -> dict[str, tuple[frozenset[int], frozenset[int]]]:
    """Return for each row what its moves cost or brought in points, and by how much they changed anything else."""
    text = (SCENES / f"{key}.play").read_text(encoding="utf-8")
    lines, found = text.splitlines(), dict[str, tuple[frozenset[int], frozenset[int]]]()
    performance, before = Performance(read(text, f"{key}.play")), Table()
    for step in performance.steps():
        assert step.problem is None, f"{key}.play:{step.line}: {step.problem}"
        above = next(line for line in reversed(lines[: step.line - 1]) if line.startswith("#"))
        for row in above.removeprefix("# printed ").split() if above.startswith("# printed ") else ():
            points, more = found.get(row, (frozenset(), frozenset()))
            paid, changed = changes(before, performance.table)
            found[row] = (points | {max(paid)} if paid else points, more | {*paid, *changed})
        before = performance.table
    return found


def changes(before: Table, after: Table) -> tuple[list[int], list[int]]:
    """Return by how much points changed, with those that a roll owes, and everything else that is counted."""
    points = {str(purse): n for purse, n in (_points(after) - _points(before)).items()}
    counts = _counts(after) - _counts(before)
    return [abs(n) for n in points.values()], [abs(n) for n in counts.values()]


def _points(table: Table) -> Bag:
    owed = sum((check.owed for check in table.checks.values()), Bag())
    return Bag({str(purse): n for purse, n in table.points.items()}) + owed


def _counts(table: Table) -> Bag:
    found: dict[str, int] = {trait.id: trait.rating for trait in table.traits.values()}
    for check in table.checks.values():
        found |= {f"{check.id}.{name}": n for name, n in check.pool.items()}
        found |= {f"{check.id}.left.{name}": n for name, n in check.left.items()}
        found |= {f"{check.id}.term.{name}": n for name, n in check.terms.items() if type(n) is int}
    return Bag(found)


def disagrees(text: str, points: frozenset[int], more: frozenset[int]) -> bool:
    """Whether a row prints a number that its moves do not show, or leaves one out that they cost or bring.

    What a move adds shows in how much more one of them changes than another.
    """
    numbers = {int(n) for n in NUMBER.findall(text.replace("a point", "1 point"))}
    return not (points <= numbers <= points | more | {one - other for one in more for other in more if one > other})


def cases() -> Iterator[tuple[str, str]]:
    """Yield each game with each row of its papers that has a number."""
    return ((key, row) for key in GAMES for row in printed(key))


@pytest.mark.parametrize(("key", "row"), list(cases()))
def test_a_row_on_paper_is_what_its_moves_do(key: str, row: str) -> None:
    """Prices and effects of a printed row are those of the moves; a price that were one more or less would show."""
    assert row in done(key), f"tests/printed/{key}.play has no passage for {row}: {printed(key)[row]}"
    text, (points, more) = printed(key)[row], done(key)[row]
    assert not disagrees(text, points, more), (text, sorted(points), sorted(more))
    for number in NUMBER.finditer(text):
        for wrong in (int(number[0]) + 1, int(number[0]) - 1):
            other = f"{text[: number.start()]}{wrong}{text[number.end() :]}"
            assert int(number[0]) not in (points or more) or disagrees(other, points, more), other


def test_every_passage_is_about_a_row() -> None:
    """No scene has a passage for a row that no paper has, or that has no number."""
    for key in GAMES:
        assert set() == set(done(key)) - set(printed(key))
