"""`storypool roll`: roll a pool once without a table, or read dice that were rolled by hand."""

from typing import Any

import click

from storypool.cli import roll_answer
from storypool.cli.game_argument import GAME
from storypool.words.languages import Languages


@click.command()
@click.argument("system", type=GAME)
@click.argument("pool", nargs=-1, required=True)
@click.option(
    "--faces",
    default="",
    help="The faces that real dice show, in the order in which the pool prints.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def roll(languages: Languages, /, **given: Any) -> int:
    """Roll a pool once.

    storypool roll starwars "2 ability 1 proficiency vs 2 difficulty"

    Further terms of the game are given as key=value, as for odds:

    storypool roll dune 2d20 target=14 focus=4 difficulty=2
    """
    return roll_answer.answer(languages, **given)
