"""Narrative dice: a Triumph is a success too, a Despair a failure too, and neither is cancelled for itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from storypool import systems
from storypool.engine.bag import Bag
from tests.enumerated import Odds, Request, Rolled, Row, chance, shares, singles, some, symbols

SYMBOLS = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")


def net_roll(key: str, pool: Bag) -> Odds:
    """Net success, net advantage, Triumph, Despair, and pips where Force dice are among the others, or alone."""

    def net(s: int, f: int, a: int, t: int, triumph: int, despair: int, light: int, dark: int) -> Row:
        if set(pool) == {"force"}:
            return light, dark
        row = (s + triumph - f - despair, a - t, triumph, despair)
        return (*row, light, dark) if pool["force"] else row

    tally = Counter[Row]()
    for roll, n in symbols(key, tuple(singles(pool)), SYMBOLS).items():
        tally[net(*roll)] += n
    return shares(tally)


def asked(key: str, draw: random.Random) -> Iterator[Request]:
    """Pools alone, Force dice among them where the game has any, and contests under each tie-break."""
    names = [die.name for die in systems.dice(key).DICE]
    sides = [name for name in names if name != "force"]
    while True:
        yield Request(some(draw, names, 4))
        rule = {"competitive_tiebreak": draw.choice(["triumph", "advantage", "none"])}
        yield Request(some(draw, sides, 3), rule if draw.random() < 0.9 else {}, some(draw, sides, 3))


def rolled(key: str, request: Request) -> Rolled:
    """Net at least one of each; or who wins: whoever succeeds more, then the tie-break, and nobody who fails."""
    joint = net_roll(key, request.pool)
    if request.against is None:
        if set(request.pool) == {"force"}:
            return Rolled(
                joint,
                {"light": chance(joint, lambda light, _: light > 0), "dark": chance(joint, lambda _, dark: dark > 0)},
            )
        outcomes = {
            "success": chance(joint, lambda s, *_: s > 0),
            "failure": chance(joint, lambda s, *_: s < 0),
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

    won = dict.fromkeys(("active", "tie", "opponent"), Fraction(0))
    for (mine, p), (theirs, q) in product(joint.items(), net_roll(key, request.against).items()):
        ours, other = place(*mine), place(*theirs)
        won["active" if ours > other else "opponent" if ours < other else "tie"] += p * q
    return Rolled(joint, won)
