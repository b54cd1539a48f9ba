"""Rows of a spreadsheet, as CSV: a heading for each column, a character in each row.

A number belongs to the heading above it, and so does a text; several texts in a cell are on lines
of their own or have semicolons between them. `focus: battle` is a text that belongs to a number,
and `weapon damage` after `weapon` a number of that text. A sheet of one character may have its
names in the first column and its values in the second.
"""

import csv
import io
import re
from collections.abc import Iterator

from storypool.brought.characters import MOST_CHARACTERS, BroughtCharacter, NoCharacter, whole
from storypool.words.folding import folded

FORMAT = "csv"
NAMES = frozenset({"name", "character", "charname", "character name"})
NPCS = frozenset({"npc"})
NOTES = frozenset({"notes", "note", "story", "description", "biography"})
MOST_COLUMNS = 200
LONGEST_CELL = 20_000
SEPARATORS = ",;\t|"
YES = frozenset({"yes", "y", "x", "true", "1"})


def read(text: str) -> Iterator[BroughtCharacter]:
    """Yield the characters of a sheet; `NoCharacter` if none of its headings is a name."""
    rows = _rows(text)
    headings = [cell.strip() for cell in rows[0]] if rows else []
    if not any(folded(one) in NAMES for one in headings[1:]) and _is_upright(rows):
        rows = [*map(list, zip(*rows, strict=True))]
        headings = [cell.strip() for cell in rows[0]]
    if not any(folded(one) in NAMES for one in headings):
        raise NoCharacter("csv.names")
    filled = [row for row in rows[1:] if any(map(str.strip, row))]
    if len(filled) > MOST_CHARACTERS:
        raise NoCharacter("many", n=len(filled), most=MOST_CHARACTERS)
    for row in filled:
        yield _character(headings, row)


def _rows(text: str) -> list[list[str]]:
    first = text.lstrip().partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    try:
        rows = [*csv.reader(io.StringIO(text.strip()), delimiter=separator, strict=True)]
    except csv.Error:
        raise NoCharacter("csv") from None
    for row in rows:
        if len(row) > MOST_COLUMNS or any(len(cell) > LONGEST_CELL for cell in row):
            raise NoCharacter("csv.wide", most=MOST_COLUMNS)
    return [row for row in rows if row]


def _is_upright(rows: list[list[str]]) -> bool:
    """Whether the headings are in the first column: each is there once, and one is a name."""
    first = [folded(row[0]) for row in rows if len(row) == 2]
    return len(first) == len(rows) == len({*first}) > 2 and bool(NAMES & {*first})


def _character(headings: list[str], row: list[str]) -> BroughtCharacter:
    one, texts = BroughtCharacter(FORMAT), dict[str, str]()
    numbers = dict[str, dict[str, object]]()
    for heading, cell in zip(headings, row, strict=False):
        name, value = folded(heading), _unguarded(cell.strip())
        if not value or not heading:
            continue
        if name in NAMES:
            one.name = one.name or value
        elif name in NPCS:
            one.is_npc = folded(value) in YES
        elif name in NOTES:
            one.note(heading, value)
        elif owner := max((kind for kind in texts if _is_part(name, kind)), key=len, default=""):
            numbers.setdefault(owner, {})[name.removeprefix(f"{owner} ")] = value
        elif whole(value) is not None:
            one.count(heading, value)
        else:
            texts[name] = value
    for name, value in texts.items():
        kind, _, of = name.partition(":")
        more = numbers.get(name, {})
        skill = str(more.pop("skill", "")) or of.strip()
        for text in [value] if more or skill else re.split(r"[;\n]", value):
            one.write(re.sub(r" ?\d+$", "", kind.strip()), text, skill, **more)
    return one


def _is_part(name: str, kind: str) -> bool:
    """Whether a heading is a number of a text; `weapon 2` is another weapon, not a number."""
    rest = name.removeprefix(f"{kind} ")
    return rest != name and not rest.isdecimal()


def _unguarded(cell: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from reading a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell
