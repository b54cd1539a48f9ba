"""`storypool odds-table`: odds over a grid of pools, as text, CSV, a picture or JSON."""

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from typing import TextIO, TypeVar

import click

from storypool import systems
from storypool.cli import arguments, output
from storypool.cli.game_argument import GAME
from storypool.engine.bag import Bag
from storypool.odds.question import terms_of, text
from storypool.pictures.rows import in_columns, percent
from storypool.words import Words
from storypool.words.languages import Languages
from storypool.worth import grid as grids
from storypool.worth.grid import Grid, Side

Cell = TypeVar("Cell")

PATIENCE = 1.0
"""Seconds after which a progress bar is shown."""
PLACES = 6
"""Decimal places of a percentage in a file."""


@click.command("odds-table")
@click.argument("system", type=GAME)
@click.argument("pool", nargs=-1)
@click.option(
    "--rows",
    required=True,
    help="Dice, pools or values of a term, as “1..5 ability” or “target=6..16”.",
)
@click.option("--cols", required=True, help="The same for the columns.")
@click.option("--against", default="", help="The pool of the other side of a contest.")
@click.option(
    "--show",
    default="",
    help="An outcome, or a condition as “success>=2”.  [default: the first outcome]",
)
@click.option(
    "--csv",
    "as_csv",
    default="",
    metavar="FILE",
    help="Write a line for each cell; - is the output.",
)
@click.option(
    "--svg",
    default="",
    metavar="FILE",
    help="Draw the table with a shade in each cell; - is the output.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def odds_table(
    languages: Languages,
    system: str,
    pool: tuple[str, ...],
    rows: str,
    cols: str,
    against: str,
    show: str,
    as_csv: str,
    svg: str,
    as_json: bool,
) -> int:
    """Show the odds over a grid of pools.

    storypool odds-table starwars --rows "1..5 ability" --cols "0..5 difficulty". After SYSTEM
    follow the dice that every pool has, and further terms of the game as key=value.
    """
    words = languages.default.program
    output.one_output(as_csv, svg, as_json=as_json)
    for file, field in ((as_csv, "csv"), (svg, "svg")):
        if file:
            output.writable(file, field)
    grid = read(system, pool, rows, cols, against)
    outcome, odds = shares(grid, show, label=words["grid.progress"])
    if as_csv:
        output.write(as_csv, lines_of_csv(grid, outcome, odds), "csv")
    if svg:
        from storypool.pictures.maps import grid as drawn

        row_labels = [step.label for step in grid.rows.lines]
        column_labels = [step.label for step in grid.cols.lines]
        counted = (grid.rows.name, grid.cols.name)
        picture = drawn(
            _title(grid, outcome, words),
            row_labels,
            column_labels,
            odds=odds,
            names=counted,
            language=languages.default,
        )
        output.write(svg, picture.svg(), "svg")
    if as_json:
        print(json.dumps(data(grid, outcome, odds)))
    elif output.OUTPUT not in (as_csv, svg):
        _print_table(grid, outcome, odds, words)
    return 0


def read(system: str, pool: Sequence[str], rows: str, cols: str, against: str = "") -> Grid:
    """The grid that the arguments describe; `Refused` for an invalid one or too many cells."""
    notation, named = arguments.dice(system).NOTATION, systems.named(system)
    dice, terms = terms_of(pool)
    base = arguments.pool_of(notation, dice) if dice else Bag()
    for key in sorted(named.keys() & terms.keys()):
        base += grids.built(key, terms.pop(key), named, key)
    down, across = (
        grids.side(text, notation, named, field) for text, field in ((rows, "rows"), (cols, "cols"))
    )
    theirs = arguments.pool_of(notation, against, "against") if against else None
    return grids.check_grid(Grid(system, down, across, pool=base, terms=terms, against=theirs))


def shares(
    grid: Grid, show: str, clock: Callable[[], float] = time.monotonic, label: str = ""
) -> tuple[str, list[list[Fraction]]]:
    """The name of the outcome shown, and its odds by row and column; with a bar if it is slow."""
    found, outcome = [], show
    for cell in watched(grid.reckoned(), grid.cells, sys.stderr, clock, label):
        outcome = outcome or next(iter(cell.outcomes))
        found.append(grids.share(cell, outcome))
    wide = len(grid.cols.lines)
    return outcome, [found[i : i + wide] for i in range(0, len(found), wide)]


