"""Starts: how soon a roll, odds, and the first page of a server are there, beside Python alone.

Each is started as a process of its own, all in turns in one run: once before anything is counted, so that what is
compiled is there. A server starts on a folder that it made then, and counts until its first page has come whole.

With STORYPOOL_BENCH_BEFORE, the folder of another version's checkout, each is started from there too.
"""

from __future__ import annotations

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
from urllib.request import ProxyHandler, build_opener

from benchmarks import brief
from benchmarks.table import SOURCE, processor

ROUNDS = brief(15, 1)
CLIENT = build_opener(ProxyHandler({}))
PYTHON = "python"


class Start(NamedTuple):
    """Milliseconds until it was there: by the clock, and of the processor."""

    clock: float
    processor: float


def main() -> None:
    """Print the median of each start, and what it takes beyond what Python alone takes."""
    before = os.environ.get("STORYPOOL_BENCH_BEFORE")
    versions = {**({"before": Path(before)} if before else {}), "now": SOURCE}
    with TemporaryDirectory(prefix="storypool-bench-", dir=os.environ.get("STORYPOOL_BENCH_DIR")) as folder:
        starts: dict[str, Callable[[], Start]] = {PYTHON: partial(ran, SOURCE, "-c", "")}
        for version, source in versions.items():
            for command in ("roll", "odds"):
                words = ("-m", "storypool.cli", command, "starwars", "2A1P/2D")
                starts[f"{command} {version}"] = partial(ran, source, *words)
            starts[f"serve {version}"] = partial(served, source, Path(folder) / version)
        found = defaultdict[str, list[Start]](list)
        for n in range(ROUNDS + 1):
            for name, start in list(starts.items())[:: 1 if n % 2 else -1]:
                took = start()
                if n:
                    found[name].append(took)
    bare = median(one.clock for one in found[PYTHON])
    for name in starts:
        clock, own = (median(times) for times in zip(*found[name], strict=True))
        print(
            f"{name:12} {clock:5.0f} ms, {clock - bare:5.0f} more than Python alone, {clock / bare:5.1f} times that; "
            f"{own:5.0f} ms of processor"
        )


def started(source: Path, *words: str) -> subprocess.Popen[str]:
    """Begin Python with these words, where it imports what this source has."""
    env = {**os.environ, "PYTHONPATH": str(source / "src")}
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True, cwd=source, env=env)


def ran(source: Path, *words: str) -> Start:
    """Return what a command took until it had ended."""
    used, began = getrusage(RUSAGE_CHILDREN), perf_counter()
    process = started(source, *words)
    printed, _ = process.communicate()
    took, now = perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    if process.returncode or (words[0] != "-c" and not printed):
        raise AssertionError(f"{words} ended with {process.returncode} and printed {printed!r}")
    return Start(1000 * took, 1000 * (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime))


def served(source: Path, data: Path) -> Start:
    """Return what a server took until its first page had come."""
    began = perf_counter()
    process = started(
        source, "-m", "storypool.cli", "serve", "--local", "--no-browser", "--data", str(data), "--port", "0"
    )
    assert process.stdout is not None
    try:
        address = next(line for line in process.stdout if "#host=" in line).split("/#")[0].split()[-1]
        with CLIENT.open(address + "/") as answer:
            page = answer.read()
        took, own = perf_counter() - began, processor(process.pid)
        assert b"<html" in page
        return Start(1000 * took, 1000 * own)
    finally:
        process.terminate()
        process.communicate()


if __name__ == "__main__":
    main()
