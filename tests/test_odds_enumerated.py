"""Every game's odds against rolling everything: random small pools, each face of each die laid beside each other's.

What is rolled here is written out in plain arithmetic and shares no code with the odds: only the faces are the game's.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.tries import tries

REQUESTS = tries(2000)
"""Different questions asked of each game."""

MOST_ROLLS = 5000
"""Ways in which the dice of one side can fall, at the most."""

Row = tuple[int, ...]
Odds = Mapping[Any, Fraction]


@dataclass(frozen=True)
class Request:
    """A pool, the terms it is rolled under, and the other side's pool in a contest."""

    pool: Bag
    terms: Mapping[str, str] = field(default_factory=dict)
    against: Bag | None = None

    def key(self) -> object:
        """What makes it another request."""
        return self.pool, tuple(sorted(self.terms.items())), self.against


@dataclass(frozen=True)
class Rolled:
    """What came up: the odds of each row on the axes of the answer, and of each outcome."""

    joint: Odds
    outcomes: Odds


@cache
def faces(key: str, die: str) -> tuple[Bag, ...]:
    """The faces of a game's die."""
    return next(one.faces for one in systems.dice(key).DICE if one.name == die)


def singles(pool: Mapping[str, int]) -> list[str]:
    """The dice of a pool one by one, in alphabetical order."""
    return [name for name in sorted(pool) for _ in range(pool[name])]


def shares(tally: Mapping[Any, int]) -> Odds:
    """Counts as odds."""
    total = sum(tally.values())
    return {row: Fraction(n, total) for row, n in tally.items() if n}


def chance(joint: Odds, holds: Callable[..., bool]) -> Fraction:
    """The odds of the rows for which it holds."""
    return sum((odds for row, odds in joint.items() if holds(*row)), Fraction(0))


@cache
def symbols(key: str, dice: tuple[str, ...], read: tuple[str, ...]) -> Counter[Row]:
    """How often each count of these symbols comes up when every die shows every face once."""
    shown = [[tuple(face[symbol] for symbol in read) for face in faces(key, die)] for die in dice]
    zero = (0,) * len(read)
    return Counter(tuple(map(sum, zip(zero, *roll, strict=True))) for roll in product(*shown))


def some(draw: random.Random, names: Sequence[str], most: int) -> Bag:
    """One to `most` dice, drawn anew each time."""
    return Bag(draw.choices(names, k=draw.randint(1, most)))


# Narrative dice: a Triumph is a success too, a Despair a failure too, and neither is cancelled for itself.

NARRATIVE = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")


def narrative_roll(key: str, pool: Bag) -> Counter[Row]:
    """How often each row comes up.

    Net success, net advantage, Triumph, Despair, and pips where Force dice are among the others, or alone.
    """

    def net(s: int, f: int, a: int, t: int, triumph: int, despair: int, light: int, dark: int) -> Row:
        if set(pool) == {"force"}:
            return light, dark
        row = (s + triumph - f - despair, a - t, triumph, despair)
        return (*row, light, dark) if pool["force"] else row

    tally = Counter[Row]()
    for roll, n in symbols(key, tuple(singles(pool)), NARRATIVE).items():
        tally[net(*roll)] += n
    return tally


def narrative(key: str, draw: random.Random) -> Iterator[Request]:
    """Pools alone, Force dice among them where the game has any, and contests under each tie-break."""
    names = [die.name for die in systems.dice(key).DICE]
    sides = [name for name in names if name != "force"]
    while True:
        yield Request(some(draw, names, 4))
        rule = {"competitive_tiebreak": draw.choice(["triumph", "advantage", "none"])}
        yield Request(some(draw, sides, 3), rule if draw.random() < 0.9 else {}, some(draw, sides, 3))


def rolled_narrative(key: str, request: Request) -> Rolled:
    """Net at least one of each; or who wins: whoever succeeds more, then the tie-break, and nobody who fails."""
    mine = narrative_roll(key, request.pool)
    joint = shares(mine)
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

    def placed(tally: Mapping[Row, int]) -> Counter[Row]:
        found = Counter[Row]()
        for row, n in tally.items():
            found[place(*row)] += n
        return found

    won = dict.fromkeys(("active", "tie", "opponent"), 0)
    sides = placed(mine), placed(narrative_roll(key, request.against))
    for (ours, n), (other, m) in product(*(side.items() for side in sides)):
        won["active" if ours > other else "opponent" if ours < other else "tie"] += n * m
    return Rolled(joint, {name: Fraction(n, sum(won.values())) for name, n in won.items()})


# Destiny Dice: Hope counts once in the margin, Despair once against it; the other side's dice are mirrored.

DESTINY = ("success", "failure", "advantage", "disadvantage", "hope", "despair")
DESTINY_MIRROR = {"skill": "difficulty", "expertise": "challenge", "aid": "hindrance"}
DESTINY_MIRROR |= {other: die for die, other in DESTINY_MIRROR.items()}


