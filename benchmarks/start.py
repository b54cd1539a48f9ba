"""Starts: the time of a roll, odds, a server's first page and first table, relative to Python.

Each is a process of its own, all in turns in one run, after one uncounted start that compiles
everything. A server starts on a new folder, and counts until its first page is complete, or until
the host has opened a table.

With STORYPOOL_BENCH_BEFORE, the folder of another version's checkout, each is started from there
too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from benchmarks import brief
from benchmarks.table import SOURCE, processor

ROUNDS = brief(15, 1)
PYTHON = "python"
GAME = "starwars"


class Start(NamedTuple):
    """Milliseconds of a start: by the clock, and of the processor."""

    clock: float
    processor: float


def main() -> None:
    """Print the median and the least of each start, and its ratio to Python alone."""
    before = os.environ.get("STORYPOOL_BENCH_BEFORE")
    versions = {**({"before": Path(before)} if before else {}), "now": SOURCE}
    with TemporaryDirectory(
        prefix="storypool-bench-", dir=os.environ.get("STORYPOOL_BENCH_DIR")
    ) as folder:
        starts: dict[str, Callable[[], Start]] = {PYTHON: partial(ran, SOURCE, "-c", "")}
        for version, source in versions.items():
            for command in ("roll", "odds"):
                words = ("-m", "storypool.cli", command, GAME, "2A1P/2D")
                starts[f"{command} {version}"] = partial(ran, source, *words)
            for what, reached in (("page", first_page), ("table", first_table)):
                starts[f"{what} {version}"] = partial(
                    served, source, Path(folder) / version / what, reached
                )
        found = defaultdict[str, list[Start]](list)
        for n in range(ROUNDS + 1):
            for name, start in list(starts.items())[:: 1 if n % 2 else -1]:
                took = start()
                if n:
                    found[name].append(took)
    for kind in Start._fields:
        print("by the clock" if kind == "clock" else "of the processor")
        times = {}
        for name in starts:
            times[name] = [getattr(one, kind) for one in found[name]]
        middle, least = median(times[PYTHON]), min(times[PYTHON])
        for name, each in times.items():
            print(
                f"  {name:12} {beside(median(each), middle)}; at least {beside(min(each), least)}"
            )


def beside(took: float, bare: float) -> str:
    """A time in words, relative to that of Python alone."""
    return f"{took:5.0f} ms, {took - bare:5.0f} more, {took / bare:5.1f} times"


def started(source: Path, *words: str) -> subprocess.Popen[str]:
    """Start Python with these arguments, importing this source."""
    env = {**os.environ, "PYTHONPATH": str(source / "src")}
    return subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, text=True, cwd=source, env=env
    )


def ran(source: Path, *words: str) -> Start:
    """The time of a command."""
    used, began = getrusage(RUSAGE_CHILDREN), perf_counter()
    process = started(source, *words)
    printed, _ = process.communicate()
    took, now = perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    if process.returncode or (words[0] != "-c" and not printed):
        raise AssertionError(f"{words} ended with {process.returncode} and printed {printed!r}")
    return Start(1000 * took, 1000 * (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime))


def served(source: Path, data: Path, reached: Callable[[str, str], None]) -> Start:
    """The time until this was reached at a server's address, with the host's secret."""
    began = perf_counter()
    process = started(
        source,
        "-m",
        "storypool.cli",
        "serve",
        "--local",
        "--no-browser",
        "--data",
        str(data),
        "--port",
        "0",
    )
    assert process.stdout is not None
    try:
        link = next(line for line in process.stdout if "#host=" in line).split()[-1]
        address, _, secret = link.partition("/#host=")
        reached(address, secret)
        return Start(1000 * (perf_counter() - began), 1000 * processor(process.pid))
    finally:
        process.terminate()
        process.communicate()


def first_page(address: str, _: str) -> None:
    """Get the page."""
    with build_opener(ProxyHandler({})).open(f"{address}/") as answer:
        assert b"<html" in answer.read()


def first_table(address: str, secret: str) -> None:
    """Get the page, sign in as the host, and open a table."""
    first_page(address, secret)
    client = build_opener(ProxyHandler({}), HTTPCookieProcessor())
    for path, body in (
        ("join", {"secret": secret, "host": True}),
        ("tables", {"system": GAME, "title": "Starts", "name": "Ann"}),
    ):
        asked = Request(f"{address}/api/{path}", json.dumps(body).encode(), {"Origin": address})
        asked.add_header("Content-Type", "application/json")
        client.open(asked).close()


if __name__ == "__main__":
    main()
