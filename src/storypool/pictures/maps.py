"""Maps of two axes of a pool, a grid of pools, or the states of two pools, with numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import ceil

from storypool.odds import Distribution
from storypool.pictures.charts import Picture
from storypool.pictures.drawing import EDGE, LETTER, NUMBER, SHADES, TITLE, WIDTH, Drawing, clipped
from storypool.pictures.rows import Cell, DataTable, bare, percent, signed
from storypool.words import BadValue
from storypool.words.languages import ENGLISH, Language

__all__ = ["grid", "heat"]

ACROSS, DOWN = 7, 9
"""Columns and rows of a map of two axes; the outermost include everything beyond them.

They are few enough for a phone.
"""
HIGH = 32
"""The height of a cell in pixels."""
SIDE = 44
"""The minimum width of the row labels, in pixels."""
LONGEST = 22
"""The most characters of a label."""


def heat(
    title: str, distribution: Distribution, axes: tuple[str, str], language: Language = ENGLISH
) -> Picture:
    """A map of the odds of each pair of numbers on two axes.

    The first axis goes downwards from its highest number, the second across. The outermost rows and
    columns include the unlikely numbers beyond them; the table has every possible pair.
    `UnknownAxis` for an unknown axis, `ValueError` when both are the same.
    """
    words = language.program
    down, across = axes
    if down == across:
        raise BadValue(f"A map shows two axes, not “{down}” twice.")
    joint = distribution.on(down, across)
    seen = _window(distribution, down, DOWN), _window(distribution, across, ACROSS)
    shares = Counter[tuple[int, int]]()
    for (a, b), count in joint.row_counts.items():
        shares[_within(a, seen[0]), _within(b, seen[1])] += count
    odds = []
    for a in reversed(seen[0]):
        odds.append([Fraction(shares[a, b], joint.total) for b in seen[1]])
    rows = _labels(seen[0], distribution, down)[::-1]
    cols = _labels(seen[1], distribution, across)
    drawing = Drawing()
    drawing.paragraph(title, TITLE, bold=True)
    drawing.paragraph(words.say("picture.heat", down=down, across=across), NUMBER, "quiet")
    _draw_cells(drawing, rows, cols, odds=odds, full=max(map(max, odds)), names=axes)
    (a, b), most = max(joint.joint(), key=lambda one: one[1])
    about = words.say(
        "picture.heat.about",
        down=down,
        across=across,
        a=signed(a),
        b=signed(b),
        share=percent(most),
    )
    table = DataTable(
        (down, across, words["picture.odds"]), tuple((*row, share) for row, share in joint.joint())
    )
    return Picture(title, about, table, drawing)


def grid(
    title: str,
    rows: Sequence[str],
    cols: Sequence[str],
    odds: Sequence[Sequence[Fraction]],
    names: tuple[str, str] = ("", ""),
    language: Language = ENGLISH,
) -> Picture:
    """A map of one question over a grid of pools: a row of `odds` for each of `rows`.

    `names` label the quantities of rows and columns. The map is as wide as its columns need; up to
    seven short ones fit a phone.
    """
    words = language.program
    label_width = max(SIDE, *(len(clipped(row, LONGEST)) * NUMBER * LETTER for row in rows))
    wide = max(38.0, *(len(clipped(col, LONGEST)) * NUMBER * LETTER + 6 for col in cols))
    drawing = Drawing(max(WIDTH, ceil(2 * EDGE + label_width + wide * len(cols))))
    drawing.paragraph(title, TITLE, bold=True)
    down, across = (
        name or words[f"picture.{side}"] for name, side in zip(names, ("rows", "cols"), strict=True)
    )
    drawing.paragraph(words.say("picture.grid", down=down, across=across), NUMBER, "quiet")
    _draw_cells(
        drawing, rows, cols, odds=odds, full=Fraction(1), names=names, label_width=label_width
    )
    every = [share for row in odds for share in row]
    about = words.say(
        "picture.grid.about",
        down=down,
        across=across,
        least=percent(min(every)),
        most=percent(max(every)),
    )
    table = DataTable(
        (down, *cols), tuple((name, *row) for name, row in zip(rows, odds, strict=True))
    )
    return Picture(title, about, table, drawing)


def states(
    title: str,
    subtitle: str,
    names: tuple[str, str],
    worth: Mapping[tuple[int, int], Fraction],
    language: Language = ENGLISH,
) -> Picture:
    """A map of the worth of each state of two pools, the first downwards; unknown cells are blank.

    `subtitle` is the line below the title, `names` are those of the pools. The darkest cell is
    worth most. At most `STATES` states of a pool are shown, evenly spread.
    """
    words = language.program
    down, across = map(_spread, zip(*worth, strict=True))
    odds = []
    for a in down:
        odds.append([worth.get((a, b)) for b in across])
    drawing = Drawing()
    drawing.paragraph(title, TITLE, bold=True)
    drawing.paragraph(subtitle, NUMBER, "quiet")
    drawing.paragraph(words.say("picture.grid", down=names[0], across=names[1]), NUMBER, "quiet")
    full = max((share for share in worth.values()), default=Fraction(0))
    _draw_cells(drawing, [*map(str, down)], [*map(str, across)], odds=odds, full=full, names=names)
    known = [share for share in chain.from_iterable(odds) if share is not None]
    about = words.say(
        "picture.grid.about",
        down=names[0],
        across=names[1],
        least=percent(min(known)),
        most=percent(max(known)),
    )
    cells = tuple((str(a), *map(_cell, row)) for a, row in zip(down, odds, strict=True))
    return Picture(title, about, DataTable((names[0], *map(str, across)), cells), drawing)


def _cell(share: Fraction | None) -> Cell:
    return "" if share is None else share


STATES = 9
"""The most states of a pool that a map shows, few enough to read on a phone."""


def _spread(numbers: Iterable[int]) -> list[int]:
    """The numbers in order, or an even selection of `STATES` with the least and the most."""
    every = sorted(set(numbers))
    if len(every) <= STATES:
        return every
    return [every[round(i * (len(every) - 1) / (STATES - 1))] for i in range(STATES)]


def _draw_cells(
    drawing: Drawing,
    rows: Sequence[str],
    cols: Sequence[str],
    odds: Sequence[Sequence[Fraction | None]],
    full: Fraction,
    names: tuple[str, str],
    label_width: float = SIDE,
) -> None:
    """Draw the cells with their numbers; shade and bar show the share of `full`."""
    wide = (drawing.width - 2 * EDGE - label_width) / len(cols)
    drawing.y += 18
    for i, col in enumerate(cols):
        x = EDGE + label_width + (i + 0.5) * wide
        drawing.write(
            x, drawing.y, clipped(col, LONGEST), size=NUMBER, fill="quiet", anchor="middle"
        )
    drawing.y += 6
    for row, line in zip(rows, odds, strict=True):
        drawing.write(
            EDGE + label_width - 6,
            drawing.y + 20,
            clipped(row, LONGEST),
            size=NUMBER,
            fill="quiet",
            anchor="end",
        )
        for i, (col, share) in enumerate(zip(cols, line, strict=True)):
            if share is None:
                continue
            x, part = EDGE + label_width + i * wide, share / full if full else share
            tooltip = f"{_of(names[0], row)}, {_of(names[1], col)}: {percent(share)}"
            drawing.put(
                "rect",
                f"shade-{ceil(part * SHADES)}",
                title=tooltip,
                x=x,
                y=drawing.y,
                width=wide - 2,
                height=HIGH - 2,
                rx=3,
            )
            drawing.write(x + wide / 2 - 1, drawing.y + 18, bare(share), NUMBER, anchor="middle")
            if part:
                length = max(1.0, float(part) * (wide - 10))
                drawing.put(
                    "rect", "ink", x=x + 4, y=drawing.y + HIGH - 8, width=length, height=2.5
                )
        drawing.y += HIGH


def _window(distribution: Distribution, axis: str, most: int) -> range:
    """The numbers of an axis with a row of their own: the likeliest range of at most `most`."""
    counts: Mapping[int, int] = {
        n: count for (n,), count in distribution.on(axis).row_counts.items()
    }
    low, high = min(counts), max(counts)
    places = range(low, max(low, high - most + 1) + 1)
    best = max(places, key=lambda n: sum(counts.get(n + i, 0) for i in range(most)))
    return range(best, min(high, best + most - 1) + 1)


def _of(name: str, value: str) -> str:
    return f"{name} {value}" if name else value


def _within(n: int, seen: range) -> int:
    return max(seen[0], min(n, seen[-1]))


def _labels(seen: range, distribution: Distribution, axis: str) -> list[str]:
    """The numbers as texts, with ≤ or ≥ where a cell includes those beyond."""
    every = [n for (n,) in distribution.on(axis).row_counts]
    texts = [signed(n) for n in seen]
    if min(every) < seen[0]:
        texts[0] = f"≤{texts[0]}"
    if max(every) > seen[-1]:
        texts[-1] = f"≥{texts[-1]}"
    return texts
