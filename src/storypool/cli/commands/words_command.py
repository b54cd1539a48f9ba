"""`storypool words`: print the catalogue of sentences as a file to translate."""

import click

from storypool.cli import arguments
from storypool.cli.game_argument import GAME
from storypool.engine.catalogue import whole
from storypool.words import as_toml, english, to_translate


@click.command()
@click.argument("system", type=GAME, required=False)
@click.option("--language", default="en", help="Use the plural forms of this language, such as pl.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
def words(system: str | None, language: str, as_json: bool) -> int:
    """Print the catalogue to translate it.

    Every sentence and label of SYSTEM by its id, as TOML; without it, those of the page, the server
    and the terminal.
    """
    texts = to_translate(whole(arguments.system(system)) if system else english(), language)
    if as_json:
        import json

        print(json.dumps(texts))
    else:
        print(as_toml(texts), end="")
    return 0
