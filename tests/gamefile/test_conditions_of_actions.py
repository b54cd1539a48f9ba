"""When an action of a game file may be declared: `only`, with its reason on the closed offer."""

from __future__ import annotations

import pytest

from storypool.engine.refusal import Refused
from storypool.gamefile.authoring.completion import completion
from storypool.gamefile.authoring.rule_changes import rule_changes
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed
from tests.gamefile.test_next_actions import TWO

ONLY = '[action]\nonly = "coin > 0"\nunless = "You have no coin to risk."\n'
PILOT = {"skill": "pilot"}


@pytest.fixture
def game() -> CompiledGame:
    """The small game, whose action needs a coin."""
    return compiled(changed("[action]\n", ONLY))


def table_of(game: CompiledGame) -> LocalTable:
    """A table with Kit, and with Bo, who are both Ann's; Kit has two coins."""
    table = sit(game.system)
    table.make("ann", "character.add", {"name": "Bo"})
    table.make("mona", "points.correct", {"account": "kit.coin", "to": 2, "why": "Pay"})
    return table


def why_closed(table: LocalTable, seat: str, move: str) -> str:
    """The reason on an offer; "" if it is open."""
    closed = table.offer(seat, move).closed
    return closed.text if closed is not None else ""


def test_closed_offer_has_the_reason(game: CompiledGame) -> None:
    """It is that of the file, until the condition holds; without one it is a general sentence."""
    table = sit(game.system)
    assert "You have no coin to risk." == why_closed(table, "ann", "check.declare")
    with pytest.raises(Refused, match="You have no coin to risk"):
        table.make("ann", "check.declare", PILOT)
    table.make("mona", "points.correct", {"account": "kit.coin", "to": 1, "why": "Pay"})
    assert "" == why_closed(table, "ann", "check.declare")
    plain = sit(compiled(changed("[action]\n", '[action]\nonly = "coin > 0"\n')).system)
    assert "This cannot be done now." == why_closed(plain, "ann", "check.declare")


@pytest.mark.parametrize("move", ["check.declare", "move.mend"])
def test_condition_is_that_of_the_chosen_character(move: str) -> None:
    """Of several characters, one that cannot act is closed with the reason; the others act."""
    text = changed("[action]\n", ONLY).replace('only = "traits(aid) > 0"', ONLY.split("\n", 1)[1])
    table = table_of(compiled(text))
    if move == "move.mend":
        table.make("ann", "move.hire", {"as": "kit"})
        table.make("ann", "move.hire", {"as": "bo"})
    [who] = [ask for ask in table.offer("ann", move).asks if ask.name == "as"]
    assert [("Kit", ""), ("Bo", "You have no coin to risk.")] == [
        (one.label, one.closed) for one in who.choices
    ]
    assert "kit" == who.default
    given = PILOT if move == "check.declare" else {"what": "A runner"}
    with pytest.raises(Refused, match="You have no coin to risk"):
        table.make("ann", move, {"as": "bo", **given})
    table.make("ann", move, {"as": "kit", **given})


def test_gm_sets_the_condition_aside(game: CompiledGame) -> None:
    """Where nobody fulfils it, it is a rule like any other, which a GM can override."""
    table = sit(game.system)
    table.make("mona", "npc.bring", {"kind": "guard", "name": "Ruhan"})
    table.make("mona", "check.declare", {"as": "ruhan", "skill": "haul"}, override=True)
    assert ["ruhan"] == [check.actor for check in table.state.checks.values()]


def test_each_action_has_its_own_condition() -> None:
    """One of several actions is closed, and the other is open."""
    text = TWO.replace('key = "swim"', 'key = "swim"\nonly = "left > 0"\nunless = "Dry land."')
    text += '[points.left]\nof = "players"\nword = "tide"\n'
    table = sit(compiled(text).system)
    assert ("", "Dry land.") == tuple(
        why_closed(table, "ann", move) for move in ("check.declare", "action.swim")
    )


def test_character_whose_turn_it_is_decides() -> None:
    """In a conflict the condition is that of the character whose turn it is."""
    text = changed("[action]\n", ONLY) + '[turns]\nby = "pilot"\n'
    table = table_of(compiled(text))
    table.make("ann", "character.set", {"who": "bo", "sheet": "pilot=3"})
    table.make("mona", "turns.begin")
    assert "You have no coin to risk." == why_closed(table, "ann", "check.declare")
    table.make("mona", "points.correct", {"account": "bo.coin", "to": 1, "why": "Pay"})
    [who] = [one for one in table.offer("ann", "check.declare").asks if one.name == "as"]
    assert ("bo", ["kit"]) == (who.default, [one.value for one in who.choices if one.closed])


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("skill > 1", "“skill” is a question of this move, which is asked after “only” is decided"),
        ("coins > 0", "did you mean “coin”?"),
        ("best > 1", "“best” is read off the dice"),
        ("bonus > 1", "“bonus” is a term of the action"),
    ],
)
def test_wrong_conditions_are_refused(condition: str, why: str) -> None:
    """It reads the table and the character, before any question is asked."""
    text = changed("[action]\n", f'[action]\nonly = "{condition}"\n')
    [wrong] = mistakes(text)
    assert why in str(wrong.what)
    assert text.split("\n").index(f'only = "{condition}"') + 1 == wrong.line


def test_condition_is_completed_printed_and_compared(game: CompiledGame) -> None:
    """The workshop knows its names, paper has it in words, and newer rules say that it changed."""
    before, after = changed("[action]\n", "[action]\nonly = '|'\n").split("|")
    found = {one.name for one in completion(before, after).known}
    assert {"coin", "haul", "traits("} <= found
    assert not found & {"skill", "best", "bonus"}
    [note] = [note for note in game.system.notes if note.title == "Try something"]
    assert "- Only if there is at least 1 coin\n" in note.text
    other = compiled(HARBOUR)
    assert rule_changes(other.game, game.game, game.system.words) == (
        "When an action can be declared is different.",
    )
