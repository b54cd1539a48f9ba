"""The odds of rolls that throw more dice, against an enumeration by their written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.bag import Bag
from storypool.gamefile.compiled import compiled
from storypool.odds import eq
from storypool.odds.question import Question
from storypool.systems import game_stakes
from tests.gamefile.conftest import Write, head, sit

EXPLODING = (
    head("exploding").replace('name = "Exploding"', 'name = "Exploding dice"')
    + """
[dice.d4]
sides = 4
[dice.wild]
sides = 6
[symbols.spark]
[sheet.kind]
title = "Kind"
high = 9
entries = { grit = "Grit" }
[action]
pool = { d4 = 1, wild = 1 }
figures = { t = { highest = 1, of = ["d4"] }, w = { highest = 1, of = ["wild"] } }
terms = { double = "2 * more", more = 0, kept = -9 }
counts = { total = "max(kept, max(t + more, w) + double - spark)" }
asks = [
  { name = "risk", label = "Risk?", choices = { low = "Low", mid = "Mid", high = "High" } },
  { name = "tn", label = "Target?", number = [2, 9], default = 4 },
]
[[whenever]]
on = "rolled"
when = "t == 4"
do = [
  { throw = { d4 = 1 }, figures = { a = { highest = 1 } } },
  { throw = { d4 = "1 if a == 4 else 0" }, figures = { b = { highest = 1 } } },
  { shift = "more", n = "a + b" },
  { shift = "risk", n = 1 },
]
[[whenever]]
on = "rolled"
when = "outcome == 'much' and w == 1"
do = [{ symbol = "spark", n = 2 }]
[[whenever]]
on = "rolled"
when = "grit > 0"
do = [{ shift = "more", n = "grit" }]
[[outcome]]
key = "bold"
when = "risk == 'mid' and total >= tn"
words = "Bold: {total}."
passed = true
[[outcome]]
key = "much"
when = "total >= tn"
words = "Much: {total}."
passed = true
[[outcome]]
key = "little"
words = "Little: {total}."
passed = false
[[move]]
key = "retry"
title = "Roll again"
who = "actor"
when = "after the roll"
do = [{ again = "face == 1" }]
[[move]]
key = "better"
title = "Keep the better"
who = "actor"
when = "after the roll"
do = [{ set = "kept", to = "total" }, { again = "face > 0" }]
"""
)

Roll = tuple[int, int]


def results(t: int, w: int, risk: str, tn: int) -> Counter[tuple[int, str]]:
    """The totals and rungs of these two dice, out of 16 for the dice that may be thrown."""
    found: Counter[tuple[int, str]] = Counter()
    for a, b in product(range(1, 5), repeat=2):
        explodes = t == 4
        more = (a + (b if a == 4 else 0)) if explodes else 0
        daring = {"low": "mid", "mid": "high", "high": "high"}[risk] if explodes else risk
        total = max(-9, max(t + more, w) + 2 * more)
        rung = "little" if total < tn else "bold" if daring == "mid" else "much"
        if rung == "much" and w == 1:
            total -= 2
            rung = "little" if total < tn else "much"
        found[total, rung] += 1
    return found


def enumerated(risk: str, tn: int, again: bool) -> dict[tuple[int, str], Fraction]:
    """The chance of every total with its rung, by every combination of faces."""
    found: Counter[tuple[int, str]] = Counter()
    for first in product(range(1, 5), range(1, 7)):
        for second in product(range(1, 5), range(1, 7)):
            t, w = first
            if again:
                t, w = (new if old == 1 else old for old, new in zip(first, second, strict=True))
            found.update(results(t, w, risk, tn))
    return {key: Fraction(n, found.total()) for key, n in found.items()}


@pytest.mark.parametrize(("risk", "tn"), [*product(("low", "mid", "high"), (3, 4, 7))])
def test_odds_count_dice_thrown_by_a_roll(risk: str, tn: int) -> None:
    """Thrown dice, moved terms, terms made of them, choices and symbols are in the odds."""
    game = compiled(EXPLODING)
    pool, terms = Bag(d4=1, wild=1), {"risk": risk, "tn": str(tn)}
    found = game.reckon(Question(pool, terms))
    expected = enumerated(risk, tn, again=False)
    chance: int | Fraction
    for n in {total for total, _ in expected}:
        chance = sum(chance for (total, _), chance in expected.items() if total == n)
        assert chance == found.distribution.p(total=eq(n)), n
    for rung in ("bold", "much", "little"):
        chance = sum(chance for (_, key), chance in expected.items() if key == rung)
        assert chance == found.outcomes[rung], rung


def test_worth_of_a_reroll_counts_thrown_dice(write: Write) -> None:
    """What a roll throws follows the re-roll; a move that keeps the first roll has no worth."""
    key = write(EXPLODING)
    table = sit(systems.get(key))
    table.make("ann", "check.declare", {"as": "kit", "risk": "low", "tn": 6})
    (check,) = table.state.checks.values()
    (worth,) = game_stakes.further(key, table.state, check)
    assert "move.retry" == worth.move
    for odds, again in ((worth.before, False), (worth.after, True)):
        expected = enumerated("low", 6, again)
        passed = sum(chance for (_, rung), chance in expected.items() if rung != "little")
        assert passed == odds["pass"]


DIE_OF_A_SKILL = (
    head("skills")
    + """
