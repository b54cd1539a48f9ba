"""Whom and what a move may be about: choices that many games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from storypool.engine.asks import Choice, ChoiceAsk
from storypool.engine.bag import Bag
from storypool.engine.table import Character, Seat, Table
from storypool.engine.turn import Turn


def characters(*sides: str, own: bool = False) -> Callable[[Turn], Iterator[Choice]]:
    """The characters of these sides (all when none is named); `own` keeps to those that this seat plays."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for one in turn.table.characters.values():
            named = not sides or one.side in sides
            if here(one) and named and (not own or plays(turn, one)):
                yield Choice(one.id, one.name)

    return choices


def written_by(turn: Turn) -> Iterator[Choice]:
    """Whose sheet this seat may write on: the game master on everybody's, a player on those they play."""
    return characters(own=turn.seat.side != "gm")(turn)


def here(character: Character) -> bool:
    """Whether a character is still in the story."""
    return character.side != "none" or bool(character.seat)


def plays(turn: Turn, character: Character) -> bool:
    """Whether this seat plays a character: a player their own, the game master everybody of their side."""
    return character.side == "gm" if turn.seat.side == "gm" else character.seat == turn.seat.id


def players_with_a_character(table: Table) -> list[Seat]:
    """The players at the table who play someone."""
    playing = {c.seat for c in table.characters.values() if c.side == "players"}
    return [s for s in table.seats.values() if s.here and s.side == "player" and s.id in playing]


def sheet_of(text: str) -> dict[str, int]:
    """The entries of a sheet given in one line."""
    return {key: int(value) for key, _, value in (part.partition("=") for part in text.split())}


def slug(name: str, taken: Iterable[str]) -> str:
    """An id made of a name, that nobody has yet."""
    plain = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower()).strip("-")
    stem = "-".join(part for part in plain.split("-") if part)[:24] or "someone"
    taken = set(taken)
    return stem if stem not in taken else next(f"{stem}-{n}" for n in range(2, 1000) if f"{stem}-{n}" not in taken)


def first_own(turn: Turn) -> str | None:
    """The first character that this seat plays, by its id."""
    return next((choice.value for choice in characters(own=True)(turn)), None)


def entries(group: str, beside: str = "") -> Callable[[Turn], Iterator[Choice]]:
    """The entries of a sheet's group, each with the entry or the group that its note `beside` names."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for entry in turn.system.sheet:
            if entry.group == group:
                yield Choice(entry.key, entry.label, _labelled(turn, entry.notes.get(beside, "")))

    return choices


def answers(about: str, *keys: str) -> Callable[[Turn], Iterator[Choice]]:
    """These answers in the words `ABOUT.KEY` of the catalogue, each with `ABOUT.KEY.note` where there is one."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for key in keys:
            yield Choice(key, turn.words[f"{about}.{key}"], turn.words.get(f"{about}.{key}.note", ""))

    return choices


def _labelled(turn: Turn, key: str) -> str:
    """How an entry of the sheet or a group of entries is called."""
    entry = turn.system.entry(key)
    return entry if entry != key else turn.system.group(key)


def first_of(choices: Callable[[Turn], Iterable[Choice]]) -> Callable[[Turn], str | None]:
    """The value of the first answer there is: the default of a question that has several."""
    return lambda turn: next((choice.value for choice in choices(turn)), None)


def first_choice(
    name: str, label: str, choices: Callable[[Turn], Iterable[Choice]], shown: Callable[[Turn], bool] | None = None
) -> ChoiceAsk:
    """A question that the first answer there is counts for, unless another is chosen."""
    return ChoiceAsk(name, label, choices, default=first_of(choices), shown=shown)


def rating(character: Character | None, key: str) -> int | None:
    """The number on somebody's sheet, or None where it has none yet."""
    return character.rating(key) if character else None


def priced(turn: Turn, cost: Bag) -> str:
    """A price in words, each name with its number."""
    return ", ".join(f"{n} {turn.word(name, n)}" for name, n in cost.items())
