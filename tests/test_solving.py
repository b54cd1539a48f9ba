"""The solution of an economy against brute force, all pairs of policies, and forward play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.dice import Die
from storypool.engine.events import DiceRolled
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.lab import Setting, evening
from storypool.lab.actions import State
from storypool.lab.course import Course, EveningStuck, opening
from storypool.lab.estimates import estimate, quantile
from storypool.lab.evenings import Evening, Means, read
from storypool.lab.node_keys import NodeKeys
from storypool.lab.playing import Played
from storypool.lab.solutions import solution
from storypool.lab.solving import StateGraph, Value
from storypool.lab.stochastic import StochasticGame
from storypool.lab.study import prepare
from storypool.odds.question import Question
from tests.fixed_set import cases, each_fifth

SMALL: Mapping[str, str] = {
    "starwars": (
        """
table = '''
seat Mona side=gm
seat Ann vessa: agility=2
seat Mona guard: agility=2
Mona session.begin
Mona destiny.begin
points light=1 dark=1
'''
goes_on = ["destiny.pass_all", "destiny.pass", "check.roll", "spend.waive", "check.close"]
players = { spends = ["destiny.upgrade"] }
gm = { spends = ["destiny.upgrade"] }
deeds."Ann check.declare pool=1A/1D" = 2
deeds."Ann check.declare pool=2A/1D" = 1
deeds."Mona check.declare as=guard pool=1A/1D" = 1
"""
    ),
    "genesys": (
        """
table = '''
seat Mona side=gm
seat Ann vessa: agility=2
seat Mona guard: agility=2
Mona session.begin
'''
goes_on = ["story.pass_all", "story.pass", "check.roll", "spend.waive", "check.close"]
players = { spends = ["story.upgrade"] }
gm = { spends = ["story.upgrade"] }
deeds = { "Ann check.declare pool=1A/1D" = 2, "Mona check.declare as=guard pool=1A/1D" = 1 }
"""
    ),
    "dune": (
        """
table = '''
seat Mona side=gm
seat Ann ruhan: battle=7 duty=7
seat Mona feyd: battle=6 duty=6
Mona session.begin
points momentum=1 threat=2
'''
goes_on = ["check.roll", "complication.suffer", "check.close"]
players = { spends = ["dice.buy n=1 threat=0|1"] }
gm = { spends = ["dice.buy n=1", "threat.harder n=1 text='It gets worse'"] }
deeds."Ann check.declare target=13 twice=2 difficulty=1" = 1
deeds."Mona check.declare as=feyd target=12 twice=1 difficulty=1" = 1
"""
    ),
    "c2d10": (
        """
table = '''
seat Mona side=gm
seat Ann mira: systems=1 logic=1
seat Mona thug: dice=1
Mona session.begin
points hero=2 villain=2
'''
goes_on = ["check.pass", "check.roll", "trouble.take", "check.close"]
players = { spends = ["dice.buy n=1", "check.reroll"] }
gm = { spends = ["dice.buy n=1", "check.reroll"] }
deeds = { "Ann check.declare pool=2d10 dc=2" = 2, "Mona check.declare as=thug pool=1d10 dc=1" = 1 }
"""
    ),
    "destinydice": (
        """
