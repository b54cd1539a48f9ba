"""The page for players is short and uses the labels of their pages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from storypool import systems

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
GAMES = [key for key in systems.playable() if systems.package(key).startswith("storypool.")]


def _texts(words: Mapping[str, Any]) -> Iterator[str]:
    for value in words.values():
        yield from _texts(value) if isinstance(value, Mapping) else [str(value)]


def on_buttons() -> list[re.Pattern[str]]:
    """All words of the page and titles of moves, with patterns for braces."""
    files = (ROOT / "src" / "storypool" / "words").glob("*.toml")
    words = [
        text for path in files for text in _texts(tomllib.loads(path.read_text(encoding="utf-8")))
    ]
    words += [systems.get(key).title(move.key) for key in GAMES for move in systems.get(key).moves]
    named = [text for text in words if re.search(r"[A-Za-z]{3}", re.sub(r"\{.+?\}", "", text))]
    return [re.compile(re.sub(r"\\\{.+?\\\}", r"[\\w ]+", re.escape(text))) for text in named]


def test_players_page_uses_real_labels() -> None:
    """Each bold text is a button, a field's label or a move's title."""
    known = on_buttons()
    bold = re.findall(r"\*\*(.+?)\*\*", PAGE)
    assert len(bold) > 8
    assert [] == [words for words in bold if not any(one.fullmatch(words) for one in known)]


def test_players_page_takes_three_minutes() -> None:
    """It does at 230 words a minute with one game and without its table."""
    prose = "\n".join(line for line in PAGE.splitlines() if not line.startswith("|"))
    assert len(prose.split()) < 3 * 230
    for key in GAMES:
        assert f"systems/{key}/reference.md" in PAGE