[dice.d8]
sides = 8
[sheet.skills]
title = "Skills"
low = 6
high = 8
default = 6
entries = { lift = "Lift" }
[action]
pool = { d6 = "1 if skill == 6 else 0", d8 = "1 if skill == 8 else 0" }
figures = { best = { highest = 1 } }
asks = [{ name = "skill", label = "Skill?", entry = "skills" }]
[[outcome]]
key = "top"
when = "best == skill"
words = "The top."
[[outcome]]
key = "other"
words = "Not the top."
"""
)


@pytest.mark.parametrize(
    ("pool", "terms", "top", "skill"),
    [
        (Bag(d6=1), {}, Fraction(1, 6), "6"),
        (Bag(d8=1), {}, Fraction(1, 8), "8"),
        (Bag(d8=1), {"skill": "6"}, Fraction(1, 8), None),
        (Bag(d8=1, d6=1), {}, Fraction(11, 48), "6"),
    ],
)
def test_typed_pool_has_the_answers_that_give_it(
    pool: Bag, terms: dict[str, str], top: Fraction, skill: str | None
) -> None:
    """Dice that only one answer gives are read by it; other pools by the defaults."""
    found = compiled(DIE_OF_A_SKILL).reckon(Question(pool, terms))
    assert skill == found.assumed.get("skill")
    rolls = list(product(*(range(1, n + 1) for n in sides(pool))))
    highest = Fraction(sum(max(roll) == int(skill or 6) for roll in rolls), len(rolls))
    assert top == highest
    assert top == found.outcomes["top"]


def sides(pool: Bag) -> list[int]:
    """The number of sides of each die of a pool."""
    return [int(name[1:]) for name, n in pool.items() for _ in range(n)]


@pytest.mark.parametrize(
    ("of", "instead", "printed"),
    [
        ('when = "grit > 0"\n', "", ""),
        ("", "", ", without what follows the roll"),
        (
            'do = [{ shift = "more", n = "grit" }]',
            'do = [{ throw = { d4 = 1 } }, { shift = "more", n = "grit" }]',
            ", without dice thrown besides",
        ),
    ],
)
def test_odds_name_what_they_leave_out(
    write: Write, capsys: pytest.CaptureFixture[str], of: str, instead: str, printed: str
) -> None:
    """A row that reads the table is not counted, and the odds and their check say so."""
    text = EXPLODING.replace(of, instead, 1) if of else EXPLODING
    if not printed:
        text = text.replace('n = "grit"', "n = 1")
    key = write(text + '[[character]]\nname = "Kit"\nsheet = { grit = 1 }\n')
    assert 0 == main(["odds", key, "1 d4 1 wild"])
    assert capsys.readouterr().out.splitlines()[0].endswith(printed or "(assumed)")
    (panel,) = (one for one in systems.get(key).panels if one.kind == "odds")
    assert printed.removeprefix(", ") == panel.title
    assert 0 == main(["check-game", key, "--games", "0"])
    checked = capsys.readouterr().out
    assert checked.rstrip().endswith(f"its odds are {printed[2:]}." if printed else "random (0).")
    assert ("every promise" in checked) is not bool(printed)
