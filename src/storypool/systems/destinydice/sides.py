"""Who stands where in an action: who acts, who opposes, and what is closed to the others."""

from __future__ import annotations

from storypool.engine.rules import Check, Refusal, Turn
from storypool.systems.destinydice.sheet import able, side_of


def acts_in(turn: Turn, check: Check) -> bool:
    """Whether this seat plays whoever acts."""
    actor = turn.table.characters.get(check.actor)
    if check.side == "gm":
        return turn.seat.side == "gm"
    return actor is not None and actor.seat == turn.seat.id


def opposes(turn: Turn, check: Check) -> bool:
    """Whether this seat is on the side that opposes the action: the GM's, or of player against player the target's."""
    if acts_in(turn, check):
        return False
    if check.side == "gm":
        return turn.seat.side == "player"
    target = turn.table.characters.get(check.against)
    return turn.seat.side == "gm" or (target is not None and target.seat == turn.seat.id)


def contested(check: Check) -> bool:
    """Whether somebody opposes the action, or is going to: a fixed difficulty is nobody's."""
    return bool(check.against) and check.terms.get("difficulty") in (None, "opposed")


def own_side(turn: Turn, check: Check) -> str:
    """The side whose aspects and free invokes this seat uses in an action."""
    return "gm" if turn.seat.side == "gm" else "players"


def parties(check: Check, turn: Turn) -> tuple[str, str]:
    """Who tries something, and against whom, by their sides; whoever defends stands against the one who tries."""
    mine: str = check.side
    theirs = side_of(turn.table, check.against) if check.against else "gm" if mine == "players" else "players"
    return (theirs, mine) if check.terms.get("action") == "defend" else (mine, theirs)


def yours(turn: Turn) -> Refusal | None:
    """The action is this seat's own, or this is the GM."""
    check = turn.check
    if check is None or turn.seat.side == "gm" or acts_in(turn, check):
        return None
    return turn.no("yours")


def takes_part(turn: Turn) -> Refusal | None:
    """This seat acts, helps whoever acts, or opposes it; and only in a contest does somebody oppose."""
    check = turn.check
    if check is None or not opposes(turn, check) or contested(check):
        return None
    return turn.no("uncontested")


def has_somebody(turn: Turn) -> Refusal | None:
    """This seat has somebody to act with who is still in the scene."""
    return None if any(able(turn)) else turn.firm("nobody")
