"""What characters can do: skills and talents, the questions about them, and the dots on a sheet.

Source: c2d10.md 2.1. Names differ between versions of the game: a sheet may hold skills besides those of skills.toml.
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
    Decider,
    Event,
    FlagAsk,
    NumberAsk,
    Turn,
    Value,
    entries,
    rating,
)

Whose = Callable[[Turn], Character | None]


def skills_of(whose: Whose) -> Callable[[Turn], Iterator[Choice]]:
    """The skills of the game, each with its usual talent, then those that this character has besides."""

    def choices(turn: Turn) -> Iterator[Choice]:
        yield from entries("skill", "with")(turn)
        listed, one = {entry.key for entry in turn.system.sheet}, whose(turn)
        for key, value in one.sheet.items() if one else ():
            if key not in listed and isinstance(value, int):
                yield Choice(key, key)

    return choices


def ability(
    before: str,
    whose: Whose,
    labels: tuple[str, str, str],
    asked: Callable[[Turn], bool] = lambda turn: True,
    decides: Callable[[Turn], Decider] = lambda turn: "",
) -> tuple[Ask, ...]:
    """The questions after a skill, a talent and a focus, and after dots that the sheet does not hold yet."""
    skill, talent = f"{before}skill", f"{before}talent"

    def usual(turn: Turn) -> str | None:
        return next((entry.notes.get("with") for entry in turn.system.sheet if entry.key == turn.text(skill)), None)

    def unknown(key: str) -> Callable[[Turn], bool]:
        def shown(turn: Turn) -> bool:
            one, named = whose(turn), turn.text(key)
            return asked(turn) and bool(named) and _writes(turn, one) and rating(one, named) is None

        return shown

    return (
        ChoiceAsk(skill, labels[0], skills_of(whose), needed=False, shown=asked, whose=decides),
        ChoiceAsk(
            talent, labels[1], entries("talent", "group"), default=usual, needed=False, shown=asked, whose=decides
        ),
        NumberAsk(f"{before}dots", "Dots in the skill", default=0, high=5, shown=unknown(skill)),
        NumberAsk(f"{before}talent_dots", "Dots in the talent", default=1, low=1, high=5, shown=unknown(talent)),
        FlagAsk(
            f"{before}focus",
            labels[2],
            default=False,
            needed=False,
            shown=asked if before else None,
            whose=decides,
        ),
    )


def _writes(turn: Turn, character: Character | None) -> bool:
    """Whether this seat writes on this sheet: its player, and the Keeper; not in a hidden test, which would tell."""
    if character is None or (turn.flag("secret") and character.seen_by is None):
        return False
    return turn.seat.side == "gm" or character.seat == turn.seat.id


def remembered(turn: Turn, character: Character, before: str) -> Iterator[Event]:
    """Write dots that were asked for the first time on the sheet."""
    new: dict[str, Value] = {}
    for ask, named in ((f"{before}dots", f"{before}skill"), (f"{before}talent_dots", f"{before}talent")):
        key = turn.text(named)
        if key and ask in turn.args and character.rating(key) is None:
            new[key] = turn.number(ask)
    if new:
        yield CharacterSet(replace(character, sheet={**character.sheet, **new}))
