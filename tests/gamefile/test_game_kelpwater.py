"""The odds of each action of Kelpwater, against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes
from tests.gamefile.conftest import Add

Rung = Callable[[tuple[int, ...]], str]
"""The result of these faces."""


def act(bonus: int) -> Rung:
    """The two highest dice, the way and the bonus."""

    def rung(faces: tuple[int, ...]) -> str:
        total = sum(sorted(faces)[-2:]) + bonus
        return "strong" if total >= 10 else "weak" if total >= 7 else "miss"

    return rung


def save(target: int) -> Rung:
    """A number up to the target is safe, a 20 above it the worst."""
    return lambda faces: "safe" if faces[0] <= target else "lost" if faces[0] == 20 else "hit"


def oath(sworn: int) -> Rung:
    """Higher than both tide dice, or than one."""

    def rung(faces: tuple[int, ...]) -> str:
        return ("miss", "weak", "strong")[(sworn > min(faces)) + (sworn > max(faces))]

    return rung


CASES = [
    (Bag(d6=2), 6, {}, act(0)),
    (Bag(d6=3), 6, {"action": "act", "with": "2", "bonus": "-1"}, act(1)),
    (Bag(d20=1), 20, {"action": "save", "with": "13", "worse": "4"}, save(9)),
    (Bag(d20=1), 20, {"action": "save", "target": "20"}, save(20)),
    (Bag(d10=2), 10, {"action": "oath", "sworn": "6"}, oath(6)),
    (Bag(d10=3), 10, {"sworn": "8"}, oath(8)),
]


@pytest.mark.parametrize(("pool", "sides", "terms", "rung"), CASES)
def test_odds_of_each_action(
    pool: Bag, sides: int, terms: Mapping[str, str], rung: Rung, added: Add
) -> None:
    """The term `action` says which ladder and numbers read the dice; without it, the first's."""
    found = systems.odds(added("kelpwater")).reckon(Question(pool, terms))
    rolls = list(product(range(1, sides + 1), repeat=pool.total))
    counted = Counter(map(rung, rolls))
    chances = {name: chance for name, chance in found.outcomes.items() if name != "pass"}
    assert chances == {name: Fraction(counted[name], len(rolls)) for name in chances}
    assert set(counted) <= set(chances)


def test_reference_has_each_action(added: Add) -> None:
    """Each has its ladder on paper, and a move of some actions names them."""
    game = systems.get(added("kelpwater"))
    notes = game.pages(game)
    assert ["Do something", "Withstand it", "Fulfil an oath"] == [one.title for one in notes[:3]]
    assert "The worst of it." in [row[0] for row in notes[1].rows]
    moves = [row[0] for note in notes for row in note.rows]
    assert "Swim again (Do something, Fulfil an oath)" in moves
    assert "Pull them under" in moves


def test_odds_of_an_unknown_action(added: Add) -> None:
    """It is refused with the keys there are; one that is not named is that of the dice."""
    key = added("kelpwater")
    assert "act" == systems.assumed(key, {})["action"]
    assert "save" == systems.assumed(key, {}, Bag(d20=1))["action"]
    with pytest.raises(Refused) as refused:
        systems.odds(key).reckon(Question(Bag(d6=2), {"action": "swim"}))
    assert "act, save, oath" in refused.value.refusal.text


SCENE = """
table kelpwater
seat gm side=gm
seat ann runa: hard=2 body=13
points runa.salt=4
gm move.oath_new text=Bell size=8
gm move.oath_fill which=Bell n=5
"""


@pytest.mark.parametrize(
    ("line", "sides", "rung"),
    [
        ("ann check.declare as=runa with=hard", 6, act(2)),
        ("ann action.oath as=runa sworn=Bell", 10, oath(5)),
    ],
)
def test_worth_of_swimming_again(line: str, sides: int, rung: Rung, added: Add) -> None:
    """A move of two actions is worth in each what the dice of that one make of it."""
    key = added("kelpwater")
    table = perform(read(SCENE + line)).table
    (action,) = table.checks.values()
    stakes = game_stakes.stakes(key)
    assert stakes is not None
    question = stakes.question(table, action)
    assert question is not None
    (worth,) = game_stakes.further(key, table, action)
    faces = range(1, sides + 1)
    before = [rung(roll) != "miss" for roll in product(faces, repeat=2)]
    each = [(new if old < 5 else old) for old, new in product(faces, faces)]
    after = [rung(roll) != "miss" for roll in product(each, repeat=2)]
    assert systems.odds(key).reckon(question).outcomes["pass"] == worth.before["pass"]
    assert worth.before["pass"] == Fraction(sum(before), len(before))
    assert (worth.move, worth.after["pass"]) == ("move.swim", Fraction(sum(after), len(after)))
