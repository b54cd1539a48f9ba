"""The latest session from its log: pools, spends, luck, key rolls, and empty pools.

It is computed from the records that its reader may see, so each seat has its own recap, and no
total includes hidden records.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce

from storypool.engine import events
from storypool.engine.events import Record
from storypool.engine.fold import evolve, kept_records
from storypool.engine.game.system import System
from storypool.engine.ledger import has_price, paid_of_roll
from storypool.engine.refusal import Refused
from storypool.engine.table import Check, Outcome, Table
from storypool.odds import allowing
from storypool.odds.question import Reckoned, TooMany, within_limits
from storypool.systems import game_stakes
from storypool.worth.luck import LuckyRoll, place_of
from storypool.worth.recap import CountedSession, Recap, harm_accounts, own_points
from storypool.worth.weighing import reckoned

PATIENCE_S = 10.0
"""The most seconds for the odds of all rolls together; rolls beyond that have no luck."""
MAX_HINGES = 3
"""The most key moments of a recap."""


@dataclass(frozen=True, slots=True)
class PointsSpent:
    """One spend: the person, side, move and action, and the points by account.

    Points of the roll itself count too. A substitute payment, such as a free invoke, is listed by
    its own name. `adds` are the points that rose as a price, on a track or of the other side.
    `gained` is the change to the chance of its side, None if unknown.
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


def points_of(one: PointsSpent, system: System) -> Counter[str]:
    """The points of a spend by account, without substitutes and points that rose."""
    return Counter({name: n for name, n in one.points.items() if name in system.by_account})


@dataclass(frozen=True, slots=True)
class Lock:
    """How long a pool of a side was empty: for `without` of `actions`, in `times` runs.

    `longest` is the longest run. If a side has no pool, `account` is the total of its characters.
    `dry`: it was empty after some move of the session, even if no action began so.
    """

    side: str
    account: str
    actions: int
    without: int
    times: int
    longest: int
    dry: bool


@dataclass(frozen=True, slots=True)
class SessionRecap:
    """The latest session: its lines, its pools, its spends, its rolls and its locks.

    `pools` has the balance of each pool with the number of the record that set it, from the first
    action or spend on: points dealt out before are its start. `sides` has the side that spends each
    pool, `scenes` counts the scenes. `left_out` counts the rolls whose odds are unknown; `kept`:
    the reader may not know odds.
    """

    short: Recap
    pools: Mapping[str, Sequence[tuple[int, int]]]
    sides: Mapping[str, str]
    spends: Sequence[PointsSpent]
    rolls: Sequence[LuckyRoll]
    locks: Sequence[Lock]
    left_out: int = 0
    kept: bool = False
    scenes: int = 0

    def hinges(self) -> list[LuckyRoll]:
        """The rolls that mattered most, in descending order; none with a certain result."""
        decided = [one for one in self.rolls if one.passed is not None and one.weight]
        return sorted(decided, key=lambda one: (-one.weight, one.seq))[:MAX_HINGES]


def session_recap(
    records: Iterable[Record], system: System, *, chances: bool = True, seconds: float = PATIENCE_S
) -> SessionRecap:
    """The recap of the latest session of a log, for its reader; undone moves do not count.

    `chances` is False if the table hides odds from its reader. The odds of its rolls may take at
    most `seconds` in total, by the estimated cost of counting them.
    """
    kept = kept_records(records)
    begins = [
        (i, event.number, record.at)
        for i, record in enumerate(kept)
        if isinstance(event := record.event, events.PeriodBegan) and event.kind == "session"
    ]
    start, number, at = begins[-1] if begins else (len(kept), 0, 0)
    table = reduce(lambda table, record: evolve(table, record.event), kept[:start], Table())
    counted = (number, at) if begins else None
    spent = spent_accounts(kept, system)
    return part_recap(kept[start:], system, table, counted, spent, chances=chances, seconds=seconds)


