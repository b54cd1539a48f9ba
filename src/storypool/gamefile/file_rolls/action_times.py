"""The times at which verbs of a game file can change an action."""

from __future__ import annotations

from storypool.gamefile.doing import POOL
from storypool.gamefile.file_format.schema import VERBS

__all__ = ["wrong_time"]


def wrong_time(verb: str, when: str) -> str:
    """Why an action cannot be changed at this time, or ""."""
    if verb not in VERBS[: VERBS.index("gain")]:
        return ""
    if when not in ("before the roll", "after the roll", "any time", "rolled", "closed"):
        return "no_action"
    if when in ("after the roll", "rolled", "closed") and verb in POOL:
        return "late"
    if when == "before the roll" and verb == "again":
        return "early"
    return ""
