"""Feeds that drop at any moment and continue have each record once and in order.

Planted and found: `Feeds.stored` that leaves out a notification, with a `Feed._next` that looks for
no gap.
"""

from __future__ import annotations

import json
import logging
import random
import socket
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from threading import Barrier
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from tools.torture.harness import Harness, Run
from tools.torture.serve import HERE, WAIT, Gone, Party, opened, serving

DROPS = 10
"""The drops of each feed before the server is restarted."""
PAUSE = 0.02
"""Seconds between two moves of a seat."""
HEARD = 15
"""The most records of a feed before it drops."""

SILENT = logging.getLogger("torture.reconnect")
"""Receives the client library's log of connections that end silently."""
SILENT.propagate = False
SILENT.addHandler(logging.NullHandler())


@dataclass
class Reader:
    """A seat that follows its table, and its records."""

    party: Party
    seat: str
    heard: list[dict[str, Any]] = field(default_factory=list)
    epoch: str = ""

    def listen(self, chance: random.Random) -> Generator[str, None, None]:
        """Follow from the last record on; yields "" for each record, or a fault."""
        messages = self._socket(chance) if chance.random() < 0.6 else self._events()
        with closing(messages):
            for message in messages:
                if message["type"] == "hello":
                    self.epoch = self.epoch or message["epoch"]
                if message["type"] == "reset":
                    yield "it had to begin again"
                if message["type"] == "record":
                    if message["seq"] != len(self.heard) + 1:
                        yield f"after record {len(self.heard)} came {message['seq']}"
                    self.heard.append(
                        {name: value for name, value in message.items() if name != "type"}
                    )
                    yield ""

    def _socket(self, chance: random.Random) -> Generator[dict[str, Any], None, None]:
        address = f"ws://{HERE}:{self.party.port}{self.party.path}/live?seat={self.seat}"
        bearer = {"Authorization": f"Bearer {self.party.seats[self.seat]}"}
        with suppress(ConnectionClosed):
            options: Any = {
                "compression": None,
                "proxy": None,
                "open_timeout": WAIT,
                "logger": SILENT,
            }
            # With a full queue the client would read no more, not even that the server closes, and
            # wait ten seconds.
            options["max_queue"] = None
            with connect(address, additional_headers=bearer, **options) as live:
                yield json.loads(live.recv(WAIT))
                live.send(
                    json.dumps({"type": "follow", "after": len(self.heard), "epoch": self.epoch})
                )
                try:
                    while True:
                        yield json.loads(live.recv(WAIT))
                finally:
                    if chance.random() < 0.7:
                        # Like a phone that leaves its network: no close is sent.
                        with suppress(OSError):
                            live.socket.shutdown(socket.SHUT_RDWR)

    def _events(self) -> Generator[dict[str, Any], None, None]:
        query = f"seat={self.seat}&after={len(self.heard)}&epoch={self.epoch}"
        head = f"GET {self.party.path}/events?{query} HTTP/1.1\r\nHost: {HERE}\r\n"
        head += f"Authorization: Bearer {self.party.seats[self.seat]}\r\n\r\n"
        with (
            socket.create_connection((HERE, self.party.port), timeout=WAIT) as wire,
            wire.makefile("rb") as lines,
        ):
            wire.sendall(head.encode())
            kind = ""
            for line in lines:
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                kind = value if name == "event" else kind
                if name == "data":
                    yield {"type": kind, **json.loads(value)}


def dropped(run: Run) -> None:
    """Let feeds drop while two people move, and restart the server, repeatedly."""
    with serving(run.folder / "data") as server:
        party = opened(server, "dune", "Ann", "Bo", "Cy")
        party.join("spectator", "Vera")
        readers = [Reader(party, seat) for seat in party.seats]
        for n in run.numbers:
            _round(
                run, n, party, readers, server.stop if run.chance(n).random() < 0.3 else server.kill
            )
            server.start()
        with party.caller() as gm:
            last = gm.get(party.path)["seq"]
        for reader in readers:
            _catch_up(run, reader, last)


def _round(run: Run, n: int, party: Party, readers: list[Reader], end: Any) -> None:
    ready = Barrier(len(readers) + 1)

    def move(seat: str, chance: random.Random) -> None:
        with suppress(Gone), party.caller(seat) as caller:
            while True:
                args = {"text": f"{chance.random()}", "secret": chance.random() < 0.2}
                answer = party.ask(caller, "table.say", args)
                if answer.status != 200:
                    run.fail(n, f"a move was answered {answer.status} {answer.body[:200]!r}")
                    # Nobody would hear anything any more, and wait for ever.
                    end()
                    return
                run.count("moves")
                time.sleep(PAUSE)

    def read(reader: Reader, chance: random.Random) -> None:
        for drop in range(DROPS + 1):
            run.count("connections")
            left = chance.randint(0, HEARD)
            with suppress(OSError, InvalidHandshake), closing(reader.listen(chance)) as heard:
                if drop == DROPS:
                    # The last connection stays until the server goes.
                    ready.wait(WAIT * DROPS)
                    left = -1
                while left:
                    wrong = next(heard, None)
                    if wrong is None:
                        break
                    if wrong:
                        run.fail(n, f"{reader.seat}: {wrong}")
                    left -= 1

    with ThreadPoolExecutor(len(readers) + 2) as threads:
        going = [threads.submit(move, seat, run.chance(n, seat)) for seat in ("", "ann")]
        going += [threads.submit(read, one, run.chance(n, one.seat)) for one in readers]
        ready.wait(WAIT * DROPS)
        end()
    for one in going:
        one.result()
    run.count("restarts")


def _catch_up(run: Run, reader: Reader, last: int) -> None:
    """Read the rest, and compare everything with the log of this seat."""
    n = run.numbers[-1]
    with closing(reader.listen(run.chance("end"))) as heard:
        while len(reader.heard) < last:
            if wrong := next(heard, f"the feed ended with {len(reader.heard)} of {last}"):
                run.fail(n, f"{reader.seat}: {wrong}")
                return
    with reader.party.caller(reader.seat) as caller:
        for after in range(0, last, 1000):
            records = caller.get(f"{reader.party.path}/log?after={after}&limit=1000")["records"]
            received = reader.heard[after : after + 1000]
            if records != received:
                at = next(
                    (a["seq"] for a, b in zip(records, received, strict=False) if a != b), after
                )
                run.fail(n, f"{reader.seat} heard something else than its log has at {at}")


HARNESS = Harness(
    "reconnect",
    "Feeds that drop at any moment, and go on from their last record, have each record once and in"
    " order, as the log has them, also when the server was killed or restarted.",
    "{connections} connections of feeds over {restarts} restarts, {moves} moves",
    quick=2,
    long=150,
    run=dropped,
)
