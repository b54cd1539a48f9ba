"""Undo and redo."""

from collections.abc import Iterator

from storypool.engine.events import Event, Rewound
from storypool.engine.fold import UNDO
from storypool.engine.game.asks import NumberAsk, TextAsk
from storypool.engine.game.moves import move
from storypool.engine.game.turn import Turn
from storypool.engine.recall import question
from storypool.engine.refusal import Refusal
from storypool.engine.table import Table


@question
def _has_something(table: Table) -> bool:
    return table.undo_to > 0


NOES = ("proposal.decline", "consent.refuse")
"""The moves that answer what was asked for with no."""


def _can_undo(turn: Turn) -> Refusal | None:
    """There is something to undo, and this seat does not wait for an answer to that already.

    A no is taken back by the seat that gave it: no player asks whether it stands.
    """
    if not _has_something(turn.table):
        return turn.firm("undo.nothing")
    if turn.seat.side == "player" and turn.table.last_move in NOES and turn.table.last_seat != turn.seat.id:
        who = turn.table.seats.get(turn.table.last_seat)
        return turn.firm("undo.no", who=who.name if who else turn.table.last_seat)
    asked = any(one.move == turn.key and one.seat == turn.seat.id for one in turn.table.proposals.values())
    return turn.firm("undo.asked") if asked else None


# The record to go back to is fixed when the move is made, because a player's undo waits as a proposal.
BACK = NumberAsk("to", "To which record?", default=lambda t: t.table.undo_to, needed=False, high=10**9, quiet=True)

FORTH = NumberAsk(
    "to", "To which record?", default=lambda t: t.table.redo_to, needed=False, high=10**9, quiet=True
)


def _called(turn: Turn) -> str:
    """Return what the last move is called where it is taken back: an end that came by itself is no “Done”."""
    key = turn.before.last_move
    return turn.words[f"undo.of.{key}"] if f"undo.of.{key}" in turn.words else turn.system.title(key)


def _which(turn: Turn) -> str:
    """Return the title with the move that is taken back and who made it; "" if it is another than the last."""
    now = turn.before
    if ("to" in turn.args and turn.args["to"] != now.undo_to) or not now.last_move:
        return ""
    if now.undo_seen_by:
        return turn.words.say("undo.hidden", title=turn.title)
    who = now.seats[now.last_seat].name if now.last_seat in now.seats else now.last_seat
    return turn.words.say("undo.which", title=turn.title, what=_called(turn), who=who)


def _taken_back(turn: Turn) -> str:
    return "" if turn.table.undo_seen_by else _called(turn)


WHAT = TextAsk("what", "What is taken back?", default=_taken_back, needed=False, quiet=True)


@move(UNDO, when=_can_undo, asks=[BACK, WHAT], approval=lambda t: t.seat.side == "player", shown_as=_which)
def undo(turn: Turn) -> Iterator[Event]:
    """Undo the last move"""
    to = turn.number("to")
    if not 0 < to < turn.table.seq:
        raise turn.refused("argument", "undo.nothing", "to")
    hidden = turn.before.undo_seen_by if to == turn.before.undo_to else None
    yield Rewound(to, turn.text("what"), dice=to < turn.table.dice_at, seen_by=hidden)


@move(
    "table.redo", by=["gm"], when=lambda t: None if t.table.redo_to > 0 else t.firm("redo.nothing"), asks=[FORTH]
)
def redo(turn: Turn) -> Iterator[Event]:
    """Redo what was undone"""
    to = turn.number("to")
    if not 0 < to < turn.table.seq:
        raise turn.refused("argument", "redo.nothing", "to")
    hidden = turn.before.redo_seen_by if to == turn.before.redo_to else None
    yield Rewound(to, redo=True, seen_by=hidden)
