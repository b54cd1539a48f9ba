"""The dice that the moves of a game file add to the pool, for the tray next to it."""

from __future__ import annotations

from storypool.gamefile.file_format.expressions import Scope, Value
from storypool.gamefile.file_format.schema import DoRow, MoveRow
from storypool.gamefile.file_rules import Rules

__all__ = ["added_die"]


class _Defaults(Scope):
    """The default answers of a move, as far as they are fixed."""

    def __init__(self, row: MoveRow) -> None:
        self.answers = {
            ask.name: ask.default(Scope())
            for ask in row.asks
            if ask.default is not None and not (ask.default.names or ask.default.counts)
        }

    def value(self, name: str) -> Value:
        """The default answer to a question."""
        return self.answers[name]


def added_die(rules: Rules, row: MoveRow) -> str:
    """The die that a move adds before the roll when nobody changes its form; "" for none.

    It is one die of one kind: a number that is asked for, or a place that the file gives, is for a
    form.
    """
    if row.when != "before the roll" or row.place:
        return ""
    defaults = _Defaults(row)
    added = [do for do in row.do if do.add and _holds(do, defaults)]
    if len(added) != 1 or added[0].add not in rules.game.dice:
        return ""
    [do] = added
    return do.add if do.n is None or do.n.fixed == 1 else ""


def _holds(do: DoRow, defaults: _Defaults) -> bool:
    """Whether a row is done with the default answers; not if it depends on anything else."""
    if do.when is None:
        return True
    return (
        do.when.names <= defaults.answers.keys() and not do.when.counts and do.when.holds(defaults)
    )
