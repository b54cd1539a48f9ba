"""`storypool odds`: the exact odds of a pool, as text, as a picture, or as JSON."""

from typing import Any

import click

from storypool.cli import odds_answer
from storypool.cli.game_argument import GAME
from storypool.words.languages import Languages
from storypool.worth.showing import KINDS


@click.command()
@click.argument("system", type=GAME)
@click.argument("pool", nargs=-1, required=True)
@click.option("--against", default="", help="The pool of the other side of a contest.")
@click.option(
    "--compare", default="", help="A second pool to compare with, or other terms, or both."
)
@click.option(
    "--svg", default="", metavar="FILE", help="Draw a picture into FILE; - is the output."
)
@click.option(
    "--picture", "kind", type=click.Choice(KINDS), help="Its kind.  [default: bar, or compare]"
)
@click.option(
    "--axis", "axes", multiple=True, help="An axis to draw: once for a curve, twice for a map."
)
@click.option("--what-if", "what_if", is_flag=True, help="Show the odds after each side's offers.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def odds(languages: Languages, /, **given: Any) -> int:
    """Show the exact odds of a pool.

    storypool odds starwars 2A1P/2D. Further terms of the game are given as key=value.
    """
    return odds_answer.answer(languages, **given)
