"""The preview of a move: its next questions, its refusal, and the resulting action."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from storypool.engine import house
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import CheckChanged, CheckOpened
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offer
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import may_see
from storypool.engine.table import Check, Table


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
