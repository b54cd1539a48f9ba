"""How the table plays its points: computed from the records alone, for whatever accounts a game has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from storypool.system import Account, System
from storypool.table import CheckClosed, MoveMade, PeriodBegan, PeriodEnded, PointsSet, Record, Rewound
from storypool.words import Words

SITTING_CHECKS = 3
"""Actions that go by before somebody counts as sitting on their points."""


@dataclass(frozen=True, slots=True)
class Play:
    """One account of the table in the running session, or in the last one.

    `spent` and `gained` are sums of what went out and came in. `idle_since` is when points were last spent, or when
    the session began, in milliseconds since 1970; `idle_checks` counts the actions closed since then.
    """

    account: str
    side: Literal["players", "gm", ""]
    balance: int
    spent: int
    gained: int
    idle_since: int
    idle_checks: int


@dataclass(frozen=True, slots=True)
class Economy:
    """Every account that the table shares, and for game masters a gentle note for each side that is locked."""

    session: int
    running: bool
    began: int
    accounts: tuple[Play, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ledger:
    """What has been counted up to a record. Each is made from the one before, so a rewind takes up an earlier one."""

    session: int = 0
    began: int = 0
    running: bool = False
    plays: tuple[Play, ...] = ()
    spending: bool = False


class Books:
    """The points of one table, counted record by record. Only its own records, all of them, in their order."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._shared = [account for account in system.accounts if account.each == "table"]
        self._ledgers = [_Ledger(plays=tuple(_fresh(account, 0) for account in self._shared))]

    @property
    def seq(self) -> int:
        """The number of the last record that was counted."""
        return len(self._ledgers) - 1

    def enter(self, records: Iterable[Record]) -> Books:
        """Count further records."""
        for record in records:
            self._ledgers.append(_after(self._ledgers, record, self._shared, self.system))
        return self

    def economy(self, words: Words) -> Economy:
        """How the points were played in the latest session; what was taken back does not count.

        Spent is what the price of a move took. Corrections, and what rules set, are neither.
        """
        last = self._ledgers[-1]
        return Economy(last.session, last.running, last.began, last.plays, tuple(_notes(last, self.system, words)))


def economy(records: Iterable[Record], system: System, words: Words) -> Economy:
    """How the points of a table were played in its latest session, from its whole log."""
    return Books(system).enter(records).economy(words)


def _fresh(account: Account, at: int, balance: int = 0) -> Play:
    return Play(account.name, account.side, balance, 0, 0, at, 0)


def _after(ledgers: Sequence[_Ledger], record: Record, shared: Sequence[Account], system: System) -> _Ledger:
    now = ledgers[-1]
    match record.event:
        case Rewound(to=to):
            return ledgers[to]
        case MoveMade(move=move):
            row = system.by_key.get(move)
            return replace(now, spending=row is not None and row.price is not None)
        case PeriodBegan("session", number, _):
            balances = {play.account: play.balance for play in now.plays}
            plays = tuple(_fresh(account, record.at, balances[account.name]) for account in shared)
            return _Ledger(number, record.at, True, plays)
        case PeriodEnded("session"):
            return replace(now, running=False)
        case CheckClosed(how="done"):
            return _each(now, lambda play: replace(play, idle_checks=play.idle_checks + 1))
        case PointsSet(account=account, owner="") as event:
            moved = partial(_moved, event=event, at=record.at, spending=now.spending)
            return _each(now, lambda play: moved(play) if play.account == account else play)
        case _:
            return now


def _moved(play: Play, event: PointsSet, at: int, spending: bool) -> Play:
    play = replace(play, balance=event.balance)
    if event.delta > 0:
        return replace(play, gained=play.gained + event.delta)
    return replace(play, spent=play.spent - event.delta, idle_since=at, idle_checks=0) if spending else play


def _each(ledger: _Ledger, change: Callable[[Play], Play]) -> _Ledger:
    return replace(ledger, plays=tuple(change(play) for play in ledger.plays))


def _notes(ledger: _Ledger, system: System, words: Words) -> Iterable[str]:
    """A side is locked when it has nothing to spend, because the other sits on everything there is.

    Source: seed 000, Destiny Point Economy.
    """
    if not ledger.running:
        return
    for locked in ledger.plays:
        for sitting in ledger.plays:
            opposed = {locked.side, sitting.side} == {"players", "gm"}
            if opposed and not locked.balance and sitting.balance and sitting.idle_checks >= SITTING_CHECKS:
                key = "economy.locked.players" if sitting.side == "players" else "economy.locked.gm"
                look = system.look.get(sitting.account)
                name = (look.plural or look.word) if look else sitting.account
                yield words.say(key, n=sitting.balance, account=name, checks=sitting.idle_checks)
