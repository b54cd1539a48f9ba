"""The JSON Schema is that of the format, and takes the games of the docs."""

from __future__ import annotations

import tomllib

import jsonschema_rs
import pytest

from storypool.gamefile.authoring.format_schema import json_schema, key_lines
from tests.gamefile.conftest import GAMES
from tests.gamefile.test_file_text import SMALL
from tools import game_files


def test_the_schema_is_what_the_format_is() -> None:
    """If not, run `python -m tools.game_files`."""
    assert game_files.SCHEMA.read_text(encoding="utf-8") == game_files.schema()


def test_every_key_has_its_meaning_and_an_example() -> None:
    """Nobody has to guess."""
    assert [
        line for _, lines in key_lines() for line in lines if not line.about or not line.example
    ] == []


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.game.toml")), ids=lambda file: file.name)
def test_the_schema_takes_a_game_of_the_docs(file: object) -> None:
    """What the program takes, an editor takes."""
    jsonschema_rs.validate(
        json_schema(), tomllib.loads(GAMES.joinpath(str(file)).read_text(encoding="utf-8"))
    )


def test_the_schema_takes_no_key_that_the_program_does_not_know() -> None:
    """What the program refuses for its form, an editor marks."""
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(json_schema(), tomllib.loads(SMALL.replace("pool =", "pools =")))