def part_recap(
    part: Iterable[Record],
    system: System,
    table: Table,
    session: tuple[int, int] | None,
    spent: Set[str],
    *,
    chances: bool = False,
    seconds: float = PATIENCE_S,
) -> SessionRecap:
    """The recap of a session from its own records, in order and without undone ones.

    `table` is the table before them, `session` the number of the session and the time at which it
    began, None before the first. `spent` are the accounts that pay for moves (`spent_accounts`).
    """
    number, at = session or (0, 0)
    falling = {name for name in spent if system.by_account[name].paying == "lowers"}
    own = falling | own_points(system)
    counted = CountedSession(system, number, at, own, running=session is not None)
    walk = _Walk(system, spent, chances, table, counted)
    with allowing(int(seconds * 1e6)):
        for record in part:
            walk.take(record)
        walk.settle_move()
    return SessionRecap(
        counted.recap(walk.table),
        {name: tuple(steps) for name, steps in walk.pools.items()},
        walk.sides,
        spends=tuple(walk.spends),
        rolls=tuple(walk.rolls),
        locks=tuple(walk.locks()),
        left_out=walk.left_out,
        kept=not chances,
        scenes=walk.scenes,
    )


def spent_accounts(records: Iterable[Record], system: System) -> set[str]:
    """The accounts that paid for a move with a price."""
    found, move = set[str](), ""
    for record in records:
        if isinstance(record.event, events.MoveMade):
            move = record.event.move
        elif record.event is None:
            move = ""
        elif isinstance(record.event, events.PointsSet) and has_price(system, move):
            account = record.event.account
            found |= {account} if system.paid(account, record.event.delta) > 0 else set()
    return found - harm_accounts(system)


