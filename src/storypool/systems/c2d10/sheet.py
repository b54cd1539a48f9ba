"""What a character's sheet holds, whose side they are on, and the dice that follow from their dots.

Source: c2d10.md 2.1; rows in skills.toml beside this.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from storypool.engine.rules import Character, Choice, Entry, Turn, here

Stance = Literal["heroes", "opposed", "neutral"]
STANCES: tuple[Stance, ...] = ("opposed", "neutral", "heroes")
STANCE = "stance"
DICE = "dice"


@cache
def data() -> Mapping[str, Any]:
    """The rows of skills.toml."""
    return tomllib.loads(files("storypool.systems.c2d10").joinpath("skills.toml").read_text(encoding="utf-8"))


def entries() -> tuple[Entry, ...]:
    """The entries of a sheet: talents in their groups, skills with the talent that usually goes with them."""
    talents = [
        Entry(key, label, "talent", 1, 5, 1, {"group": group})
        for group, rows in data()["talents"].items()
        for key, label in rows.items()
    ]
    skills = [
        Entry(key, row["label"], "skill", 0, 5, 0, {"with": row["with"]}) for key, row in data()["skills"].items()
    ]
    return (*talents, *skills, Entry(DICE, "Dice, when no skill is named", "ready dice", 0, 20, 0))


def skills(turn: Turn) -> Iterator[Choice]:
    """The skills of the game, each with the talent that usually goes with it."""
    for entry in turn.system.sheet:
        if entry.group == "skill":
            yield Choice(entry.key, entry.label, turn.system.entry(entry.notes["with"]))


def talents(turn: Turn) -> Iterator[Choice]:
    """The talents of the game, each with its group."""
    for entry in turn.system.sheet:
        if entry.group == "talent":
            yield Choice(entry.key, entry.label, turn.system.group(entry.notes["group"]))


def entry(turn: Turn, key: str) -> Entry | None:
    """The entry with this key, or None for a skill of the player's own naming."""
    return next((e for e in turn.system.sheet if e.key == key), None)


def label(turn: Turn, key: str) -> str:
    """How an entry is called; a name of the player's own stays as it is."""
    return turn.system.entry(key)


def rating(character: Character | None, key: str) -> int | None:
    """The dots on a sheet, or None where it has none yet."""
    value = character.sheet.get(key) if character and key else None
    return value if isinstance(value, int) else None


def track_of(talent: str) -> str:
    """The track that a setback of a test with this talent hurts; that of the body where none is named."""
    group = next((group for group, rows in data()["talents"].items() if talent in rows), "physical")
    tracks: Mapping[str, Any] = data()["tracks"]
    return next(str(track) for track, row in tracks.items() if group in row["groups"])


def stance(character: Character | None) -> Stance:
    """Whose side somebody is on: the heroes', opposed to them, or neither.

    A player's character is a hero; an NPC is opposed until the Keeper says otherwise. Who has left is on no side.
    """
    if character is None or not here(character) or character.side == "none":
        return "neutral"
    if character.side == "players":
        return "heroes"
    said = character.sheet.get(STANCE, "opposed")
    return next((one for one in STANCES if one == said), "opposed")


def acts_for(turn: Turn, character: Character | None) -> bool:
    """Whether this seat plays somebody: a player their own, the Keeper everybody who has no player."""
    if character is None:
        return False
    if turn.seat.side == "gm":
        return not character.seat or character.side == "gm"
    return character.seat == turn.seat.id


def pays_for(turn: Turn, character: Character | None) -> bool:
    """Whether this seat spends its side's points on somebody's roll.

    Each player on their own hero, any player on an NPC aligned with the party, the Keeper on everybody else.
    """
    if character is None:
        return False
    if turn.seat.side == "gm":
        return stance(character) != "heroes"
    mine = character.seat == turn.seat.id or not character.seat or character.side == "gm"
    return stance(character) == "heroes" and mine
