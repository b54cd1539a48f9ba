"""The games of one page that come with the program, as texts to begin from; no server has them by themselves."""

from __future__ import annotations

from pathlib import Path

__all__ = ["written_games"]

ENDING = ".game.toml"


def written_games() -> dict[str, str]:
    """Return their texts by key, in alphabetical order.

    An installed program has them in the folder `games` of this room, and its source in `docs/games`.
    """
    here = Path(__file__)
    installed, source = here.parents[1] / "games", here.parents[4] / "docs" / "games"
    files = (installed if installed.is_dir() else source).glob(f"*{ENDING}")
    return {file.name.removesuffix(ENDING): file.read_text(encoding="utf-8") for file in sorted(files)}
