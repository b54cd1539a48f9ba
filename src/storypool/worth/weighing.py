"""The current action, weighed for one seat: its odds, and the worth of each offer.

The page, the terminal and other programs get the same numbers, and they agree with the odds of a
pool.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from operator import is_
from typing import Any, NamedTuple

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, listed
from storypool.engine.sight import without_hidden
from storypool.engine.table import Check, Table
from storypool.odds.question import Question, Reckoned, TooMany, Worth, within_limits
from storypool.systems import game_stakes
from storypool.worth.gains import (
    OpponentReplies,
    TrialMoves,
    in_sight,
    left_to_others,
    rests_on,
    worth,
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The id of the current action, its odds before the roll, and the worth of the offers.

    `odds` is None without an action, after the roll, and while too little of it is settled.
    `answered` are the odds after the other side's best reply, or None if it has none. `too_many`:
    too many dice for exact odds, or for the time left. `suggested` are a player's answers on the
    GM's behalf, by question: the odds hold if the GM agrees, and `words` is a sentence for that;
    both are empty if nothing waits. `named` are the outcomes as sentences about the characters, as
    "A win for Vey".
    """

    check: str = ""
    odds: Reckoned | None = None
    answered: Mapping[str, Fraction] | None = None
    worth: tuple[Worth, ...] = ()
    too_many: bool = False
    suggested: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    named: Mapping[str, str] = field(default_factory=dict)


def may_weigh(table: Table, seat_id: str) -> bool:
    """Whether this seat may know odds at this table: a GM may hide them from the players."""
    seat = table.seats.get(seat_id)
    return seat is not None and (seat.side == "gm" or table.options.get("odds") != "gm")


def may_know_later(table: Table, seat_id: str) -> bool:
    """Whether this seat may know the later worth of points, by the table option; default no."""
    seat, option = table.seats.get(seat_id), table.options.get("later", "nobody")
    return seat is not None and (option == "everybody" or (option == "gm" and seat.side == "gm"))


class Asked(NamedTuple):
    """The action to weigh, and the offers: all with each choice, the `usual` ones, or move `key`.

    `named` is the id or the title of the action, "" for the current one. The `usual` offers are
    those on buttons: offers without a price only with their default answers.
    """

    named: str = ""
    usual: bool = False
    key: str = ""


EVERYTHING = Asked()

_kept: OrderedDict[tuple[int, str, Asked], tuple[Table, Weighed]] = OrderedDict()
MAX_POOLS = 1024
"""The most pools whose odds are cached."""
MAX_KEPT = 1024
"""The most cached results, each for one table, seat and question."""


def known(table: Table, seat_id: str, asked: Asked = EVERYTHING) -> Weighed | None:
    """The cached result for this seat and question, or None if any of its inputs changed."""
    of, found = _kept.get((id(table.checks), seat_id, asked), (None, None))
    if of is not None and all(map(is_, rests_on(of), rests_on(table))):
        return found
    return None


Offered = Sequence[Offer] | None
"""The offers of a seat without a named action, or None if unknown."""


def weighed(
    system: System, table: Table, seat_id: str, asked: Asked = EVERYTHING, offered: Offered = None
) -> Weighed:
    """The current action, or the one in `asked`, weighed for this seat.

    Empty if the seat may not know odds. Nothing hidden leaks. The result is cached until one of its
    inputs changes. Within an allowance of time, results that would take longer count as too many
    dice.
    """
    try:
        return small_weighed(system, table, seat_id, asked, offered)
    except TooMany:
        check = in_sight(without_hidden(table, table.seats.get(seat_id)), seat_id, asked.named)
        id = check.id if check else ""
        return _keep(Weighed(id, too_many=True), table, seat_id, asked)


def small_weighed(
    system: System, table: Table, seat_id: str, asked: Asked = EVERYTHING, offered: Offered = None
) -> Weighed:
    """Like `weighed`, but raise `TooMany` in place of `too_many`, and cache nothing then."""
    found = known(table, seat_id, asked)
    return found or _keep(_weighed(system, table, seat_id, asked, offered), table, seat_id, asked)


