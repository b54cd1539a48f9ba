"""The delay of moves at one table while a rude client is at another: their p99 with and without it.

The rude client and its connections cost this machine much, whichever server they ask. So "without"
is measured with the same client at another server on this machine, and in turns, so that all other
load of the machine is in both; the medians are compared. They are figures, not promises. A refusal
to the polite client is a failure, and so is a log that grows with the rudeness, or has a traceback.
Planted and found: `gate.client` that gives the same address for everybody, so that all share one
limit; a log without `web.server_log.RepeatFilter`.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from statistics import median

from storypool.engine.events import Event, Said, SeatTaken, TableOpened
from storypool.engine.sight import records_of
from storypool.engine.table import Seat
from storypool.log.export import export_lines
from tools.torture.access import matrix
from tools.torture.harness import Harness, Run
from tools.torture.serve import HERE, Caller, Gone, Party, Process, opened, serving

RUDE, POLITE = "127.0.0.2", "127.0.0.3"
"""Their addresses: all of 127 is this machine, and each is another client to the server."""
TURNS, MOVES, PACE = 5, 33, 0.03
"""Turns of the rude client at each server, polite moves in a turn, seconds between them."""
LONGER = 3
"""The factor of turns in a second measurement where the first is above the aim.

Only that one counts then, since a few turns scatter by more than a tenth.
"""
SETTLE_S = 0.3
"""Seconds for the server to finish with the rude client."""
LINES, LONG = 12, 200
"""The most lines of log from one way to be rude, and the most characters of each."""
AT_ONCE = 4
"""The rude client's connections at once."""
LENGTH = 3000
"""The records of the rude client's table."""
AIM = 2.0
LEFT_OUT = {"live", "events", "forget", "delete"}
"""Routes that are not requests, or that would sign the rude client out."""


def measured(run: Run) -> None:
    """Be rude in one way after another, and compare a polite client's moves meanwhile."""
    elsewhere = serving(run.folder / "elsewhere", free=False)
    with serving(run.folder / "data", free=False) as server, elsewhere as decoy:
        house = opened(server, "dune", "Ann")
        places = [_long(one, LENGTH) for one in (decoy, server)]
        ways = list(WAYS) + _routes(house)
        ratios = dict[str, float]()
        for n in run.numbers:
            if n < len(ways):
                ratio = _one(run, n, server, house=house, places=places, way=ways[n], turns=TURNS)
                again = ratio > AIM
                ratios[_named(ways[n])] = (
                    _one(
                        run,
                        n,
                        server,
                        house=house,
                        places=places,
                        way=ways[n],
                        turns=LONGER * TURNS,
                    )
                    if again
                    else ratio
                )
                run.count("ways")
                run.count("again", again)
    over = {way: ratio for way, ratio in ratios.items() if ratio > AIM}
    run.notes.append(
        f"The p99 at most doubles in {len(ratios) - len(over)} of {len(ratios)} ways to be rude."
    )
    if ratios:
        worst = sorted(ratios.items(), key=lambda one: -one[1])[:6]
        run.notes.append(
            f"Ratios, the worst first: {', '.join(f'{way} {ratio:.1f}' for way, ratio in worst)}."
        )


def _long(server: Process, length: int) -> Party:
    """Open a table with a long log."""
    events: list[Event] = [
        TableOpened("starwars", "Torture", {}),
        SeatTaken(Seat("gm", "Mona", "gm")),
    ]
    events += [Said("gm", f"And {n}, which is a long remark.") for n in range(length)]
    with Caller(server.port) as caller:
        content = b"".join(export_lines(records_of(events, "gm", 0, 1)))
        answer = caller.ask("POST", "/api/tables/import", content)
    assert answer.status == 201, answer
    return Party(answer.json["table"], server.port, answer.cookie)


def _one(
    run: Run, n: int, server: Process, house: Party, places: Sequence[Party], way: str, turns: int
) -> float:
    """The p99 of the polite client with this rudeness, relative to that with it elsewhere."""
    given = json.dumps([[one.port, one.gm, one.path] for one in places])
    command = [sys.executable, "-m", "tools.torture.rude", way, given]
    before = len(server.output())
    took: tuple[list[float], list[float]] = ([], [])
    rude = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    with rude:
        assert rude.stdin is not None
        assert rude.stdout is not None
        for turn in range(2 * turns):
            for command_text in (str(turn % 2), "stop"):
                print(command_text, file=rude.stdin)
                rude.stdout.readline()
                if command_text != "stop":
                    took[turn % 2].append(_p99(run, n, house, _named(way)))
            time.sleep(SETTLE_S)
        rude.kill()
    lines = server.output()[before:].splitlines()
    if len(lines) > LINES or any(len(line) > LONG or "Traceback" in line for line in lines):
        run.fail(n, f"{_named(way)}: it left {len(lines)} lines in the log, as {lines[:3]}")
    return median(took[1]) / median(took[0])


