"""The odds as a table in a terminal or notebook, rows of data, or a plot."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, Self

from storypool.engine.dice import Misused, described
from storypool.words import BadValue

Row = tuple[int, ...]

MAX_ROWS = 60
"""The most rows of a table; a longer one shows only the likeliest."""

WIDTH = 40
"""The longest bar in a terminal, in characters."""

BAR, GAP, HIGH, EDGE = 18, 4, 120, 20
"""Bar width, gap, height of the highest bar, and height of a line of text, in pixels."""


EIGHTHS = " ▏▎▍▌▋▊▉█"
"""A character filled from the left, by the number of eighths."""


class Canvas(Protocol):
    """An object that draws bars: `matplotlib.pyplot`, or one of its axes."""

    def bar(self, x: Sequence[int], height: Sequence[float], /, *, label: str) -> Any:
        """Draw bars of these heights at these positions."""
        ...


def carries(encoding: str | None) -> bool:
    """Whether an output with this encoding can show the blocks.

    >>> carries("utf-8"), carries("ascii"), carries("cp1252"), carries(None)
    (True, False, False, False)
    """
    try:
        EIGHTHS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(share: Fraction, width: int, blocks: bool = True) -> str:
    """A bar for a share of 0 to 1, at most `width` characters long; not empty above 0.

    >>> half = Fraction(1, 2)
    >>> bar(half, 5), bar(Fraction(1, 1000), 5), bar(Fraction(0), 5), bar(half, 5, blocks=False)
    ('██▌', '▏', '', '##')
    """
    parts = 8 if blocks else 1
    n = max(round(share * width * parts), 1 if share else 0)
    whole, rest = divmod(n, parts)
    return (EIGHTHS[8] if blocks else "#") * whole + (EIGHTHS[rest] if rest else "")


class Shown:
    """Odds that display themselves; a subclass gives axes, rows with probabilities, and means."""

    __slots__ = ()

    axes: tuple[str, ...]

    def joint(self) -> tuple[tuple[Row, Fraction], ...]:
        """Each row with its probability."""
        raise NotImplementedError

    def on(self, *axes: str) -> Self:
        """The odds on some of the axes."""
        raise NotImplementedError

    def mean(self, of: str) -> Fraction:
        """The mean of an axis."""
        raise NotImplementedError

    def table(self, *axes: str) -> str:
        """The odds on these axes as a text table with a bar for each row; by default, all axes.

        Of more than `MAX_ROWS` rows it has the likeliest, in order. `print` shows such a table of
        each axis.

        >>> from storypool.odds import d, odds
        >>> print(odds(2 @ d(2)).table())
        pips
           2   25.00 %  ████████████████████
           3   50.00 %  ████████████████████████████████████████
           4   25.00 %  ████████████████████
        """
        names = axes or self.axes
        rows = self.on(*names).joint()
        kept = _likeliest(rows)
        highest = max((odds for _, odds in kept), default=Fraction(1))
        wide = []
        for n, name in enumerate(names):
            numbers = [str(row[n]) for row, _ in kept]
            wide.append(max(4, *map(len, [name, *numbers])))
        lines = ["  ".join(name.rjust(size) for name, size in zip(names, wide, strict=True))]
        for row, odds in kept:
            cells = "  ".join(str(n).rjust(size) for n, size in zip(row, wide, strict=True))
            lines.append(f"{cells}  {_percent(odds):>8}  {bar(odds / highest, WIDTH)}".rstrip())
        if len(kept) < len(rows):
            left = 1 - sum((odds for _, odds in kept), Fraction(0))
            lines.append(f"and {len(rows) - len(kept)} rows more, together {_percent(left)}")
        return "\n".join(lines)

    def rows(self, *axes: str) -> list[dict[str, int | float]]:
        """The odds on these axes as rows of data: a number per axis, and `probability` as a float.

        `pandas.DataFrame(...)` and `polars.DataFrame(...)` accept it. `ValueError` for an axis
        named probability.

        >>> from storypool.odds import d, odds
        >>> odds(d(2)).rows()
        [{'pips': 1, 'probability': 0.5}, {'pips': 2, 'probability': 0.5}]
        """
        names = axes or self.axes
        if "probability" in names:
            raise BadValue(
                "An axis named 'probability' has no column beside the probability; give it another"
                " name with map."
            )
        return [
            dict(zip((*names, "probability"), (*row, float(odds)), strict=True))
            for row, odds in self.on(*names).joint()
        ]

    def plot(self, canvas: Canvas, axis: str | None = None) -> Any:
        """Draw a bar for each number of an axis, as high as its probability.

        The canvas is `matplotlib.pyplot` or one of its axes: `roll.plot(plt)`. You get the result
        of its `bar`.
        """
        name = self._only() if axis is None else axis
        found = self.on(name).joint()
        if not hasattr(canvas, "bar"):
            raise Misused(
                "A plot is drawn by matplotlib.pyplot, or by axes of it, not by"
                f" {described(canvas)}."
            )
        return canvas.bar([n for (n,), _ in found], [float(odds) for _, odds in found], label=name)

    def __repr__(self) -> str:
        spans = []
        for axis in self.axes:
            low, high = self._span(axis)
            more = f" to {high}, mean {_decimal(self.mean(axis))}" if low < high else ""
            spans.append(f"{axis} {low}{more}")
        return f"<Distribution of {'; '.join(spans) or 'nothing'}>"

    def __str__(self) -> str:
        return "\n\n".join([self.table(axis) for axis in self.axes]) or repr(self)

    def _repr_html_(self) -> str:
        """The HTML for a notebook: a table for each axis, with bars."""
        return (
            "".join(_html(axis, self.on(axis).joint()) for axis in self.axes)
            or f"<p>{escape(repr(self))}</p>"
        )

    def _repr_svg_(self) -> str:
        """An SVG picture with bars for each axis."""
        return _svg({axis: self.on(axis).joint() for axis in self.axes})

    def _only(self) -> str:
        raise NotImplementedError

    def _span(self, axis: str) -> tuple[int, int]:
        raise NotImplementedError


def _likeliest(rows: Sequence[tuple[Row, Fraction]]) -> Sequence[tuple[Row, Fraction]]:
    """At most `MAX_ROWS` rows, the likeliest, in order."""
    if len(rows) <= MAX_ROWS:
        return rows
    kept = {row for row, _ in sorted(rows, key=lambda pair: -pair[1])[:MAX_ROWS]}
    return [pair for pair in rows if pair[0] in kept]


def _percent(odds: Fraction) -> str:
    """A probability in percent, to two places; only the impossible is 0 %, only the certain 100 %.

    >>> _percent(Fraction(1, 3)), _percent(Fraction(1, 10**6)), _percent(1 - Fraction(1, 10**6))
    ('33.33 %', '< 0.01 %', '> 99.99 %')
    """
    if 0 < odds < Fraction(1, 20_000):
        return "< 0.01 %"
    if 1 > odds > 1 - Fraction(1, 20_000):
        return "> 99.99 %"
    return f"{float(100 * odds):.2f} %"


def _decimal(n: Fraction) -> str:
    """A number to two places, or whole."""
    return str(n) if n.denominator == 1 else f"{float(n):.2f}"


def _html(axis: str, found: Sequence[tuple[Row, Fraction]]) -> str:
    kept = _likeliest(found)
    highest = max(odds for _, odds in kept)
    lines = []
    for (n,), odds in kept:
        style = f"background:#3468b8;height:1em;width:{float(odds / highest) * 12:.2f}em"
        lines.append(
            f"<tr><th scope='row'>{n}</th><td>{escape(_percent(odds))}</td>"
            f"<td><div style='{style}'></div></td></tr>"
        )
    more = ""
    if len(kept) < len(found):
        more = f"<caption>The {len(kept)} likeliest of {len(found)}</caption>"
    head = (
        f"<thead><tr><th scope='col'>{escape(axis)}</th><th"
        " scope='col'>probability</th><th></th></tr></thead>"
    )
    return f"<table>{more}{head}<tbody>{''.join(lines)}</tbody></table>"


def _svg(pictures: Mapping[str, Iterable[tuple[Row, Fraction]]]) -> str:
    parts, top, wide = [], 0, 200
    for axis, found in pictures.items():
        odds_of = {n: odds for (n,), odds in found}
        if len(odds_of) > MAX_ROWS:  # omit bars too small to see
            least = max(odds_of.values()) / 1000
            odds_of = {n: odds for n, odds in odds_of.items() if odds >= least}
        low, highest = min(odds_of), max(odds_of.values())
        every = 1 + (max(odds_of) - low) // MAX_ROWS  # this many numbers share a position
        longest = max(len(str(n)) for n in odds_of)
        labelled = every * -(-(7 * longest + 6) // (BAR + GAP))
        parts.append(
            f'<text x="{GAP}" y="{top + EDGE - 5}" font-weight="600">{escape(axis)}</text>'
        )
        foot = top + EDGE + HIGH
        for n, odds in odds_of.items():
            x, high = GAP + (n - low) / every * (BAR + GAP), float(odds / highest) * HIGH
            wide = max(wide, round(x + BAR + GAP))
            shape = (
                f'x="{x:.1f}" y="{foot - high:.1f}" width="{BAR / every:.1f}" height="{high:.1f}"'
            )
            parts.append(
                f'<rect {shape} fill="#3468b8"><title>{n}: {escape(_percent(odds))}</title></rect>'
            )
            if (n - low) % labelled == 0:
                parts.append(
                    f'<text x="{x + BAR / 2:.1f}" y="{foot + 14}" text-anchor="middle">{n}</text>'
                )
        top = foot + EDGE
    size = (
        f'width="{wide}" height="{top + GAP}" viewBox="0 0 {wide} {top + GAP}"'
        ' style="max-width:100%"'
    )
    text = 'role="img" font-family="sans-serif" font-size="11" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {text}>{"".join(parts)}</svg>'


def escape(text: str) -> str:
    """Text escaped for HTML and SVG."""
    for mark, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(mark, name)
    return text
