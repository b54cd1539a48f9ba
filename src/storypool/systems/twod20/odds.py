"""Odds of 2d20 pools: a test with helpers and a re-roll, two contests, challenge dice.

Source: dune.md 4.1, 4.2 and 4.7.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, ge, odds
from storypool.odds.question import Question, Reckoned, Terms, no_odds, within_limits
from storypool.systems.twod20.dice import CHALLENGE, D20, MOST, ONE, SIDES, bound

CHALLENGE_AXES = Axes({"harm": Bag(total=1), "special": Bag(effects=1)}, {})
RESULT = ("successes", "complications")
_LEADER = Axes(
    {
        "success": Bag(successes=1),
        "complication": Bag(complications=1),
        "blank": Bag(blanks=1),
        "blank complication": Bag(complications=1, blank_complications=1),
    },
    {},
)
MAX_HELPERS = 10
TEST = ("target", "focus", "difficulty", "range", "ones", "assist", "reroll")
"""The terms of a test."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What one side of a test rolls against; `helpers` are their targets and focuses."""

    dice: int
    target: int
    focus: int = 1
    range: int = 1
    ones: int = 0
    helpers: tuple[tuple[int, int], ...] = ()


def reckoned(system: str, question: Question) -> Reckoned:
    """The odds of a pool, or of a contest of two.

    A test takes `target`, `focus` (the highest face that counts twice), `difficulty`, `range`,
    `ones`, `assist` (helpers as target:focus, separated by commas) and `reroll` (none, or failed:
    when the test fails, every die without a success is rolled once more). In a contest the other
    side has the same numbers unless `their_target` and so on differ; `contest_style` is dune or
    srd, and `defence` counts defensive assets. `Refused` says what is wrong.
    """
    if question.pool[CHALLENGE.name]:
        return _challenge(system, question)
    if question.against is not None:
        return _contest(system, question, question.against)
    known = TestTerms(question.terms, TEST)
    mine, difficulty = known.numbers(question.pool), known.number("difficulty", 1, 0, 30)
    again = known.choice("reroll", ("none", "failed")) == "failed"
    found = of_test(mine, difficulty, again)
    outcomes = {
        "pass": found.p(successes=ge(difficulty)),
        "fail": 1 - found.p(successes=ge(difficulty)),
        "complication": found.p(complications=ge(1)),
    }
    momentum = found.mean(lambda successes: max(0, successes - difficulty))
    assumed = {} if "difficulty" in question.terms else {"difficulty": str(difficulty)}
    return Reckoned(
        system, question, found, outcomes=outcomes, means={"momentum": momentum}, assumed=assumed
    )


def of_test(side: Numbers, difficulty: int = 0, again: bool = False) -> Distribution:
    """The joint odds of successes and complications; `again` re-rolls each failed die."""
    die = _split(side)
    lead = odds({die: side.dice - side.ones, ONE: side.ones}, _LEADER)
    helpers = Distribution.from_outcomes(RESULT, {(0, 0): 1})
    for target, focus in side.helpers:
        helpers = helpers + _of(bound("helper", target, focus, side.range))
    both = lead.combine(
        helpers, ("s", "c", "blanks", "bc", "hs", "hc"), lambda mine, theirs: mine + theirs
    )

    def settled(s: int, c: int, blanks: int, bc: int, hs: int, hc: int) -> Distribution:
        if not again or with_help(s, hs) >= difficulty:
            return Distribution.from_outcomes(RESULT, {(with_help(s, hs), c + hc): 1})
        more = odds({die: blanks}, _LEADER).on(*RESULT)
        return more.map(RESULT, lambda *new: (with_help(s + new[0], hs), c - bc + new[1] + hc))

    return both.then(settled)


def with_help(successes: int, helpers: int) -> int:
    """A leader's successes with the helpers', which only count if the leader has at least one.

    Source: dune.md 4.1.
    """
    return successes + helpers if successes else 0


def _split(side: Numbers) -> Die:
    """The bound die with its failed faces marked, because a re-roll takes those dice."""

    def face(symbols: Bag) -> Bag:
        if symbols["success"]:
            return symbols
        return Bag({"blank": 1, "blank complication": symbols["complication"]})

    whole = bound("d20", side.target, side.focus, side.range)
    return replace(whole, faces=tuple(map(face, whole.faces)))