def _p99(run: Run, n: int, party: Party, meanwhile: str) -> float:
    took = []
    with Caller(party.port, party.seats["ann"], POLITE) as caller:
        for i in range(MOVES):
            began = time.perf_counter()
            try:
                answer = party.ask(caller, "table.say", {"text": f"{i}"})
            except Gone as gone:
                run.fail(n, f"{meanwhile}: the polite client got no answer ({gone})")
                continue
            took.append(time.perf_counter() - began)
            run.count("moves")
            if answer.status != 200:
                run.fail(
                    n,
                    f"{meanwhile}: the polite client was refused, {answer.status}"
                    f" {answer.body[:200]!r}",
                )
            time.sleep(max(0.0, began + PACE - time.perf_counter()))
    return sorted(took)[len(took) * 99 // 100] if took else float("inf")


def _routes(party: Party) -> list[str]:
    """Every route as a way to be rude, as JSON: method, path and body."""
    with party.caller() as caller:
        document = caller.get("/api/openapi.json")
    blank = defaultdict(lambda: "x", system="dune", title="Torture")
    routes = dict[str, str]()
    for cell in matrix(document):
        operation = (
            document["paths"].get(cell.path, {}).get(cell.method.lower(), {"operationId": "live"})
        )
        if operation["operationId"] not in LEFT_OUT:
            path = cell.path.replace("{table}", "TABLE").format_map(blank)
            path += f"?{cell.asked['query']}" if "query" in cell.asked else ""
            routes.setdefault(
                f"{cell.method} {cell.path}",
                json.dumps([cell.method, path, cell.asked.get("body")]),
            )
    return list(routes.values())


def _named(way: str) -> str:
    return " ".join(json.loads(way)[:2]) if way.startswith("[") else way


# The rude client, which is a process of its own.

ON = threading.Event()
"""Whether to be rude now."""


class _Held(list[socket.socket]):
    """The last few connections, held open."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def add(self, wire: socket.socket) -> socket.socket:
        self.append(wire)
        while len(self) > self.most:
            self.pop(0).close()
        return wire

    def __enter__(self) -> _Held:
        return self

    def __exit__(self, *_: object) -> None:
        for wire in self:
            wire.close()


def _wire(port: int) -> socket.socket:
    return socket.create_connection((HERE, port), timeout=10, source_address=(RUDE, 0))


def _head(method: str, path: str, token: str, *more: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HERE}", f"Authorization: Bearer {token}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def slow_feeds(port: int, token: str, table: str) -> None:
    """Open feeds from the first record on, and read nothing."""
    with _Held(30) as held:
        while ON.is_set():
            wire = held.add(_wire(port))
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            wire.sendall(_head("GET", f"{table}/events?after=0&offers=true", token))
            time.sleep(0.02)


def aborted_bodies(port: int, token: str, table: str) -> None:
    """Begin bodies and hang up."""
    more = ("Content-Type: application/json", "Content-Length: 60000")
    while ON.is_set():
        with _wire(port) as wire:
            wire.sendall(
                _head("POST", f"{table}/moves", token, *more) + b'{"move":' + b" " * 30_000
            )


def half_requests(port: int, token: str, table: str) -> None:
    """Begin requests and stop."""
    with _Held(600) as held:
        while ON.is_set():
            held.add(_wire(port)).sendall(_head("GET", table, token)[:-3])
            time.sleep(0.001)


def no_requests(port: int, token: str, table: str) -> None:
    """Send nonsense."""
    while ON.is_set():
        with _wire(port) as wire:
            wire.sendall(b"no request\r\n\r\n")
            wire.recv(1000)


def many_connections(port: int, token: str, table: str) -> None:
    """Open and close connections as fast as possible."""
    while ON.is_set():
        _wire(port).close()


WAYS: dict[str, Callable[[int, str, str], None]] = {
    "slow reading of feeds": slow_feeds,
    "aborted bodies": aborted_bodies,
    "half requests": half_requests,
    "no requests": no_requests,
    "many connections": many_connections,
}


def hammer(port: int, token: str, table: str, way: str) -> None:
    """Repeat one request."""
    method, path, body = json.loads(way)
    with Caller(port, token, RUDE) as caller:
        for n in count():
            if not ON.is_set():
                return
            asked = body
            if isinstance(body, dict) and "pool" in body:
                # Each another pool, so that no answer is there already.
                asked = {
                    **body,
                    "pool": f"{n % 9 + 1} ability {n % 7 + 1} proficiency {n % 5 + 1} difficulty",
                }
            with suppress(Gone):
                caller.ask(method, path.replace("/api/tables/TABLE", table), asked)


def main(way: str, places: Sequence[tuple[int, str, str]]) -> None:
    """Be rude at the server whose number comes on standard input, until it ends."""
    at = 0

    def rude() -> None:
        while ON.wait():
            with suppress(OSError):
                if way in WAYS:
                    WAYS[way](*places[at])
                else:
                    hammer(*places[at], way)

    for _ in range(AT_ONCE):
        threading.Thread(target=rude, daemon=True).start()
    for line in sys.stdin:
        if line.strip() == "stop":
            ON.clear()
        else:
            at = int(line)
            ON.set()
        time.sleep(0.05)
        print(line.strip(), flush=True)


HARNESS = Harness(
    "rude",
    "While one client is rude, nobody at another table is refused, and the p99 of their moves at"
    " most doubles.",
    "{ways} ways to be rude, {again} of them measured again for longer, {moves} moves of a polite"
    " client",
    quick=4,
    long=60,
    run=measured,
)

if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
