"""The harnesses of `dev.py torture`: a few tries of each, their reports and kept figures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from storypool.web.app import ENDPOINTS
from storypool.web.interface.openapi import document_of
from tests.fixed_set import cases
from tools.torture import figures, rude
from tools.torture.__main__ import HARNESSES, main, tried
from tools.torture.access import matrix
from tools.torture.harness import Harness, Run

FEW = {
    "kills": 1,
    "postgres": 1,
    "standby": 1,
    "power": 10,
    "flips": 28,
    "last": 4,
    "reconnect": 1,
    "access": 25,
    "garbage": 40,
    "files": 40,
    "pictures": 3,
    "hidden": 5,
    "rude": 1,
}
"""The number of tries of each harness in a test."""
FIXED = [one for one in HARNESSES if one.name in ("access", "flips", "hidden", "pictures")]
"""The harnesses of the fixed set: others kill servers or have their own tests."""


@pytest.mark.slow
@pytest.mark.parametrize("harness", cases(HARNESSES, FIXED), ids=lambda one: one.name)
def test_few_tries_of_each_harness(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each harness's promise holds in its first tries, and something was tried."""
    monkeypatch.setattr(rude, "MOVES", 5)
    monkeypatch.setattr(rude, "LONGER", 1)
    run = tried(harness, 1, range(FEW[harness.name]))
    assert [] == run.failures
    assert sum(run.counts.values())


@pytest.mark.exhaustive
def test_seed_makes_the_same_files_in_each_process() -> None:
    """A failure with a file can be repeated: its text does not depend on a process's hashes."""
    code = "\n".join(
        [
            "from random import Random",
            "from zlib import crc32",
            "from tools.torture.game_texts import game_text",
            "print([crc32(repr(game_text(Random(n))).encode()) for n in range(40)])",
        ]
    )
    made = set[bytes]()
    for seed in ("1", "2"):
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        made.add(subprocess.check_output([sys.executable, "-c", code], env=environ))
    assert 1 == len(made)


def test_unlisted_route_fails() -> None:
    """The table of permissions is complete: it names new and removed routes."""
    document = document_of(ENDPOINTS)
    assert list(matrix(document))
    new = {"get": {"operationId": "peek", "responses": {}}}
    with pytest.raises(ValueError, match=r"GET /api/peek \(peek\) is not in"):
        list(matrix({**document, "paths": {**document["paths"], "/api/peek": new}}))
    with pytest.raises(ValueError, match="that are not there: about"):
        list(
            matrix(
                {
                    **document,
                    "paths": {
                        path: one for path, one in document["paths"].items() if path != "/api"
                    },
                }
            )
        )


def failing(run: Run) -> None:
    """Fail each second try."""
    for n in run.numbers:
        run.count("things")
        if n % 2:
            run.fail(n, f"it came to {run.chance(n).random()}")


def breaking(run: Run) -> None:
    """Raise an unexpected error."""
    raise ValueError("no way")


def test_failure_names_its_repetition(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 1, and the single try fails again."""
    harnesses = (Harness("odd", "All is even.", "{things} things", quick=4, long=9, run=failing),)
    monkeypatch.setattr("tools.torture.__main__.HARNESSES", harnesses)
    assert 1 == main(["--quick", "--seed", "7"])
    output = capsys.readouterr().out
    assert "4 things; failures: 2" in output
    assert "python3 dev.py torture odd --seed 7 --only 3" in output
    assert 1 == main(["odd", "--seed", "7", "--only", "3"])
    assert capsys.readouterr().out.splitlines()[2] in output
    assert 0 == main(["odd", "--seed", "7", "--only", "2"])
    with pytest.raises(SystemExit, match="2"):
        main(["even"])


def test_broken_harness_has_failed() -> None:
    """An unexpected error of a harness counts as a failure."""
    assert (
        "no way"
        in tried(Harness("broken", "", "", quick=1, long=1, run=breaking), 1, [5]).failures[0][1]
    )


def test_long_run_keeps_its_row(tmp_path: Path) -> None:
    """A harness's row is rewritten, and the rest of the page stays."""
    (doc := tmp_path / "torture.md").write_text(
        f"Before.\n{figures.BEGIN}{figures.END}After.\n", encoding="utf-8"
    )
    for name, things in (("one", 1000), ("two", 2), ("one", 3000)):
        harness, run = (
            Harness(name, "It holds.", "{things} things", quick=1, long=1, run=failing),
            Run(name, 1, [1], tmp_path),
        )
        run.count("things", things)
        figures.keep(harness, run, doc)
    lines = doc.read_text(encoding="utf-8").splitlines()
    assert ["Before.", "After."] == [lines[0], lines[-1]]
    assert [
        "| `one` | It holds. | 3,000 things. | 0 |",
        "| `two` | It holds. | 2 things. | 0 |",
    ] == [
        line.rpartition("|")[0].rpartition("|")[0] + "|" for line in lines if line.startswith("| `")
    ]


def test_every_harness_is_documented() -> None:
    """The page of figures describes each harness."""
    output = figures.DOC.read_text(encoding="utf-8")
    assert all(f"\n`{harness.name}`: " in output for harness in HARNESSES)
