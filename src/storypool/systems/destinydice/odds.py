"""Odds of Destiny Dice: the joint odds of a pool, its outcomes, a contest."""

from collections.abc import Mapping
from fractions import Fraction

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes
from storypool.odds import Distribution, ge, le, odds
from storypool.odds.question import Question, Reckoned, chosen, within_limits
from storypool.systems.destinydice.dice import AXES, DICE, mirrored
from storypool.systems.destinydice.result import STYLE, TERMS, margin_of

# Hope is counted apart from the margin: by an option it is never cancelled.
_APART = Axes({**AXES.moves, "hope": Bag(hope=1)}, AXES.below)


def reckon(question: Question) -> Reckoned:
    """The exact odds of a pool; against another pool, of one roll against its mirror image.

    The opposition never rolls (seed 002, Building Your Die Pool), so a contest is one roll too.
    `Refused` for an unknown term, and for too many dice.
    """
    pool, against = question.pool, question.against
    stands = chosen(question.terms, TERMS)["hope_success_uncancellable"] == "yes"
    if against is None:
        found = distribution(pool, stands)
        return Reckoned("destinydice", question, found, outcomes(found))
    found = distribution(pool + mirrored(against), stands)
    won = {
        "active": found.p(margin=ge(1)),
        "tie": found.p(margin=0),
        "opponent": found.p(margin=le(-1)),
    }
    return Reckoned("destinydice", question, found, won)


def distribution(pool: Mapping[str, int], hope_stands: bool = False) -> Distribution:
    """The joint odds of margin, net advantage, Hope, Despair; `Refused` for too many dice."""
    by_name = {die.name: die for die in DICE}
    dice = [(by_name[name], n) for name, n in pool.items()]
    with within_limits():
        if not hope_stands:
            return odds(dice, AXES)
        found = odds(dice, _APART)
        return found.map(found.axes, lambda margin, *row: (margin_of(margin, row[1], True), *row))


def outcomes(of: Distribution) -> dict[str, Fraction]:
    """The odds of each outcome, of net advantage either way, and of any Hope or Despair.

    The first is the main question. `succeed` is any success, and `style` a margin of three or
    more.
    """
    return {
        "succeed": of.p(margin=ge(1)),
        "style": of.p(margin=ge(STYLE)),
        "tie": of.p(margin=0),
        "fail": of.p(margin=le(-1)),
        "advantage": of.p(advantage=ge(1)),
        "disadvantage": of.p(advantage=le(-1)),
        "hope": of.p(hope=ge(1)),
        "despair": of.p(despair=ge(1)),
    }
