"""The times at which verbs of a game file can change an action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storypool.gamefile.doing import POOL
from storypool.gamefile.file_format.game_bounds import Found, Path
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.schema import VERBS, DoRow, GameFile
from storypool.words import Phrase

__all__ = ["wrong_times"]


def wrong_times(game: GameFile, path: Path, rows: Sequence[DoRow], when: str) -> Found:
    """Changes of an action where there is none, too early or too late."""
    for n, row in enumerate(rows):
        for verb in _verbs(game, row):
            if key := _wrong_time(verb, when):
                yield (*path, n), Phrase(f"gamefile.{key}", verb=verb)
    done = [row for row in rows if row.when is None]
    added = next((verb for row in done for verb in _verbs(game, row) if verb in POOL), "")
    if when != "any time" or not added:
        return
    for n, row in enumerate(rows):
        if row.again is not None and row.when is None:
            yield (*path, n), Phrase("gamefile.silent.again", verb=added)


def _verbs(game: GameFile, row: DoRow) -> Iterator[str]:
    """The verb of a row, and those of the table that it consults."""
    yield row.verb
    for _, effect in nested_rows(game, row.consult):
        yield from (one.verb for one in effect.do)


def _wrong_time(verb: str, when: str) -> str:
    """Why an action cannot be changed at this time, or ""."""
    if verb not in VERBS[: VERBS.index("gain")]:
        return ""
    if when not in ("before the roll", "after the roll", "any time", "rolled", "closed"):
        return "no_action"
    if when in ("after the roll", "rolled", "closed") and verb in POOL:
        return "late"
    if when == "before the roll" and verb in ("again", "put"):
        return "early" if verb == "again" else "places.early"
    return ""
