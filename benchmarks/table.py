"""A live table: the latency from a click to the last of six screens, folding, and idle seats.

The server runs as a process of its own on a real folder, with Star Wars, and the load generator
shares the machine's processors with it. Moves are sent when they are due, even if earlier ones are
not answered, and a latency counts from then until the last of the six followers of that table has
the move's last record. The baseline of the same run is a bare server that writes a line, fsyncs it,
and sends it to six sockets.

With STORYPOOL_BENCH_BEFORE, the folder of another version's checkout, it measures only the
processor time of the server for a move, of that version and of this one in turns.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from benchmarks import brief
from storypool import systems
from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.engine.table import Table
from storypool.live.tables import Tables
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.places import database_store, place
from storypool.log.store import Store
from storypool.web.access import mint
from storypool.web.server_settings import Limits, Rate, Settings
from storypool.web.serving.listener import listen
from storypool.web.serving.serve import serve

FOLLOWERS = 6
TABLES, MOVES_A_SECOND, SECONDS = brief((100, 100, 20), (2, 20, 1))
TABLES_COMPARED, SECONDS_COMPARED, ROUNDS = brief((20, 6, 5), (2, 1, 1))
SEATS, EVENTS, IDLE = brief((1000, 5000, 5), (10, 100, 1))
SOURCE = Path(__file__).resolve().parent.parent
FREE = Rate(1e9, 1e9)
LIMITS = Limits(client=FREE, session=FREE, pace=FREE)
SHEET = "agility=3 ranged-light=2 presence=2 cool=1"


class Place(NamedTuple):
    """A table of the benchmark: its id, and a token for each seat, the game master's first."""

    id: str
    tokens: Sequence[str]


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
        folding(root / "fold")
        bare = asyncio.run(echoed(root))
        for offers, followers in ((False, "records"), (True, "records and offers")):
            places = prepared(root / followers, TABLES)
            with server("serve", root / followers) as (port, pid):
                latencies, busy = asyncio.run(played(port, pid, places, offers))
            figures(f"six followers, {followers}", latencies)
            print(f"{'':36} {1000 * busy / len(latencies):6.2f} ms of processor time for a move")
        figures("bare echo with fsync, six sockets", bare)
        listening_seats(root / "idle")


def figures(name: str, latencies: Sequence[float]) -> None:
    """Print one line: the median, the 99th percentile, and the maximum."""
    ordered = sorted(latencies)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(
        f"{name:36} {len(ordered):5} moves   p50 {1000 * median(ordered):6.1f} ms   p99"
        f" {1000 * p99:6.1f} ms   worst {1000 * ordered[-1]:6.1f} ms"
    )


def compared(root: Path, before: Path) -> None:
    """Print the processor time of the server for a move, before and now, the versions in turns."""
    for offers, followers in ((False, "records"), (True, "records and offers")):
        spent: dict[str, list[float]] = {"before": [], "now": []}
        for n in range(ROUNDS):
            for version, source in (("before", before), ("now", SOURCE))[:: 1 if n % 2 else -1]:
                folder = root / f"{followers} {version} {n}"
                places = prepared_by(source, folder, TABLES_COMPARED)
                with server("serve", folder, source) as (port, pid):
                    latencies, busy = asyncio.run(
                        played(port, pid, places, offers, SECONDS_COMPARED)
                    )
                spent[version].append(1000 * busy / len(latencies))
        for version, times in spent.items():
            each = " ".join(f"{time:.2f}" for time in times)
            print(
                f"six followers, {followers:18} {version:7} {median(times):6.2f} ms of processor"
                f" for a move   ({each})"
            )


# A move, from the click to the last screen.


def prepared(folder: Path, tables: int, seats: int = FOLLOWERS) -> list[Place]:
    """Make tables in a folder, each with a session under way and a token for every seat."""
    store = SqliteStore(folder)

    async def prepare() -> list[Place]:
        house = Tables(store)
        return [await _prepared(house, store, seats) for _ in range(tables)]

    try:
        return asyncio.run(prepare())
    finally:
        store.close()


