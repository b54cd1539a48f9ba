"""Narrative dice: a Triumph is also a success, a Despair a failure; neither is cancelled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from storypool import systems
from storypool.engine.bag import Bag
from tests.enumerated import Request, Rolled, Row, chance, shares, singles, some, symbols

SYMBOLS = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")


def net_roll(key: str, pool: Bag) -> Counter[Row]:
    """The frequency of each net success, net advantage, Triumphs, Despairs, and Force pips."""

    def net(
        s: int, f: int, a: int, t: int, triumph: int, despair: int, light: int, dark: int
    ) -> Row:
        if set(pool) == {"force"}:
            return light, dark
        row = (s + triumph - f - despair, a - t, triumph, despair)
        return (*row, light, dark) if pool["force"] else row

    tally = Counter[Row]()
    for roll, n in symbols(key, tuple(singles(pool)), SYMBOLS).items():
        tally[net(*roll)] += n
    return tally


def asked(key: str, draw: random.Random) -> Iterator[Request]:
    """Pools alone, with Force dice if the game has them, and contests under each tiebreak."""
    names = [die.name for die in systems.dice(key).DICE]
    sides = [name for name in names if name != "force"]
    while True:
        yield Request(some(draw, names, 4))
        rule = {"competitive_tiebreak": draw.choice(["triumph", "advantage", "none"])}
        terms = rule if draw.random() < 0.9 else {}
        yield Request(some(draw, sides, 3), terms, some(draw, sides, 3))


def rolled(key: str, request: Request) -> Rolled:
    """Net at least one of each; or the winner: most successes, then the tiebreak; no failures."""
    mine = net_roll(key, request.pool)
    joint = shares(mine)
    if request.against is None:
        if set(request.pool) == {"force"}:
            return Rolled(
                joint,
                {
                    "light": chance(joint, lambda light, _: light > 0),
                    "dark": chance(joint, lambda _, dark: dark > 0),
                },
            )
        outcomes = {
            "success": chance(joint, lambda s, *_: s > 0),
            "failure": chance(joint, lambda s, *_: s <= 0),
            "advantage": chance(joint, lambda s, a, *_: a > 0),
            "threat": chance(joint, lambda s, a, *_: a < 0),
            "triumph": chance(joint, lambda s, a, t, *_: t > 0),
            "despair": chance(joint, lambda s, a, t, d, *_: d > 0),
        }
        if request.pool["force"]:
            outcomes["light"] = chance(joint, lambda *row: row[4] > 0)
            outcomes["dark"] = chance(joint, lambda *row: row[5] > 0)
        return Rolled(joint, outcomes)
    rule = request.terms.get("competitive_tiebreak", "triumph")

    def place(success: int, advantage: int, triumph: int, despair: int) -> Row:
        if success < 1:
            return (0,)
        return {
            "triumph": (success, triumph, advantage),
            "advantage": (success, advantage, triumph),
            "none": (success,),
        }[rule]

    def placed(tally: Mapping[Row, int]) -> Counter[Row]:
        found = Counter[Row]()
        for row, n in tally.items():
            found[place(*row)] += n
        return found

    won = dict.fromkeys(("active", "tie", "opponent"), 0)
    sides = placed(mine), placed(net_roll(key, request.against))
    for (ours, n), (other, m) in product(*(side.items() for side in sides)):
        if ours > other:
            won["active"] += n * m
        elif ours < other:
            won["opponent"] += n * m
        else:
            won["tie"] += n * m
    return Rolled(joint, {name: Fraction(n, sum(won.values())) for name, n in won.items()})
