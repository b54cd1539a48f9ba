"""Every play under tests/plays: one test each, named after its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from storypool.play import perform, read

FOLDER = Path(__file__).parent / "plays"
PLAYS = sorted(FOLDER.rglob("*.play"))


def test_there_are_plays() -> None:
    """The folder of plays is found, so that no run is green because it was empty."""
    assert PLAYS


@pytest.mark.parametrize("file", PLAYS, ids=lambda file: file.relative_to(FOLDER).with_suffix("").as_posix())
def test_play(file: Path) -> None:
    """The play runs as it is written, its log makes its table, and each of its records survives being stored."""
    performance = perform(read(file.read_text(encoding="utf-8"), file.relative_to(FOLDER).as_posix()))
    assert len(performance.play.statements) > 2


def test_plays_say_what_they_check() -> None:
    """Each play names, in a comment, the section of the rules that it holds."""
    silent = [
        file.name for file in PLAYS if not any("seed" in ln for ln in file.read_text("utf-8").splitlines() if "#" in ln)
    ]
    assert [] == silent