def prepared_by(source: Path, folder: Path, tables: int) -> list[Place]:
    """Like `prepared`, with another version: a database may have a form of its own."""
    script = "import json, sys; from pathlib import Path; from benchmarks.table import prepared; "
    script += "print(json.dumps(prepared(Path(sys.argv[1]), int(sys.argv[2]))))"
    env = {**os.environ, "PYTHONPATH": str(source / "src")}
    command = [sys.executable, "-c", script, str(folder), str(tables)]
    ran = subprocess.run(command, cwd=source, env=env, check=True, stdout=subprocess.PIPE)
    return [Place(*made) for made in json.loads(ran.stdout)]


async def _prepared(house: Tables, store: SqliteStore, seats: int) -> Place:
    id = await house.open("starwars", "Benchmark")
    ids = [(await house.take_seat(id, "GM", "gm")).id]
    ids += [(await house.take_seat(id, f"P{n}", "player")).id for n in range(1, seats)]
    await house.make(id, ids[0], "session.begin", {})
    for seat in ids[1:3]:
        await house.make(id, seat, "character.add", {"name": f"Hero {seat}", "sheet": SHEET})
    for seat in ids[1:3]:
        await house.make(id, seat, "destiny.roll", {})
    for account in ("light", "dark"):
        await house.make(
            id, ids[0], "points.correct", {"account": account, "to": 2, "why": "alike each time"}
        )
    return Place(id, [mint(store, "program", table=id, seat=seat) for seat in ids])


SCRIPT: Sequence[tuple[int, str, Mapping[str, object]]] = (
    (1, "check.declare", {"as": "hero-p1", "skill": "ranged-light"}),
    (0, "check.difficulty", {"difficulty": "average"}),
    (2, "table.say", {"text": "Careful now."}),
    (1, "destiny.pass", {}),
    (0, "destiny.pass", {}),
    # Typed in and blank, so that there is nothing to spend and the script goes on the same way each
    # time.
    (1, "check.roll", {"faces": "1 1 1 1 1"}),
    (1, "check.close", {}),
    (0, "table.say", {"text": "The hall is dark."}),
)
"""The script that repeats at each table: the seat, the move, its arguments."""


async def played(
    port: int, pid: int, places: Sequence[Place], offers: bool, seconds: int = SECONDS
) -> tuple[list[float], float]:
    """The latency of each move, with every follower connected, and the server's processor time."""
    heard: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    sockets, listeners = [], []
    for one in places:
        for token in one.tokens:
            sockets.append(ws := await _follower(port, one, token, offers))
            listeners.append(asyncio.create_task(_listen(ws, heard[one.id])))
    await asyncio.sleep(brief(2.0, 0.1))
    clients = [Http(port) for _ in range(64)]
    free: asyncio.Queue[Http] = asyncio.Queue()
    for client in clients:
        free.put_nowait(client)
    steps = {place.id: _steps(place) for place in places}
    busy: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
    chance, sent = random.Random(1), list[tuple[str, int, float]]()

    async def move(place: Place, due: float) -> None:
        async with busy[place.id]:
            token, body = next(steps[place.id])
            client = await free.get()
            try:
                reply = await client.post(f"/api/tables/{place.id}/moves", token, body)
            finally:
                free.put_nowait(client)
        sent.append((place.id, reply["seq"], due))

    began, idle = perf_counter(), processor(pid)
    tasks = []
    for n in range(MOVES_A_SECOND * seconds):
        due = began + n / MOVES_A_SECOND
        await asyncio.sleep(max(0.0, due - perf_counter()))
        tasks.append(asyncio.create_task(move(chance.choice(places), due)))
    await asyncio.gather(*tasks)
    await asyncio.sleep(1)
    busy_for = processor(pid) - idle
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, *(ws.close() for ws in sockets), return_exceptions=True)
    for client in clients:
        client.close()
    missing = [key for key in sent if len(heard[key[0]][key[1]]) != FOLLOWERS]
    if missing:
        raise RuntimeError(f"{len(missing)} moves did not reach all followers once: {missing[:3]}")
    return [max(heard[id][seq]) - due for id, seq, due in sent], busy_for


