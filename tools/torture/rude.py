"""How long moves at one table take while a rude client is at another: its p99 with that client and without.

The times are figures, not promises: they depend on the machine. A refusal to the polite client is a failure.
Planted and found: `gate.client` that gives the same address for everybody, so that all share one limit.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import count

from tools.torture.access import matrix
from tools.torture.harness import Harness, Run
from tools.torture.serve import HERE, Caller, Gone, Party, Process, opened, serving

RUDE, POLITE = "127.0.0.2", "127.0.0.3"
"""Their addresses: all of 127 is this machine, and to the server each is somebody else."""
MOVES, PACE = 100, 0.03
"""How many moves the polite client makes, and the seconds from one to the next."""
AT_ONCE = 4
"""How many connections the rude client uses at once."""
AIM = 2.0
LEFT_OUT = {"live", "events", "forget", "delete"}
"""Routes that are no request, or after which the rude client would be nobody."""


def measured(run: Run) -> None:
    """Be rude in one way after another, and compare the moves of somebody else before and meanwhile."""
    with serving(run.folder / "data", free=False) as server:
        house, other = opened(server, "dune", "Ann"), opened(server, "starwars", "Eli")
        ways = list(WAYS) + _routes(house)
        ratios = dict[str, float]()
        for n in run.numbers:
            if n < len(ways):
                ratios[_named(ways[n])] = _one(run, n, server, house, other, ways[n])
    over = {way: ratio for way, ratio in ratios.items() if ratio > AIM}
    run.notes.append(f"The p99 at most doubles in {len(ratios) - len(over)} of {len(ratios)} ways to be rude.")
    if ratios:
        worst = sorted(ratios.items(), key=lambda one: -one[1])[:6]
        run.notes.append(f"Ratios, the worst first: {', '.join(f'{way} {ratio:.1f}' for way, ratio in worst)}.")


def _one(run: Run, n: int, server: Process, house: Party, other: Party, way: str) -> float:
    """Return the p99 of the polite client with this rudeness, in units of that without."""
    without = _p99(run, n, house, "with nobody rude")
    command = [sys.executable, "-m", "tools.torture.rude", way, str(server.port), other.seats["eli"], other.path]
    rude = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert rude.stdout is not None
        rude.stdout.readline()
        meanwhile = _p99(run, n, house, _named(way))
    finally:
        rude.kill()
        rude.wait()
        if rude.stdout is not None:
            rude.stdout.close()
    run.count("ways")
    return meanwhile / without


def _p99(run: Run, n: int, party: Party, meanwhile: str) -> float:
    took = []
    with Caller(party.port, party.seats["ann"], POLITE) as caller:
        for i in range(MOVES):
            begun = time.perf_counter()
            try:
                answer = caller.ask("POST", f"{party.path}/moves", {"move": "table.say", "args": {"text": f"{i}"}})
            except Gone as gone:
                run.fail(n, f"{meanwhile}: the polite client got no answer ({gone})")
                continue
            took.append(time.perf_counter() - begun)
            run.count("moves")
            if answer.status != 200:
                run.fail(n, f"{meanwhile}: the polite client was refused, {answer.status} {answer.body[:200]!r}")
            time.sleep(max(0.0, begun + PACE - time.perf_counter()))
    return sorted(took)[len(took) * 99 // 100] if took else float("inf")


def _routes(party: Party) -> list[str]:
    """Return every route as a way to be rude, as JSON: method, path and body."""
    with party.caller() as caller:
        document = caller.get("/api/openapi.json")
    blank = defaultdict(lambda: "x", system="dune", title="Torture")
    routes = dict[str, str]()
    for cell in matrix(document):
        operation = document["paths"].get(cell.path, {}).get(cell.method.lower(), {"operationId": "live"})
        if operation["operationId"] not in LEFT_OUT:
            path = cell.path.replace("{table}", "TABLE").format_map(blank)
            path += f"?{cell.asked['query']}" if "query" in cell.asked else ""
            routes.setdefault(f"{cell.method} {cell.path}", json.dumps([cell.method, path, cell.asked.get("body")]))
    return list(routes.values())


def _named(way: str) -> str:
    return " ".join(json.loads(way)[:2]) if way.startswith("[") else way


# The rude client, which is a process of its own.


def _wire(port: int) -> socket.socket:
    return socket.create_connection((HERE, port), timeout=10, source_address=(RUDE, 0))


def _head(method: str, path: str, token: str, *more: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HERE}", f"Authorization: Bearer {token}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def slow_feeds(port: int, token: str, table: str) -> None:
    """Open feeds from the first record on, and read nothing of them."""
    wires = []
    while True:
        wire = _wire(port)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        wire.sendall(_head("GET", f"{table}/events?after=0&offers=true", token))
        wires.append(wire)
        time.sleep(0.02)
        del wires[:-30]


def aborted_bodies(port: int, token: str, table: str) -> None:
    """Begin bodies and hang up."""
    while True:
        with _wire(port) as wire:
            more = ("Content-Type: application/json", "Content-Length: 60000")
            wire.sendall(_head("POST", f"{table}/moves", token, *more) + b'{"move":' + b" " * 30_000)


def half_requests(port: int, token: str, table: str) -> None:
    """Begin requests, and say no more."""
    wires = []
    while True:
        wire = _wire(port)
        wire.sendall(_head("GET", table, token)[:-3])
        wires.append(wire)
        time.sleep(0.001)
        del wires[:-600]


def many_connections(port: int, token: str, table: str) -> None:
    """Open connections and close them, as quickly as can be."""
    while True:
        _wire(port).close()


WAYS: dict[str, Callable[[int, str, str], None]] = {
    "slow reading of feeds": slow_feeds,
    "aborted bodies": aborted_bodies,
    "half requests": half_requests,
    "many connections": many_connections,
}


def hammer(port: int, token: str, table: str, way: str) -> None:
    """Ask the same over and over."""
    method, path, body = json.loads(way)
    with Caller(port, token, RUDE) as caller:
        for n in count():
            asked = body
            if isinstance(body, dict) and "pool" in body:
                # Each another pool, so that no answer is there already.
                asked = {**body, "pool": f"{n % 9 + 1} ability {n % 7 + 1} proficiency {n % 5 + 1} difficulty"}
            with suppress(Gone):
                caller.ask(method, path.replace("/api/tables/TABLE", table), asked)


def main(way: str, port: int, token: str, table: str) -> None:
    """Be rude until the process is ended."""

    def rude() -> None:
        while True:
            with suppress(OSError):
                if way in WAYS:
                    WAYS[way](port, token, table)
                else:
                    hammer(port, token, table, way)

    for _ in range(AT_ONCE):
        threading.Thread(target=rude).start()
    print("rude", flush=True)


HARNESS = Harness(
    "rude",
    "While one client is rude, nobody at another table is refused, and the p99 of their moves at most doubles.",
    "{ways} ways to be rude, {moves} moves of somebody polite",
    quick=4,
    long=60,
    run=measured,
)

if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:5])