def _keep(found: Weighed, table: Table, seat_id: str, asked: Asked) -> Weighed:
    # Keep the table too, so that the id of its actions stays unique.
    _kept[(id(table.checks), seat_id, asked)] = table, found
    if len(_kept) > MAX_KEPT:
        _kept.popitem(last=False)
    return found


def _weighed(system: System, table: Table, seat_id: str, asked: Asked, offered: Offered) -> Weighed:
    table = without_hidden(table, table.seats.get(seat_id))
    check = in_sight(table, seat_id, asked.named)
    stakes = game_stakes.stakes(system.key)
    if check is None or stakes is None or not may_weigh(table, seat_id):
        return Weighed()

    def chances(table: Table, check: Check) -> Mapping[str, Fraction]:
        found = reckoned(system.key, table, check)
        return found.outcomes if found else {}

    tries = TrialMoves(
        system, chances, game_stakes.tried(system.key), partial(game_stakes.further, system.key)
    )
    with within_limits():
        odds = None
        if check.phase == "build":
            odds = reckoned(system.key, table, check)
        others = None
        if check.phase == "build":
            others = _others(tries, table, seat_id, check)
        found = tuple(
            worth(
                tries,
                table,
                seat_id,
                named=asked.named,
                usual=asked.usual,
                key=asked.key,
                left=others,
                offered=None if asked.named else offered,
            )
        )
        left = others.answered if odds and others else None
        suggested = check.suggested if odds else {}
        words = ""
        if suggested:
            words = system.words.say("suggestion.odds", what=listed(suggested))
        outcomes = _named_outcomes(system, table, check, odds)
        return Weighed(
            check.id, odds, left, found, suggested=suggested, words=words, named=outcomes
        )


_sides: OrderedDict[tuple[int, str, str], tuple[Table, OpponentReplies]] = OrderedDict()


def _others(tries: TrialMoves, table: Table, seat_id: str, check: Check) -> OpponentReplies:
    """The other side's replies to an action, computed once for all seats with the same view.

    The key is the visible table, a different one for each seat that sees more or less of it.
    """
    key = (id(table), table.seats[seat_id].side, check.id)
    of, left = _sides.get(key, (None, None))
    if of is not table or left is None:
        left = left_to_others(tries, table, seat_id, check)
        _sides[key] = table, left
        if len(_sides) > MAX_KEPT:
            _sides.popitem(last=False)
    return left


def _named_outcomes(
    system: System, table: Table, check: Check, odds: Reckoned | None
) -> dict[str, str]:
    """The outcomes of an action against a character as sentences, from `odds.named.NAME`."""
    actor, against = table.actor(check), table.target(check)
    if actor is None or against is None or odds is None:
        return {}
    ids = {name: f"odds.named.{name}" for name in odds.outcomes}
    found = {}
    for name, id in ids.items():
        if id in system.words:
            found[name] = system.words.say(id, one=actor.name, other=against.name)
    return found


def weighed_data(found: Weighed) -> dict[str, Any]:
    """The fields of the result by name, with the odds as plain data, without `joint`."""
    data = {name: getattr(found, name) for name in Weighed.__dataclass_fields__}
    return data | {"odds": found.odds.brief() if found.odds else None}


def reckoned(key: str, table: Table, check: Check) -> Reckoned | None:
    """The odds of an action as it is, or None without odds."""
    stakes = game_stakes.stakes(key)
    question = stakes.question(table, check) if stakes else None
    if question is None:
        return None
    return _answer(key, question.pool, tuple(sorted(question.terms.items())), question.against)


@lru_cache(maxsize=MAX_POOLS)
def _answer(
    key: str, pool: Bag, terms: tuple[tuple[str, str], ...], against: Bag | None
) -> Reckoned:
    """The odds of a pool, cached for all tables: most actions roll one of a few hundred pools."""
    return systems.odds(key).reckon(Question(pool, dict(terms), against))
