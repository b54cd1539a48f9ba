"""The clock of the logs; it notices when the computer's clock is set, so that a log records it."""

import sys
import time
from collections.abc import Callable

SLACK_MS = 5_000
"""The most milliseconds by which a clock may be corrected without a record of it."""


class Clock:
    """Times for records, in milliseconds since 1970, UTC.

    `now` is the computer's clock, which anybody may set. `elapsed` counts milliseconds from an
    arbitrary moment, and cannot be set: unless `now` is set, both advance equally.
    """

    def __init__(self, now: Callable[[], int], elapsed: Callable[[], int]) -> None:
        self.now, self.elapsed = now, elapsed
        self._offset = now() - elapsed()
        self._forward = list[tuple[int, int]]()

    def offset(self) -> int:
        """The milliseconds by which the clock is ahead of `elapsed`.

        It changes when the clock is set.
        """
        offset = self.now() - self.elapsed()
        if offset - self._offset > SLACK_MS:
            self._forward.append((self._offset + self.elapsed(), self._offset))
        self._offset = offset
        return offset

    def offset_at(self, at: int) -> int:
        """The `offset` at the time `at` of a log's last record, before any setting forward."""
        now = self.offset()
        return next((offset for until, offset in self._forward if at <= until), now)

    def read(self, last: int, offset: int) -> tuple[int, int]:
        """The time for the next record, and how far the clock was set since the last, in ms.

        `last` is the time of the last record, and `offset` the result of `offset()` then. The
        change is 0 within `SLACK_MS`, and negative if the clock was set back. A time is never
        before `last`, unless the clock was set back: then times continue from now, so that a wrong
        time in the future does not persist.
        """
        now, by = self.now(), self.offset() - offset
        if last - now > SLACK_MS and by >= -SLACK_MS:
            # The clock was set while no server ran.
            by = now - last
        return now if by < -SLACK_MS else max(now, last), by if abs(by) > SLACK_MS else 0


def system_time_ms() -> int:
    """The system time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


if sys.platform == "linux":

    def uptime() -> int:
        """The milliseconds since this computer was started, sleep included."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
elif sys.platform == "darwin":

    def uptime() -> int:
        """The milliseconds since this computer was started, sleep included."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000_000
else:

    def uptime() -> int:
        """The milliseconds since this computer was started, sleep included."""
        return time.monotonic_ns() // 1_000_000
