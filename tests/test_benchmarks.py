"""Each benchmark runs, for a moment: one that fails unseen measures nothing. What it measures is no test's matter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import pytest

import benchmarks

ROOT = Path(__file__).parent.parent
KNOWN = sorted(found.name for found in iter_modules(benchmarks.__path__) if not found.name.startswith("_"))


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_each_benchmark_runs(name: str, tmp_path: Path) -> None:
    """It prints its figures and ends well, whatever they are."""
    env = {**os.environ, "STORYPOOL_BENCH_BRIEF": "1", "STORYPOOL_BENCH_DIR": str(tmp_path)}
    env = {key: value for key, value in env.items() if key != "STORYPOOL_BENCH_BEFORE"}
    ran = subprocess.run([sys.executable, "-m", "benchmarks", name], cwd=ROOT, env=env, capture_output=True, text=True)
    assert (0, "") == (ran.returncode, ran.stderr)
    title, *figures = ran.stdout.splitlines()
    assert title.startswith(f"== {name}: ")
    assert figures
