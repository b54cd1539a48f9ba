"""The clock of the logs. It notices when the computer's clock was set, so that a log has it on
record.
"""

import sys
import time
from collections.abc import Callable

SLACK_MS = 5_000
"""The most milliseconds by which a clock may be corrected without a record of it."""


class Clock:
    """Times for records, in milliseconds since 1970, UTC: `now` is the computer's clock, which
    anybody may set.

    `elapsed` is milliseconds since some moment, which nobody can set: while `now` is not set, both
    go on alike.
    """

    def __init__(self, now: Callable[[], int], elapsed: Callable[[], int]) -> None:
        self.now, self.elapsed = now, elapsed
        self._offset = now() - elapsed()
        self._forward = list[tuple[int, int]]()

    def offset(self) -> int:
        """Return how many milliseconds the clock is ahead of `elapsed`; that changes when it is
        set.
        """
        offset = self.now() - self.elapsed()
        if offset - self._offset > SLACK_MS:
            self._forward.append((self._offset + self.elapsed(), self._offset))
        self._offset = offset
        return offset

    def offset_at(self, at: int) -> int:
        """Return what `offset` was at the time `at` of a log's last record, before the clock was
        set forward.
        """
        now = self.offset()
        return next((offset for until, offset in self._forward if at <= until), now)

    def read(self, last: int, offset: int) -> tuple[int, int]:
        """Return (time for the next record, how far the clock was set since the last), both in
        milliseconds.

        `last` is the time of the last record, and `offset` what `offset()` was then. How far is 0
        within `SLACK_MS`, and below 0 where the clock was set back. A time is never before `last`,
        unless the clock was set back: then times go on from where it is now, so that a wrong time
        in the future does not stay.
        """
        now, by = self.now(), self.offset() - offset
        if last - now > SLACK_MS and by >= -SLACK_MS:
            # It was set while no server ran.
            by = now - last
        return now if by < -SLACK_MS else max(now, last), by if abs(by) > SLACK_MS else 0


def system_time_ms() -> int:
    """Return the system time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


if sys.platform == "linux":

    def uptime() -> int:
        """Return the milliseconds since this computer was started, sleep included."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
elif sys.platform == "darwin":

    def uptime() -> int:
        """Return the milliseconds since this computer was started, sleep included."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000_000
else:

    def uptime() -> int:
        """Return the milliseconds since this computer was started, sleep included."""
        return time.monotonic_ns() // 1_000_000
