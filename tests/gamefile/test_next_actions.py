"""Numbers that a game file gives to the next action of a character."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from storypool.engine.story import transcript
from storypool.gamefile.action_stakes import FileStakes
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import head, mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed

READY = 'forward = "bonus", of = "mover", n = 2'
TWO = (
    head("two")
    + """
[[action]]
key = "climb"
pool = { d6 = 1 }
figures = { best = { highest = 1 } }
terms = { ease = 0 }
counts = { total = "best + ease" }

[[action]]
key = "swim"
title = "Swim"
pool = { d6 = 1 }
figures = { best = { highest = 1 } }
terms = { ease = 0, depth = "ease * 2" }
counts = { total = "best + depth" }

[[outcome]]
key = "done"
when = "total >= 6"
words = "Done."
passed = true

[[outcome]]
key = "missed"
words = "Missed."
passed = false

[[move]]
key = "float"
title = "Find a plank"
who = "player"
do = [{ forward = "ease", of = "mover", n = 1, action = "swim" }]
"""
)
TIDE = """needed = false },
    { name = "tide", label = "How high?", number = [0, 3], default = 0, whose = "gm" },"""


@pytest.fixture
def game() -> CompiledGame:
    """The small game."""
    return compiled(HARBOUR)


@pytest.fixture
def table(game: CompiledGame) -> LocalTable:
    """A table on which Kit has got ready: 2 for the next action."""
    table = sit(game.system)
    table.make("ann", "move.ready")
    return table


def declared(table: LocalTable) -> int:
    """The bonus of an action that Kit declares."""
    table.make("ann", "check.declare", {"as": "kit", "skill": "pilot"})
    return bonus(table)


def bonus(table: LocalTable) -> int:
    """The bonus of the last open action."""
    *_, check = table.state.checks.values()
    n = check.terms["bonus"]
    assert isinstance(n, int)
    return n


def test_next_roll_uses_up_its_numbers(table: LocalTable) -> None:
    """All that was given is taken when the next action is declared, and used up by its roll."""
    table.make("mona", "move.storm")
    assert 1 == declared(table)
    table.make("ann", "check.roll", {"faces": [4]})
    assert "Done, with 4." in transcript(table.records, table.system)
    table.make("ann", "check.close")
    assert 0 == declared(table)


def test_action_called_off_leaves_its_numbers(table: LocalTable) -> None:
    """One that is called off leaves them for the next; an undo of the roll brings them back."""
    assert 2 == declared(table)
    table.make("ann", "check.cancel")
    assert 2 == declared(table)
    table.make("ann", "check.roll", {"faces": [1]})
    assert not table.state.of_kind("next-action")
    table.make("mona", "table.undo")
    assert table.state.of_kind("next-action")
    assert 2 == bonus(table)


def test_hidden_action_leaves_public_numbers(table: LocalTable) -> None:
    """A hidden action does not use up what everybody sees, since its end would show."""
    table.make("mona", "character.give", {"who": "kit"})
    mine = {"as": "kit", "skill": "pilot"}
    for secret, expected in ((True, 0), (False, 2)):
        table.make("mona", "check.declare", {**mine, "secret": secret})
        assert expected == bonus(table)


def test_number_is_seen_and_counted_beforehand(game: CompiledGame, table: LocalTable) -> None:
    """The card and the log name it, and the odds of the open action are those of counting."""
    assert "+2 Bonus on the next action" in transcript(table.records, table.system)
    [panel] = [one for one in table.system.panels if one.name == "next-action"]
    assert {"next-action": "On the next action"} == panel.words
    declared(table)
    [check] = table.state.checks.values()
    stakes = game.modules["stakes"]
    assert isinstance(stakes, FileStakes)
    question = stakes.question(table.state, check)
    assert question is not None
    won = Fraction(sum(face + 2 >= 5 for face in range(1, 7)), 6)
    assert won == game.reckon(question).outcomes["done"]


def test_decision_of_the_gm_leaves_the_number() -> None:
    """A decision about the open action works its terms out again, with the number."""
    text = changed("needed = false },", TIDE)
    table = sit(compiled(text.replace('bonus = "1 if', 'bonus = "tide + 1 if')).system)
    table.make("ann", "move.ready")
    assert 2 == declared(table)
    table.make("mona", "check.decide", {"tide": 3})
    assert 2 == bonus(table)


def test_number_is_for_an_action_of_its_kind() -> None:
    """With `action`, others leave it; terms made of the term rise with it."""
    table = sit(compiled(TWO).system)
    table.make("ann", "move.float", {"as": "kit"})
    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "check.roll", {"faces": [3]})
    table.make("ann", "check.close")
    table.make("ann", "action.swim", {"as": "kit"})
    [check] = table.state.checks.values()
    assert (1, 2) == (check.terms["ease"], check.terms["depth"])
    assert "+1 Ease on the next “Swim”" in transcript(table.records, table.system)


def help_text(more: str = "") -> str:
    """The small game, whose action asks “What helps?”, from 0 to 3, as dice and as a bonus."""
    question = f"""needed = false }},
    {{ name = "help", label = "What helps?", number = [0, 3]{more} }},"""
    text = changed("needed = false },", question)
    for one in (READY, 'forward = "bonus", of = "each"', 'total = "best + bonus"'):
        assert 1 == text.count(one)
        text = text.replace(one, one.replace("bonus", "help"))
    return text.replace("min(3, with.rank)", "min(3, with.rank) + help")


def helped(more: str = "") -> LocalTable:
    """A table on which Kit has 2 ahead for “What helps?”."""
    table = sit(compiled(help_text(more)).system)
    table.make("ann", "move.ready")
    return table


def answered(table: LocalTable, **answers: object) -> tuple[object, int]:
    """The answer to “What helps?” of an action that Kit declares, and its dice."""
    table.make("ann", "check.declare", {"as": "kit", "skill": "pilot", **answers})
    *_, check = table.state.checks.values()
    return check.terms.get("help"), check.pool.total


def test_number_raises_an_answer() -> None:
    """A question of the action for a number is answered as usual, and rises; so do its dice."""
    table = helped()
    assert "+2 “What helps?” on the next action" in transcript(table.records, table.system)
    assert (3, 4) == answered(table, help=1)
    table.make("ann", "check.cancel")
    assert (5, 6) == answered(table, help=3)
    table.make("ann", "check.roll", {"faces": [1] * 6})
    assert not table.state.of_kind("next-action")
    table.make("mona", "table.undo")
    assert table.state.of_kind("next-action")
    table.make("ann", "check.cancel")
    table.make("mona", "move.storm")
    assert (1, 2) == answered(table)


def test_odds_count_the_raised_answer() -> None:
    """They are those of an enumeration of the dice with the number that was given ahead."""
    game = compiled(help_text())
    table = sit(game.system)
    table.make("ann", "move.ready")
    assert (2, 3) == answered(table, help=0)
    [check] = table.state.checks.values()
    stakes = game.modules["stakes"]
    assert isinstance(stakes, FileStakes)
    question = stakes.question(table.state, check)
    assert question is not None
    rolls = [*product(range(1, 7), repeat=3)]
    won = Fraction(sum(max(faces) + 2 >= 5 for faces in rolls), len(rolls))
    assert won == game.reckon(question).outcomes["done"]


@pytest.mark.parametrize("needed", ["true", "false"])
def test_question_that_is_not_asked_leaves_its_number(needed: str) -> None:
    """It waits for an action that asks it; one left open rises from 0."""
    table = helped(f", when = \"skill == 'haul'\", needed = {needed}")
    assert (None, 1) == answered(table)
    table.make("ann", "check.roll", {"faces": [1]})
    table.make("ann", "check.close")
    table.make("ann", "check.declare", {"as": "kit", "skill": "haul"})
    *_, check = table.state.checks.values()
    assert 2 == check.terms["help"]


def test_gm_decides_the_answer_without_the_number() -> None:
    """The GM's answer rises like a player's, also where it is given again unchanged."""
    table = helped(', whose = "gm"')
    assert (3, 4) == answered(table, help=1)
    assert [1] == [one.default for one in table.offer("mona", "check.decide").asks]
    for given, expected in (({"help": 1}, 3), ({"help": 3}, 5), ({}, 5), ({"help": 0}, 2)):
        table.make("mona", "check.decide", given)
        [check] = table.state.checks.values()
        assert (expected, expected + 1) == (check.terms["help"], check.pool.total)
    table.make("ann", "check.roll", {"faces": [1, 1, 4]})
    assert not table.state.of_kind("next-action")


def test_agreed_answer_rises() -> None:
    """A suggestion to which the GM agrees keeps what was given ahead."""
    table = helped(', whose = "gm"')
    answered(table, help=1)
    table.make("mona", "check.agree")
    [check] = table.state.checks.values()
    assert (3, 4) == (check.terms["help"], check.pool.total)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (READY.replace("bonus", "skill"), "There is no “skill”"),
        (READY.replace("bonus", "with"), "There is no “with” here; there are bonus."),
        (READY.replace("2", "0"), "would do nothing"),
        (f'{READY}, action = "swim"', "There is no “swim”"),
    ],
)
def test_wrong_numbers_ahead_are_refused(new: str, why: str) -> None:
    """Only a term or a question for a number rises, by some number, in an action of the file."""
    assert why in " ".join(str(one.what) for one in mistakes(changed(READY, new)))
