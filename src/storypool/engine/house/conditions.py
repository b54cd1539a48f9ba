"""Conditions that the moves of many games share: each gives the reason why not, or None."""

from __future__ import annotations

from storypool.engine.refusal import Refusal
from storypool.engine.turn import Turn


def in_session(turn: Turn) -> Refusal | None:
    """A session is going on."""
    return None if "session" in turn.table.running else turn.no("session")


def idle(turn: Turn) -> Refusal | None:
    """No action that this seat can see is going on."""
    check = turn.check
    return turn.no("busy", title=check.title) if check else None


def building(turn: Turn) -> Refusal | None:
    """An action is going on, and its dice have not been rolled."""
    check = turn.check
    if check is None:
        return turn.firm("check")
    return None if check.phase == "build" else turn.no("rolled")


def rolled(turn: Turn) -> Refusal | None:
    """An action is going on, and its dice lie on the table."""
    check = turn.check
    if check is None:
        return turn.firm("check")
    return None if check.phase == "rolled" else turn.no("unrolled")


def acting(turn: Turn) -> Refusal | None:
    """Some action is going on."""
    return None if turn.check else turn.firm("check")
