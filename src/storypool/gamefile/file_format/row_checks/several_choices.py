"""Mistakes in a question that takes several choices."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.expressions import CHOSEN
from storypool.gamefile.file_format.schema import AskRow
from storypool.words import Phrase

__all__ = ["wrong_choose"]

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_choose(path: Path, ask: AskRow) -> Found:
    """A wrong number of choices, ambiguous keys, and keys without a use."""
    if not ask.choose:
        return
    fixed = [one.fixed for one in ask.choose if one.fixed is not None]
    within = all(0 <= n <= len(ask.choices) for n in fixed) and ask.choose[-1].fixed != 0
    if len(ask.choose) > 2 or fixed != sorted(fixed) or (ask.choices and not within):
        yield (*path, "choose"), Phrase("gamefile.choose.bounds", most=len(ask.choices))
    for key in ask.choices:
        if CHOSEN in key:
            yield (*path, "choices"), Phrase("gamefile.choose.comma", got=key[:40])
    for key in ("default", "whose"):
        if getattr(ask, key):
            yield (*path, key), Phrase("gamefile.idle", key=key, of="choose")
