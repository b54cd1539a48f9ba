"""The worth of offers as every interface gives it."""

from dataclasses import dataclass

from storypool.odds.question import Worth
from storypool.worth.weighing import Weighed


@dataclass(frozen=True)
class WorthShown(Worth):
    """What an offer is worth: chances or amounts before and after it, and after the other side's
    best answer.

    Exact fractions as texts by outcome; `goal` is the one that the action is about. `adds` are
    points that it adds. With `approval` the game master has to agree first, and `texts` are the
    answers in `args` that stand for your own words; without either, the move can be made with these
    `args` as they are. `later` is about what the points that it costs would be worth to this side
    if they were kept, in parts of an action; null where that is not known, where the table keeps it
    from this seat, and until it is solved.
    """


@dataclass(frozen=True)
class Weighing(Weighed):
    """The odds of the open action as `POST /api/odds` gives them, without `joint`, and the worth of
    the offers.

    `answered` are these odds after the other side's best answer. `suggested` is what the game
    master has not agreed to yet, by question: the odds hold if they agree, which `words` names; it
    is empty when nothing waits. `named` are outcomes in words by who they are about, as "A win for
    Vey", where the action is against an opponent.
    """
