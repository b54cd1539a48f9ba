"""Automatic ends of actions: when nobody can do anything else, the end follows the last move."""

from storypool.engine.copies import replace
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.game.asks import AskView, ask_views
from storypool.engine.game.moves import Move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.offers import is_allowed, turn_about, turn_of, why_not
from storypool.engine.refusal import Refused
from storypool.engine.sight import without_hidden
from storypool.engine.table import Table
from storypool.engine.waiting import Waiting, waiting

__all__ = ["finished"]


def finished(system: System, before: Table, after: Table, seat_id: str) -> Decision | None:
    """The move that ends an action after this seat's move left nothing else to do; else None.

    `before` and `after` are the tables around that move. The end must be all that the table waits
    for then, from whichever seat: a move that asks nothing, rolls no dice and has no caution, while
    no seat has another move about the action. None also if the move has changed neither the action
    nor what it waits for: what an undo brought back stays open until a seat ends it.
    """
    for check in after.checks.values():
        if check.phase != "rolled":
            continue
        waits = _waits(system, after, seat_id, check.id)
        if before.checks.get(check.id) is check and waits == _waits(
            system, before, seat_id, check.id
        ):
            continue
        if len(waits) == 1 and not waits[0].yours:
            seat_id = waits[0].whom[0]
            waits = _waits(system, after, seat_id, check.id)
        if len(waits) == 1 and (end := _end(system, after, seat_id, waits[0], check.id)):
            return end
    return None


def _waits(system: System, table: Table, seat_id: str, check: str) -> list[Waiting]:
    """The waits of an action, as this seat reads them."""
    return waiting(system, table, seat_id, check)


def _end(system: System, table: Table, seat_id: str, wait: Waiting, check: str) -> Decision | None:
    """The one move of a seat that answers this wait, if it ends the action and nothing is left."""
    if len(wait.moves) > 1 or wait.check != check:
        return None
    move = system.by_key[wait.moves[0]]
    turn = turn_about(turn_of(system, table, table.seats[seat_id], move), move, check)
    if _is_choice(turn, move):
        return None
    end = _ending(system, table, seat_id, move.key, check)
    if (
        end is None
        or (move.caution and move.caution(turn))
        or _is_other(system, table, move.key, check)
    ):
        return None
    return end


def _is_choice(turn: Turn, move: Move) -> bool:
    """Whether a move asks for one of several answers; the engine must not choose for a seat."""
    return any(map(_is_open, ask_views(turn, move.asks)))


def _is_open(view: AskView) -> bool:
    return view.needed and sum(not one.closed for one in view.choices) > 1


def _ending(system: System, table: Table, seat_id: str, key: str, check: str) -> Decision | None:
    """A move with no answers and no dice, if it ends the action; else None."""
    try:
        about = {"check": check} if len(table.checks) > 1 else {}
        made = decision_of(system, table, seat_id, key, about, roll=None, automatic=True)
    except Refused:
        return None
    return None if check in made.turn.table.checks else made


def _is_other(system: System, table: Table, end: str, check: str) -> bool:
    """Whether a seat has another move about the action: one that is impossible without it.

    Simultaneous hidden actions do not count: the moment at which the action ends would reveal them.
    """
    for seat in table.seats.values():
        known = without_hidden(table, seat)
        if not seat.here or check not in known.checks:
            continue
        alone, gone = (
            replace(known, checks=checks) for checks in ({check: known.checks[check]}, {})
        )
        for move in system.moves:
            if move.key == end or seat.side not in move.by:
                continue
            if not is_allowed(turn_about(turn_of(system, alone, seat, move), move, check), move):
                continue
            without = why_not(turn_about(turn_of(system, gone, seat, move), move, ""), move)
            if all(reason.overridable for reason in without):
                continue
            # Another way to the same end does not count.
            if move.asks or move.price or _ending(system, table, seat.id, move.key, check) is None:
                return True
    return False
