"""Odds of the narrative dice: on which axes a pool is reckoned, what its outcomes are, and who wins a contest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from storypool.bag import Bag
from storypool.dice import Axes, Die
from storypool.odds import Distribution, TooManyDice, ge, le, odds
from storypool.refusal import Refusal, Refused
from storypool.systems.answers import Answer, answer, chosen

TIEBREAK = {"competitive_tiebreak": ("triumph", "advantage", "none")}


def distribution(pool: Mapping[str, int], dice: Sequence[Die], axes: Axes) -> Distribution:
    """The joint odds of a pool; `Refused` when there are too many dice."""
    by_name = {die.name: die for die in dice}
    try:
        found = odds([(by_name[name], n) for name, n in pool.items()], axes)
        # The joint odds are counted now, so that what is too large is known before anything is said.
        _ = found.counts
    except TooManyDice as error:
        raise Refused(Refusal("argument", str(error), field="pool")) from None
    return found


def outcomes(of: Distribution) -> dict[str, Fraction]:
    """The odds of each outcome: at least one, or net at least one. A net of zero is neither success nor failure."""
    asked = {
        "success": {"success": ge(1)},
        "failure": {"success": le(-1)},
        "advantage": {"advantage": ge(1)},
        "threat": {"advantage": le(-1)},
        "triumph": {"triumph": ge(1)},
        "despair": {"despair": ge(1)},
        "light": {"light": ge(1)},
        "dark": {"dark": ge(1)},
    }
    return {name: of.p(**question) for name, question in asked.items() if set(question) <= set(of.axes)}


def reckoned(
    system: str, pool: Bag, terms: Mapping[str, str], dice: Sequence[Die], axes: Axes, against: Bag | None = None
) -> Answer:
    """The odds of a pool, or of a contest of two, each against its own difficulty.

    `Refused` for a term that these odds do not depend on, and for too many dice.
    """
    mine = distribution(pool, dice, axes)
    if against is None:
        chosen(terms, {})
        return answer(system, pool, terms, mine, outcomes(mine))
    rule = chosen(terms, TIEBREAK)["competitive_tiebreak"]
    theirs = distribution(against, dice, axes)
    return answer(system, pool, terms, mine, contest(mine, theirs, rule), against)


def contest(mine: Distribution, theirs: Distribution, tiebreak: str) -> dict[str, Fraction]:
    """Who wins a competitive check: of those who succeed, whoever has most net successes; then the tiebreak.

    Source: starwars.md 1.6, Competitive, and rulings.md. Where nobody succeeds it is a draw.
    """
    ranked = {"triumph": ("triumph", "advantage"), "advantage": ("advantage", "triumph"), "none": ()}[tiebreak]
    places = _places(mine, ranked), _places(theirs, ranked)
    won = {"active": 0, "tie": 0, "opponent": 0}
    for ours, ways in places[0].items():
        for other, others in places[1].items():
            won["active" if ours > other else "opponent" if ours < other else "tie"] += ways * others
    total = mine.total * theirs.total
    return {name: Fraction(ways, total) for name, ways in won.items()}


def _places(of: Distribution, ranked: tuple[str, ...]) -> dict[tuple[int, ...], int]:
    """The ways to come to each place in the order; all failures share the last one."""
    ways: dict[tuple[int, ...], int] = {}
    seen = of.on("success", *ranked)
    scale = of.total // seen.total
    for row, count in seen.counts.items():
        place = row if row[0] >= 1 else (0,) * len(row)
        ways[place] = ways.get(place, 0) + count * scale
    return ways
