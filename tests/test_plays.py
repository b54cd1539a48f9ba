"""Every play of every game: one test each, named after its file."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.play import perform, read

PLAYS = {f"{key}/{name}": text for key in systems.names() for name, text in systems.plays(key).items()}


def test_every_game_has_plays() -> None:
    """The plays of each game are found, so that no run is green because a folder was empty."""
    assert [] == [key for key in systems.names() if not systems.plays(key)]


@pytest.mark.parametrize("name", PLAYS, ids=lambda name: name.removesuffix(".play"))
def test_play(name: str) -> None:
    """The play runs as it is written, its log makes its table, and each of its records survives being stored."""
    performance = perform(read(PLAYS[name], name))
    assert len(performance.play.statements) > 2


def test_plays_say_what_they_check() -> None:
    """Each play says in a comment what it holds, and where the game has a list of its sources, which place of one."""
    said = {name: [line for line in text.splitlines() if "#" in line] for name, text in PLAYS.items()}
    assert [] == [name for name, comments in said.items() if not comments]
    listed = {key for key in systems.names() if systems.folder(key).joinpath("plays", "seeds.toml").is_file()}
    sourced = {name: comments for name, comments in said.items() if name.partition("/")[0] in listed}
    assert [] == [name for name, comments in sourced.items() if not any("seed" in line for line in comments)]
