"""The conditions that the effects of a row put on the open action of its move."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.gamefile.doing import POOL
from storypool.gamefile.file_format.schema import MoveRow
from storypool.gamefile.file_rules import Rules

__all__ = ["belonging", "in_window", "no_actor", "of_the_action"]


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


def in_window(rules: Rules, row: MoveRow) -> r.Condition:
    """The condition that the present window is of a move, in an action with a window of it."""

    def decides(turn: r.Turn) -> r.Refusal | None:
        """It is decided now by this move."""
        check = turn.check
        windows = () if check is None else rules.of(check).game.action.window
        own = {str(n) for n, window in enumerate(windows) if row.key in window.moves}
        if check is None or not own or own & {*check.windows[:1]}:
            return None
        if check.phase == "build" and own & {*check.windows}:
            return turn.no("filed.undecided")
        return turn.no("filed.decided")

    return decides


def belonging(
    rules: Rules,
    keys: tuple[str, ...],
    action: Callable[[r.Turn], r.Check | None] = lambda turn: turn.check,
) -> r.Condition:
    """The condition that a move of these actions belongs to the open one, if one is open."""
    titles = [f"“{rules.actions[key].game.action.title}”" for key in keys]

    def belongs(turn: r.Turn) -> r.Refusal | None:
        """It belongs to the open action."""
        check = action(turn)
        if check is None or rules.of(check).action in keys:
            return None
        now = rules.of(check).game.action.title
        return turn.firm("filed.action", what=turn.words["list.or"].join(titles), title=now)

    return belongs
