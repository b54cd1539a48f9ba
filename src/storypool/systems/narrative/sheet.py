"""What a narrative character's sheet holds, and the dice that follow from it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources.abc import Traversable

from storypool.engine.rules import Account, Bag, Character, Choice, Entry, Table, Turn


def read_sheet(*files: Traversable) -> tuple[Entry, ...]:
    """The entries of a sheet from the data beside the systems: characteristics, skills, and the two tracks."""
    entries: list[Entry] = []
    for file in files:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        entries += [Entry(k, v, "characteristic", 1, 10, 2) for k, v in data.get("characteristics", {}).items()]
        for key, row in data.get("skills", {}).items():
            notes = {"with": row["with"], "kind": row.get("kind", "")}
            entries.append(Entry(key, row["label"], "skill", 0, 10, 0, notes))
    return (
        *entries,
        Entry("wound-threshold", "Wound threshold", "track", 0, 99, 12),
        Entry("strain-threshold", "Strain threshold", "track", 0, 99, 12),
        Entry("soak", "Soak", "track", 0, 30, 2),
        Entry("critical", "Critical rating of the weapon", "weapon", 0, 6, 3),
        Entry("quality", "Price of the weapon's quality", "weapon", 0, 6, 2),
        Entry("adversary", "Adversary rank", "rank", 0, 10, 0),
        Entry("ability", "Ability dice, when no skill is named", "ready dice", 0, 10, 0),
        Entry("proficiency", "Proficiency dice, when no skill is named", "ready dice", 0, 10, 0),
    )


# Strain and wounds have no cap: what lies beyond a threshold is for the game master to say.
TRACKS = (Account("strain", "character"), Account("wounds", "character"))


def skills(turn: Turn) -> Iterator[Choice]:
    """The skills of the game, each with the characteristic that goes with it."""
    for entry in turn.system.sheet:
        if entry.group == "skill":
            yield Choice(entry.key, entry.label, turn.system.entry(entry.notes["with"]))


def characteristics(turn: Turn) -> Iterator[Choice]:
    """The characteristics of the game."""
    for entry in turn.system.sheet:
        if entry.group == "characteristic":
            yield Choice(entry.key, entry.label)


def entry(turn: Turn, key: str) -> Entry | None:
    """The entry with this key, or None for a skill of the player's own naming."""
    return next((e for e in turn.system.sheet if e.key == key), None)


def label(turn: Turn, key: str) -> str:
    """How an entry is called; a name of the player's own stays as it is."""
    return turn.system.entry(key)


def rating(character: Character | None, key: str) -> int | None:
    """The number on a sheet, or None where it has none yet."""
    value = character.sheet.get(key) if character and key else None
    return value if isinstance(value, int) else None


def threshold(table: Table, owner: str, track: str) -> int | None:
    """Where a track is full for this character, or None where their sheet does not say."""
    return rating(table.characters.get(owner), f"{track.removesuffix('s')}-threshold")


def skilled(characteristic: int, rank: int, lesser: str = "ability", greater: str = "proficiency") -> Bag:
    """The dice of a characteristic and a rank: as many as the higher, upgraded as often as the lower says.

    Source: seed 003, Skill and Characteristic. A rank of 0 is unskilled.

    >>> skilled(3, 1)
    Bag(ability=2, proficiency=1)
    """
    low, high = sorted((characteristic, rank))
    return Bag({lesser: high - low, greater: low})
