"""Things to try, open questions, and showing what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from storypool import systems
from storypool.engine import story
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen, view
from storypool.engine.table import GM_ONLY, Trait
from storypool.engine.waiting import Waiting, waiting
from storypool.gamefile.compiled import compiled
from tests.sample_table import Evening

ROOT = Path(__file__).parent.parent


def asked(evening: Evening, seat: str) -> list[Waiting]:
    """The calls that this seat is asked to answer."""
    waits = waiting(evening.system, evening.table, seat)
    return [wait for wait in waits if wait.id == "called" and wait.yours]


def statements(evening: Evening, seat: str, *kinds: str) -> list[Trait]:
    """The statements of these kinds that a seat sees."""
    table = seen(evening.table, evening.table.seats[seat])
    return table.of_kind(*kinds)


def test_thing_to_try_is_the_gms_until_a_player_is_asked() -> None:
    """A player sees it when asked, is asked until acting, and may say no."""
    evening = Evening()
    evening.make("mona", "try.add", text="Climb the wall", note="Hard")
    assert not statements(evening, "ann", "try")
    [noted] = statements(evening, "mona", "try")
    evening.make("mona", "try.call", id=noted.id, who="pash")
    [wait] = asked(evening, "ann")
    assert (("check.declare",), {}) == (wait.moves, dict(wait.args))
    assert "Pash, will you try it? Climb the wall (Hard)" == wait.text
    assert not asked(evening, "bo")
    evening.make("ann", "try.decline")
    assert not asked(evening, "ann")
    assert [("", "Climb the wall")] == [
        (one.about, one.text) for one in statements(evening, "bo", "try")
    ]
    evening.make("mona", "try.call", id=noted.id, who="pash")
    evening.make("ann", "check.declare", wait.args, pool="1 coin")
    assert not asked(evening, "ann")
    evening.make("ann", "check.cancel")
    evening.make("mona", "scene.begin")
    assert not statements(evening, "mona", "try")


def test_called_action_begins_with_its_answers_agreed() -> None:
    """What only the GM decides is decided by the call, for that character alone."""
    evening = Evening(systems.get("c2d10"))
    begins = "check.declare skill=persuade dc=3"
    evening.make("mona", "try.add", text="Talk him round", begins=begins)
    [noted] = statements(evening, "mona", "try")
    evening.make("mona", "try.call", id=noted.id, who="pash")
    evening.make("bo", "check.declare", {"as": "oska", "pool": "2d10", "dc": 2})
    [check] = evening.table.checks.values()
    assert check.suggested
    evening.make("bo", "check.cancel")
    [wait] = asked(evening, "ann")
    title = {"title": "Talk him round"}
    assert {"as": "pash", "skill": "persuade", "dc": "3", **title} == dict(wait.args)
    evening.make("ann", "check.declare", wait.args)
    [check] = evening.table.checks.values()
    assert ({}, 3) == (dict(check.suggested), check.terms["dc"])
    assert not evening.table.of_kind("standing")


@pytest.mark.parametrize("begins", ["check.fly", "check.declare wings=2"])
def test_thing_to_try_names_a_move_of_the_game(begins: str) -> None:
    """An unknown move or question is refused with its name."""
    with pytest.raises(Refused, match=r"“(check\.fly|wings)” is no move or question"):
        Evening().make("mona", "try.add", text="Fly", begins=begins)


def test_question_stays_open_until_it_is_answered() -> None:
    """The answer is a fact; a hidden question and its answer are the GM's until they are shown."""
    evening = Evening()
    evening.make("mona", "question.add", text="Who paid him?")
    evening.make("mona", "question.add", text="Who is below?", secret=True)
    evening.make("mona", "scene.begin")
    assert ["Who paid him?"] == [one.text for one in statements(evening, "ann", "question")]
    paid, below = statements(evening, "mona", "question")
    evening.make("mona", "question.answer", id=paid.id, text="House Orlan.")
    evening.make("mona", "question.answer", id=below.id, text="The old duke.")
    assert not statements(evening, "mona", "question")
    facts = [one.text for one in statements(evening, "ann", "fact")]
    assert ["Who paid him? House Orlan."] == facts
    hidden = statements(evening, "mona", "fact")[-1]
    evening.make("mona", "trait.show", id=hidden.id)
    facts = [one.text for one in statements(evening, "ann", "fact")]
    assert ["Who paid him? House Orlan.", "Who is below? The old duke."] == facts
    lines = story.transcript(evening.records, evening.system)
    assert "A fact is added: Who is below? The old duke." in lines


def test_question_is_taken_out() -> None:
    """A question that nobody asks any more goes without an answer."""
    evening = Evening()
    evening.make("mona", "question.add", text="Who paid him?")
    [question] = statements(evening, "mona", "question")
    evening.make("mona", "trait.remove", id=question.id)
    assert not statements(evening, "mona", "question", "fact")


def test_hidden_question_is_undone_unseen() -> None:
    """An undo brings a question back as it was; players see nothing of a hidden one."""
    evening = Evening()
    evening.make("mona", "question.add", text="Who is below?", secret=True)
    before = view(evening.records, evening.table.seats["ann"])
    [question] = statements(evening, "mona", "question")
    evening.make("mona", "question.answer", id=question.id, text="The old duke.")
    evening.make("mona", "table.undo")
    assert [question] == statements(evening, "mona", "question")
    assert not evening.table.of_kind("fact")
    evening.make("mona", "table.redo")
    assert [one.seen_by for one in evening.table.of_kind("fact")] == [GM_ONLY]
    after = view(evening.records, evening.table.seats["ann"])[len(before) :]
    assert [None] == list({record.event for record in after})
    assert not statements(evening, "ann", "question", "fact")


def test_undone_call_asks_nobody() -> None:
    """The thing to try is the GM's again, and nothing is decided for the player."""
    evening = Evening(systems.get("c2d10"))
    evening.make("mona", "try.add", text="Talk him round", begins="skill=persuade dc=3")
    [noted] = statements(evening, "mona", "try")
    evening.make("mona", "try.call", id=noted.id, who="pash")
    assert asked(evening, "ann")
    evening.make("mona", "table.undo")
    assert not asked(evening, "ann")
    assert not statements(evening, "ann", "try", "standing")


def test_game_on_one_page_has_things_to_try() -> None:
    """The moves are the house's: a file needs no line for them."""
    text = (ROOT / "docs" / "games" / "nightshift.game.toml").read_text(encoding="utf-8")
    evening = Evening(compiled(text).system)
    begins = "action=watch position=desperate"
    evening.make("mona", "try.add", text="See who comes", begins=begins)
    [noted] = statements(evening, "mona", "try")
    evening.make("mona", "try.call", id=noted.id, who="pash")
    [wait] = asked(evening, "ann")
    evening.make("ann", "check.declare", wait.args)
    [check] = evening.table.checks.values()
    assert ("See who comes", {}) == (check.title, check.suggested)
    assert "desperate" in check.terms.values()
