"""Backward induction: what every state of an economy is worth with so many actions left, if both sides play well.

An evening is a game of two sides for chances: the players want theirs to pass and the GM's to fail, and the GM wants
the opposite, so what one side wins the other loses. The state is how many points each pool has. With n actions left an
action of the evening is drawn, and each side decides in turn, as the rules ask them, knowing everything but the dice to
come. The value of a state is how many of the actions left end as the players want.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from storypool.lab.actions import Lead, Node, State, Way
from storypool.lab.evenings import Evening
from storypool.lab.stochastic import StochasticGame

Value = float | Fraction
"""How much something is worth: a float, or exactly."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node in a state: the action is over and leaves a `state`, by its number, or a side chooses, or dice fall.

    `choices` are vertices; a fall is its chance, what it wins, and the vertex that follows.
    """

    side: str = ""
    state: int = -1
    choices: Sequence[int] = ()
    falls: Sequence[tuple[Value, int, int]] = ()


class Unrolled:
    """Every state that can be reached and every decision in it, as vertices; each comes after those it leads to.

    `number` makes the numbers to count with from a chance: `float`, or `Fraction` to be exact. `states` are numbered;
    `roots` are the vertices where an action begins in each, `scenes` the states in which a new scene begins after it.
    """

    def __init__(
        self, economy: StochasticGame, number: Callable[[Fraction], Value], states: Iterable[State] = ()
    ) -> None:
        self.economy, self.number = economy, number
        self.states: dict[State, int] = {}
        self.vertices: list[Vertex] = []
        self.roots: list[int] = []
        self.scenes: list[int] = []
        self._known: dict[tuple[Node, State], int] = {}
        self._same: dict[Hashable, int] = {}
        for state in chain(economy.starts, states):
            self._state(state)
        for state in self._every_state():
            falls = [(number(chance), *self._follow(step, state)) for chance, step in economy.attempts(state)]
            self.roots.append(self._put(Vertex(falls=falls)))
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
        if vertex.side and len(vertex.choices) == 1:
            return vertex.choices[0]
        key = vertex.side, vertex.state, tuple(vertex.choices), tuple(vertex.falls)
        number = self._same.get(key)
        if number is None:
            number = self._same[key] = len(self.vertices)
            self.vertices.append(vertex)
        return number

    def _follow(self, step: Lead, state: State) -> tuple[int, int]:
        """Return what a step wins, and the vertex that it leads to from a state."""
        return step.won, self._vertex(step.to, self.economy.arrived(state, step.change))

    def _vertex(self, node: Node, state: State) -> int:
        found = self._known.get((node, state))
        if found is None:
            found = self._known[node, state] = self._put(self._made(node, state))
        return found

    def _made(self, node: Node, state: State) -> Vertex:
        if node.ways:
            return Vertex(node.side, choices=[self._chosen(way.step, state) for way in node.open(state)])
        if node.falls:
            return Vertex(falls=[(self.number(fall.chance), *self._follow(fall.step, state)) for fall in node.falls])
        return Vertex(state=self._state(self.economy.capped(state)))

    def _chosen(self, step: Lead, state: State) -> int:
        won, vertex = self._follow(step, state)
        return self._put(Vertex(falls=[(self.number(Fraction(1)), won, vertex)])) if won else vertex

    def within_action(self, after: Sequence[Value]) -> list[Value]:
        """Return what every vertex is worth, when each state is worth so much once the action is over."""
        values, nothing = list[Value](), self.number(Fraction(0))
        for vertex in self.vertices:
            if vertex.falls:
                values.append(sum([chance * (won + values[to]) for chance, won, to in vertex.falls], nothing))
            elif vertex.side:
                choose = max if vertex.side == "players" else min
                values.append(choose([values[to] for to in vertex.choices]))
            else:
                values.append(after[vertex.state])
        return values

    def values(self) -> list[list[Value]]:
        """Return what each state is worth, by its number, with 0, 1, 2 ... actions left of the evening."""
        evening = self.economy.evening
        found = [[self.number(Fraction(0))] * len(self.states)]
        for left in range(1, evening.length + 1):
            vertices = self.within_action(found[-1])
            worth = [vertices[root] for root in self.roots]
            found.append([worth[scene] for scene in self.scenes] if begins_scene(evening, left) else worth)
        return found


def begins_scene(evening: Evening, left: int) -> bool:
    """Whether a new scene begins when so many actions are left."""
    played = evening.length - left
    return played > 0 and played % evening.actions == 0


class Ahead:
    """One action looked at from any point of it, when `after` says what each state is worth once it is over."""

    def __init__(self, economy: StochasticGame, after: Mapping[State, Value]) -> None:
        self._economy, self._after = economy, after
        self._known: dict[tuple[Node, State], Value] = {}

    def node(self, node: Node, state: State) -> Value:
        """Return what a node is worth in a state when both sides go on well; `KeyError` for a state unheard of."""
        found = self._known.get((node, state))
        if found is None:
            found = self._known[node, state] = self._node(node, state)
        return found

    def _node(self, node: Node, state: State) -> Value:
        if node.ways:
            choose = max if node.side == "players" else min
            return choose([self.step(way.step, state) for way in node.open(state)])
        if node.falls:
            first, *others = [fall.chance * self.step(fall.step, state) for fall in node.falls]
            return sum(others, first)
        return self._after[self._economy.capped(state)]

    def step(self, step: Lead, state: State) -> Value:
        """Return what a step from a state is worth, with what it wins."""
        return step.won + self.node(step.to, self._economy.arrived(state, step.change))

    def best(self, node: Node, state: State) -> Way:
        """Return the way that serves the side of a node best; to spend nothing where that is as good."""
        *spends, nothing = node.open(state)
        sign = 1 if node.side == "players" else -1
        return max([nothing, *spends], key=lambda way: sign * self.step(way.step, state))
