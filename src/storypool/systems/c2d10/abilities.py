"""What characters can do: the skills of this table and the talents, the questions about them, and the dots on a sheet.

Source: c2d10.md 2.1. Names differ between versions of the game, so a table adds its own skills to those of skills.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Ask,
    Character,
    CharacterSet,
    Choice,
    ChoiceAsk,
    Event,
    FlagAsk,
    NumberAsk,
    TextAsk,
    Turn,
    Value,
    entries,
    first_own,
    move,
    proposes,
    rating,
    written_by,
)


def skills(turn: Turn) -> Iterator[Choice]:
    """The skills of the sheet, then those that this table has added, each with its usual talent."""
    yield from entries("skill", "with")(turn)
    for trait in turn.table.of_kind("skill"):
        yield Choice(str(trait.terms["key"]), str(trait.terms["name"]), turn.system.entry(str(trait.terms["with"])))


talents = entries("talent", "group")


def label(turn: Turn, key: str) -> str:
    """How a skill or a talent is called."""
    return next((choice.label for choice in (*skills(turn), *talents(turn)) if choice.value == key), key)


def usual_talent(turn: Turn, skill: str) -> str | None:
    """The talent that usually goes with this skill."""
    for trait in turn.table.of_kind("skill"):
        if trait.terms["key"] == skill:
            return str(trait.terms["with"]) or None
    return next((entry.notes.get("with") for entry in turn.system.sheet if entry.key == skill), None)


def _writes(turn: Turn, character: Character | None) -> bool:
    """Whether this seat may write on somebody's sheet: their player, and the Keeper."""
    return character is not None and (turn.seat.side == "gm" or character.seat == turn.seat.id)


def ability(
    before: str,
    whose: Callable[[Turn], Character | None],
    labels: tuple[str, str, str],
    asked: Callable[[Turn], bool] = lambda turn: True,
) -> tuple[Ask, ...]:
    """The questions after a skill, a talent and a focus, and after dots that the sheet does not hold yet."""
    skill, talent = f"{before}skill", f"{before}talent"

    def unknown(key: str) -> Callable[[Turn], bool]:
        def shown(turn: Turn) -> bool:
            one, named = whose(turn), turn.text(key)
            return asked(turn) and bool(named) and _writes(turn, one) and rating(one, named) is None

        return shown

    return (
        ChoiceAsk(skill, labels[0], skills, needed=False, shown=asked),
        ChoiceAsk(
            talent, labels[1], talents, default=lambda t: usual_talent(t, t.text(skill)), needed=False, shown=asked
        ),
        NumberAsk(f"{before}dots", "Dots in the skill", default=0, high=5, shown=unknown(skill)),
        NumberAsk(f"{before}talent_dots", "Dots in the talent", default=1, low=1, high=5, shown=unknown(talent)),
        FlagAsk(f"{before}focus", labels[2], default=False, needed=False, shown=asked if before else None),
    )


def remembered(turn: Turn, character: Character, before: str) -> Iterator[Event]:
    """Write dots that were asked for the first time on the sheet."""
    new: dict[str, Value] = {}
    for ask, named in ((f"{before}dots", f"{before}skill"), (f"{before}talent_dots", f"{before}talent")):
        key = turn.text(named)
        if key and ask in turn.args and character.rating(key) is None:
            new[key] = turn.number(ask)
    if new:
        yield CharacterSet(replace(character, sheet={**character.sheet, **new}))


def _known(turn: Turn) -> Iterator[Choice]:
    """Those whose sheets this seat may change; a skill of somebody hidden would tell of them."""
    return (choice for choice in written_by(turn) if turn.table.characters[choice.value].seen_by is None)


@move(
    "skill.add",
    asks=[
        TextAsk("name", "What is the skill called?"),
        ChoiceAsk("with", "With which talent does it usually go?", talents, needed=False),
        ChoiceAsk(
            "who",
            "Who has it?",
            _known,
            default=lambda t: first_own(t) if t.seat.side == "player" else None,
            needed=False,
        ),
        NumberAsk("dots", "How many dots?", default=1, high=5, shown=lambda t: bool(t.text("who"))),
    ],
    approval=proposes,
    rule="Tests",
)
def add_skill(turn: Turn) -> Iterator[Event]:
    """Add a skill to this table's list

    Everybody can have it from then on. A player proposes one for their own character.
    """
    name, who = turn.text("name")[:40], turn.character("who")
    key = "-".join("".join(c if c.isalnum() else " " for c in name.casefold()).split())
    if not key or any(key == one.value or name.casefold() == one.label.casefold() for one in skills(turn)):
        raise turn.refused("argument", "skill.there", "name", name=name)
    if any(key == entry.key for entry in turn.system.sheet):
        raise turn.refused("argument", "skill.taken", "name", name=name)
    terms: dict[str, Value] = {"key": key, "name": name, "with": turn.text("with")}
    yield turn.trait("skill", turn.words.say("skill.added", name=name), terms=terms)
    if who is not None:
        yield CharacterSet(replace(who, sheet={**who.sheet, key: turn.number("dots")}))
