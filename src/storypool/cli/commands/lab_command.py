"""`storypool lab`: evenings of a game played by its rules, and the flow of its points."""

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from storypool.cli import arguments, output
from storypool.cli.game_argument import GAME
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refused
from storypool.systems.newer_rules import played_in
from storypool.web.later_points import NO_LAB, has_lab
from storypool.words import Words
from storypool.words.languages import Languages


@click.group()
def lab() -> None:
    """Play evenings by the rules, and follow the points."""
    if not has_lab():
        raise Refused(NO_LAB)


def cores() -> int:
    """The number of cores that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lab.command()
@click.argument("game", type=GAME)
@click.option(
    "--evening",
    default="",
    help="One of the game's evenings, or a file.toml.  [default: the first]",
)
@click.option(
    "--evenings",
    "n",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Number of evenings to play.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Equal seeds give equal evenings.",
)
@click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the table; again for more.",
)
@click.option(
    "--players",
    default="",
    help="The players' policy: never, always, gains=0.1, keep=2 ...",
)
@click.option("--gm", default="", help="The GM's policy.")
@click.option(
    "--against",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Compare with other options and the same luck.",
)
@click.option("--against-players", default="", help="Compare with another policy of the players.")
@click.option("--against-gm", default="", help="Compare with another policy of the GM.")
@click.option(
    "--cores", "used", type=click.IntRange(1), default=None, help="Number of cores.  [default: all]"
)
@click.option(
    "--csv",
    "as_csv",
    default="",
    metavar="FILE",
    help="Write every number as CSV; - is the output.",
)
@click.option(
    "--svg",
    default="",
    metavar="FILE",
    help="Draw the first pool over the evening; - is the output.",
)
@click.option(
    "--html", default="", metavar="FILE", help="Write one page with everything; - is the output."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def play(
    languages: Languages,
    game: str,
    evening: str,
    n: int,
    seed: int,
    options: tuple[str, ...],
    players: str,
    gm: str,
    against: tuple[str, ...],
    against_players: str,
    against_gm: str,
    used: int | None,
    as_csv: str,
    svg: str,
    html: str,
    as_json: bool,
) -> int:
    """Play evenings of GAME and print the flow of the points.

    storypool lab play dune --evenings 1000 --against momentum_cap=8. Every action is decided by the
    rules, as at a table. Ctrl-C ends it early, with the evenings
    played so far.
    """
    from storypool.lab.evenings import evening as found
    from storypool.lab.playing import Setting
    from storypool.lab.report import Report
    from storypool.lab.study import play as play_all

    files = {"csv": as_csv, "svg": svg, "html": html}
    output.one_output(*files.values(), as_json=as_json)
    for field, file in files.items():
        if file:
            output.writable(file, field)
    arguments.known(game)
    which, settings = found(game, evening), [Setting(_options(options, "set"), players, gm)]
    if against or against_players or against_gm:
        changed = {**settings[0].options, **_options(against, "against")}
        settings.append(Setting(changed, against_players or players, against_gm or gm))
    with progress(n * len(settings), languages.default.program) as done:
        studies = play_all(which, n, seed, settings=settings, cores=used or cores(), done=done)
    report = Report(studies, languages.default)
    if as_csv:
        output.write(as_csv, report.csv(), "csv")
    if svg:
        output.write(svg, next(report.pictures()).svg(), "svg")
    if html:
        output.write(html, report.html(), "html")
    if as_json:
        print(json.dumps(report.data()))
    elif output.OUTPUT not in files.values():
        sys.stdout.write(report.text())
    return 0 if studies[0].rows else 1


@lab.command()
@click.argument("game", type=GAME)
@click.option(
    "--evening",
    default="",
    help="One of the game's evenings, or a file.toml.  [default: the first]",
)
@click.option(
    "--left",
    type=click.IntRange(1),
    default=None,
    help="Actions still to come.  [default: half of them]",
)
@click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the table; again for more.",
)
@click.option(
    "--svg",
    default="",
    metavar="FILE",
    help="Draw the value of a point of the first pool; - is the output.",
)
@click.option(
    "--html", default="", metavar="FILE", help="Write one page with everything; - is the output."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def solve(
    languages: Languages,
    game: str,
    evening: str,
    left: int | None,
    options: tuple[str, ...],
    svg: str,
    html: str,
    as_json: bool,
) -> int:
    """Solve the economy of GAME: the value of a point, and the best play of both sides.

    storypool lab solve c2d10 --evening hard --left 10. A solution is cached until the
    rules change.
    """
    from storypool.lab.evenings import evening as found
    from storypool.lab.playbook import Playbook
    from storypool.lab.solutions import solution

    output.one_output(svg, html, as_json=as_json)
    for field, file in {"svg": svg, "html": html}.items():
        if file:
            output.writable(file, field)
    arguments.known(game)
    which = found(game, evening)
    if left is not None and left > which.length:
        raise denied("argument", "left", "left", most=which.length)
    book = Playbook(
        solution(which, _options(options, "set")),
        left or (which.length + 1) // 2,
        languages.default,
    )
    if svg:
        output.write(svg, next(book.pictures()).svg(), "svg")
    if html:
        output.write(html, book.leaflet().html(), "html")
    if as_json:
        print(json.dumps(book.data()))
    elif output.OUTPUT not in (svg, html):
        sys.stdout.write(book.leaflet().text())
    return 0


@lab.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out", default=output.OUTPUT, metavar="FILE", help="Where to write it.  [default: the output]"
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def evening(languages: Languages, file: Path, out: str, as_json: bool) -> int:
    """Make an evening from the exported log of a table.

    storypool lab evening table.jsonl --out ours.toml; storypool lab play dune --evening ours.toml.
    """
    from storypool.cli.commands.recap_command import read
    from storypool.lab.logged import logged

    records = read(file)
    made = logged(records, arguments.system(played_in(records), languages.default))
    if out != output.OUTPUT or not as_json:
        output.write(out, made, "out")
    if as_json:
        print(json.dumps(tomllib.loads(made)))
    return 0


def _options(given: tuple[str, ...], field: str) -> dict[str, str]:
    """The options of a table from the command line; `Refused` for anything but pairs."""
    found = {}
    for words in given:
        key, is_pair, value = words.partition("=")
        if not is_pair:
            raise denied("argument", "option", field, words=words)
        found[key] = value
    return found


@contextmanager
def progress(n: int, words: Words) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal; yields a function that takes the number of steps done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words["lab.progress"], total=n)
        yield lambda done: bar.advance(task, done)
