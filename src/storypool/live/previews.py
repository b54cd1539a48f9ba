"""Previews: a move's next questions, refusal and action; the rolls of a sheet."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from storypool.engine import house
from storypool.engine.copies import replace
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import CheckChanged, CheckOpened
from storypool.engine.game.asks import AskView
from storypool.engine.game.sheet_rolls import SheetRoll
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import characters
from storypool.engine.offers import Offer, offer
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import may_see, without_hidden
from storypool.engine.table import Character, Check, Seat, Table


class _DiceWanted(Exception):
    """A preview reached a roll of dice."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a move: its questions after the given answers, its refusal, and the check.

    `proposed` are the questions of the proposed move that it would accept; empty for any other
    move.
    """

    offer: Offer
    refused: Refusal | None
    check: Check | None
    proposed: tuple[AskView, ...] = ()


def previewed(
    system: System,
    table: Table,
    seat_id: str,
    move: str,
    args: Mapping[str, object],
    override: bool = False,
) -> Preview:
    """The preview of a move at a table, without storing anything or rolling dice.

    If only a text is missing, the check is as if it were given.
    """
    would, refused, check = offer(system, table, seat_id, move, args), None, None
    after = partial(_check_after, system, table, seat_id, move)
    try:
        check = after(args, override)
    except Refused as error:
        refused = error.refusal
        needed = (ask.name for ask in would.asks if ask.kind == "text" and ask.needed)
        missing = {name: "..." for name in needed if not args.get(name)}
        if refused.field in missing:
            with suppress(Refused):
                check = after({**args, **missing}, override)
    accepts = move == house.accept.key
    proposed = house.proposed_asks(system, table, seat_id, args) if accepts else ()
    return Preview(would, refused, check, proposed)


def unanswered(
    system: System,
    table: Table,
    seat_id: str,
    move: str,
    args: Mapping[str, object],
    field: str,
) -> list[AskView]:
    """The questions of a move that need an answer and have none, if a refused `field` is one."""
    asks = [ask for ask in offer(system, table, seat_id, move, args).asks if ask.name not in args]
    needed = [ask for ask in asks if ask.name == field or (ask.needed and ask.default is None)]
    return needed if any(ask.name == field for ask in needed) else []


def _check_after(
    system: System,
    table: Table,
    seat_id: str,
    move: str,
    args: Mapping[str, object],
    override: bool,
) -> Check | None:
    """The check that a move would open or change, if this seat may see it."""
    try:
        events = decide(system, table, seat_id, move, args, roll=_no_dice, override=override)
    except _DiceWanted:
        return None
    changes = [event.check for event in events if isinstance(event, (CheckOpened, CheckChanged))]
    seat = table.seats[seat_id]
    return next((check for check in reversed(changes) if may_see(seat, check.seen_by)), None)


def _no_dice(_: Die) -> int:
    raise _DiceWanted


def rolls_of_sheet(
    system: System, table: Table, seat: Seat, id: str, sheet: Mapping[str, int]
) -> list[SheetRoll]:
    """The rolls of a character's entries as this seat sees the table, with these numbers instead.

    Without an `id` they are those of a new character. Empty for a character whose numbers the seat
    does not read: players read those of their own side.
    """
    ours = without_hidden(table, seat)
    who = ours.characters.get(id) if id else Character("", "", seat=seat.id)
    if who is None or (who.side == "gm" and seat.side != "gm"):
        return []
    if sheet:
        who = replace(who, sheet={**who.sheet, **sheet})
        if id:
            ours = replace(ours, characters={**ours.characters, id: who})
    turn = Turn(system, ours, seat, "")
    turn.args["as"] = id
    rolls = list(system.sheet_rolls(turn, who))
    if any(one.value == id for one in characters(own=True)(turn)):
        return rolls
    return [replace(roll, move="") for roll in rolls]
