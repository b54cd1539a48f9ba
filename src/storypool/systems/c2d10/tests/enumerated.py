"""C2D10: 7 and 8 succeed, 9 twice. A 0 is a zero, on a crisis die a crisis zero."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from tests.enumerated import Request, Rolled, Row, chance, shares, some


def asked(key: str, draw: random.Random) -> Iterator[Request]:
    """Tests with DCs, crisis dice and points for re-rolls, and contests under each tie rule."""
    while True:
        pool = some(draw, ("d10", "crisis"), 3)
        terms = {"dc": str(draw.randint(0, 7)), "crisis": str(draw.randint(0, 3))}
        if draw.random() < 0.6:
            terms["rerolls"] = str(draw.randint(0, 4 - pool.total))
        yield Request(pool, {name: value for name, value in terms.items() if draw.random() < 0.9})
        ties = {
            "contest_tie": draw.choice(["draw", "defender", "reroll"]),
            "crisis": str(draw.randint(0, 2)),
        }
        yield Request(some(draw, ("d10", "crisis"), 3), ties, some(draw, ("d10", "crisis"), 3))


def successes(n: int) -> int:
    """The successes of a number."""
    return 2 if n == 9 else int(n in (7, 8))


@cache
def of_test(regular: int, crisis: int, dc: int, points: int) -> Counter[Row]:
    """Successes, zeros, crisis zeros, messes, points spent.

    A roll has weight ten for each unspent point.
    """
    tally = Counter[Row]()

    def settle(mine: list[int], crises: tuple[int, ...], left: int, weight: int) -> None:
        reached = sum(map(successes, mine)) + sum(map(successes, crises))
        dull = sorted(n for n in mine if n < 7)
        if reached >= dc or not left or not dull:
            tally[reached, mine.count(0), crises.count(0), crises.count(9), points - left] += (
                weight * 10**left
            )
            return
        # One at a time, a 0 before other failures.
        mine.remove(dull[0])
        for n in range(10):
            settle([*mine, n], crises, left - 1, weight)

    for roll in product(range(10), repeat=regular + crisis):
        settle(list(roll[:regular]), roll[regular:], points, 1)
    return tally


def of_side(pool: Mapping[str, int], crisis: int = 0) -> tuple[int, int]:
    """The regular and crisis dice of a side, some regular ones replaced."""
    replaced = min(crisis, pool.get("d10", 0))
    return pool.get("d10", 0) - replaced, pool.get("crisis", 0) + replaced


def rolled(key: str, request: Request) -> Rolled:
    """A test passes with as many successes as its DC; in a contest more successes win."""
    mine = of_side(request.pool, int(request.terms.get("crisis", "0")))
    if request.against is None:
        dc, points = int(request.terms.get("dc", "2")), int(request.terms.get("rerolls", "0"))
        counts = Counter[Row]()
        messy = 0
        tally = of_test(*mine, dc, points)
        for (*row, messes, _), n in tally.items():
            counts[tuple(row)] += n
            messy += n if row[0] >= dc and messes else 0
        joint = shares(counts)
        return Rolled(
            joint,
            {
                "pass": chance(joint, lambda s, *_: s >= dc),
                "fail": chance(joint, lambda s, *_: s < dc),
                "setback": chance(joint, lambda s, zeros, _: s < dc and zeros > 0),
                "complication": chance(joint, lambda s, zeros, crisis: crisis > 0),
                "mess": Fraction(messy, tally.total()),
            },
        )
    sides = []
    for side in (mine, of_side(request.against)):
        counts = Counter[Row]()
        for (*row, _, _), n in of_test(*side, 0, 0).items():
            counts[tuple(row)] += n
        sides.append(shares(counts))
    more = equal = less = Fraction(0)
    for (a, p), (b, q) in product(sides[0].items(), sides[1].items()):
        if a[0] > b[0]:
            more += p * q
        elif a[0] < b[0]:
            less += p * q
        else:
            equal += p * q
    match request.terms["contest_tie"]:
        case "defender":
            won = more, Fraction(0), less + equal
        case "reroll" if equal < 1:
            # Re-rolled until it is decided.
            won = more / (more + less), Fraction(0), less / (more + less)
        case _:
            won = more, equal, less
    return Rolled(sides[0], dict(zip(("active", "tie", "opponent"), won, strict=True)))
