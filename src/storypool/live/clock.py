"""The clock of the logs. It notices when the computer's clock was set, so that a log has it on record."""

import sys
import time
from collections.abc import Callable

SLACK_MS = 5_000
"""By how many milliseconds a clock may be corrected without a word."""


class Clock:
    """Times for records, in milliseconds since 1970, UTC: `now` is the computer's clock, which anybody may set.

    `elapsed` is milliseconds since some moment, which nobody can set: while `now` is not set, both go on alike.
    """

    def __init__(self, now: Callable[[], int], elapsed: Callable[[], int]) -> None:
        self.now, self.elapsed = now, elapsed
        self._offset = now() - elapsed()
        self._forward = list[tuple[int, int]]()

    def offset(self) -> int:
        """Return by how much the clock is ahead of `elapsed`; that changes when it is set."""
        offset = self.now() - self.elapsed()
        if offset - self._offset > SLACK_MS:
            self._forward.append((self._offset + self.elapsed(), self._offset))
        self._offset = offset
        return offset

    def offset_at(self, at: int) -> int:
        """Return what `offset` was for a log whose last record has this time: before the clock was set forward."""
        now = self.offset()
        return next((offset for until, offset in self._forward if at <= until), now)

    def read(self, last: int, offset: int) -> tuple[int, int]:
        """Return the time for the next record of a log, and by how much the clock was set since its last record.

        That record has the time `last`, and `offset` was then as given. A time is never behind the last one,
        unless the clock was set back: then times go on from where it is now, so that a wrong time in the future
        does not stay.
        """
        now, by = self.now(), self.offset() - offset
        if last - now > SLACK_MS and by >= -SLACK_MS:
            # It was set while no server ran.
            by = now - last
        return now if by < -SLACK_MS else max(now, last), by if abs(by) > SLACK_MS else 0


def system_time_ms() -> int:
    """Return the time of the computer's clock."""
    return time.time_ns() // 1_000_000


if sys.platform == "linux":

    def uptime() -> int:
        """Return the milliseconds since this computer was started, those in which it slept too."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
elif sys.platform == "darwin":

    def uptime() -> int:
        """Return the milliseconds since this computer was started, those in which it slept too."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000_000
else:

    def uptime() -> int:
        """Return the milliseconds since this computer was started, those in which it slept too."""
        return time.monotonic_ns() // 1_000_000
