"""Live tables: the one door through which every move goes. The only place with locks, clocks and real dice.

A move is decided on the newest table there is, the one that earlier moves still on their way to the disk will make. So
many moves share one commit. What was decided on a move that could not be stored is dropped with it, and nobody has
been told: a reply, and then the bell, follow only after the commit.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from storypool import systems
from storypool.engine import house
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import CheckChanged, CheckOpened, Event, Record, Rewound, SeatTaken
from storypool.engine.kit import Roll
from storypool.engine.offers import Offer, offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import may_see, records_of, view
from storypool.engine.system import System
from storypool.engine.table import Check, Seat, Side, Table
from storypool.live.folded import STEPS_KEPT, Step, Warm, unfold, unfolded
from storypool.log.store import Answer, Append, Conflict, Listing, Mark, Store, StoreError, TokenReused, no_table
from storypool.words import Phrase
from storypool.words.languages import Language, Languages

TABLES_WARM = 256
"""Tables kept folded while nobody follows them."""
TRIES = 8
"""How often a move is decided anew when the log went on meanwhile."""


@dataclass(frozen=True, slots=True)
class Made:
    """A move that is stored: the last record it made, and its records as the seat that made it sees them.

    `repeated` when the token was known and this is the answer of the first time.
    """

    seq: int
    records: tuple[Record, ...]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move would do: its questions as they follow from the answers, why it would be refused, and the check."""

    offer: Offer
    refused: Refusal | None
    check: Check | None


class _Again(Exception):
    """What this was decided on was never stored, through no fault of the store: decide once more."""


class _DiceWanted(Exception):
    """A move that only looks would roll dice."""


class Following:
    """A reader's place in a table's log, which moves on: no record is missed and none comes twice."""

    def __init__(self, tables: Tables, table_id: str, seq: int) -> None:
        self.tables, self.table_id, self.seq = tables, table_id, seq
        self.bell = asyncio.Event()

    async def ready(self) -> Sequence[Step]:
        """The stored steps that this reader has not had yet; perhaps none."""
        steps = await self.tables.steps(self.table_id, self.seq)
        if steps:
            self.seq = steps[-1].record.seq
        return steps

    async def next(self) -> Sequence[Step]:
        """The next stored steps, as soon as there are any."""
        while True:
            self.bell.clear()
            if steps := await self.ready():
                return steps
            await self.bell.wait()

    def __enter__(self) -> Following:
        self.tables._followers.setdefault(self.table_id, set()).add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.tables._unfollow(self)


