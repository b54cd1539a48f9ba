"""PostgreSQL compared with SQLite: a move, many tables, two processes, and their delay.

Both stores are on one disk, with a PostgreSQL server of its own on this machine, and take the same
moves in turns. The processor time is that of the process that makes the moves, without the database
server. Two processes and the database share the cores of this machine, so their throughput says
little about more machines. Last come two servers at one database: the time from sending a move to
one until its record is with a follower there, and with one at the other.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from time import perf_counter, process_time, sleep

from websockets.sync.client import ClientConnection, connect

from benchmarks import brief
from benchmarks.witness import Spent, move
from storypool.live.folded import Step
from storypool.live.peers.shared_tables import tables_class
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.shared.postgres import PostgresStore
from storypool.log.store import Store
from tools.cluster import running
from tools.torture.serve import HERE, Party, opened, serving

ROUNDS, ONE_BY_ONE, AT_ONCE = brief((7, 100, 1500), (1, 3, 10))
TABLES, MOVES = brief(((10, 100, 1000), 3000), ((1, 2), 10))
SECONDS = brief(10.0, 0.5)
HEARD, PAUSE = brief((1000, 0.03), (5, 0.0))
OVER = "That was all."


class Nobody:
    """A subscriber that ignores everything."""

    def stored(self, table_id: str, steps: Sequence[Step]) -> None:
        """Ignore records."""

    def deleted(self, table_id: str) -> None:
        """Ignore the end of a table."""


def main() -> None:
    """Print the cost of a move in both stores, at few and many tables, and for two processes."""
    with running() as cluster, tempfile.TemporaryDirectory(prefix="storypool-bench-") as folder:
        stores: dict[str, Store] = {
            "PostgreSQL": PostgresStore(cluster.new_database()),
            "SQLite": SqliteStore(Path(folder)),
        }
        for name, moves, at_once in (
            ("one at a time", ONE_BY_ONE, False),
            ("many at once", AT_ONCE, True),
        ):
            spent: dict[str, list[Spent]] = {which: [] for which in stores}
            for n in range(ROUNDS):
                for which in list(stores)[:: 1 if n % 2 else -1]:
                    spent[which].append(_measured(stores[which], f"{name} {n}", moves, at_once))
            for which, all_spent in spent.items():
                processor, clock = (median(values) for values in zip(*all_spent, strict=True))
                print(
                    f"  {name}, {which}: {clock:.2f} ms a move by the clock, {processor:.2f} ms of"
                    " the processor"
                )
        for store in stores.values():
            store.close()
        first = 0.0
        for tables in TABLES:
            with closing(PostgresStore(cluster.new_database())) as store:
                took = asyncio.run(_at_tables(store, tables))
            first = first or took
            print(
                f"  {tables} tables: {took:.2f} ms of the processor a move, {took / first:.2f}"
                " times as much"
            )
        for processes in (1, 2):
            url = cluster.new_database()
            PostgresStore(url).close()
            print(f"  {processes} processes: {_carried(url, processes):.0f} moves a second in all")
        for where, latencies in _heard(cluster.new_database(), Path(folder)).items():
            *_, p99 = quantiles(latencies, n=100)
            print(
                f"  heard at {where} process after the move was sent: p50 {median(latencies):.1f}"
                f" ms, p99 {p99:.1f} ms"
            )


def _measured(store: Store, table: str, moves: int, at_once: bool) -> Spent:
    began, clock = process_time(), perf_counter()
    if at_once:
        for future in [
            store.submit(move(f"{table} {n % 50}", 2 * (n // 50))) for n in range(moves)
        ]:
            future.result()
    else:
        for n in range(moves):
            store.append(move(table, 2 * n))
    return Spent(1000 * (process_time() - began) / moves, 1000 * (perf_counter() - clock) / moves)


async def _at_tables(store: Store, tables: int) -> float:
    """The milliseconds of this processor for a move at this many tables, twenty under way."""
    house = tables_class(store)(store)
    ids = []
    for _ in range(tables):
        id = await house.open("starwars", "A bench")
        await house.take_seat(id, "Mona", "gm")
        # As in play, each has a follower, so all of them stay in memory.
        house.subscribe(id, Nobody())
        ids.append(id)
    began, waiting = process_time(), asyncio.Semaphore(20)

    async def say(n: int) -> None:
        async with waiting:
            await house.make(ids[n % tables], "mona", "table.say", {"text": f"{n}"})

    await asyncio.gather(*(say(n) for n in range(MOVES)))
    return 1000 * (process_time() - began) / MOVES


def _carried(url: str, processes: int) -> float:
    """The moves a second of this many processes together, each at ten tables of its own."""
    command = [sys.executable, "-m", "benchmarks.postgres", str(SECONDS)]
    running = [
        subprocess.Popen(
            command, env={**os.environ, "STORYPOOL_DATA": url}, stdout=subprocess.PIPE, text=True
        )
        for _ in range(processes)
    ]
    return sum(float(process.communicate()[0]) for process in running) / SECONDS


def _heard(url: str, folder: Path) -> dict[str, list[float]]:
    """The milliseconds from a move to a follower's record, at the same process and another."""
    with ExitStack() as stack:
        one, other = (
            stack.enter_context(serving(folder / name, database=url)) for name in ("one", "other")
        )
        party = opened(one, "starwars", "Ann", "Bo")
        came: dict[str, dict[int, float]] = {"the same": {}, "another": {}}
        sent = dict[int, float]()
        followers = []
        for where, port in (("the same", one.port), ("another", other.port)):
            live = stack.enter_context(_followed(replace(party, port=port), "ann"))
            followers.append(Thread(target=_listen, args=(live, came[where])))
        for thread in followers:
            thread.start()
        caller = stack.enter_context(party.caller("bo"))
        for n in range(HEARD):
            sleep(PAUSE)
            began = perf_counter()
            sent[
                caller.post(f"{party.path}/moves", move="table.say", args={"text": f"{n}"})["seq"]
            ] = began
        party.move("table.say", text=OVER)
        for thread in followers:
            thread.join()
    delays = {}
    for where, at in came.items():
        delays[where] = [1000 * (at[seq] - sent[seq]) for seq in sent]
    return delays


def _followed(party: Party, seat: str) -> ClientConnection:
    address = f"ws://{HERE}:{party.port}{party.path}/live?seat={seat}"
    return connect(
        address,
        additional_headers={"Authorization": f"Bearer {party.seats[seat]}"},
        compression=None,
    )


def _listen(live: ClientConnection, came: dict[int, float]) -> None:
    hello = json.loads(live.recv())
    live.send(json.dumps({"type": "follow", "after": hello["seq"], "epoch": hello["epoch"]}))
    while True:
        message = json.loads(live.recv())
        if message["type"] == "record":
            came[message["seq"]] = perf_counter()
            if message["event"].get("text") == OVER:
                return


async def _made(store: Store, seconds: float) -> int:
    house, made, until = tables_class(store)(store), 0, perf_counter() + seconds

    async def play() -> None:
        nonlocal made
        id = await house.open("starwars", "A bench")
        await house.take_seat(id, "Mona", "gm")
        while perf_counter() < until:
            await house.make(id, "mona", "table.say", {"text": "x"})
            made += 1

    await asyncio.gather(*(play() for _ in range(10)))
    return made


if __name__ == "__main__":
    with closing(PostgresStore(os.environ["STORYPOOL_DATA"])) as shared:
        print(asyncio.run(_made(shared, float(sys.argv[1]))))
