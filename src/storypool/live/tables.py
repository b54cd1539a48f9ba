"""Live tables: every move is made here, from the page, the terminal or any other program."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import msgspec

from storypool import systems
from storypool.engine import house
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.events import Record, Rewound, SeatTaken
from storypool.engine.finishing import finished
from storypool.engine.fold import UNDO
from storypool.engine.game.kit import Roll
from storypool.engine.game.system import System
from storypool.engine.game.waits import gms
from storypool.engine.offers import Offer, brief_offers, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import both_lanes, records_of
from storypool.engine.table import Seat, Side, Table
from storypool.engine.waiting import Waiting, waiting
from storypool.live.cache import Cache
from storypool.live.clock import Clock, system_time_ms, uptime
from storypool.live.fair_dice import FairDice
from storypool.live.folded import Step
from storypool.live.history import History
from storypool.live.imported import Encode, imported
from storypool.live.page_numbers import PageNumbers
from storypool.live.undo_text import with_named_undo, with_undo_text
from storypool.live.writer import MAX_TRIES, Decided, Made, Subscriber, Token, Watch, Writer
from storypool.log.snapshots import Snapshots
from storypool.log.store import Conflict, Listing, Mark, Store, no_table
from storypool.play.first_scene import Staged, first_scene
from storypool.play.text import PlayError
from storypool.systems import game_files
from storypool.systems.newer_rules import new_rules
from storypool.words import Phrase, StorypoolError
from storypool.words.languages import Language, Languages
from storypool.words.text_files import plain

GATHER_S = 0.3
"""Seconds for the pages of a table to seal their numbers before the next roll is bound to them."""

MAX_OFFERS_KEPT = 128
"""The most seats whose latest offers are cached."""


class NoNewRules(StorypoolError):
    """This server has no other text of the game that a table plays."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A seat's view of a stored table: its offers, and the waits."""

    table: Table
    offers: list[Offer]
    waits: list[Waiting]


class LogSlice(NamedTuple):
    """Some steps of a log, the number of its last record, and the game of its table."""

    steps: Sequence[Step]
    newest: int
    system: System


