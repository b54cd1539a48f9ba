"""`storypool rules`: print the reference of a game."""

import sys

import click

from storypool.cli import arguments
from storypool.cli.game_argument import GAME
from storypool.cli.reference import reference


@click.command()
@click.argument("system", type=GAME)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
def rules(system: str, as_json: bool) -> int:
    """Print the reference of a game.

    Markdown, made of its moves: who, price, limit, why it is refused, the rule; and every option.
    """
    text = reference(arguments.system(system))
    if as_json:
        import json

        print(json.dumps({"system": system, "markdown": text}))
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        print(text, end="")
    return 0
