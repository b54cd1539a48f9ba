"""Token buckets that limit request rates, generous enough for a table behind one address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from storypool.web.server_settings import Rate

SOMEBODIES = 20_000


class Buckets:
    """One bucket per client; the least recently used are forgotten, which only refills them."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate, self._clock = rate, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Return the seconds until this client may send a request; 0 means now, and takes one from its bucket."""
        now = self._clock()
        level, seen = self._levels.pop(who, (self.rate.burst, now))
        level = min(self.rate.burst, level + (now - seen) * self.rate.each_second)
        spent = level >= 1
        self._levels[who] = (level - 1 if spent else level), now
        if len(self._levels) > SOMEBODIES:
            self._levels.popitem(last=False)
        return 0.0 if spent else (1 - level) / self.rate.each_second