@dataclass(slots=True)
class _Walk:
    """The state of a session while its records are read in order."""

    system: System
    spent: Set[str]
    chances: bool
    table: Table
    counted: CountedSession
    sides: dict[str, str] = field(default_factory=dict)
    pools: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    spends: list[PointsSpent] = field(default_factory=list)
    rolls: list[LuckyRoll] = field(default_factory=list)
    left_out: int = 0
    scenes: int = 0
    balances: dict[str, dict[str, int]] = field(default_factory=dict)
    dry: set[str] = field(default_factory=set)
    _move: tuple[int, events.MoveMade, Table] | None = None
    _paid: Counter[str] = field(default_factory=Counter)
    _added: Counter[str] = field(default_factory=Counter)
    _proposal: str = ""
    _rolled: dict[str, tuple[int, Table]] = field(default_factory=dict)
    _scene: events.PeriodBegan | None = None
    _fresh: bool = True
    _played: bool = False

    def __post_init__(self) -> None:
        for account in self.system.accounts:
            if account.each == "table" and account.side:
                self.sides[account.name] = account.side
            elif account.name in self.spent:
                self.sides[account.name] = "players"

    def take(self, record: Record) -> None:
        """Read one more record."""
        event, before = record.event, self.table
        if isinstance(event, events.MoveMade) or event is None:
            self.settle_move()
        self.table = evolve(before, event)
        self.counted.take(record, before)
        match event:
            case events.MoveMade():
                self._move = (record.seq, event, before)
            case events.PeriodBegan(kind="scene"):
                self._scene, self.scenes = event, self.scenes + 1
            case events.PointsSet(account=account) as event if account in self.system.by_account:
                self._note_points(event)
                self._note_refund(event)
                self._step(record.seq)
            case events.Proposed(proposal):
                self._proposal = proposal.id
            case events.ProposalSettled(id, False):
                self.spends = [one for one in self.spends if one.proposal != id]
            case events.CheckOpened() as event:
                if not self._played:
                    self._start(record.seq)
                self._played = True
                self.balances[event.check.id] = self._balances()
            case events.DiceRolled(check=id) if (
                id in before.checks and before.checks[id].phase == "build"
            ):
                self._rolled[id] = (record.seq, before)
            case events.CheckChanged(check):
                if self._is_priced():
                    self._paid.update(paid_of_roll(before.checks.get(check.id), check))
                if check.outcome is not None and check.id in self._rolled:
                    self._note_roll(check, check.outcome)
                if check.id not in before.checks:
                    # A hidden action is revealed: nobody saw the effect of its dice on the chances.
                    self.balances[check.id] = self._balances()
                    self.left_out += self.chances and bool(check.rolled)
            case events.CheckClosed(id, how):
                if how == "cancelled":
                    self.spends = [one for one in self.spends if one.check != id]
                    self.balances.pop(id, None)
                elif id in before.checks:
                    self._note_end(before.checks[id])
            case events.PeriodEnded(kind="session"):
                self._step(record.seq)

    def _note_refund(self, event: events.PointsSet) -> None:
        """Subtract a refund for an action that goes on, by the ledger line that names it."""
        check = None
        if self._move:
            check = self.table.checks.get(self._move[1].check)
        if check is None or event.why != self.system.words.say("points.refund", what=check.title):
            return
        left, account, kept = abs(event.delta), event.account, list[PointsSpent]()
        for one in reversed(self.spends):
            if one.check == check.id and left:
                points, adds = Counter(one.points), Counter(one.adds)
                back = min(left, points[account] + adds[account])
                left -= back
                (points if points[account] else adds)[account] -= back
                one = replace(one, points=+points, adds=+adds)
            if one.points or one.adds:
                kept.insert(0, one)
        self.spends = kept

    def _is_priced(self) -> bool:
        return self._move is not None and has_price(self.system, self._move[1].move)

    def _note_points(self, event: events.PointsSet) -> None:
        """Note the points that a priced move takes or raises.

        Healing and turning over do not count.

        Only points that fall by paying are spent: those that rise are a price on a track, or a gain
        of others.
        """
        account, delta = self.system.by_account[event.account], event.delta
        if not self._is_priced() or event.why == self.system.words.get("points.turned"):
            return
        if delta > 0:
            self._added[account.name] += delta
        elif account.paid(delta) > 0 and account.name not in harm_accounts(self.system):
            self._paid[account.name] -= delta

    def settle_move(self) -> None:
        """Note the payments of the last move, now that all its effects are known."""
        if self._fresh:
            self._start(self.table.seq)
            self._fresh = False
        if "session" in self.table.running:
            # Only check between moves: within a move a pool may be empty that nobody saw empty.
            self.dry |= {name for name, n in self._balances().items() if n <= 0}
        move, paid, added, proposal = self._move, self._paid, self._added, self._proposal
        self._move, self._paid, self._added, self._proposal = None, Counter(), Counter(), ""
        if move is None:
            return
        seq, made, before = move
        instead = str(made.args.get("with", ""))
        if (
            has_price(self.system, made.move)
            and not (paid or added)
            and instead in self.system.look
        ):
            paid[instead] = 1
        if not (paid or added):
            return
        self._played = True
        seat = before.seats.get(made.seat)
        gm = seat is not None and seat.side == "gm"
        check = before.checks.get(made.check)
        gained = None
        if check is not None:
            gained = self._gained(made, before, check, gm)
        who, title = seat.name if seat else made.seat, check.title if check else ""
        if self._goes_on(made, who, paid, added):
            last = self.spends[-1]
            self.spends[-1] = replace(last, adds=Counter(last.adds) + added)
            return
        self.spends.append(
            PointsSpent(
                seq,
                who,
                "gm" if gm else "players",
                move=self.system.title(made.move),
                action=title,
                points=dict(paid),
                adds=dict(added),
                gained=gained,
                check=made.check,
                proposal=proposal,
            )
        )

    def _goes_on(
        self, made: events.MoveMade, who: str, paid: Counter[str], added: Counter[str]
    ) -> bool:
        """Whether a move only adds harm to the spend before it, as further pips of one roll do."""
        if paid or not self.spends or not set(added) <= harm_accounts(self.system):
            return False
        last, title = self.spends[-1], self.system.title(made.move)
        return (last.who, last.move, last.check) == (who, title, made.check) and bool(made.check)

    def _gained(
        self, made: events.MoveMade, before: Table, check: Check, gm: bool
    ) -> Fraction | None:
        """The change that a spend made to the chance of its side."""
        own = (check.side == "gm") == gm
        if not self.chances:
            return None
        if check.phase != "build":
            # A game reports the worth of a roll for the acting side; the other side's dice are not
            # weighed.
            for row in (
                game_stakes.further(self.system.played_at(before).key, before, check) if own else ()
            ):
                if row.move == made.move and row.of == "chance":
                    return row.after[row.goal] - row.before[row.goal]
            return None
        then = self.table.checks.get(check.id)
        one = self._chance(before, check)
        two = None
        if then is not None and then.phase == "build":
            two = self._chance(self.table, then)
        if one is None or two is None:
            return None
        return two - one if own else one - two

    def _note_roll(self, check: Check, outcome: Outcome) -> None:
        seq, before = self._rolled.pop(check.id)
        odds = self._odds(before, before.checks[check.id])
        if odds is None:
            self.left_out += self.chances
            return
        try:
            with within_limits():
                place, spread = place_of(odds.distribution, outcome.net)
        except TooMany:
            self.left_out += 1
            return
        actor = before.characters.get(check.actor)
        who, chance = actor.name if actor else check.actor, next(iter(odds.outcomes.values()))
        one = LuckyRoll(
            seq,
            who,
            check.side,
            action=check.title,
            chance=chance,
            place=place,
            spread=spread,
            passed=outcome.passed,
        )
        self.rolls.append(replace(one, check=check.id, scene=self._scene))

    def _note_end(self, check: Check) -> None:
        """Note how an action ended, the points spent on it, and the change to its chance."""
        spends = [one for one in self.spends if one.check == check.id]
        moved = sum((abs(one.gained) for one in spends if one.gained), Fraction(0))
        paid, instead = 0, Counter[str]()
        for one in spends:
            points = points_of(one, self.system)
            paid += points.total()
            instead += Counter(one.points) - points
        passed = check.outcome.passed if check.outcome else None
        terms = (
            key
            for key, value in check.terms.items()
            if value and f"recap.passed.{key}" in self.system.words
        )
        bargain = next(terms, "") if passed else ""
        for i, roll in enumerate(self.rolls):
            if roll.check == check.id:
                self.rolls[i] = replace(
                    roll, passed=passed, paid=paid, instead=instead, bought=moved, bargain=bargain
                )

    def _chance(self, table: Table, check: Check) -> Fraction | None:
        odds = self._odds(table, check)
        if odds is not None:
            return next(iter(odds.outcomes.values()), None)
        return None

    def _odds(self, table: Table, check: Check) -> Reckoned | None:
        if not self.chances:
            return None
        try:
            with within_limits():
                return reckoned(self.system.played_at(table).key, table, check)
        except Refused:
            return None

    def _start(self, seq: int) -> None:
        """Start the pools here: points dealt out before are their start."""
        self.pools = {name: [(seq, n)] for name, n in self._balances().items()}
        self.dry.clear()

    def _balances(self) -> dict[str, int]:
        found = dict.fromkeys(self.sides, 0)
        for (account, owner), n in self.table.points.items():
            character = self.table.characters.get(owner)
            if account in found and (
                not owner or (character is not None and character.side == "players")
            ):
                found[account] += n
        return found

    def _step(self, seq: int) -> None:
        for name, n in self._balances().items():
            steps = self.pools.setdefault(name, [])
            if not steps or steps[-1][1] != n:
                steps.append((seq, n))

    def locks(self) -> Iterator[Lock]:
        """The periods in which each pool of a side was empty.

        Points of characters do not count towards a pool of the table: they must not hide that it is
        empty.
        """
        rows = self.system.by_account
        pooled = {side for name, side in self.sides.items() if rows[name].each == "table"}
        for account, side in self.sides.items():
            if rows[account].paying == "raises" or (
                side in pooled and rows[account].each == "character"
            ):
                continue
            runs, n = list[int](), 0
            for balances in (*self.balances.values(), None):
                if balances is not None and balances[account] <= 0:
                    n += 1
                elif n:
                    runs.append(n)
                    n = 0
            dry, longest = account in self.dry or bool(runs), max(runs, default=0)
            yield Lock(
                side,
                account,
                len(self.balances),
                without=sum(runs),
                times=len(runs),
                longest=longest,
                dry=dry,
            )