def watched(
    cells: Iterable[Cell], n: int, stream: TextIO, clock: Callable[[], float], label: str = ""
) -> Iterator[Cell]:
    """The cells one by one; after a second, a terminal shows a progress bar."""
    start = clock()
    with ExitStack() as end:
        bar = None
        for done, cell in enumerate(cells, 1):
            yield cell
            if bar is not None:
                bar.update(1)
            elif clock() - start > PATIENCE and stream.isatty():
                shown = click.progressbar(length=n, label=label, file=stream)
                bar = end.enter_context(shown)
                bar.update(done)


def lines_of_csv(grid: Grid, outcome: str, odds: Sequence[Sequence[Fraction]]) -> str:
    """One line per cell: row, column, outcome, percent to six places, and exact fraction."""
    file = io.StringIO()
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(["row", "column", "outcome", "percent", "fraction"])
    for row, line in zip(grid.rows.lines, odds, strict=True):
        for col, share in zip(grid.cols.lines, line, strict=True):
            lines.writerow(
                [row.label, col.label, outcome, decimal(share * 100, PLACES), text(share)]
            )
    return file.getvalue()


def decimal(n: Fraction, places: int) -> str:
    """A number that is not negative as a decimal, rounded exactly.

    >>> decimal(Fraction(200, 3), 2), decimal(Fraction(1, 2), 1)
    ('66.67', '0.5')
    """
    whole, part = divmod(round(n * 10**places), 10**places)
    return f"{whole}.{part:0{places}d}"


def data(grid: Grid, outcome: str, odds: Sequence[Sequence[Fraction]]) -> dict[str, object]:
    """The table as plain data: dice and terms of rows and columns, and a list of `odds` per row."""
    whole: dict[str, object] = {
        "system": grid.system,
        "pool": dict(grid.pool),
        "terms": dict(grid.terms),
    }
    if grid.against is not None:
        whole["against"] = dict(grid.against)
    return whole | {
        "show": outcome,
        "rows": _side_data(grid.rows),
        "cols": _side_data(grid.cols),
        "odds": [list(map(text, line)) for line in odds],
    }


def _side_data(side: Side) -> dict[str, object]:
    steps = [
        {"label": step.label, "pool": dict(step.pool), "terms": dict(step.terms)}
        for step in side.lines
    ]
    return {"name": side.name, "steps": steps}


def _title(grid: Grid, outcome: str, words: Words) -> str:
    show = systems.dice(grid.system).NOTATION.show
    parts = [
        grid.system,
        *([show(grid.pool)] if grid.pool else []),
        *(f"{k}={v}" for k, v in grid.terms.items()),
    ]
    what = ", ".join(parts)
    if grid.against is not None:
        what = words.say("picture.against", pool=what, against=show(grid.against))
    return words.say("grid.title", what=what, show=outcome)


def _print_table(
    grid: Grid, outcome: str, odds: Sequence[Sequence[Fraction]], words: Words
) -> None:
    """Print the table: with rules on a terminal, in plain columns elsewhere."""
    title = _title(grid, outcome, words)
    down, across = grid.rows.name, grid.cols.name
    corner = words.say("grid.corner", rows=down, cols=across).strip() if across else down
    head = [corner, *(step.label for step in grid.cols.lines)]
    body = [
        [step.label, *map(percent, line)] for step, line in zip(grid.rows.lines, odds, strict=True)
    ]
    if not sys.stdout.isatty():
        print("\n".join([title, *in_columns([head, *body])]))
        return
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Use `Text`, so that rich does not read a label as its own markup.
    table = Table(title=Text(title), box=SIMPLE, title_justify="left")
    for i, name in enumerate(head):
        table.add_column(Text(name), justify="right" if i else "left", no_wrap=True)
    for line in body:
        table.add_row(*map(Text, line))
    Console().print(table)
