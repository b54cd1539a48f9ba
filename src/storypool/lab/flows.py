"""The sources and sinks of points, move by move, without a remainder.

A pool is an account of the table, or an account of characters summed over the players' characters,
or with `@gm` over all others.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple

from storypool.engine.decisions import Decision
from storypool.engine.events import PointsSet
from storypool.engine.game.system import System
from storypool.engine.table import Purse, Table
from storypool.words import StorypoolError

Kind = Literal["gained", "spent", "faded", "lost"]
"""The kinds of flows: `faded` points went without paying a price, `lost` ones met a cap."""

OTHERS = "@gm"


class Flow(NamedTuple):
    """Points of one pool that came or went in one way, by the key of the move."""

    pool: str
    kind: Kind
    move: str


class Unbalanced(StorypoolError, AssertionError):
    """A point that came from nowhere or went nowhere."""


@dataclass(slots=True)
class Flows:
    """The points that came and went, by pool, kind and move; and the moves that met a cap."""

    points: Counter[Flow] = field(default_factory=Counter)
    overflows: Counter[str] = field(default_factory=Counter)

    def count(self, made: Decision, before: Table, system: System) -> None:
        """Count the effects of a decided move on every balance; `Unbalanced` for a wrong sum."""
        changes = [event for event in made.events if isinstance(event, PointsSet)]
        if not changes and not made.turn.beyond:
            return
        key = made.turn.key
        due = dict(made.turn.paid)
        held = dict[Purse, int]()
        for event in changes:
            purse = Purse(event.account, event.owner)
            had = held.get(purse, before.points[purse])
            if had + event.delta != event.balance:
                raise Unbalanced(
                    f"{purse} had {had}, changed by {event.delta}, and has {event.balance}"
                )
            held[purse] = event.balance
            paid = system.by_account[event.account].paid(event.delta)
            if paid < 0:
                self._add(pool_of(before, purse), "gained", key, -paid)
            elif paid and due.get(purse) == paid:
                del due[purse]
                self._add(pool_of(before, purse), "spent", key, paid)
            elif paid:
                self._add(pool_of(before, purse), "faded", key, paid)
        if due:
            raise Unbalanced(f"{key} cost {made.turn.paid.written()}, and {due} was not taken")
        for purse, n in made.turn.beyond.items():
            self.overflows[pool_of(before, purse)] += 1
            if system.by_account[purse.account].overflow == "lost":
                self._add(pool_of(before, purse), "lost", key, n)

    def _add(self, pool: str, kind: Kind, move: str, n: int) -> None:
        self.points[Flow(pool, kind, move)] += n

    def total(self, pool: str, *kinds: Kind) -> int:
        """The number of points of a pool that came or went in these ways."""
        return sum(n for flow, n in self.points.items() if flow.pool == pool and flow.kind in kinds)


def pool_of(table: Table, purse: Purse) -> str:
    """The name of the pool that a purse belongs to."""
    if not purse.owner:
        return purse.account
    owner = table.characters.get(purse.owner)
    ours = owner is not None and owner.side == "players"
    return purse.account if ours else purse.account + OTHERS


class Pools:
    """The pools that count: the table's accounts that a side spends, and these of characters."""

    def __init__(self, system: System, further: Iterable[str] = ()) -> None:
        shared = [
            account for account in system.accounts if account.each == "table" and account.side
        ]
        self.sides = {account.name: account.side for account in shared}
        for name in further:
            self.sides |= {name: "players"}
        self.names = tuple(self.sides)

    def of(self, table: Table) -> tuple[int, ...]:
        """The balance of each pool, in the order of their names."""
        sums = dict.fromkeys(self.names, 0)
        for purse, n in table.points.items():
            name = pool_of(table, purse)
            if name in sums:
                sums[name] += n
        return tuple(sums.values())


class Purses:
    """The pools of an economy by purse: the table's that a side spends, and each character's.

    They are named as purses are written: `luck`, `pash.nerve`.
    """

    def __init__(self, system: System, further: Iterable[str], table: Table) -> None:
        sides = Pools(system, further).sides
        held: dict[str, list[Purse]] = {name: [] for name in sides}
        for account in system.accounts:
            owners = [""] if account.each == "table" else list(table.characters)
            for owner in owners:
                purse = Purse(account.name, owner)
                held.get(pool_of(table, purse), []).append(purse)
        self.every = tuple(chain.from_iterable(held.values()))
        self.sides = {str(purse): sides[pool_of(table, purse)] for purse in self.every}
        self.names = tuple(self.sides)

    def of(self, table: Table) -> tuple[int, ...]:
        """The balance of each pool, in the order of their names."""
        return tuple(table.points[purse] for purse in self.every)
