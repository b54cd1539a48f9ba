"""The argument of every command that takes a game: its key, or a file."""

from __future__ import annotations

import click

from storypool.cli import arguments


class GameArgument(click.ParamType):  # type: ignore[type-arg]
    """A game by its key, or by its single file, which is loaded."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The key of the game; `Refused` for an invalid file, with the line."""
        return arguments.game(value)


GAME = GameArgument()
