"""What a narrative character's sheet holds, and strain and wounds as plain tracks on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.engine.rules import (
    WHO,
    Account,
    Bag,
    Character,
    Choice,
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


def sheet(game: str) -> tuple[Entry, ...]:
    """The entries of a sheet: characteristics, the skills of the family and those of a game, and what is besides."""
    family, own = rows(NARRATIVE, "skills"), rows(game, "skills")
    return (
        *(Entry(key, label, "characteristic", 1, 10, 2) for key, label in family["characteristics"].items()),
        *(
            Entry(key, row["label"], "skill", 0, 10, 0, {"with": row["with"], "kind": row.get("kind", "")})
            for key, row in {**family["skills"], **own["skills"]}.items()
        ),
        *(Entry(key, group=group, **row) for group, of in family["further"].items() for key, row in of.items()),
    )


characteristics = entries("characteristic")


def skills(whose: str) -> Callable[[Turn], Iterator[Choice]]:
    """The choice of the skills of the game, and of those that only this character's sheet has."""

    def choices(turn: Turn) -> Iterator[Choice]:
        yield from entries("skill", beside="with")(turn)
        known, who = {entry.key for entry in turn.system.sheet}, turn.character(whose)
        for key in who.sheet if who else ():
            if key not in known:
                yield Choice(key, turn.system.entry(key))

    return choices


def noted(turn: Turn, skill: str, note: str) -> str:
    """A note beside a skill, empty for one that only a sheet has: its usual characteristic, or its kind."""
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
