"""The sheet in a game of one file: each entry of the action with its dice, and what it begins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.offers import offer
from storypool.gamefile.compiled import compiled
from storypool.live.previews import rolls_of_sheet
from storypool.play import perform, read
from tests.gamefile.conftest import head, mistakes, sit

Add = Callable[[str | Path], str]


@pytest.mark.parametrize(
    ("game", "sheet", "pools"),
    [
        ("nightshift", "sneak=2 talk=0", {"sneak": {"risk": 2}, "talk": {}}),
        ("mothcandle", "dance=3", {"dance": {"bright": 3, "grim": 2}}),
        ("quarrylane", "hands=10 crew=6", {"hands": {"d10": 1}, "crew": {"d6": 1}}),
        ("parish", "look=60", {"look": {}}),
    ],
)
def test_entries_show_dice_and_begin_action(
    added: Add, game: str, sheet: str, pools: dict[str, dict[str, int]]
) -> None:
    """An entry has the dice of the pool's expression, unless each entry would have the same."""
    text = f"table {added(game)}\nseat gm side=gm\nseat ann pash: {sheet}\n"
    system, table = systems.get(game), perform(read(text)).table
    found = {
        one.entry: one for one in rolls_of_sheet(system, table, table.seats["ann"], "pash", {})
    }
    assert pools == {entry: dict(found[entry].pool) for entry in pools}
    for entry in pools:
        given = dict(found[entry].given)
        offered = offer(system, table, "ann", found[entry].move, given)
        assert offered.closed is None
        assert "pash" == given.pop("as")
        [name] = given
        [asked] = [ask for ask in offered.asks if ask.name == name]
        assert entry in [choice.value for choice in asked.choices]


VARIANTS = """format = 1
key = "variants"
name = "Variants"
about = "A game."
[dice.d4]
sides = 4
[dice.d8]
sides = 8
[sheet.skills]
title = "Skills"
high = 8
entries = { lift = "Lift", look = "Look" }
[sheet.tier]
title = "Tier"
default = 1
entries = { rank = "Rank" }
[action]
pool = { d4 = "1 if skill < 8 else 0", d8 = "1 if skill == 8 else 0" }
terms = { target = "skill + 4" }
figures = { best = { highest = 1 } }
shown = { target = "Target" }
[[action.asks]]
name = "skill"
label = "With what?"
entry = "skills"
[[outcome]]
key = "done"
words = "Done."
"""


def test_entry_without_a_number_shows_its_dice(write: Callable[[str], str]) -> None:
    """An entry at 0 has its dice where others have other ones, and each the number that it sets."""
    system = systems.get(write(VARIANTS))
    table = perform(read("table variants\nseat gm side=gm\nseat ann pash: lift=0 look=8\n")).table
    found = rolls_of_sheet(system, table, table.seats["ann"], "pash", {})
    assert [("lift", {"d4": 1}, "Target 4"), ("look", {"d8": 1}, "Target 12")] == [
        (one.entry, dict(one.pool), one.text) for one in found
    ]
    (sheet,) = (one for one in system.panels if one.kind == "sheet")
    assert {"beside": ("tier",)} == dict(sheet.binds)


GEAR = (
    head("gear")
    + """
[trait.gear]
word = "Gear"
of = "character"
sheet = true
[action]
pool = { d6 = 1 }
figures = { best = { highest = 1 } }
shown = { target = "Target" }
[action.terms]
target = "traits(gear)"
[[outcome]]
key = "done"
words = "It is done."
"""
)


def test_statement_on_a_sheet_counts_before_it_is_shown() -> None:
    """Players are sent an NPC's gear once it is shown; an action in the open counts it before."""
    table = sit(compiled(GEAR).system)
    table.make("mona", "character.add", {"name": "Vey"})
    for who, text in (("vey", "Hooked knife"), ("kit", "Lantern")):
        table.make("mona", "move.gear_new", {"whom": who, "text": text})
    table.make("mona", "check.declare", {"as": "vey"})
    [check] = table.seen("ann").checks.values()
    assert 1 == check.terms["target"]
    for shown in ({"Lantern"}, {"Hooked knife", "Lantern"}):
        assert shown == {trait.text for trait in table.seen("ann").traits.values()}
        assert shown == {"Lantern"} or "Hooked knife" in repr(table.log("ann"))
        if shown == {"Lantern"}:
            assert "Hooked knife" not in repr(table.log("ann"))
            table.make("mona", "character.show", {"who": "vey", "what": "Hooked knife"})
    of_scene = GEAR.replace('of = "character"', 'of = "scene"')
    assert "gamefile.silent.idle.sheet" in [one.what.key for one in mistakes(of_scene)]


def test_statement_on_an_unread_sheet_opens_no_move() -> None:
    """Where an NPC alone has gear that players do not read, no move of theirs is open for it."""
    table = sit(compiled(GEAR.replace("sheet = true", 'sheet = true\nby = "player"')).system)
    table.make("mona", "character.add", {"name": "Vey"})
    table.make("mona", "move.gear_new", {"whom": "vey", "text": "Hooked knife"})
    ends = [one for one in table.offers("ann") if one.key == "move.gear_end"]
    assert ["only_if"] == [one.closed.code for one in ends if one.closed]
    table.make("mona", "character.show", {"who": "vey", "what": "Hooked knife"})
    assert table.offer("ann", "move.gear_end").closed is None


def test_answers_have_the_numbers_of_the_sheet(added: Add) -> None:
    """A question for an entry of the sheet shows the actor's number with each."""
    table = sit(systems.get(added("sump")))
    table.make("ann", "character.set", {"who": "kit", "sheet": "body=4"})
    declare = next(one for one in table.offers("ann") if one.key == "check.declare")
    asked = next(one for one in declare.asks if one.name == "attribute")
    assert [("Body", "4"), ("Nerve", "2")] == [(one.label, one.note) for one in asked.choices][:2]
