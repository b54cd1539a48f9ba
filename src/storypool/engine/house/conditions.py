"""Conditions that the moves of many games share: each returns a refusal, or None if it holds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from storypool.engine.game.asks import Choice
from storypool.engine.game.moves import Condition
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import actor_of
from storypool.engine.house.choices import characters
from storypool.engine.refusal import Refusal
from storypool.engine.table import Check, Team

__all__ = [
    "PlayerOf",
    "acting",
    "acts_in",
    "all_of",
    "any_of",
    "between_actions",
    "building",
    "has_a_character",
    "idle",
]
__all__ += [
    "in_session",
    "in_the_open",
    "none_open",
    "of_check",
    "proposes",
    "requires",
    "rolled",
    "yours",
]


def in_session(turn: Turn) -> Refusal | None:
    """A session is going on."""
    return None if "session" in turn.table.running else turn.no("session")


def idle(turn: Turn) -> Refusal | None:
    """No public action is open; a hidden action of the GM stops nothing."""
    shown = [check for check in turn.table.checks.values() if not check.hidden]
    return turn.no("busy", title=shown[-1].title) if shown else None


def none_open(turn: Turn) -> Refusal | None:
    """No public action is open; nobody sets that aside for a move that would open another."""
    busy = idle(turn)
    return replace(busy, firm=True) if busy else None


def between_actions(turn: Turn) -> Refusal | None:
    """A session is going on, and no public action is open."""
    return in_session(turn) or idle(turn)


def building(turn: Turn) -> Refusal | None:
    """An action is going on, and its dice have not been rolled."""
    check = turn.check
    if check is None:
        return turn.firm("check")
    return None if check.phase == "build" else turn.no("rolled")


def rolled(turn: Turn) -> Refusal | None:
    """An action is going on, and its dice have been rolled."""
    check = turn.check
    if check is None:
        return turn.firm("check")
    return None if check.phase == "rolled" else turn.no("unrolled")


def acting(turn: Turn) -> Refusal | None:
    """Some action is going on."""
    return None if turn.check else turn.firm("check")


def requires(holds: Callable[[Turn], object], reason: str, firm: bool = False) -> Condition:
    """A condition on the table and the seat: refuse with `reason` unless `holds`."""

    def condition(turn: Turn) -> Refusal | None:
        if holds(turn):
            return None
        return turn.firm(reason) if firm else turn.no(reason)

    return condition


def of_check(holds: Callable[[Check], object], reason: str, firm: bool = False) -> Condition:
    """A condition on the open action, if any: refuse with `reason` unless `holds`."""
    return requires(lambda turn: turn.check is None or holds(turn.check), reason, firm)


def in_the_open(turn: Turn) -> Refusal | None:
    """The open action is not hidden: what everybody sees of it would reveal it."""
    return turn.firm("points.secret") if turn.check and turn.check.hidden else None


def all_of(*conditions: Condition) -> Condition:
    """The condition that all of these hold; its refusal is the first one's that does not."""

    def condition(turn: Turn) -> Refusal | None:
        return next((refusal for one in conditions if (refusal := one(turn))), None)

    return condition


def any_of(
    choices: Callable[[Turn], Iterable[Choice]], reason: str, firm: bool = True
) -> Condition:
    """The condition that there is an open choice; if not, refuse with `reason`."""
    return requires(lambda turn: any(not choice.closed for choice in choices(turn)), reason, firm)


def acts_in(turn: Turn, check: Check) -> bool:
    """Whether this seat plays the character who acts in this check."""
    if check.team is Team.GM:
        return turn.leads
    actor = turn.table.actor(check)
    if actor is not None and turn.seat.id == actor.seat:
        return True
    # Without a GM any player goes on with the action of one who has left.
    return not turn.system.has_gm and turn.seat.id in actor_of(turn.table, check)


def yours(turn: Turn) -> Refusal | None:
    """The action is this seat's own, or the seat is a GM's."""
    check = turn.check
    return None if check is None or turn.is_gm or acts_in(turn, check) else turn.no("yours")


def has_a_character(turn: Turn) -> Refusal | None:
    """This seat has a character to act with."""
    return None if any(characters(own=True)(turn)) else turn.firm("nobody")


def proposes(turn: Turn) -> bool:
    """Whether the game master has to agree first: when a player makes the move."""
    return turn.seat.side == "player"


@dataclass(frozen=True, slots=True)
class PlayerOf:
    """The approval of a move by the player of the character that the answer to `ask` names.

    >>> PlayerOf("who")
    PlayerOf(ask='who')
    """

    ask: str

    def __call__(self, turn: Turn) -> str:
        return turn.text(self.ask)