def _steps(place: Place) -> Iterator[tuple[str, object]]:
    while True:
        for seat, move, args in SCRIPT:
            yield place.tokens[seat], {"move": move, "args": args, "token": token_hex(8)}


async def _follower(port: int, place: Place, token: str, offers: bool) -> ClientConnection:
    ws = await connect(
        f"ws://127.0.0.1:{port}/api/tables/{place.id}/live",
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
        proxy=None,
        ping_interval=None,
        max_queue=None,
    )
    hello = json.loads(await ws.recv())
    await ws.send(json.dumps({"type": "follow", "after": hello["seq"], "offers": offers}))
    return ws


async def _listen(ws: ClientConnection, heard: Mapping[int, list[float]]) -> None:
    start = '{"type":"record","seq":'
    async for text in ws:
        if text.startswith(start):  # type: ignore[arg-type]
            now = perf_counter()
            seq = int(text[len(start) : len(start) + 12].split(",")[0])  # type: ignore[arg-type]
            heard[seq].append(now)


class Http:
    """One keep-alive connection with a minimal HTTP client."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, token: str, body: object) -> dict[str, Any]:
        """Send a request and return its answer; raises when it is refused."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = next(
            int(line[15:])
            for line in answer.lower().split("\r\n")
            if line.startswith("content-length:")
        )
        content = await reader.readexactly(size)
        if " 200 " not in answer.split("\r\n")[0]:
            raise RuntimeError(content.decode())
        made: dict[str, Any] = json.loads(content)
        return made

    def close(self) -> None:
        """Close the connection."""
        if self.streams:
            self.streams[1].close()


class Home(NamedTuple):
    """The port of a server, and the id of its process."""

    port: int
    pid: int


@contextmanager
def server(kind: str, data: Path | str, source: Path = SOURCE) -> Iterator[Home]:
    """Run a server of this source in its own process on a folder or a database."""
    command = [sys.executable, "-m", "benchmarks.table", kind, str(data)]
    env = {**os.environ, "PYTHONPATH": str(source / "src")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=source, env=env)
    assert process.stdout is not None
    try:
        yield Home(int(process.stdout.readline()), process.pid)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


# The baseline without a table: a line, an fsync, six sockets.


async def echoed(root: Path) -> list[float]:
    """The latency of each line through the bare server."""
    heard: dict[int, list[float]] = defaultdict(list)

    async def listen(port: int, group: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"follow %d\n" % group)
        try:
            async for line in reader:
                heard[int(line[:10])].append(perf_counter())
        finally:
            writer.close()

    with server("echo", root) as (port, _):
        listeners = [
            asyncio.create_task(listen(port, n % TABLES)) for n in range(TABLES * FOLLOWERS)
        ]
        await asyncio.sleep(1)
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        chance, due, began = random.Random(1), dict[int, float](), perf_counter()
        for n in range(MOVES_A_SECOND * SECONDS):
            due[n] = began + n / MOVES_A_SECOND
            await asyncio.sleep(max(0.0, due[n] - perf_counter()))
            writer.write(b"say %d %010d %s\n" % (chance.randrange(TABLES), n, b"x" * 500))
        await asyncio.sleep(1)
        writer.close()
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)
    return [max(heard[n]) - due[n] for n in due]