class Tables:
    """Every table of one store. All methods belong to one event loop.

    Public dice follow from the numbers that the server and the players' pages were bound to, once a
    page has sealed a number: see `bindings`. All others are rolled with `randbelow`, which gives 0
    to n - 1; if one is given, it rolls every die. By default it is `secrets.randbelow`: bits of the
    operating system's generator, as many as n has, drawn again if they give n or more. Nothing is
    taken modulo n, so every face is equally likely.

    `now` is the computer's clock, and `elapsed` one that nobody can set; a `now` that is given
    alone is assumed never to be set. Without `snapshots`, they live as long as these tables.

    If storage fails, methods raise `StoreError`; for a forbidden move, `Refused`; for an unknown
    table, `NoTable`; for a token that was used for another command, `TokenReused`.
    """

    def __init__(
        self,
        store: Store,
        find: Callable[[str, Language], System] = systems.get,
        randbelow: Callable[[int], int] | None = None,
        now: Callable[[], int] | None = None,
        languages: Languages | None = None,
        elapsed: Callable[[], int] | None = None,
        gather: float = GATHER_S,
        snapshots: Snapshots | None = None,
    ) -> None:
        self.store, self.find, self.languages = store, find, languages or Languages()
        self.now, clock = (
            now or system_time_ms,
            Clock(now or system_time_ms, elapsed or now or uptime),
        )
        below = randbelow or secrets.randbelow
        self._roll: Roll = lambda die: die.first + below(die.sides)
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._offered: OrderedDict[tuple[int, str], Offered] = OrderedDict()
        history = History(store, snapshots)
        self._cache = Cache(
            history,
            self._game,
            self._subscribers,
            clock=clock,
            stored=self._stored,
            deleted=self._deleted,
        )
        self._writer = Writer(store, self._cache, clock, self._stored)
        self._fair: FairDice | None = None
        if randbelow is None:
            numbers = PageNumbers(store, self._cache, self._writer)
            self._fair = FairDice(numbers, self._cache, self._roll, gather)

    def watch_commits(self, watch: Watch) -> None:
        """Watch every commit from now on."""
        self._writer.watch = watch

    def _game(self, table: Table) -> System:
        """The game of a table, in the table's language: its own text, or a game of this server."""
        if table.game and game_files.kept(table.game, before=True) != table.system:
            raise systems.UnknownSystem(table.system, systems.names())
        return self.find(table.system, self.languages.of(table.options))

    # Opening tables, taking seats, making moves.

    async def open(
        self, system: str, title: str, options: Mapping[str, str] = {}, game: str = ""
    ) -> str:
        """Open a table and return its id; `Refused` for an unknown option or language.

        With the text of a `game` the table plays and stores that; `Unread` lists its mistakes. A
        single-file game of this server also stores its text at the table.
        """
        language = self.languages.of(options)

        def parse() -> tuple[str, System]:
            text = plain(game) or systems.newest(system)
            return text, self.find(game_files.kept(text) if text else system, language)

        # Parse a text off the event loop.
        text, played = await asyncio.to_thread(parse)
        opened = house.open_table(played, title, options, self.languages.by_key, text)
        return await self.begin(records_of([opened], "", 0, self.now()))

    async def begin(self, records: Sequence[Record]) -> str:
        """Store a whole log, from record 1 on, as a new table, and return its id."""
        return await self._writer.begin(records)

    async def bring(self, lines: Iterable[bytes], encode: Encode | None = None) -> str:
        """Store the log in an exported file as a new table, and return its id.

        `BadFile` for an invalid file. It is not trusted: it is validated like moves before anything
        is stored, off the event loop. Its pictures are stored as `encode` makes them, or left out.
        """
        found = await asyncio.to_thread(imported, lines, self._game, self.now())
        pictures = found.pictures if encode is not None else {}
        made = {key: await encode(one) for key, one in pictures.items() if encode is not None}
        table = await self.begin(found.records)
        for key, picture in made.items():
            await asyncio.to_thread(self.store.put_picture, table, key, picture)
        return table

    async def take_seat(self, table_id: str, name: str, side: Side) -> Seat:
        """Add a seat to a table and return it; `Refused` if the name is empty or taken."""

        def sit(system: System, table: Table) -> Decided:
            taken = house.take_seat(system, table, name, side)
            return Decided(taken.seat.id, [taken])

        event = (await self._writer.append(table_id, sit)).steps[-1].record.event
        assert isinstance(event, SeatTaken)
        return event.seat

    async def return_to_seat(self, table_id: str, seat_id: str) -> None:
        """Give a free seat back to the player who left it."""

        def sit(_: System, table: Table) -> Decided:
            return Decided(seat_id, [house.return_to_seat(table, seat_id)])

        await self._writer.append(table_id, sit)

    async def make(
        self,
        table_id: str,
        seat_id: str,
        move: str,
        args: Mapping[str, object],
        token: str | None = None,
        override: bool = False,
        finish: bool = False,
    ) -> Made:
        """Make a move, and return it with its records once they are stored.

        `token` is an idempotency key: repeated by the same seat, it gives the first answer again.
        Refusals are not stored. With `finish`, an action that is complete after the move ends with
        it, by a move of its own in the same commit.
        """

        def decided(system: System, table: Table, roll: Roll) -> Decision:
            given = args
            if move == UNDO:
                steps = self._cache.kept[table_id].steps
                given = with_undo_text(args, system, table, seat_id, steps)
            return decision_of(system, table, seat_id, move, given, roll=roll, override=override)

        def complete(system: System, table: Table, made: Decided) -> Decided:
            return _with_end(system, table, made) if finish else made

        def plainly(system: System, table: Table) -> Decided:
            decision = decided(system, table, self._roll)
            return complete(system, table, Decided(seat_id, decision.events, decision.tables))

        repeatable = (
            Token(seat_id, token, request_hash(move, args, override, finish)) if token else None
        )
        if self._fair is not None:
            return await self._fair.make(table_id, seat_id, decided, complete, repeatable)
        return await self._writer.append(table_id, plainly, repeatable)

    async def new_rules(self, table_id: str, text: str = "") -> house.NewRules:
        """The changes from a newer text of a table's game, by default this server's own.

        `Unread` lists its mistakes; `Refused` is the reason why it does not fit this table;
        `NoNewRules` if this server has none.
        """
        table = await self.look(table_id)
        theirs = plain(text) or await asyncio.to_thread(systems.newest, table.system)
        if not theirs or (theirs == table.game and not text):
            raise NoNewRules
        return await asyncio.to_thread(new_rules, table, theirs, self.languages.of(table.options))

    async def take_over(
        self, table_id: str, seat_id: str, text: str, token: str | None = None
    ) -> Made:
        """Take over a newer text of the game of a table, and return the move once it is stored.

        Raises the errors of `new_rules`, and `Refused` if the move is forbidden.
        """
        language, text = self.languages.of((await self.look(table_id)).options), plain(text)
        # Parse it off the event loop; its changes are computed for the newest table.
        await asyncio.to_thread(lambda: systems.get(game_files.kept(text), language))

        def decided(system: System, table: Table) -> Decided:
            new = new_rules(table, text, language)
            taking = house.with_new_rules(system, new)
            decision = decision_of(taking, table, seat_id, house.TAKE_OVER, {}, roll=None)
            return Decided(seat_id, decision.events, decision.tables)

        repeatable = (
            Token(seat_id, token, request_hash(house.TAKE_OVER, {"game": text})) if token else None
        )
        return await self._writer.append(table_id, decided, repeatable)

    async def take_numbers(
        self, table_id: str, seat_id: str, numbers: Iterable[str], sealed: str
    ) -> list[str]:
        """Take the numbers that a seat's page opens, and the hash of its next.

        Return opened hashes.
        """
        return await self._fair.take(table_id, seat_id, numbers, sealed) if self._fair else []

    def withdraw_numbers(self, table_id: str, seat_id: str) -> None:
        """Drop the sealed numbers of a seat whose pages are gone."""
        if self._fair is not None:
            self._fair.numbers.withdraw(table_id, seat_id)

    async def play_first_scene(self, table_id: str, seat_id: str) -> None:
        """Begin a session with all moves of the game's first scene for this GM.

        `Refused` if it is not the first scene of the table, or not possible.
        """
        for _ in range(MAX_TRIES):
            with suppress(Conflict):
                return await self._play_first_scene(table_id, seat_id)
        raise Conflict(Phrase("live.busy"))

    async def _play_first_scene(self, table_id: str, seat_id: str) -> None:
        """Play the scene; `Conflict` if the log has grown since the check for earlier scenes."""
        table = (await self.look_at([table_id]))[table_id]
        system = await self.system(table_id)
        scene, seat = _staged(system), table.seats.get(seat_id)
        if not scene:
            raise Refused(Refusal("unknown", system.words["no.first_scene"]))
        if seat is None or seat_id not in gms(table):
            raise Refused(Refusal("identity", system.words["no.first_scene.gm"]))
        if not await self.has_first_scene(table_id):
            raise Refused(Refusal("limit", system.words["no.first_scene.again"]))

        def decided(system: System, table: Table) -> Decided:
            made = Decided(seat_id, [], [])
            for step in (Staged(house.begin_session.key, {}), *scene):
                now = made.tables[-1] if made.tables else table
                decision = decision_of(system, now, seat_id, step.move, step.args, roll=self._roll)
                made = Decided(
                    seat_id, [*made.events, *decision.events], [*made.tables, *decision.tables]
                )
            return made

        await self._writer.append(table_id, decided, after=table.seq)

    async def has_first_scene(self, table_id: str) -> bool:
        """Whether a first scene can be played: the game has one, and the table has had none."""
        folded = await self._cache.folded(table_id)
        return not folded.stored.periods["scene"] and bool(_staged(folded.played))

    # Reading.

    async def look(self, table_id: str) -> Table:
        """The stored table."""
        return (await self._cache.folded(table_id)).stored

    async def look_at(self, table_ids: Iterable[str]) -> dict[str, Table]:
        """These stored tables by id."""
        return {id: await self.look(id) for id in table_ids}

    async def newest(self, table_id: str) -> Callable[[], Table]:
        """A function that returns the stored table at the time of its call, for queued work."""
        folded = await self._cache.folded(table_id)
        return lambda: folded.stored

    async def system(self, table_id: str) -> System:
        """The game of a table, in the table's language."""
        return (await self._cache.folded(table_id)).played

    async def records(self, table_id: str, after: int = 0) -> list[Record]:
        """The stored records after number `after`, hidden ones included."""
        if not after or (steps := (await self._cache.folded(table_id)).after(after)) is None:
            return await asyncio.to_thread(self.store.read, table_id, after)
        return [step.record for step in steps]

    async def steps(self, table_id: str, after: int, upto: int | None = None) -> Sequence[Step]:
        """The stored records after number `after`, each with the table before it and after it."""
        return await self._cache.steps(table_id, after, upto)

    async def recent(self, table_id: str) -> Sequence[Step]:
        """The latest steps of a table, as many as are in memory."""
        return tuple((await self._cache.folded(table_id)).steps)

    async def log(self, table_id: str, after: int, limit: int) -> LogSlice:
        """A slice of the log: at most `limit` steps after record `after`."""
        steps = await self.steps(table_id, after, after + limit)
        folded = await self._cache.folded(table_id)
        return LogSlice(steps, folded.stored.seq, folded.played)

    async def session(self, table_id: str) -> Sequence[Step]:
        """The steps since the latest session began, or all if one of them rewinds to before it."""
        began = (await self._cache.folded(table_id)).stored.began["session"]
        steps = await self.steps(table_id, max(0, began - 1))
        rewinds = (step.record.event for step in steps if isinstance(step.record.event, Rewound))
        if any(event.to < began - 1 for event in rewinds):
            return await self.steps(table_id, 0)
        return steps

    async def brief_offers(self, table_id: str, seat_id: str) -> Offered:
        """The stored table with the brief offers of a seat; cached, see `offered_before`."""
        folded = await self._cache.folded(table_id)
        found = offered(folded.played, folded.stored, seat_id, brief=True, steps=folded.steps)
        return self._keep(found, seat_id)

    async def offers(self, table_id: str, seat_id: str, check: str = "") -> Offered:
        """The stored table with all offers of this seat about the action `check`, and the waits.

        Without a `check` they are cached, see `offered_before`.
        """
        folded = await self._cache.folded(table_id)
        found = offered(folded.played, folded.stored, seat_id, check, steps=folded.steps)
        return found if check else self._keep(found, seat_id)

    def _keep(self, found: Offered, seat_id: str) -> Offered:
        self._offered[id(found.table), seat_id] = found
        while len(self._offered) > MAX_OFFERS_KEPT:
            self._offered.popitem(last=False)
        return found

    def offered_before(self, table: Table, seat_id: str) -> list[Offer] | None:
        """The cached offers of this seat at this very table, or None; its page weighs them."""
        found = self._offered.get((id(table), seat_id))
        return found.offers if found and found.table is table else None

    def rest(self, table_id: str) -> None:
        """Forget the cached answers about an idle table."""
        table = self._cache.stored(table_id)
        for key in [key for key, found in self._offered.items() if found.table is table]:
            del self._offered[key]

    def subscribe(self, table_id: str, subscriber: Subscriber) -> None:
        """Notify a subscriber of everything that is stored at a table from now on."""
        self._subscribers.setdefault(table_id, set()).add(subscriber)

    def unsubscribe(self, table_id: str, subscriber: Subscriber) -> None:
        """Stop notifying a subscriber of this table."""
        subscribers = self._subscribers.get(table_id, set())
        subscribers.discard(subscriber)
        if not subscribers:
            self._subscribers.pop(table_id, None)

    # The life of a table.

    async def listing(self, table_id: str) -> Listing:
        """The table's entry in lists."""
        listing = await asyncio.to_thread(self.store.listing, table_id)
        if listing is None or listing.deleted:
            raise no_table(table_id)
        return listing

    async def listings(self) -> list[Listing]:
        """Every table, the last one played first."""
        return await asyncio.to_thread(self.store.listings)

    async def mark(self, table_id: str, mark: Mark, on: bool) -> None:
        """Close or archive a table, or undo that; a closed table accepts no moves."""
        await self.listing(table_id)
        at = self.now() if on else 0
        await asyncio.to_thread(self.store.mark, table_id, mark, at)
        if mark == "closed":
            (await self._cache.folded(table_id)).closed = at

    async def delete(self, table_id: str) -> None:
        """Delete a table permanently, and notify its subscribers."""
        await asyncio.to_thread(self.store.delete, table_id, self.now())
        self._cache.forget(table_id)
        await asyncio.to_thread(self._cache.history.forget, table_id)
        self._deleted(table_id)

    def _stored(self, table_id: str, steps: Sequence[Step]) -> None:
        for subscriber in tuple(self._subscribers.get(table_id, ())):
            subscriber.stored(table_id, steps)

    def _deleted(self, table_id: str) -> None:
        for subscriber in tuple(self._subscribers.get(table_id, ())):
            subscriber.deleted(table_id)


