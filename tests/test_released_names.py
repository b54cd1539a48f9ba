"""Released names stay, or are announced before they go: docs/upgrades.md is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tools import forms, released
from tools.released import public

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "upgrades.md").read_text(encoding="utf-8")
RELEASED = sorted(
    (ROOT / "tests" / "released").glob("*.json"), key=lambda file: [*map(int, file.stem.split("."))]
)
GONE = (
    'A version that was released gave this. Bring it back, or name it under "What goes" in'
    " docs/upgrades.md, at least one minor version before it is gone. Where that version is not"
    " released yet: `python -m tools.released VERSION`."
)


@pytest.fixture(scope="module")
def now() -> dict[str, list[str]]:
    """The names of this version."""
    return public()


def announced(page: str) -> dict[str, tuple[str, str]]:
    """The announced removals: the versions of announcement and removal."""
    rows = re.findall(
        r"^\| `([^`]+)` \| (\d+\.\d+) \| (\d+\.\d+) \|",
        page.partition("## What goes")[2],
        re.MULTILINE,
    )
    return {what: (since, gone) for what, since, gone in rows}


def too_soon(page: str) -> list[str]:
    """The removals in or before the announcing version."""
    versions = {
        what: [[*map(int, one.split("."))] for one in pair]
        for what, pair in announced(page).items()
    }
    return [what for what, (since, gone) in versions.items() if since >= gone]


@pytest.mark.parametrize("file", RELEASED, ids=lambda file: file.stem)
def test_released_names_stay(file: Path, now: dict[str, list[str]]) -> None:
    """Routes, kinds of events, stable names and keys of game files still exist."""
    then: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    gone = {
        kind: sorted(set(texts) - set(now[kind]) - announced(PAGE).keys())
        for kind, texts in then.items()
    }
    assert {} == {kind: texts for kind, texts in gone.items() if texts}, GONE
    assert all(then.values())


def test_release_needs_recorded_forms(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A version with unrecorded stored forms is not released, and the reason explains it."""
    monkeypatch.setattr(forms, "written_forms", lambda: {"events": {}, "parts": {}})
    assert 1 == released.main(["99.0.0"])
    assert "python -m tools.forms" in capsys.readouterr().err
    assert not (ROOT / "tests" / "released" / "99.0.0.json").exists()


def test_removal_is_announced_a_version_before() -> None:
    """Nothing goes in the version that announces it."""
    assert [] == too_soon(PAGE)
    rows = "## What goes\n\n| `GET /api/old` | 0.9 | 0.10 |\n| `storypool.old` | 0.3 | 0.3 |\n"
    assert ["GET /api/old", "storypool.old"] == [*announced(rows)]
    assert ["storypool.old"] == too_soon(rows)


def test_every_promise_has_its_test() -> None:
    """Each row of the promises names existing tests."""
    rows = [
        line
        for line in PAGE.partition("## What goes")[0].splitlines()
        if re.match(r"\| (?!what|---)", line)
    ]
    named = [re.findall(r"`(tests/[\w/]+\.py)`", row.rpartition(" | ")[2]) for row in rows]
    assert len(rows) > 5
    assert all(named)
    assert [] == [file for files in named for file in files if not (ROOT / file).is_file()]
