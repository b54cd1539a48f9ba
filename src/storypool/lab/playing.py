"""One evening played: every move decided by the rules from what is waited for and offered, every point accounted for.

Chance is drawn from the seed, the number of the evening, the number of the action and the kind of die. So the evening
with the same number attempts the same under any options and policies, and its dice show the same as far as the same
dice are rolled.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from random import Random

from storypool.engine import house
from storypool.engine.asks import AskView
from storypool.engine.decisions import Decision
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled, Record
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.engine.system import System
from storypool.engine.table import Side, Table
from storypool.engine.turn import Turn
from storypool.engine.waits import Wait
from storypool.lab.evenings import Evening, MoveLine
from storypool.lab.flows import Flows, Pools
from storypool.lab.policies import SeatPolicy, never
from storypool.lab.position import Position, chance_of
from storypool.play import perform, read

MOST_MOVES = 80
"""Moves after which an action that is still not over cannot be one of a sensible evening."""


class Stuck(RuntimeError):
    """An evening that cannot go on: an action that never ends, or a wait that no move answers."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an evening is played with: its options, and what each side does with its points."""

    options: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    gm: str = ""


@dataclass(slots=True)
class Tried:
    """What became of one action: whose side it was, whether it passed, and what each side paid for it.

    `passed` is None where nothing was rolled, or nobody won. `changed` is how likely it is that points changed the
    result: the chance at the roll against the chance `before` anything was spent, and what was rolled again after it.
    `refused` says why it could not be tried at all.
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
    """One evening: the balance of each pool before the first action and after each, its actions, and its flows."""

    number: int
    balances: list[tuple[int, ...]]
    tried: list[Tried]
    flows: Flows


@dataclass(frozen=True, slots=True)
class Beginning:
    """A table at which an evening can begin, made once for many: the game, the table, and its log."""

    system: System
    evening: Evening
    table: Table
    records: tuple[Record, ...]


def opening(system: System, evening: Evening, options: Mapping[str, str]) -> Beginning:
    """Return the table of an evening with these options; `PlayError` says what its beginning cannot be.

    `Refused` for an option or a value that the game does not have.
    """
    lines = [line for line in evening.table.strip().splitlines() if line.strip()]
    told = {"trust": "players_set", **options}
    house.checked_options(system, told)
    head = " ".join(
        [f"table {evening.system} title={shlex.quote(evening.title)}", *(f"{key}={n}" for key, n in told.items())]
    )
    performance = perform(read("\n".join([head, *lines]) + "\n"), lambda key, language: system)
    return Beginning(system, evening, performance.table, tuple(performance.records))


class Evenings:
    """Evenings that begin at one table: `play(number)` plays one of them, with `records` its log if it is kept."""

    def __init__(self, begins: Beginning, seed: int, policies: Mapping[Side, SeatPolicy], keep: bool = False) -> None:
        self.system, self.evening, self.begins = begins.system, begins.evening, begins
        self._seed, self._policies, self._keep = seed, policies, keep
        self._pools = Pools(self.system, self.evening.pools)
        self._spends = {"gm": self.evening.gm.spends, "player": self.evening.players.spends}
        self._goes_on = {line.move: (rank, line) for rank, line in enumerate(self.evening.goes_on)}
        self.table, self.records = begins.table, list[Record]()
        self._number, self._action, self._to_come = 0, 0, 0
        self._flows, self._dice = Flows(), dict[str, Random]()
        self._tried: Tried | None = None
        seats = begins.table.seats.values()
        self._masters = [seat.id for seat in seats if seat.side == "gm"]
        self._players = [seat.id for seat in seats if seat.side == "player"]
        self._seats = {seat.name: seat.id for seat in seats}
        self._deeds = self.evening.deeds
        self._begins = {deed.line.move for deed in self._deeds}
        self._often = [deed.often for deed in self._deeds]

    def play(self, number: int) -> Played:
        """Play the evening with this number from its beginning to its last action."""
        evening, chance = self.evening, Random(f"{self._seed} {number}")
        self.table, self.records = self.begins.table, list(self.begins.records) if self._keep else []
        self._number, self._action, self._flows, self._tried = number, 0, Flows(), None
        self._dice = {}
        self._settle()
        balances, tried = [self._pools.of(self.table)], list[Tried]()
        for i in range(evening.length):
            if i and i % evening.actions == 0:
                self._dice, self._action = {}, -i
                self._make(self._masters[0], "scene.begin", {})
                self._settle()
            self._dice, self._action, self._to_come = {}, i + 1, evening.length - i
            tried.append(self._attempt(chance))
            balances.append(self._pools.of(self.table))
        return Played(number, balances, tried, self._flows)

    def _attempt(self, chance: Random) -> Tried:
        """Make one of the deeds of the evening and carry it to its end."""
        [deed] = chance.choices(self._deeds, self._often)
        seat = self._seats.get(deed.who) or chance.choice(self._players)
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
        for _ in range(MOST_MOVES):
            wait = self._answered()
            if wait is None:
                return
        raise Stuck(f"{self.evening.system} {self.evening.key}, evening {self._number}: the table waits for ever")

    def _answered(self) -> Wait | None:
        """Return the first wait that somebody answered, or in which somebody spent points; None where none is left."""
        for wait in self._waits():
            if not self._begins.issuperset(wait.moves) and (self._spent(wait) or self._answers(wait)):
                return wait
        return None

    def _waits(self) -> Iterator[Wait]:
        """Yield what the table waits for, as a game master sees it; what was proposed is settled first."""
        turn = Turn(self.system, self.table, self.table.seats[self._masters[0]], "")
        waits = chain.from_iterable(rule(turn) for rule in self.system.waits)
        if not self.table.proposals:
            return waits
        return iter(sorted(waits, key=lambda wait: "proposal.accept" not in wait.moves))

    def _spent(self, wait: Wait) -> bool:
        """Whether a seat spent points: the one that is asked, or one of the other side."""
        asked = wait.whom[0] if wait.whom else self._masters[0]
        other = self._players[0] if self.table.seats[asked].side == "gm" else self._masters[0]
        return any(self._spends_now(seat) for seat in (asked, other))

    def _spends_now(self, seat: str) -> bool:
        side = self.table.seats[seat].side
        policy, lines = self._policies[side], self._spends.get(side, ())
        if policy is never or not lines or not self.table.checks:
            return False
        position = Position(self.system, self.table, seat, lines, self._to_come)
        chosen = policy(position)
        while chosen is not None:
            if chosen not in position.spends:
                raise Stuck(f"a policy chose what is not offered: {chosen}")
            gain = position.gain(chosen) if position.check is not None and position.check.phase != "build" else None
            try:
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

    def _answers(self, wait: Wait) -> bool:
        """Whether one of those who are asked, or else a game master, made a move that answers a wait."""
        known = self._goes_on
        moves = sorted(wait.moves, key=lambda key: known[key][0] if key in known else len(known))
        for seat in dict.fromkeys((*wait.whom, *self._masters)):
            for key in moves:
                if self.table.seats[seat].side not in self.system.by_key[key].by:
                    continue
                line = known[key][1] if key in known else MoveLine(key)
                args = {**wait.args, **next(line.ways()), **({"check": wait.check} if wait.check else {})}
                try:
                    self._make(seat, key, args)
                except Refused as no:
                    if no.refusal.code != "argument" or not self._completed(seat, key, args):
                        continue
                return True
        return False

    def _completed(self, seat: str, key: str, args: Mapping[str, object]) -> bool:
        """Answer what a move still asks, one question after another, and make it; False where it cannot be made."""
        args = dict(args)
        for _ in range(12):
            asks = offer(self.system, self.table, seat, key, args).asks
            ask = next((one for one in asks if one.needed and one.default is None and one.name not in args), None)
            if ask is None:
                break
            args[ask.name] = _usual(ask)
        try:
            self._make(seat, key, args)
        except Refused:
            return False
        return True

    def _make(self, seat: str, key: str, args: Mapping[str, object]) -> None:
        """Make a move and account for its points."""
        made = Decision(self.system, self.table, seat, key, args, self._roll)
        before, self.table = self.table, made.tables[-1]
        if self._keep:
            self.records += records_of(made.events, seat, before.seq, before.seq * 1000)
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
            tried.changed += abs((chance_of(self.system.key, before, check) or tried.before) - tried.before)
        for id, check in before.checks.items():
            if id not in after.checks and check.outcome is not None:
                tried.passed = check.outcome.passed

    def _roll(self, die: Die) -> int:
        dice = self._dice.get(die.name)
        if dice is None:
            dice = self._dice[die.name] = Random(f"{self._seed} {self._number} {self._action} {die.name}")
        return die.first + int(dice.random() * die.sides)


def _usual(ask: AskView) -> object:
    """Return an answer that fits a question: its preset, its first open choice, its least number, or some words."""
    if ask.preset is not None:
        return ask.preset
    choices = [choice.value for choice in ask.choices if not choice.closed]
    if choices:
        return choices[0]
    return {"number": ask.low, "flag": False}.get(ask.kind, "So be it")
