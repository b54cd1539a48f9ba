"""The mistakes of actions without a roll: rows about dice that nobody rolls."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.schema import ActionRow, GameFile
from storypool.words import Phrase

__all__ = ["unrolled_rows"]

OF_DICE = ("pool", "sized", "empty", "figures", "spends")
"""The keys of an action that are about its dice."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def unrolled_rows(game: GameFile) -> Found:
    """Each row that waits for a roll, or for an action, that the game does not have."""
    for n, action in enumerate(game.actions):
        if not game.is_rolled(action):
            for key in OF_DICE:
                if getattr(action, key):
                    of = "an action without a roll"
                    yield ("action", n, key), Phrase("gamefile.idle", key=key, of=of)
    for n, move in enumerate(game.move):
        actions = _of(game, move.action)
        if move.when in ("before the roll", "after the roll") and not game.actions:
            yield ("move", n, "when"), Phrase("gamefile.unrolled.action")
        elif move.when == "after the roll" and not any(map(game.is_rolled, actions)):
            yield ("move", n, "when"), Phrase("gamefile.unrolled.move")
    for n, row in enumerate(game.whenever):
        if row.on == "rolled" and not any(map(game.is_rolled, _of(game, row.action))):
            yield ("whenever", n, "on"), Phrase("gamefile.unrolled.whenever")


def _of(game: GameFile, keys: tuple[str, ...]) -> list[ActionRow]:
    return [row for row in game.actions if not keys or row.key in keys]
