"""The settings of a table, its name, and its seats."""

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.events import Event, OptionsSet, SeatTaken
from storypool.engine.game.asks import LONGEST_NAME, Choice, ChoiceAsk, TextAsk
from storypool.engine.game.kit import Option
from storypool.engine.game.moves import move
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import gms
from storypool.words.folding import alike

SETTING = ChoiceAsk(
    "option",
    "Which setting?",
    lambda t: [
        Choice(o.key, t.system.words.get(f"option.{o.key}", o.key)) for o in t.system.options
    ],
)


def _values(turn: Turn) -> Iterator[Choice]:
    for option in turn.system.options:
        if option.key == turn.text("option"):
            for value in option.values:
                yield Choice(value, turn.system.choice(option.key, value))


VALUE = ChoiceAsk("value", "To what?", _values)


@move("table.settings", by=["gm"], asks=[SETTING, VALUE])
def settings(turn: Turn) -> Iterator[Event]:
    """Change a setting of the table"""
    yield OptionsSet(
        {**turn.table.options, turn.text("option"): turn.text("value")}, turn.table.title
    )


@move("table.rename", by=["gm"], asks=[TextAsk("title", "What is the table called?", most=80)])
def rename_table(turn: Turn) -> Iterator[Event]:
    """Rename the table"""
    yield OptionsSet(turn.table.options, turn.text("title"))


def _seats(turn: Turn) -> Iterator[Choice]:
    for seat in turn.table.seats.values():
        if seat.here and (turn.is_gm or seat.id == turn.seat.id):
            yield Choice(seat.id, seat.name)


SEAT = ChoiceAsk("seat", "Which seat?", _seats, default=lambda t: t.seat.id)


NAME = TextAsk("name", "The new name", most=LONGEST_NAME)


@move("seat.rename", by=["player", "gm", "spectator"], asks=[SEAT, NAME])
def rename_seat(turn: Turn) -> Iterator[Event]:
    """Rename a seat"""
    name = turn.text("name")
    seat = turn.table.seats[turn.text("seat")]
    others = (s for s in turn.table.seats.values() if s.here and s.id != seat.id)
    if any(alike(s.name) == alike(name) for s in others):
        raise turn.refused("argument", "name.taken", "name", name=name)
    yield SeatTaken(replace(seat, name=name))


@move("seat.remove", by=["player", "gm", "spectator"], asks=[SEAT])
def remove_seat(turn: Turn) -> Iterator[Event]:
    """Leave the table, or free a seat"""
    seat = turn.table.seats[turn.text("seat")]
    if seat.side == "gm" and gms(turn.table) == (seat.id,):
        raise turn.refused("argument", "last.gm", "seat")
    yield SeatTaken(replace(seat, here=False))


WORLDS = ("tide", "noir", "realms", "neon", "folk", "desert", "parlour")
"""The looks of the page that a table can choose; the first is the one without a world."""
OPTIONS = (
    Option("enforcement", ("strict", "warn", "log"), "strict", system=False),
    Option("odds", ("everybody", "gm"), "everybody", system=False),
    Option("later", ("nobody", "gm", "everybody"), "nobody", system=False),
    Option("trust", ("gm_agrees", "players_set"), "gm_agrees", system=False),
    Option("hidden_rolls", ("silent", "announced"), "silent", system=False),
    Option("look", ("game", *WORLDS), "game", system=False),
)
