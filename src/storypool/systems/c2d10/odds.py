"""Odds of this game's pools: tests with or without re-rolls, and contests.

Source: c2d10.md 2.1 to 2.3 and 2.5; rulings.md.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from math import comb

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes
from storypool.odds import Distribution, ge, le, odds
from storypool.odds.question import Question, Reckoned, Terms, no_odds, within_limits
from storypool.systems.c2d10.dice import ACTIVE, COUNTED, DICE, RIVAL

AXES = Axes({symbol: Bag({axis: 1}) for symbol, axis in COUNTED.items()}, {})
SHOWN = ("successes", "zeros", "crisis_zeros")
"""The axes of an answer; `distribution` has the messes too."""

USUAL_DC = 2
MAX_DC = 10
MAX_CRISIS = 60
MAX_POINTS = 20
"""The most points in a pool, and so the most re-rolls."""
MAX_ROLLED_AGAIN = 30
"""The most dice in a pool whose odds with re-rolls are computed."""

GAINS = ("hero", "villain", "none")
TIES = ("draw", "defender", "reroll")
AGAIN = ((1, 0, 1, 0), (6, 0, 0, 1), (2, 1, 0, 0), (1, 2, 0, 0))
"""The results of a re-rolled regular die, as rows: faces, successes, 0s, blanks."""
Ways = defaultdict[tuple[int, int, int], int]
BY_NAME = {die.name: die for die in DICE}


def reckon(question: Question) -> Reckoned:
    """The exact odds of a pool or a contest.

    A test takes `dc`, `crisis` (how many of the dice are crisis dice), `rerolls` (points held
    for re-rolls), and `gains` (who gets points for an excess: "hero" by default, "villain", or
    "none" as with bought dice). A contest, whose other side is `against` or stands in the pool
    after "vs", takes `crisis`, `contest_tie` and `gains`; the winner's excess is the difference
    in successes. `Refused` for an unknown term, a number out of range, and too many dice.
    """
    pool, terms, against = question.pool, question.terms, question.against
    rivals = pool.only(RIVAL.dice)
    if rivals and against is not None:
        raise no_odds("sides", "against")
    theirs = rivals if against is None else against
    # The other side's dice are computed under their plain names.
    both = zip(ACTIVE.dice, RIVAL.dice, strict=True)
    theirs = Bag({plain: theirs[plain] + theirs[other] for plain, other in both})
    if theirs:
        known = Terms(terms, ("crisis", "contest_tie", "gains"))
    else:
        known = Terms(terms, ("dc", "crisis", "rerolls", "gains"))
    gains, tie = known.choice("gains", GAINS), known.choice("contest_tie", TIES)
    mine = with_crisis(pool.only(ACTIVE.dice), known.number("crisis", 0, 0, MAX_CRISIS))
    if theirs:
        active = distribution(mine)
        shares, excess = contest(active, distribution(theirs), tie)
        return Reckoned("c2d10", question, active.on(*SHOWN), shares, _gained(gains, excess))
    dc, points = known.number("dc", USUAL_DC, 0, MAX_DC), known.number("rerolls", 0, 0, MAX_POINTS)
    whole = rolled_again(mine, dc, points) if points else distribution(mine)
    shown = whole.on(*SHOWN)
    assumed = {} if "dc" in terms else {"dc": str(dc)}
    means = _gained(gains, shown.mean(lambda successes: max(0, successes - dc)))
    if "rerolls" in terms:
        means["points_spent"] = whole.mean("spent") if points else Fraction(0)
    return Reckoned(
        "c2d10", question, shown, outcomes=outcomes(whole, dc), means=means, assumed=assumed
    )


def with_crisis(pool: Bag, crisis: int) -> Bag:
    """The pool with this many regular dice, or all of them, replaced by crisis dice.

    >>> with_crisis(Bag(d10=6), 1), with_crisis(Bag(d10=2), 3)
    (Bag(d10=5, crisis=1), Bag(crisis=2))
    """
    n = min(crisis, pool[ACTIVE.regular])
    return pool + Bag({ACTIVE.regular: -n, ACTIVE.crisis: n})


def distribution(pool: Bag) -> Distribution:
    """The joint odds of successes, zeros, crisis zeros, messes; `Refused` for too many dice."""
    with within_limits():
        return odds([(BY_NAME[name], n) for name, n in pool.items()], AXES)


def outcomes(of: Distribution, dc: int) -> dict[str, Fraction]:
    """The odds of each outcome: a setback needs a failure and a 0, a mess a pass and a crisis 9.

    A complication comes with any result.
    """
    return {
        "pass": of.p(successes=ge(dc)),
        "fail": of.p(successes=le(dc - 1)),
        "setback": of.p(successes=le(dc - 1), zeros=ge(1)),
        "complication": of.p(crisis_zeros=ge(1)),
        "mess": of.p(successes=ge(dc), messes=ge(1)),
    }


def _gained(gains: str, excess: Fraction) -> dict[str, Fraction]:
    """The average points of an excess, without the limit of the pool."""
    if gains == "none":
        return {}
    return {f"{gains}_points": excess}


def rolled_again(pool: Bag, dc: int, points: int) -> Distribution:
    """The odds on the three axes, and of points spent on re-rolls while the test fails.

    Each point re-rolls one regular die without a success, a 0 before any other, until the test
    passes or no point or no such die is left.
    """
    regular, crisis = pool[ACTIVE.regular], pool[ACTIVE.crisis]
    if regular + crisis > MAX_ROLLED_AGAIN:
        raise no_odds("again", "pool", n=regular + crisis, most=MAX_ROLLED_AGAIN)
    weights = defaultdict[tuple[int, ...], int](int)
    beside = (
        distribution(Bag({ACTIVE.crisis: crisis}))
        .on("successes", "crisis_zeros", "messes")
        .row_counts
    )
    for extra, shares in groupby(sorted(beside.items()), lambda share: share[0][0]):
        shown = _regular(regular, max(0, dc - extra), points)
        for (_, crisis_zeros, messes), others in shares:
            for (successes, zeros, spent), ways in shown.items():
                weights[successes + extra, zeros, crisis_zeros, messes, spent] += ways * others
    return Distribution.from_outcomes((*SHOWN, "messes", "spent"), weights)


def _regular(n: int, short: int, points: int) -> Mapping[tuple[int, int, int], int]:
    """The successes, zeros and points spent of n regular dice with this many successes needed.

    Not cached: it is quick to compute, and the results would fill a server's memory.
    """
    found, shown = Ways(int), Ways(int)
    for nines in range(n + 1):
        for single in range(n - nines + 1):
            rest = n - nines - single
            ways = comb(n, nines) * comb(n - nines, single) * 2**single
            for zeros in range(rest + 1):
                shown[2 * nines + single, zeros, rest - zeros] = (
                    ways * comb(rest, zeros) * 6 ** (rest - zeros)
                )
    for spent in range(points + 1):
        after = Ways(int)
        for (successes, zeros, blanks), ways in shown.items():
            if successes >= short or spent == points or not zeros + blanks:
                found[successes, zeros, spent] += ways * 10 ** (points - spent)
                continue
            zeros, blanks = (zeros - 1, blanks) if zeros else (zeros, blanks - 1)
            for faces, more, zero, blank in AGAIN:
                after[successes + more, zeros + zero, blanks + blank] += ways * faces
        shown = after
    return found


def contest(
    mine: Distribution, theirs: Distribution, tie: str = "draw"
) -> tuple[dict[str, Fraction], Fraction]:
    """The odds of winning a contest, and the active side's average excess.

    A tie is a draw, goes to the defender, or is re-rolled, in which case the rest is shared in
    proportion.
    """
    ahead = mine.on("successes").combine(
        theirs.on("successes"), ["by"], lambda a, b: (a[0] - b[0],)
    )
    won, equal, lost = ahead.p(by=ge(1)), ahead.p(by=0), ahead.p(by=le(-1))
    excess = ahead.mean(lambda by: max(0, by))
    if tie == "reroll" and equal != 1:
        won, equal, lost, excess = (
            won / (1 - equal),
            Fraction(0),
            lost / (1 - equal),
            excess / (1 - equal),
        )
    elif tie == "defender":
        equal, lost = Fraction(0), lost + equal
    return {"active": won, "tie": equal, "opponent": lost}, excess
