"""Roll every die of every game ten million times by sealed numbers, and test the faces.

    python -m tools.fairness [ROLLS] [SEED]

For each number of faces that a die of the games has, dice are rolled in rolls of eight, each with a
seed of its own and the numbers of two players, as at a table. Chi-square tests whether all faces
are equally frequent; the serial test does so for the pairs of a die and the one after it. Each p is
the chance of a value as high or higher from perfect dice. The result is always the same, because
everything follows from SEED.
"""

from __future__ import annotations

import hmac
import math
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from storypool import systems
from storypool.log.fair import FairFaces

ROLLS, SEED = 10_000_000, "storypool"
AT_ONCE = 8
"""The dice of one roll."""
UNLIKELY = 1e-5
"""Perfect dice give a lower p once in a hundred thousand tests."""


class Tested(NamedTuple):
    """The result for a die: its rolls, and of each test chi-square, degrees of freedom, and p."""

    sides: int
    rolls: int
    faces: tuple[float, int, float]
    pairs: tuple[float, int, float]

    @property
    def is_fair(self) -> bool:
        """Whether both tests pass."""
        return min(self.faces[2], self.pairs[2]) > UNLIKELY


def sides() -> list[int]:
    """The numbers of faces of all dice of all games that are rolled."""
    return sorted(
        {die.sides for key in systems.find() for die in systems.get(key).dice if die.sides > 1}
    )


def faces(sides: int, seed: str) -> Iterator[int]:
    """Faces from 0 to `sides` - 1 without end, rolled as at a table."""
    key, place = f"{seed} {sides}".encode(), 0
    while True:
        place += 1
        server, *numbers = (
            hmac.digest(key, f"{who} {place}".encode(), "sha256").hex()
            for who in ("server", "ann", "bo")
        )
        below = FairFaces(server, "test.fairness", place, numbers).below
        for _ in range(AT_ONCE):
            yield below(sides)


def tested(sides: int, rolls: int, seed: str) -> Tested:
    """Roll a die this often; test its faces, and the pairs of each odd and the next even roll."""
    pairs = [0] * sides**2
    drawn = faces(sides, seed)
    for first, second in islice(zip(drawn, drawn, strict=False), rolls // 2):
        pairs[first * sides + second] += 1
    singles = [sum(pairs[n * sides : (n + 1) * sides]) + sum(pairs[n::sides]) for n in range(sides)]
    return Tested(sides, sum(singles), chi_square(singles), chi_square(pairs))


def chi_square(counts: Sequence[int]) -> tuple[float, int, float]:
    """Chi-square against equal frequencies, its degrees of freedom, and p (Wilson-Hilferty)."""
    expected, free = sum(counts) / len(counts), len(counts) - 1
    value = sum((n - expected) ** 2 for n in counts) / expected
    spread = 2 / (9 * free)
    return (
        value,
        free,
        math.erfc(((value / free) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread)) / 2,
    )


def main(rolls: int = ROLLS, seed: str = SEED) -> int:
    """Print the result for each die as a table of Markdown."""
    print(
        "| faces | rolls | chi-square (degrees), p | serial: chi-square (degrees), p"
        " |\n|---|---|---|---|"
    )
    fair = True
    for n in sides():
        one = tested(n, rolls, seed)
        cells = (f"{value:.1f} ({free}), {p:.3f}" for value, free, p in (one.faces, one.pairs))
        print(f"| {n} | {one.rolls:,} | {' | '.join(cells)} |", flush=True)
        fair &= one.is_fair
    return 0 if fair else 1


if __name__ == "__main__":
    rolls, seed, *_ = [*sys.argv[1:], *(str(ROLLS), SEED)[len(sys.argv) - 1 :]]
    sys.exit(main(int(rolls), seed))
