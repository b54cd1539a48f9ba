"""The parts of a harness: a name, a promise, its tries, and the result."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

SHOWN = 10
"""How many failures are printed; all are counted."""


@dataclass
class Run:
    """One run of a harness: the numbers of its tries, its random seed, and its result.

    `counts` are used by the figures of the harness; `notes` are sentences for the reader. Threads
    may count and fail.
    """

    name: str
    seed: int
    numbers: Sequence[int]
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def chance(self, *of: object) -> random.Random:
        """The random generator of one try or part of it: always the same for the same seed."""
        return random.Random(" ".join(map(str, (self.name, self.seed, *of))))

    def count(self, what: str, n: int = 1) -> None:
        """Count a try or an event."""
        with self._lock:
            self.counts[what] += n

    def fail(self, n: int, why: str) -> None:
        """Count try `n` as failed."""
        with self._lock:
            self.failures.append((n, why))

    def room(self, name: object) -> Path:
        """A new empty folder."""
        (room := self.folder / str(name)).mkdir(parents=True)
        return room


@dataclass(frozen=True)
class Harness:
    """A promise, and how it is tried. `figures` is a sentence with blanks for the counts."""

    name: str
    promise: str
    figures: str
    quick: int
    long: int
    run: Callable[[Run], None]

    def tried(self, run: Run) -> str:
        """The number of tries, in words."""
        counts = {name: f"{n:,}" for name, n in run.counts.items()}
        return self.figures.format_map(_Zero(tries=f"{len(run.numbers):,}", **counts))


class _Zero(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "0"
