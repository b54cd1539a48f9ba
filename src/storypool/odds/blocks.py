"""Text bars for a terminal: eighths of a character where the output allows, else hashes."""

from fractions import Fraction

EIGHTHS = " ▏▎▍▌▋▊▉█"
"""A character filled from the left, by the number of eighths."""


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
