"""What an offer is worth before it is taken: the odds it leads to, and what is left if the other side answers.

Moves are decided for it on tables that nobody keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from storypool.engine.decisions import what_if
from storypool.engine.events import CheckChanged
from storypool.engine.fold import evolve
from storypool.engine.offers import Offer, offer, offers, open_offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.system import System
from storypool.engine.table import Check, Points, Table
from storypool.odds.question import Worth

Chances = Callable[[Table, Check], Mapping[str, Fraction]]
"""The odds of each outcome of an action as it stands, what it is about first; empty where nothing can be said."""

Further = Callable[[Table, Check], Iterable[Worth]]
"""What moves are worth that do not change what is rolled, now or when their moment comes."""

MOST_CHOICES = 8
"""Choices of one question that are tried; a longer list is not a choice between dice."""
MOST_NUMBERS = 5
"""Numbers that are tried where one asks how many are bought."""


def worth(
    system: System, table: Table, seat_id: str, chances: Chances, further: Further = lambda table, check: ()
) -> list[Worth]:
    """What each offer of this seat is worth that would change the odds of the action in sight.

    Of what has its moment after the roll, that which this seat could pay as things stand.
    Computed on the table as the seat sees it, so it never tells of what is hidden. Offers with several things to
    choose from come once for each.
    """
    table = seen(table, table.seats.get(seat_id))
    check = in_sight(table)
    if check is None:
        return []
    mine = {one.key: one for one in offers(system, table, seat_id)}
    others = further(table, check) if _acts(table, seat_id, check) else ()
    found = []
    for later in others:
        asked = offer(system, table, seat_id, later.key, later.args) if later.key in mine else None
        # Its moment may be still to come, but what is not there to pay with buys nothing.
        if asked and all(reason.code != "price" for reason in asked.all_closed):
            found.append(replace(later, price=asked.price))
    if check.phase != "build":
        return found
    before = chances(table, check)
    ours = not any(_answers_of_others(system, table, seat_id, check, chances))
    for one, args, after in _tried(system, table, seat_id, check, mine.values()):
        then = after.checks[check.id]
        leads_to = chances(after, then)
        if leads_to and _same(before, leads_to) and (then.pool != check.pool or leads_to != before):
            price = offer(system, table, seat_id, one.key, args).price if one.price else one.price
            left = answered(system, after, seat_id, then, chances, ours and then.windows == check.windows)
            adds = Points({purse: n for purse, n in (after.points - table.points).items() if n > 0})
            found.append(Worth(one.key, args, before, leads_to, left, price, adds=adds))
    return found


def _acts(table: Table, seat_id: str, check: Check) -> bool:
    return (check.side == "gm") == (table.seats[seat_id].side == "gm")


def _same(before: Mapping[str, Fraction], after: Mapping[str, Fraction]) -> bool:
    """Whether both are about the same: dice may be added that make an action one of another kind."""
    return not before or next(iter(before)) == next(iter(after))


def in_sight(table: Table) -> Check | None:
    """The action that is about to be decided: the one opened last."""
    return list(table.checks.values())[-1] if table.checks else None


def _tried(
    system: System, table: Table, seat_id: str, check: Check, offered: Iterable[Offer]
) -> Iterator[tuple[Offer, dict[str, str | int], Table]]:
    """Each open offer whose making changes what is rolled, with the answers it was tried with."""
    for one in offered:
        if one.closed is not None:
            continue
        for args in _answers(one):
            try:
                after = what_if(system, table, seat_id, one.key, args)
            except Refused:
                continue
            then = after.checks.get(check.id)
            if then is not None and then.phase == "build" and (then.pool, then.terms) != (check.pool, check.terms):
                yield one, args, after


def _answers(one: Offer) -> Iterator[dict[str, str | int]]:
    """Answers to try an offer with: any text where one is needed, each choice of its first question, each number."""
    fixed = {ask.name: "-" for ask in one.asks if ask.needed and ask.kind == "text"}
    first = next((ask for ask in one.asks if ask.needed and ask.kind == "choice" and ask.choices), None)
    if first is not None and len(first.choices) > MOST_CHOICES:
        return
    chosen = [{first.name: choice.value} for choice in first.choices] if first else [{}]
    for choice in chosen:
        for bought in _numbers(one):
            yield {**fixed, **choice, **bought}


def _numbers(one: Offer) -> Iterator[dict[str, int]]:
    """How many to buy: each number from the least on; nothing where nothing is bought."""
    many = next((ask for ask in one.asks if ask.kind == "number" and one.price), None)
    if many is None:
        yield {}
        return
    for n in range(many.low, min(many.high, many.low + MOST_NUMBERS - 1) + 1):
        yield {many.name: n}


def answered(
    system: System, table: Table, seat_id: str, check: Check, chances: Chances, ours: bool = False
) -> Mapping[str, Fraction] | None:
    """The odds after the answer that is best for the other side, among those that cost it something; else None.

    Where it is still for this side to decide, as it is for certain with `ours`, the other side answers once this one
    has nothing more to add: in the first window from here on in which it can.
    """
    for first in range(int(ours), len(check.windows)):
        then = evolve(table, CheckChanged(replace(check, windows=check.windows[first:])))
        found = [odds for odds in _answers_of_others(system, then, seat_id, check, chances) if odds]
        if found:
            return (min if _acts(table, seat_id, check) else max)(found, key=lambda odds: next(iter(odds.values())))
    return None


def _answers_of_others(
    system: System, table: Table, seat_id: str, check: Check, chances: Chances
) -> Iterator[Mapping[str, Fraction]]:
    side = table.seats[seat_id].side
    for seat in table.seats.values():
        if not seat.here or seat.side in (side, "spectator"):
            continue
        priced = [row.key for row in system.moves if row.price and seat.side in row.by]
        offered = (one for one in open_offers(system, table, seat.id, priced) if one.price)
        for _, _, then in _tried(system, table, seat.id, check, offered):
            yield chances(then, then.checks[check.id])
