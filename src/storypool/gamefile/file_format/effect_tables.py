"""Tables of effects that cannot work: without rows, out of order, or without an end."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["wrong_tables"]

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_tables(game: GameFile) -> Found:
    """Each wrong row of the tables: they rise, and lead to no further dice."""
    for name, rows in game.effects.items():
        before = None
        if not rows:
            yield ("effects", name), Phrase("gamefile.effects")
        for n, row in enumerate(rows):
            path: Path = ("effects", name, n)
            if before is not None and row.at <= before:
                yield (*path, "at"), Phrase("gamefile.effects.order")
            before = row.at
            if any(do.throw or do.consult for do in row.do):
                yield (*path, "do"), Phrase("gamefile.effects.ends")
