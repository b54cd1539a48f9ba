"""Numbers as people read them: percentages, and the table of a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Cell = str | int | Fraction


def percent(share: Fraction, places: int = 1) -> str:
    """A share in percent; only the impossible is 0 %, and only the certain 100 %.

    >>> percent(Fraction(7997, 12288)), percent(Fraction(1))
    ('65.1 %', '100 %')
    >>> percent(Fraction(1, 9999)), percent(Fraction(9998, 9999))
    ('<0.1 %', '>99.9 %')
    """
    return f"{bare(share, places)} %"


def bare(share: Fraction, places: int = 1) -> str:
    """A share in percent without the sign, for a table whose heading has it.

    >>> bare(Fraction(1, 3)), bare(Fraction(0))
    ('33.3', '0')
    """
    if share in (0, 1):
        return str(100 * int(share))
    # Round as a fraction, because a float of a share just below 1 would round to 1.
    step = 10**places
    hundredths = round(share * 100 * step)
    if hundredths == 0:
        return f"<{1 / step:.{places}f}"
    if hundredths == 100 * step:
        return f">{100 - 1 / step:.{places}f}"
    return f"{hundredths / step:.{places}f}"


def signed(n: int) -> str:
    """A whole number with a minus sign as wide as a digit.

    >>> signed(-2), signed(3)
    ('−2', '3')
    """
    return f"−{-n}" if n < 0 else str(n)


def cell_text(cell: Cell) -> str:
    """A cell as text: a share in percent, a number with its sign, a text unchanged."""
    if isinstance(cell, Fraction):
        return percent(cell, 2)
    return signed(cell) if isinstance(cell, int) else cell


@dataclass(frozen=True, slots=True)
class DataTable:
    """The numbers of a picture in rows; a `Fraction` is exact odds, shown in percent."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def text(self) -> str:
        """The rows as lines in columns, the first aligned left and the others right.

        >>> rows = ("success", Fraction(1, 3)), ("failure", Fraction(2, 3))
        >>> print(DataTable(("outcome", "odds"), rows).text())
        outcome     odds
        success  33.33 %
        failure  66.67 %
        """
        texts = [self.head]
        for row in self.rows:
            texts.append(tuple(map(cell_text, row)))
        return "\n".join(in_columns(texts))


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text as lines in columns, the first aligned left and the others right."""
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    return ["  ".join([row[0].ljust(first), *map(str.rjust, row[1:], others)]) for row in rows]
