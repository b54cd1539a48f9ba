"""Solutions: the value of every state of an evening's pools, and the policy that plays by it."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from itertools import product
from pathlib import Path

from storypool import systems
from storypool.engine import house
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal, Refused
from storypool.lab import solution_cache
from storypool.lab.actions import State
from storypool.lab.course import StartingTable, opening
from storypool.lab.evenings import Evening, evening
from storypool.lab.position import Position, Spend
from storypool.lab.solution_cache import Kept, Values
from storypool.lab.solving import ActionValue, StateGraph
from storypool.lab.stochastic import StochasticGame
from storypool.words import Phrase

MAX_PURSES = 3
"""The most characters with points of their own; each multiplies the states by as many as are
distinguished.
"""
EXTRA_POINTS = 2
"""Points by which a table may be richer than the evening begins, and its states are still known."""


class Solution:
    """What the states of an evening's pools are worth, and how both sides play them best."""

    def __init__(self, begins: StartingTable, options: Mapping[str, str]) -> None:
        self.begins, self.evening, self.options = begins, begins.evening, options
        self.economy = StochasticGame(begins)
        self._ahead: dict[int, ActionValue] = {}

    @cached_property
    def file(self) -> Path:
        """The file of the cache for its values."""
        return solution_cache.file_of(self.evening, self.options)

    @cached_property
    def values(self) -> Values:
        """The value of each state with 0, 1, 2 ... actions left, from the cache if it has them."""
        found = solution_cache.read(self.file)
        if found is not None:
            return found.values
        with nothing_collected():
            unrolled = StateGraph(self.economy, float, self._more())
            values = [
                dict(zip(unrolled.states, map(float, worth), strict=True))
                for worth in unrolled.values()
            ]
        solution_cache.write(self.file, Kept(tuple(self.pools), values))
        return values

    def _more(self) -> Iterator[State]:
        """Yield all states with as few points as the evening can begin with, or a few more, since
        tables differ.

        What belongs to characters does not go from one to another: there it is enough what the
        evening leads to.
        """
        if any(purse.owner for purse in self.economy.pools.every):
            return
        most = max(map(sum, self.economy.starts)) + EXTRA_POINTS
        for state in product(range(most + 1), repeat=len(self.pools)):
            if sum(state) <= most:
                yield self.economy.capped(state)

    @property
    def pools(self) -> Mapping[str, str]:
        """The pools by name, in the order of a state, and the side that spends each."""
        return self.economy.pools.sides

    def point(self, state: State, left: int, pool: str) -> float | None:
        """Return what one more point in a pool is worth to the side that spends it; None where it
        has no room.
        """
        i = list(self.pools).index(pool)
        more = (*state[:i], state[i] + 1, *state[i + 1 :])
        values = self.values[left]
        if state not in values or more not in values:
            return None
        gained = values[more] - values[state]
        return gained if self.pools[pool] == "players" else -gained

    def ahead(self, left: int) -> ActionValue:
        """Return an action as it is looked at with so many to come after it."""
        if left not in self._ahead:
            self._ahead[left] = ActionValue(self.economy, self.values[left])
        return self._ahead[left]

    def choice(self, position: Position) -> Spend | None:
        """Return the spend that serves a seat best here and in all that is to come, or None."""
        state = self.economy.capped(self.economy.pools.of(position.table))
        left = max(0, min(position.to_come, self.evening.length) - 1)
        node = self.economy.actions.at(position.table, state)
        side = "gm" if position.seat.side == "gm" else "players"
        if node.choices and node.side != side:
            # The other side is asked first, and has spent nothing.
            node = node.choices[-1].step.to
        if not node.choices or node.side != side:
            return None
        try:
            chosen = self.ahead(left).best(node, state).spend
        except KeyError:
            # Nothing of the evening leads here, so it is not known what is best.
            return None
        return next(
            (
                one
                for one in position.spends
                if chosen and (one.key, one.args) == (chosen.key, chosen.args)
            ),
            None,
        )


_made: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Evening, Solution]] = {}


def solution(which: Evening, options: Mapping[str, str] | None = None) -> Solution:
    """Return the solution of an evening under the options of a table, made on first use.

    `Refused` for an option that the game does not have, and where many characters have points of
    their own: with each purse for itself there are too many states.
    """
    system = systems.get(which.system)
    house.checked_options(system, options or {})
    own = own_options(system, options or {})
    key = id(which), tuple(sorted(own.items()))
    if key not in _made:
        made = Solution(opening(system, which, own), own)
        purses = sum(bool(purse.owner) for purse in made.economy.pools.every)
        if purses > MAX_PURSES:
            values = {"n": purses, "most": MAX_PURSES, "system": system.key}
            raise Refused(Refusal.of("argument", Phrase("lab.unsolved", **values), "evening"))
        # The evening is kept too, so that its id is not given to another.
        _made[key] = which, made
    return _made[key][1]


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Leave the garbage collector off: what is made here is in use or freed without it, and looking
    takes long.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def own_options(system: System, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that change the rules of this game, where they are not as usual."""
    chosen = {
        option.key: options.get(option.key, option.default)
        for option in system.options
        if option.system
    }
    return {
        option.key: chosen[option.key]
        for option in system.options
        if chosen.get(option.key) not in (None, option.default)
    }


def solved(position: Position) -> Spend | None:
    """Spend as the solution of the evening does, which both sides would play best by."""
    return solution(
        position.evening or evening(position.system.key), position.table.options
    ).choice(position)
