"""One evening played: moves decided by the rules from waits and offers, all points counted.

Randomness is drawn from the seed, the number of the evening, the number of the action and the kind
of die. So the evening with the same number has the same attempts under any options and policies,
and equal dice show equal faces.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from random import Random

from storypool.engine.decisions import Decision, decision_of
from storypool.engine.dice import Die
from storypool.engine.events import CheckChanged, DiceRolled, Record
from storypool.engine.game.waits import Wait
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.engine.table import Side
from storypool.lab.course import Course, EveningStuck, StartingTable
from storypool.lab.flows import Flows, Pools
from storypool.lab.policies import SeatPolicy, never
from storypool.lab.position import chance_of
from storypool.lab.solutions import nothing_collected

MAX_MOVES = 80
"""The most moves of one action; a longer one never ends."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of an evening: its options, and the policy of each side."""

    options: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    gm: str = ""


@dataclass(slots=True)
class Tried:
    """The result of one action: its side, whether it passed, and the payments of each side.

    `passed` is None if nothing was rolled, or nobody won. `changed` is the chance that points
    changed the result: the difference between the chance at the roll and that `before` any spends,
    plus re-rolls. `refused` is the reason why it could not be attempted.
    """

    side: str
    _: KW_ONLY
    passed: bool | None = None
    paid: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    refused: str = ""
    before: Fraction | None = None
    changed: Fraction = Fraction(0)


@dataclass(slots=True)
class Played:
    """One evening: balances before the first action and after each, actions and flows."""

    number: int
    balances: list[tuple[int, ...]]
    tried: list[Tried]
    flows: Flows


class Evenings:
    """Evenings that begin at one table.

    `play(number)` plays one, with its log in `records` if kept.
    """

    def __init__(
        self,
        begins: StartingTable,
        seed: int,
        policies: Mapping[Side, SeatPolicy],
        keep: bool = False,
    ) -> None:
        self.system, self.evening, self.begins = begins.system, begins.evening, begins
        self.course = Course(begins)
        self._seed, self.policies, self._keep = seed, policies, keep
        self._pools = Pools(self.system, self.evening.pools)
        self.table, self.records = begins.table, list[Record]()
        self._number, self._action, self._to_come = 0, 0, 0
        self._flows, self._dice = Flows(), dict[str, Random]()
        self._tried: Tried | None = None
        self._deeds = self.evening.deeds
        self._often = [deed.often for deed in self._deeds]

    @nothing_collected()
    def play(self, number: int) -> Played:
        """Play the evening with this number from its beginning to its last action."""
        evening, chance = self.evening, Random(f"{self._seed} {number}")
        self.table, self.records = (
            self.begins.table,
            list(self.begins.records) if self._keep else [],
        )
        self._number, self._action, self._flows, self._tried = number, 0, Flows(), None
        self._dice = {}
        self._settle()
        balances, tried = [self._pools.of(self.table)], list[Tried]()
        for i in range(evening.length):
            if i and i % evening.actions == 0:
                self._dice, self._action = {}, -i
                self._make(self.course.masters[0], "scene.begin", {})
                self._settle()
            self._dice, self._action, self._to_come = {}, i + 1, evening.length - i
            tried.append(self._attempt(chance))
            balances.append(self._pools.of(self.table))
        return Played(number, balances, tried, self._flows)

    def _attempt(self, chance: Random) -> Tried:
        """Make one of the attempts of the evening, and carry it to its end."""
        [deed] = chance.choices(self._deeds, self._often)
        seat = self.course.seats.get(deed.who) or chance.choice(self.course.players)
        args = deed.line.drawn(chance)
        side = "gm" if self.table.seats[seat].side == "gm" else "players"
        self._tried = tried = Tried(side)
        try:
            self._make(seat, deed.line.move, args)
        except Refused as no:
            tried.refused = str(no)
            return tried
        opened = list(self.table.checks.values())[-1:]
        tried.before = chance_of(self.system.key, self.table, opened[0]) if opened else None
        self._settle()
        self._tried = None
        return tried

    # Waits.

    def _settle(self) -> None:
        """Answer the table's waits until only a new attempt is left."""
        for _ in range(MAX_MOVES):
            wait = self._answered()
            if wait is None:
                return
        raise EveningStuck(
            f"{self.evening.system} {self.evening.key}, evening {self._number}: the table waits for"
            " ever"
        )

    def _answered(self) -> Wait | None:
        """The first wait that a seat answered, or in which one spent points; None without waits."""
        for wait in self.course.waits(self.table):
            if any(self._spends_now(seat) for seat in self.course.spenders(self.table, wait)):
                return wait
            made = self.course.answered(self.table, wait, self._roll)
            if made is not None:
                self._take(made)
                return wait
        return None

    def _spends_now(self, seat: str) -> bool:
        side = self.table.seats[seat].side
        policy = self.policies[side]
        if policy is never or not self.evening.means(side) or not self.table.checks:
            return False
        position = self.course.position(self.table, seat, self._to_come)
        chosen = policy(position)
        while chosen is not None:
            if chosen not in position.spends:
                raise EveningStuck(f"a policy chose what is not offered: {chosen}")
            is_rolled = position.check is not None and position.check.phase != "build"
            gain = position.gain(chosen) if is_rolled else None
            made = position.decided(chosen)
            try:
                if made is not None:
                    self._take(made)
                else:
                    self._make(seat, chosen.key, chosen.args)
            except Refused:
                # The move is open, but not with these answers.
                position = position.without(chosen)
                chosen = policy(position)
                continue
            if self._tried is not None:
                self._tried.changed += gain or 0
            return True
        return False

    def _make(self, seat: str, key: str, args: Mapping[str, object]) -> None:
        """Make a move and account for its points."""
        self._take(decision_of(self.system, self.table, seat, key, args, roll=self._roll))

    def _take(self, made: Decision) -> None:
        """Apply a decided move, and account for its points."""
        before, self.table = self.table, made.tables[-1]
        if self._keep:
            self.records += records_of(
                made.events, made.turn.seat.id, before.seq, before.seq * 1000
            )
        self._flows.count(made, before, self.system)
        if self._tried is not None:
            self._note(self._tried, made)

    def _note(self, tried: Tried, made: Decision) -> None:
        """Note the payments of a move, and the change of the chance at the roll."""
        tried.moves += 1
        for _, n in made.turn.paid.items():
            tried.paid["gm" if made.turn.seat.side == "gm" else "players"] += n
        before, after = made.turn.before, made.turn.table
        rolled = next((one.check for one in made.events if isinstance(one, DiceRolled)), "")
        check = before.checks.get(rolled)
        if check is not None and check.phase == "build" and tried.before is not None:
            tried.changed += abs(
                (chance_of(self.system.key, before, check) or tried.before) - tried.before
            )
        # An action without a roll gets its outcome in the move that closes it.
        changed = (one.check for one in made.events if isinstance(one, CheckChanged))
        latest = {**before.checks, **{check.id: check for check in changed}}
        for id in before.checks.keys() - after.checks.keys():
            if (outcome := latest[id].outcome) is not None:
                tried.passed = outcome.passed

    def _roll(self, die: Die) -> int:
        dice = self._dice.get(die.name)
        if dice is None:
            dice = self._dice[die.name] = Random(
                f"{self._seed} {self._number} {self._action} {die.name}"
            )
        return die.first + int(dice.random() * die.sides)
