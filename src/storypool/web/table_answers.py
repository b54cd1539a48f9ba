"""Answers about a table, computed off the event loop: odds, worth of offers, previews of moves.

The endpoints and the feeds share them.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.engine.sight import without_hidden
from storypool.engine.table import Check, Seat, Table
from storypool.live.fair_queue import Crowded, FairQueue, ShareUsed
from storypool.live.previews import previewed
from storypool.live.tables import Tables
from storypool.odds.question import TooMany, within_limits
from storypool.web.interface.live_forms import WatchedMove, WatchQuestion
from storypool.web.later_points import LaterPoints
from storypool.web.network.metrics import Metrics
from storypool.web.notices import Notices
from storypool.web.problem import Problem, problem, refusal_data
from storypool.web.server_settings import Limits
from storypool.web.wire import encode, offer_data
from storypool.worth import weighing
from storypool.worth.weighing import (
    Asked,
    Weighed,
    known,
    may_know_later,
    may_weigh,
    small_weighed,
    weighed,
    weighed_data,
)

T = TypeVar("T")
Data = Mapping[str, Any]

SMALL = 0.05
"""The largest estimate of a small question, in seconds."""
TOGETHER = 8
"""The most questions about a table that are answered in one turn."""


async def in_turn(
    queue: FairQueue, whose: str, work: Callable[[], Awaitable[T]], seconds: float | None = None
) -> T:
    """Await `work` when its turn in a queue comes.

    429 if too much waits, and `TimeoutError` if the work takes longer than `seconds`.
    """
    try:
        return await queue.do(whose, work, seconds)
    except Crowded as crowded:
        key = "share" if isinstance(crowded, ShareUsed) else "busy"
        raise problem(key, headers={"Retry-After": "5"}) from None


class TableAnswer(NamedTuple):
    """An answer that holds after record `seq`.

    `kind` is odds, preview or error. `soon`: asking again soon may give a better one.
    """

    kind: str
    seq: int
    json: bytes
    soon: bool = False


class Answers:
    """The answers of one server to questions about tables; small and large ones queue apart."""

    def __init__(
        self,
        tables: Tables,
        limits: Limits,
        queues: tuple[FairQueue, FairQueue],
        later: LaterPoints,
        metrics: Metrics,
        notices: Notices,
    ) -> None:
        self.tables, self.most, self.later = tables, limits.odds, later
        self.metrics, self.notices = metrics, notices
        self.small, self.large = queues

    async def reckoned(
        self, whose: str, work: Callable[[], T], first: Callable[[], T] | None = None
    ) -> T:
        """Do some work off the event loop, in the queue for its size.

        The cost is estimated before anything is counted: work that exceeds a small question waits
        in the queue for large ones, and work that exceeds those is refused with a `Problem`.
        Started work cannot be stopped: `TimeoutError` answers the request, and the next work begins
        when this one is over. `first` is the work as a small question, where that differs; it
        raises `TooMany`.
        """
        began, answer = time.perf_counter(), "given"
        try:
            with suppress(TooMany):
                return await self._in_thread(self.small, whose, partial(self._quick, first or work))
            return await self._in_thread(self.large, whose, partial(_within, self.most, work))
        except TooMany as error:
            answer = "too_many"
            raise Problem(413, replace(error.refusal, code="limit")) from None
        except TimeoutError:
            answer = "too_late"
            raise
        except Problem:
            answer = "crowded"
            raise
        finally:
            self.metrics.odds.labels(answer).observe(time.perf_counter() - began)

    async def weighed(
        self, whose: str, table_id: str, seat: Seat, asked: Asked
    ) -> tuple[int, Data]:
        """The weighing of the action that a seat sees, and its record's number: `WeighedState`."""
        newest, system = await self.tables.newest(table_id), await self.tables.system(table_id)
        # Ask before and after: a solution may end while the answer is made without it.
        was_busy = self.later.busy
        self._note_missing(newest(), seat)
        seq, data = await self.weighing_of(whose, system, newest, seat, asked)
        return seq, {"solving": self._solving(newest(), seat, data, was_busy), **data}

    async def weighing_of(
        self, whose: str, system: System, newest: Callable[[], Table], seat: Seat, asked: Asked
    ) -> tuple[int, Data]:
        """The weighing of the open action for a seat, as plain data, and the number of its record.

        The record is that of the `newest` table when the work's turn comes. If the table changed
        while questions waited, the first answers them all. See `Weighing`.
        """
        table = newest()
        kept = known(table, seat.id, asked)
        if kept is not None and not may_know_later(table, seat.id):
            return table.seq, weighed_data(kept)
        work = partial(self._weigh, system, newest, seat, asked)
        try:
            return await self.reckoned(whose, partial(work, weighed), partial(work, small_weighed))
        except TimeoutError:
            # Do not cache it: a busy server may have time later.
            return table.seq, weighed_data(Weighed(too_many=True))

    async def previewed(
        self, whose: str, table_id: str, seat: Seat, would: WatchedMove
    ) -> TableAnswer:
        """The effect of a move: `PreviewState`. Nothing is stored, and no dice are rolled."""
        newest, system = await self.tables.newest(table_id), await self.tables.system(table_id)
        work = partial(_preview, system, newest, seat, would)
        with suppress(TimeoutError, Problem):
            return await self.reckoned(whose, work)
        # Leave out the odds: there is no time for them.
        return await in_turn(
            self.small, whose, partial(asyncio.to_thread, partial(work, with_odds=False))
        )

    async def at_once(
        self, table_id: str, asked: Sequence[tuple[Seat, WatchQuestion]]
    ) -> Sequence[TableAnswer | Exception]:
        """Answer questions of several seats at a table together; `TooMany` for the large ones."""
        newest, system = await self.tables.newest(table_id), await self.tables.system(table_id)
        for seat, _ in asked:
            self._note_missing(newest(), seat)

        def answer(seat: Seat, question: WatchQuestion) -> TableAnswer | Exception:
            began = time.perf_counter()
            try:
                with within_limits(min(SMALL, self.most)):
                    found = self._answered(system, newest, seat, question)
            except Exception as error:
                return error
            self.metrics.odds.labels("given").observe(time.perf_counter() - began)
            return found

        found: list[TableAnswer | Exception] = []
        # Other tables have their turns in between.
        for n in range(0, len(asked), TOGETHER):
            work = partial(lambda some: [answer(*one) for one in some], asked[n : n + TOGETHER])
            found += await in_turn(
                self.small, f"feeds of {table_id}", partial(asyncio.to_thread, work)
            )
        return found

    async def alone(self, table_id: str, seat: Seat, question: WatchQuestion) -> TableAnswer:
        """Answer a large question."""
        whose = f"{seat.id} at {table_id}"
        if question.preview is None:
            seq, found = await self.weighed(whose, table_id, seat, _asked(question))
            return TableAnswer("odds", seq, encode(found), found["solving"])
        return await self.previewed(whose, table_id, seat, question.preview)

    # In a thread.

    def _answered(
        self, system: System, newest: Callable[[], Table], seat: Seat, question: WatchQuestion
    ) -> TableAnswer:
        if question.preview is not None:
            return _preview(system, newest, seat, question.preview)
        table, was_busy = newest(), self.later.busy
        _, data = self._weigh(system, lambda: table, seat, _asked(question), small_weighed)
        solving = self._solving(table, seat, data, was_busy)
        return TableAnswer("odds", table.seq, encode({"solving": solving, **data}), solving)

    def _weigh(
        self,
        system: System,
        newest: Callable[[], Table],
        seat: Seat,
        asked: Asked,
        weigh: Callable[..., Weighed],
    ) -> tuple[int, Data]:
        table = newest()
        found = weigh(system, table, seat.id, asked, self.tables.offered_before(table, seat.id))
        data = weighed_data(found)
        if may_know_later(table, seat.id):
            later = partial(self.later.kept, system, table, seat.id)
            data["worth"] = [replace(row, later=later(row)) for row in found.worth]
        return table.seq, data

    # The later worth of points.

    def _note_missing(self, table: Table, seat: Seat) -> None:
        if may_know_later(table, seat.id):
            self.later.note_missing(self.notices)

    def _solving(self, table: Table, seat: Seat, data: Data, was_busy: bool) -> bool:
        waits = may_know_later(table, seat.id) and any(
            row.price and row.later is None for row in data["worth"]
        )
        return waits and (was_busy or self.later.busy)

    async def _in_thread(self, queue: FairQueue, whose: str, work: Callable[[], T]) -> T:
        return await in_turn(queue, whose, partial(asyncio.to_thread, work), self.most)

    def _quick(self, work: Callable[[], T]) -> T:
        return _within(min(SMALL, self.most), work)


