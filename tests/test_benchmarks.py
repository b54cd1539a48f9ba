"""Each benchmark runs briefly, so that none fails unnoticed. Its figures are not tested."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from pkgutil import iter_modules

import pytest
from websockets.asyncio.server import ServerConnection, serve

import benchmarks
from benchmarks._page import Line, Page
from tests.fixed_set import cases

ROOT = Path(__file__).parent.parent
KNOWN = sorted(
    found.name for found in iter_modules(benchmarks.__path__) if not found.name.startswith("_")
)


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(KNOWN, ("odds",)))
def test_each_benchmark_runs(name: str, tmp_path: Path) -> None:
    """It prints its figures and exits normally."""
    env = {**os.environ, "STORYPOOL_BENCH_BRIEF": "1", "STORYPOOL_BENCH_DIR": str(tmp_path)}
    env = {key: value for key, value in env.items() if key != "STORYPOOL_BENCH_BEFORE"}
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks", name],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    title, *figures = ran.stdout.splitlines()
    assert title.startswith(f"== {name}: ")
    assert figures


def test_closed_connection_is_opened_again() -> None:
    """A page that was silent beyond the server's limit reconnects, like a browser."""

    async def asked_twice() -> list[tuple[int, bytes]]:
        async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhere")
            writer.close()
            await writer.wait_closed()

        async with await asyncio.start_server(once, "127.0.0.1", 0) as server:
            line = Line(server.sockets[0].getsockname()[1])
            answers = [await line.ask("GET", "/", "token") for _ in range(2)]
            line.close()
            return answers

    assert [(200, b"here")] * 2 == asyncio.run(asked_twice())


def test_odds_before_their_offers_are_kept() -> None:
    """The page waits for no later record; odds of an earlier one are still due."""
    table = {
        "seats": {"ann": {"side": "spectator"}},
        "checks": {"c1": {"id": "c1", "seen_by": None}},
    }

    async def feed(last: int, socket: ServerConnection) -> None:
        async def say(type: str, seq: int, **more: object) -> None:
            await socket.send(json.dumps({"type": type, "seq": seq, **more}))

        async def offers(seq: int) -> None:
            await say("offers", seq, table={**table, "seq": seq}, waits=[], offers=[])

        await say("hello", 1)
        await socket.recv()
        await offers(1)
        [name] = json.loads(await socket.recv())["questions"]
        for seq in (1, 2):
            await say("answer", seq, name=name)
        for seq in range(2, last + 1):
            await offers(seq)
        await socket.wait_closed()

    async def heard(last: int) -> tuple[bool, int]:
        async with serve(partial(feed, last), "127.0.0.1", 0) as server:
            page = Page(next(iter(server.sockets)).getsockname()[1], "t", "ann", "")
            await page.come()
            await page.shows(last)
            await page.leave()
            return page.weighed, len(page.odds)

    assert [(True, 2), (False, 2)] == [asyncio.run(heard(last)) for last in (2, 3)]
