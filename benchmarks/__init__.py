"""Benchmarks: one module for each subject, each with a `main()` that prints its figures beside a
baseline.

With STORYPOOL_BENCH_BRIEF set each runs for a moment only: its figures then say nothing but that it
runs.
"""

import os
from typing import TypeVar

T = TypeVar("T")


def brief(usual: T, short: T) -> T:
    """Return how much is measured: as usual, or just enough to run."""
    return short if os.environ.get("STORYPOOL_BENCH_BRIEF") else usual