def _within(seconds: float, work: Callable[[], T]) -> T:
    with within_limits(seconds):
        return work()


def _asked(question: WatchQuestion) -> Asked:
    return Asked(question.check, question.brief, question.move)


def _preview(
    system: System,
    newest: Callable[[], Table],
    seat: Seat,
    would: WatchedMove,
    with_odds: bool = True,
) -> TableAnswer:
    """The effect of a move at the newest table; `TooMany` if its odds take too long here."""
    table = newest()
    found = previewed(system, table, seat.id, would.move, would.args, override=would.override)
    data = {
        "offer": offer_data(found.offer),
        "refused": None if found.refused is None else refusal_data(found.refused),
        "pool": dict(found.check.pool) if found.check else None,
        "check": found.check,
        "odds": _brief_odds(table, seat, found.check) if with_odds else None,
        "proposed": found.proposed,
    }
    return TableAnswer("preview", table.seq, encode(data))


def _brief_odds(table: Table, seat: Seat, check: Check | None) -> Data | None:
    """The odds of an action before its roll; None without odds, or if the seat may not know."""
    if check is None or check.phase != "build" or not may_weigh(table, seat.id):
        return None
    with suppress(Refused):
        found = weighing.reckoned(table.system, without_hidden(table, seat), check)
        return found.brief() if found else None
    return None
