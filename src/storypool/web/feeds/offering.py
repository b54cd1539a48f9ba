"""A queue that computes the offers of followers one by one when nothing else is due."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

from storypool.engine.game.waits import gms
from storypool.engine.ledger import BeforeLedger, Ledger
from storypool.engine.table import Side
from storypool.live.folded import ledger_of
from storypool.live.tables import Tables
from storypool.log.store import NoTable
from storypool.web.feeds.seat_view import SeatView

logger = logging.getLogger("storypool.web")

LATE_S, LONGEST_PAUSE_S = 0.002, 0.05
"""Seconds by which other work may be late before offers wait for it, and the longest such wait."""


class OfferQueue:
    """Computes offers for the newest record, one seat at a time, and calls `deliver` with them.

    Records and moves go first: it takes at most half of the time, and less when other work on the
    event loop is late.
    """

    def __init__(
        self,
        tables: Tables,
        clock: Callable[[], float],
        deliver: Callable[[str, str, SeatView], None],
    ) -> None:
        self.tables, self.clock, self.deliver = tables, clock, deliver
        self._requested: OrderedDict[tuple[str, str, bool], None] = OrderedDict()
        self._ledgers: dict[str, Ledger] = {}
        self._working: asyncio.Task[None] | None = None

    def request(self, table_id: str, seat_id: str, brief: bool) -> None:
        """Compute this seat's offers, in `brief` or in full, as soon as there is time."""
        self._requested[table_id, seat_id, brief] = None
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())

    def forget(self, table_id: str) -> None:
        """Drop the cached offers of a table without followers, or at rest."""
        self._ledgers.pop(table_id, None)

    async def _work(self) -> None:
        while self._requested:
            # Records that are due go out first.
            await asyncio.sleep(0)
            (table_id, seat_id, brief), _ = self._requested.popitem(last=False)
            began = self.clock()
            try:
                shown = await self._compute(table_id, seat_id, brief)
            except NoTable:
                continue
            except Exception:
                # An error with one seat must not stop the others.
                logger.exception(
                    "The offers of seat %s at table %s could not be worked out.", seat_id, table_id
                )
                continue
            self.deliver(table_id, seat_id, shown)
            pause = min(LONGEST_PAUSE_S, self.clock() - began)
            began = self.clock()
            await asyncio.sleep(pause)
            late = self.clock() - began - pause
            if late > LATE_S:
                await asyncio.sleep(min(LONGEST_PAUSE_S, 4 * late))

    async def _compute(self, table_id: str, seat_id: str, brief: bool) -> SeatView:
        compute = self.tables.brief_offers if brief else self.tables.offers
        offered = await compute(table_id, seat_id)
        seat = offered.table.seats[seat_id]
        notes = await self._notes(table_id, seat.side)
        system = await self.tables.system(table_id)
        first = seat_id in gms(offered.table) and await self.tables.has_first_scene(table_id)
        return SeatView(offered, seat, system, notes=notes, first_scene=first, brief=brief)

    async def _notes(self, table_id: str, side: Side) -> tuple[str, ...]:
        system, ledger = await self.tables.system(table_id), self._ledgers.get(table_id)
        with suppress(BeforeLedger):
            if ledger is not None and ledger.system is system:
                ledger.enter(await self.tables.records(table_id, ledger.seq))
                return ledger.economy(side).notes
        steps = await self.tables.session(table_id)
        ledger = self._ledgers[table_id] = await asyncio.to_thread(ledger_of, system, steps)
        return ledger.economy(side).notes
