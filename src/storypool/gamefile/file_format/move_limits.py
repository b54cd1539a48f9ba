"""The limits of a move, as a game file writes them."""

from __future__ import annotations

import re

from storypool.engine import rules as r
from storypool.gamefile.file_format.schema import MoveRow

__all__ = ["limit_of"]

_LIMIT = re.compile(
    r"(once|twice|(\d{1,2}) times) (?:an?|each) (action|scene|session|round)(?: for each"
    r" (seat|side))?"
)


def limit_of(row: MoveRow, text: str) -> r.Limit | None:
    """The limit that a text states; None if it states none.

    >>> limit_of(MoveRow(key="push", title="Push"), "twice a scene for each seat")
    Limit(group='push', per=('scene', 'seat'), n=2, check='')
    """
    found = _LIMIT.fullmatch(text.strip())
    if found is None:
        return None
    n = {"once": 1, "twice": 2}.get(found[1]) or int(found[2])
    period = "check" if found[3] == "action" else found[3]
    per = (period, found[4]) if found[4] else (period,)
    return r.Limit(row.key, per, n)
