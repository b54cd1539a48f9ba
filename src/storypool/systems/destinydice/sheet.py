"""What a character's sheet holds: approaches or skills, Refresh, stress boxes, consequences; and how full they are."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from storypool.engine.rules import (
    Character,
    Choice,
    ChoiceAsk,
    Entry,
    Event,
    Move,
    Table,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    characters,
    here,
    move,
)
from storypool.systems.destinydice.ladder import HIGHEST, rung

FREE_STUNTS = 3
"""Stunts that cost no Refresh. Source: destinydice.md 3.5."""


@cache
def abilities() -> Mapping[str, Mapping[str, str]]:
    """Approaches and skills by their group: key and name of each."""
    data: dict[str, dict[str, str]] = tomllib.loads(
        files("storypool.systems.destinydice").joinpath("skills.toml").read_text(encoding="utf-8")
    )
    return data


SHEET = (
    *(Entry(key, name, "approach", 0, HIGHEST) for key, name in abilities()["approaches"].items()),
    *(Entry(key, name, "skill", 0, HIGHEST) for key, name in abilities()["skills"].items()),
    Entry("refresh", "Refresh", "fate", 1, 10, 3),
    Entry("stress", "Stress boxes", "harm", 0, 6, 3),
    Entry("consequences", "Consequences they can take", "harm", 0, 3, 3),
)
_DEFAULT = {entry.key: entry.default for entry in SHEET}


def number(character: Character | None, key: str) -> int:
    """A number on a sheet, or what everybody has who does not say otherwise."""
    value = character.sheet.get(key) if character else None
    return value if isinstance(value, int) else _DEFAULT.get(key, 0)


def listed(turn: Turn) -> dict[str, str]:
    """What this table rates people by: the approaches, or the skills as the table has edited their list."""
    if turn.option("ratings") == "approaches":
        return {key: turn.system.entry(key) for key in abilities()["approaches"]}
    own = {str(t.terms["key"]): str(t.terms["name"]) for t in _of_kind(turn, "skill")}
    struck = {str(t.terms["key"]) for t in _of_kind(turn, "skill-struck")}
    return {key: turn.system.entry(key) for key in abilities()["skills"] if key not in struck} | own


def _of_kind(turn: Turn, kind: str) -> list[Trait]:
    return [trait for trait in turn.table.traits.values() if trait.kind == kind]


def knacks(turn: Turn, who: str) -> list[Trait]:
    """What a mook is good or bad at, each with its rating."""
    return [trait for trait in _of_kind(turn, "knack") if trait.about == who]


def rating(turn: Turn, who: Character | None, key: str) -> int | None:
    """How good somebody is at this, or None where nothing says so."""
    if who is None or not key:
        return None
    knack = turn.table.traits.get(key)
    if knack is not None and knack.kind == "knack":
        return knack.rating if knack.about == who.id else None
    value = who.sheet.get(key)
    return value if isinstance(value, int) else None


def choices(turn: Turn, who: Character | None) -> Iterator[Choice]:
    """What somebody can act with: the knacks of a mook, then what the table rates people by, each with its number."""
    if who is None:
        return
    for trait in knacks(turn, who.id):
        yield Choice(trait.id, str(trait.terms["name"]), rung(trait.rating).title(turn.system.words))
    for key, name in listed(turn).items():
        yield Choice(key, name, rung(rating(turn, who, key) or 0).title(turn.system.words))


def label(turn: Turn, key: str) -> str:
    """How an approach, a skill or a knack is called; a name of the player's own stays as it is."""
    knack = turn.table.traits.get(key)
    if knack is not None and knack.kind == "knack":
        return str(knack.terms["name"])
    return listed(turn).get(key) or turn.system.entry(key)


# Refresh, stress, consequences: how full they are.


def refresh(table: Table, who: str) -> int:
    """The Refresh of a character, less one for each stunt beyond the free ones; an NPC has what its sheet says."""
    one = table.characters.get(who)
    if one is None or (one.side != "players" and "refresh" not in one.sheet):
        return 0
    stunts = sum(1 for trait in table.traits.values() if trait.kind == "stunt" and trait.about == who)
    return max(1, number(one, "refresh") - max(0, stunts - FREE_STUNTS))


def checked(table: Table, who: str) -> set[int]:
    """The stress boxes that are checked; box 1 takes up one shift, box 2 two, and so on."""
    return {trait.rating for trait in table.traits.values() if trait.kind == "stress" and trait.about == who}


