"""Odds of this game's pools: narrative dice, Force dice, or both."""

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes
from storypool.odds.question import Question, Reckoned, no_odds
from storypool.systems.narrative import symbol_dice, symbol_odds
from storypool.systems.starwars.dice import AXES, DICE, FORCE

PIPS = Axes({"light": Bag(light=1), "dark": Bag(dark=1)}, {})


def reckon(question: Question) -> Reckoned:
    """The exact odds of a pool: on two axes for Force dice alone, on six for mixed dice.

    `Refused` for an unknown term, too many dice, and a contest of Force dice.
    """
    pool, against = question.pool, question.against
    if set(pool) == {"force"}:
        axes = PIPS
    elif pool["force"]:
        axes = AXES
    else:
        axes = symbol_dice.AXES
    if against is not None and (pool["force"] or against["force"]):
        raise no_odds("contest", "against", die=FORCE.name)
    return symbol_odds.reckoned("starwars", question, DICE, axes)