pools = ["fate"]
table = '''
seat Mona side=gm
seat Ann juna: clever=1 refresh=1
seat Bo pell: clever=1 refresh=1
seat Mona captain: clever=1
Mona session.begin
Ann aspect.add about=juna text="Thief with a conscience"
'''
goes_on = ["check.roll", "compel.accept", "outcome.take", "spend.waive", "check.close"]
players = { spends = ["aspect.invoke how=aid|upgrade"] }
gm = { spends = ["aspect.invoke how=aid|upgrade"] }
deeds."Ann check.declare pool=1S against=captain difficulty=opposed theirs=1S" = 2
deeds."Bo check.declare pool=1S/1D" = 1
deeds."Mona check.declare as=captain pool=1S/1D" = 1
deeds."Mona compel.offer who=juna aspect='Thief with a conscience' text='She stays'" = 1
"""
    ),
}
"""An evening of each game that is small enough to try everything."""

MOST = {"dune": 3}
"""The separate points of the small evenings, where a pool has no cap."""


def small(game: str, scenes: int = 1, actions: int = 2) -> Evening:
    """The small evening of a game."""
    [(_, found)] = read(
        game, f"[tiny]\ntitle = 'Tiny'\nscenes = {scenes}\nactions = {actions}\n{SMALL[game]}"
    ).items()
    return found


def economy(which: Evening, most: int = 24, every: bool = False) -> StochasticGame:
    """The economy of an evening."""
    return StochasticGame(opening(systems.get(which.system), which, {}), most, every)


class Tables:
    """The value of an evening by brute force on tables, with caps and without merged states."""

    def __init__(self, of: StochasticGame) -> None:
        self._of, self._evening = of, of.evening
        self._course = Course(of.begins)
        self._known: dict[tuple[State, int], Fraction] = {}

    def value(self, state: State, left: int) -> Fraction:
        """The worth of a state with this many actions left."""
        if (state, left) not in self._known:
            self._known[state, left] = self._value(state, left)
        return self._known[state, left]

    def _value(self, state: State, left: int) -> Fraction:
        played = self._evening.length - left
        if not left:
            return Fraction(0)
        table = self._of.holding(state)
        if played and played % self._evening.actions == 0:
            table = decision_of(
                self._of.system, table, self._course.masters[0], "scene.begin", {}, roll=None
            ).tables[-1]
        often = sum(Fraction(deed.often) for deed in self._evening.deeds)
        return sum(
            Fraction(deed.often)
            / often
            * self._after(
                self._made(table, self._course.seats[deed.who], deed.line.move, deed.line.ways[0]),
                left,
            )
            for deed in self._evening.deeds
        ) + Fraction(0)

    def _made(self, table: Table, seat: str, key: str, args: Mapping[str, object]) -> Decision:
        return decision_of(self._of.system, table, seat, key, args, roll=None)

    def _after(self, made: Decision, left: int) -> Fraction:
        ended = [
            check
            for id, check in made.turn.before.checks.items()
            if id not in made.turn.table.checks
        ]
        won = sum(
            check.outcome.passed is (check.side == "players") for check in ended if check.outcome
        )
        return won + self._goes_on(made.tables[-1], left)

    def _goes_on(self, table: Table, left: int) -> Fraction:
        for wait in self._course.waits(table):
            return self._asked(table, left, self._course.spenders(table, wait), wait)
        state = self._of.capped(self._of.pools.of(table))
        return self.value(state, left - 1)

    def _asked(self, table: Table, left: int, seats: Sequence[str], wait: object) -> Fraction:
        if not seats:
            return self._rolled(table, left, lambda roll: self._course.answered(table, wait, roll))  # type: ignore[arg-type]
        seat, *others = seats
        found = [self._asked(table, left, others, wait)]
        for spend in self._course.position(table, seat, left).spends if table.checks else ():
            try:
                found.append(
                    self._rolled(
                        table,
                        left,
                        lambda roll, spend=spend: decision_of(  # type: ignore[misc]
                            self._of.system, table, seat, spend.key, spend.args, roll=roll
                        ),
                    )
                )
            except Refused:
                continue
        return (min if table.seats[seat].side == "gm" else max)(found)

    def _rolled(
        self, table: Table, left: int, decided: Callable[[object], Decision | None]
    ) -> Fraction:
        """The mean over every roll; equal symbols are tried once."""
        dice = list[Die]()
        made = decided(partial(_first, dice))
        assert made is not None
        if not dice:
            return self._after(made, left)
        [rolled] = [event for event in made.events if isinstance(event, DiceRolled)]
        check = table.checks.get(rolled.check)
        if self._of.system.bind and check:
            dice = [die for die in self._of.system.bind(table, check) if die.sides > 1]
        total = Fraction(0)
        for shown in product(*(_faces(die) for die in dice)):
            faces = iter([face for face, _ in shown])
            then = decided(lambda die, faces=faces: next(faces))
            assert then is not None
            chance = Fraction(prod(n for _, n in shown), prod(die.sides for die in dice))
            total += chance * self._after(then, left)
        return total


def _first(dice: list[Die], die: Die) -> int:
    dice.append(die)
    return die.first


def _faces(die: Die) -> list[tuple[int, int]]:
    """A face for each set of symbols on a die, and the number of such faces."""
    found: dict[Bag, tuple[int, int]] = {}
    for face in range(die.first, die.last + 1):
        first, n = found.get(die.face(face), (face, 0))
        found[die.face(face)] = first, n + 1
    return list(found.values())


TRIED = {"starwars": 2, "genesys": 2, "dune": 1, "c2d10": 2, "destinydice": 1}
"""The most actions of the brute force, whose size grows quickly."""
FEW = {"destinydice": 2}
"""Its states: fewer points than this in each of three pools."""


@pytest.mark.slow
@pytest.mark.parametrize("game", cases(SMALL, ("genesys",)))
def test_solution_matches_brute_force(game: str) -> None:
    """Small evenings with every spend, face and cap agree exactly."""
    of = economy(small(game, 2, 1), MOST.get(game, 24), every=True)
    unrolled = StateGraph(of, Fraction)
    values, tables = unrolled.values(), Tables(of)
    states = [state for state in unrolled.states if max(state) < FEW.get(game, 3)]
    assert len(states) > 2
    for state in states:
        assert tables.value(state, 1) == values[1][unrolled.states[state]], state
    for state in list(of.starts)[: TRIED[game] - 1]:
        assert tables.value(state, 2) == values[2][unrolled.states[state]], state


@pytest.mark.slow
@pytest.mark.parametrize("game", cases(SMALL, ("genesys",)))
def test_pure_point_moves_are_worth_little(game: str) -> None:
    """Without spends that do not affect their action a small evening changes below 0.01."""
    which = small(game, 2, 2)
    with_all, without = (StateGraph(economy(which, 6, every), float) for every in (True, False))
    for state, here in without.states.items():
        assert with_all.values()[-1][with_all.states[state]] == pytest.approx(
            without.values()[-1][here], abs=0.01
        )


@pytest.mark.parametrize("stands", ["no", "yes"])
def test_action_passes_by_its_odds(stands: str) -> None:
    """It does even where rules do more than add worths: Hope that is never cancelled."""
    which = small("destinydice", 1, 1)
    [deed] = [deed for deed in which.deeds if deed.who == "Bo"]
    line = replace(deed.line, args={"pool": ("2E/2D1C",)})
    which = replace(which, deeds=(replace(deed, line=line),), players=Means(), gm=Means())
    option = {"hope_success_uncancellable": stands}
    of = StochasticGame(opening(systems.get("destinydice"), which, option))
    question = Question(Bag(expertise=2, difficulty=2, challenge=1), option)
    expected = systems.odds("destinydice").reckon(question).outcomes["succeed"]
    assert {expected} == set(StateGraph(of, Fraction).values()[1])


@pytest.mark.slow
def test_endless_action_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that leads to its own state does not loop for ever."""
    monkeypatch.setattr(NodeKeys, "of_table", lambda keys, table, *more: len(table.checks))
    with pytest.raises(EveningStuck, match="never ends"):
        StateGraph(economy(small("genesys")), float)


