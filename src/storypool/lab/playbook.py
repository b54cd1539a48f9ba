"""A solution in words and pictures: what points are worth, and what each side does with them in
which state.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from typing import Any, NamedTuple

from storypool import systems
from storypool.engine.table import Purse
from storypool.lab import solution_cache
from storypool.lab.actions import Alternative, Node, State
from storypool.lab.solutions import Solution
from storypool.pictures.charts import Picture
from storypool.pictures.leaflet import Leaf, Leaflet
from storypool.pictures.maps import states
from storypool.pictures.rows import percent
from storypool.words.languages import ENGLISH, Language

SIDES = ("players", "gm")
POOL_BANDS = 3
"""Into how many amounts a pool is parted for sentences; the rest is in the map and in the data."""


class DecisionPoint(NamedTuple):
    """A decision of a side that could spend: how likely it is, what a point adds at best, whether
    it spends.
    """

    side: str
    own: bool
    chance: float
    gains: float
    spends: bool


class Habit(NamedTuple):
    """What a side does in its own actions, or in those of the other: how often it spends where it
    could.

    `least` is the smallest gain for a point that it takes, None where it takes none; `sharp` that
    it takes every larger one.
    """

    side: str
    own: bool
    share: float
    least: float | None
    sharp: bool


class Playbook:
    """The solution of an evening as sentences, tables and maps, with so many actions left."""

    def __init__(self, solution: Solution, left: int, language: Language = ENGLISH) -> None:
        self.solution, self.left, self.language, self.words = (
            solution,
            left,
            language,
            language.program,
        )
        self.system = systems.get(solution.evening.system, language)
        self._standing: dict[Node, float] = {}

    # What each side does.

    def decisions(self, state: State) -> Iterator[DecisionPoint]:
        """Yield every decision of the next action in which a side could spend, as both sides play
        it best.
        """
        for chance, lead in self.solution.economy.attempts(state):
            yield from self._from(lead.to, self._arrived(state, lead.change), float(chance))

    def _from(self, node: Node, state: State, chance: float) -> Iterator[DecisionPoint]:
        if node.choices:
            *spends, nothing = node.open(state)
            best = self.solution.ahead(self.left - 1).best(node, state)
            if spends:
                gains = [
                    self._gains(node, way) for way in ([best] if best is not nothing else spends)
                ]
                yield DecisionPoint(node.side, node.own, chance, max(gains), best is not nothing)
            yield from self._from(best.step.to, self._arrived(state, best.step.change), chance)
        for outcome in node.outcomes:
            step = outcome.step
            yield from self._from(
                step.to, self._arrived(state, step.change), chance * float(outcome.chance)
            )

    def _arrived(self, state: State, change: State) -> State:
        return self.solution.economy.arrived(state, change)

    def _gains(self, node: Node, way: Alternative) -> float:
        """Return what each point of a spend adds to the chance of its side, if nobody spends any
        more.
        """
        change = way.step.won + self._stands(way.step.to) - self._stands(node)
        cost = sum(way.needs) or sum(n for n in way.step.change if n > 0) or 1
        return (change if node.side == "players" else -change) / cost

    def _stands(self, node: Node) -> float:
        """Return how likely an action ends as the players want, if nobody spends any more."""
        found = self._standing.get(node)
        if found is None:
            steps = (
                [(1.0, node.choices[-1].step)]
                if node.choices
                else [(float(one.chance), one.step) for one in node.outcomes]
            )
            found = self._standing[node] = sum(
                n * (step.won + self._stands(step.to)) for n, step in steps
            )
        return found

    def habits(self, state: State) -> list[Habit]:
        """Return what each side does in a state, where it could do anything."""
        return self._habits[state] if state in self._habits else self._found(state)

    @cached_property
    def _habits(self) -> Mapping[State, list[Habit]]:
        """What each side does in the states that are described, from the cache if it has them."""
        file = self.solution.file.with_suffix(f".{self.left}.json")
        try:
            known = {
                tuple(state): [Habit(*one) for one in habits]
                for state, habits in solution_cache.read_json(file)
            }
            if list(known) == self.states:
                return known
        except (TypeError, ValueError):
            # Nothing was kept, or something else.
            pass
        found = {state: self._found(state) for state in self.states}
        solution_cache.write_json(file, list(found.items()))
        return found

    def _found(self, state: State) -> list[Habit]:
        found, decisions = [], list(self.decisions(state))
        for side, own in product(SIDES, (True, False)):
            here = [one for one in decisions if (one.side, one.own) == (side, own)]
            every = sum(one.chance for one in here)
            if every:
                taken = [one.gains for one in here if one.spends]
                kept = [one.gains for one in here if not one.spends]
                share = sum(one.chance for one in here if one.spends) / every
                least = min(taken, default=None)
                found.append(
                    Habit(side, own, share, least, least is None or least > max(kept, default=-1.0))
                )
        return found

    # In words.

    @cached_property
    def kinds(self) -> dict[str, list[int]]:
        """The places of a state by the account that they count; several where each character has
        points.
        """
        found: dict[str, list[int]] = {}
        for i, purse in enumerate(self.solution.economy.pools.every):
            found.setdefault(purse.account, []).append(i)
        return found

    @cached_property
    def even(self) -> list[State]:
        """All states in which all characters have the same."""
        places = [places[0] for places in self.kinds.values()]
        return [
            state
            for state in self.solution.values[self.left]
            if state == self.alike([state[i] for i in places])
        ]

    def alike(self, amounts: Sequence[int]) -> State:
        """Return the state with this amount of each kind, the same for all characters."""
        state = [0] * len(self.solution.pools)
        for n, places in zip(amounts, self.kinds.values(), strict=True):
            for i in places:
                state[i] = n
        return tuple(state)

    @property
    def states(self) -> list[State]:
        """Some states, spread over all in which all characters have the same."""
        parts = []
        for i, *_ in self.kinds.values():
            every = sorted({state[i] for state in self.even})
            parts.append(
                sorted(
                    {every[round(k * (len(every) - 1) / POOL_BANDS)] for k in range(POOL_BANDS + 1)}
                )
            )
        return [
            state
            for state in map(self.alike, product(*parts))
            if state in self.solution.values[self.left]
        ]

    def sentences(self, state: State) -> list[str]:
        """Return what a state is worth and what each side does in it, in sentences."""
        value = self.solution.values[self.left][state]
        lines = [
            self.words.say(
                "lab.solved.state",
                pools=self._pools(state),
                actions=self._actions,
                worth=f"{value:.2f}",
            )
        ]
        for pool, side in self.solution.pools.items():
            point = self.solution.point(state, self.left, pool)
            if point is not None:
                kind = "own" if Purse.read(pool).owner else side
                lines.append(
                    self.words.say(
                        f"lab.solved.point.{kind}", worth=_percent(point), **self._point(pool)
                    )
                )
        for habit in self.habits(state):
            key = f"lab.solved.{habit.side}.{'own' if habit.own else 'answer'}.{_how(habit)}"
            lines.append(
                self.words.say(
                    key, least=_percent(habit.least or 0.0), share=percent(Fraction(habit.share), 0)
                )
            )
        return lines

    @property
    def _actions(self) -> str:
        return self.words.say("lab.solved.actions", n=self.left)

    def _point(self, pool: str) -> dict[str, str]:
        """Return what a point of a pool is called, and whose it is."""
        purse = Purse.read(pool)
        owner = self.solution.begins.table.characters.get(purse.owner)
        return {"point": self.system.word(purse.account), "who": owner.name if owner else ""}

    def _pools(self, state: State) -> str:
        parts = []
        for account, (i, *others) in self.kinds.items():
            n = state[i]
            points = self.system.word(account, n)
            parts.append(
                self.words.say("lab.solved.each", n=n, points=points) if others else f"{n} {points}"
            )
        return reduce(
            lambda one, other: self.words.say("lab.solved.two", one=one, other=other), parts
        )

    def lines(self) -> Iterator[str]:
        """Yield what the solution is about, and how an evening ends that both sides play best."""
        evening, economy = self.solution.evening, self.solution.economy
        worth = sum(
            float(n) * self.solution.values[-1][state] for state, n in economy.starts.items()
        )
        yield self.words["lab.solved.about"]
        yield self.words.say("lab.solved.evening", actions=evening.length, worth=f"{worth:.2f}")

    def leaflet(self) -> Leaflet:
        """Return everything on one leaf."""
        title = self.words.say(
            "lab.title", game=self.system.name, evening=self.solution.evening.title
        )
        leaves = [
            Leaf(first, lines=tuple(rest)) for first, *rest in map(self.sentences, self.states)
        ]
        pictures = tuple(picture.svg() for picture in self.pictures())
        return Leaflet(title, tuple(self.lines()), tuple(leaves), pictures, self.words.language)

    # In pictures, and for programs.

    def pictures(self) -> Iterator[Picture]:
        """Yield a map of the first two kinds of points for each pool: what one more point in it is
        worth.
        """
        names = [
            self.words.say("lab.solved.map.each", points=self.system.plural(account))
            if others
            else self.system.plural(account)
            for account, (_, *others) in self.kinds.items()
        ]
        first, second, *_ = (places[0] for places in self.kinds.values())
        for pool in self.solution.pools:
            found = {state: self.solution.point(state, self.left, pool) for state in self.even}
            worth = {
                (state[first], state[second]): Fraction(max(0.0, n))
                for state, n in found.items()
                if n is not None
            }
            if worth:
                title = self.words.say(
                    f"lab.solved.map{'.own' * bool(Purse.read(pool).owner)}", **self._point(pool)
                )
                about = self.words.say("lab.solved.map.about", actions=self._actions)
                yield states(title, about, (names[0], names[1]), worth, self.language)

    def data(self) -> dict[str, Any]:
        """Return everything as plain data, with the values of every state for each number of
        actions left.
        """
        values = self.solution.values
        return {
            "system": self.solution.evening.system,
            "evening": self.solution.evening.key,
            "actions": self.solution.evening.length,
            "left": self.left,
            "pools": dict(self.solution.pools),
            "starts": [
                {"state": list(s), "chance": float(n)}
                for s, n in self.solution.economy.starts.items()
            ],
            "states": [list(state) for state in values[0]],
            "values": [list(worth.values()) for worth in values],
            "policy": [
                {
                    "state": list(state),
                    "worth": values[self.left][state],
                    "habits": [one._asdict() for one in self.habits(state)],
                }
                for state in self.states
            ],
        }


def _how(habit: Habit) -> str:
    """Return the kind of sentence that a habit needs."""
    if habit.least is None:
        return "never"
    if habit.share == 1:
        return "all"
    if habit.sharp:
        return "least"
    return "some" if habit.least > 0.0005 else "often"


def _percent(n: float) -> str:
    """Return a part of an action in percent; less than nothing is not worth telling apart from
    nothing.
    """
    return percent(Fraction(max(0.0, n)))
