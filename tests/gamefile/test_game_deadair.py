"""The odds of Dead Air against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add

KEYS = ("fumble", "beaten", "critical", "superb", "good", "plain", "failed")
LEAST = {"full": 1, "half": 2, "fifth": 3}


def level(roll: int, skill: int, luck: int = 0) -> int:
    """The level of a roll: 1 to 4 for successes, 0 for a failure, -1 for a fumble."""
    if roll == 100 or (skill < 50 and roll > 95):
        return -1
    number = max(1, roll - luck)
    if number == 1:
        return 4
    bands = ((3, 5), (2, 2), (1, 1))
    return next((found for found, part in bands if number <= skill // part), 0)


def rolls(bonus: int, penalty: int) -> Counter[int]:
    """How often each number comes up, by the digits on the dice; 0 with 0 is 100."""
    found: Counter[int] = Counter()
    for ones, *tens in product(range(10), repeat=2 + bonus + penalty):
        numbers = [10 * ten + ones or 100 for ten in tens]
        found[max(numbers) if penalty else min(numbers)] += 1
    return found


@pytest.mark.parametrize(("skill", "demand", "luck"), [(60, "full", 0), (49, "half", 7)])
@pytest.mark.parametrize(("bonus", "penalty"), [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)])
def test_bonus_and_penalty_dice(
    skill: int, demand: str, luck: int, bonus: int, penalty: int, added: Add
) -> None:
    """Bonus dice show lower tens, penalty dice higher ones, and each number has its level."""
    terms = {"action": "try", "skill": str(skill), "demand": demand, "lowered": str(luck)}
    pool = Bag(d100=1, bonus=bonus, penalty=penalty)
    found = systems.odds(added("deadair")).reckon(Question(pool, terms))
    counted: Counter[str] = Counter()
    names = {-1: "fumble", 4: "critical", 3: "superb", 2: "good", 1: "plain"}
    for roll, ways in rolls(bonus, penalty).items():
        reached = level(roll, skill, luck)
        name = names.get(reached, "failed")
        counted[name if reached < 0 or reached >= LEAST[demand] else "failed"] += ways
    for key in KEYS:
        assert found.outcomes[key] == Fraction(counted[key], counted.total()), key


@pytest.mark.parametrize(("reply", "skill", "against"), [("dodge", 60, 40), ("fight", 45, 70)])
def test_opposed_rolls(reply: str, skill: int, against: int, added: Add) -> None:
    """Both d100 are in the odds: the better level wins, and a blow back does not win a tie."""
    terms = {"action": "try", "skill": str(skill), "reply": reply, "against": str(against)}
    found = systems.odds(added("deadair")).reckon(Question(Bag(d100=1), terms))
    won = beaten = 0
    for mine, theirs in product(range(1, 101), repeat=2):
        ours, held = level(mine, skill), level(theirs, against)
        loses = held > ours or (held == ours and reply != "fight")
        won += ours > 0 and not loses
        beaten += ours > 0 and loses
    assert found.outcomes["pass"] == Fraction(won, 10_000)
    assert found.outcomes["beaten"] == Fraction(beaten, 10_000)


@pytest.mark.parametrize("steady", [0, 37, 99])
def test_sanity_rolls(steady: int, added: Add) -> None:
    """A roll at or under the sanity holds."""
    terms = {"action": "face", "steady": str(steady)}
    found = systems.odds(added("deadair")).reckon(Question(Bag(d100=1), terms))
    assert found.outcomes["pass"] == found.outcomes["calm"] == Fraction(steady, 100)
