"""The worth of offers as every interface gives it."""

from dataclasses import dataclass

from storypool.odds.question import Worth
from storypool.worth.weighing import Weighed


@dataclass(frozen=True)
class WorthShown(Worth):
    """The worth of an offer: odds or amounts before, after, and after the other side's best answer.

    Exact fractions as texts by outcome; `goal` is the outcome that the action is about. `adds` are
    points that it adds. With `approval` the game master has to agree first, and `texts` are the
    answers in `args` that stand for your own words; without either, the move can be made with these
    `args` as they are. `later` is the worth of its points to this side if they were saved, in parts
    of an action; null if unknown, if the table hides it from this seat, and until it is solved.
    """


@dataclass(frozen=True)
class Weighing(Weighed):
    """The odds of the open action as in `POST /api/odds`, without `joint`, and the worth of offers.

    `answered` are these odds after the other side's best answer. `suggested` are answers that the
    game master has not agreed to yet, by question: the odds hold if they agree, which `words`
    names; it is empty if nothing waits. `named` are outcomes in words by their character, as "A win
    for Vey", if the action is against an opponent.
    """
