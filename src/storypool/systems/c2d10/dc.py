"""The DC of a test: what was set, moved by circumstances and by what was brought into play; and that in words.

Source: c2d10.md 2.1 and 2.5.
"""

from __future__ import annotations

from storypool.engine import rules as r
from storypool.systems.c2d10 import conflicts
from storypool.words import Words

HIGHEST = 10


def targeted(turn: r.Turn, check: r.Check) -> r.Check:
    """The check with its current DC: its own, moved by what was brought into play and by every circumstance."""
    if "dc" not in check.terms:
        return check
    moved = check.number("dc") + check.number("shift") + sum(one.rating for one in _circumstances(turn.table, check))
    return check.with_terms(target=max(0, min(HIGHEST, moved)))


def _circumstances(table: r.Table, check: r.Check) -> list[r.Trait]:
    """The circumstances that count for whoever acts."""
    whose = ("", conflicts.side_of(table, table.characters.get(check.actor)))
    return [one for one in table.of_kind("circumstance", at=check.text("conflict")) if one.about in whose]


def dc_of(words: Words, table: r.Table, check: r.Check) -> str:
    """The DC in words, with its parts where there are several: DC 3: 2 set, 1 Darkness.

    Empty where none is set, and where it is what somebody suggests.
    """
    suggested = "dc" in check.suggested and check.number("dc") == check.number("target")
    return _dc(words, table, check, "dc.alone", "dc.parts") if "target" in check.terms and not suggested else ""


def _dc(words: Words, table: r.Table, check: r.Check, alone: str, with_parts: str) -> str:
    circumstances = [conflicts.signed(one.rating, str(one.terms["name"])) for one in _circumstances(table, check)]
    parts = [words.say("dc.set", n=check.number("dc")), *circumstances, *check.names("moved")]
    return words.say(alone if len(parts) == 1 else with_parts, n=check.number("target"), parts=", ".join(parts))


def dc_now(turn: r.Turn, check: r.Check) -> str:
    """The DC as it is from now on, in words."""
    return _dc(turn.words, turn.table, check, "dc.now", "dc.moved") if "target" in check.terms else ""
