"""The mistakes of a game without a GM: rows that name one."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["rows_of_a_gm"]

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def rows_of_a_gm(game: GameFile) -> Found:
    """Each row that names a GM where there is none."""
    if game.gm:
        return
    for n, action in enumerate(game.actions):
        for i, ask in enumerate(action.asks):
            if ask.whose == "gm":
                yield ("action", n, "asks", i, "whose"), Phrase("gamefile.gm.whose")
        for i, window in enumerate(action.window):
            if window.who == "gm":
                yield ("action", n, "window", i, "who"), Phrase("gamefile.gm.window")
    for n, move in enumerate(game.move):
        if move.who == "gm":
            yield ("move", n, "who"), Phrase("gamefile.gm.who")
        if move.consent == "gm":
            yield ("move", n, "consent"), Phrase("gamefile.gm.consent")
        for i, ask in enumerate(move.asks):
            if ask.whose == "gm":
                yield ("move", n, "asks", i, "whose"), Phrase("gamefile.gm.whose")
    for name, points in game.points.items():
        if points.of == "gm":
            yield ("points", name, "of"), Phrase("gamefile.gm.points")
    for kind, trait in game.trait.items():
        if trait.hidden:
            yield ("trait", kind, "hidden"), Phrase("gamefile.gm.hidden")
