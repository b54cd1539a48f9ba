"""The argument of every command that takes a game: its key, or a file."""

from __future__ import annotations

import click

from storypool.cli import arguments


class GameArgument(click.ParamType):  # type: ignore[type-arg]
    """A game by its key, or by its file of one page, which is read then."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the key of the game; `Refused` says what is wrong with a file, and at which
        line.
        """
        return arguments.game(value)


GAME = GameArgument()
