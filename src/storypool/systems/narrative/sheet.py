"""What a narrative character's sheet holds, and strain and wounds as plain tracks on it."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    WHO,
    Account,
    Bag,
    Character,
    ChoiceAsk,
    Entry,
    Event,
    NumberAsk,
    TextAsk,
    Turn,
    answers,
    entries,
    move,
    rating,
    rows,
)
from storypool.systems.narrative.dice import HELPING

NARRATIVE = "storypool.systems.narrative"

_FURTHER = (
    Entry("wound-threshold", "Wound threshold", "track", 0, 99, 12),
    Entry("strain-threshold", "Strain threshold", "track", 0, 99, 12),
    Entry("soak", "Soak", "track", 0, 30, 2),
    Entry("critical", "Critical rating of the weapon", "weapon", 0, 6, 3),
    Entry("quality", "Price of the weapon's quality", "weapon", 0, 6, 2),
    Entry("adversary", "Adversary rank", "rank", 0, 10, 0),
    Entry("ability", "Ability dice, when no skill is named", "ready dice", 0, 10, 0),
    Entry("proficiency", "Proficiency dice, when no skill is named", "ready dice", 0, 10, 0),
)


def sheet(game: str) -> tuple[Entry, ...]:
    """The entries of a sheet: characteristics, the skills of the family and those of a game, and what is besides."""
    found: list[Entry] = []
    for package in (NARRATIVE, game):
        data = rows(package, "skills")
        found += [Entry(k, v, "characteristic", 1, 10, 2) for k, v in data.get("characteristics", {}).items()]
        for key, row in data.get("skills", {}).items():
            notes = {"with": row["with"], "kind": row.get("kind", "")}
            found.append(Entry(key, row["label"], "skill", 0, 10, 0, notes))
    return (*found, *_FURTHER)


skills = entries("skill", beside="with")
characteristics = entries("characteristic")


def noted(turn: Turn, skill: str, note: str) -> str:
    """A note beside a skill, empty for one of the player's own naming: its usual characteristic, or its kind."""
    return next((entry.notes.get(note, "") for entry in turn.system.sheet if entry.key == skill), "")


def ready_dice(character: Character | None) -> Bag:
    """The dice of a sheet that names no skill."""
    return Bag({die: rating(character, die) or 0 for die in HELPING[:2]})


# Strain and wounds have no cap: the game master says what happens beyond a threshold.
TRACKS = (Account("strain", "character"), Account("wounds", "character"))

_ASKS = (
    WHO,
    ChoiceAsk("track", "Which track?", answers("track", "strain", "wounds")),
    NumberAsk("by", "How many?", default=1, low=1, high=50, needed=False),
    TextAsk("why", "Why?", needed=False),
)


@move("track.suffer", asks=_ASKS, rule="Strain and wounds")
def suffer(turn: Turn) -> Iterator[Event]:
    """Suffer strain or wounds"""
    yield from turn.change(turn.text("track"), turn.number("by", 1), turn.text("who"), turn.text("why"))


@move("track.recover", asks=_ASKS, rule="Strain and wounds")
def recover(turn: Turn) -> Iterator[Event]:
    """Recover strain or wounds"""
    yield from turn.change(turn.text("track"), -turn.number("by", 1), turn.text("who"), turn.text("why"))
