"""Characters of a table as files: Storypool's own, and a spreadsheet; both come in again."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from storypool import systems
from storypool.brought import own_files
from storypool.brought.fitting import DATA
from storypool.engine.game.system import System
from storypool.engine.table import Character, Table, Trait

FORMULA = ("=", "+", "-", "@", "\t")
"""The signs with which a spreadsheet begins a formula: no text of a cell begins with one."""

Leaving = dict[str, Any]
"""A character as Storypool's own file has it."""


def characters_leaving(
    system: System, table: Table, chosen: Iterable[Character], notes_of: str = ""
) -> list[Leaving]:
    """The characters of a table as a seat sees it, each with its sheet and its texts.

    `notes_of` is the seat whose notes about them go with them. Nothing of the table's is added, so
    a sheet that the seat does not read stays empty.
    """
    return [_leaving(system, table, one, notes_of) for one in chosen]


def _leaving(system: System, table: Table, one: Character, notes_of: str) -> Leaving:
    rows: Mapping[str, Any] = systems.data(system.key, DATA).get("text", {})
    traits = (trait for trait in table.traits.values() if trait.about == one.id)
    texts = [_text(trait, rows[trait.kind]) for trait in traits if trait.kind in rows]
    papers = [
        paper.text
        for paper in table.papers.values()
        if paper.about == one.id and paper.by == notes_of != ""
    ]
    found: Leaving = {"name": one.name, "npc": one.side == "gm", "sheet": dict(one.sheet)}
    return found | {"texts": texts, "notes": "\n".join(filter(None, papers))}


def _text(trait: Trait, row: Mapping[str, Any]) -> dict[str, Any]:
    """A trait as a text of its kind, with the numbers that the move which writes it asks for."""
    numbers = {
        name: trait.terms[question]
        for name, question in row.get("numbers", {}).items()
        if question in trait.terms and name == question
    }
    if trait.rating:
        numbers |= {name: trait.rating for name in row.get("numbers", {}) if name == "quality"}
    of = str(trait.terms.get(row.get("of", ""), "") or trait.at)
    text = str(trait.terms.get(row.get("ask", "text"), trait.text))
    return {"kind": trait.kind, "text": text, "of": of, "numbers": numbers}


def as_json(system: System, found: list[Leaving]) -> str:
    """The characters as Storypool's own file."""
    return own_files.written(system.key, found)


def as_csv(system: System, found: list[Leaving]) -> str:
    """The characters as a spreadsheet: a row for each, a column for each number and text."""
    rows = [dict(_cells(system, one)) for one in found]
    headings = dict.fromkeys(heading for row in rows for heading in row)
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow([*headings])
    for row in rows:
        writer.writerow([_safe(row.get(heading, "")) for heading in headings])
    return output.getvalue()


def _cells(system: System, one: Leaving) -> Iterator[tuple[str, Any]]:
    yield "Name", one["name"]
    for key, value in one["sheet"].items():
        yield system.entry(key) if key in system.by_entry else key, value
    counts = dict[str, int]()
    for text in one["texts"]:
        kind = text["kind"]
        n = counts[kind] = counts.get(kind, 0) + 1
        heading = kind if n == 1 else f"{kind} {n}"
        yield heading, text["text"]
        if text["of"]:
            yield f"{heading} skill", text["of"]
        for name, value in text["numbers"].items():
            yield f"{heading} {name}", value
    yield "Notes", one["notes"]
    yield "NPC", "yes" if one["npc"] else ""


def _safe(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; numbers stay numbers."""
    is_formula = isinstance(value, str) and value.startswith(FORMULA)
    return f"'{value}" if is_formula else value
