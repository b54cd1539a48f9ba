"""Characters: adding, renaming and changing them, handing them over, and their departure."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from storypool.engine.events import CharacterSet, Event, TraitRemoved
from storypool.engine.game.asks import (
    LONGEST_NAME,
    Choice,
    ChoiceAsk,
    FlagAsk,
    NumberAsk,
    SheetAsk,
    TextAsk,
)
from storypool.engine.game.moves import move
from storypool.engine.game.panels import SheetPanel
from storypool.engine.game.sheet_text import SheetKeys, read_sheet
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import (
    answers,
    characters,
    free_name,
    rating,
    slug,
    written_by,
)
from storypool.engine.refusal import Refusal, shortened
from storypool.engine.table import GM_ONLY, Character, Trait, Value
from storypool.words.folding import alike

__all__ = [
    "NAME",
    "SECRET",
    "SHEET",
    "WHO",
    "has_a_sheet",
    "missing_number",
    "npc",
    "remember",
    "with_answers",
]

NAME = TextAsk("name", "Who is it?", most=LONGEST_NAME)
"""The name of an NPC."""
SHEET = SheetAsk("sheet", "Numbers on the sheet", needed=False)
"""Entries of a sheet, each in its range."""
SECRET = FlagAsk("secret", "Only for the GM's eyes?", default=False, needed=False)
"""Whether the new fact or character is hidden from the players."""

SEAT_OF = ChoiceAsk(
    "seat",
    "Whose character is it?",
    lambda t: [
        Choice(s.id, s.name) for s in t.table.seats.values() if s.here and s.side == "player"
    ],
    default=lambda t: t.seat.id if t.seat.side == "player" else None,
    needed=False,
)


def _distinct(turn: Turn, one: Character) -> Character:
    """A character with a unique name among the players'; `Refused` names the other's player."""
    for other in turn.table.characters.values():
        if (
            one.side == other.side == "players"
            and one.id != other.id
            and alike(one.name) == alike(other.name)
        ):
            player = turn.table.seats.get(other.seat)
            whose = "own" if player is turn.seat else "played"
            if player is None or not player.here:
                whose = "free"
            asked = ".gm" if turn.is_gm else ""
            gm = turn.words["wait.gm"]
            named = {"name": other.name, "player": player.name if player else "", "gm": gm}
            raise turn.refused("argument", f"character.{whose}{asked}", "name", **named)
    return one


@move(
    "character.add",
    asks=[
        TextAsk("name", "What is the character called?", most=LONGEST_NAME),
        SHEET,
        SEAT_OF,
        SECRET,
    ],
)
def add_character(turn: Turn) -> Iterator[Event]:
    """Add a character"""
    seat = turn.text("seat") if turn.is_gm else turn.seat.id
    id = slug(turn.text("name"), turn.table.characters)
    side: Literal["players", "gm"] = "players" if seat else "gm"
    if turn.flag("secret") and side == "players":
        raise turn.refused("argument", "secret", "secret")
    hidden = GM_ONLY if turn.flag("secret") else None
    sheet: dict[str, Value] = {one.key: one.default for one in turn.system.sheet if one.given}
    sheet |= read_sheet(turn.text("sheet"))
    name = turn.text("name") if seat else free_name(turn, turn.text("name"))
    one = Character(id, name, side, seat=seat, sheet=sheet, seen_by=hidden)
    yield CharacterSet(_distinct(turn, one if seat else _unread_by_players(turn, one)))


def _unread_by_players(turn: Turn, one: Character) -> Character:
    """An NPC of whose sheet players read only what the game leaves open; all without a GM."""
    if not turn.system.has_gm:
        return one
    return replace(one, sheet_seen_by=GM_ONLY, shown=turn.system.open_entries)


def npc(turn: Turn, sheet: Mapping[str, Value], name: str = "", key: str = "") -> CharacterSet:
    """The event that adds an NPC with this sheet.

    The move's answer to `SECRET` decides whether it is hidden, and the answer to `NAME` is its name
    unless `name` is given; one that is taken gets a number. Its id is made from `key`, which is the
    same in every language, or without one from the name. Players read only the
    `open_entries` of its sheet.
    """
    name, hidden = (
        free_name(turn, name or turn.text("name")),
        GM_ONLY if turn.flag("secret") else None,
    )
    id = slug(key or name, turn.table.characters)
    one = Character(id, name, "gm", sheet=sheet, seen_by=hidden)
    return CharacterSet(_unread_by_players(turn, one))


def missing_number(
    name: str,
    label: str,
    entry: str | Callable[[Turn], str],
    whose: str | Callable[[Turn], Character | None],
    asked: Callable[[Turn], bool] = lambda turn: True,
    *,
    low: int = 0,
    high: int = 10,
    default: int | None = None,
) -> NumberAsk:
    """The question for a number that a character's sheet lacks, asked only if `asked` holds.

    `entry` and `whose` are the questions that choose the entry and the character, or return them.
    """
    key = entry if callable(entry) else lambda turn: turn.text(entry)
    who = whose if callable(whose) else lambda turn: turn.character(whose)

    def known(turn: Turn) -> int | None:
        return rating(who(turn), key(turn))

    def shown(turn: Turn) -> bool:
        return asked(turn) and who(turn) is not None and key(turn) != "" and known(turn) is None

    return NumberAsk(name, label, low=low, high=high, default=default, shown=shown, known=known)


def with_answers(turn: Turn, one: Character, asked: Mapping[str, str]) -> Character:
    """A character with the numbers that were answered and that the sheet lacked.

    `asked` maps the name of each question for a number to that of the question that chooses its
    entry.
    """
    new: dict[str, Value] = {}
    for number, entry in asked.items():
        key = turn.text(entry)
        if key and number in turn.args and one.rating(key) is None:
            new[key] = turn.number(number)
    return replace(one, sheet={**one.sheet, **new}) if new else one


def remember(turn: Turn, one: Character, asked: Mapping[str, str]) -> Iterator[Event]:
    """Write the answered numbers that the sheet lacked; `asked` is as for `with_answers`."""
    known = with_answers(turn, one, asked)
    if known is not one:
        yield CharacterSet(known)


PICTURE = TextAsk("picture", "The key of its picture", needed=False, quiet=True, most=32)
"""A picture that was stored before, by its key."""


def picture_of(turn: Turn) -> str:
    """The key in the answer to `PICTURE`, "" without one; `Refused` for another text."""
    key = turn.text(PICTURE.name)
    if key and not re.fullmatch("[0-9a-f]{32}", key):
        raise turn.refused("argument", "picture", PICTURE.name)
    return key


DRAWN = (
    *("owl", "fox", "cat", "hare", "stag", "bear"),
    *("raven", "moth", "fish", "mask", "helm", "moon"),
)
"""The drawn portraits, by the names of their files."""


WHO = ChoiceAsk("who", "Who?", written_by)
"""One of the characters whose sheets this seat may change."""


def has_a_sheet(turn: Turn) -> Refusal | None:
    """There is a character whose sheet this seat may change."""
    return None if any(written_by(turn)) else turn.firm("sheet")


@move(
    "character.set",
    only_if=[has_a_sheet],
    asks=[WHO, TextAsk("name", "A new name", needed=False, most=LONGEST_NAME), SHEET],
)
def set_character(turn: Turn) -> Iterator[Event]:
    """Edit a character"""
    one = turn.table.characters[turn.text("who")]
    sheet = {**one.sheet, **read_sheet(turn.text("sheet"))}
    renamed = replace(one, name=turn.text("name") or one.name, sheet=sheet)
    if renamed.name != one.name:
        renamed = _distinct(turn, renamed)
    yield CharacterSet(renamed)


@move(
    "character.portrait",
    only_if=[has_a_sheet],
    asks=[
        WHO,
        ChoiceAsk("drawn", "Which drawing?", answers("portrait", *DRAWN), needed=False),
        PICTURE,
    ],
)
def set_portrait(turn: Turn) -> Iterator[Event]:
    """Change a portrait

    A drawing, or a picture that was stored before; with neither the character has none.
    """
    one = turn.table.characters[turn.text("who")]
    yield CharacterSet(replace(one, picture=picture_of(turn) or turn.text("drawn")))


@move(
    "character.learn",
    only_if=[has_a_sheet],
    asks=[
        WHO,
        TextAsk("name", "What is it called?", most=LONGEST_NAME),
        NumberAsk("n", "What is its number?", default=1, high=99),
    ],
)
def learn(turn: Turn) -> Iterator[Event]:
    """Add an entry of your own to a sheet

    A skill or another number that the game does not list. From then on it can be chosen like the
    others.
    """
    one, name, n = turn.table.characters[turn.text("who")], turn.text("name"), turn.number("n")
    keys = SheetKeys(turn.system.sheet)
    if (key := keys.find(name)) is not None:
        # Accept the exact key of an entry of the game that the sheet lacks.
        entry = keys.entries[key]
        if name != key or key in one.sheet or not entry.low <= n <= entry.high:
            raise turn.refused("argument", "entry.known", "name", name=name)
    yield CharacterSet(replace(one, sheet={**one.sheet, name: n}))


def _unread(turn: Turn) -> Iterator[Choice]:
    """Yield the characters whom the players do not see, or whose sheets they do not wholly read."""
    return characters(only=lambda t, one: one.hidden or one.unread or _unread_traits(t, one))(turn)


def _unread_traits(turn: Turn, one: Character) -> list[Trait]:
    """The traits of a sheet that players do not read."""
    own = [trait for trait in turn.table.traits.values() if trait.about == one.id]
    return [trait for trait in own if trait.sheet_seen_by and not trait.hidden]


def _is_seen(turn: Turn) -> bool:
    """Whether the players see the named character."""
    one = turn.character("who")
    return one is None or not one.hidden


def _entries_unread(turn: Turn) -> Iterator[Choice]:
    """Yield the rank of the named character, the whole sheet, and all that players do not read."""
    one, ranks = turn.character("who"), dict[str, str]()
    if one is not None and isinstance(turn.system, System):
        for panel in turn.system.panels:
            if isinstance(panel, SheetPanel):
                ranks |= panel.ranks(one.unread)
    for key, rank in ranks.items():
        yield Choice(key, rank, turn.words["show.rank"])
    yield Choice("all", turn.words["show.all"])
    for key in one.unread if one else ():
        if key not in ranks:
            yield Choice(key, turn.system.entry(key), shortened(one.sheet[key]) if one else "")
    for trait in _unread_traits(turn, one) if one else ():
        yield Choice(trait.id, trait.text)


@move(
    "character.show",
    by=["gm"],
    only_if=[lambda turn: None if any(_unread(turn)) else turn.firm("sheet.read")],
    asks=[
        ChoiceAsk("who", "Whose?", _unread),
        ChoiceAsk(
            "what", "What of it?", _entries_unread, default="all", needed=False, shown=_is_seen
        ),
    ],
)
def show_numbers(turn: Turn) -> Iterator[Event]:
    """Show the players an NPC

    A hidden one is shown first, without its sheet; then its rank, the whole sheet, or a single
    number or statement of it. What has been shown stays shown.
    """
    one, what = turn.table.characters[turn.text("who")], turn.text("what")
    if one.hidden:
        yield CharacterSet(one.revealed())
    elif what == "all":
        yield CharacterSet(replace(one, sheet_seen_by=None, shown=()))
    else:
        yield CharacterSet(replace(one, shown=(*one.shown, what)))


@move("character.give", by=["gm"], only_if=[has_a_sheet], asks=[WHO, SEAT_OF])
def give_character(turn: Turn) -> Iterator[Event]:
    """Change who plays a character"""
    one = turn.table.characters[turn.text("who")]
    seat = turn.text("seat")
    side: Literal["players", "gm"] = "players" if seat else "gm"
    if seat:
        one = replace(one, sheet_seen_by=None, shown=())
    given = replace(one, seat=seat, side=side, seen_by=None)
    if given.side != one.side:
        given = _distinct(turn, given)
    yield CharacterSet(given)


@move("character.leave", only_if=[has_a_sheet], asks=[WHO])
def leave(turn: Turn) -> Iterator[Event]:
    """Remove a character"""
    one = turn.table.characters[turn.text("who")]
    for trait in [t for t in turn.table.traits.values() if t.about == one.id]:
        yield TraitRemoved(trait.id)
    yield CharacterSet(replace(one, side="none", seat=""))
