"""What a character of this game has: numbers on the sheet, and statements, focuses and the like as traits.

Source: seed 004, Skills, Drives and Creating Non-player Characters; dune.md 4.1.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.resources import files

from storypool.engine.rules import (
    Ask,
    Character,
    CharacterSet,
    Choice,
    Entry,
    Event,
    NumberAsk,
    Table,
    Trait,
    Turn,
    Value,
    characters,
)

LOWEST, HIGHEST = 4, 8
STATEMENT_FROM = 6
"""A drive of this rating or more has a statement."""
MINOR, NOTABLE, MAJOR = 1, 2, 3

_ROWS = tomllib.loads(files("storypool.systems.dune").joinpath("skills.toml").read_text(encoding="utf-8"))
SKILLS: dict[str, str] = {key: row["label"] for key, row in _ROWS["skills"].items()}
DRIVES: dict[str, str] = {key: row["label"] for key, row in _ROWS["drives"].items()}
QUALITY = "quality"
"""What a minor character adds instead of a drive."""
ADVANCES = "skill-advances"

SHEET = (
    *[
        Entry(k, r["label"], "skill", LOWEST, HIGHEST, LOWEST, {"about": r["about"]})
        for k, r in _ROWS["skills"].items()
    ],
    *[
        Entry(k, r["label"], "drive", LOWEST, HIGHEST, LOWEST, {"about": r["about"]})
        for k, r in _ROWS["drives"].items()
    ],
    Entry(QUALITY, "Quality, instead of drives", "drive", LOWEST, HIGHEST, LOWEST),
    Entry("rank", "Rank: 1 minor, 2 notable, 3 major", "rank", MINOR, MAJOR, MAJOR),
    Entry(ADVANCES, "Skill advances so far", "advancement", 0, 99, 0),
)


def rating(character: Character | None, key: str) -> int | None:
    """The number on a sheet, or None where it has none yet."""
    value = character.sheet.get(key) if character and key else None
    return value if isinstance(value, int) else None


def rank(character: Character | None) -> int:
    """Minor, notable or major. Unless a sheet says it, a player's character is major, an NPC without drives minor.

    >>> rank(Character("paul", "Paul")), rank(Character("guard", "Guard", "gm", sheet={"quality": 5}))
    (3, 1)
    """
    written = rating(character, "rank")
    if written is not None:
        return written
    if character is None or character.side == "players":
        return MAJOR
    return NOTABLE if any(rating(character, drive) for drive in DRIVES) else MINOR


def drives_of(character: Character | None) -> tuple[str, ...]:
    """What this character can add to a skill: the five drives, or the Quality of a minor one."""
    if rank(character) > MINOR:
        return tuple(DRIVES)
    return (QUALITY, *[drive for drive in DRIVES if rating(character, drive)])


def label(turn: Turn, key: str) -> str:
    """How a skill or a drive is called, or what a minor character has instead."""
    return turn.system.words["drive.quality"] if key == QUALITY else turn.system.entry(key)


def traits_of(table: Table, kind: str, about: str, at: str = "") -> list[Trait]:
    """The traits of a kind that somebody has, at one place or skill where it is named."""
    return [t for t in table.traits.values() if t.kind == kind and t.about == about and (not at or t.at == at)]


def statement(table: Table, who: str, drive: str) -> Trait | None:
    """The statement of a drive, struck or not, or None where nothing is written down."""
    return next(iter(traits_of(table, "statement", who, drive)), None)


def struck(trait: Trait | None) -> bool:
    """Whether a line has been put through a statement."""
    return trait is not None and bool(trait.terms.get("struck"))


def skills(turn: Turn) -> Iterator[Choice]:
    """The five skills."""
    yield from _listed(turn, SKILLS)


def drives(turn: Turn) -> Iterator[Choice]:
    """The five drives."""
    yield from _listed(turn, DRIVES)


def _listed(turn: Turn, keys: Iterable[str]) -> Iterator[Choice]:
    for entry in turn.system.sheet:
        if entry.key in keys:
            yield Choice(entry.key, entry.label, entry.notes["about"])


def drive_choices(turn: Turn, actor: Character | None) -> Iterator[Choice]:
    """What somebody can add to a skill, each with its statement beside it; a struck one says so."""
    for key in drives_of(actor):
        found = statement(turn.table, actor.id, key) if actor else None
        note = found.text if found else ""
        yield Choice(key, label(turn, key), turn.system.words.say("drive.struck", text=note) if struck(found) else note)


def written_by(turn: Turn) -> Iterator[Choice]:
    """Whose sheet this seat may write on: the game master on everybody's, a player on those they play."""
    return characters(own=turn.seat.side != "gm")(turn)


def first_own(turn: Turn) -> str | None:
    """The first character that this seat plays."""
    return next((choice.value for choice in characters(own=True)(turn)), None)


def ratings(actor: str = "as", skill: str = "skill", drive: str = "drive") -> tuple[Ask, Ask]:
    """The questions for the numbers behind a skill and a drive, put when the sheet has them not."""

    def unknown(key: str) -> Ask:
        def shown(turn: Turn) -> bool:
            who = turn.table.characters.get(turn.text(actor))
            return who is not None and bool(turn.text(key)) and rating(who, turn.text(key)) is None

        return NumberAsk(f"{key}_rating", f"How high is the {key}?", default=5, low=4, high=8, shown=shown)

    return unknown(skill), unknown(drive)


def remembered(turn: Turn, actor: Character) -> Iterator[Event]:
    """A number asked for the first time is on the sheet from now on."""
    new: dict[str, Value] = {}
    for ask in ("skill", "drive"):
        if turn.text(ask) and f"{ask}_rating" in turn.args and rating(actor, turn.text(ask)) is None:
            new[turn.text(ask)] = turn.number(f"{ask}_rating")
    if new:
        yield CharacterSet(replace(actor, sheet={**actor.sheet, **new}))
