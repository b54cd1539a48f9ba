"""Statements of a game file with kinds and ranks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.engine.story import transcript
from storypool.engine.table import Trait
from storypool.gamefile.authoring.rule_changes import rule_changes
from storypool.gamefile.compiled import compiled
from storypool.gamefile.looks import shared_words
from storypool.odds.question import Question
from storypool.play import LocalTable
from storypool.web.prints.printed_sheets import paper_page
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed


@pytest.fixture
def table() -> LocalTable:
    """A table with Kit, who hauls 2 and has a lamp of rank 2."""
    table = sit(compiled(HARBOUR).system)
    table.make("ann", "character.set", {"who": "kit", "sheet": "haul=2"})
    table.make("mona", "move.aid_new", {"whom": "kit", "text": "A lamp", "kind": "tool"})
    table.make("mona", "move.aid_rank", {"which": lamp(table).id, "n": 1})
    return table


def lamp(table: LocalTable) -> Trait:
    """The lamp of Kit."""
    return next(one for one in table.state.traits.values() if one.text == "A lamp")


def test_rank_stays_within_bounds(table: LocalTable) -> None:
    """A rank follows the numbers of its character, in moves of the file and of the house."""
    assert (2, "tool") == (lamp(table).rating, lamp(table).terms["kind"])
    for expected in (3, 3):
        table.make("ann", "move.mend", {"what": "A lamp"})
        assert expected == lamp(table).rating
    table.make("mona", "move.aid_rank", {"which": "A lamp", "n": -5})
    assert 1 == lamp(table).rating
    table.make("ann", "move.hire", {})
    runner = next(one for one in table.state.traits.values() if one.text == "A runner")
    assert (3, "ally") == (runner.rating, runner.terms["kind"])
    table.make("ann", "move.mend", {"what": "A runner"})
    assert 1 == table.state.traits[runner.id].rating


def test_kind_and_rank_decide_the_dice(table: LocalTable) -> None:
    """A question for a statement gives its rank to the pool and its kind to a term."""
    table.make("ann", "move.hire", {})
    found = {}
    for text in ("A lamp", "A runner"):
        table.make("ann", "check.declare", {"as": "kit", "skill": "pilot", "with": text})
        [check] = table.state.checks.values()
        found[text] = (check.pool["d6"], check.terms["bonus"])
        table.make("ann", "check.cancel")
    assert {"A lamp": (3, 0), "A runner": (4, 1)} == found


def test_odds_with_a_rank() -> None:
    """The odds of the pool with a rank and a bonus are those of counting all rolls."""
    odds = compiled(HARBOUR).reckon(Question(Bag(d6=3), {"bonus": "1"}))
    assert 1 - Fraction(3, 6) ** 3 == odds.outcomes["done"]


def test_kind_and_rank_are_shown(table: LocalTable) -> None:
    """The log, the note of a choice and the paper have the kind and the rank in words."""
    log = transcript(table.records, table.system)
    assert "A lamp (Tool, rank 1)" in log
    assert "A lamp, now Tool, rank 2" in log
    offer = table.offer("ann", "move.mend")
    assert "Kit, Tool, rank 2" == offer.asks[-1].choices[0].note
    assert "A lamp</bdi> (Tool, rank 2)" in str(paper_page(table.system, table.state))
    [panel] = [one for one in table.system.panels if one.kind == "list"]
    assert ("Tool", "rank {n}") == (panel.words["aid.tool"], panel.words["aid.rank"])


def test_rank_is_taken_back(table: LocalTable) -> None:
    """An undo brings the old rank back."""
    table.make("ann", "move.mend", {"what": "A lamp"})
    table.make("mona", "table.undo")
    assert 2 == lamp(table).rating


def test_unknown_kind_is_refused(table: LocalTable) -> None:
    """A new statement is of one of its kinds."""
    with pytest.raises(Refused, match="Ally, Tool"):
        table.make("mona", "move.aid_new", {"whom": "kit", "text": "A boat", "kind": "ship"})


RANK = 'rank = [1, "1 + haul"]'
ALLY = "1 if with.kind == 'ally' else 0"
MENDED = "what.kind == 'tool'"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (RANK, "rank = [3, 1]", "Ranks go from a lowest to a highest"),
        (RANK, 'rank = [1, "skill"]', "“skill” is a question of the action"),
        (RANK, "goal = 4", "“with.rank” has no meaning: give [trait.aid] “rank”"),
        (RANK, f"{RANK}\ngoal = 4", "leave out “rank” or “goal”"),
        ('kind = "ally"', 'kind = "ship"', "“ship” is not one of the answers; there are ally"),
        (ALLY, ALLY.replace("ally", "ship"), "“ship” is not one of the answers"),
        (ALLY, "with.kind + 1", "“with.kind” is one of ally, tool"),
        (MENDED, "what.rank == 'x'", "“what.rank” is a number"),
        ("min(3, with.rank)", "min(3, with.haul)", None),
    ],
)
def test_wrong_kinds_and_ranks_are_refused(old: str, new: str, why: str | None) -> None:
    """Each mistake says what to write; a number of the character can still be read."""
    if why is None:
        compiled(changed(old, new))
    else:
        assert why in " ".join(str(one.what) for one in mistakes(changed(old, new)))


def test_new_rules_name_changed_ranks() -> None:
    """Other kinds or ranks are a change of the rules."""
    old, new = (compiled(text).game for text in (HARBOUR, changed('"1 + haul"]', "5]")))
    assert any("Aid" in one for one in rule_changes(old, new, shared_words()))
