"""Words on a sheet of a game file: a class, gear, notes."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.cli.reference import reference
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.story import transcript
from storypool.gamefile.authoring.rule_changes import rule_changes
from storypool.gamefile.compiled import compiled
from storypool.gamefile.looks import shared_words
from storypool.play import LocalTable
from storypool.web.prints.printed_sheets import paper_page
from tests.gamefile.conftest import Write, mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed


@pytest.fixture
def table() -> LocalTable:
    """A table with Kit, whose player is Ann."""
    return sit(compiled(HARBOUR).system)


@pytest.mark.parametrize(
    ("given", "gear"),
    [
        ({"gear": " A rope \n two  lamps "}, "A rope\ntwo lamps"),
        ("haul=2 gear='A rope; 2 lamps'", "A rope; 2 lamps"),
        ('Gear: "A “rope”, x=3" haul=2', "A “rope”, x=3"),
        ("Gear: a rope, 2 lamps; haul 2", "a rope, 2 lamps"),
        ('gear="" haul=2', ""),
    ],
)
def test_words_are_typed(table: LocalTable, given: object, gear: str) -> None:
    """Words are given as an object, between quotes, or up to a semicolon."""
    table.make("ann", "character.set", {"who": "kit", "sheet": given})
    assert gear == table.state.characters["kit"].sheet["gear"]
    haul = 1 if isinstance(given, dict) else 2
    assert haul == table.state.characters["kit"].sheet["haul"]


@pytest.mark.parametrize("gear", ["x" * 61, "a\nb\nc"])
def test_words_are_bounded(table: LocalTable, gear: str) -> None:
    """A text that is too long or has too many lines is refused, never cut."""
    with pytest.raises(Refused) as refused:
        table.make("ann", "character.set", {"who": "kit", "sheet": {"gear": gear}})
    assert "“Gear” holds at most 60 characters on 2 lines." == refused.value.refusal.text


def test_words_are_in_the_log_and_taken_back(table: LocalTable) -> None:
    """The log quotes new words, and an undo brings the old ones back."""
    table.make("ann", "character.set", {"who": "kit", "sheet": {"gear": "A rope\nA lamp"}})
    assert "Kit’s Gear is now “A rope / A lamp”." in transcript(table.records, table.system)
    table.make("ann", "character.set", {"who": "kit", "sheet": {"gear": ""}})
    assert "Kit’s Gear is empty now." in transcript(table.records, table.system)
    table.make("mona", "table.undo")
    assert "A rope\nA lamp" == table.state.characters["kit"].sheet["gear"]


def test_ready_characters_have_words(table: LocalTable) -> None:
    """A ready-made character brings the words of the file."""
    ready = table.system.ready[0]
    table.make("ann", "character.add", {"name": "Ilse", "sheet": ready["sheet"]})
    assert "A lamp, a rope" == table.state.characters["ilse"].sheet["gear"]


def test_words_of_a_foe_are_the_gms(table: LocalTable) -> None:
    """Players read the words of an NPC once the GM has shown them, alone or with the numbers."""
    table.make("mona", "npc.bring", {"kind": "guard"})
    ann = table.state.seats["ann"]
    assert {} == seen(table.state, ann).characters["a-guard"].sheet
    table.make("mona", "character.show", {"who": "a-guard", "what": "gear"})
    assert {"gear": "A whistle"} == seen(table.state, ann).characters["a-guard"].sheet


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('text = true\n', 'text = true\nhigh = 3\n', "“high” has no effect with “text = true”"),
        ("default = 1\n", "default = 1\nlines = 3\n", "“lines” has no effect with “numbers”"),
        ("most = 60", "most = 3000", "3000 is out of bounds: write 1 to 2000."),
        ('"A whistle"', "3", "A text between quotes is expected here"),
        ("pilot = 3", 'pilot = "three"', "A whole number without quotes is expected here"),
        ('"A whistle"', f'"{"x" * 61}"', "write at most 60 characters on 2 lines"),
        ('entry = "skills"', 'entry = "about"', "“about” is a group of words"),
        ('d6 = "skill +', 'd6 = "gear +', "“gear” is words on the sheet"),
    ],
)  # fmt: skip
def test_misused_words_are_refused(old: str, new: str, why: str) -> None:
    """Words have their own keys and bounds, and nothing reads them as a number."""
    assert why in str(mistakes(changed(old, new))[0].what)


def test_new_rules_name_changed_words() -> None:
    """The sentences about new rules name an entry that was a number, and whose bounds changed."""
    now = changed("most = 60", "most = 80")
    numbers = changed("text = true\nmost = 60\nlines = 2\n", "")
    for text in ('"A lamp, a rope"', '"A whistle"'):
        numbers = numbers.replace(text, "2")
    numbers = numbers.replace('trade = "Pilot" }', "trade = 2 }")
    old, longer, other = (compiled(text).game for text in (HARBOUR, now, numbers))
    words = shared_words()
    assert ("Gear can have another length.", "Trade can have another length.") == (
        rule_changes(old, longer, words)
    )
    assert "Gear holds words no longer: it is a number." == rule_changes(old, other, words)[0]
    assert "Gear is a number no longer: it holds words." == rule_changes(other, old, words)[0]


def test_reference_has_words_of_sheets(write: Write) -> None:
    """The reference lists an entry of words with its bounds."""
    system = systems.get(write(HARBOUR))
    assert "| `gear` | Gear | About them | a text of up to 60 characters on 2 lines | empty |" in (
        reference(system)
    )


def test_paper_has_words_in_lines(table: LocalTable) -> None:
    """The printed sheet has each line of a text, and leaves out an empty one."""
    table.make("ann", "character.set", {"who": "kit", "sheet": {"gear": "A <rope>\nA lamp"}})
    paper = paper_page(table.system, table.state, table.state.seats["ann"])
    assert "A &lt;rope&gt;</" in str(paper)
    assert ">A lamp</" in str(paper)
    assert "Trade" not in str(paper)
