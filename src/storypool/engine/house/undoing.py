"""Undo and redo."""

from collections.abc import Iterator

from storypool.engine.events import Event, Rewound
from storypool.engine.fold import UNDO
from storypool.engine.game.asks import NumberAsk, TextAsk
from storypool.engine.game.moves import move
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refusal
from storypool.engine.table import Seat, Table
from storypool.words import Words

DECLINING_MOVES = ("proposal.decline", "consent.refuse")
"""The moves that decline a player's request."""


def _can_undo(turn: Turn) -> Refusal | None:
    """There is a move to undo that this seat has not asked for and no other has just declined.

    Only the seat that declined can undo that; another player cannot ask for it.
    """
    if turn.table.undo_to <= 0:
        return turn.firm("undo.nothing")
    if (
        turn.seat.side == "player"
        and turn.table.last_move in DECLINING_MOVES
        and turn.table.last_seat != turn.seat.id
    ):
        who = turn.table.seats.get(turn.table.last_seat)
        return turn.firm("undo.no", who=who.name if who else turn.table.last_seat)
    asked = any(
        one.move == turn.key and one.seat == turn.seat.id for one in turn.table.proposals.values()
    )
    return turn.firm("undo.asked") if asked else None


# Fix the record to go back to now, because a player's undo waits as a proposal.
UNDO_TO = NumberAsk(
    "to",
    "To which record?",
    default=lambda t: t.table.undo_to,
    needed=False,
    high=10**9,
    quiet=True,
)

REDO_TO = NumberAsk(
    "to",
    "To which record?",
    default=lambda t: t.table.redo_to,
    needed=False,
    high=10**9,
    quiet=True,
)


def _called(turn: Turn) -> str:
    """The name of the last move for its undo, with the automatic end of an action after it."""
    key, after = turn.before.last_move, turn.before.ended_after
    if after:
        return turn.words.say("undo.with_end", what=turn.system.title(after))
    return (
        turn.words[f"undo.of.{key}"] if f"undo.of.{key}" in turn.words else turn.system.title(key)
    )


def title_of_undo(words: Words, table: Table, what: str, seat: Seat | None) -> str:
    """The title of an undo by what it takes back; for another player also by who did that."""
    who, by_player = table.seats.get(table.last_seat), seat is not None and seat.side == "player"
    if who is None or who == seat or not by_player or who.name in what:
        return words.say("undo.told", what=what)
    return words.say("undo.told_of", what=what, who=who.name)


def _which(turn: Turn) -> str:
    """The title with the undone move and its maker; "" if it is not the last move."""
    table = turn.before
    if ("to" in turn.args and turn.args["to"] != table.undo_to) or not table.last_move:
        return ""
    if table.undo_seen_by:
        return turn.words.say("undo.hidden", title=turn.title)
    if turn.text("what") not in ("", _called(turn)):
        return title_of_undo(turn.words, table, turn.text("what"), turn.seat)
    who = table.seats[table.last_seat].name if table.last_seat in table.seats else table.last_seat
    return turn.words.say("undo.which", title=turn.title, what=_called(turn), who=who)


def _taken_back(turn: Turn) -> str:
    return "" if turn.table.undo_seen_by else _called(turn)


WHAT = TextAsk("what", "What is taken back?", default=_taken_back, needed=False, quiet=True)


@move(
    UNDO,
    when=_can_undo,
    asks=[UNDO_TO, WHAT],
    approval=lambda t: t.seat.side == "player",
    shown_as=_which,
)
def undo(turn: Turn) -> Iterator[Event]:
    """Undo the last move"""
    to = turn.number("to")
    if not 0 < to < turn.table.seq:
        raise turn.refused("argument", "undo.nothing", "to")
    hidden = turn.before.undo_seen_by if to == turn.before.undo_to else None
    yield Rewound(to, turn.text("what"), dice=to < turn.table.dice_at, seen_by=hidden)


@move(
    "table.redo",
    by=["gm"],
    when=lambda t: None if t.table.redo_to > 0 else t.firm("redo.nothing"),
    asks=[REDO_TO],
)
def redo(turn: Turn) -> Iterator[Event]:
    """Redo what was undone"""
    to = turn.number("to")
    if not 0 < to < turn.table.seq:
        raise turn.refused("argument", "redo.nothing", "to")
    hidden = turn.before.redo_seen_by if to == turn.before.redo_to else None
    yield Rewound(to, redo=True, seen_by=hidden)
