"""The pages about security keep to what is there: every installed package has its purpose, every named test exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_installed_package_has_its_purpose() -> None:
    """What a server installs is what SECURITY.md lists, no more and no less."""
    locked = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements" / "run.txt").read_text(), re.MULTILINE))
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9, -]+) \| ", page.partition("| package |")[2], re.MULTILINE)
    assert locked == {name for row in rows for name in row.split(", ")}


def test_every_locked_package_has_hashes() -> None:
    """An archive that is not the one that was locked is not installed."""
    for name in ("run", "test", "bench"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        blocks = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
        assert blocks
        assert [] == [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block]


def test_every_threat_names_tests_that_are_there() -> None:
    """Each row of docs/threats.md names at least one file of tests, and all of them exist."""
    page = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| surface")]
    named = {row: re.findall(r"`((?:browser/)?test_\w+\.py)`", row.rsplit(" | ", 1)[1]) for row in rows}
    assert named
    assert [] == [row for row, files in named.items() if not files]
    assert [] == [file for files in named.values() for file in files if not (ROOT / "tests" / file).is_file()]
