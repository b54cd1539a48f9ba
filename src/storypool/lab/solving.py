"""Backward induction: what every state of an economy is worth with so many actions left, if both
sides play well.

An evening is a game of two sides for chances: the players want theirs to pass and the GM's to fail,
and the GM wants the opposite, so what one side wins the other loses. The state is how many points
each pool has. With n actions left an action of the evening is drawn, and each side decides in turn,
as the rules ask them, knowing everything but the dice to come. The value of a state is how many of
the actions left end as the players want.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from storypool.lab.actions import Alternative, Edge, Node, State
from storypool.lab.evenings import Evening
from storypool.lab.stochastic import StochasticGame

Value = float | Fraction
"""How much something is worth: a float, or exactly."""


class Vertex(NamedTuple):
    """A node in a state: the action is over and leaves a `state`, by its number, or a side chooses,
    or dice fall.

    A choice is what it wins, and the vertex that follows; a fall is its chance, and the same.
    """

    side: str = ""
    state: int = -1
    choices: tuple[tuple[Value, int], ...] = ()
    falls: tuple[tuple[Value, Value, int], ...] = ()


class StateGraph:
    """Every state that can be reached and every decision in it, as vertices; each comes after those
    it leads to.

    `number` makes the numbers to count with from a chance: `float`, or `Fraction` to be exact.
    `states` are numbered; `roots` are the vertices where an action begins in each, `scenes` the
    states in which a new scene begins after it.
    """

    def __init__(
        self,
        economy: StochasticGame,
        number: Callable[[Fraction], Value],
        states: Iterable[State] = (),
    ) -> None:
        self.economy, self._number, self._nothing = economy, number, number(Fraction(0))
        self.states: dict[State, int] = {}
        self.vertices: list[Vertex] = []
        self.roots: list[int] = []
        self.scenes: list[int] = []
        self._known: dict[tuple[Node, State], tuple[Value, int]] = {}
        self._chances: dict[Node, list[Value]] = {}
        self._same: dict[Vertex, int] = {}
        for state in chain(economy.starts, states):
            self._state(state)
        for state in self._every_state():
            falls = [
                (self._number(chance), *self._follow(step, state))
                for chance, step in economy.attempts(state)
            ]
            self.roots.append(self._put(Vertex(falls=tuple(falls))))
            self.scenes.append(self._state(economy.scene(state)))

    def _every_state(self) -> Iterator[State]:
        """Yield every state, also those that are found on the way."""
        found = list(self.states)
        while found:
            yield from found
            found = list(self.states)[len(self.roots) :]

    def _state(self, state: State) -> int:
        return self.states.setdefault(state, len(self.states))

    def _put(self, vertex: Vertex) -> int:
        """Return the number of a vertex; two from which the same can happen are one."""
        number = self._same.setdefault(vertex, len(self.vertices))
        if number == len(self.vertices):
            self.vertices.append(vertex)
        return number

    def _follow(self, step: Edge, state: State) -> tuple[Value, int]:
        """Return what a step wins, and the vertex that it leads to from a state."""
        won, to = self._after(step.to, self.economy.arrived(state, step.change))
        return (self._number(step.won) + won if step.won else won), to

    def _after(self, node: Node, state: State) -> tuple[Value, int]:
        """Return the vertex of a node in a state, and what is won on the way where nobody can
        choose anything.
        """
        found = self._known.get((node, state))
        if found is None:
            made = self._made(node, state)
            alone = made.side and len(made.choices) == 1
            found = self._known[node, state] = (
                made.choices[0] if alone else (self._nothing, self._put(made))
            )
        return found

    def _made(self, node: Node, state: State) -> Vertex:
        if node.choices:
            ways = node.open(state)
            if len(ways) == 2:
                return Vertex(node.side, choices=tuple(self._in_a_row(node, state)))
            return Vertex(node.side, choices=tuple([self._follow(way.step, state) for way in ways]))
        if node.outcomes:
            chances = self._chances.get(node) or [
                self._number(fall.chance) for fall in node.outcomes
            ]
            self._chances[node] = chances
            falls = [
                (n, *self._follow(fall.step, state))
                for n, fall in zip(chances, node.outcomes, strict=True)
            ]
            return Vertex(falls=tuple(falls))
        return Vertex(state=self._state(self.economy.capped(state)))

    def _in_a_row(self, node: Node, state: State) -> list[tuple[Value, int]]:
        """Return the choices of a side that can spend on one thing: how often it does, before
        others decide.
        """
        found, won, side = list[tuple[Value, int]](), self._nothing, node.side
        while node.side == side and len(ways := node.open(state)) == 2:
            spent, kept = (way.step for way in ways)
            more, to = self._follow(kept, state)
            found.append((won + more, to))
            won += self._number(spent.won)
            node, state = spent.to, self.economy.arrived(state, spent.change)
        more, to = self._after(node, state)
        return [*found, (won + more, to)]

    def within_action(self, after: Sequence[Value]) -> list[Value]:
        """Return what every vertex is worth, when each state is worth so much once the action is
        over.
        """
        values = list[Value]()
        for side, state, choices, falls in self.vertices:
            if side:
                choose = max if side == "players" else min
                values.append(choose([won + values[to] for won, to in choices]))
            elif falls:
                values.append(
                    sum([chance * (won + values[to]) for chance, won, to in falls], self._nothing)
                )
            else:
                values.append(after[state])
        return values

    def values(self) -> list[list[Value]]:
        """Return what each state is worth, by its number, with 0, 1, 2 ... actions left of the
        evening.
        """
        evening = self.economy.evening
        found = [[self._nothing] * len(self.states)]
        for left in range(1, evening.length + 1):
            vertices = self.within_action(found[-1])
            worth = [vertices[root] for root in self.roots]
            found.append(
                [worth[scene] for scene in self.scenes] if begins_scene(evening, left) else worth
            )
        return found


def begins_scene(evening: Evening, left: int) -> bool:
    """Whether a new scene begins when so many actions are left."""
    played = evening.length - left
    return played > 0 and played % evening.actions == 0


class ActionValue:
    """One action looked at from any point of it, when `after` says what each state is worth once it
    is over.
    """

    def __init__(self, economy: StochasticGame, after: Mapping[State, float]) -> None:
        self._economy, self._after = economy, after
        self._known: dict[tuple[Node, State], float] = {}

    def node(self, node: Node, state: State) -> float:
        """Return what a node is worth in a state when both sides go on well; `KeyError` for a state
        unheard of.
        """
        found = self._known.get((node, state))
        if found is None:
            found = self._known[node, state] = self._node(node, state)
        return found

    def _node(self, node: Node, state: State) -> float:
        if node.choices:
            choose = max if node.side == "players" else min
            return choose([self.step(way.step, state) for way in node.open(state)])
        if node.outcomes:
            return sum(float(fall.chance) * self.step(fall.step, state) for fall in node.outcomes)
        return self._after[self._economy.capped(state)]

    def step(self, step: Edge, state: State) -> float:
        """Return what a step from a state is worth, with what it wins."""
        return float(step.won) + self.node(step.to, self._economy.arrived(state, step.change))

    def best(self, node: Node, state: State) -> Alternative:
        """Return the way that serves the side of a node best; to spend nothing where that is as
        good.
        """
        *spends, nothing = node.open(state)
        sign = 1 if node.side == "players" else -1
        return max([nothing, *spends], key=lambda way: sign * self.step(way.step, state))
