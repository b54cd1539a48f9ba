"""How the table plays its points: computed from the records alone, for whatever accounts a game has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from storypool.engine.events import (
    CheckClosed,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
)
from storypool.engine.kit import Account
from storypool.engine.system import System

SITTING_CHECKS = 3
"""Actions that go by before somebody counts as sitting on their points."""

MOST_CHANGES = 400
"""Changes of a session that are told one by one, the latest; sums count all of them."""


@dataclass(frozen=True, slots=True)
class AccountPlay:
    """One account of the table in the running session, or in the last one.

    `start` is the balance with which the session began, `spent` and `gained` are sums of what went out and came in.
    `most` is the cap, None where there is none. `idle_since` is when points were last spent, or when the session
    began, in milliseconds since 1970; `idle_checks` counts the actions closed since then.
    """

    account: str
    side: Literal["players", "gm", ""]
    balance: int
    spent: int
    gained: int
    idle_since: int
    idle_checks: int
    start: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a balance: the record that tells it, the balance after it, what moved it, and the ledger's line.

    `source` is what kind of thing it was, in words: changes with the same source are of one kind.
    """

    seq: int
    at: int
    account: str
    balance: int
    delta: int
    source: str
    why: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where points of an account came from, or went to: the sum of all such changes, how many, and the latest."""

    account: str
    source: str
    points: int
    times: int
    last: Change


@dataclass(frozen=True, slots=True)
class Economy:
    """Every account that the table shares, how it came to its balance, and where its points came from and went.

    `changes` are those of the session in their order, `scenes` the numbers of the records in which one began; `sources`
    come with the latest first, gains and losses apart. `notes` are for game masters: a gentle one for each side that is
    locked.
    """

    session: int
    running: bool
    began: int
    accounts: tuple[AccountPlay, ...]
    notes: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    sources: tuple[Source, ...] = ()
    scenes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A change, and the one before it: a chain, so that each count can hold its own end of it."""

    change: Change
    before: _Entry | None


@dataclass(frozen=True, slots=True)
class _Count:
    """What has been counted up to a record. Each is made from the one before, so a rewind takes up an earlier one."""

    session: int = 0
    began: int = 0
    running: bool = False
    plays: tuple[AccountPlay, ...] = ()
    spending: bool = False
    move: str = ""
    proposed: Mapping[str, str] = field(default_factory=dict)
    entries: _Entry | None = None
    scenes: tuple[int, ...] = ()


