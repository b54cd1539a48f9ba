"""An action of an evening as a graph: the decisions, the ways to spend, and the rolls.

Derived from the rules: every edge is a move decided at a table of the evening, by the seat whose
turn it is in the course of the evening. Two tables are one node if the odds of their actions depend
on the same inputs and the same moves are possible: notes besides the action, and the exact amount
in pools that can pay for anything, make no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled
from storypool.engine.game.kit import Roll
from storypool.engine.game.waits import Wait
from storypool.engine.refusal import Refused
from storypool.engine.table import Points, Table
from storypool.lab.course import Course, EveningStuck, StartingTable
from storypool.lab.flows import Purses
from storypool.lab.node_keys import PLENTY, Ended, NodeKeys, in_hand
from storypool.lab.position import Position, Spend, chance_of
from storypool.lab.rolls import Counted, Faces, Total, dice_by_value, rolls_with_total, totals

State = tuple[int, ...]
"""The points in each pool, in the order of the pools' names."""


@dataclass(slots=True, eq=False)
class Node:
    """A state of an action: a side takes one of its `choices`, or the dice one of the `outcomes`.

    With neither the action is over. `side` chooses, and `own` is whether the action belongs to that
    side.
    """

    side: str = ""
    own: bool = False
    choices: list[Alternative] = field(default_factory=list)
    outcomes: list[RollOutcome] = field(default_factory=list)
    known: bool = False

    def open(self, state: State) -> list[Alternative]:
        """The choices that can be paid in a state; the last is to spend nothing."""
        found = []
        for choice in self.choices:
            for i, n in choice.pays:
                if state[i] < n:
                    break
            else:
                found.append(choice)
        return found


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition: the change of each pool before caps, the part of the action won, and the node.

    `won` is 1 if an action ends as the players want it: theirs passes, or one of the GM's fails. If
    the dice of the transition affect nothing else, it is the chance of that.
    """

    change: State
    won: Fraction
    to: Node


class Alternative:
    """A choice: a spend, or None to spend nothing, the points it `needs`, and its `step`.

    The step is computed on first use, by a side that has the points.
    """

    def __init__(self, spend: Spend | None, needs: State, leads: Callable[[], Edge]) -> None:
        self.spend, self.needs, self._leads = spend, needs, leads
        self.pays = [(i, n) for i, n in enumerate(needs) if n]

    @cached_property
    def step(self) -> Edge:
        """The transition of this choice."""
        return self._leads()


@dataclass(frozen=True, slots=True)
class RollOutcome:
    """A roll, and its chance."""

    chance: Fraction
    step: Edge


Decided = Callable[[Roll], Decision | None]
"""Decides a move with the given dice; None if the move is not possible."""


Read = tuple[Sequence[Counted], list[tuple[tuple[Bag, Total], Ended | None]]]
"""Dice by the value of their faces, and the totals they can roll, with their interpretation."""


class _Roll(NamedTuple):
    """A move that rolls dice: its table, its roll when it was decided once, and its dice."""

    table: Table
    move: str
    decided: Decided
    rolled: DiceRolled
    dice: Sequence[Die]


class _Dice:
    """A roll that shows the first face of each die, and records the dice."""

    def __init__(self) -> None:
        self.rolled: list[Die] = []

    def __call__(self, die: Die) -> int:
        self.rolled.append(die)
        return die.first


class Actions:
    """The actions of an evening as graphs, each node made once.

    `began` gives the node after an attempt, `at` that of a table. Caps are left out here, so that a
    change is the same for every state of a pool: the caller applies them. A side spends only on
    moves that may help it in the action: before the roll those that add to its chance, at one price
    only the best, and after the roll while the action does not end as it wants; with `every` also
    moves that only shift points.
    """

    def __init__(self, begins: StartingTable, every: bool = False) -> None:
        whole, self._every = begins.system, every
        self.system = replace(
            whole, accounts=tuple(replace(one, cap=None) for one in whole.accounts)
        )
        self.course = Course(replace(begins, system=self.system))
        self.pools = Purses(whole, begins.evening.pools, begins.table)
        self.nothing: State = (0,) * len(self.pools.names)
        self._keys = NodeKeys(self.system, self.pools)
        self._nodes: dict[Hashable, Node] = {}
        self._rolls: dict[Hashable, list[RollOutcome]] = {}
        self._ends: dict[Hashable, Edge] = {}
        self._of_others: dict[str, tuple[bool, ...]] = {}
        self._began: dict[Hashable, Edge] = {}

    def began(
        self, table: Table, seat: str, move: str, args: Mapping[str, str], state: State
    ) -> Edge:
        """The transition of an attempt; the state only determines which pools are empty.

        Pools of other players' characters count as full: only the acting seat, and the one that
        answers, can pay.
        """
        has = tuple(
            n > 0 or theirs
            for n, theirs in zip(state, self._pools_of_others(table, seat), strict=True)
        )
        key = seat, move, tuple(args.items()), has
        if key not in self._began:
            made = decision_of(self.system, self.stocked(table, has), seat, move, args, roll=None)
            self._began[key] = self._step(made)
        return self._began[key]

    def at(self, table: Table, state: State | None = None) -> Node:
        """The node of a table with the points of a state: the possible next steps of its action."""
        return self._node(self.stocked(table, self.pools.of(table) if state is None else state))

    def _pools_of_others(self, table: Table, seat: str) -> tuple[bool, ...]:
        """Whether each pool is a player's character's without part in this seat's attempts."""
        found = self._of_others.get(seat)
        if found is None:
            part = {
                seat,
                *self.course.masters,
                *(self.course.players[:1] if seat in self.course.masters else ()),
            }
            owners = (table.characters.get(purse.owner) for purse in self.pools.every)
            found = self._of_others[seat] = tuple(
                one is not None and one.seat not in part for one in owners
            )
        return found

    def stocked(self, table: Table, state: Sequence[int]) -> Table:
        """The table with plenty of points in each pool that has any, and none in the others."""
        has = dict.fromkeys(self.pools.every, 0)
        for purse, n in zip(self.pools.every, state, strict=True):
            if n:
                has[purse] = PLENTY
        return replace(table, points=Points({**table.points, **has}))

    # How a graph is made.

    def _node(self, table: Table) -> Node:
        waits = list(self.course.waits(table))
        seats = [self.course.spenders(table, wait) for wait in waits]
        positions = {seat: self._position(table, seat) for pair in seats for seat in pair}
        key = self._keys.of_table(table, waits, self._offered(positions.values()))
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node()
            self._fill(node, table, waits, positions)
            node.known = True
        elif not node.known:
            raise EveningStuck("a move leads to where it was made, so its action never ends")
        return node

    def _offered(self, positions: Iterable[Position | None]) -> Iterator[Hashable]:
        """The offers of the seats that may spend, by side."""
        for position in filter(None, positions):
            for spend in position.spends:
                yield position.seat.side, spend.key, tuple(spend.args.items()), self._price(spend)

    def _fill(
        self,
        node: Node,
        table: Table,
        waits: Sequence[Wait],
        positions: Mapping[str, Position | None],
    ) -> None:
        """Add the choices of a table to its node, and the outcomes if nobody spends."""
        decides, outcomes = list[tuple[str, list[Alternative]]](), list[RollOutcome]()
        for wait in waits:
            for seat in self.course.spenders(table, wait):
                position = positions[seat]
                choices = self._choices(table, position) if position else []
                if choices:
                    decides.append(("gm" if table.seats[seat].side == "gm" else "players", choices))
            outcomes = self._outcomes(table, partial(self.course.answered, table, wait))
            if outcomes:
                break
        for i, (side, choices) in enumerate(decides):
            check, rest = in_hand(table), Node(known=True)
            node.side, node.choices, node.own = (
                side,
                choices,
                check is not None and check.side == side,
            )
            if i == len(decides) - 1:
                rest.outcomes = outcomes
            choices.append(Alternative(None, self.nothing, partial(self._next_edge, rest)))
            node = rest
        if not decides:
            node.outcomes = outcomes

    def _next_edge(self, node: Node) -> Edge:
        """The transition through a node to the next decision or roll."""
        change, won = self.nothing, Fraction(0)
        while node.known and not node.choices and len(node.outcomes) == 1:
            step = node.outcomes[0].step
            change, won, node = sum_of_states(change, step.change), won + step.won, step.to
        return Edge(change, won, node)

    def _choices(self, table: Table, position: Position) -> list[Alternative]:
        """The open and useful spends of a seat, the best one for each price."""
        check, found = position.check, dict[Hashable, tuple[Fraction, Alternative]]()
        if check is None:
            return []
        if check.outcome is not None and check.outcome.passed is position.mine and not self._every:
            return []
        before = None
        if check.outcome is None:
            before = chance_of(self.system.key, table, check)
        for spend in position.spends:
            decided: Decided = partial(self._spent, table, position.seat.id, spend)
            dice = _Dice()
            made = decided(dice)
            if made is None:
                continue
            then, gains = made.tables[-1].checks.get(check.id), Fraction(0)
            costs: Hashable = spend.key, *spend.args.items()
            if before is not None and then is not None and not self._every:
                after = chance_of(self.system.key, made.tables[-1], then)
                if after is not None:
                    gains = after - before if position.mine else before - after
                if gains <= 0:
                    continue
                costs = self._price(spend), self.pools.of(made.tables[-1])
            if dice.rolled:
                leads = partial(self._spends, table, decided)
            else:
                leads = partial(self._step, made)
            if costs not in found or gains > found[costs][0]:
                found[costs] = gains, Alternative(spend, self._price(spend), leads)
        return [choice for _, choice in found.values()]

    def _spends(self, table: Table, decided: Decided) -> Edge:
        """The transition of a spend that rolls dice."""
        return self._next_edge(Node(outcomes=self._outcomes(table, decided), known=True))

    def _position(self, table: Table, seat: str) -> Position | None:
        """The view and the spends of a seat; None without an action or spends of its side."""
        if not table.checks or not self.course.evening.means(table.seats[seat].side):
            return None
        return self.course.position(table, seat, 1)

    def _spent(self, table: Table, seat: str, spend: Spend, roll: Roll) -> Decision | None:
        try:
            return decision_of(self.system, table, seat, spend.key, spend.args, roll=roll)
        except Refused:
            # The move is open, but not with these answers.
            return None

    def _price(self, spend: Spend) -> State:
        return tuple(spend.price[purse] for purse in self.pools.every)

    def _outcomes(self, table: Table, decided: Decided) -> list[RollOutcome]:
        """The outcomes of a move: one if it rolls no dice, none if it is not possible."""
        dice = _Dice()
        made = decided(dice)
        if made is None:
            return []
        if not dice.rolled:
            return [RollOutcome(Fraction(1), self._step(made))]
        rolled = next(event for event in made.events if isinstance(event, DiceRolled))
        key = made.turn.key, self._keys.of_roll(table, rolled, list(self.course.waits(table)))
        if key not in self._rolls:
            throw = _Roll(table, made.turn.key, decided, rolled, dice.rolled)
            self._rolls[key] = list(_merge_outcomes(self._rolls_of(throw)))
        return self._rolls[key]

    def _rolls_of(self, throw: _Roll) -> Iterator[RollOutcome]:
        """The outcomes of a roll."""
        dice, read = self._read(throw)
        for (worth, total), end in read:
            key = None
            if end:
                key = (throw.move, self._keys.of_end(throw.table, *end))
            step = self._ends.get(key) or self._rolled(throw, total.faces)
            if is_over(step.to):
                if key:
                    self._ends[key] = step
                yield RollOutcome(total.chance, step)
            else:
                # A side may spend on these dice, so their faces matter.
                for chance, faces in rolls_with_total(dice, worth):
                    yield RollOutcome(chance, self._rolled(throw, faces))

    def _read(self, throw: _Roll) -> Read:
        """The dice by the value of their faces, and their totals with their interpretation.

        The first axis alone decides about passing, unless the odds of the game disagree.
        """
        check, table = throw.table.checks.get(throw.rolled.check), throw.table
        chance = None
        if check and check.outcome is None:
            chance = chance_of(self.system.key, table, check)
        dice, read = self._counted(throw, apart=False)
        if chance in (None, sum(total.chance for (_, total), end in read if end and end[1].passed)):
            return dice, read
        return self._counted(throw, apart=True)

    def _counted(self, throw: _Roll, apart: bool) -> Read:
        dice = dice_by_value(self.system, throw.table, throw.rolled, throw.dice, apart)
        return dice, [
            (one, self._keys.read(throw.table, throw.rolled, one[1].faces))
            for one in totals(dice).items()
        ]

    def _rolled(self, throw: _Roll, faces: Faces) -> Edge:
        falling = iter(faces)
        made = throw.decided(lambda die: next(falling))
        if made is None:
            raise EveningStuck("a move that was open with other dice cannot be made")
        return self._step(made)

    def _step(self, made: Decision) -> Edge:
        """The transition of a decided move."""
        now, before = self.pools.of(made.tables[-1]), self.pools.of(made.turn.before)
        step = self._next_edge(self._node(made.tables[-1]))
        change = tuple(a - b for a, b in zip(now, before, strict=True))
        return Edge(sum_of_states(change, step.change), _won(made) + step.won, step.to)


def _merge_outcomes(outcomes: Iterable[RollOutcome]) -> Iterator[RollOutcome]:
    """The outcomes, with those that lead to the same state merged."""
    leads: dict[tuple[State, Node], list[RollOutcome]] = {}
    for outcome in outcomes:
        leads.setdefault((outcome.step.change, outcome.step.to), []).append(outcome)
    for (change, to), same in leads.items():
        chance = sum((outcome.chance for outcome in same), Fraction(0))
        won = sum((outcome.chance * outcome.step.won for outcome in same), Fraction(0))
        yield RollOutcome(chance, Edge(change, won / chance, to))


def is_over(node: Node) -> bool:
    """Whether an action is over."""
    return node.known and not node.choices and not node.outcomes


def _won(made: Decision) -> int:
    """1 if a move ends an action as the players want it, else 0."""
    before, after = made.turn.before.checks, made.turn.table.checks
    ended = [check for id, check in before.items() if id not in after and check.outcome is not None]
    return sum(
        check.outcome.passed is (check.side == "players") for check in ended if check.outcome
    )


def sum_of_states(one: State, other: State) -> State:
    """The sum of two states, or of a state and a change."""
    return tuple(a + b for a, b in zip(one, other, strict=True))
