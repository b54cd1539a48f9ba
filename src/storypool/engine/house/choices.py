"""Choices that many games share: the characters, entries and answers that a question may list."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from storypool.engine.bag import Bag
from storypool.engine.game.asks import Choice, ChoiceAsk
from storypool.engine.game.sheet_text import read_sheet
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refusal
from storypool.engine.table import NOTHING, Character, Points, Seat, Table, Team, Trait
from storypool.words.folding import alike, folded

__all__ = [
    "Choices",
    "PendingTrait",
    "answers",
    "characters",
    "coming_back",
    "entries",
    "first_choice",
    "first_own",
]
__all__ += ["answered", "free_name", "here", "naming", "players_with_a_character", "plays"]
__all__ += ["priced", "rating", "sheet_of", "traits", "written_by"]

Choices = Iterator[Choice]
"""The answers that a question lists, as their generator yields them."""


def characters(
    *sides: str,
    own: bool = False,
    hidden: bool = True,
    only: Callable[[Turn, Character], object] = lambda turn, one: True,
) -> Callable[[Turn], Iterator[Choice]]:
    """The choice of characters on these sides (all if none is named) for which `only` holds.

    If `own`, they are those that this seat plays; without `hidden` ones, those whom everybody sees.
    """

    def choices(turn: Turn) -> Iterator[Choice]:
        for one in turn.table.characters.values():
            named = (not sides or one.side in sides) and (hidden or not one.hidden)
            if here(one) and named and (not own or plays(turn, one)) and only(turn, one):
                yield Choice(one.id, one.name)

    return choices


def traits(
    *kinds: str,
    only: Callable[[Turn, Trait], bool] = lambda turn, trait: True,
    note: Callable[[Turn, Trait], str] = lambda turn, trait: "",
    closed: Callable[[Turn, Trait], Refusal | None] = lambda turn, trait: None,
) -> Callable[[Turn], Iterator[Choice]]:
    """The choice of traits of these kinds for which `only` holds, by text, each with a note.

    Where `closed` gives a reason, the choice is shown with it, and cannot be made.
    """

    def choices(turn: Turn) -> Iterator[Choice]:
        for trait in turn.table.of_kind(*kinds):
            if only(turn, trait):
                choice = Choice(trait.id, trait.text, note(turn, trait))
                yield choice.unless(closed(turn, trait))

    return choices


class PendingTrait:
    """A trait of one kind that waits for an answer by the player of its character.

    `ask` is the question that selects the answered trait.
    """

    def __init__(self, kind: str, label: str) -> None:
        self.kind = kind
        self.ask = ChoiceAsk(kind, label, self.choices, first=True)

    def choices(self, turn: Turn) -> Iterator[Choice]:
        """Yield the traits whose questions this seat answers."""
        for trait in turn.table.of_kind(self.kind):
            who = turn.table.characters.get(trait.about)
            if who is not None and plays(turn, who):
                yield Choice(trait.id, f"{who.name}: {trait.text}")

    def chosen(self, turn: Turn) -> Trait | None:
        """The one that is answered, by default the first, or None."""
        return turn.table.traits.get(self.ask.chosen(turn))


def written_by(turn: Turn) -> Iterator[Choice]:
    """Yield the characters whose sheets this seat may change: all for a GM, else its own."""
    return characters(own=not turn.is_gm)(turn)


def here(character: Character) -> bool:
    """Whether a character is still in the story."""
    return character.side != "none" or bool(character.seat)


def plays(turn: Turn, character: Character | None) -> bool:
    """Whether this seat plays a character: for a player, their own; for a GM, any on the GM's side.

    A GM also plays the characters of players who have left, until they are back. At a table without
    a GM every player does what a GM does here, besides playing their own.
    """
    own = character is not None and turn.seat.id == character.seat
    if character is None or not turn.leads:
        return own
    player = turn.table.seats.get(character.seat)
    away = player is not None and not player.here
    return character.team is Team.GM or away or (own and not turn.is_gm)


def players_with_a_character(table: Table) -> list[Seat]:
    """The seats of the players at the table who have a character."""
    playing = {c.seat for c in table.characters.values() if c.side == "players"}
    return [s for s in table.seats.values() if s.here and s.side == "player" and s.id in playing]


def sheet_of(text: str) -> dict[str, int]:
    """The numbers of a sheet given as one line."""
    return {key: value for key, value in read_sheet(text).items() if isinstance(value, int)}


def slug(name: str, taken: Iterable[str]) -> str:
    """An id made from a name that is not in `taken`: at most 24 ASCII letters, digits and dashes.

    A number follows where the name alone is taken.
    """
    stem = "-".join(re.findall("[A-Za-z0-9]+", folded(name)))[:24] or "someone"
    taken = {*taken}
    return next(new for new in _numbered(stem, "-") if new not in taken)


def free_name(turn: Turn, name: str) -> str:
    """A name for a new character: this one, or if it is taken, with a number: "Guard 2".

    Names of hidden characters are taken only for a new character that is itself hidden: a number
    would reveal them to players.
    """
    secret = turn.flag("secret")
    people = [
        one for one in turn.table.characters.values() if here(one) and (secret or not one.hidden)
    ]
    taken = {alike(one.name) for one in people}
    return next(new for new in _numbered(name, " ") if alike(new) not in taken)


def _numbered(name: str, before: str) -> Iterator[str]:
    """Yield a name, and then with the numbers from 2 on, and `before` between them."""
    yield name
    yield from (f"{name}{before}{n}" for n in count(2))


def first_own(turn: Turn) -> str | None:
    """The id of the first character that this seat plays, or None."""
    return next((choice.value for choice in characters(own=True)(turn)), None)


def entries(group: str, beside: str = "") -> Callable[[Turn], Iterator[Choice]]:
    """The choice of a group's entries on the sheet, each with the note in `notes[beside]`."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for entry in turn.system.sheet:
            if entry.group == group:
                yield Choice(entry.key, entry.label, _labelled(turn, entry.notes.get(beside, "")))

    return choices


