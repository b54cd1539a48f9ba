"""The mistakes in the zones of a game file."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.whereabouts import MOST_ZONES, PLACE, ZONE
from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["ZONE_KINDS", "wrong_zones"]

ZONE_KINDS = (PLACE, ZONE)
"""The kinds of statements that store zones, and who is in which."""
LONGEST = 40
"""The most characters in the name of a zone or a range."""

Path = tuple[str | int, ...]


def wrong_zones(game: GameFile) -> Iterator[tuple[Path, Phrase]]:
    """The mistakes of a game's zones, each with its path."""
    row = game.zones
    if row is None:
        return
    for name, texts in (("row", row.row), ("ranges", row.ranges)):
        fits = all(0 < len(text.strip()) <= LONGEST and "," not in text for text in texts)
        if not fits or len(texts) > MOST_ZONES or len(set(texts)) < len(texts):
            words = {"name": name, "n": MOST_ZONES, "most": LONGEST}
            yield ("zones", name), Phrase("gamefile.zones.names", **words)
    if not 0 <= row.far <= MOST_ZONES:
        yield ("zones", "far"), Phrase("gamefile.zones.far", most=MOST_ZONES)
    if row.once and game.turns is None:
        yield ("zones", "once"), Phrase("gamefile.zones.once")
    for kind in ZONE_KINDS:
        if kind in game.trait:
            yield ("trait", kind), Phrase("gamefile.reserved", name=kind)
