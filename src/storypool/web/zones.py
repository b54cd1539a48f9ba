"""The time zone that a browser names, for dates in files to keep."""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta

from storypool.web.endpoint import SeatQuery
from storypool.web.problem import problem

FURTHEST = 14 * 60
"""The most minutes between a clock on Earth and universal time."""

ZONE = r"^([A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z][A-Za-z0-9_+-]*)*)?$(?!\n)"
"""The form of a name, which Python and the readers of a schema understand alike."""


class ZonedQuery(SeatQuery, forbid_unknown_fields=True):
    """The seat, and the reader's time zone for dates: its name, or minutes east of universal time.

    The minutes count if the server does not know the name. Without either it is the server's zone.
    """

    zone: Annotated[str, Meta(pattern=ZONE, max_length=64)] = ""
    offset: Annotated[int, Meta(ge=-FURTHEST, le=FURTHEST)] | None = None

    def as_zone(self) -> tzinfo | None:
        """The zone; None for the server's own. `Problem` for an unknown name without minutes."""
        try:
            if self.zone:
                return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, OSError, ValueError):
            if self.offset is None:
                raise problem("zone", "zone", zone=self.zone) from None
        return None if self.offset is None else timezone(timedelta(minutes=self.offset))