def answers(about: str, *keys: str) -> Callable[[Turn], Iterator[Choice]]:
    """The choice of these keys, labelled `ABOUT.KEY` in the catalogue, noted `ABOUT.KEY.note`."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for key in keys:
            yield Choice(
                key, turn.words[f"{about}.{key}"], turn.words.get(f"{about}.{key}.note", "")
            )

    return choices


def answered(name: str, *values: str) -> Callable[[Turn], bool]:
    """Whether the answer to an earlier question is one of these: for the `shown` of a later one."""
    return lambda turn: turn.text(name) in values


def _labelled(turn: Turn, key: str) -> str:
    """The label of an entry of the sheet, or of a group of entries."""
    entry = turn.system.entry(key)
    return entry if entry != key else turn.system.group(key)


def first_choice(
    name: str,
    label: str,
    choices: Callable[[Turn], Iterable[Choice]],
    shown: Callable[[Turn], bool] | None = None,
) -> ChoiceAsk:
    """A question whose default is its first choice."""
    return ChoiceAsk(name, label, choices, first=True, shown=shown)


def rating(character: Character | None, key: str) -> int | None:
    """The number on a character's sheet, or None without a character or such a number."""
    return character.rating(key) if character else None


def coming_back(turn: Turn, back: Points, out: Bag = NOTHING, stays: Bag = NOTHING) -> str:
    """The points that come back when the open action is cancelled, in words.

    `out` are points that are taken out of a pool again, `stays` those that stay spent.
    """
    totals = Counter[str]()
    for purse, n in back.items():
        totals[purse.account] += n
    parts = (("amend.back", Bag(totals)), ("amend.out", out), ("amend.stays", stays))
    return " ".join(
        turn.words.say(key, points=priced(turn, points)) for key, points in parts if points
    )


def naming(turn: Turn, id: str, people: Iterable[Character | Seat], **values: object) -> str:
    """The sentence with the names of these characters or seats as `who`; "" for none."""
    names = turn.words["list.comma"].join(one.name for one in people)
    return turn.words.say(id, who=names, **values) if names else ""


def priced(turn: Turn, cost: Bag) -> str:
    """A price in words, each name with its number."""
    return ", ".join(f"{n} {turn.word(name, n)}" for name, n in cost.items())
