"""One evening played: every move decided by the rules from what is waited for and offered, every
point counted.

Chance is drawn from the seed, the number of the evening, the number of the action and the kind of
die. So the evening with the same number attempts the same under any options and policies, and its
dice show the same as far as the same dice are rolled.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from storypool.engine.decisions import Decision, decision_of
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled, Record
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
"""Moves after which an action that is still not over cannot be one of a sensible evening."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an evening is played with: its options, and what each side does with its points."""

    options: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    gm: str = ""


@dataclass(slots=True)
class Tried:
    """What became of one action: whose side it was, whether it passed, and what each side paid for
    it.

    `passed` is None where nothing was rolled, or nobody won. `changed` is how likely it is that
    points changed the result: the chance at the roll against the chance `before` anything was
    spent, and what was rolled again after it. `refused` says why it could not be tried at all.
    """

    side: str
    passed: bool | None = None
    paid: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    refused: str = ""
    before: Fraction | None = None
    changed: Fraction = Fraction(0)


@dataclass(slots=True)
class Played:
    """One evening: the balance of each pool before the first action and after each, its actions,
    and its flows.
    """

    number: int
    balances: list[tuple[int, ...]]
    tried: list[Tried]
    flows: Flows


class Evenings:
    """Evenings that begin at one table: `play(number)` plays one of them, with `records` its log if
    it is kept.
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
        self._seed, self._policies, self._keep = seed, policies, keep
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
        """Make one of the deeds of the evening and carry it to its end."""
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

    # What is waited for.

    def _settle(self) -> None:
        """Answer what the table waits for until it waits for nothing but another deed."""
        for _ in range(MAX_MOVES):
            wait = self._answered()
            if wait is None:
                return
        raise EveningStuck(
            f"{self.evening.system} {self.evening.key}, evening {self._number}: the table waits for"
            " ever"
        )

    def _answered(self) -> Wait | None:
        """Return the first wait that a seat answered, or in which one spent points; None where none
        is left.
        """
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
        policy = self._policies[side]
        if policy is never or not self.evening.means(side) or not self.table.checks:
            return False
        position = self.course.position(self.table, seat, self._to_come)
        chosen = policy(position)
        while chosen is not None:
            if chosen not in position.spends:
                raise EveningStuck(f"a policy chose what is not offered: {chosen}")
            gain = (
                position.gain(chosen)
                if position.check is not None and position.check.phase != "build"
                else None
            )
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
        """Go on from what a decided move leads to, and account for its points."""
        before, self.table = self.table, made.tables[-1]
        if self._keep:
            self.records += records_of(
                made.events, made.turn.seat.id, before.seq, before.seq * 1000
            )
        self._flows.count(made, before, self.system)
        if self._tried is not None:
            self._note(self._tried, made)

    def _note(self, tried: Tried, made: Decision) -> None:
        """Note what a move paid, and how much of a chance had been changed when the dice fell."""
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
        for id, check in before.checks.items():
            if id not in after.checks and check.outcome is not None:
                tried.passed = check.outcome.passed

    def _roll(self, die: Die) -> int:
        dice = self._dice.get(die.name)
        if dice is None:
            dice = self._dice[die.name] = Random(
                f"{self._seed} {self._number} {self._action} {die.name}"
            )
        return die.first + int(dice.random() * die.sides)