class Ledger:
    """The points of one table, counted record by record. Only its own records, all of them, in their order."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._shared = [account for account in system.accounts if account.each == "table"]
        self._counts = [_Count(plays=tuple(_fresh(account, 0) for account in self._shared))]

    @property
    def seq(self) -> int:
        """The number of the last record that was counted."""
        return len(self._counts) - 1

    def enter(self, records: Iterable[Record]) -> Ledger:
        """Count further records."""
        for record in records:
            self._counts.append(_after(self._counts, record, self._shared, self.system))
        return self

    def economy(self) -> Economy:
        """How the points were played in the latest session; what was taken back does not count.

        Spent is what the price of a move took. Corrections, and what rules set, are neither.
        """
        last = self._counts[-1]
        changes = _in_order(last.entries)
        return Economy(
            last.session,
            last.running,
            last.began,
            last.plays,
            tuple(_notes(last, self.system)),
            changes[-MOST_CHANGES:],
            _sources(changes),
            last.scenes,
        )


def economy(records: Iterable[Record], system: System) -> Economy:
    """How the points of a table were played in its latest session, from its whole log."""
    return Ledger(system).enter(records).economy()


def has_price(system: System, move: str) -> bool:
    """Whether points are paid for this move: what it takes is spent, and no loss."""
    row = system.by_key.get(move)
    return row is not None and row.price is not None


def _fresh(account: Account, at: int, balance: int = 0) -> AccountPlay:
    most = None if callable(account.cap) else account.cap
    return AccountPlay(account.name, account.side, balance, 0, 0, at, 0, balance, most)


def _after(counts: Sequence[_Count], record: Record, shared: Sequence[Account], system: System) -> _Count:
    now = counts[-1]
    match record.event:
        case Rewound(to=to):
            return counts[to]
        case MoveMade(move=move):
            return replace(now, spending=has_price(system, move), move=move)
        case Proposed(proposal):
            return replace(now, proposed={**now.proposed, proposal.id: proposal.move})
        case ProposalSettled(id, True):
            return replace(now, move=now.proposed.get(id, ""))
        case PeriodBegan("session", number, _):
            balances = {play.account: play.balance for play in now.plays}
            plays = tuple(_fresh(account, record.at, balances[account.name]) for account in shared)
            return _Count(number, record.at, True, plays, move=now.move, proposed=now.proposed)
        case PeriodBegan("scene"):
            return replace(now, scenes=(*now.scenes, record.seq))
        case PeriodEnded("session"):
            return replace(now, running=False)
        case CheckClosed(how="done"):
            return _each(now, lambda play: replace(play, idle_checks=play.idle_checks + 1))
        case PointsSet(account=account, owner="") as event:
            moved = partial(_moved, event=event, at=record.at, spending=now.spending)
            change = _change(now, record.seq, record.at, event, system)
            now = replace(now, entries=_Entry(change, now.entries))
            return _each(now, lambda play: moved(play) if play.account == account else play)
        case None:
            # Whose move it was is out of sight, and so is what the points that follow were for.
            return replace(now, move="")
        case _:
            return now


def _moved(play: AccountPlay, event: PointsSet, at: int, spending: bool) -> AccountPlay:
    play = replace(play, balance=event.balance)
    if event.delta > 0:
        return replace(play, gained=play.gained + event.delta)
    return replace(play, spent=play.spent - event.delta, idle_since=at, idle_checks=0) if spending else play


def _change(now: _Count, seq: int, at: int, event: PointsSet, system: System) -> Change:
    return Change(seq, at, event.account, event.balance, event.delta, _source(now.move, event, system), event.why)


def _source(move: str, event: PointsSet, system: System) -> str:
    """What kind of thing moved the points: what they overflowed from, else the move; its own reason where neither."""
    words = system.words
    if any(
        event.why == words.say("points.overflow", account=system.plural(account.name))
        for account in system.accounts
        if account.overflow == event.account
    ):
        return event.why[:1].upper() + event.why[1:]
    if move not in system.by_key:
        return event.why
    return words.get(f"source.{move}", system.title(move))


def _in_order(last: _Entry | None) -> tuple[Change, ...]:
    found = []
    while last is not None:
        found.append(last.change)
        last = last.before
    return tuple(reversed(found))


def _sources(changes: Sequence[Change]) -> tuple[Source, ...]:
    """The changes of each account by what moved them, gains and losses apart, the one that moved last first."""
    found: dict[tuple[str, str, bool], Source] = {}
    for one in changes:
        if not one.delta:
            continue
        key = (one.account, one.source, one.delta > 0)
        before = found.pop(key, Source(one.account, one.source, 0, 0, one))
        found[key] = Source(one.account, one.source, before.points + one.delta, before.times + 1, one)
    return tuple(reversed(found.values()))


def _each(count: _Count, change: Callable[[AccountPlay], AccountPlay]) -> _Count:
    return replace(count, plays=tuple(change(play) for play in count.plays))


def _notes(count: _Count, system: System) -> Iterable[str]:
    """A side is locked when it has nothing to spend, because the other sits on everything there is.

    Source: seed 000, Destiny Point Economy.
    """
    if not count.running:
        return
    for locked in count.plays:
        for sitting in count.plays:
            opposed = {locked.side, sitting.side} == {"players", "gm"}
            if opposed and not locked.balance and sitting.balance and sitting.idle_checks >= SITTING_CHECKS:
                key = "economy.locked.players" if sitting.side == "players" else "economy.locked.gm"
                name = system.word(sitting.account, sitting.balance)
                yield system.words.say(key, n=sitting.balance, account=name, checks=sitting.idle_checks)