def destiny(key: str, draw: random.Random) -> Iterator[Request]:
    """Pools alone and against another, Hope cancelled or not."""
    names = sorted(DESTINY_MIRROR)
    while True:
        terms = draw.choice([{}, {"hope_success_uncancellable": "no"}, {"hope_success_uncancellable": "yes"}])
        yield Request(some(draw, names, 4), terms)
        yield Request(some(draw, names, 2), terms, some(draw, names, 2))


def rolled_destiny(key: str, request: Request) -> Rolled:
    """The margin, net advantage, Hope and Despair of both sides' dice in one roll."""
    stands = request.terms.get("hope_success_uncancellable") == "yes"
    both = [*singles(request.pool), *(DESTINY_MIRROR[die] for die in singles(request.against or {}))]
    tally = Counter[Row]()
    for (success, failure, plus, minus, hope, despair), n in symbols(key, tuple(sorted(both)), DESTINY).items():
        others = success - failure - despair
        # What Hope adds stands above whatever the others come to, where it is never cancelled.
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


# C2D10: numbers 0 to 9; 7 and 8 succeed, 9 twice. A 0 is a zero, on a crisis die one of its own.


def c2d10(key: str, draw: random.Random) -> Iterator[Request]:
    """Tests with difficulties, crisis dice and points for rolling again, and contests under each rule for ties."""
    while True:
        pool = some(draw, ("d10", "crisis"), 3)
        terms = {"dc": str(draw.randint(0, 7)), "crisis": str(draw.randint(0, 3))}
        if draw.random() < 0.6:
            terms["rerolls"] = str(draw.randint(0, 4 - pool.total))
        yield Request(pool, {name: value for name, value in terms.items() if draw.random() < 0.9})
        ties = {"contest_tie": draw.choice(["draw", "defender", "reroll"]), "crisis": str(draw.randint(0, 2))}
        yield Request(some(draw, ("d10", "crisis"), 3), ties, some(draw, ("d10", "crisis"), 3))


def c2d10_successes(n: int) -> int:
    """What a number counts."""
    return 2 if n == 9 else int(n in (7, 8))


@cache
def c2d10_test(regular: int, crisis: int, dc: int, points: int) -> Counter[Row]:
    """Successes, zeros, crisis zeros and points spent; each roll counts ten times for each point that was not spent."""
    tally = Counter[Row]()

    def settle(mine: list[int], crises: tuple[int, ...], left: int, weight: int) -> None:
        reached = sum(map(c2d10_successes, mine)) + sum(map(c2d10_successes, crises))
        dull = sorted(n for n in mine if n < 7)
        if reached >= dc or not left or not dull:
            tally[reached, mine.count(0), crises.count(0), points - left] += weight * 10**left
            return
        # One at a time, a 0 before any other that is no success.
        mine.remove(dull[0])
        for n in range(10):
            settle([*mine, n], crises, left - 1, weight)

    for roll in product(range(10), repeat=regular + crisis):
        settle(list(roll[:regular]), roll[regular:], points, 1)
    return tally


def c2d10_side(pool: Mapping[str, int], crisis: int = 0) -> tuple[int, int]:
    """How many regular and crisis dice a side rolls, so many of the regular ones replaced."""
    replaced = min(crisis, pool.get("d10", 0))
    return pool.get("d10", 0) - replaced, pool.get("crisis", 0) + replaced


def rolled_c2d10(key: str, request: Request) -> Rolled:
    """A test passes with as many successes as its difficulty; in a contest more successes win."""
    mine = c2d10_side(request.pool, int(request.terms.get("crisis", "0")))
    if request.against is None:
        dc, points = int(request.terms.get("dc", "2")), int(request.terms.get("rerolls", "0"))
        told = Counter[Row]()
        for (*row, _), n in c2d10_test(*mine, dc, points).items():
            told[tuple(row)] += n
        joint = shares(told)
        return Rolled(
            joint,
            {
                "pass": chance(joint, lambda s, *_: s >= dc),
                "fail": chance(joint, lambda s, *_: s < dc),
                "setback": chance(joint, lambda s, zeros, _: s < dc and zeros > 0),
                "complication": chance(joint, lambda s, zeros, crisis: crisis > 0),
            },
        )
    sides = []
    for side in (mine, c2d10_side(request.against)):
        told = Counter[Row]()
        for (*row, _), n in c2d10_test(*side, 0, 0).items():
            told[tuple(row)] += n
        sides.append(shares(told))
    more, equal, less = (
        sum(
            (p * q for (a, p), (b, q) in product(*(s.items() for s in sides)) if (a[0] > b[0]) - (a[0] < b[0]) == sign),
            Fraction(0),
        )
        for sign in (1, 0, -1)
    )
    match request.terms["contest_tie"]:
        case "defender":
            won = more, Fraction(0), less + equal
        case "reroll" if equal < 1:
            # Rolled again until it is decided.
            won = more / (more + less), Fraction(0), less / (more + less)
        case _:
            won = more, equal, less
    return Rolled(sides[0], dict(zip(("active", "tie", "opponent"), won, strict=True)))


