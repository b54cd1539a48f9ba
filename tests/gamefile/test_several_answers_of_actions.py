"""A question of an action that takes several choices, each once."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.engine.story import transcript
from storypool.gamefile.action_stakes import FileStakes
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from storypool.web.previewed_action import preview
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import changed

GOALS = """needed = false },
    { name = "goals", label = "Which two?", choices = { quick = "Be quick", fine = "Do it finely", \
quiet = "Stay quiet" }, choose = 2 },"""
BONUS = "bonus = \"1 if with.kind == 'ally' else 0\""
OF_GOALS = "bonus = \"2 if 'quick' in goals else 0\""
WHEN = "when = \"total >= 5 + ('fine' in goals)\""
FOLLOWS = """
[[whenever]]
on = "rolled"
when = "'quiet' not in goals"
do = [{ gain = "coin", n = 3 }]
"""


def text_of(question: str = GOALS) -> str:
    """The small game, whose action asks for two of three goals."""
    text = changed("needed = false },", question).replace(BONUS, OF_GOALS) + FOLLOWS
    return text.replace('when = "total >= 5"', WHEN).replace("with {best}", "with {goals}")


@pytest.fixture
def game() -> CompiledGame:
    """The game with such a question."""
    return compiled(text_of())


def declared(game: CompiledGame, *goals: str) -> LocalTable:
    """A table on which Kit has declared an action with these goals."""
    table = sit(game.system)
    table.make("ann", "check.declare", {"as": "kit", "skill": "pilot", "goals": [*goals]})
    return table


def test_answers_are_terms_of_the_action(game: CompiledGame) -> None:
    """They are kept in the order of the question; the log, the ladder and rows read them."""
    table = declared(game, "fine", "quick")
    [check] = table.state.checks.values()
    assert ("quick,fine", 2) == (check.terms["goals"], check.terms["bonus"])
    table.make("ann", "check.roll", {"faces": [4]})
    story = transcript(table.records, table.system)
    assert "Be quick, Do it finely" in story
    assert "Done, with Be quick, Do it finely." in story
    assert 3 == table.state.balance("coin", "kit")
    table.make("mona", "table.undo")
    assert 0 == table.state.balance("coin", "kit")
    table.make("ann", "check.cancel")
    assert not table.state.checks


def test_page_is_given_its_words(game: CompiledGame) -> None:
    """The answers stand below the title of the action, each with its label."""
    [panel] = [one for one in game.system.panels if one.kind == "terms"]
    assert "goals" in str(panel.binds["terms"])
    assert "Do it finely" == game.system.words["term.fine"]
    assert "goals" not in str([one.binds for one in game.system.panels if one.kind == "figure"])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["quick"], "“Which two?” takes 2 answers, not 1."),
        ("quick, fine, quiet", "“Which two?” takes 2 answers, not 3."),
        (["quick", "quick"], "“Which two?” takes each answer once; “Be quick” is there"),
        (["quick", "gold"], "“gold”"),
        (None, "“Which two?” takes 2 answers, not 0."),
    ],
)
def test_wrong_numbers_are_refused(game: CompiledGame, given: object, why: str) -> None:
    """Too few, too many, the same twice, and unknown ones are refused."""
    args = {"as": "kit", "skill": "pilot", **({} if given is None else {"goals": given})}
    with pytest.raises(Refused) as refused:
        sit(game.system).make("ann", "check.declare", args)
    assert why in refused.value.refusal.text


def test_number_follows_from_another_answer() -> None:
    """How many are chosen can depend on what was answered before; a form has the number."""
    game = compiled(text_of(GOALS.replace("choose = 2", 'choose = [0, "skill"]')))
    table = sit(game.system)
    table.make("ann", "character.set", {"who": "kit", "sheet": "pilot=2"})
    for skill, high in (("haul", 1), ("pilot", 2)):
        asks = table.offer("ann", "check.declare", {"as": "kit", "skill": skill}).asks
        [ask] = [one for one in asks if one.name == "goals"]
        assert ("several", 0, high) == (ask.kind, ask.low, ask.high)
    table.make("ann", "check.declare", {"as": "kit", "skill": "haul", "goals": []})
    [check] = table.state.checks.values()
    assert ("", 0) == (check.terms["goals"], check.terms["bonus"])


def enumerated(dice: int, *goals: str) -> Fraction:
    """The chance to be done by counting every roll of this number of dice."""
    found = Counter(
        max(faces) + 2 * ("quick" in goals) >= 5 + ("fine" in goals)
        for faces in product(range(1, 7), repeat=dice)
    )
    return Fraction(found[True], found.total())


@pytest.mark.parametrize("goals", [("quick", "fine"), ("quick", "quiet"), ("fine", "quiet")])
@pytest.mark.parametrize("dice", [1, 3])
def test_odds_are_those_of_counting(game: CompiledGame, goals: tuple[str, ...], dice: int) -> None:
    """Those of the open action, and those without a table, where the answers are terms."""
    table = declared(game, *goals)
    [check] = table.state.checks.values()
    stakes = game.modules["stakes"]
    assert isinstance(stakes, FileStakes)
    question = stakes.question(table.state, check)
    assert question is not None
    assert enumerated(1, *goals) == game.reckon(question).outcomes["done"]
    found = game.reckon(Question(Bag(d6=dice), {"goals": ",".join(reversed(goals))}))
    assert enumerated(dice, *goals) == found.outcomes["done"]
    assert f"goals={','.join(goals)}" in stakes.scene(question)


def test_odds_assume_the_first_answers(game: CompiledGame) -> None:
    """Where none are given, as many as the question needs are taken from its beginning."""
    found = game.reckon(Question(Bag(d6=1), {}))
    assert "quick,fine" == found.assumed["goals"]
    assert enumerated(1, "quick", "fine") == found.outcomes["done"]


@pytest.mark.parametrize("typed", ["quick", "quick,gold", "quick,quick", "quick,fine,quiet", ","])
def test_wrong_terms_are_refused(game: CompiledGame, typed: str) -> None:
    """Odds without a table say which answers there are, and how many are chosen."""
    with pytest.raises(Refused, match="“goals” takes 2 of these, each once"):
        game.reckon(Question(Bag(d6=1), {"goals": typed}))


def test_workshop_previews_the_action(game: CompiledGame) -> None:
    """Its form begins with as many answers as it needs, so that it has odds at once."""
    shown = preview(game, "check.declare", {})
    assert ["quick", "fine"] == shown.answers["goals"]
    assert (None, False) == (shown.refused, shown.question is None)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("choose = 2 }", "choose = 4 }", "write 1 to 3"),
        ("choose = 2 }", 'choose = 2, default = "quick" }', "“default” has no effect with"),
        ("choose = 2 }", 'choose = 2, whose = "gm" }', "“whose” has no effect with “choose”"),
        ("'quick' in goals", "goals == 'quick'", "“goals” has several answers; look for one"),
        ("'quick' in goals", "'gold' in goals", "“gold” is not one of the answers"),
        ("'quick' in goals", "goals > 1", "“goals” has several answers; look for one"),
        ('{ gain = "coin", n = 3 }', '{ shift = "goals" }', "“goals” has several answers, which"),
        ('{ gain = "coin", n = 3 }', '{ set = "goals", to = 1 }', "“goals” has several answers,"),
    ],
)
def test_wrong_questions_are_refused(old: str, new: str, why: str) -> None:
    """Each mistake says what to write."""
    text = text_of()
    assert 1 == text.count(old)
    assert why in " ".join(str(one.what) for one in mistakes(text.replace(old, new)))
