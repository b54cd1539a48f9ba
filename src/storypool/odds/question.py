"""Questions about odds and their answers, the same for every game and surface."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, NotRequired, Self, TypedDict, cast

from storypool.engine.bag import NO_POINTS, Bag, Points
from storypool.engine.refusal import Refusal, Refused
from storypool.odds import Distribution, TooManyDice, allowing
from storypool.words import Phrase
from storypool.words.folding import half_width, key_value

__all__ = ["Question", "Reckoned"]


class OddsShown(TypedDict):
    """The odds of a pool; chances and means are exact fractions as texts, as "7/12".

    `axes` name the numbers of a row of `joint`, which has every possible result with its chance,
    and is not part of a brief answer. The first of `outcomes` is what the roll is about. `against`
    is the pool of the other side of a contest, `assumed` are terms that were not given and decide
    what passes. `without` is what else follows a roll that these odds leave out: `thrown`, dice
    thrown besides, or `rolled`.
    """

    system: str
    pool: dict[str, int]
    terms: dict[str, str]
    axes: list[str]
    outcomes: dict[str, str]
    mean: dict[str, str]
    against: NotRequired[dict[str, int]]
    assumed: NotRequired[dict[str, str]]
    without: NotRequired[str]
    joint: NotRequired[list[tuple[list[int], str]]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about odds: a pool, its terms, and in a contest the pool of the other side."""

    pool: Bag
    terms: Mapping[str, str] = field(default_factory=dict)
    against: Bag | None = None


@dataclass(frozen=True, slots=True)
class Reckoned:
    """An answer: the joint odds, and the odds of each outcome; the first is the aim of the roll.

    `means` holds further averages besides those of the axes, `assumed` the terms that were not
    given and affect the result, with the values used for them. `without` is what else follows a
    roll that these odds leave out. `plain` counts the joint odds.

    People read axes and outcomes by their `labels`, and terms with their values `in_words`; without
    any they read the names, as programs do.
    """

    system: str
    question: Question
    distribution: Distribution
    outcomes: Mapping[str, Fraction]
    means: Mapping[str, Fraction] = field(default_factory=dict)
    assumed: Mapping[str, str] = field(default_factory=dict)
    without: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    in_words: Mapping[str, str] = field(default_factory=dict)

    def called(self, name: str) -> str:
        """The label of an axis or an outcome."""
        return self.labels.get(name, name)

    def labelled(self) -> Self:
        """The same odds, whose axes and outcomes have their labels as names."""
        if not self.labels:
            return self
        of = self.distribution
        counted = Distribution.from_outcomes(map(self.called, of.axes), of.row_counts)
        outcomes = {self.called(name): share for name, share in self.outcomes.items()}
        return replace(self, distribution=counted, outcomes=outcomes)

    def plain(self) -> OddsShown:
        """The answer as plain data, with fractions as texts; `Refused` for too many dice."""
        with within_limits():
            return self._outline(
                {"joint": [[list(row), text(odds)] for row, odds in self.distribution.joint()]}
            )

    def brief(self) -> OddsShown:
        """The answer without the joint odds."""
        return self._outline({})

    def _outline(self, joint: Mapping[str, Any]) -> OddsShown:
        asked, of = self.question, self.distribution
        against = {} if asked.against is None else {"against": dict(asked.against)}
        assumed = {"assumed": dict(self.assumed)} if self.assumed else {}
        without = {"without": self.without} if self.without else {}
        means = {axis: of.mean(axis) for axis in of.axes} | dict(self.means)
        found = {
            "system": self.system,
            "pool": dict(asked.pool),
            **against,
            "terms": dict(asked.terms),
            **assumed,
            **without,
            "axes": list(of.axes),
            **joint,
            "outcomes": {name: text(odds) for name, odds in self.outcomes.items()},
            "mean": {name: text(mean) for name, mean in means.items()},
        }
        return cast(OddsShown, found)


@dataclass(frozen=True, slots=True)
class Worth:
    """The odds before and after one offer: its move with its answers, and its price.

    `before` and `after` are chances from 0 to 1 by outcome, or amounts by name, see `of`.
    `answered` is the value left after the best response of the other side: None if it has no later
    window, or no response that costs. `goal` is the outcome or the amount that the action is about,
    "" without one. `adds` are the points that grow with the move, such as the other side's where
    that is the price. `approval`: the GM has to agree first; `texts` are the questions that the
    player answers in their own words. `later` is the worth of the price later on, None if unknown.
    """

    move: str
    args: Mapping[str, str | int]
    price: Points = field(default=NO_POINTS, kw_only=True)
    adds: Points = field(default=NO_POINTS, kw_only=True)
    approval: bool = field(default=False, kw_only=True)
    texts: tuple[str, ...] = field(default=(), kw_only=True)
    goal: str = field(init=False)
    of: Literal["chance", "amount"] = field(default="chance", kw_only=True)
    before: Mapping[str, Fraction]
    after: Mapping[str, Fraction]
    answered: Mapping[str, Fraction] | None = field(default=None, kw_only=True)
    later: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "goal", next(iter(self.after), ""))


