"""What a move would do: its next questions, why it would be refused, and the action as it would
be.
"""

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
    """A preview came to a point where dice would be rolled."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move would do: its questions given the answers so far, why it would be refused, the
    resulting check.

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
    """Return what a move would do at a table, without storing anything or rolling dice.

    If only a text is missing, the check is as it would be with one.
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
    """Return the check that a move would open or change, if this seat may see it."""
    try:
        events = decide(system, table, seat_id, move, args, roll=_no_dice, override=override)
    except _DiceWanted:
        return None
    changes = [event.check for event in events if isinstance(event, (CheckOpened, CheckChanged))]
    seat = table.seats[seat_id]
    return next((check for check in reversed(changes) if may_see(seat, check.seen_by)), None)


def _no_dice(_: Die) -> int:
    raise _DiceWanted
