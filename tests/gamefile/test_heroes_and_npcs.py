"""Rows of a game file that differ for the characters of players and for NPCs: `hero`."""

from __future__ import annotations

import pytest

from storypool.engine.bag import Bag
from storypool.gamefile.authoring.completion import completion
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed

BONUS = "bonus = \"1 if with.kind == 'ally' else 0\""
SHOVE = """
[[move]]
key = "shove"
title = "Shove somebody"
who = "anybody"
asks = [{ name = "foe", label = "Whom?", character = "any" }]
do = [
    { when = "foe.hero", gain = "coin", of = "foe", n = 2 },
    { when = "not foe.hero", gain = "coin", of = "foe", n = "3 if hero else 5" },
]
"""


def table_of(text: str) -> LocalTable:
    """A table with Kit, who is Ann's, and with Ruhan and Vey, guards of the GM's."""
    table = sit(compiled(text).system)
    for name in ("Ruhan", "Vey"):
        table.make("mona", "npc.bring", {"kind": "guard", "name": name})
    return table


def test_row_differs_for_npcs() -> None:
    """It reads it of the character who makes the move, and of the one whom a question means."""
    table = table_of(HARBOUR + SHOVE)
    table.make("ann", "move.shove", {"foe": "ruhan"})
    table.make("mona", "move.shove", {"as": "ruhan", "foe": "vey"})
    table.make("mona", "move.shove", {"as": "ruhan", "foe": "kit"})
    assert {"ruhan": 3, "vey": 5, "kit": 2} == {
        one: table.state.balance("coin", one) for one in ("ruhan", "vey", "kit")
    }
    table.make("mona", "character.give", {"who": "vey", "seat": "ann"})
    table.make("mona", "move.shove", {"as": "ruhan", "foe": "vey"})
    assert 7 == table.state.balance("coin", "vey")


def test_action_reads_its_actor() -> None:
    """A term of an action differs for an NPC, and so do what follows and when it is declared."""
    text = changed(BONUS, 'bonus = "2 if hero else 0"').replace(
        "[action]\n", '[action]\nonly = "hero or haul > 1"\n'
    )
    text += '[[whenever]]\non = "rolled"\nwhen = "not hero"\ndo = [{ gain = "dread" }]\n'
    table = table_of(text)
    before = table.state.balance("dread")
    for seat, who, bonus, dread in (("ann", "kit", 2, 0), ("mona", "vey", 0, 1)):
        table.make(seat, "check.declare", {"as": who, "skill": "haul"})
        [check] = table.state.checks.values()
        assert bonus == check.terms["bonus"]
        table.make(seat, "check.roll", {"faces": [3] * check.pool.total})
        assert before + dread == table.state.balance("dread")
        table.make(seat, "check.close")


def test_odds_without_a_table_are_those_of_a_hero() -> None:
    """A new character is a player's, so its terms are; another value is given as the term."""
    game = compiled(changed(BONUS, 'bonus = "2 if hero else 0"'))
    chances = [
        game.reckon(Question(Bag(d6=1), terms)).outcomes["done"]
        for terms in ({}, {"bonus": "2"}, {"bonus": "0"})
    ]
    assert chances[0] == chances[1] > chances[2]


@pytest.mark.parametrize("own", ["entry", "points", "term", "ask"])
def test_name_of_the_file_comes_first(own: str) -> None:
    """A file that calls something of its own so goes on as before."""
    text = {
        "entry": changed('pilot = "Pilot" }', 'pilot = "Pilot", hero = "Hero" }'),
        "points": HARBOUR + '[points.hero]\nof = "players"\nword = "hero"\nstart = 4\n',
        "term": changed(BONUS, f"{BONUS}, hero = 4"),
        "ask": HARBOUR,
    }[own]
    asks = 'asks = [{ name = "hero", label = "How many?", number = [4, 5] }]\n'
    text += '[[move]]\nkey = "count"\ntitle = "Count"\nwho = "player"\nwhen = "any time"\n'
    text += (asks if own == "ask" else "") + 'do = [{ gain = "coin", of = "each", n = "hero" }]\n'
    table = table_of(text)
    if own == "term":
        table.make("ann", "check.declare", {"as": "kit", "skill": "pilot"})
    table.make("ann", "move.count")
    assert {"entry": 1}.get(own, 4) == table.state.balance("coin", "kit")
    asked = [one.name for one in table.offer("ann", "move.count").asks]
    assert {"entry": ["as"], "ask": ["hero"]}.get(own, []) == asked


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('when = "total >= 5"', 'when = "hero"', "“hero” is known at a table only"),
        ('cap = "3 * players"', 'cap = "3 * hero"', "“hero” is known at a table only"),
        (BONUS, "bonus = \"1 if hero == 'yes' else 0\"", "“hero” is a number, which is never"),
        (BONUS, "bonus = \"1 if with.hero == 'yes' else 0\"", "“with.hero” is a number, which"),
        (BONUS, 'bonus = "skill.hero"', "“skill” means no character"),
        (BONUS, 'bonus = "with.heroes"', "did you mean “hero”?"),
    ],
)
def test_wrong_readings_are_refused(old: str, new: str, why: str) -> None:
    """It is a number of a character at a table."""
    text = changed(old, new)
    found = {one.line: str(one.what) for one in mistakes(text)}
    line = next(n for n, one in enumerate(text.split("\n"), 1) if new in one)
    assert why in found[line]


def test_event_without_a_character_has_no_hero() -> None:
    """Nobody acts where a scene begins; each of the players' characters is one."""
    row = '[[whenever]]\non = "scene begins"\ndo = [{{ when = "hero", gain = "coin", {} }}]\n'
    [wrong, *_] = mistakes(HARBOUR + row.format('of = "actor"'))
    assert "“hero” is a character's" in str(wrong.what)
    table = table_of(HARBOUR + row.format('of = "each"'))
    table.make("mona", "scene.begin")
    assert 1 == table.state.balance("coin", "kit")


def test_hero_is_completed_and_put_into_words() -> None:
    """The workshop offers it with its meaning, and the reference has a sentence for it."""
    before, after = (HARBOUR + SHOVE).replace("not foe.hero", "not foe.|").split("|")
    found = {one.name: str(one.about) for one in completion(before, after).known}
    assert "Whether the character is a player's: 1, or 0 for an NPC." == found["hero"]
    before, after = changed(BONUS, 'bonus = "he|"').split("|")
    assert "hero" in {one.name for one in completion(before, after).known}
    moves = {
        row[0]: row[3]
        for note in compiled(HARBOUR + SHOVE).system.notes
        for row in note.rows
        if len(row) == 4
    }
    assert (
        "Gain 2 coin of “Whom?”, if “Whom?” is a player's. Gain coin equal to 3 if the character"
        " is a player's, else 5 of “Whom?”, if “Whom?” is an NPC."
    ) == moves["Shove somebody"]
