"""Backward induction: the value of every state of an economy by the number of actions left.

An evening is a two-player zero-sum game: the players want their actions to pass and the GM's to
fail, and the GM wants the opposite. The state is the number of points in each pool. With n actions
left an action of the evening is drawn, and each side decides in turn, in the order of the rules,
knowing everything but the dice to come. The value of a state is the expected number of remaining
actions that end as the players want.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from storypool.lab.actions import Alternative, Edge, Node, State
from storypool.lab.evenings import Evening
from storypool.lab.stochastic import StochasticGame

Value = float | Fraction
"""A value: a float, or exact."""


class Vertex(NamedTuple):
    """A node in a state: the action is over, a side chooses, or dice are rolled.

    At the end, `state` is the number of the next state. A choice is its gain and the next vertex; a
    roll is its chance, and the same.
    """

    side: str = ""
    state: int = -1
    choices: tuple[tuple[Value, int], ...] = ()
    falls: tuple[tuple[Value, Value, int], ...] = ()


class StateGraph:
    """Every reachable state and every decision in it, as vertices in reverse topological order.

    `number` converts chances to numbers: `float`, or `Fraction` to be exact. `states` are numbered;
    `roots` are the vertices where an action begins in each, `scenes` the states in which a new
    scene begins after it.
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
            self.roots.append(self._number_of(Vertex(falls=tuple(falls))))
            self.scenes.append(self._state(economy.scene(state)))

    def _every_state(self) -> Iterator[State]:
        """Every state, including those found during the iteration."""
        found = list(self.states)
        while found:
            yield from found
            found = list(self.states)[len(self.roots) :]

    def _state(self, state: State) -> int:
        return self.states.setdefault(state, len(self.states))

    def _number_of(self, vertex: Vertex) -> int:
        """The number of a vertex; equal vertices are stored once."""
        number = self._same.setdefault(vertex, len(self.vertices))
        if number == len(self.vertices):
            self.vertices.append(vertex)
        return number

    def _follow(self, step: Edge, state: State) -> tuple[Value, int]:
        """The gain of a step, and the vertex that it leads to from a state."""
        won, to = self._after(step.to, self.economy.arrived(state, step.change))
        return (self._number(step.won) + won if step.won else won), to

    def _after(self, node: Node, state: State) -> tuple[Value, int]:
        """The gain up to the next vertex with a choice, and that vertex."""
        found = self._known.get((node, state))
        if found is None:
            made = self._made(node, state)
            alone = made.side and len(made.choices) == 1
            found = self._known[node, state] = (
                made.choices[0] if alone else (self._nothing, self._number_of(made))
            )
        return found

    def _made(self, node: Node, state: State) -> Vertex:
        if node.choices:
            ways = node.open(state)
            if len(ways) == 2:
                return Vertex(node.side, choices=tuple(self._repeated_spends(node, state)))
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

    def _repeated_spends(self, node: Node, state: State) -> list[tuple[Value, int]]:
        """The choices of a side that can spend on one thing: the number of times."""
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
        """The value of every vertex, for these values of the states after the action."""
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
        """The value of each state, by its number, with 0, 1, 2 ... actions of the evening left."""
        evening = self.economy.evening
        found = [[self._nothing] * len(self.states)]
        for left in range(1, evening.length + 1):
            vertices = self.within_action(found[-1])
            worth = [vertices[root] for root in self.roots]
            if begins_scene(evening, left):
                worth = [worth[scene] for scene in self.scenes]
            found.append(worth)
        return found


def begins_scene(evening: Evening, left: int) -> bool:
    """Whether a new scene begins when `left` actions are left."""
    played = evening.length - left
    return played > 0 and played % evening.actions == 0


class ActionValue:
    """The values within one action, for the values `after` it."""

    def __init__(self, economy: StochasticGame, after: Mapping[State, float]) -> None:
        self._economy, self._after = economy, after
        self._known: dict[tuple[Node, State], float] = {}

    def node(self, node: Node, state: State) -> float:
        """The value of a node in a state with best play; `KeyError` for an unknown state."""
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
        """The value of a step from a state, including its gain."""
        return float(step.won) + self.node(step.to, self._economy.arrived(state, step.change))

    def best(self, node: Node, state: State) -> Alternative:
        """The best choice for the side of a node; of equal ones, to spend nothing."""
        *spends, nothing = node.open(state)
        sign = 1 if node.side == "players" else -1
        return max([nothing, *spends], key=lambda way: sign * self.step(way.step, state))