class Tables:
    """Every table of one store. All methods belong to one event loop.

    Dice fall by `randbelow`, which gives 0 to n - 1. Unless told otherwise that is `secrets.randbelow`: bits of the
    operating system's generator, as many as n has, drawn again when they make n or more. Nothing is taken modulo n, so
    every face is exactly as likely as the others.

    Storage that fails raises `StoreError`; a move that may not be made raises `Refused`; a table that is not there
    raises `NoTable`, and a token used for something else `TokenReused`.
    """

    def __init__(
        self,
        store: Store,
        find: Callable[[str, Language], System] = systems.get,
        randbelow: Callable[[int], int] = secrets.randbelow,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        languages: Languages | None = None,
    ) -> None:
        self.store, self.find, self.now, self.languages = store, find, now, languages or Languages()
        self._roll: Roll = lambda die: die.first + randbelow(die.sides)
        self._warm: OrderedDict[str, Warm] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Warm]] = {}
        self._asked: dict[tuple[str, str, str], tuple[str, asyncio.Task[Made]]] = {}
        self._followers: dict[str, set[Following]] = {}

    # Making tables, sitting down, moving.

    async def open(self, system: str, title: str, options: Mapping[str, str] = {}) -> str:
        """The id of a new table; `Refused` names an option that the game does not have, or a language unknown here."""
        opened = house.open_table(self.find(system, self.languages.of(options)), title, options, self.languages.by_key)
        return await self.begin(records_of([opened], "", 0, self.now()))

    async def begin(self, records: Sequence[Record]) -> str:
        """The id of a new table with a whole log, from record 1 on."""
        table_id = secrets.token_hex(5)
        kept: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._submit(Append(table_id, 0, records), lambda done: _pass_on(done, kept))
        await kept
        return table_id

    async def take_seat(self, table_id: str, name: str, side: Side) -> Seat:
        """A new seat at a table; `Refused` when the name is empty or taken."""

        def sit(system: System, table: Table) -> tuple[str, list[Event]]:
            taken = house.take_seat(system, table, name, side)
            return taken.seat.id, [taken]

        event = (await self._append(table_id, sit))[0].record.event
        assert isinstance(event, SeatTaken)
        return event.seat

    async def make(
        self,
        table_id: str,
        seat_id: str,
        move: str,
        args: Mapping[str, object],
        token: str | None = None,
        override: bool = False,
    ) -> Made:
        """A move made and stored, with its records; it is decided once, whoever else is moving.

        A `token` repeated by the same seat gives the answer of the first time. Refusals are not stored.
        """
        if not token:
            return await self._make(table_id, seat_id, move, args, override)
        key, hash = (table_id, seat_id, token), request_hash(move, args, override)
        asked, task = self._asked.get(key, (hash, None))
        if asked != hash:
            raise _reused()
        if task is None:
            task = asyncio.create_task(self._make(table_id, seat_id, move, args, override, token, hash))
            self._asked[key] = hash, task
            task.add_done_callback(lambda done: self._answered(key, done))
        # Whoever asked may go away meanwhile; the move goes on.
        return await asyncio.shield(task)

    def _answered(self, key: tuple[str, str, str], done: asyncio.Task[Made]) -> None:
        del self._asked[key]
        if not done.cancelled():
            done.exception()

    async def _make(
        self,
        table_id: str,
        seat_id: str,
        move: str,
        args: Mapping[str, object],
        override: bool,
        token: str = "",
        hash: str = "",
    ) -> Made:
        if token:
            known = await asyncio.to_thread(self.store.answered, table_id, seat_id, token)
            if known is not None:
                if known.request_hash != hash:
                    raise _reused()
                return _made(await self.steps(table_id, int(known.answer), known.seq), seat_id, repeated=True)

        def decided(system: System, table: Table) -> tuple[str, list[Event]]:
            return seat_id, decide(system, table, seat_id, move, args, self._roll, override)

        return _made(await self._append(table_id, decided, token, hash), seat_id)

    async def _append(
        self,
        table_id: str,
        decided: Callable[[System, Table], tuple[str, list[Event]]],
        token: str = "",
        hash: str = "",
    ) -> Sequence[Step]:
        """What was decided, stored. Between the decision and its place in the line nobody else decides."""
        for _ in range(TRIES):
            warm = await self._folded(table_id)
            if warm.closed:
                raise Refused(Refusal.of("when", Phrase("live.closed")))
            head = warm.head
            try:
                seat_id, events = decided(warm.system, head)
            except Refused:
                # Nobody is told of points that somebody spent before that is stored.
                if await self._settled(warm):
                    raise
                continue
            at = max(self.now(), warm.steps[-1].record.at if warm.steps else 0)
            records = records_of(events, seat_id, head.seq, at)
            past = await self._past(warm, events)
            if warm.head is not head or warm.failed:
                continue
            steps = unfolded(head, records, past)
            try:
                append = Append(table_id, head.seq, records, seat_id, token, hash, str(head.seq))
                return await self._store(warm, steps, append)
            except _Again:
                continue
        raise Conflict(Phrase("live.busy"))

    async def _settled(self, warm: Warm) -> bool:
        """Whether all that is on its way was stored, once that is known."""
        while warm.in_flight:
            await asyncio.wait([warm.in_flight[-1]])
        return warm.failed is None

    def _store(self, warm: Warm, steps: Sequence[Step], append: Append) -> asyncio.Future[Sequence[Step]]:
        waiting: asyncio.Future[Sequence[Step]] = asyncio.get_running_loop().create_future()
        warm.advance(steps)
        warm.in_flight.append(waiting)
        self._submit(append, lambda done: self._stored(warm, steps, waiting, done))
        return waiting

    def _submit(self, append: Append, then: Callable[[Future[Answer]], object]) -> None:
        loop = asyncio.get_running_loop()
        try:
            future = self.store.submit(append)
        except StoreError as error:
            future = Future()
            future.set_exception(error)

        def done_elsewhere(done: Future[Answer]) -> None:
            # When the loop is gone, so is everybody who waited; what was stored is stored.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(then, done)

        future.add_done_callback(done_elsewhere)

    def _stored(
        self, warm: Warm, steps: Sequence[Step], waiting: asyncio.Future[Sequence[Step]], done: Future[Answer]
    ) -> None:
        """The commit is over, and commits end in the order of the line. First the reply, then the bell."""
        warm.in_flight.popleft()
        failure = done.exception()
        if failure is None and done.result().repeated:
            failure = _reused()
        if failure is not None:
            if warm.failed is None:
                warm.failed = (
                    failure if isinstance(failure, StoreError) else StoreError(Phrase("log.unforeseen", why=failure))
                )
                if self._warm.get(warm.id) is warm:
                    del self._warm[warm.id]
                again = isinstance(failure, Conflict)
            else:
                again = isinstance(warm.failed, (Conflict, TokenReused))
            if not waiting.done():
                waiting.set_exception(_Again() if again else warm.failed)
                waiting.exception()
            return
        warm.stored = steps[-1].after
        if not waiting.done():
            waiting.set_result(steps)
        asyncio.get_running_loop().call_soon(self.ring, warm.id)

    # Reading.

    async def look(self, table_id: str) -> Table:
        """The table as it is stored."""
        return (await self._folded(table_id)).stored

    async def system(self, table_id: str) -> System:
        """The game of a table, in its language."""
        return (await self._folded(table_id)).system

    async def records(self, table_id: str, after: int = 0) -> list[Record]:
        """The whole records behind number `after`, as they are stored."""
        if not after or (steps := (await self._folded(table_id)).after(after)) is None:
            return await asyncio.to_thread(self.store.read, table_id, after)
        return [step.record for step in steps]

    async def steps(self, table_id: str, after: int, upto: int | None = None) -> Sequence[Step]:
        """The stored records behind number `after`, each with the table that it met and the one that it made."""
        warm = await self._folded(table_id)
        steps = warm.after(after)
        if steps is None:
            records = await asyncio.to_thread(self.store.read, table_id, 0, warm.stored.seq)
            steps = (await asyncio.to_thread(unfold, records))[after:]
        return steps if upto is None else [step for step in steps if step.record.seq <= upto]

    async def offers(self, table_id: str, seat_id: str) -> tuple[Table, list[Offer]]:
        """The table as it is stored, and every move of this seat as it stands there."""
        warm = await self._folded(table_id)
        return warm.stored, offers(warm.system, warm.stored, seat_id)

    async def preview(
        self, table_id: str, seat_id: str, move: str, args: Mapping[str, object], override: bool = False
    ) -> Preview:
        """What a move would do, decided on a table that nobody keeps. Dice are not rolled for it."""
        warm = await self._folded(table_id)
        table, refused, check = warm.stored, None, None
        would = offer(warm.system, table, seat_id, move, args)
        seat = table.seats[seat_id]
        try:
            for event in decide(warm.system, table, seat_id, move, args, _no_dice, override):
                if isinstance(event, (CheckOpened, CheckChanged)) and may_see(seat, event.check.seen_by):
                    check = event.check
        except Refused as error:
            refused = error.refusal
        except _DiceWanted:
            pass
        return Preview(would, refused, check)

    def follow(self, table_id: str, after: int) -> Following:
        """A place in the table's log behind number `after`: a context, rung whenever more is stored."""
        return Following(self, table_id, after)

    def ring(self, table_id: str) -> None:
        """Wake everybody who follows a table."""
        for following in self._followers.get(table_id, ()):
            following.bell.set()

    def _unfollow(self, following: Following) -> None:
        followers = self._followers.get(following.table_id, set())
        followers.discard(following)
        if not followers:
            self._followers.pop(following.table_id, None)

    # The life of a table.

    async def listing(self, table_id: str) -> Listing:
        """The table as lists show it."""
        listing = await asyncio.to_thread(self.store.listing, table_id)
        if listing is None or listing.deleted:
            raise no_table(table_id)
        return listing

    async def listings(self) -> list[Listing]:
        """Every table, the one last played first."""
        return await asyncio.to_thread(self.store.listings)

    async def mark(self, table_id: str, mark: Mark, on: bool) -> None:
        """Close or archive a table, or take that back. At a closed table nobody moves."""
        await self.listing(table_id)
        await asyncio.to_thread(self.store.mark, table_id, mark, self.now() if on else 0)
        if mark == "closed":
            (await self._folded(table_id)).closed = on
        self.ring(table_id)

    async def delete(self, table_id: str) -> None:
        """Erase a table for good."""
        await asyncio.to_thread(self.store.delete, table_id, self.now())
        self._warm.pop(table_id, None)
        self.ring(table_id)

    # Folds kept warm.

    async def _folded(self, table_id: str) -> Warm:
        warm = self._warm.get(table_id)
        if warm is not None:
            self._warm.move_to_end(table_id)
            return warm
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda done: self._loaded(table_id, done))
        return await asyncio.shield(task)

    async def _load(self, table_id: str) -> Warm:
        listing = await self.listing(table_id)
        records = await asyncio.to_thread(self.store.read, table_id)
        if not records:
            raise no_table(table_id)
        steps = await asyncio.to_thread(unfold, records)
        table = steps[-1].after
        try:
            system = self.find(table.system, self.languages.of(table.options))
        except LookupError as error:
            raise StoreError(*error.args) from None
        return Warm(table_id, system, steps[-STEPS_KEPT:], table, bool(listing.closed))

    def _loaded(self, table_id: str, done: asyncio.Task[Warm]) -> None:
        del self._loading[table_id]
        if done.cancelled() or done.exception() is not None:
            return
        self._warm[table_id] = done.result()
        followed, warm = self._followers, self._warm
        idle = [id for id in warm if id != table_id and id not in followed and not warm[id].in_flight]
        for id in idle[: max(0, len(idle) - TABLES_WARM)]:
            del warm[id]

    async def _past(self, warm: Warm, events: Iterable[Event]) -> dict[int, Table]:
        """The tables that these events rewind to."""
        past = {}
        for event in events:
            if isinstance(event, Rewound):
                then = warm.past(event.to)
                if then is None:
                    records = await asyncio.to_thread(self.store.read, warm.id, 0, event.to)
                    then = (await asyncio.to_thread(unfold, records))[-1].after
                past[event.to] = then
        return past


def request_hash(move: str, args: Mapping[str, object], override: bool = False) -> str:
    """What tells whether a repeated token stands for the same command."""
    said = {"move": move, "args": args} | ({"override": True} if override else {})
    return sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()


def _made(steps: Sequence[Step], seat_id: str, repeated: bool = False) -> Made:
    seat = steps[-1].after.seats.get(seat_id)
    return Made(steps[-1].record.seq, tuple(view((step.record for step in steps), seat)), repeated)


def _reused() -> TokenReused:
    return TokenReused(Phrase("log.token"))


def _no_dice(_: Die) -> int:
    raise _DiceWanted


def _pass_on(done: Future[Answer], waiting: asyncio.Future[Answer]) -> None:
    if waiting.done():
        return
    failure = done.exception()
    if failure is None:
        waiting.set_result(done.result())
    else:
        waiting.set_exception(failure)