# Every pair of policies.

Policy = dict[tuple[int, int], tuple[Value, int]]
"""A choice of a side for each vertex and number of actions left."""


def vertices_of(unrolled: StateGraph, side: str) -> list[int]:
    """The vertices where a side chooses."""
    return [i for i, vertex in enumerate(unrolled.vertices) if vertex.side == side]


def every_policy(unrolled: StateGraph, side: str) -> list[Policy]:
    """Every policy of a side: its choice at each vertex with this many actions left."""
    keys = [
        (left, vertex)
        for left in range(1, unrolled.economy.evening.length + 1)
        for vertex in vertices_of(unrolled, side)
    ]
    ways = product(*(unrolled.vertices[vertex].choices for _, vertex in keys))
    return [dict(zip(keys, chosen, strict=True)) for chosen in ways]


def played(unrolled: StateGraph, chosen: Policy) -> list[Value]:
    """The worth of each state under both sides' choices, vertex by vertex."""
    worth: list[Value] = [Fraction(0)] * len(unrolled.states)
    for left in range(1, unrolled.economy.evening.length + 1):
        values = list[Value]()
        for i, vertex in enumerate(unrolled.vertices):
            if vertex.falls:
                values.append(
                    sum((n * (won + values[to]) for n, won, to in vertex.falls), Fraction(0))
                )
            elif vertex.side:
                won, to = chosen[left, i]
                values.append(won + values[to])
            else:
                values.append(worth[vertex.state])
        worth = [values[root] for root in unrolled.roots]
    return worth