def echo(root: str) -> None:
    """Run the bare server: it writes and fsyncs each line, then sends it."""
    followers: dict[int, list[asyncio.StreamWriter]] = defaultdict(list)
    waiting: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()

    def stored(file: int, lines: Sequence[bytes]) -> None:
        os.write(file, b"".join(lines))
        os.fsync(file)

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            word, group, *rest = line.split(b" ", 2)
            if word == b"follow":
                followers[int(group)].append(writer)
            else:
                waiting.put_nowait((int(group), rest[0]))

    async def write() -> None:
        file = os.open(Path(root, "echo.log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        while True:
            batch = [await waiting.get()]
            while not waiting.empty():
                batch.append(waiting.get_nowait())
            await asyncio.to_thread(stored, file, [line for _, line in batch])
            for group, line in batch:
                for follower in followers[group]:
                    follower.write(line)

    async def run() -> None:
        listener = await asyncio.start_server(meet, "127.0.0.1", 0)
        print(listener.sockets[0].getsockname()[1], flush=True)
        await write()

    asyncio.run(run())


# A long log.


def folding(folder: Path) -> None:
    """Print the time to fold a long log, from memory and from the disk."""
    place = prepared(folder, 1)[0]
    store = SqliteStore(folder)

    async def fill() -> list[Record]:
        house = Tables(store)
        table = await house.look(place.id)
        ids = list(table.seats)
        while table.seq < EVENTS:
            for seat, move, args in SCRIPT:
                await house.make(place.id, ids[seat], move, args)
            table = await house.look(place.id)
        return await house.records(place.id)

    records = asyncio.run(fill())[:EVENTS]

    def counted() -> int:
        seen: dict[str, int] = {}
        for record in records:
            seen = {**seen, type(record.event).__name__: record.seq}
        return len(seen)

    folded, plain = timed(lambda: fold(records)), timed(counted)
    read = timed(lambda: store.read(place.id, 0, EVENTS))
    cold = timed(lambda: asyncio.run(_cold(store, place.id)))
    store.close()
    ms = 1000
    print(
        f"{f'fold {EVENTS} events':36} {ms * folded:6.1f} ms   (a dict copied for each:"
        f" {ms * plain:.1f} ms)\n{'a table read and folded':36} {ms * cold:6.1f} ms   (of that"
        f" reading and decoding: {ms * read:.1f} ms)"
    )


async def _cold(store: SqliteStore, table: str) -> Table:
    return await Tables(store).look(table)


def timed(run: Any) -> float:
    """The best of five runs, in seconds: the least disturbed one."""
    times = []
    for _ in range(5):
        began = perf_counter()
        run()
        times.append(perf_counter() - began)
    return min(times)


# Idle seats.


def listening_seats(folder: Path) -> None:
    """Print the memory of the server with a thousand idle seats."""
    places = prepared(folder, SEATS // 5, 5)
    with server("serve", folder) as (port, pid):
        empty = resident(pid)
        full = asyncio.run(_idle(port, pid, places))
    bare = int(subprocess.check_output([sys.executable, "-c", RESIDENT], text=True))
    each = (full - empty) / SEATS
    print(
        f"{f'{SEATS} idle seats':36} {full / 1024:6.1f} MB   (without them {empty / 1024:.1f} MB, "
        f"each {each:.0f} kB; a bare interpreter {bare / 1024:.1f} MB)"
    )


RESIDENT = (
    "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmRSS')))"
)


async def _idle(port: int, pid: int, places: Sequence[Place]) -> int:
    sockets = [
        await _follower(port, place, token, False) for place in places for token in place.tokens
    ]
    heard = [asyncio.create_task(_listen(ws, defaultdict(list))) for ws in sockets]
    await asyncio.sleep(IDLE)
    held = resident(pid)
    for task in heard:
        task.cancel()
    await asyncio.gather(*heard, *(ws.close() for ws in sockets), return_exceptions=True)
    return held


def resident(pid: int) -> int:
    """The resident memory of a process, in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def processor(pid: int) -> float:
    """The processor time of a process and of its ended children, in seconds."""
    times = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, times[11:15])) / os.sysconf("SC_CLK_TCK")


def store_at(data: Path | str) -> Store:
    """Open the store in a folder, or in the database of an address."""
    at = place(str(data))
    return SqliteStore(at) if isinstance(at, Path) else database_store(at)


def served(data: str) -> None:
    """Run the real server on a folder or a database."""
    systems.get("starwars")
    listener: socket.socket = listen("127.0.0.1", 0)
    port = int(listener.getsockname()[1])
    print(port, flush=True)
    serve(store_at(data), Settings(port, lan="127.0.0.1", limits=LIMITS), listener)


if __name__ == "__main__":
    {"serve": served, "echo": echo}[sys.argv[1]](sys.argv[2])
