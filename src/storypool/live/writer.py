"""Appending to the logs: each move is decided on the newest table, and answered once stored.

The newest table includes earlier moves whose commit is still pending, so that many moves can share
one group commit. If a commit fails, the moves decided on top of it are dropped with it. Nobody has
heard of them, because the reply, and then the notifications, are sent only after the commit.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

from storypool.engine.events import ClockSet, Event, Record
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import records_of, view
from storypool.engine.table import Table
from storypool.live.cache import Cache
from storypool.live.clock import Clock
from storypool.live.folded import Folded, Step, steps_of
from storypool.log.store import Answer, Append, Conflict, Store, StoreError, TokenReused
from storypool.words import Phrase

MAX_TRIES = 8
"""The tries to decide a move while the log goes on meanwhile."""
IMPORT_BATCH = 500
"""The number of records of an imported log to store at once."""


Watch = Callable[[], Callable[[BaseException | None], None]]
"""Called when a commit begins.

Its result is called with the error at the end, in the store's thread.
"""


class Subscriber(Protocol):
    """A subscriber to tables, called in the event loop in log order; it must not block."""

    def stored(self, table_id: str, steps: Sequence[Step]) -> None:
        """These records are stored, and the seat that made them has its reply."""
        ...

    def deleted(self, table_id: str) -> None:
        """The table was deleted."""
        ...


class Decided(NamedTuple):
    """Events to store, their seat, and the known tables after the first of them.

    `then` follows in the same commit, after events whose tables are all known.
    """

    seat: str
    events: Sequence[Event]
    tables: Sequence[Table] = ()
    then: "Decided | None" = None


class Token(NamedTuple):
    """An idempotency key: a text that its seat uses once, and the hash of its command."""

    seat: str
    text: str
    hash: str


@dataclass(frozen=True, slots=True)
class Made:
    """A stored move: the game, the seat that made it, and its steps.

    `repeated` is true if the token was used before and this is the first answer again.
    """

    system: System
    seat: str
    steps: Sequence[Step]
    repeated: bool = False

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return self.steps[-1].record.seq

    @property
    def records(self) -> list[Record]:
        """The records in the view of the seat that made them."""
        return view((step.record for step in self.steps), self.steps[-1].after.seats.get(self.seat))


class Writer:
    """The writer of a store's logs; calls `notify` with stored steps."""

    def __init__(
        self,
        store: Store,
        cache: Cache,
        clock: Clock,
        notify: Callable[[str, Sequence[Step]], object],
    ) -> None:
        self.store, self.cache, self.clock, self._notify = store, cache, clock, notify
        self.watch: Watch = lambda: lambda error: None

    async def begin(self, records: Sequence[Record]) -> str:
        """Store a whole log, from record 1 on, and return the id of its new table.

        A long one is stored in batches, so that the moves at other tables are stored in between; if
        one of them fails, the table is deleted.
        """
        table_id = secrets.token_hex(5)

        def store() -> None:
            for after in range(0, len(records), IMPORT_BATCH):
                self.store.append(Append(table_id, after, records[after : after + IMPORT_BATCH]))

        try:
            # Encoding takes time: do it off the event loop.
            await asyncio.to_thread(store)
        except StoreError:
            with suppress(StoreError):
                await asyncio.to_thread(self.store.delete, table_id, self.clock.now())
            raise
        return table_id

    async def append(
        self,
        table_id: str,
        decide: Callable[[System, Table], Decided],
        token: Token | None = None,
        after: int | None = None,
    ) -> Made:
        """Decide a move, store it, and return it; none is decided before this one is in the queue.

        For a token that the store knows, return the first answer. `Conflict` if it must directly
        follow record `after`, which is not the last any more.
        """
        for _ in range(MAX_TRIES):
            folded = await self.cache.folded(table_id)
            if (made := await self.attempt(folded, decide, token, after)) is not None:
                return made
        raise Conflict(Phrase("live.busy"))

    async def attempt(
        self,
        folded: Folded,
        decide: Callable[[System, Table], Decided],
        token: Token | None,
        after: int | None,
    ) -> Made | None:
        """Like `append`, or None if the log has gone on meanwhile: then decide again."""
        head = folded.head
        if after not in (None, head.seq):
            await folded.settled()
            raise Conflict(Phrase("live.busy"))
        at, marked = self._time(folded)
        before = marked[-1].after if marked else head
        try:
            decided = _decided(folded, before, decide)
        except Refused:
            # A refusal must not reveal points that another seat spent until that is stored.
            if not await folded.settled():
                return None
            if token and (known := await self._known_answer(folded, token)):
                return known
            raise
        past = await self.cache.past(folded, decided.events)
        if folded.head is not head or folded.failed:
            return None
        records = records_of(decided.events, decided.seat, before.seq, at)
        steps = [*marked, *steps_of(before, records, decided.tables, past)]
        if then := decided.then:
            records = records_of(then.events, then.seat, steps[-1].record.seq, at)
            steps += steps_of(steps[-1].after, records, then.tables, {})
        answer = await self._store(folded, steps, decided.seat, token)
        if answer is not None and answer.repeated:
            return await self.first(folded, decided.seat, answer)
        return Made(folded.system, decided.seat, steps) if answer is not None else None

    def _time(self, folded: Folded) -> tuple[int, list[Step]]:
        """The time for the next record, and a marking step if the clock was set meanwhile."""
        at, by = self.clock.read(folded.steps[-1].record.at, folded.offset)
        if not by:
            return at, []
        return at, steps_of(
            folded.head, records_of([ClockSet(by)], "", folded.head.seq, at), (), {}
        )

    async def _known_answer(self, folded: Folded, token: Token) -> Made | None:
        """The first answer to a command that is now refused, or None if its token is new."""
        known = await asyncio.to_thread(self.store.answered, folded.id, token.seat, token.text)
        if known is None:
            return None
        if known.request_hash != token.hash:
            raise TokenReused(Phrase("log.token"))
        return await self.first(folded, token.seat, known)

    async def first(self, folded: Folded, seat: str, known: Answer) -> Made:
        """The first answer to a repeated command."""
        steps = await self.cache.steps(folded.id, int(known.answer), known.seq)
        return Made(folded.system, seat, steps, repeated=True)

    def _store(
        self, folded: Folded, steps: Sequence[Step], seat: str, token: Token | None
    ) -> asyncio.Future[Answer | None]:
        """The store's answer, or None if an earlier pending move failed: then decide again."""
        after = folded.head.seq
        append = Append(
            folded.id,
            after,
            [step.record for step in steps],
            seat=seat,
            token=token.text if token else "",
            request_hash=token.hash if token else "",
            answer=str(after) if token else "",
            on=folded.pending,
        )
        waiting: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        folded.advance(steps)
        folded.offset = self.clock.offset()
        folded.in_flight.append(waiting)
        folded.pending = self._submit(append, partial(self._committed, folded, steps, waiting))
        return waiting

    def _submit(
        self, append: Append, callback: Callable[[Future[Answer]], object]
    ) -> Future[Answer]:
        loop, ended = asyncio.get_running_loop(), self.watch()
        try:
            future = self.store.submit(append)
        except StoreError as error:
            future = Future()
            future.set_exception(error)

        def done_elsewhere(done: Future[Answer]) -> None:
            ended(done.exception())
            # Once the loop is closed, nobody waits for the answer any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(callback, done)

        future.add_done_callback(done_elsewhere)
        return future

    def _committed(
        self,
        folded: Folded,
        steps: Sequence[Step],
        waiting: asyncio.Future[Answer | None],
        done: Future[Answer],
    ) -> None:
        """Handle the end of a commit: first the reply, then the notifications; in queue order."""
        folded.in_flight.popleft()
        failure = done.exception()
        if failure is not None:
            self._failed(folded, waiting, failure)
            return
        answer = done.result()
        if not waiting.done():
            waiting.set_result(answer)
        if answer.repeated:
            # The command had been stored before and not now, so decide moves on top of it again.
            self._drop(folded, TokenReused(Phrase("log.token")))
        else:
            folded.stored = steps[-1].after
            self.cache.snap(folded, steps)
            asyncio.get_running_loop().call_soon(self._notify, folded.id, steps)

    def _failed(
        self, folded: Folded, waiting: asyncio.Future[Answer | None], failure: BaseException
    ) -> None:
        """Handle a failed commit: moves on top of it fail too, unless they can be repeated."""
        if not isinstance(failure, StoreError):
            failure = StoreError(Phrase("log.unforeseen", why=failure))
        self._drop(folded, failure)
        if waiting.done():
            return
        if not isinstance(failure, Conflict):
            waiting.set_exception(failure)
        elif isinstance(folded.failed, (Conflict, TokenReused)):
            waiting.set_result(None)
        else:
            waiting.set_exception(folded.failed or failure)

    def _drop(self, folded: Folded, failure: StoreError) -> None:
        """Drop the pending steps of this table from the cache: their basis was not stored."""
        if folded.failed is None:
            folded.failed = failure
            # If only a token was repeated, the log is as it is known here.
            self.cache.drop_pending(folded, behind=not isinstance(failure, TokenReused))


def _decided(folded: Folded, table: Table, decide: Callable[[System, Table], Decided]) -> Decided:
    if folded.closed:
        raise Refused(Refusal.of("when", Phrase("live.closed", gm=folded.system.words["wait.gm"])))
    return decide(folded.system.played_at(table), table)
