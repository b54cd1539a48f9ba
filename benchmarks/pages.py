"""The cost of tables of five pages: moves with all requests of pages, delays, age of odds.

The server runs as a process of its own on a real folder, with Star Wars, or with the game of
STORYPOOL_BENCH_GAME: Dune. Its clients act like the
page (`benchmarks/_page.py`), and share the machine's processors with it. Each table plays checks
one after another: a player declares, the game master sets the difficulty, points are spent, dice
are added and rolled, symbols are spent or left, and a player says something. Tables take turns at
random, at a fixed number of moves a second.

Delivery counts from the tap until the last of the five pages has the move's last record, odds from
when a page would have asked for them until they came. Bytes are those of the feed, for a move and a
page.

Last come one server and then two at one PostgreSQL database of this machine, each table with all
its pages at one of them. Servers, database and clients share the processors, so the throughput of
two servers together says little about more machines; the cost of a move for a server and the
database does.

With STORYPOOL_BENCH_BEFORE, the folder of another version's checkout, it measures only the
processor time of the server for a move and the bytes, of that version and of this one in turns: at
new tables, and in the middle of an evening, where a server may have cached much.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks import brief
from benchmarks._page import Args, Page, Refused, answer
from benchmarks.table import SHEET, SOURCE, Place, processor, server, store_at
from storypool.live.tables import Tables
from storypool.log.store import Store
from storypool.web.access import mint
from tools.cluster import Cluster, running

PAGES = 5
LOADS: Sequence[tuple[int, float]] = brief([(20, 10.0), (100, 50.0)], [(1, 10.0)])
"""The number of tables, and of moves a second."""
SECONDS = brief(30.0, 1.0)
COMPARED, ROUNDS, SECONDS_COMPARED = brief((10, 5.0), (1, 10.0)), brief(3, 1), brief(12.0, 1.0)
FIRST, FIRST_RATE = brief(40, 1), 15.0
"""The moves of an evening's first part at each table, and their number a second."""


class Script(NamedTuple):
    """A game as it is played here: its heroes, what begins its session, its points, and its checks.

    `bought` and `added` are moves that a hero and the game master make in a check, if they may.
    `faces` are those of real dice, for a game in which some ask for words; "" where all are rolled.
    """

    system: str
    sheet: str
    points: Mapping[str, int]
    declared: Args
    difficulties: Sequence[str]
    bought: str
    added: tuple[str, Args, Args]
    answers: Sequence[str]
    begins: str = ""
    faces: str = ""


SCRIPTS = {
    "starwars": Script(
        "starwars",
        SHEET,
        {"light": 3, "dark": 3},
        {"skill": "ranged-light"},
        ("easy", "average", "hard"),
        bought="destiny.upgrade",
        added=("pool.add", {"die": "setback"}, {"why": "Smoke"}),
        answers=("check.agree", "check.roll", "destiny.pass", "spend.waive", "check.close"),
        begins="destiny.roll",
    ),
    "dune": Script(
        "dune",
        "battle=6 communicate=5 discipline=6 move=6 understand=5 duty=8 faith=5 justice=7 power=4"
        " truth=6",
        {"momentum": 4, "threat": 4},
        {"skill": "battle", "drive": "duty"},
        ("1", "2", "3"),
        bought="dice.buy",
        added=("threat.trait", {"text": "Smoke"}, {}),
        answers=("check.roll", "check.close"),
        faces="5 9 12 14 8",
    ),
}
SCRIPT = SCRIPTS[os.environ.get("STORYPOOL_BENCH_GAME", "starwars")]
"""The game that is played; the first open one of its `answers` answers a wait."""


class Measured(NamedTuple):
    """Seconds of play: times, bytes, and numbers of requests."""

    moves: int
    took: float
    processor: float
    database: float
    delivered: list[float]
    odds: list[float]
    read: Counter[str]
    asked: Counter[str]
    refused: int

    @property
    def ms(self) -> float:
        """Milliseconds of the server's processor time for a move."""
        return 1000 * self.processor / self.moves

    @property
    def feed(self) -> float:
        """Bytes of the feed for a move and a page."""
        return self.read["feed"] / self.moves / PAGES


def main() -> None:
    """Print every figure, or those of this version and another's."""
    before = os.environ.get("STORYPOOL_BENCH_BEFORE")
    with tempfile.TemporaryDirectory(
        prefix="storypool-bench-", dir=os.environ.get("STORYPOOL_BENCH_DIR")
    ) as folder:
        root = Path(folder)
        if before:
            compared(root, Path(before))
            return
        for tables, rate in LOADS:
            report(tables, rate, measured(root / f"{tables}", tables, rate, SECONDS))
    tables, rate = LOADS[0]
    with running() as cluster:
        for servers in (1, 2):
            found = measured(
                cluster.new_database(), tables, rate, SECONDS, servers=servers, cluster=cluster
            )
            took = 1000 * found.database / found.moves
            print(f"{servers} at one database, which takes {took:.1f} ms of processor for a move:")
            report(tables, rate, found)