def offered(
    system: System,
    table: Table,
    seat_id: str,
    check: str = "",
    brief: bool = False,
    steps: Iterable[Step] = (),
) -> Offered:
    """A table with all offers of a seat, in `brief` or whole, and the waits.

    They are about the action `check`, by default the latest public one, even if a move can only
    mean another. The undo names what it takes back if that is among the last `steps`.
    """
    lanes = both_lanes(table, table.seats[seat_id]) if seat_id in table.seats else None
    check = check or (lanes[0].id if lanes else "")
    found = (brief_offers if brief else offers)(system, table, seat_id, check)
    found = with_named_undo(found, system, table, seat_id, steps)
    return Offered(table, found, waiting(system, table, seat_id))


def request_hash(
    move: str, args: Mapping[str, object], override: bool = False, finish: bool = False
) -> str:
    """A hash of a command, to check that a repeated token comes with the same one."""
    flags = {name: True for name, on in (("override", override), ("finish", finish)) if on}
    return sha256(
        msgspec.json.encode({"move": move, "args": args, **flags}, order="deterministic")
    ).hexdigest()


def _staged(system: System) -> tuple[Staged, ...]:
    """The first scene of a game; empty for a game without one, or with an invalid one."""
    text = systems.first_scene(system.key)
    if text is None:
        return ()
    try:
        return first_scene(text, system.key)
    except PlayError:
        return ()


def _with_end(system: System, table: Table, made: Decided) -> Decided:
    """The decided move, with the end of its action if that is complete.

    Undoing a move ends nothing: the end would remove the restored state again.
    """
    if any(isinstance(event, Rewound) for event in made.events):
        return made
    end = finished(system, table, made.tables[-1], made.seat)
    return made._replace(then=Decided(end.turn.seat.id, end.events, end.tables)) if end else made