# Dune: twenty-sided dice against a target number.


def dune(key: str, draw: random.Random) -> Iterator[Request]:
    """Tests with and without focus, helpers, dice at 1 and a re-roll; contests in two styles; challenge dice."""

    def numbers(side: str = "") -> dict[str, str]:
        found = {"target": draw.randint(1, 20), "focus": draw.randint(0, 12), "range": draw.randint(1, 5)}
        return {f"{side}{name}": str(n) for name, n in found.items() if name == "target" or draw.random() < 0.7}

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
    """The successes and complications of one number: a 1 is always two successes, the highest are complications."""
    return (2 if n == 1 or n <= focus else int(n <= target)), int(n > 20 - span)


def dune_test(request: Request, pool: Bag, side: str = "") -> Odds:
    """The successes and complications of a test; a helper's successes count where the leader has one."""

    def number(name: str, usual: int) -> int:
        return int(request.terms.get(f"{side}{name}", request.terms.get(name, str(usual))))

    target, focus, span = number("target", 0), number("focus", 1), number("range", 1)
    difficulty = number("difficulty", 1)
    ones = pool["automatic"] or int(request.terms.get(f"{side}ones", "0"))
    again = request.terms.get("reroll") == "failed"
    helpers = [
        (int(one.split(":")[0]), int(one.split(":")[1]) if ":" in one else 1)
        for one in request.terms.get(f"{side}assist", "").split(",")
        if one
    ]
    dice = pool["d20"] + pool["automatic"] - ones
    read = [d20(n, target, focus, span) for n in range(1, 21)]
    odds = Counter[Row]()
    for roll in product(range(20), repeat=dice + len(helpers)):
        lead = [read[n] for n in roll[:dice]]
        aids = [d20(n + 1, *helper, span) for n, helper in zip(roll[dice:], helpers, strict=True)]
        aided, trouble = sum(s for s, _ in aids), sum(c for _, c in aids)

        def total(lead: Sequence[tuple[int, int]], aided: int = aided, trouble: int = trouble) -> Row:
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


def rolled_dune(key: str, request: Request) -> Rolled:
    """A test passes at its difficulty; in a contest the active side meets what the other has, or each meets one."""
    if request.pool["challenge"]:
        tally = Counter[Row]()
        for (harm, special), n in symbols(key, tuple(singles(request.pool)), ("harm", "special")).items():
            tally[harm, special] += n
        joint = shares(tally)
        return Rolled(joint, {"effect": chance(joint, lambda harm, special: special > 0)})
    joint = dune_test(request, request.pool)
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
    for ((mine, _), p), ((theirs, _), q) in product(
        joint.items(), dune_test(request, request.against, "their_").items()
    ):
        if not srd:
            winner = "active" if mine >= theirs + int(request.terms["defence"]) else "opponent"
        elif mine < need and theirs < need:
            winner = "tie"
        else:
            winner = "active" if mine >= need and mine >= theirs else "opponent"
        won[winner] += p * q
    return Rolled(joint, won)


GAMES: dict[str, tuple[Callable[[str, random.Random], Iterator[Request]], Callable[[str, Request], Rolled]]] = {
    "c2d10": (c2d10, rolled_c2d10),
    "destinydice": (destiny, rolled_destiny),
    "dune": (dune, rolled_dune),
    "genesys": (narrative, rolled_narrative),
    "starwars": (narrative, rolled_narrative),
}
"""How each game is asked and rolled here; a game without an entry fails."""


def requests(key: str) -> Iterator[Request]:
    """So many different requests, each small enough to roll."""
    known: set[object] = set()
    for request in GAMES[key][0](key, random.Random(key)):
        sides = [singles(side) for side in (request.pool, request.against or Bag())]
        rolls = [1, 1]
        for place, side in enumerate(sides):
            for die in side:
                rolls[place] *= len(faces(key, die))
        if max(rolls) <= MOST_ROLLS and request.key() not in known:
            known.add(request.key())
            yield request
        if len(known) == REQUESTS:
            return


def answer(key: str, request: Request) -> dict[str, Any]:
    """The odds as every surface tells them."""
    return systems.odds(key).reckon(Question(request.pool, request.terms, request.against)).plain()


@pytest.mark.parametrize("key", systems.names())
def test_odds_are_those_of_rolling_everything(key: str) -> None:
    """Thousands of different pools, alone and in contests, have the rows and outcomes that rolling every face gives."""
    asked = 0
    for request in requests(key):
        asked += 1
        told, rolled = answer(key, request), GAMES[key][1](key, request)
        assert dict(rolled.joint) == {tuple(row): Fraction(odds) for row, odds in told["joint"]}, request
        assert dict(rolled.outcomes) == {name: Fraction(odds) for name, odds in told["outcomes"].items()}, request
    assert asked == REQUESTS