def measured(
    data: Path | str,
    tables: int,
    rate: float,
    seconds: float,
    source: Path = SOURCE,
    servers: int = 1,
    cluster: Cluster | None = None,
    first: int = 0,
) -> Measured:
    """Play this many seconds on servers of this source, with the cluster of their database.

    Before them, `first` moves are made at each table.
    """
    places = prepared(data, tables)
    modules = (source / "src/storypool/web/static/js").rglob("*.js")
    scripts = "".join(path.read_text(encoding="utf-8") for path in modules)
    with ExitStack() as stack:
        homes = [stack.enter_context(server("serve", data, source)) for _ in range(servers)]
        clients = [
            Party(homes[n % servers].port, place, "brief: true" in scripts, '"watch"' in scripts)
            for n, place in enumerate(places)
        ]
        return asyncio.run(
            played(
                clients,
                [home.pid for home in homes],
                cluster,
                rate=rate,
                seconds=seconds,
                first=first,
            )
        )


def report(tables: int, rate: float, found: Measured) -> None:
    """Print the measurements."""
    print(
        f"{tables} tables of {PAGES} pages, {rate:.0f} moves a second due,"
        f" {found.moves / found.took:.1f} made: {found.ms:.1f} ms of processor time for a move"
    )
    for name, times in (("delivery", found.delivered), ("odds", found.odds)):
        if times:
            ordered = sorted(times)
            p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
            print(
                f"  {name:10} {len(ordered):6}   p50 {1000 * median(ordered):7.1f} ms   p99"
                f" {1000 * p99:7.1f} ms"
            )
    print(f"  bytes of the feed for a move and a page: {found.feed:.0f}")
    for kind, n in sorted(found.asked.items()):
        print(
            f"  {kind:15} {n / found.moves:5.2f} for a move, {found.read[kind] / n:6.0f} bytes each"
        )
    print(f"  refused: {found.refused}")


def compared(root: Path, before: Path) -> None:
    """Print the processor time for a move and the bytes of both versions, in turns."""
    for when, first in (("Tables that have just started", 0), ("The middle of an evening", FIRST)):
        found: dict[str, list[Measured]] = {"before": [], "now": []}
        for n in range(ROUNDS):
            for version, source in (("before", before), ("now", SOURCE))[:: 1 if n % 2 else -1]:
                folder = root / f"{version} {first} {n}"
                found[version].append(
                    measured(folder, *COMPARED, SECONDS_COMPARED, source, first=first)
                )
        print(f"{when}:")
        for version, runs in found.items():
            each, feed = " ".join(f"{run.ms:.1f}" for run in runs), median(run.feed for run in runs)
            ms = median(run.ms for run in runs)
            print(f"  {version:7} {ms:6.2f} ms of processor for a move ({each})   {feed:.0f} bytes")
        pairs = zip(found["now"], found["before"], strict=True)
        print(f"  ratio   {median(now.ms / then.ms for now, then in pairs):.2f}")


def prepared(data: Path | str, tables: int) -> list[Place]:
    """Make tables, each with a session under way, a hero for each player, and seat tokens."""

    async def prepare(store: Store) -> list[Place]:
        house = Tables(store)
        return [await _prepared(house, store) for _ in range(tables)]

    with closing(store_at(data)) as store:
        return asyncio.run(prepare(store))


async def _prepared(house: Tables, store: Store) -> Place:
    id = await house.open(SCRIPT.system, "Benchmark")
    gm = (await house.take_seat(id, "GM", "gm")).id
    players = [(await house.take_seat(id, f"P{n}", "player")).id for n in range(1, PAGES)]
    await house.make(id, gm, "session.begin", {})
    for seat in players:
        await house.make(id, seat, "character.add", {"name": f"Hero {seat}", "sheet": SCRIPT.sheet})
    for seat in players if SCRIPT.begins else ():
        await house.make(id, seat, SCRIPT.begins, {})
    for account, n in SCRIPT.points.items():
        await house.make(
            id, gm, "points.correct", {"account": account, "to": n, "why": "alike each time"}
        )
    return Place(id, [mint(store, "program", table=id, seat=seat) for seat in (gm, *players)])


SEATS = ("gm", *(f"p{n}" for n in range(1, PAGES)))


