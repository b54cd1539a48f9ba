"""The games of `docs/games` keep the contract, and their odds match an enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from random import Random

import pytest

from storypool import systems
from storypool.contract.checking import check
from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from storypool.systems import game_files
from tests.fixed_set import cases
from tests.gamefile.conftest import GAMES, Add

FILES = sorted(
    file.name.removesuffix(game_files.ENDING) for file in GAMES.glob(f"*{game_files.ENDING}")
)
TEXTS = {name: (GAMES / f"{name}{game_files.ENDING}").read_text("utf-8") for name in FILES}
APART = {"deadair"}
"""Games whose rows throw a hundred-sided die after each roll; tests of their own enumerate both."""
WITH_DICE = [
    name
    for name, text in TEXTS.items()
    if "[dice" in text and "explodes =" not in text and name not in APART
]
"""The games whose dice are enumerated here; those that explode are in tests of their own."""
LARGEST = 2_000
"""The most rolls of one pool to enumerate."""


@pytest.mark.slow
@pytest.mark.parametrize("games", cases((0, 20), (0,)))
@pytest.mark.parametrize("name", FILES)
def test_docs_games_keep_the_contract(name: str, games: int, added: Add) -> None:
    """Rows, plays and random games pass, as in `check-game`."""
    assert [str(one) for one in check(added(name), games)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_DICE)
def test_odds_match_the_enumeration(name: str, added: Add) -> None:
    """For each small pool every number has the odds of its enumerated rolls."""
    key = added(name)
    game, asked = systems.get(key), 0
    for n in range(4):
        for pool in map(Bag, combinations_with_replacement([die.name for die in game.dice], n)):
            thrown, read = systems.under(key, pool, {})
            if not thrown or prod(die.sides for die in thrown) > LARGEST:
                continue
            rolls = [
                roll
                for roll in product(*(range(die.first, die.last + 1) for die in thrown))
                if not game.draws or _drawn_once(game, thrown, roll)
            ]
            found = systems.odds(key).reckon(Question(pool))
            counted: Counter[tuple[int, ...]] = Counter()
            passed = 0
            for roll in rolls:
                lie = tuple(Rolled(die.name, face) for die, face in zip(thrown, roll, strict=True))
                won, net, _ = read(lie)
                passed += bool(won)
                counted[tuple(net[axis] for axis in found.distribution.axes)] += 1
            shares = {row: Fraction(ways, len(rolls)) for row, ways in counted.items()}
            assert dict(found.distribution.joint()) == shares, pool
            assert found.outcomes.get("pass", 0) == Fraction(passed, len(rolls)), pool
            asked += 1
    smallest = min(die.sides for die in game.dice)
    assert asked >= sum(smallest**n <= LARGEST for n in range(1, 4)) > 0


def _drawn_once(game: System, thrown: Sequence[Die], roll: Sequence[int]) -> bool:
    """Whether no card of a deck is drawn twice."""
    assert game.draws is not None
    decks = {die.name for die in game.dice if game.draws(Table(), die.name, 1) is not None}
    cards = [(die.name, n) for die, n in zip(thrown, roll, strict=True) if die.name in decks]
    return len(cards) == len(set(cards))


WHOLE = {"rimeroad", "farshore", "longtrail"}
"""The games that leave out nothing of the core of a book."""
WORDS = ("title", "about", "words", "label", "word", "plural", "why", "unless")
"""The keys whose lines are only words."""


def test_rules_of_a_game_are_few_lines() -> None:
    """A game of the docs has at most 150 lines without words and characters, a whole one 190."""
    for name in FILES:
        text = (GAMES / f"{name}{game_files.ENDING}").read_text(encoding="utf-8")
        assert rules_of(text) <= (190 if name in WHOLE else 150), name


def rules_of(text: str) -> int:
    """The number of rule lines: no blanks, remarks, words, characters, plays or check data."""
    n, inside, apart = 0, False, False
    for line in text.splitlines():
        if inside or line.count('"""') == 1:
            inside = inside != (line.count('"""') == 1)
            continue
        if line.startswith("["):
            apart = line.startswith(("[words", "[[character]]", "[[npc]]", "[check", "[evening"))
        n += (
            bool(line.strip())
            and not line.startswith("#")
            and not apart
            and line.split(" = ")[0] not in WORDS
        )
    return n


@pytest.mark.parametrize("name", FILES)
def test_preview_has_the_dice_of_the_form(name: str, added: Add) -> None:
    """The workshop shows the pool of a new character with an unchanged form."""
    game = compiled((GAMES / f"{name}{game_files.ENDING}").read_text(encoding="utf-8"))
    table = LocalTable(systems.get(added(name)), Random(1).randint)
    table.sit("Mona", "gm")
    table.sit("Ann")
    table.make("mona", "session.begin")
    table.make("ann", "character.add", {"name": "Kit"})
    for key, rules in game.rules.actions.items():
        asked = [
            ask
            for ask in table.offer("ann", rules.declared).asks
            if ask.needed and ask.default is None
        ]
        if not all(ask.choices for ask in asked):
            continue  # there is nothing yet to choose from
        answers = {ask.name: ask.choices[0].value for ask in asked}
        table.make("ann", rules.declared, answers)
        (check,) = table.state.checks.values()
        assert game.usual_pools[key] == rules.reading.thrown(check.pool)
        table.make("ann", "check.cancel")
