"""NPCs in one line, and whose side they are on.

Source: seed 001, Hero points and NPC Successes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    GM_ONLY,
    SECRET,
    Character,
    CharacterSet,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    NumberAsk,
    SheetAsk,
    TextAsk,
    Turn,
    Value,
    here,
    move,
    sheet_of,
    slug,
)
from storypool.systems.c2d10.sheet import DICE, STANCE, STANCES

SIDE = ChoiceAsk(
    "stance",
    "Whose side are they on?",
    lambda t: [Choice(one, t.system.words[f"stance.{one}"]) for one in STANCES],
    default=STANCES[0],
    needed=False,
)


@move(
    "npc.add",
    by=["gm"],
    asks=[
        TextAsk("name", "Who is it?"),
        SIDE,
        NumberAsk("dice", "Their dice", default=4, low=1, high=20, needed=False),
        SheetAsk("sheet", "More numbers, as key=number", needed=False),
        SECRET,
    ],
    rule="NPC Successes",
)
def add(turn: Turn) -> Iterator[Event]:
    """Bring in an NPC

    Opposed to the party, their excess successes are villain points; aligned with it, hero points; neutral, neither.
    """
    sheet: dict[str, Value] = {DICE: turn.number("dice", 4), **sheet_of(turn.text("sheet"))}
    sheet[STANCE] = turn.text("stance") or STANCES[0]
    hidden = GM_ONLY if turn.flag("secret") else None
    id = slug(turn.text("name"), turn.table.characters)
    yield CharacterSet(Character(id, turn.text("name")[:40], "gm", "", sheet, hidden))


def _npcs(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.characters.values():
        if one.side == "gm" and here(one):
            yield Choice(one.id, one.name, turn.system.words[f"stance.{one.sheet.get(STANCE, STANCES[0])}"])


@move(
    "npc.stance",
    by=["gm"],
    only_if=[lambda t: None if any(_npcs(t)) else t.firm("npc.none")],
    asks=[ChoiceAsk("who", "Who?", _npcs), replace(SIDE, needed=True, default=None)],
    rule="NPC Successes",
)
def take_side(turn: Turn) -> Iterator[Event]:
    """Say whose side an NPC is on"""
    one = turn.table.characters[turn.text("who")]
    yield CharacterSet(replace(one, sheet={**one.sheet, STANCE: turn.text("stance")}))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
