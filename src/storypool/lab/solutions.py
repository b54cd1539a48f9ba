"""Solutions: the value of every state of an evening's pools, and the policy that follows it."""

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
"""The most characters with points of their own; each multiplies the number of states."""
EXTRA_POINTS = 2
"""The excess of points over the start of the evening up to which states are known."""


class Solution:
    """The values of the states of an evening's pools, and the best play of both sides."""

    def __init__(self, begins: StartingTable, options: Mapping[str, str]) -> None:
        self.begins, self.evening, self.options = begins, begins.evening, options
        self.economy = StochasticGame(begins)
        self._ahead: dict[int, ActionValue] = {}

    @cached_property
    def file(self) -> Path:
        """The cache file of its values."""
        return solution_cache.file_of(self.evening, self.options)

    @cached_property
    def values(self) -> Values:
        """The value of each state with 0, 1, 2 ... actions left, from the cache if possible."""
        found = solution_cache.read(self.file)
        if found is not None:
            return found.values
        with nothing_collected():
            unrolled = StateGraph(self.economy, float, self._richer_states())
            values = [
                dict(zip(unrolled.states, map(float, worth), strict=True))
                for worth in unrolled.values()
            ]
        solution_cache.write(self.file, Kept(tuple(self.pools), values))
        return values

    def _richer_states(self) -> Iterator[State]:
        """All states with up to `EXTRA_POINTS` more points than the evening can begin with.

        Points of characters do not move between them: there the states that the evening reaches are
        enough.
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
        """The value of one more point in a pool for the side that spends it; None if it is full."""
        i = list(self.pools).index(pool)
        more = (*state[:i], state[i] + 1, *state[i + 1 :])
        values = self.values[left]
        if state not in values or more not in values:
            return None
        gained = values[more] - values[state]
        if self.pools[pool] == "players":
            return gained
        return -gained

    def ahead(self, left: int) -> ActionValue:
        """The values within an action with `left` actions to follow."""
        if left not in self._ahead:
            self._ahead[left] = ActionValue(self.economy, self.values[left])
        return self._ahead[left]

    def choice(self, position: Position) -> Spend | None:
        """The best spend of a seat here, for the rest of the evening, or None."""
        state = self.economy.capped(self.economy.pools.of(position.table))
        left = max(0, min(position.to_come, self.evening.length) - 1)
        node = self.economy.actions.at(position.table, state)
        side = "gm" if position.seat.side == "gm" else "players"
        if node.choices and node.side != side:
            # The other side decides first, and has spent nothing.
            node = node.choices[-1].step.to
        if not node.choices or node.side != side:
            return None
        try:
            chosen = self.ahead(left).best(node, state).spend
        except KeyError:
            # The evening does not reach this state, so the best choice is unknown.
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
    """The solution of an evening under the options of a table, made on first use.

    `Refused` for an unknown option, and if too many characters have points of their own: each purse
    multiplies the number of states. So does each card that a deck no longer has.
    """
    system = systems.get(which.system)
    named = systems.file_of(system.key) or system.key
    if system.draws is not None:
        decks = Phrase("lab.unsolved.decks", name=system.name, system=named)
        raise Refused(Refusal.of("argument", decks, "evening"))
    house.checked_options(system, options or {})
    own = own_options(system, options or {})
    key = id(which), tuple(sorted(own.items()))
    if key not in _made:
        made = Solution(opening(system, which, own), own)
        purses = sum(bool(purse.owner) for purse in made.economy.pools.every)
        if purses > MAX_PURSES:
            values = {"n": purses, "most": MAX_PURSES, "system": named}
            raise Refused(Refusal.of("argument", Phrase("lab.unsolved", **values), "evening"))
        # Keep the evening too, so that its id stays unique.
        _made[key] = which, made
    return _made[key][1]


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Disable the garbage collector: objects made here are in use or freed without it.

    A collection would only take time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def own_options(system: System, options: Mapping[str, str]) -> dict[str, str]:
    """The options that change the rules of this game, if they differ from the default."""
    chosen = {}
    for option in system.options:
        if option.system:
            chosen[option.key] = options.get(option.key, option.default)
    found = {}
    for option in system.options:
        if chosen.get(option.key) not in (None, option.default):
            found[option.key] = chosen[option.key]
    return found


def solved(position: Position) -> Spend | None:
    """Spend as in the solution of the evening, the best play for both sides."""
    return solution(
        position.evening or evening(position.system.key), position.table.options
    ).choice(position)
