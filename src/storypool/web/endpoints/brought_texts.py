"""The limits on games brought as texts: read texts, and kept ones, for each session."""

from storypool.gamefile import Unread
from storypool.web.endpoint import Call
from storypool.web.network.limits import Buckets, whole_seconds
from storypool.web.problem import Problem, problem


async def count_reading(call: Call) -> None:
    """Count a text that is read for this session; 429 after too many, except for the host."""
    await _count(call, call.server.texts_read)


async def count_keeping(call: Call) -> None:
    """Count a text that a table of this session keeps; 429 after too many, except for the host."""
    await _count(call, call.server.texts_kept)


def misread(wrong: Unread) -> Problem:
    """A 400 with the first mistake of a text, and its line."""
    first = wrong.mistakes[0]
    return problem("game.line", "game", line=first.line, why=first.what)


async def _count(call: Call, buckets: Buckets) -> None:
    session = await call.session()
    if session and session.host:
        return
    # A browser without a session is known by its address alone.
    wait = buckets.wait(session.hash if session else call.whose)
    if wait:
        seconds = whole_seconds(wait)
        raise problem("texts.often", headers={"Retry-After": str(seconds)}, seconds=seconds)
