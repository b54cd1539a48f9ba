"""Pictures of one pool or two: a bar for each outcome, or a curve of "at least this many"."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

from storypool.odds import Distribution
from storypool.pictures import Theme
from storypool.pictures.drawing import EDGE, NUMBER, TITLE, WIDTH, Drawing, clipped
from storypool.pictures.rows import Cell, DataTable, bare, percent, signed
from storypool.words import BadValue, Words
from storypool.words.languages import ENGLISH, Language

__all__ = ["Picture", "bars", "curves"]

Mark = Literal["first", "second"]
_MARKS: tuple[Mark, Mark] = ("first", "second")

PERCENT = 60
"""The space for a percentage to the right of a bar, in pixels."""
BAR = 12
LEFT = 48
"""The left edge of the plot of the curves, after its labels, in pixels."""
PLOT = 168
"""The height of the curves' plot, in pixels."""
NEGLIGIBLE_CHANCE = Fraction(1, 2000)
"""The plot omits numbers rarer than this, or this close to certain; the table has them."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its title, a one-sentence description, and its numbers as a table."""

    title: str
    about: str
    table: DataTable
    drawing: Drawing

    def svg(self, theme: Theme = "auto") -> str:
        """The SVG file: dark, light, or as the viewer's system prefers."""
        return self.drawing.svg(self.title, self.about, theme)

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return self.svg()

    def _repr_html_(self) -> str:
        """The picture in a notebook that shows HTML alone."""
        return f"<figure>{self.svg()}</figure>"


def bars(
    title: str, pools: Mapping[str, Mapping[str, Fraction]], language: Language = ENGLISH
) -> Picture:
    """A picture with a bar for each outcome of one pool, or pairs of bars for two pools.

    `pools` are the outcomes by name of pool. The second pool is hatched. An outcome that only one
    of the pools has gets one bar. `ValueError` for no pool, and for more than two.
    """
    _check_two_at_most(pools)
    words = language.program
    names = list(dict.fromkeys(name for outcomes in pools.values() for name in outcomes))
    drawing = _headed(title, list(pools))
    room = WIDTH - 2 * EDGE - (PERCENT if len(pools) > 1 else 0)
    for name in names:
        shares = [
            (mark, pool, pools[pool][name]) for mark, pool in _marked(pools) if name in pools[pool]
        ]
        drawing.y += 24
        drawing.write(EDGE, drawing.y, clipped(name, 32))
        if len(pools) == 1:
            drawing.write(WIDTH - EDGE, drawing.y, percent(shares[0][2]), anchor="end", bold=True)
        drawing.y += 7
        for mark, pool, share in shares:
            drawing.put(
                "rect", "none", stroke="line", x=EDGE, y=drawing.y, width=room, height=BAR, rx=2
            )
            if share:
                _draw_bar(
                    drawing,
                    mark,
                    EDGE,
                    y=drawing.y,
                    width=float(share) * room,
                    title=_named(pool, f"{name} {percent(share)}"),
                )
            if len(pools) > 1:
                drawing.write(
                    WIDTH - EDGE, drawing.y + BAR - 2, percent(share), NUMBER, anchor="end"
                )
            drawing.y += BAR + 3
    rows, texts = list[tuple[Cell, ...]](), list[str]()
    for name in names:
        rows.append((name, *(of.get(name, "") for of in pools.values())))
        compared = [of[name] for of in pools.values() if name in of]
        texts.append(f"{name} {_compared_text(compared, words)}")
    return Picture(
        title,
        "; ".join(texts),
        DataTable((words["picture.outcome"], *_heads(pools, words)), tuple(rows)),
        drawing,
    )


def curves(
    title: str, axis: str, pools: Mapping[str, Distribution], language: Language = ENGLISH
) -> Picture:
    """A curve of the odds to reach each number on an axis, or two curves for two pools.

    The second curve is dashed and has squares. `UnknownAxis` for an unknown axis, `ValueError` for
    no pool, and for more than two.
    """
    _check_two_at_most(pools)
    words = language.program
    lines = {name: pool.at_least(axis) for name, pool in pools.items()}
    low, high = min(map(min, lines.values())), max(map(max, lines.values()))
    every = range(low, high + 1)

    def reached(n: int) -> list[Fraction]:
        return [line.get(n, Fraction(n < min(line))) for line in lines.values()]

    informative = [n for n in every if any(map(_is_informative, reached(n)))]
    seen = every
    if informative:
        seen = range(max(low, informative[0] - 1), min(high, informative[-1] + 1) + 1)
    drawing = _headed(title, list(pools))
    field = _grid_of(drawing, seen)
    columns = zip(*map(reached, seen), strict=True)
    drawn = {
        name: dict(zip(seen, column, strict=True))
        for name, column in zip(pools, columns, strict=True)
    }
    for mark, name in _marked(pools):
        _draw_curve(drawing, mark, field, line=drawn[name], name=name, axis=axis, words=words)
    _write_numbers(drawing, field, axis, drawn, words)
    rows: tuple[tuple[Cell, ...], ...] = tuple((n, *reached(n)) for n in every)
    about = "; ".join(
        _named(name, _at_least_text(axis, n, share, words))
        for name in pools
        for n, share in drawn[name].items()
    )
    head = (words.say("picture.at_least", axis=axis), *_heads(pools, words))
    return Picture(title, about, DataTable(head, rows), drawing)


def _is_informative(share: Fraction) -> bool:
    return NEGLIGIBLE_CHANCE < share < 1 - NEGLIGIBLE_CHANCE


