"""An action of an evening as a graph: who decides, what each way to spend leads to, and what the dice can bring.

Read off the rules: every edge is a move decided at a table of the evening, by whoever the course of the evening asks.
Two tables are one node where the odds ask the same of their action and the same may happen to it: what was noted beside
the action, and how much is left in pools that can pay for anything, makes no difference to what it can lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial

from storypool import systems
from storypool.engine.decisions import Decision
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled
from storypool.engine.kit import Roll
from storypool.engine.refusal import Refused
from storypool.engine.table import Check, Points, Purse, Table
from storypool.lab.course import Beginning, Course, Stuck
from storypool.lab.flows import Pools, pool_of
from storypool.lab.position import Position, Spend, chance_of
from storypool.lab.rolls import Counted, Faces, counted, totals, within, worth_of

State = tuple[int, ...]
"""How many points each pool has, in the order of their names."""

PLENTY = 10_000
"""Points that pay for anything. Which moves are open is tried with these, and with none."""


@dataclass(slots=True, eq=False)
class Node:
    """What can happen next in an action: a side chooses one of its `ways`, or the dice take one of the `falls`.

    With neither the action is over. `side` is who chooses, `own` whether the action is one of that side.
    """

    side: str = ""
    own: bool = False
    ways: list[Way] = field(default_factory=list)
    falls: list[Fall] = field(default_factory=list)
    known: bool = False

    def open(self, state: State) -> list[Way]:
        """Return the ways that can be paid in a state; the last is to spend nothing."""
        return [way for way in self.ways if all(n <= has for n, has in zip(way.needs, state, strict=True))]


@dataclass(frozen=True, slots=True)
class Lead:
    """Where something leads: what it adds to each pool before any cap, what of the action is won, and the node.

    `won` is 1 where an action ends as the players want it: theirs passes, or one of the GM's fails.
    """

    change: State
    won: int
    to: Node


class Way:
    """A choice: a spend and the points that it `needs`, or to spend nothing, None; `step` is where it leads.

    What a spend leads to is looked for only when somebody asks, who has the points.
    """

    def __init__(self, spend: Spend | None, needs: State, leads: Callable[[], Lead]) -> None:
        self.spend, self.needs, self._leads = spend, needs, leads

    @cached_property
    def step(self) -> Lead:
        """Where it leads."""
        return self._leads()


@dataclass(frozen=True, slots=True)
class Fall:
    """One of the rolls that dice come to, and its chance."""

    chance: Fraction
    step: Lead


Decided = Callable[[Roll], Decision | None]
"""Decides a move with the dice that it is given; None where it cannot be made."""


class _Dice:
    """A roll that shows the first face of each die, and remembers which dice were rolled."""

    def __init__(self) -> None:
        self.rolled: list[Die] = []

    def __call__(self, die: Die) -> int:
        self.rolled.append(die)
        return die.first


class Actions:
    """The actions of an evening as graphs, each node made once; `began` is the node after a deed, `at` that of a table.

    Caps are left out here, so that a change is the same however full a pool is: they are for whoever adds it up. A side
    spends only what may serve it in the action, before the roll what adds to its chance, and after it while the action
    does not end as it wants; with `every` also what serves nothing but to move points.
    """

    def __init__(self, begins: Beginning, every: bool = False) -> None:
        whole, self._every = begins.system, every
        self.system = replace(whole, accounts=tuple(replace(one, cap=None) for one in whole.accounts))
        self.course = Course(replace(begins, system=self.system))
        self.pools = Pools(whole, begins.evening.pools)
        self.nothing: State = (0,) * len(self.pools.names)
        self._nodes: dict[Hashable, Node] = {}
        self._rolls: dict[Hashable, list[Fall]] = {}
        self._began: dict[Hashable, Lead] = {}

    def began(self, table: Table, seat: str, move: str, args: Mapping[str, str], state: State) -> Lead:
        """Return what a deed leads to; of each pool only whether the state has any is used."""
        key = seat, move, tuple(args.items()), tuple(map(bool, state))
        if key not in self._began:
            made = Decision(self.system, self.stocked(table, state), seat, move, args, None)
            self._began[key] = self._step(made)
        return self._began[key]

    def at(self, table: Table, state: State | None = None) -> Node:
        """Return the node of a table: what can happen next in its action, with as many points as the state has."""
        return self._node(self.stocked(table, self.pools.of(table) if state is None else state))

    def stocked(self, table: Table, state: State) -> Table:
        """Return the table with plenty in each pool that has anything, and nothing in the others."""
        points = dict(table.points)
        for purse in self.purses(table):
            points[purse] = PLENTY if state[self.pools.names.index(pool_of(table, purse))] else 0
        return replace(table, points=Points(points))

    def purses(self, table: Table) -> Iterator[Purse]:
        """Yield the purses of all pools."""
        for account in self.system.accounts:
            owners = [""] if account.each == "table" else list(table.characters)
            for purse in (Purse(account.name, owner) for owner in owners):
                if pool_of(table, purse) in self.pools.names:
                    yield purse

    # How a graph is made.

    def _node(self, table: Table) -> Node:
        key = self._key(table)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node()
            self._fill(node, table)
            node.known = True
        return node

    def _fill(self, node: Node, table: Table) -> None:
        """Find who may spend at a table, and what follows where nobody does."""
        decides = list[tuple[str, list[Way]]]()
        for wait in self.course.waits(table):
            for seat in self.course.spenders(table, wait):
                ways = self._ways(table, seat)
                if ways:
                    decides.append(("gm" if table.seats[seat].side == "gm" else "players", ways))
            falls = self._falls(table, partial(self.course.answered, table, wait))
            if falls:
                break
        else:
            falls = []
        for i, (side, ways) in enumerate(decides):
            check, rest = in_hand(table), Node(known=True)
            node.side, node.ways, node.own = side, ways, check is not None and check.side == side
            if i == len(decides) - 1:
                rest.falls = falls
            ways.append(Way(None, self.nothing, partial(self._one, rest)))
            node = rest
        if not decides:
            node.falls = falls

    def _one(self, node: Node) -> Lead:
        """Return where a node leads, on to the next at which somebody decides or dice fall."""
        change, won = self.nothing, 0
        while node.known and not node.ways and len(node.falls) == 1:
            step = node.falls[0].step
            change, won, node = added(change, step.change), won + step.won, step.to
        return Lead(change, won, node)

    def _ways(self, table: Table, seat: str) -> list[Way]:
        """Return the spends that are open to a seat and may serve it."""
        position, found = self._position(table, seat), []
        check = position.check if position else None
        if position is None or check is None:
            return []
        if check.outcome is not None and check.outcome.passed is position.mine and not self._every:
            return []
        before = chance_of(self.system.key, table, check) if check.outcome is None else None
        for spend in position.spends:
            decided: Decided = partial(self._spent, table, seat, spend)
            dice = _Dice()
            made = decided(dice)
            if made is None:
                continue
            then = made.tables[-1].checks.get(check.id)
            if before is not None and then is not None and not self._every:
                after = chance_of(self.system.key, made.tables[-1], then)
                if after is None or after == before or (after > before) is not position.mine:
                    continue
            leads = partial(self._spends, table, decided) if dice.rolled else partial(self._step, made)
            found.append(Way(spend, self._price(position, spend), leads))
        return found

    def _spends(self, table: Table, decided: Decided) -> Lead:
        """Return where a spend leads that rolls dice."""
        return self._one(Node(falls=self._falls(table, decided), known=True))

    def _position(self, table: Table, seat: str) -> Position | None:
        """Return what a seat may see and spend, None where no action is open or its side spends nothing."""
        if not table.checks or not self.course.evening.means(table.seats[seat].side):
            return None
        return self.course.position(table, seat, 1)

    def _spent(self, table: Table, seat: str, spend: Spend, roll: Roll) -> Decision | None:
        try:
            return Decision(self.system, table, seat, spend.key, spend.args, roll)
        except Refused:
            # The move is open, but not with these answers.
            return None

    def _price(self, position: Position, spend: Spend) -> State:
        needs = Counter[str]()
        for purse, n in spend.price.items():
            needs[pool_of(position.table, purse)] += n
        return tuple(needs[name] for name in self.pools.names)

    def _falls(self, table: Table, decided: Decided) -> list[Fall]:
        """Return what a move can lead to, one fall where it rolls no dice; none where it cannot be made."""
        dice = _Dice()
        made = decided(dice)
        if made is None:
            return []
        if not dice.rolled:
            return [Fall(Fraction(1), self._step(made))]
        rolled = next(event for event in made.events if isinstance(event, DiceRolled))
        key = made.turn.key, self._roll_key(table, rolled)
        if key not in self._rolls:
            self._rolls[key] = list(self._rolls_of(table, decided, counted(self.system, table, rolled, dice.rolled)))
        return self._rolls[key]

    def _rolls_of(self, table: Table, decided: Decided, dice: Sequence[Counted]) -> Iterator[Fall]:
        """Yield what these dice can come to, and what each leads to."""
        for worth, total in totals(dice).items():
            step = self._rolled(table, decided, total.faces)
            if is_over(step.to):
                yield Fall(total.chance, step)
            else:
                # Somebody may spend on these dice, so it matters which they are.
                for chance, faces in within(dice, worth):
                    yield Fall(chance, self._rolled(table, decided, faces))

    def _rolled(self, table: Table, decided: Decided, faces: Faces) -> Lead:
        falling = iter(faces)
        made = decided(lambda die: next(falling))
        if made is None:
            raise Stuck("a move that was open with other dice cannot be made")
        return self._step(made)

    def _step(self, made: Decision) -> Lead:
        """Return where a decided move leads."""
        now, before = self.pools.of(made.tables[-1]), self.pools.of(made.turn.before)
        step = self._one(self._node(made.tables[-1]))
        change = tuple(a - b for a, b in zip(now, before, strict=True))
        return Lead(added(change, step.change), _won(made) + step.won, step.to)

    # What makes two tables the same.

    def _key(self, table: Table) -> Hashable:
        """Return what two tables must share to be one node."""
        check = in_hand(table)
        if check is None:
            waits = tuple((wait.id, wait.whom, wait.moves) for wait in self.course.waits(table))
            return self._stock(table), tuple(table.proposals), waits
        seats = {check.by, self.course.masters[0], self.course.players[0]}
        offered = frozenset(
            (table.seats[seat].side, spend.key, tuple(spend.args.items()), self._price(position, spend))
            for seat in seats
            if (position := self._position(table, seat))
            for spend in position.spends
        )
        stands = self._ended(table, check, bool(offered)) if check.outcome else self._asked(table, check)
        return self._stock(table), len(table.proposals), check.phase, check.owed, stands, offered

    def _roll_key(self, table: Table, rolled: DiceRolled) -> Hashable:
        """Return what two tables must share for the same dice to lead to the same."""
        check = table.checks.get(rolled.check)
        if check is None:
            return self._key(table)
        stands = self._ended(table, check, True) if check.outcome else self._question(table, check)
        return self._stock(table), check.side, check.phase, check.owed, stands, _bought(check)

    def _stock(self, table: Table) -> State:
        """Return what is in the pools that did not have plenty from the first."""
        return tuple(n if n < PLENTY // 2 else -1 for n in self.pools.of(table))

    def _question(self, table: Table, check: Check) -> Hashable:
        """Return what the odds of an action ask as it stands."""
        stakes = systems.stakes(self.system.key)
        asked = stakes.question(table, check) if stakes else None
        return (asked.pool, tuple(asked.terms.items()), asked.against) if asked else check.pool

    def _asked(self, table: Table, check: Check) -> Hashable:
        """Return how an action stands before the roll: what its odds ask, and who has decided and who may still."""

        def side(id: str) -> str:
            return table.seats[id].side if id in table.seats else id

        uses = frozenset(
            (use.group, tuple(side(id) for kind, id in use.scopes if kind != "check"), n)
            for use, n in table.uses.items()
            if ("check", check.id) in use.scopes
        )
        # What has spaces in it is a title or a reason.
        told = ((key, check.names(key) or (check.text(key),)) for key in check.terms)
        words = tuple((key, tuple(sorted({side(id) for id in ids if " " not in id}))) for key, ids in told)
        return self._question(table, check), check.side, check.windows, uses, words, _bought(check)

    def _ended(self, table: Table, check: Check, spends: bool) -> Hashable:
        """Return how an action has ended; where somebody may still spend, which dice lie too."""
        assert check.outcome is not None
        ended = check.side, check.outcome.passed, check.outcome.margin
        return (*ended, worth_of(self.system, table, check), _bought(check)) if spends else ended


def in_hand(table: Table) -> Check | None:
    """Return the action that was begun last, if any is open."""
    return next((table.checks[id] for id in reversed(list(table.checks))), None)


def _bought(check: Check) -> tuple[str, ...]:
    """Return the numbers of an action that are not 0. How often was bought makes prices, but nothing else."""
    return tuple(key for key in check.terms if check.number(key))


def is_over(node: Node) -> bool:
    """Whether nothing more happens in an action."""
    return node.known and not node.ways and not node.falls


def _won(made: Decision) -> int:
    """Return 1 where a move ends an action as the players want it, else 0."""
    before, after = made.turn.before.checks, made.turn.table.checks
    ended = [check for id, check in before.items() if id not in after and check.outcome is not None]
    return sum(check.outcome.passed is (check.side == "players") for check in ended if check.outcome)


def added(one: State, other: State) -> State:
    """Return the sum of two states, or of a state and a change."""
    return tuple(a + b for a, b in zip(one, other, strict=True))
