"""An economy as a two-player game: states of pools, drawn actions, and changes of points.

All of it is derived from the rules: actions are graphs of decided moves, a new scene is decided in
every state, and points change as in the engine, with the caps of the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from storypool.engine.decisions import decision_of
from storypool.engine.fold import evolve
from storypool.engine.game.turn import Turn
from storypool.engine.table import Points, Table
from storypool.lab.actions import Actions, Edge, Node, State, sum_of_states
from storypool.lab.course import Course, EveningStuck, StartingTable

MOST = 20
"""The most points that are distinguished in a pool without a cap; any more are dropped."""
MAX_CHARACTER_POINTS = 5
"""The same limit for the points of each character, as these have a pool each."""
MAX_MOVES = 100
"""The most moves after which a table that still waits will wait for ever."""


class StochasticGame:
    """The input of a solution: the actions of an evening, and the changes of points between them.

    In a pool without a cap, up to `most` points are distinguished; `every` is for the actions.
    """

    def __init__(self, begins: StartingTable, most: int = MOST, every: bool = False) -> None:
        self.begins, self.evening, self.system = begins, begins.evening, begins.system
        self.actions, self.course = Actions(begins, every), Course(begins)
        self.pools = self.actions.pools
        limits = []
        for purse in self.pools.every:
            limits.append(min(most, MAX_CHARACTER_POINTS) if purse.owner else most)
        self.most: State = tuple(limits)
        self._arrived: dict[tuple[State, State], State] = {}
        self._scenes: dict[State, State] = {}

    @cached_property
    def starts(self) -> Mapping[State, Fraction]:
        """The states in which the evening can begin, with their chances."""
        found: dict[State, Fraction] = {}

        def follow(node: Node, state: State, chance: Fraction) -> None:
            if node.choices:
                raise EveningStuck("points can be spent before the first action")
            if not node.outcomes:
                found[state] = found.get(state, Fraction(0)) + chance
            for one in node.outcomes:
                follow(one.step.to, sum_of_states(state, one.step.change), chance * one.chance)

        follow(self.actions.at(self.begins.table), self.pools.of(self.begins.table), Fraction(1))
        return found

    @cached_property
    def table(self) -> Table:
        """A table of the evening at which the first action can begin."""
        return self._settled(self.begins.table)

    def _settled(self, table: Table) -> Table:
        """Answer the table's waits until only an attempt is left."""
        for _ in range(MAX_MOVES):
            answers = (
                self.course.answered(table, wait, lambda die: die.first)
                for wait in self.course.waits(table)
            )
            made = next((one for one in answers if one is not None), None)
            if made is None:
                return table
            table = made.tables[-1]
        raise EveningStuck(f"{self.evening.system} {self.evening.key}: the table waits for ever")

    def attempts(self, state: State) -> Iterator[tuple[Fraction, Edge]]:
        """The actions that can be drawn in a state: their chances and their transitions."""
        for chance, seat, move, args in self._drawn:
            yield chance, self.actions.began(self.table, seat, move, args, state)

    @cached_property
    def _drawn(self) -> Sequence[tuple[Fraction, str, str, Mapping[str, str]]]:
        """The attempts that can be drawn: the chance, the seat, the move and its answers."""
        deeds, found = self.evening.deeds, []
        often = sum(Fraction(deed.often) for deed in deeds)
        for deed in deeds:
            seats = self.course.players
            if deed.who in self.course.seats:
                seats = [self.course.seats[deed.who]]
            every = [(seat, args) for args in deed.line.ways for seat in seats]
            found += [
                (Fraction(deed.often) / often / len(every), seat, deed.line.move, args)
                for seat, args in every
            ]
        return found

    def scene(self, state: State) -> State:
        """The state in which a new scene begins after this one, decided by the rules."""
        found = self._scenes.get(state)
        if found is None:
            made = decision_of(
                self.system,
                self.holding(state),
                self.course.masters[0],
                "scene.begin",
                {},
                roll=None,
            )
            found = self._scenes[state] = self.capped(self.pools.of(self._settled(made.tables[-1])))
        return found

    def arrived(self, state: State, change: State) -> State:
        """The state after a change: payments first, then gains, with overflow as in the rules."""
        found = self._arrived.get((state, change))
        if found is None:
            found = self._arrived[state, change] = self._arrive(state, change)
        return found

    def _arrive(self, state: State, change: State) -> State:
        paid = sum_of_states(state, tuple(min(0, n) for n in change))
        if not any(n > 0 for n in change):
            return paid
        turn = Turn(self.system, self.holding(paid), self.table.seats[self.course.masters[0]], "")
        for purse, n in zip(self.pools.every, change, strict=True):
            if n > 0:
                for event in turn.change(purse.account, n, purse.owner):
                    turn.table = evolve(turn.table, event)
        return self.pools.of(turn.table)

    def capped(self, state: State) -> State:
        """A state without the points that are not distinguished."""
        return tuple(map(min, state, self.most))

    def holding(self, state: State) -> Table:
        """The table with these points in its pools."""
        has = dict(zip(self.pools.every, state, strict=True))
        return replace(self.table, points=Points({**self.table.points, **has}))
