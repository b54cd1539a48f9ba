"""Reading a pool without a table: the answers of an unchanged form, and their results."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.refusal import Refused
from storypool.odds.question import Question
from storypool.play import LocalTable
from storypool.systems import game_files
from tests.gamefile.conftest import GAMES, Add, Write, sit

WITH_DICE = sorted(
    file.name.removesuffix(game_files.ENDING)
    for file in GAMES.glob(f"*{game_files.ENDING}")
    if "[dice." in file.read_text(encoding="utf-8")
)
LEVELS = """
format = 1
key = "levels"
name = "Levels"
about = "A die against a level that is a word."
[dice.d10]
sides = 10
shows = { hit = "face >= need" }
[points.luck]
of = "character"
start = 2
cap = 5
[sheet.skills]
title = "Skills"
default = 3
entries = { climb = "Climb", swim = "Swim" }
[option.long]
title = "How long?"
values = { short = "Short", long = "Long" }
[action]
pool = { d10 = "skill + (1 if level == 'low' else 0) + luck" }
figures = { roll = { highest = 1 } }
[action.terms]
need = "3 if level == 'low' else 6 if level == 'mid' else 9"
bar = "need + more + luck + (4 if long == 'short' else 0) + (8 if side == 'players' else 0)"
[[action.asks]]
name = "level"
label = "How hard?"
choices = { low = "Low", mid = "Middle", high = "High" }
default = "low"
[[action.asks]]
name = "skill"
label = "Which skill?"
entry = ["skills"]
default = "swim"
[[action.asks]]
name = "more"
label = "How many?"
number = [1, 4]
when = "level == 'high'"
default = 2
[[outcome]]
key = "done"
when = "roll >= need and hit > 0 and bar > 0"
words = "Done."
passed = true
[[outcome]]
key = "missed"
words = "Not done."
passed = false
"""


@pytest.fixture
def levels(write: Write) -> str:
    """The key of a game whose reading uses a word, points, a sheet number and a house rule."""
    return write(LEVELS)


def declared(key: str, **given: object) -> LocalTable:
    """A table with an action of a new character, with the first of each choice without default."""
    table = sit(systems.get(key), "Ada")
    args = {"as": "ada", **given}
    for ask in table.offer("ann", "check.declare", args).asks:
        if ask.needed and ask.default is None and ask.name not in args and ask.choices:
            args[ask.name] = ask.choices[0].value
    table.make("ann", "check.declare", args)
    return table


def same_without_a_table(key: str, table: LocalTable) -> None:
    """The form's answers give the open action the same result as without a table."""
    (check,) = table.state.checks.values()
    file = systems.file_behind(key)
    assert file is not None
    terms = systems.assumed(key, {})
    for name, value in file.rules.terms(check, table.state).items():
        assert str(value) == terms.get(name, "" if value == "" else "0"), name
    if check.pool:
        assert check.pool == file.usual_pool
    question = systems.part(key, "stakes").question(table.state, check)
    if question is not None:
        assert (
            systems.odds(key).reckon(question).outcomes
            == systems.odds(key).reckon(Question(check.pool)).outcomes
        )


@pytest.mark.parametrize("name", WITH_DICE)
def test_default_terms_match_the_form(name: str, added: Add) -> None:
    """`odds` and `roll` assume an unchanged form, for each game of the docs."""
    key = added(name)
    same_without_a_table(key, declared(key))


def test_terms_follow_from_questions(levels: str) -> None:
    """A term follows from choices, points, the sheet, house rules, and omitted questions."""
    same_without_a_table(levels, declared(levels))
    assert {"level": "low", "need": "3", "bar": "17"} == systems.assumed(levels, {"more": "0"})
    assert {"more": "2", "need": "9", "bar": "25"} == systems.assumed(levels, {"level": "high"})


def test_questions_are_checked(levels: str) -> None:
    """Invalid choices, and questions made useless by a given term, are refused."""
    for terms in (
        {"level": "bottomless"},
        {"need": "4", "bar": "9", "level": "low"},
        {"skill": "3"},
    ):
        with pytest.raises(Refused) as refused:
            systems.get(levels).odds("1d10", **terms)
        assert list(terms)[-1] == refused.value.refusal.field


def test_roll_states_its_assumptions(levels: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`storypool roll` reads dice like the table and names its terms, like `storypool odds`."""
    assert 0 == main(["roll", levels, "1d10", "--faces", "5"])
    head, die, result = capsys.readouterr().out.splitlines()
    assert (
        "1 d10, level=low (assumed), more=0 (assumed), need=3 (assumed), bar=17 (assumed)" == head
    )
    assert ("hit", "Done.") == (die.split()[-1], result)
    assert 0 == main(["roll", levels, "1d10", "level=high", "--faces", "5"])
    assert "Not done." == capsys.readouterr().out.splitlines()[-1]
