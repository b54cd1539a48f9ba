"""A question of a game file that takes several choices, each once."""

from __future__ import annotations

import pytest

from storypool.engine.refusal import Refused
from storypool.engine.story import transcript
from storypool.gamefile.compiled import compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed


def rolled(face: int) -> LocalTable:
    """A table on which Kit has rolled this face."""
    table = sit(compiled(HARBOUR).system)
    table.make("ann", "check.declare", {"as": "kit", "skill": "pilot"})
    table.make("ann", "check.roll", {"faces": [face]})
    return table


@pytest.mark.parametrize(
    ("face", "given", "coins"),
    [
        (6, ["pay", "calm"], 112),
        (6, "Calm, pay", 112),
        (6, "A word, Pay, at once", 2),
        (1, ["word"], 0),
        (1, "Pay, at once", 102),
    ],
)
def test_rows_follow_each_choice(face: int, given: object, coins: int) -> None:
    """A list or a text names as many as the roll allows, and each row asks for one."""
    table = rolled(face)
    table.make("ann", "move.gains", {"what": given})
    assert coins == table.state.balance("coin", "kit")
    table.make("mona", "table.undo")
    assert 0 == table.state.balance("coin", "kit")


@pytest.mark.parametrize(
    ("face", "given", "why"),
    [
        (6, ["pay"], "“What?” takes 2 answers, not 1."),
        (1, "pay, calm", "“What?” takes 1 answer, not 2."),
        (6, ["pay", "Pay, at once"], "“What?” takes each answer once; “Pay, at once” is there"),
        (6, ["pay", "gold"], "“gold”"),
        (6, None, "“What?” takes 2 answers, not 0."),
    ],
)
def test_wrong_numbers_of_choices_are_refused(face: int, given: object, why: str) -> None:
    """Too few, too many, the same twice, and unknown ones are refused."""
    with pytest.raises(Refused) as refused:
        rolled(face).make("ann", "move.gains", {} if given is None else {"what": given})
    assert why in refused.value.refusal.text


def test_choices_are_offered_and_logged() -> None:
    """The form has the number to choose, and the log what was chosen."""
    table = rolled(6)
    [ask] = [one for one in table.offer("ann", "move.gains").asks if one.name == "what"]
    assert ("several", 2, 2) == (ask.kind, ask.low, ask.high)
    table.make("ann", "move.gains", {"what": ["word", "calm"]})
    assert "Calm, A word" in transcript(table.records, table.system)


CHOOSE = 'choose = "2 if total >= 5 else 1"'


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (CHOOSE, "choose = 4", "write 1 to 3"),
        (CHOOSE, "choose = [2, 1]", "the least and the most"),
        (CHOOSE, "needed = false", "“what” has no several answers"),
        ("'pay' in what", "what == 'pay'", "“what” has several answers; look for one, as in 'pay'"),
        ("'pay' in what", "'gold' in what", "“gold” is not one of the answers"),
        ("'pay' in what", "'what' in 'pay'", "“in” finds a text among the answers"),
        ("'pay' in what", "what > 1", "“what” has several answers"),
        ("word = \"A word\" }", "\"a,b\" = \"A word\" }", "no comma in their keys"),
        ('entry = "skills" }', 'entry = "skills", choose = 1 }', "“choose” has no effect"),
    ],
)  # fmt: skip
def test_wrong_questions_for_several_are_refused(old: str, new: str, why: str) -> None:
    """Each mistake says what to write."""
    assert why in " ".join(str(one.what) for one in mistakes(changed(old, new)))
