"""`storypool discord`: rolls in the channels of Discord, from a computer without an address."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import click

from storypool.cli.data_folder import json_option
from storypool.engine.refusal import Refusal, Refused
from storypool.words import NotInstalled, Phrase
from storypool.words.languages import Languages

VARIABLE = "STORYPOOL_DISCORD_TOKEN"
LONGEST = 200
"""The most letters of a token."""

token_option = click.option(
    "--token-file",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file with the bot's token.  [default: the variable {VARIABLE}]",
)


@click.group(invoke_without_command=True)
@token_option
@click.pass_context
def discord(context: click.Context, file: Path | None) -> int:
    """Answer in the channels of Discord: /roll in any game.

    It connects outwards, so it needs no public address, certificate or open port. Begin with
    `storypool discord setup`.
    """
    languages: Languages = context.obj
    if context.invoked_subcommand:
        return 0
    program = _program()
    token = _token(file)
    if not token:
        raise Refused(Refusal.of("argument", Phrase("discord.token")))
    asyncio.run(program.run(token, languages.default, click.echo))
    return 0


@discord.command()
@token_option
@json_option
@click.pass_context
def setup(context: click.Context, file: Path | None, as_json: bool) -> int:
    """Say what to click and copy, step by step.

    Each step is looked at, and the commands are registered: run it until all is ready.
    """
    languages: Languages = context.obj
    before = context.parent.params["file"] if context.parent else None
    token = _token(file or before)
    steps = list[str]()
    say = steps.append if as_json else click.echo
    ready = asyncio.run(_program().set_up(token, languages.default.program, say))
    if as_json:
        click.echo(json.dumps({"ready": ready, "steps": steps}))
    return 0 if ready else 1


def _program() -> Any:
    """The room `discord`, which needs an extra."""
    try:
        from storypool import discord as program
    except NotInstalled as missing:
        raise Refused(Refusal.of("storage", missing)) from None
    return program


def _token(file: Path | None) -> str:
    """The token of the file, or else of the environment; "" for none. It is never an argument.

    `Refused` for a file that cannot be read, or a text that cannot be one.
    """
    token = os.environ.get(VARIABLE, "")
    if file is not None:
        try:
            with file.open(encoding="utf-8") as opened:
                token = opened.read(LONGEST + 1)
        except (OSError, ValueError) as wrong:
            why = getattr(wrong, "strerror", None) or type(wrong).__name__
            odd = Phrase("discord.token.file", file=file, why=why)
            raise Refused(Refusal.of("argument", odd)) from None
    token = token.strip()
    if token and (len(token) > LONGEST or token.count(".") != 2 or not token.isascii()):
        raise Refused(Refusal.of("argument", Phrase("discord.token.odd")))
    if any(letter.isspace() for letter in token):
        raise Refused(Refusal.of("argument", Phrase("discord.token.odd")))
    return token