def _check_two_at_most(pools: Mapping[str, object]) -> None:
    if not 1 <= len(pools) <= len(_MARKS):
        raise BadValue(f"A picture shows one pool, or two beside each other, not {len(pools)}.")


def _marked(pools: Iterable[str]) -> list[tuple[Mark, str]]:
    return list(zip(_MARKS, pools, strict=False))


def _heads(pools: Iterable[str], words: Words) -> Iterable[str]:
    return [name or words["picture.odds"] for name in pools]


def _compared_text(shares: Sequence[Fraction], words: Words) -> str:
    """One share in percent, or two compared."""
    texts = [percent(share) for share in shares]
    return (
        texts[0] if len(texts) == 1 else words.say("picture.versus", one=texts[0], other=texts[1])
    )


def _named(name: str, sentence: str) -> str:
    """A sentence about a pool, prefixed with the pool's name if it has one."""
    return f"{name}: {sentence}" if name else sentence


def _at_least_text(axis: str, n: int, share: Fraction, words: Words) -> str:
    return words.say("picture.at_least.n", axis=axis, n=signed(n), share=percent(share))


def _headed(title: str, pools: Sequence[str]) -> Drawing:
    """A drawing with its title and, for two pools, a legend of the two patterns."""
    drawing = Drawing()
    drawing.paragraph(title, TITLE, bold=True)
    if len(pools) > 1:
        for mark, name in _marked(pools):
            drawing.y += 6
            _draw_bar(drawing, mark, EDGE, y=drawing.y + 3, width=20, title=name)
            drawing.paragraph(name, indent=28)
    return drawing


def _draw_bar(drawing: Drawing, mark: Mark, x: float, y: float, width: float, title: str) -> None:
    """Draw a bar: solid for the first pool, an outline with hatching for the second."""
    fill = "first" if mark == "first" else "hatching"
    drawing.put(
        "rect", fill, stroke=mark, title=title, x=x, y=y, width=max(width, 1), height=BAR, rx=2
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """The plot of the curves: its numbers, and their distance in pixels."""

    seen: range
    top: float

    @property
    def step(self) -> float:
        return (WIDTH - EDGE - LEFT - 12) / max(1, len(self.seen) - 1)

    def x(self, n: int) -> float:
        return LEFT + (n - self.seen[0]) * self.step

    def y(self, share: Fraction) -> float:
        return self.top + PLOT * (1 - float(share))

    @property
    def written(self) -> list[int]:
        """The numbers to write below the plot, with space between them; with 1 if visible."""
        every = ceil(PERCENT * 0.6 / self.step) if len(self.seen) > 1 else 1
        return [n for n in self.seen if (n - 1) % every == 0]


def _grid_of(drawing: Drawing, seen: range) -> _Field:
    """Draw the empty plot, with lines at every quarter from 0 to 100 %, and return it."""
    field = _Field(seen, drawing.y + 14)
    for quarter in range(5):
        y = field.y(Fraction(quarter, 4))
        drawing.put(
            "path", "none", stroke="line", d=f"M{LEFT} {y:.1f}H{WIDTH - EDGE}", stroke_opacity="0.5"
        )
        if quarter % 2 == 0:
            drawing.write(
                LEFT - 9, y + 4, str(quarter * 25), size=NUMBER, fill="quiet", anchor="end"
            )
    drawing.y = field.top + PLOT
    return field


def _draw_curve(
    drawing: Drawing,
    mark: Mark,
    field: _Field,
    line: Mapping[int, Fraction],
    name: str,
    axis: str,
    words: Words,
) -> None:
    """Draw one curve, with a point at each number, and its value as a tooltip."""
    places = [(field.x(n), field.y(share)) for n, share in line.items()]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dashes = "none" if mark == "first" else "5 4"
    if len(places) > 1:
        drawing.put("path", "none", stroke=mark, d=path, stroke_width=2, stroke_dasharray=dashes)
    for (x, y), (n, share) in zip(places, line.items(), strict=True):
        _draw_point(drawing, mark, x, y, _named(name, _at_least_text(axis, n, share, words)))


def _draw_point(drawing: Drawing, mark: Mark, x: float, y: float, title: str = "") -> None:
    """Draw a point of a curve: a disc for the first pool, an open square for the second."""
    if mark == "first":
        drawing.put("circle", mark, title=title, cx=x, cy=y, r=4)
    else:
        drawing.put(
            "rect",
            "ground",
            stroke=mark,
            title=title,
            x=x - 4,
            y=y - 4,
            width=8,
            height=8,
            stroke_width=2,
        )


def _write_numbers(
    drawing: Drawing,
    field: _Field,
    axis: str,
    lines: Mapping[str, Mapping[int, Fraction]],
    words: Words,
) -> None:
    """Write the numbers below the plot, and for each pool a row of the odds to reach them."""
    drawing.y += 20
    for n in field.written:
        drawing.write(field.x(n), drawing.y, signed(n), size=NUMBER, fill="quiet", anchor="middle")
    for mark, name in _marked(lines):
        drawing.y += 18
        _draw_point(drawing, mark, EDGE + 4, drawing.y - 4)
        for n in field.written:
            drawing.write(field.x(n), drawing.y, bare(lines[name][n]), NUMBER, anchor="middle")
    drawing.y += 8
    drawing.paragraph(words.say("picture.curve", axis=axis), NUMBER, "quiet")
