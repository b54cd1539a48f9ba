"""Destiny Dice: Hope adds one to the margin, Despair takes one; the other side is mirrored."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from tests.enumerated import Request, Rolled, Row, chance, shares, singles, some, symbols

SYMBOLS = ("success", "failure", "advantage", "disadvantage", "hope", "despair")
MIRROR = {"skill": "difficulty", "expertise": "challenge", "aid": "hindrance"}
MIRROR |= {other: die for die, other in MIRROR.items()}


def asked(key: str, draw: random.Random) -> Iterator[Request]:
    """Pools alone and against another, with Hope cancelled or not."""
    names = sorted(MIRROR)
    while True:
        terms = draw.choice(
            [{}, {"hope_success_uncancellable": "no"}, {"hope_success_uncancellable": "yes"}]
        )
        yield Request(some(draw, names, 4), terms)
        yield Request(some(draw, names, 2), terms, some(draw, names, 2))


def rolled(key: str, request: Request) -> Rolled:
    """The margin, net advantage, Hope and Despair of both sides' dice in one roll."""
    stands = request.terms.get("hope_success_uncancellable") == "yes"
    both = [*singles(request.pool), *(MIRROR[die] for die in singles(request.against or {}))]
    tally = Counter[Row]()
    for (success, failure, plus, minus, hope, despair), n in symbols(
        key, tuple(sorted(both)), SYMBOLS
    ).items():
        others = success - failure - despair
        # A Hope that is never cancelled adds to the net of the others.
        margin = hope + max(others, 0) if stands and hope else hope + others
        tally[margin, plus - minus, hope, despair] += n
    joint = shares(tally)
    if request.against is not None:
        won = {
            "active": chance(joint, lambda m, *_: m > 0),
            "tie": chance(joint, lambda m, *_: m == 0),
            "opponent": chance(joint, lambda m, *_: m < 0),
        }
        return Rolled(joint, won)
    return Rolled(
        joint,
        {
            "succeed": chance(joint, lambda m, *_: m > 0),
            "style": chance(joint, lambda m, *_: m > 2),
            "tie": chance(joint, lambda m, *_: m == 0),
            "fail": chance(joint, lambda m, *_: m < 0),
            "advantage": chance(joint, lambda m, a, *_: a > 0),
            "disadvantage": chance(joint, lambda m, a, *_: a < 0),
            "hope": chance(joint, lambda m, a, h, d: h > 0),
            "despair": chance(joint, lambda m, a, h, d: d > 0),
        },
    )
