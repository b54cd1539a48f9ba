"""The JSON Schema matches the format, and accepts the games of the docs."""

from __future__ import annotations

import tomllib

import jsonschema_rs
import pytest

from storypool.gamefile.authoring.format_schema import json_schema, key_lines
from tests.gamefile.conftest import GAMES
from tests.gamefile.test_file_text import SMALL
from tools import game_files


def test_schema_matches_the_format() -> None:
    """If it fails, run `python -m tools.game_files`."""
    assert game_files.SCHEMA.read_text(encoding="utf-8") == game_files.schema()


def test_every_key_has_a_meaning_and_an_example() -> None:
    """Each key of the format is documented."""
    assert [
        line for _, lines in key_lines() for line in lines if not line.about or not line.example
    ] == []


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.game.toml")), ids=lambda file: file.name)
def test_schema_accepts_games_of_the_docs(file: object) -> None:
    """An editor accepts the valid games."""
    jsonschema_rs.validate(
        json_schema(), tomllib.loads(GAMES.joinpath(str(file)).read_text(encoding="utf-8"))
    )


def test_schema_refuses_unknown_keys() -> None:
    """An editor marks the keys that the program refuses."""
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(json_schema(), tomllib.loads(SMALL.replace("pool =", "pools =")))
