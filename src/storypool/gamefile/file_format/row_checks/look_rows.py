"""The mistakes of looks: hues off the circle, and drawings that cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.gamefile.file_format.drawings import die_of, shapes_of
from storypool.gamefile.file_format.schema import GameFile
from storypool.words import BadValue, Phrase

__all__ = ["wrong_looks"]

NUMBERS = {"ground": 359, "paper": 359, "yours": 359, "others": 359, "depth": 160}
"""The highest number of each key of a world."""

Path = tuple[str | int, ...]


def wrong_looks(game: GameFile) -> Iterator[tuple[Path, Phrase]]:
    """Each number of a world out of its bounds, and each drawing without a plain shape."""
    for key, most in NUMBERS.items():
        got = getattr(game.world, key)
        if got is not None and not 0 <= got <= most:
            yield ("world", key), Phrase("gamefile.world", most=most, got=got)
    for kind, rows in (("symbols", game.symbols), ("points", game.points)):
        for name, row in rows.items():
            if row.drawing and (wrong := _wrong(row.drawing)):
                yield (kind, name, "drawing"), wrong
            if row.drawing and row.glyph:
                yield (kind, name, "glyph"), Phrase("gamefile.drawing.both")
    for name, die in game.dice.items():
        if die.drawing and (wrong := _wrong(die.drawing, die_of)):
            yield ("dice", name, "drawing"), wrong
        if die.drawing and die.pattern != "plain":
            yield ("dice", name, "pattern"), Phrase("gamefile.drawing.pattern")


def _wrong(drawing: str, read: Callable[[str], object] = shapes_of) -> Phrase | None:
    try:
        read(drawing)
    except BadValue as wrong:
        return Phrase("gamefile.drawing.wrong", why=wrong)
    return None