async def played(
    parties: Sequence[Party],
    pids: Sequence[int],
    cluster: Cluster | None,
    rate: float,
    seconds: float,
    first: int = 0,
) -> Measured:
    """Measure play at these tables, with all pages following, on servers of these processes."""
    await asyncio.gather(*(party.come() for party in parties))
    # The first numbers for the dice are sealed and bound.
    await asyncio.sleep(brief(2.0, 0.4))
    chance, playing = random.Random(1), [asyncio.create_task(party.play()) for party in parties]
    for n in range(first * len(parties)):
        parties[n % len(parties)].turns.release()
        await asyncio.sleep(1 / FIRST_RATE)
    while not all(party.turns.locked() for party in parties):
        await asyncio.sleep(0.1)
    # A move that is under way has a moment, and so has all that the pages ask after it.
    await asyncio.sleep(brief(2.0, 0.3) if first else 0)
    pages = [page for party in parties for page in party.pages]
    for party in parties:
        party.made.clear()
    for page in pages:
        page.asked.clear()
        page.read.clear()
        page.odds.clear()
    database = sum(map(processor, cluster.pids)) if cluster else 0.0
    began, used = perf_counter(), sum(map(processor, pids))
    for n in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + n / rate - perf_counter()))
        chance.choice(parties).turns.release()
    # A table that was slow has a moment for what is still due there.
    await asyncio.sleep(1)
    took, used = perf_counter() - began - 1, sum(map(processor, pids)) - used
    database = sum(map(processor, cluster.pids)) - database if cluster else 0.0
    for task in playing:
        task.cancel()
    ended = await asyncio.gather(*playing, return_exceptions=True)
    for error in ended:
        if not isinstance(error, asyncio.CancelledError):
            raise error if isinstance(error, BaseException) else AssertionError(error)
    await asyncio.gather(*(page.leave() for page in pages), return_exceptions=True)
    delivered = [max(times) - tapped for party in parties for tapped, times in party.delivered()]
    return Measured(
        sum(len(party.made) for party in parties),
        took,
        used,
        database=database,
        delivered=delivered,
        odds=[late for page in pages for late in page.odds],
        read=sum((page.read for page in pages), Counter()),
        asked=sum((page.asked for page in pages), Counter()),
        refused=sum(party.refused for party in parties),
    )


class Party:
    """A table with its pages, the game master's first."""

    def __init__(self, port: int, place: Place, in_brief: bool, on_feed: bool) -> None:
        seats = zip(SEATS, place.tokens, strict=True)
        self.pages = [
            Page(port, place.id, seat, token=token, in_brief=in_brief, on_feed=on_feed)
            for seat, token in seats
        ]
        self.turns = asyncio.Semaphore(0)
        """How many moves are due."""
        self.made: list[tuple[int, float]] = []
        self.refused = 0

    async def come(self) -> None:
        """Have every page follow."""
        await asyncio.gather(*(page.come() for page in self.pages))

    async def play(self) -> None:
        """Play checks without end, a move whenever one is due."""
        gm, *players = self.pages
        n = 0
        while True:
            try:
                await self.check(gm, players[n % len(players)], n)
            except Refused:
                self.refused += 1
            n += 1

    async def check(self, gm: Page, actor: Page, n: int) -> None:
        """Play one check from its declaration to a remark on its result."""
        if not gm.actions:
            await self.move(
                actor,
                "fill",
                "check.declare",
                {"title": f"The {n}th try"},
                SCRIPT.declared,
            )
            difficulty = SCRIPT.difficulties[n % 3]
            await self.move(gm, "choose", "check.difficulty", {"difficulty": difficulty})
        if n % 2 and self.may(actor, SCRIPT.bought):
            await self.move(actor, "make", SCRIPT.bought)
        elif n % 2 == 0 and self.may(gm, SCRIPT.added[0]):
            await self.move(gm, "fill", *SCRIPT.added)
        while gm.actions:
            page, move, args = answer(self.pages, SCRIPT.answers)
            if move == "check.roll" and SCRIPT.faces:
                thrown = sum(page.actions[0]["pool"].values())
                args = {**args, "faces": " ".join(SCRIPT.faces.split()[:thrown])}
            await self.move(page, "make", move, args)
        await self.move(self.pages[n % PAGES], "make", "table.say", {"text": "The hall is dark."})

    def may(self, page: Page, move: str) -> bool:
        """Whether a move is open to a page."""
        return page.offers[move]["closed"] is None

    async def move(self, page: Page, how: str, *args: object) -> None:
        """Make a move once it is due, and wait until all pages show its result."""
        await self.turns.acquire()
        seq: int = await getattr(page, how)(*args)
        tapped = page.tapped
        for one in self.pages:
            await one.shows(seq)
        # At the end of the time a move may still be on its way to a page: it is not counted.
        self.made.append((seq, tapped))

    def delivered(self) -> list[tuple[float, list[float]]]:
        """For each move the time of its tap, and when each page had its last record."""
        found = []
        for seq, tapped in self.made:
            found.append((tapped, [page.heard[seq] for page in self.pages]))
        return found


if __name__ == "__main__":
    main()
