"""Each thing is defined once, by its dataclass: stored, sent and documented forms follow it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from storypool.engine.table import SharedTable
from storypool.log.codec import EVENTS
from storypool.web.interface.schemas import Shapes
from storypool.web.interface.table_forms import TableShown
from tools.forms import PARTS

SRC = Path(__file__).resolve().parent.parent / "src" / "storypool"
SENT = (*PARTS, *EVENTS.values(), SharedTable)
"""The things sent to a seat, and the events that set them."""
DOCUMENTED = [kind for kind in SENT if not issubclass(kind, tuple)]
"""The things sent as objects."""

READ_BY_PROGRAMS = {
    "CheckChanged.freed",
    "MoveMade.automatic",
    "ProposalSettled.freed",
    "SharedTable.dice_at",
    "SharedTable.redo_to",
    "Trait.shown_with",
}
"""The fields that neither a sentence of the log nor the page reads."""

DECIDE = """%s: nothing reads this yet, or it is read by now and still in READ_BY_PROGRAMS.
A field is stored, sent and documented without another line. Two things are yours to decide:
- Who sees it? `engine/sight` hides whole things. What fewer seats may see is a thing or an event of
  its own; what only the rules may see of a table is a field of Table, not of SharedTable.
- How does it read? In the log a sentence has it (`engine/story`, `words.toml`), at the table the
  page (`web/static/js`). What only programs read is listed in READ_BY_PROGRAMS."""


def fields_of(kind: Any) -> list[str]:
    """The fields of a class, in their order."""
    return [name for name in get_type_hints(kind) if name != "_"]


@pytest.mark.parametrize("kind", DOCUMENTED, ids=lambda kind: kind.__name__)
def test_fields_are_documented(kind: Any) -> None:
    """The documents have every sent field."""
    shapes = Shapes()
    shapes.of(kind)
    described = shapes.named[kind.__name__]["properties"]
    assert fields_of(kind) == [name for name in described if name not in ("type", "v")]


def test_shared_table_is_sent() -> None:
    """A seat gets the shared table, with three derived fields."""
    sent = [one.name for one in fields(SharedTable)] + ["turns", "caps", "bound"]
    assert sent == fields_of(TableShown)


def test_fields_are_read() -> None:
    """The log or the page reads every sent field."""
    files = [
        *(SRC / "engine" / "story").glob("*.py"),
        *(SRC / "web" / "static" / "js").rglob("*.js"),
    ]
    words = set(re.findall(r"\w+", "\n".join(file.read_text(encoding="utf-8") for file in files)))
    named = {f"{kind.__name__}.{name}": name for kind in SENT for name in fields_of(kind)}
    unread = {field for field, name in named.items() if name not in words}
    assert READ_BY_PROGRAMS == unread, DECIDE % ", ".join(sorted(READ_BY_PROGRAMS ^ unread))
