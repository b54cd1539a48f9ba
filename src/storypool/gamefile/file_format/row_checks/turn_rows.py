"""The mistakes in the turns of a game file whose keys do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["wrong_turns"]

MOST_ACTIONS = 9
"""The most actions of a turn."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_turns(game: GameFile) -> Found:
    """The mistakes of a game's turns, each with its path."""
    row, path = game.turns, ("turns",)
    if row is not None:
        if row.ranked and row.by is None and not row.throw:
            yield path, Phrase("gamefile.turns.by")
        if not row.ranked and (row.by is not None or row.throw):
            yield (*path, "order"), Phrase("gamefile.turns.order")
        if row.each_round and not row.throw:
            yield (*path, "each_round"), Phrase("gamefile.turns.each_round")
        if row.slots == "side" and row.order == "handed over":
            yield (*path, "slots"), Phrase("gamefile.turns.slots")
        if not 0 <= row.actions <= MOST_ACTIONS:
            yield (*path, "actions"), Phrase("gamefile.turns.actions", most=MOST_ACTIONS)
    for n, follows in enumerate(game.whenever):
        if follows.on == "turn thrown" and row is not None and not row.throw:
            yield ("whenever", n, "on"), Phrase("gamefile.turns.thrown")
