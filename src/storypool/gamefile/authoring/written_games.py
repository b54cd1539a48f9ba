"""The example games on one page, as texts to begin from; a server does not offer them as games."""

from __future__ import annotations

from pathlib import Path

from storypool.words.text_files import text_in

__all__ = ["written_games"]

ENDING = ".game.toml"


def written_games() -> dict[str, str]:
    """Their texts by key, in alphabetical order.

    They are in `docs/games`, also in an installed program.
    """
    package = Path(__file__).parents[2]
    installed, source = (place / "docs" / "games" for place in (package, package.parents[1]))
    files = (installed if installed.is_dir() else source).glob(f"*{ENDING}")
    return {file.name.removesuffix(ENDING): text_in(file) for file in sorted(files)}
