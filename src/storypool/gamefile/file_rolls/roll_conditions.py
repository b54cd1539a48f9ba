"""The conditions that the effects of a row put on the open action of its move."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.doing import POOL
from storypool.gamefile.file_format.schema import MoveRow

__all__ = ["no_actor", "of_the_action"]


def of_the_action(row: MoveRow) -> Iterator[r.Condition]:
    """The conditions on the open action of a move of any time that always changes it."""
    verbs = {do.verb for do in row.do if do.when is None}
    if verbs & {*POOL}:
        yield r.building
    elif verbs & {"again", "put"}:
        yield r.rolled
    elif verbs & {"set", "shift", "symbol"}:
        yield r.acting


def no_actor(turn: r.Turn) -> r.Refusal | None:
    """The actor does not help."""
    check = turn.check
    if check is not None and r.acts_in(turn, check):
        return turn.no("filed.helper")
    return None
