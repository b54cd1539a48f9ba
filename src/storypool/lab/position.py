"""A seat's view when it could spend a point: the table, the action, its offers and gains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, is_open, lacking, offers, turn_of
from storypool.engine.refusal import Refused
from storypool.engine.sight import check_in_sight, without_hidden
from storypool.engine.table import Check, Points, Table
from storypool.lab.evenings import Evening, MoveLine
from storypool.odds.question import Question, Worth
from storypool.systems import game_stakes


@dataclass(frozen=True, slots=True)
class Spend:
    """An open offer that costs points, with answers to its questions, and its price."""

    key: str
    args: Mapping[str, str]
    price: Points


class Position:
    """The view of one seat when it could spend a point, and nothing else.

    `table` is the table as this seat sees it, `check` the current action, `spends` the open ways to
    spend points. `gain` is the change to the chance of this side, `cost` the price. `to_come`
    counts the remaining actions of the evening, including this one; `evening` is their source, if
    known.
    """

    def __init__(
        self,
        system: System,
        table: Table,
        seat_id: str,
        lines: Sequence[MoveLine],
        to_come: int,
        evening: Evening | None = None,
    ) -> None:
        self.system, self.to_come, self.evening = system, to_come, evening
        self.seat = table.seats[seat_id]
        self.table = without_hidden(table, self.seat)
        self._sees_all = self.table is table
        self._lines = lines
        self._known: dict[int, tuple[Fraction | None, int]] = {}
        self._tried: dict[int, Decision] = {}

    @cached_property
    def check(self) -> Check | None:
        """The action that this seat's moves are about, or None."""
        return check_in_sight(self.table, self.seat, None)

    @property
    def mine(self) -> bool:
        """Whether the current action belongs to this side."""
        return self.check is not None and (self.check.side == "gm") == (self.seat.side == "gm")

    @cached_property
    def spends(self) -> tuple[Spend, ...]:
        """The open ways to spend points, in the order of the evening."""
        return tuple(self._open())

    @cached_property
    def offers(self) -> Sequence[Offer]:
        """Every offer of this seat, open or closed; slow, for policies beyond `spends`."""
        return offers(self.system, self.table, self.seat.id)

    def without(self, spend: Spend) -> Position:
        """The same position without one of its spends."""
        left = copy(self)
        left.spends = tuple(one for one in self.spends if one is not spend)
        return left

    def balance(self, spend: Spend) -> int:
        """The number of points in the purses that would pay."""
        return sum(self.table.points[purse] for purse in spend.price)

    def gain(self, spend: Spend) -> Fraction | None:
        """The gain in chance for this seat's side, before any answer; None if unknown.

        After the roll it is the chance that it turns the result. Exact, from the odds of the game.
        """
        return self._weighed(spend)[0]

    def cost(self, spend: Spend) -> int:
        """The number of points it costs: its price, and the points it gives to others."""
        return self._weighed(spend)[1]

    def decided(self, spend: Spend) -> Decision | None:
        """The decided move of a spend, if weighing it decided it as the table would; else None.

        It did if this seat sees everything and nobody has to agree: a move that rolls dice is not
        weighed.
        """
        tried = self._tried.get(id(spend))
        if tried is not None and self._sees_all and not tried.needs_consent:
            return tried
        return None

    def _weighed(self, spend: Spend) -> tuple[Fraction | None, int]:
        found = self._known.get(id(spend))
        if found is None:
            found = self._known[id(spend)] = self._weigh(spend)
        return found

    @cached_property
    def _chance(self) -> Fraction | None:
        """The chance of the current action, before any spend."""
        if self.check is not None:
            return chance_of(self.system.key, self.table, self.check)
        return None

    def _weigh(self, spend: Spend) -> tuple[Fraction | None, int]:
        check, price = self.check, spend.price.total
        stakes = game_stakes.stakes(self.system.key)
        if check is None or stakes is None:
            return None, price
        if check.phase != "build":
            return _later(game_stakes.further(self.system.key, self.table, check), spend), price
        try:
            tried = decision_of(
                self.system, self.table, self.seat.id, spend.key, spend.args, roll=None, agreed=True
            )
        except Refused:
            return None, price
        self._tried[id(spend)], after = tried, tried.turn.table
        then = after.checks.get(check.id)
        changes = (after.points - self.table.points).items()
        adds = sum(max(0, -self.system.by_account[purse.account].paid(n)) for purse, n in changes)
        before = self._chance
        leads_to = None
        if then is not None:
            leads_to = chance_of(self.system.key, after, then)
        if before is None or leads_to is None:
            return None, price + adds
        return (leads_to - before if self.mine else before - leads_to), price + adds

    def _open(self) -> Iterator[Spend]:
        may = dict[str, bool]()
        for line in self._lines:
            move = self.system.by_key[line.move]
            if self.seat.side not in move.by:
                continue
            turn = turn_of(self.system, self.table, self.seat, move)
            if line.move not in may:
                may[line.move] = is_open(turn, move, priced=False)
            for args in line.ways if may[line.move] else ():
                turn.args = dict(args)
                for key, value in args.items():
                    if value.isdecimal():
                        turn.args[key] = int(value)
                price = move.cost(turn)
                if not any(lacking(turn, price)):
                    yield Spend(line.move, args, price)


def _later(rows: Iterable[Worth], spend: Spend) -> Fraction | None:
    """The gain in chance of a move after the roll; None if it changes no chance."""
    for row in rows:
        if row.move == spend.key and row.of == "chance":
            return row.after[row.goal] - row.before[row.goal]
    return None


def chance_of(system: str, table: Table, check: Check) -> Fraction | None:
    """The chance of the main outcome of an action as it is; None without odds."""
    stakes = game_stakes.stakes(system)
    asked = stakes.question(table, check) if stakes else None
    if asked is None:
        return None
    return _chance(system, asked.pool, tuple(asked.terms.items()), asked.against)


@lru_cache(maxsize=20_000)
def _chance(
    system: str, pool: Bag, terms: tuple[tuple[str, str], ...], against: Bag | None
) -> Fraction | None:
    try:
        outcomes = systems.odds(system).reckon(Question(pool, dict(terms), against)).outcomes
    except Refused:
        return None
    return next(iter(outcomes.values()), None)