@pytest.mark.slow
@pytest.mark.parametrize("points", ["light=1 dark=0", "light=0 dark=1"])
def test_no_pair_of_policies_is_better(points: str) -> None:
    """For three actions with one point both minimax values match exactly."""
    which = small("starwars", 1, 3)
    table = which.table.replace("light=1 dark=1", points)
    which = replace(which, table=table, deeds=which.deeds[:1])
    unrolled = StateGraph(economy(which), Fraction)
    [start] = [unrolled.states[state] for state in unrolled.economy.starts]
    players, masters = (every_policy(unrolled, side) for side in ("players", "gm"))
    assert len(players) * len(masters) > 60
    worth = [[played(unrolled, one | other)[start] for other in masters] for one in players]
    best = max(min(row) for row in worth)
    assert (
        best
        == min(max(column) for column in zip(*worth, strict=True))
        == unrolled.values()[3][start]
    )


# A second method: forward.


def forward(unrolled: StateGraph) -> float:
    """The won actions of an evening, by the forward odds of states under the best policies."""
    values, total = unrolled.values(), 0.0
    here = {
        unrolled.states[state]: float(chance) for state, chance in unrolled.economy.starts.items()
    }
    evening = unrolled.economy.evening
    for left in range(evening.length, 0, -1):
        if left < evening.length and (evening.length - left) % evening.actions == 0:
            here = _moved(here, unrolled.scenes)
        worth = unrolled.within_action(values[left - 1])
        chances = [0.0] * len(unrolled.vertices)
        for state, chance in here.items():
            chances[unrolled.roots[state]] += chance
        here = {}
        for i in reversed(range(len(unrolled.vertices))):
            vertex, chance = unrolled.vertices[i], chances[i]
            for n, won, to in vertex.falls:
                total += chance * float(n) * float(won)
                chances[to] += chance * float(n)
            if vertex.side:
                best = max if vertex.side == "players" else min
                won, to = best(vertex.choices, key=lambda choice: choice[0] + worth[choice[1]])
                total += chance * float(won)
                chances[to] += chance
            elif not vertex.falls and chance:
                here[vertex.state] = here.get(vertex.state, 0.0) + chance
    return total


def _moved(chances: Mapping[int, float], scenes: Sequence[int]) -> dict[int, float]:
    found: dict[int, float] = {}
    for state, chance in chances.items():
        found[scenes[state]] = found.get(scenes[state], 0.0) + chance
    return found


FORWARD = {"starwars": 24, "genesys": 24, "dune": 4, "c2d10": 24, "destinydice": 24}
"""The most points of a pool in these evenings."""


@pytest.mark.slow
@pytest.mark.parametrize("game", cases(FORWARD, ("genesys",)))
def test_forward_play_wins_as_much(game: str) -> None:
    """State odds under both policies give the value, to a billionth."""
    most = FORWARD[game]
    which = evening(game) if most == 24 and game != "c2d10" else small(game, 3, 4)
    unrolled = StateGraph(economy(which, most), float)
    values = unrolled.values()[-1]
    worth = sum(
        float(chance) * float(values[unrolled.states[state]])
        for state, chance in unrolled.economy.starts.items()
    )
    assert forward(unrolled) == pytest.approx(worth, abs=1e-9)
    assert sum(unrolled.economy.starts.values()) == 1


# Symmetries.


@cache
def solved_small(game: str) -> tuple[StateGraph, list[list[Value]]]:
    """A solved evening of twelve actions, with more states than it can reach."""
    of = economy(small(game, 3, 4), 6)
    unrolled = StateGraph(of, float, product(range(5), repeat=len(of.pools.names)))
    return unrolled, unrolled.values()