def _of(die: Die) -> Distribution:
    return odds(
        [die], Axes({"success": Bag(successes=1), "complication": Bag(complications=1)}, {})
    )


def _contest(system: str, question: Question, against: Bag) -> Reckoned:
    """The odds of who wins.

    Dune: the opponent's successes and assets are the Difficulty, and meeting it wins. SRD: both
    test against one Difficulty, and of those who pass the one with more Momentum wins, the active
    side on a tie; `tie` means that neither passes, so nothing happens. Source: dune.md 4.2.
    """
    sides = ("target", "focus", "range", "ones", "assist")
    known = TestTerms(
        question.terms,
        (*sides, *[f"their_{name}" for name in sides], "contest_style", "defence", "difficulty"),
    )
    style = known.choice("contest_style", ("dune", "srd"))
    if style == "dune" and "difficulty" in question.terms:
        raise no_odds("style", "difficulty")
    need, extra = known.number("difficulty", 1, 0, 30), known.number("defence", 0, 0, 30)
    mine, theirs = of_test(known.numbers(question.pool)), of_test(known.numbers(against, "their_"))
    both = mine.combine(theirs.on("successes"), ("a", "c", "o"), lambda a, o: (*a, *o))
    if style == "dune":
        won = both.p(lambda a, o: a >= o + extra)
        outcomes = {"active": won, "tie": Fraction(0), "opponent": 1 - won}
        momentum = both.mean(lambda a, o: max(0, a - o - extra))
        lost = both.mean(lambda a, o: max(0, o + extra - a))
    else:
        neither = both.p(lambda a, o: a < need and o < need)
        won = both.p(lambda a, o: a >= need and a >= o)
        outcomes = {"active": won, "tie": neither, "opponent": 1 - won - neither}
        momentum = both.mean(lambda a, o: a - max(o, need) if a >= need and a >= o else 0)
        lost = both.mean(lambda a, o: o - max(a, need) if o >= need and o > a else 0)
    return Reckoned(
        system, question, mine, outcomes, {"momentum": momentum, "opponent_momentum": lost}
    )


def _challenge(system: str, question: Question) -> Reckoned:
    """The odds of the total and the effects of challenge dice, which no other dice join."""
    if set(question.pool) != {CHALLENGE.name} or question.against is not None:
        raise no_odds("alone", "pool", die=CHALLENGE.name)
    Terms(question.terms, ())
    with within_limits():
        found = odds({CHALLENGE: question.pool[CHALLENGE.name]}, CHALLENGE_AXES)
        return Reckoned(system, question, found, {"effect": found.p(effects=ge(1))})


class TestTerms(Terms):
    """The terms of a test: what either side of it rolls against."""

    def numbers(self, pool: Bag, side: str = "") -> Numbers:
        """The roll of one side: dice from its pool, the rest from terms that begin with `side`."""
        dice = pool[D20.name] + pool[ONE.name]
        if not 1 <= dice <= MOST or set(pool) - {D20.name, ONE.name}:
            reason = "test.dice" if not 1 <= dice <= MOST else "test.other"
            raise no_odds(reason, "against" if side else "pool", most=MOST, n=dice, die=D20.name)
        keys = ("target", "focus", "range")
        own = {key: f"{side}{key}" for key in keys if f"{side}{key}" in self.given}
        return Numbers(
            dice,
            self.number(own.get("target", "target"), None, 1, SIDES),
            self.number(own.get("focus", "focus"), 1, 0, SIDES),
            range=self.number(own.get("range", "range"), 1, 1, 5),
            ones=self.number(f"{side}ones", pool[ONE.name], pool[ONE.name], dice),
            helpers=self.helpers(f"{side}assist"),
        )

    def helpers(self, key: str) -> tuple[tuple[int, int], ...]:
        """Helpers from target:focus pairs with commas between; a focus of 1 may be left out."""
        found: list[tuple[int, int]] = []
        for one in filter(None, self.given.get(key, "").split(",")):
            target, _, focus = one.partition(":")
            numbers = [int(n) for n in (target, focus or "1") if n.isdecimal() and len(n) < 3]
            known = len(numbers) == 2 and 1 <= numbers[0] <= SIDES and numbers[1] <= SIDES
            if not known or len(found) == MAX_HELPERS:
                raise no_odds("helpers", key, key=key, most=MAX_HELPERS, high=SIDES, got=one[:12])
            found.append((numbers[0], numbers[1]))
        return tuple(found)
