"""The latest session from its log: the pools, what each spend bought, luck, what hung on what, and who ran out.

It is computed from what its reader may see, so each seat has a recap of its own, and nothing hidden is in a total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction

from storypool import systems
from storypool.engine.events import (
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
)
from storypool.engine.fold import evolve
from storypool.engine.ledger import has_price
from storypool.engine.recap import Recap, recap, standing
from storypool.engine.refusal import Refused
from storypool.engine.system import System
from storypool.engine.table import Check, Outcome, Table
from storypool.odds.question import Reckoned, text, within_limits
from storypool.worth.weighing import reckoned

PATIENCE = 0.5
"""The most seconds that the odds of one roll may take; a roll beyond has no luck."""
HINGES = 3
"""How many moments are told."""


@dataclass(frozen=True, slots=True)
class PointsSpent:
    """One spend: who, of which side, by which move, on which action, how many points of which account.

    `adds` are the points that the other side got, where that is the whole price. `gained` is what it added to the
    chance of its side, None where nothing of the kind can be told.
    """

    seq: int
    who: str
    side: str
    move: str
    action: str
    points: Mapping[str, int]
    adds: Mapping[str, int] = field(default_factory=dict)
    gained: Fraction | None = None
    check: str = ""
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class LuckyRoll:
    """One roll against its own odds: `place` is the share of rolls of these dice that are worse, half of those as good.

    `chance` is how likely it was to pass when the dice fell, `passed` how the action ended, `bought` how much of a
    chance points moved, for better or worse, before the roll and after it.
    """

    seq: int
    who: str
    side: str
    action: str
    chance: Fraction
    place: Fraction
    passed: bool | None
    bought: Fraction = Fraction(0)
    check: str = ""

    @property
    def weight(self) -> Fraction:
        """How much hung on it: how far the result is from what was likely, and what points had changed."""
        missed = 1 - self.chance if self.passed else self.chance
        return missed + self.bought


@dataclass(frozen=True, slots=True)
class Lock:
    """How long a side was without points: of so many actions how many began so, how often, and for how many on end."""

    side: str
    actions: int
    without: int
    times: int
    longest: int


@dataclass(frozen=True, slots=True)
class SessionRecap:
    """The latest session: its five lines, its pools, its spends, its rolls and its locks.

    `pools` has the balance of each pool with the number of the record after which it holds, from the start on. `sides`
    says which side spends a pool.
    """

    short: Recap
    pools: Mapping[str, Sequence[tuple[int, int]]]
    sides: Mapping[str, str]
    spends: Sequence[PointsSpent]
    rolls: Sequence[LuckyRoll]
    locks: Sequence[Lock]

    def hinges(self) -> list[LuckyRoll]:
        """Return the rolls on which most hung, most first."""
        told = [one for one in self.rolls if one.passed is not None]
        return sorted(told, key=lambda one: (-one.weight, one.seq))[:HINGES]

    def luck(self) -> dict[tuple[str, str], tuple[int, Fraction]]:
        """Return how many rolls each person made, and their place on average; then each side, by ("", side)."""
        found: dict[tuple[str, str], list[Fraction]] = {}
        for side in ("players", "gm"):
            ours = [one for one in self.rolls if one.side == side]
            for one in ours:
                found.setdefault((one.who, side), []).append(one.place)
            if ours:
                found["", side] = [one.place for one in ours]
        return {who: (len(places), sum(places, Fraction(0)) / len(places)) for who, places in found.items()}


def session_recap(records: Iterable[Record], system: System) -> SessionRecap:
    """Return the recap of the latest session of a log as its reader may read it; undone moves do not count."""
    whole = list(records)
    walk = _Walk(system, _spent_accounts(whole, system))
    for record in standing(whole):
        walk.take(record)
    walk.settle_move()
    return SessionRecap(
        recap(whole, system),
        {name: tuple(steps) for name, steps in walk.pools.items()},
        walk.sides,
        tuple(walk.spends),
        tuple(walk.rolls),
        tuple(walk.locks()),
    )


def _spent_accounts(records: Iterable[Record], system: System) -> set[str]:
    """Return the accounts that a move with a price was paid from."""
    found, move = set[str](), ""
    for record in records:
        if isinstance(record.event, MoveMade):
            move = record.event.move
        elif record.event is None:
            move = ""
        elif isinstance(record.event, PointsSet) and record.event.delta < 0 and has_price(system, move):
            found.add(record.event.account)
    return found


@dataclass(slots=True)
class _Walk:
    """A session while its records are read, one after another."""

    system: System
    spent: set[str]
    table: Table = field(default_factory=Table)
    sides: dict[str, str] = field(default_factory=dict)
    pools: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    spends: list[PointsSpent] = field(default_factory=list)
    rolls: list[LuckyRoll] = field(default_factory=list)
    begun: list[dict[str, int]] = field(default_factory=list)
    _move: tuple[int, MoveMade, Table] | None = None
    _paid: Counter[str] = field(default_factory=Counter)
    _added: Counter[str] = field(default_factory=Counter)
    _proposal: str = ""
    _rolled: dict[str, tuple[int, Table]] = field(default_factory=dict)
    _fresh: bool = False

    def __post_init__(self) -> None:
        for account in self.system.accounts:
            if account.each == "table" and account.side:
                self.sides[account.name] = account.side
            elif account.name in self.spent:
                self.sides[account.name] = "players"

    def take(self, record: Record) -> None:
        """Read one more record."""
        event, before = record.event, self.table
        if isinstance(event, MoveMade) or event is None:
            self.settle_move()
        self.table = evolve(before, event)
        match event:
            case MoveMade():
                self._move = (record.seq, event, before)
            case PeriodBegan(kind="session"):
                self._begin(record.seq)
            case PointsSet(account=account, delta=delta):
                if self._move is not None and has_price(self.system, self._move[1].move):
                    (self._paid if delta < 0 else self._added)[account] += abs(delta)
                self._step(record.seq)
            case Proposed(proposal):
                self._proposal = proposal.id
            case ProposalSettled(id, False):
                self.spends = [one for one in self.spends if one.proposal != id]
            case CheckOpened():
                self.begun.append(self._balances())
            case DiceRolled(check=id) if id in before.checks and before.checks[id].phase == "build":
                self._rolled[id] = (record.seq, before)
            case CheckChanged(check):
                if check.outcome is not None and check.id in self._rolled:
                    self._note_roll(check, check.outcome)
            case CheckClosed(id, how):
                if how == "cancelled":
                    self.spends = [one for one in self.spends if one.check != id]
                elif id in before.checks:
                    self._note_end(before.checks[id])
            case PeriodEnded(kind="session"):
                self._step(record.seq)

    def settle_move(self) -> None:
        """Note what the last move paid, now that all its effects are known."""
        if self._fresh:
            # What the beginning of a session sets is where it starts.
            self.pools = {name: [(self.table.seq, n)] for name, n in self._balances().items()}
            self._fresh = False
        move, paid, added, proposal = self._move, self._paid, self._added, self._proposal
        self._move, self._paid, self._added, self._proposal = None, Counter(), Counter(), ""
        if move is None or not (paid or added):
            return
        seq, made, before = move
        seat = before.seats.get(made.seat)
        gm = seat is not None and seat.side == "gm"
        check = before.checks.get(made.check)
        gained = self._gained(made, before, check, gm) if check is not None else None
        self.spends.append(
            PointsSpent(
                seq,
                seat.name if seat else made.seat,
                "gm" if gm else "players",
                self.system.title(made.move),
                check.title if check else "",
                dict(paid),
                {} if paid else dict(added),
                gained,
                made.check,
                proposal,
            )
        )

    def _gained(self, made: MoveMade, before: Table, check: Check, gm: bool) -> Fraction | None:
        """Return what a spend added to the chance of its side."""
        own = (check.side == "gm") == gm
        if check.phase != "build":
            stakes = systems.stakes(self.system.key)
            rows = stakes.further(before, check) if stakes else ()
            for row in rows:
                if row.key == made.move and row.of == "chance":
                    return (row.after[row.goal] - row.before[row.goal]) * (1 if own else -1)
            return None
        then = self.table.checks.get(check.id)
        one = self._chance(before, check)
        two = self._chance(self.table, then) if then is not None and then.phase == "build" else None
        if one is None or two is None:
            return None
        return two - one if own else one - two

    def _note_roll(self, check: Check, outcome: Outcome) -> None:
        seq, before = self._rolled.pop(check.id)
        odds = self._odds(before, before.checks[check.id])
        if odds is None:
            return
        axis = odds.distribution.axes[0]
        lies = outcome.net[axis]
        below, same = odds.distribution.p(**{axis: lambda n: n < lies}), odds.distribution.p(**{axis: lies})
        actor = before.characters.get(check.actor)
        chance = next(iter(odds.outcomes.values()))
        self.rolls.append(
            LuckyRoll(
                seq,
                actor.name if actor else check.actor,
                check.side,
                check.title,
                chance,
                below + same / 2,
                outcome.passed,
                check=check.id,
            )
        )

    def _note_end(self, check: Check) -> None:
        """Note how an action ended, and what all that was spent on it moved."""
        moved = sum((abs(one.gained) for one in self.spends if one.check == check.id and one.gained), Fraction(0))
        passed = check.outcome.passed if check.outcome else None
        self.rolls = [replace(one, passed=passed, bought=moved) if one.check == check.id else one for one in self.rolls]

    def _chance(self, table: Table, check: Check) -> Fraction | None:
        odds = self._odds(table, check)
        return next(iter(odds.outcomes.values()), None) if odds is not None else None

    def _odds(self, table: Table, check: Check) -> Reckoned | None:
        try:
            with within_limits(PATIENCE):
                return reckoned(self.system.key, table, check)
        except Refused:
            return None

    def _begin(self, seq: int) -> None:
        """Begin anew: an earlier session is not told."""
        self.spends, self.rolls, self.begun, self._fresh = [], [], [], True
        self.pools = {name: [(seq, n)] for name, n in self._balances().items()}

    def _balances(self) -> dict[str, int]:
        found = dict.fromkeys(self.sides, 0)
        for (account, owner), n in self.table.points.items():
            character = self.table.characters.get(owner)
            if account in found and (not owner or (character is not None and character.side == "players")):
                found[account] += n
        return found

    def _step(self, seq: int) -> None:
        for name, n in self._balances().items():
            steps = self.pools.setdefault(name, [])
            if not steps or steps[-1][1] != n:
                steps.append((seq, n))

    def locks(self) -> Iterator[Lock]:
        """Yield how long each side was without points that it could have had."""
        for side in dict.fromkeys(self.sides.values()):
            own = [name for name, of in self.sides.items() if of == side]
            runs, n = list[int](), 0
            for balances in (*self.begun, None):
                if balances is not None and not any(balances[name] for name in own):
                    n += 1
                elif n:
                    runs.append(n)
                    n = 0
            yield Lock(side, len(self.begun), sum(runs), len(runs), max(runs, default=0))


def data(of: SessionRecap) -> dict[str, object]:
    """Return a recap as plain data, with chances and places as exact fractions."""
    return {
        "session": of.short.session,
        "running": of.short.running,
        "lines": [{"kind": line.kind, "text": line.text, "seq": line.seq} for line in of.short.lines],
        "pools": {name: [list(step) for step in steps] for name, steps in of.pools.items()},
        "sides": dict(of.sides),
        "spends": [
            {
                "seq": one.seq,
                "who": one.who,
                "side": one.side,
                "move": one.move,
                "action": one.action,
                "points": dict(one.points),
                "adds": dict(one.adds),
                "gained": None if one.gained is None else text(one.gained),
            }
            for one in of.spends
        ],
        "rolls": [
            {
                "seq": one.seq,
                "who": one.who,
                "side": one.side,
                "action": one.action,
                "chance": text(one.chance),
                "place": text(one.place),
                "passed": one.passed,
                "bought": text(one.bought),
            }
            for one in of.rolls
        ],
        "hinges": [one.seq for one in of.hinges()],
        "locks": [asdict(one) for one in of.locks],
    }


__all__ = ["Lock", "LuckyRoll", "PointsSpent", "SessionRecap", "data", "session_recap"]
