"""Run harnesses, print their results, and keep the figures of long runs in docs/torture.md."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.torture import (
    access,
    figures,
    files,
    flips,
    garbage,
    hidden,
    kills,
    last,
    pictures,
    postgres,
    power,
    reconnect,
    rude,
    standby,
)
from tools.torture.harness import SHOWN, Harness, Run

HARNESSES: tuple[Harness, ...] = tuple(
    one.HARNESS
    for one in (
        *(kills, power, flips, last, postgres, standby, reconnect, access, garbage, files),
        *(pictures, hidden, rude),
    )
)
"""Every harness, in the order of running."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named harnesses, or all; 1 if any of them failed."""
    by_name = {one.name: one for one in HARNESSES}
    parser = argparse.ArgumentParser("dev.py torture", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(by_name)}; all of them without"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a few tries of each, in three minutes in all"
    )
    parser.add_argument("--seed", type=int, default=1, help="of all chance; 1 if it is not given")
    parser.add_argument(
        "--only", type=int, metavar="N", help="this one try alone, to repeat a failure"
    )
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - by_name.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(by_name)}")
    failed = 0
    for harness in [by_name[name] for name in dict.fromkeys(given.names or by_name)]:
        numbers = range(harness.quick if given.quick else harness.long)
        if given.only is not None:
            numbers = range(given.only, given.only + 1)
        run = tried(harness, given.seed, numbers)
        failed += bool(run.failures)
        if not given.quick and given.only is None:
            figures.keep(harness, run)
    return 1 if failed else 0


def tried(harness: Harness, seed: int, numbers: Sequence[int]) -> Run:
    """Run the tries of a harness with these numbers, and print the result."""
    print(f"{harness.name}: {harness.promise} (seed {seed})", flush=True)
    began = time.monotonic()
    with TemporaryDirectory(prefix="storypool-torture-", ignore_cleanup_errors=True) as folder:
        run = Run(harness.name, seed, numbers, Path(folder))
        try:
            harness.run(run)
        except Exception as error:
            traceback.print_exc()
            run.fail(numbers[0], f"it could not go on: {error!r}")
    took = time.monotonic() - began
    print(f"  {harness.tried(run)}; failures: {len(run.failures):,} ({took:.0f} s)", flush=True)
    for note in run.notes:
        print(f"  {note}", flush=True)
    for n, why in run.failures[:SHOWN]:
        again = f"python3 dev.py torture {harness.name} --seed {seed} --only {n}"
        print(f"  FAILED, try {n}: {why}\n    Repeat it: {again}", flush=True)
    return run


if __name__ == "__main__":
    sys.exit(main())
