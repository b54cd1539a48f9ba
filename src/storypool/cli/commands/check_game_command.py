"""`storypool check-game`: the problems of a game, in sentences, for its author."""

import json
import sys
from collections.abc import Iterator
from itertools import chain

import click

from storypool import systems
from storypool.cli import arguments
from storypool.cli.game_argument import GAME
from storypool.cli.reference import reference
from storypool.contract.checking import MIN_GAMES, check
from storypool.contract.finding import Finding, finding
from storypool.contract.perft import write
from storypool.words import Phrase
from storypool.words.text_files import plain

QUICK, ENOUGH = 8, 3
"""The most random games that are usually played, and how many are enough once every move was made.
"""
WIDTH = 60


@click.command("check-game")
@click.argument("name", type=GAME)
@click.option(
    "--games",
    type=click.IntRange(0),
    help=f"Number of random games to play, at most {QUICK} if it is left out.",
)
@click.option(
    "--thorough",
    is_flag=True,
    help=f"Play {MIN_GAMES} random games, and more until every move was made.",
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
def check_game(
    name: str,
    games: int | None,
    thorough: bool,
    seed: int,
    walks: int,
    count: bool,
    as_json: bool,
) -> int:
    """Check a game: its rows, its plays, its counted moves, and random games.

    Prints each problem and its place in a sentence; the exit code is 1 if there is one. NAME is the
    key of a game of Storypool, or of another installed package. Random games end early once they
    made every move, unless their number is given.
    """
    if count:
        files = write(arguments.system(name))
        found_files = {"system": name, "files": [str(file) for file in files]}
        click.echo(json.dumps(found_files) if as_json else "\n".join(map(str, files)))
        return 0
    arguments.known(name)
    usual = MIN_GAMES if thorough else QUICK
    most = usual if games is None else games
    enough = ENOUGH if games is None and not thorough else 0
    shows, played = not as_json and sys.stderr.isatty(), 0

    def progress(done: int, most: int) -> None:
        nonlocal played
        played = done + 1
        if shows:
            text = Phrase("cli.checking", n=done, most=most)
            click.echo(f"\r{text}".ljust(WIDTH), nl=False, err=True)

    found = []
    checks = check(name, most, seed, walks, enough=enough, progress=progress)
    for one in chain(out_of_date(name), checks):
        found.append(one)
        if not as_json:
            click.echo(str(one))
    if shows:
        click.echo("\r" + " " * WIDTH + "\r", nl=False, err=True)
    file = None if found else systems.file_behind(name)
    left_out = file.rules.reading.left_out if file is not None else ""
    if as_json:
        wrong = [{"where": one.where, "text": one.what} for one in found]
        noted = {"odds_without": left_out} if left_out else {}
        click.echo(json.dumps({"system": name, "wrong": wrong, **noted}))
    else:
        kind = ".wrong" if found else ""
        if left_out:
            kind = ".without"
        without = Phrase(f"picture.without.{left_out}") if left_out else ""
        verdict = Phrase(
            f"cli.checked{kind}", game=name, n=len(found), games=played, without=without
        )
        click.echo(str(verdict))
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
