"""The argument of every command that takes a game: its key, or a file."""

from __future__ import annotations

import click

from storypool import systems
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused
from storypool.systems import game_files


class GameArgument(click.ParamType):  # type: ignore[type-arg]
    """A game by its key, or by its file of one page, which is read then."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the key of the game; `Refused` says what is wrong with a file, and at which line."""
        if not value.endswith(game_files.ENDING):
            return value
        from storypool.gamefile import Unread  # only a file needs it

        try:
            return systems.added(value)
        except Unread as wrong:
            first = wrong.mistakes[0]
            raise denied("argument", "game.file", "system", file=value, line=first.line, why=first.what) from None
        except systems.UnknownSystem as unknown:
            raise Refused(Refusal.of("unknown", unknown, "system")) from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise denied("unknown", "game.unread", "system", file=value, why=wrong) from None


GAME = GameArgument()
