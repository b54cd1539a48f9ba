"""Dune: twenty-sided dice against a target number."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from storypool.engine.bag import Bag
from tests.enumerated import Odds, Request, Rolled, Row, chance, shares, singles, symbols


def asked(key: str, draw: random.Random) -> Iterator[Request]:
    """Tests with focus, helpers, dice at 1 or a re-roll; contests in two styles; challenge dice."""

    def numbers(side: str = "") -> dict[str, str]:
        found = {
            "target": draw.randint(1, 20),
            "focus": draw.randint(0, 12),
            "range": draw.randint(1, 5),
        }
        return {
            f"{side}{name}": str(n)
            for name, n in found.items()
            if name == "target" or draw.random() < 0.7
        }

    for n in range(1, 5):
        yield Request(Bag(challenge=n))
    while True:
        terms = numbers() | {"difficulty": str(draw.randint(0, 5))}
        pool, ones = Bag(d20=draw.randint(1, 2)), draw.randint(0, 1)
        if draw.random() < 0.3:
            pool += Bag(automatic=ones)
        elif draw.random() < 0.3:
            terms["ones"] = str(ones)
        if draw.random() < 0.2:
            terms["reroll"] = draw.choice(["none", "failed"])
            pool = Bag(d20=1) if draw.random() < 0.95 else Bag(d20=2)
            terms.pop("ones", None)
        elif draw.random() < 0.3:
            aid = draw.randint(1, 20)
            terms["assist"] = draw.choice([f"{aid}", f"{aid}:{draw.randint(0, 10)}"])
            pool = Bag(d20=1)
        yield Request(pool, terms)
        style = {"contest_style": "dune", "defence": str(draw.randint(0, 2))}
        if draw.random() < 0.5:
            style = {"contest_style": "srd", "difficulty": str(draw.randint(0, 3))}
        other = numbers("their_") if draw.random() < 0.8 else {}
        yield Request(Bag(d20=1), numbers() | other | style, Bag(d20=draw.randint(1, 2)))


def d20(n: int, target: int, focus: int, span: int) -> tuple[int, int]:
    """The successes and complications of one number: only up to the target succeeds."""
    return (2 if n == 1 or n <= min(focus, target) else int(n <= target)), int(n > 20 - span)


def of_test(request: Request, pool: Bag, side: str = "") -> Odds:
    """The successes and complications; helpers' successes need one of the leader's."""

    def number(name: str, usual: int) -> int:
        return int(request.terms.get(f"{side}{name}", request.terms.get(name, str(usual))))

    target, focus, span = number("target", 0), number("focus", 1), number("range", 1)
    difficulty = number("difficulty", 1)
    ones = pool["automatic"] or int(request.terms.get(f"{side}ones", "0"))
    again = request.terms.get("reroll") == "failed"
    helpers = list[tuple[int, int]]()
    for one in filter(None, request.terms.get(f"{side}assist", "").split(",")):
        helper, _, critical = one.partition(":")
        helpers.append((int(helper), int(critical or 1)))
    dice = pool["d20"] + pool["automatic"] - ones
    read = [d20(n, target, focus, span) for n in range(1, 21)]
    odds = Counter[Row]()
    for roll in product(range(20), repeat=dice + len(helpers)):
        lead = [read[n] for n in roll[:dice]]
        aids = [d20(n + 1, *helper, span) for n, helper in zip(roll[dice:], helpers, strict=True)]
        aided, trouble = sum(s for s, _ in aids), sum(c for _, c in aids)

        def total(
            lead: Sequence[tuple[int, int]], aided: int = aided, trouble: int = trouble
        ) -> Row:
            own = 2 * ones + sum(s for s, _ in lead)
            return (own + aided if own else 0), sum(c for _, c in lead) + trouble

        kept = [one for one in lead if one[0]]
        dull = len(lead) - len(kept)
        if again and dull and total(lead)[0] < difficulty:
            for new in product(read, repeat=dull):
                odds[total([*kept, *new])] += 20 ** (dice - dull)
        else:
            odds[total(lead)] += 20**dice if again else 1
    return shares(odds)


def rolled(key: str, request: Request) -> Rolled:
    """Whether a test passes, or who wins a contest in its style."""
    if request.pool["challenge"]:
        tally = Counter[Row]()
        for (harm, special), n in symbols(
            key, tuple(singles(request.pool)), ("harm", "special")
        ).items():
            tally[harm, special] += n
        joint = shares(tally)
        return Rolled(joint, {"effect": chance(joint, lambda harm, special: special > 0)})
    joint = of_test(request, request.pool)
    if request.against is None:
        difficulty = int(request.terms.get("difficulty", "1"))
        return Rolled(
            joint,
            {
                "pass": chance(joint, lambda s, _: s >= difficulty),
                "fail": chance(joint, lambda s, _: s < difficulty),
                "complication": chance(joint, lambda _, c: c > 0),
            },
        )
    won = dict.fromkeys(("active", "tie", "opponent"), Fraction(0))
    srd, need = request.terms["contest_style"] == "srd", int(request.terms.get("difficulty", "1"))
    other = of_test(request, request.against, "their_")
    for ((mine, _), p), ((theirs, _), q) in product(joint.items(), other.items()):
        if not srd:
            winner = "active" if mine >= theirs + int(request.terms["defence"]) else "opponent"
        elif mine < need and theirs < need:
            winner = "tie"
        else:
            winner = "active" if mine >= need and mine >= theirs else "opponent"
        won[winner] += p * q
    return Rolled(joint, won)
