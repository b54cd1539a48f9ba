"""A solution in words and pictures: the value of points, and the play of each side by state."""

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
"""The number of bands of a pool in sentences; maps and data have all amounts."""


class DecisionPoint(NamedTuple):
    """A decision of a side that could spend: its chance, best gain per point, and choice."""

    side: str
    own: bool
    chance: float
    gains: float
    spends: bool


class Habit(NamedTuple):
    """The habit of a side, in its own actions or the other side's: how often it spends if it can.

    `least` is the smallest accepted gain per point, None if it never spends; `sharp`: it takes
    every larger one.
    """

    side: str
    own: bool
    share: float
    least: float | None
    sharp: bool


class Playbook:
    """The solution of an evening as sentences, tables and maps, with `left` actions left."""

    def __init__(self, solution: Solution, left: int, language: Language = ENGLISH) -> None:
        self.solution, self.left, self.language, self.words = (
            solution,
            left,
            language,
            language.program,
        )
        self.system = systems.get(solution.evening.system, language)
        self._standing: dict[Node, float] = {}

    # The play of each side.

    def decisions(self, state: State) -> Iterator[DecisionPoint]:
        """Every decision of the next action in which a side could spend, with best play."""
        for chance, lead in self.solution.economy.attempts(state):
            yield from self._from(lead.to, self._arrived(state, lead.change), float(chance))

    def _from(self, node: Node, state: State, chance: float) -> Iterator[DecisionPoint]:
        if node.choices:
            *spends, nothing = node.open(state)
            best = self.solution.ahead(self.left - 1).best(node, state)
            if spends:
                ways = [best] if best is not nothing else spends
                gain = max(self._gains(node, way) for way in ways)
                yield DecisionPoint(node.side, node.own, chance, gain, best is not nothing)
            yield from self._from(best.step.to, self._arrived(state, best.step.change), chance)
        for outcome in node.outcomes:
            step = outcome.step
            yield from self._from(
                step.to, self._arrived(state, step.change), chance * float(outcome.chance)
            )

    def _arrived(self, state: State, change: State) -> State:
        return self.solution.economy.arrived(state, change)

    def _gains(self, node: Node, way: Alternative) -> float:
        """The gain per point of a spend for the chance of its side, without later spends."""
        change = way.step.won + self._stands(way.step.to) - self._stands(node)
        cost = sum(way.needs) or sum(n for n in way.step.change if n > 0) or 1
        return (change if node.side == "players" else -change) / cost

    def _stands(self, node: Node) -> float:
        """The chance that an action ends as the players want, without later spends."""
        found = self._standing.get(node)
        if found is None:
            steps = [(float(one.chance), one.step) for one in node.outcomes]
            if node.choices:
                steps = [(1.0, node.choices[-1].step)]
            found = self._standing[node] = sum(
                n * (step.won + self._stands(step.to)) for n, step in steps
            )
        return found

    def habits(self, state: State) -> list[Habit]:
        """The habits of each side in a state, where it has any choice."""
        if state in self._habits:
            return self._habits[state]
        return self._found(state)

    @cached_property
    def _habits(self) -> Mapping[State, list[Habit]]:
        """The habits of each side in the described states, from the cache if possible."""
        file = self.solution.file.with_suffix(f".{self.left}.json")
        try:
            known = dict[State, list[Habit]]()
            for state, habits in solution_cache.read_json(file):
                known[tuple(state)] = [Habit(*one) for one in habits]
            if list(known) == self.states:
                return known
        except (TypeError, ValueError):
            # Nothing valid is cached.
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
        """The indices of a state by account; several if each character has points."""
        found: dict[str, list[int]] = {}
        for i, purse in enumerate(self.solution.economy.pools.every):
            found.setdefault(purse.account, []).append(i)
        return found

    @cached_property
    def even(self) -> list[State]:
        """All states in which all characters have the same points."""
        return list(filter(self._is_even, self.solution.values[self.left]))

    def _is_even(self, state: State) -> bool:
        first = [state[places[0]] for places in self.kinds.values()]
        return state == self.alike(first)

    def alike(self, amounts: Sequence[int]) -> State:
        """The state with this amount of each account, the same for all characters."""
        state = [0] * len(self.solution.pools)
        for n, places in zip(amounts, self.kinds.values(), strict=True):
            for i in places:
                state[i] = n
        return tuple(state)

    @property
    def states(self) -> list[State]:
        """Some states, evenly spread over those in which all characters have the same points."""
        parts = []
        for i, *_ in self.kinds.values():
            every = sorted({state[i] for state in self.even})
            parts.append(
                sorted(
                    {every[round(k * (len(every) - 1) / POOL_BANDS)] for k in range(POOL_BANDS + 1)}
                )
            )
        found = []
        for state in map(self.alike, product(*parts)):
            if state in self.solution.values[self.left]:
                found.append(state)
        return found

    def sentences(self, state: State) -> list[str]:
        """The value of a state and the habits of each side in it, as sentences."""
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
            whose = "own" if habit.own else "answer"
            key = f"lab.solved.{habit.side}.{whose}.{_sentence_kind(habit)}"
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
        """The words for a point of a pool and its owner."""
        purse = Purse.read(pool)
        owner = self.solution.begins.table.characters.get(purse.owner)
        return {"point": self.system.word(purse.account), "who": owner.name if owner else ""}

    def _pools(self, state: State) -> str:
        parts = []
        for account, (i, *others) in self.kinds.items():
            n = state[i]
            points = self.system.word(account, n)
            if others:
                parts.append(self.words.say("lab.solved.each", n=n, points=points))
            else:
                parts.append(f"{n} {points}")
        return reduce(
            lambda one, other: self.words.say("lab.solved.two", one=one, other=other), parts
        )

    def lines(self) -> Iterator[str]:
        """The subject of the solution, and the result of an evening with best play."""
        evening, economy = self.solution.evening, self.solution.economy
        worth = sum(
            float(n) * self.solution.values[-1][state] for state, n in economy.starts.items()
        )
        yield self.words["lab.solved.about"]
        yield self.words.say("lab.solved.evening", actions=evening.length, worth=f"{worth:.2f}")

    def leaflet(self) -> Leaflet:
        """The whole playbook as one leaflet."""
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
        """A map over the first two accounts for each pool: the value of one more point in it."""
        names = []
        for account, (_, *others) in self.kinds.items():
            points = self.system.plural(account)
            if others:
                points = self.words.say("lab.solved.map.each", points=points)
            names.append(points)
        first, second, *_ = (places[0] for places in self.kinds.values())
        for pool in self.solution.pools:
            found = {state: self.solution.point(state, self.left, pool) for state in self.even}
            worth = {}
            for state, n in found.items():
                if n is not None:
                    worth[(state[first], state[second])] = Fraction(max(0.0, n))
            if worth:
                title = self.words.say(
                    f"lab.solved.map{'.own' * bool(Purse.read(pool).owner)}", **self._point(pool)
                )
                about = self.words.say("lab.solved.map.about", actions=self._actions)
                yield states(title, about, (names[0], names[1]), worth, self.language)

    def data(self) -> dict[str, Any]:
        """The playbook as plain data, with the value of every state by actions left."""
        values = self.solution.values
        starts = self.solution.economy.starts.items()
        return {
            "system": self.solution.evening.system,
            "evening": self.solution.evening.key,
            "actions": self.solution.evening.length,
            "left": self.left,
            "pools": dict(self.solution.pools),
            "starts": [{"state": list(state), "chance": float(n)} for state, n in starts],
            "states": [list(state) for state in values[0]],
            "values": [list(worth.values()) for worth in values],
            "policy": list(map(self._policy, self.states)),
        }

    def _policy(self, state: State) -> dict[str, Any]:
        worth = self.solution.values[self.left][state]
        habits = [one._asdict() for one in self.habits(state)]
        return {"state": list(state), "worth": worth, "habits": habits}


def _sentence_kind(habit: Habit) -> str:
    """The kind of sentence that a habit needs."""
    if habit.least is None:
        return "never"
    if habit.share == 1:
        return "all"
    if habit.sharp:
        return "least"
    return "some" if habit.least > 0.0005 else "often"


def _percent(n: float) -> str:
    """A part of an action in percent; negative values read as 0."""
    return percent(Fraction(max(0.0, n)))
