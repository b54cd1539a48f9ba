"""Mistakes in numbers for a next action: terms and actions that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.readable_names import one_of
from storypool.gamefile.file_format.row_paths import done_rows
from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["wrong_forwards"]

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_forwards(game: GameFile) -> Found:
    """Each row that raises a name that its actions lack as a term, or means an unknown action."""
    actions = {row.key: row for row in game.actions}
    for path, do, _ in done_rows(game):
        if not do.forward:
            continue
        for key in do.action:
            yield from one_of((*path, "action"), key, actions)
        meant = [actions[key] for key in do.action or actions if key in actions]
        terms = [set(row.terms) for row in meant]
        yield from one_of(
            (*path, "forward"), do.forward, sorted(set.intersection(*terms or [set()]))
        )
