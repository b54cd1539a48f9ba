"""How a table plays its points, computed from the records alone, for the accounts of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from storypool.engine import events
from storypool.engine.bag import Bag
from storypool.engine.events import Record
from storypool.engine.game.kit import Account
from storypool.engine.game.panels import TraysPanel
from storypool.engine.game.system import System
from storypool.engine.table import Check, Side, Table
from storypool.words import StorypoolError

SITTING_CHECKS = 3
"""Actions without a change of the shared points before a side counts as sitting on all of them."""

MAX_CHANGES = 400
"""The most changes listed one by one, the latest of the session; sums count all of them."""


@dataclass(frozen=True, slots=True)
class AccountPlay:
    """One account of the table in the running session, or in the last one.

    `start` is the balance when the session began, `spent` and `gained` are sums of points. `most`
    is the cap, None if there is none. `idle_since` is when points were last spent, or else when the
    session began, in milliseconds since 1970, UTC; `idle_checks` counts the actions closed since
    then.
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
    """One change of a balance: record, time, account, new balance, source and ledger line.

    `source` is its cause in words; changes with the same source are summed together. `at` is in
    milliseconds since 1970, UTC.
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
    """A source or use of an account's points: the sum of its changes, how many, the latest."""

    account: str
    source: str
    points: int
    times: int
    last: Change


@dataclass(frozen=True, slots=True)
class Economy:
    """Every shared account of the table: how it reached its balance, and by which sources.

    `changes` are the session's, oldest first; `sources` have the latest first, with gains and
    losses apart. `scenes` holds the numbers of the records in which a scene began. `notes` are for
    one side: a gentle hint for each side that is locked.
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
    """A change linked to its predecessor: a chain, so each count can hold its own end of it."""

    change: Change
    before: _Entry | None


@dataclass(frozen=True, slots=True)
class _Count:
    """The counts after one record, made from the last; a rewind just picks an earlier one."""

    session: int = 0
    began: int = 0
    running: bool = False
    plays: tuple[AccountPlay, ...] = ()
    spending: bool = False
    move: str = ""
    proposed: Mapping[str, str] = field(default_factory=dict)
    entries: _Entry | None = None
    scenes: tuple[int, ...] = ()
    checks: Mapping[str, Check] = field(default_factory=dict)
    quiet_checks: int = 0
    """The actions closed since shared points last moved."""


class BeforeLedger(StorypoolError, LookupError):
    """A rewind goes back to a record before the first one that the ledger counts from."""


class Ledger:
    """The points of one table, counted record by record from the table `begins` on.

    Without it they are counted from the first record. It must be given all records from there on,
    in order. It reports only the latest session, so it may begin with that.
    """

    def __init__(self, system: System, begins: Table | None = None) -> None:
        begins = begins or Table()
        self.system, self._first = system, begins.seq
        self._shared = [account for account in system.accounts if account.each == "table"]
        plays = tuple(_fresh(account, 0, begins.balance(account.name)) for account in self._shared)
        proposed = {proposal.id: proposal.move for proposal in begins.proposals.values()}
        self._counts = [
            _Count(
                begins.periods["session"],
                plays=plays,
                move=begins.last_move,
                proposed=proposed,
                checks=dict(begins.checks),
            )
        ]

    @property
    def seq(self) -> int:
        """The number of the last record counted."""
        return self._first + len(self._counts) - 1

    def enter(self, records: Iterable[Record]) -> Ledger:
        """Count further records, return this ledger; `BeforeLedger` for a rewind to before it."""
        for record in records:
            if isinstance(record.event, events.Rewound):
                if record.event.to < self._first:
                    raise BeforeLedger(record.event.to)
                count = self._counts[record.event.to - self._first]
            else:
                count = _counted(self._counts[-1], record, self._shared, self.system)
            self._counts.append(count)
        return self

    def economy(self, side: Side = "gm") -> Economy:
        """The points played in the latest session, with notes for a side, without undone moves.

        Points count as spent when the move they pay for has a price, and as gained whenever there
        are more to pay.
        """
        last = self._counts[-1]
        changes = _in_order(last.entries)
        return Economy(
            last.session,
            last.running,
            last.began,
            accounts=last.plays,
            notes=tuple(_notes(last, self.system, side)),
            changes=changes[-MAX_CHANGES:],
            sources=_sources(changes),
            scenes=last.scenes,
        )


def economy(records: Iterable[Record], system: System, side: Side = "gm") -> Economy:
    """The points played in a table's latest session, from its whole log, for a side."""
    return Ledger(system).enter(records).economy(side)


def has_price(system: System, move: str) -> bool:
    """Whether this move has a price: the points it takes count as spent, not as lost."""
    row = system.by_key.get(move)
    return row is not None and row.price is not None


def paid_of_roll(before: Check | None, after: Check) -> Bag:
    """The points that a priced move takes from a roll's symbols, before they reach a pool."""
    if before is None or before.outcome is None or before.outcome != after.outcome:
        return Bag()
    return Bag(
        {name: n - after.owed[name] for name, n in before.owed.items() if n > after.owed[name]}
    )