@pytest.mark.slow
@pytest.mark.parametrize("game", cases(SMALL, ("genesys",)))
def test_extra_point_never_hurts(game: str) -> None:
    """It holds in every state, for any number of actions left."""
    unrolled, values = solved_small(game)
    compared = 0
    for i, side in enumerate(unrolled.economy.pools.sides.values()):
        for state, here in unrolled.states.items():
            more = unrolled.states.get((*state[:i], state[i] + 1, *state[i + 1 :]))
            for worth in values if more is not None else ():
                assert more is not None
                gained = worth[more] - worth[here]
                assert (gained if side == "players" else -gained) > -1e-12, (state, side)
                compared += 1
    assert compared


@pytest.mark.slow
@pytest.mark.parametrize("side", ["players", "gm"])
@pytest.mark.parametrize("game", cases(SMALL, ("genesys",)))
def test_useless_point_is_worth_nothing(game: str, side: str) -> None:
    """Without spends all states are equal; with one, its points matter."""
    which = small(game, 1, 3)
    nobody = replace(
        which, players=replace(which.players, spends=()), gm=replace(which.gm, spends=())
    )
    for worth in StateGraph(economy(nobody, 4), Fraction).values():
        assert len(set(worth)) == 1
    alone = replace(nobody, **{side: getattr(which, side)})
    unrolled = StateGraph(economy(alone, 4), Fraction)
    assert len(set(unrolled.values()[-1])) > 1
    if game in ("dune", "c2d10"):
        # Here nobody's points become the other side's by being spent.
        i = [*unrolled.economy.pools.sides.values()].index(side)  # type: ignore[arg-type]
        by_own: dict[int, set[Value]] = {}
        for state, here in unrolled.states.items():
            by_own.setdefault(state[i], set()).add(unrolled.values()[-1][here])
        assert all(len(worth) == 1 for own, worth in by_own.items() if own < 3), by_own


# The policy in the lab.


def won(played: Played) -> int:
    """The number of actions that ended well for the players."""
    return sum(
        one.passed is (one.side == "players") for one in played.tried if one.passed is not None
    )


ENOUGH = {"starwars": 40, "genesys": 30, "dune": 25, "c2d10": 40, "destinydice": 25}
"""The number of evenings of each game that distinguishes two policies."""
RIVALS = tuple(product(("never", "always", "gains=0.05", "keep=2"), ("players", "gm")))


@cache
def wins(game: str, players: str = "solved", gm: str = "solved") -> list[int]:
    """The number of won actions in each of these evenings."""
    which = small(game, 3, 5) if game in ("dune", "c2d10") else evening(game)
    lab = prepare(which, Setting(players=players, gm=gm), 1)
    return [won(lab.play(number)) for number in range(ENOUGH[game])]


@pytest.mark.slow
@pytest.mark.parametrize("rival", cases(RIVALS, RIVALS[:1]), ids="-".join)
@pytest.mark.parametrize("game", cases(ENOUGH, ("genesys",)))
def test_solved_policy_is_unbeaten(game: str, rival: tuple[str, str]) -> None:
    """On either side another policy gains nothing measurable with equal luck.

    Many are compared, so the interval holds in 999 cases of 1000.
    """
    policy, side = rival
    sign, n = 1 if side == "players" else -1, ENOUGH[game]
    pairs = zip(wins(game), wins(game, **{side: policy}), strict=True)
    gained = estimate([sign * (theirs - ours) for ours, theirs in pairs])
    assert gained is not None
    assert gained.margin is not None
    assert gained.mean <= gained.margin * quantile(n - 1, 0.999) / quantile(n - 1), gained


@pytest.mark.slow
@each_fifth
def test_value_matches_the_lab(step: int) -> None:
    """Evenings where both sides play the solution agree within the interval."""
    which = evening("genesys")
    lab = prepare(which, Setting(players="solved", gm="solved"), 5)
    found = estimate([won(lab.play(number)) for number in range(0, 120, step)])
    book = solution(which, lab.begins.table.options)
    [start] = book.economy.starts
    assert found is not None
    assert found.low <= book.values[-1][start] <= found.high
