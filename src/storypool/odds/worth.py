"""What an offer is worth before it is taken: the odds it leads to, and what is left if the other side answers.

The one module of this room that draws on the rules: it decides moves on tables that nobody keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from storypool.bag import Bag
from storypool.rules import Offer, Refused, System, offers, what_if
from storypool.table import Check, Table, seen

Chances = Callable[[Check], Mapping[str, Fraction]]
"""The odds of each outcome of a check as it stands; the first outcome named is what the check is about."""

MOST_CHOICES = 8
"""Choices of one question that are tried; a longer list is not a choice between dice."""


@dataclass(frozen=True, slots=True)
class Worth:
    """An offer taken: the move with its answers, the pool it makes, the odds then, and after the best answer to it.

    `answered` is None where no window of the other side follows, or nobody in it could spend anything.
    """

    key: str
    args: Mapping[str, str]
    pool: Bag
    chances: Mapping[str, Fraction]
    answered: Mapping[str, Fraction] | None = None


def worth(system: System, table: Table, seat_id: str, chances: Chances) -> list[Worth]:
    """Every open offer of this seat that would change the pool of the action in sight, with what it would do.

    Computed on the table as the seat sees it, so it never tells of what is hidden. Offers with several dice to choose
    from come once for each.
    """
    table = seen(table, table.seats.get(seat_id))
    found = []
    for args, one, after in _tried(system, table, seat_id, lambda offer: True):
        check = after.checks[_in_sight(table)]
        found.append(
            Worth(one.key, args, check.pool, chances(check), _answered(system, after, seat_id, check, chances))
        )
    return found


def _in_sight(table: Table) -> str:
    return list(table.checks)[-1] if table.checks else ""


def _tried(
    system: System, table: Table, seat_id: str, wanted: Callable[[Offer], bool]
) -> Iterator[tuple[dict[str, str], Offer, Table]]:
    """Each open offer whose making changes the pool in sight, with the answers it was tried with."""
    check = table.checks.get(_in_sight(table))
    if check is None or check.phase != "build":
        return
    for one in offers(system, table, seat_id):
        if one.closed is not None or not wanted(one):
            continue
        for args in _answers(one):
            try:
                after = what_if(system, table, seat_id, one.key, args)
            except Refused:
                continue
            if check.id in after.checks and after.checks[check.id].pool != check.pool:
                yield args, one, after


def _answers(one: Offer) -> Iterator[dict[str, str]]:
    """Answers to try an offer with: any text where one is needed, and each choice of its first question."""
    fixed = {ask.name: "-" for ask in one.asks if ask.needed and ask.kind == "text"}
    first = next((ask for ask in one.asks if ask.needed and ask.kind == "choice" and ask.choices), None)
    if first is None:
        yield fixed
    elif len(first.choices) <= MOST_CHOICES:
        for choice in first.choices:
            yield {**fixed, first.name: choice.value}


def _answered(
    system: System, after: Table, seat_id: str, check: Check, chances: Chances
) -> Mapping[str, Fraction] | None:
    """The odds after the answer that is best for the other side, among those that cost it something."""
    if not check.windows:
        return None
    side = after.seats[seat_id].side
    acting = (check.side == "gm") == (side == "gm")
    answers = [
        chances(answer.checks[check.id])
        for seat in after.seats.values()
        if seat.here and seat.side not in (side, "spectator")
        for _, _, answer in _tried(system, after, seat.id, lambda offer: bool(offer.price))
    ]
    if not answers:
        return None
    return (min if acting else max)(answers, key=lambda odds: next(iter(odds.values())))
