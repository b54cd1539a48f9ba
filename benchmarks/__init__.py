"""Benchmarks: one module for each subject, with a `main()` that prints figures and a baseline.

With STORYPOOL_BENCH_BRIEF set each runs for a moment only: its figures then mean nothing.
"""

import os
from typing import TypeVar

T = TypeVar("T")


def brief(usual: T, short: T) -> T:
    """The amount to measure: the normal one, or just enough to run."""
    return short if os.environ.get("STORYPOOL_BENCH_BRIEF") else usual
