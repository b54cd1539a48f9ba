"""The odds of a pool as every interface gives them."""

from dataclasses import dataclass
from typing import Literal

from msgspec import UNSET, UnsetType

from storypool.web.interface.forms import ResponsePart
from storypool.worth.weighing import Weighed


class OddsShown(ResponsePart):
    """The odds of a pool; chances and means are exact fractions as texts, as "7/12".

    `axes` name the numbers of a row of `joint`, which has every possible result with its chance,
    and is not part of a brief answer. The first of `outcomes` is what the roll is about. `against`
    is the pool of the other side of a contest, `assumed` are terms that were not given and decide
    what passes.
    """

    system: str
    pool: dict[str, int]
    terms: dict[str, str]
    axes: list[str]
    outcomes: dict[str, str]
    mean: dict[str, str]
    against: dict[str, int] | UnsetType = UNSET
    assumed: dict[str, str] | UnsetType = UNSET
    joint: list[tuple[list[int], str]] | UnsetType = UNSET


class WorthShown(ResponsePart):
    """What an offer is worth: chances or amounts before and after it, and after the other side's
    best answer.

    Exact fractions as texts by outcome; `goal` is the one that the action is about. `adds` are
    points that it adds. With `approval` the game master has to agree first, and `texts` are the
    answers in `args` that stand for your own words; without either, the move can be made with these
    `args` as they are. `later` is about what the points that it costs would be worth to this side
    if they were kept, in parts of an action; null where that is not known, where the table keeps it
    from this seat, and until it is solved.
    """

    move: str
    args: dict[str, str | int]
    price: dict[str, int]
    adds: dict[str, int]
    approval: bool
    texts: list[str]
    goal: str
    of: Literal["chance", "amount"]
    before: dict[str, str]
    after: dict[str, str]
    answered: dict[str, str] | None
    later: float | None


@dataclass(frozen=True)
class Weighing(Weighed):
    """The odds of the open action as `POST /api/odds` gives them, without `joint`, and the worth of
    the offers.

    `answered` are these odds after the other side's best answer. `suggested` is what the game
    master has not agreed to yet, by question: the odds hold if they agree, which `words` names; it
    is empty when nothing waits. `named` are outcomes in words by who they are about, as "A win for
    Vey", where the action is against an opponent.
    """