def _fresh(account: Account, at: int, balance: int = 0) -> AccountPlay:
    most = None if callable(account.cap) else account.cap
    return AccountPlay(
        account.name,
        account.side,
        balance,
        spent=0,
        gained=0,
        idle_since=at,
        idle_checks=0,
        start=balance,
        most=most,
    )


def _counted(count: _Count, record: Record, shared: Sequence[Account], system: System) -> _Count:
    match record.event:
        case events.MoveMade(move=move):
            return replace(count, spending=has_price(system, move), move=move)
        case events.Proposed(proposal):
            return replace(count, proposed={**count.proposed, proposal.id: proposal.move})
        case events.ProposalSettled(id, True):
            return replace(count, move=count.proposed.get(id, ""))
        case events.PeriodBegan("session", number, _):
            balances = {play.account: play.balance for play in count.plays}
            plays = tuple(_fresh(account, record.at, balances[account.name]) for account in shared)
            fresh = _Count(number, record.at, True, plays, move=count.move, proposed=count.proposed)
            return replace(fresh, checks=count.checks)
        case events.PeriodBegan("scene"):
            return replace(count, scenes=(*count.scenes, record.seq))
        case events.PeriodEnded("session"):
            return replace(count, running=False)
        case events.CheckOpened(check) | events.CheckChanged(check):
            paid_here = paid_of_roll(count.checks.get(check.id), check) if count.spending else Bag()
            count = replace(count, checks={**count.checks, check.id: check})
            return _with_plays(count, lambda play: _paid(play, paid_here[play.account], record.at))
        case events.CheckClosed(id=id) as closed:
            count = replace(
                count, checks={key: one for key, one in count.checks.items() if key != id}
            )
            if closed.how != "done" or closed.seen_by is not None:
                return count
            count = replace(count, quiet_checks=count.quiet_checks + 1)
            return _with_plays(count, lambda play: replace(play, idle_checks=play.idle_checks + 1))
        case events.PointsSet(account=account, owner="") as event if account in system.by_account:
            paid = system.paid(account, event.delta)
            moved = partial(
                _moved, balance=event.balance, paid=paid, at=record.at, spending=count.spending
            )
            change = _change(count, record.seq, record.at, event, system)
            count = replace(count, entries=_Entry(change, count.entries), quiet_checks=0)
            return _with_plays(count, lambda play: moved(play) if play.account == account else play)
        case None:
            # The move is hidden, so the source of its points stays unknown.
            return replace(count, move="")
        case _:
            return count


def _paid(play: AccountPlay, n: int, at: int) -> AccountPlay:
    return replace(play, spent=play.spent + n, idle_since=at, idle_checks=0) if n else play


def _moved(play: AccountPlay, balance: int, paid: int, at: int, spending: bool) -> AccountPlay:
    play = replace(play, balance=balance)
    if paid < 0:
        return replace(play, gained=play.gained - paid)
    return _paid(play, paid, at) if spending else play


def _change(count: _Count, seq: int, at: int, event: events.PointsSet, system: System) -> Change:
    return Change(
        seq,
        at,
        event.account,
        balance=event.balance,
        delta=event.delta,
        source=_source(count.move, event, system),
        why=event.why,
    )


def _source(move: str, event: events.PointsSet, system: System) -> str:
    """The source of the points: the account that overflowed, else the move, else the reason."""
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
    """The changes summed by account and source, gains and losses apart, the latest first."""
    found: dict[tuple[str, str, bool], Source] = {}
    for one in changes:
        if not one.delta:
            continue
        key = (one.account, one.source, one.delta > 0)
        before = found.pop(key, Source(one.account, one.source, 0, 0, one))
        found[key] = Source(
            one.account, one.source, before.points + one.delta, before.times + 1, one
        )
    return tuple(reversed(found.values()))


def _with_plays(count: _Count, change: Callable[[AccountPlay], AccountPlay]) -> _Count:
    return replace(count, plays=tuple(change(play) for play in count.plays))


def _notes(count: _Count, system: System, side: Side) -> Iterable[str]:
    """Yield a note for each locked side: it cannot spend, as the other side hoards the points.

    Players and game masters get them, spectators none. Points that move, such as the last that turn
    over, begin the count again: until then nobody held all of them. Where spent points do not turn
    over, neither side waits for the other's. Source: seed 000, Destiny Point Economy.
    """
    trays = [panel for panel in system.panels if isinstance(panel, TraysPanel)]
    if (
        not count.running
        or side == "spectator"
        or (trays and not any(panel.turns for panel in trays))
    ):
        return
    for locked in count.plays:
        for sitting in count.plays:
            opposed = {locked.side, sitting.side} == {"players", "gm"}
            if (
                opposed
                and not locked.balance
                and sitting.balance
                and count.quiet_checks >= SITTING_CHECKS
            ):
                holder = "yours" if (sitting.side == "gm") == (side == "gm") else "theirs"
                key = f"economy.locked.{sitting.side}.{holder}"
                name = system.word(sitting.account, sitting.balance)
                yield system.words.say(
                    key, n=sitting.balance, account=name, checks=sitting.idle_checks
                )
