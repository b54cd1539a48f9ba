"""Odds of the narrative dice: the axes of a pool, its outcomes, and contests."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, ge, le, odds
from storypool.odds.question import Question, Reckoned, chosen, within_limits
from storypool.systems.narrative.symbol_dice import RANKED

TIEBREAK = {"competitive_tiebreak": tuple(RANKED)}


def distribution(pool: Mapping[str, int], dice: Sequence[Die], axes: Axes) -> Distribution:
    """The joint odds of a pool; `Refused` when there are too many dice."""
    by_name = {die.name: die for die in dice}
    with within_limits():
        return odds([(by_name[name], n) for name, n in pool.items()], axes)


def outcomes(of: Distribution) -> dict[str, Fraction]:
    """The odds of each outcome: at least one, or net at least one. A net of zero is a failure.

    Source: seed 003, Interpreting the Pool; rulings.md.
    """
    asked = {
        "success": {"success": ge(1)},
        "failure": {"success": le(0)},
        "advantage": {"advantage": ge(1)},
        "threat": {"advantage": le(-1)},
        "triumph": {"triumph": ge(1)},
        "despair": {"despair": ge(1)},
        "light": {"light": ge(1)},
        "dark": {"dark": ge(1)},
    }
    return {
        name: of.p(**question) for name, question in asked.items() if set(question) <= set(of.axes)
    }


def reckoned(system: str, question: Question, dice: Sequence[Die], axes: Axes) -> Reckoned:
    """The odds of a pool, or of a contest of two, each against its own difficulty.

    `Refused` for a term that does not apply here, and for too many dice.
    """
    mine = distribution(question.pool, dice, axes)
    known = {} if question.against is None else TIEBREAK
    rule = chosen(question.terms, known)
    with within_limits():
        if question.against is None:
            return Reckoned(system, question, mine, outcomes(mine))
        theirs = distribution(question.against, dice, axes)
        return Reckoned(system, question, mine, contest(mine, theirs, rule["competitive_tiebreak"]))


def contest(mine: Distribution, theirs: Distribution, tiebreak: str) -> dict[str, Fraction]:
    """The odds of winning a contest: most net successes of those who succeed, then the tiebreak.

    Source: starwars.md 1.6, Competitive, and rulings.md. When nobody succeeds it is a draw.
    """
    places, others = (_places(side, RANKED[tiebreak]) for side in (mine, theirs))
    # From the last place up, each place is compared with all below it at once, because either side
    # may have many.
    active = tie = below = 0
    for place in sorted(places.keys() | others.keys()):
        ours, same = places.get(place, 0), others.get(place, 0)
        active, tie, below = active + ours * below, tie + ours * same, below + same
    total = mine.total * theirs.total
    won = {"active": active, "tie": tie, "opponent": total - active - tie}
    return {name: Fraction(ways, total) for name, ways in won.items()}


def _places(of: Distribution, ranked: tuple[str, ...]) -> dict[tuple[int, ...], int]:
    """The number of ways to each place in the order; all failures share the last place."""
    ways: dict[tuple[int, ...], int] = {}
    seen = of.on("success", *ranked)
    scale = of.total // seen.total
    for row, count in seen.row_counts.items():
        place = row if row[0] >= 1 else (0,) * len(row)
        ways[place] = ways.get(place, 0) + count * scale
    return ways
