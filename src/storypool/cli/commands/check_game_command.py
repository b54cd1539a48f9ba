"""`storypool check-game`: the problems of a game, in sentences, for its author."""

import json
from collections.abc import Iterator

import click

from storypool import systems
from storypool.cli import arguments
from storypool.cli.game_argument import GAME
from storypool.cli.reference import reference
from storypool.contract.checking import check
from storypool.contract.finding import Finding, finding
from storypool.contract.perft import write
from storypool.words import Phrase
from storypool.words.text_files import plain


@click.command("check-game")
@click.argument("name", type=GAME)
@click.option(
    "--games",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="Number of random games to play.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the first random game.",
)
@click.option(
    "--walks",
    type=click.IntRange(0),
    default=0,
    help="Further walks of each kind after every tenth try.",
)
@click.option(
    "--count",
    is_flag=True,
    help="Count the possible moves, and write the numbers into the game's vectors/.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
def check_game(name: str, games: int, seed: int, walks: int, count: bool, as_json: bool) -> int:
    """Check a game: its rows, its plays, its counted moves, and random games.

    Prints each problem and its place in a sentence; the exit code is 1 if there is one. NAME is the
    key of a game of Storypool, or of another installed package.
    """
    if count:
        files = write(arguments.system(name))
        found_files = {"system": name, "files": [str(file) for file in files]}
        click.echo(json.dumps(found_files) if as_json else "\n".join(map(str, files)))
        return 0
    arguments.known(name)
    found = []
    for one in (*check(name, games, seed, walks), *out_of_date(name)):
        found.append(one)
        if not as_json:
            click.echo(str(one))
    if as_json:
        click.echo(
            json.dumps(
                {"system": name, "wrong": [{"where": one.where, "text": one.what} for one in found]}
            )
        )
    else:
        click.echo(
            str(
                Phrase(
                    "cli.checked.wrong" if found else "cli.checked",
                    game=name,
                    n=len(found),
                    games=games,
                )
            )
        )
    return 1 if found else 0


def out_of_date(key: str) -> Iterator[Finding]:
    """A finding if the reference page of a game is missing or outdated, with the command for it."""
    page = systems.folder(key).joinpath("reference.md")
    command = f"storypool rules {key} > {page}"
    try:
        now = reference(systems.get(key))
    except Exception:
        # A game that cannot be built was reported before.
        return
    if not page.is_file() and systems.is_file(key):
        return
    if not page.is_file():
        yield finding("reference.md", "reference.none", command=command)
    elif plain(page.read_text(encoding="utf-8")) != now:
        yield finding("reference.md", "reference.old", command=command)
