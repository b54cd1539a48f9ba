"""The most dice that an action rolls: the same bound as for a pool that is typed."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.events import CheckChanged, CheckOpened, Event
from storypool.engine.game.moves import Reaction
from storypool.engine.game.turn import Turn


def _within_bounds(turn: Turn, event: Event) -> Iterator[Event]:
    """Refuse a move that would make a pool larger than one that can be typed."""
    assert isinstance(event, CheckOpened | CheckChanged)
    check, most = event.check, turn.system.notation.most
    if check.phase == "build" and check.pool.total > most:
        raise turn.refused("argument", "pool.most", most=most, n=check.pool.total)
    yield from ()


REACTIONS: tuple[tuple[type, Reaction], ...] = ((CheckOpened, _within_bounds), (CheckChanged, _within_bounds))
