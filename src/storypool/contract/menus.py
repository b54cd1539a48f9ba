"""The rows of a game's menus: the choices of its moves that do not depend on the table.

They are collected from a few tables made for this purpose: at rest, and in an action before and
after its roll, with all symbols to spend and points to pay.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from storypool.contract.material import material
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, in_order
from storypool.engine.events import PeriodBegan
from storypool.engine.fold import evolve
from storypool.engine.game.asks import Ask, Choice
from storypool.engine.game.moves import Move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.offers import turn_of
from storypool.engine.table import (
    Character,
    Check,
    Outcome,
    Points,
    Purse,
    Seat,
    Side,
    Table,
    Trait,
)

SIDES: tuple[Side, ...] = ("gm", "player", "spectator")
POINTS_FOR_ALL = 20
"""The number of each symbol, and the points of each account, at a table that offers everything."""
HERO, FOE, ACTION = "hero", "foe", "action"
MADE_UP_IDS = (
    HERO,
    FOE,
    ACTION,
    "ally",
    "henchman",
    "truth",
    *(f"{side}-seat" for side in SIDES),
    "held",
)
"""The ids of the things at these tables; no menu of a game has them."""


def menu(system: System, at: Iterable[Table], move: Move, ask: Ask) -> tuple[Choice, ...]:
    """The choices of a question at these tables that do not name or count things there."""
    found = dict[str, Choice]()
    for table in at:
        for seat in table.seats.values():
            if seat.side in move.by:
                for choice in _offered(turn_of(system, table, seat, move), move, ask):
                    found.setdefault(choice.value, choice)
    rows = []
    for choice in found.values():
        if not _is_here(choice.value):
            note = "" if choice.note.isdecimal() else choice.note
            rows.append(replace(choice, note=note, closed=""))
    return tuple(rows)


def _offered(turn: Turn, move: Move, ask: Ask) -> Iterator[Choice]:
    """The choices of a question, for every first choice of the move."""
    first = next((one for one in move.asks if one.kind == "choice"), ask)
    # A question may need things that this table lacks; another table has them, or no row is listed.
    with suppress(Exception):
        yield from ask.offered(turn)
    if first is not ask:
        with suppress(Exception):
            for choice in first.offered(turn):
                turn.args[first.name] = choice.value
                yield from ask.offered(turn)


def _is_here(value: str) -> bool:
    return (
        value.isdecimal()
        or not value
        or any(word in MADE_UP_IDS for word in re.split("[.:/ ]", value))
    )


def tables(system: System) -> tuple[Table, ...]:
    """The tables for `menu`: one at rest, and some with an action before and after its roll."""
    rest = at_rest(system)
    purses = []
    for row in system.accounts:
        purses.append(Purse(row.name, HERO if row.each == "character" else ""))
    points = Points(dict.fromkeys(purses, POINTS_FOR_ALL))
    held = (
        Trait(f"{MADE_UP_IDS[-1]}.{kind}", kind, "held", HERO, 1, by="gm-seat")
        for kind in material(system.key).needed
    )
    rich = replace(
        rest, points=points, traits={**rest.traits, **{trait.id: trait for trait in held}}
    )
    return (
        rest,
        *(
            one
            for table in (rich, evolve(rich, PeriodBegan("round", 1)))
            for one in _acting(system, table)
        ),
    )


def _acting(system: System, table: Table) -> Iterator[Table]:
    dice = Bag({die.name: 1 for die in system.pool_dice})
    named = (*system.axes.names, *system.axes.below.values(), *system.axes.moves)
    symbols = Bag(dict.fromkeys(named, POINTS_FOR_ALL))
    for actor, side, other in ((HERO, "players", FOE), (FOE, "gm", HERO)):
        by = table.characters[actor].seat or ""
        check = Check(
            ACTION,
            actor,
            side,  # type: ignore[arg-type]
            by=by,
            title="an action",
            against=other,
            base=dice,
            pool=dice,
        )
        yield replace(table, checks={check.id: check})
        for passed in (True, False, None):
            rolled_dice = in_order(dice, system.dice)
            if passed:
                margin = POINTS_FOR_ALL
                faces = tuple(Rolled(die.name, die.last) for die in rolled_dice)
            else:
                margin = -POINTS_FOR_ALL
                faces = tuple(Rolled(die.name, die.first) for die in rolled_dice)
            outcome = Outcome(passed, margin, symbols)
            rolled = replace(check, phase="rolled", rolled=faces, outcome=outcome, left=symbols)
            yield replace(table, checks={check.id: rolled})


def at_rest(system: System) -> Table:
    """A table with a seat of each side, two characters, a session and a scene."""
    options = {option.key: option.default for option in system.options}
    table = Table(system=system.key, options=options)
    for kind in ("session", "scene"):
        table = evolve(table, PeriodBegan(kind, 1))
    sheet = {entry.key: entry.default for entry in system.sheet if not entry.text}
    seats = {f"{side}-seat": Seat(f"{side}-seat", side, side) for side in SIDES}
    sides: dict[str, Literal["players", "gm"]] = {
        HERO: "players",
        "ally": "players",
        FOE: "gm",
        "henchman": "gm",
    }
    owners = {"players": "player-seat", "gm": "gm-seat"}
    cast = {id: Character(id, id, side, owners[side], sheet) for id, side in sides.items()}
    truth = Trait("truth", "trait", "a truth", HERO, by="gm-seat", until="scene")
    return replace(table, seats=seats, characters=cast, traits={truth.id: truth})
