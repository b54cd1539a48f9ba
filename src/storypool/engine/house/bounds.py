"""The most dice that an action rolls: the same bound as for a pool that is typed."""

from collections.abc import Iterator

from storypool.engine.events import CheckChanged, CheckOpened, Event
from storypool.engine.game.moves import whenever
from storypool.engine.game.turn import Turn


@whenever(CheckOpened, CheckChanged)
def _within_bounds(turn: Turn, event: CheckOpened | CheckChanged) -> Iterator[Event]:
    """Refuse a move that would make a pool larger than one that can be typed."""
    check, most = event.check, turn.system.notation.most
    if check.phase == "build" and check.pool.total > most:
        raise turn.refused("argument", "pool.most", most=most, n=check.pool.total)
    yield from ()