KEY = re.compile(r"[^\W\d][\w.-]*")
"""The key of a term, an answer or an option."""
LONGEST = 40
"""The most letters of an unknown word that a refusal repeats."""

SIDES = (("gm", "gm"), ("ann", "player"), ("bo", "other"))
"""The seats of a scene made up for a question, and their sides."""


def scene(system: str, hero: str, points: str, *lines: str) -> str:
    """The text of a play with a player's character, a GM, and these lines of the player.

    Both have `points` before these lines, and again after them. Another player, who could help, has
    a character with the same numbers.
    """
    seats = ("seat gm side=gm", f"seat ann hero: {hero}", f"seat bo friend: {hero}")
    held = (f"points {points}",) if points else ()
    head = (f"table {system} trust=players_set", *seats, *held)
    return "\n".join([*head, *(f"ann {line}" for line in lines), *held]) + "\n"


class TooMany(Refused):
    """The refusal of a pool with too many dice or results, or too costly for the time left."""


@contextmanager
def within_limits(seconds: float | None = None) -> Iterator[None]:
    """Turn `TooManyDice` into a refusal of the pool, also if counting costs more than `seconds`.

    The cost of counting is estimated before any work is done.
    """
    try:
        with nullcontext() if seconds is None else allowing(int(seconds * 1e6)):
            yield
    except TooManyDice as error:
        raise TooMany(Refusal.of("argument", error, "pool")) from None


def no_odds(reason: str, field: str, /, **values: object) -> Refused:
    """The refusal of a question: the sentence `no.odds.REASON`, and its remedy if there is one."""
    return Refused(Refusal.of("argument", Phrase(f"no.odds.{reason}", **values), field))


def unknown(key: str, known: Iterable[str]) -> Refused:
    """The refusal of a term that the game does not know."""
    named, key = ", ".join(known), key[:LONGEST]
    return no_odds("term" if named else "terms", key, key=key, known=named)


def text(n: Fraction) -> str:
    """An exact number as the text of a reduced fraction.

    >>> text(Fraction(2, 4)), text(Fraction(0))
    ('1/2', '0/1')
    """
    return f"{n.numerator}/{n.denominator}"


def chosen(terms: Mapping[str, str], known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """These terms, completed with the first value of each missing one; `Refused` if unknown."""
    for key, value in terms.items():
        if key not in known:
            raise unknown(key, known)
        if value not in known[key]:
            raise no_odds(
                "value", key, key=key, value=value[:LONGEST], values=", ".join(known[key])
            )
    return {key: terms.get(key, values[0]) for key, values in known.items()}


class Terms:
    """The terms of a question as bounded numbers and as choices; `Refused` for an unknown term."""

    def __init__(self, given: Mapping[str, str], known: tuple[str, ...]) -> None:
        for key in given:
            if key not in known:
                raise unknown(key, known)
        self.given = given

    def number(self, key: str, default: int | None, low: int, high: int) -> int:
        """A whole number, or its default; without a default it is required."""
        value = self.given.get(key, "" if default is None else str(default))
        digits = value.isdecimal() and value.isascii() and len(value) <= 3
        if not digits or not low <= int(value) <= high:
            reason = "number" if value or default is not None else "number.missing"
            raise no_odds(reason, key, key=key, low=low, high=high, got=value[:LONGEST])
        return int(value)

    def choice(self, key: str, values: tuple[str, ...]) -> str:
        """One of these values, by default the first."""
        value = self.given.get(key, values[0])
        if value not in values:
            raise no_odds("value", key, key=key, value=value[:LONGEST], values=", ".join(values))
        return value


def terms_of(words: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Typed words as the text of the pool, and the terms written `key=value`, in half width."""
    return pairs_of(part for word in words for part in half_width(word).split())


def pairs_of(words: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Typed words as those that are not `key=value`, and the pairs with their values unchanged.

    A key is a name, so "2d20<=12" is not a pair.

    >>> pairs_of(["2d20<=12", "target=12"])
    ('2d20<=12', {'target': '12'})
    """
    pairs: dict[str, str] = {}
    others = []
    for word in words:
        key, value = key_value(word) or ("", "")
        if not KEY.fullmatch(key):
            others.append(word)
        elif key in pairs:
            raise no_odds("twice", key[:LONGEST], key=key[:LONGEST])
        else:
            pairs[key] = value
    return " ".join(others), pairs
