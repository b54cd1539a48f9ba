"""Opening a table, and taking a seat at it."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from storypool.engine.events import SeatTaken, TableOpened
from storypool.engine.game.system import System
from storypool.engine.house.choices import slug
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Seat, Side, Table
from storypool.words.folding import alike, plain
from storypool.words.languages import LANGUAGE


def open_table(
    system: System,
    title: str,
    options: Mapping[str, str] | None = None,
    languages: Collection[str] = (),
    game: str = "",
) -> TableOpened:
    """The first event of a new table; `Refused` names an option or value that the game lacks.

    `game` is the text of a game that is one file, for the table to keep.

    If `languages` (keys) are given, the option `language` may be one of them.
    """
    rules = dict(options or {})
    language = rules.pop(LANGUAGE, "") if languages else ""
    if language and language not in languages:
        text = system.words.say("no.language", key=language, known=", ".join(languages))
        raise Refused(Refusal("argument", text, field=LANGUAGE))
    chosen = checked_options(system, rules) | ({LANGUAGE: language} if language else {})
    return TableOpened(system.key, plain(title)[:80].strip() or system.name, chosen, game)


def checked_options(system: System, options: Mapping[str, str]) -> dict[str, str]:
    """These options and the defaults of all others; `Refused` for an unknown name or value."""
    known = {option.key: option for option in system.options}
    for key, value in options.items():
        if key not in known:
            text = system.words.say("no.option", game=system.name, key=key)
            raise Refused(Refusal("argument", text, field=key))
        values = known[key].values
        if value not in values:
            text = system.words.say(
                "no.option.value", key=key, value=value, values=", ".join(values)
            )
            raise Refused(Refusal("argument", text, field=key))
    return {option.key: options.get(option.key, option.default) for option in system.options}


def take_seat(system: System, table: Table, name: str, side: Side) -> SeatTaken:
    """The event that takes a new seat; `Refused` if the name is empty or taken at this table.

    In a game without a GM the seat of a game master is a player's. Without a name, the seat of a
    game master gets the word for its side.
    """
    words, is_unnamed = system.words, side == "gm" and name == ""
    if side == "gm" and not system.has_gm:
        side = "player"
    unnamed = words["wait.gm_name" if side == "gm" else "unnamed"]
    name = unnamed if is_unnamed else plain(name)[:40].strip()
    if not alike(name):
        raise Refused(Refusal("argument", words["no.name"], field="name"))
    if any(seat.here and alike(seat.name) == alike(name) for seat in table.seats.values()):
        text, remedy = words.say("no.name.taken", name=name), words["no.name.taken.remedy"]
        raise Refused(Refusal("argument", text, remedy=remedy, field="name"))
    return SeatTaken(Seat(slug(name, table.seats), name, side))


def return_to_seat(table: Table, seat_id: str) -> SeatTaken:
    """The event that gives a returning player their old seat, with its characters."""
    return SeatTaken(replace(table.seats[seat_id], here=True))


def free_seats(table: Table) -> list[Seat]:
    """The seats whose players have left, except those whose names others have since taken."""
    names = {alike(seat.name) for seat in table.seats.values() if seat.here}
    return [
        seat for seat in table.seats.values() if not seat.here and alike(seat.name) not in names
    ]