def unchecked(table: Table, who: str) -> list[int]:
    """The stress boxes that are not checked, the lowest first."""
    full = checked(table, who)
    return [box for box in range(1, number(table.characters.get(who), "stress") + 1) if box not in full]


@cache
def severities() -> Mapping[str, Mapping[str, str | int]]:
    """The kinds of consequences by name, the lightest first."""
    data: dict[str, dict[str, str | int]] = tomllib.loads(
        files("storypool.systems.destinydice").joinpath("harm.toml").read_text(encoding="utf-8")
    )
    return data


def shifts(severity: str) -> int:
    """How many shifts of a hit a consequence of this kind takes up."""
    return int(severities()[severity]["shifts"])


def open_consequences(table: Table, who: str) -> list[str]:
    """The kinds of consequences that somebody can still take, the lightest first."""
    taken = {trait.at for trait in table.traits.values() if trait.kind == "consequence" and trait.about == who}
    all_of_them = list(severities())[: number(table.characters.get(who), "consequences")]
    return [severity for severity in all_of_them if severity not in taken]


def out(table: Table, who: str) -> bool:
    """Whether somebody is out of the scene: taken out, or gone on their own terms."""
    return any(t.kind in ("taken-out", "conceded") and t.about == who for t in table.traits.values())


def able(turn: Turn) -> Iterator[Choice]:
    """Those whom this seat plays and who are still in the scene."""
    for choice in characters(own=True)(turn):
        if not out(turn.table, choice.value):
            yield choice


def plays(turn: Turn, one: Character) -> bool:
    """Whether this seat answers for a character: its player, or of an NPC the GM."""
    return one.side == "gm" if turn.seat.side == "gm" else one.seat == turn.seat.id


def first_of(choices: Callable[[Turn], Iterator[Choice]]) -> Callable[[Turn], str | None]:
    """The first of these choices as the default of a question."""
    return lambda turn: next((choice.value for choice in choices(turn)), None)


def side_of(table: Table, who: str) -> str:
    """The side of a character: "players" or "gm"."""
    one = table.characters.get(who)
    return "gm" if one is not None and one.side == "gm" else "players"


def player_characters(table: Table) -> list[Character]:
    """The characters of the players who are in the story."""
    return [one for one in table.characters.values() if one.side == "players" and here(one)]


# The list of skills is the table's own.

SKILL = ChoiceAsk("skill", "Which skill?", lambda t: [Choice(k, n) for k, n in listed(t).items()])


@move(
    "skill.add",
    by=["gm"],
    only_if=[lambda t: t.no("skills") if t.option("ratings") == "approaches" else None],
    asks=[TextAsk("name", "What is the skill called?")],
    rule="Destiny Dice in Fate Accelerated: adapting it",
)
def add_skill(turn: Turn) -> Iterator[Event]:
    """Add a skill to this table's list

    The seed invites tables to adapt the dice; with the skills of Fate Core the list is the table's own.
    """
    name = turn.text("name")[:40]
    key = "-".join("".join(c if c.isalnum() else " " for c in name.casefold()).split())
    if not key or key in listed(turn):
        raise turn.refused("argument", "skill.there", "name", name=name)
    struck = next((t for t in _of_kind(turn, "skill-struck") if t.terms["key"] == key), None)
    if struck is not None:
        yield TraitRemoved(struck.id)
        return
    text = turn.system.words.say("skill.added", name=name)
    terms = {"key": key, "name": name}
    yield TraitSet(Trait(turn.fresh("t"), "skill", text, by=turn.seat.id, terms=terms))


@move(
    "skill.strike",
    by=["gm"],
    only_if=[lambda t: t.no("skills") if t.option("ratings") == "approaches" else None],
    asks=[SKILL],
    rule="Destiny Dice in Fate Accelerated: adapting it",
)
def strike_skill(turn: Turn) -> Iterator[Event]:
    """Strike a skill from this table's list"""
    key = turn.text("skill")
    own = next((t for t in _of_kind(turn, "skill") if t.terms["key"] == key), None)
    if own is not None:
        yield TraitRemoved(own.id)
        return
    if key not in abilities()["skills"]:
        raise turn.refused("argument", "skill.none", "skill")
    text = turn.system.words.say("skill.struck", name=label(turn, key))
    yield TraitSet(Trait(turn.fresh("t"), "skill-struck", text, by=turn.seat.id, terms={"key": key}))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
