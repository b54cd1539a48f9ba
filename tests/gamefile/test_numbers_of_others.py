"""Readings of the character whom a question means, and bounds that follow from the table."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.contract.checking import at_random
from storypool.contract.material import material
from storypool.engine.refusal import Refused
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import Write, head, mistakes, sit

GAME = (
    head("duel")
    + """
[sheet.stats]
title = "Stats"
low = -2
high = 6
default = 1
entries = { strike = "Strike", parry = "Parry" }
[points.wounds]
of = "character"
cap = 9
rises = true
[points.doom]
of = "gm"
start = "players"
cap = 20
[points.pool]
of = "players"
start = 9
cap = "6 + 2 * players"
[trait.hurt]
word = "Hurt"
of = "character"
[trait.grudge]
word = "Grudge"
of = "character"
hidden = true
[action]
pool = { d6 = "strike" }
figures = { best = { highest = 1 } }
shown = { target = "Target" }
[action.terms]
target = "foe.parry + foe.points(wounds) + 2 * foe.traits(hurt)"
[[action.asks]]
name = "foe"
label = "Whom?"
character = "any"
needed = false
[[action.asks]]
name = "effort"
label = "How hard?"
number = ["min(0, parry)", "parry + pool"]
default = "foe.parry"
[[outcome]]
key = "hit"
when = "best >= target"
words = "A hit."
passed = true
[[outcome]]
key = "miss"
words = "A miss."
passed = false
[[move]]
key = "press"
title = "Press on"
who = "actor"
when = "before the roll"
only = "foe.parry > 1 and effort < 9"
unless = "They are open already."
price = { pool = "foe.parry" }
do = [{ add = "d6", n = "foe.traits(hurt) + 1" }]
[[move]]
key = "mock"
title = "Mock"
who = "player"
asks = [{ name = "whom", label = "Whom?", character = "other" }]
do = [{ gain = "doom", n = "whom.parry", when = "whom.points(wounds) < 2" }]
[[move]]
key = "tell"
title = "Tell"
who = "gm"
asks = [
  { name = "whom", label = "Of whom?", character = "any" },
  { name = "n", label = "How many?", number = [1, "whom.parry"] },
]
do = [{ gain = "doom", n = "n" }]
[[move]]
key = "settle"
title = "Settle"
who = "gm"
asks = [{ name = "which", label = "Which?", trait = "hurt" }]
do = [{ gain = "doom", n = "which.parry" }]
[[whenever]]
on = "closed"
when = "foe.parry > 2"
do = [{ gain = "doom", n = "foe.parry" }]
[[whenever]]
on = "rolled"
when = "outcome == 'hit'"
do = [{ gain = "wounds", of = "foe" }]
[[npc]]
key = "guard"
name = "A guard"
sheet = { parry = 3 }
"""
)


@pytest.fixture
def duel(write: Write) -> LocalTable:
    """A table where Ann plays Kit, and the GM has a guard, whose numbers no player reads."""
    table = sit(systems.get(write(GAME)))
    table.make("ann", "character.set", {"who": "kit", "sheet": {"strike": 2, "parry": 2}})
    table.make("mona", "npc.bring", {"kind": "guard", "name": "Bo"})
    return table


def bring(table: LocalTable, name: str = "Vey") -> None:
    """Bring in a hidden guard of this name."""
    table.make("mona", "npc.bring", {"kind": "guard", "name": name, "secret": True})


def test_term_reads_what_a_question_means(duel: LocalTable) -> None:
    """An entry of the sheet, points and statements of the other one make the target."""
    duel.make("mona", "move.hurt_new", {"whom": "bo", "text": "A cut"})
    duel.make("mona", "points.correct", {"account": "bo.wounds", "to": 1, "why": "A fall"})
    duel.make("ann", "check.declare", {"as": "kit", "foe": "bo"})
    (check,) = duel.state.checks.values()
    assert (6, 3) == (check.terms["target"], check.terms["effort"])
    assert 3 not in duel.seen("ann").characters["bo"].sheet.values()


def test_open_question_reads_as_nought(duel: LocalTable) -> None:
    """Nobody is meant, so their numbers are 0, and what depends on them is closed."""
    duel.make("ann", "check.declare", {"as": "kit"})
    (check,) = duel.state.checks.values()
    assert (0, 0) == (check.terms["target"], check.terms["effort"])
    with pytest.raises(Refused, match="They are open already"):
        duel.make("ann", "move.press")


def test_condition_price_and_effect_read_others(duel: LocalTable) -> None:
    """A move of the action reads whom it is against, and is taken back with its price."""
    duel.make("ann", "check.declare", {"as": "kit", "foe": "bo"})
    before = duel.state.balance("pool")
    duel.make("ann", "move.press")
    (check,) = duel.state.checks.values()
    assert (3, before - 3) == (check.pool.total, duel.state.balance("pool"))
    duel.make("ann", "check.cancel")
    assert before == duel.state.balance("pool")


def test_consequence_reads_whom_the_action_meant(duel: LocalTable) -> None:
    """The consequences at the end of an action read the same character."""
    duel.make("ann", "check.declare", {"as": "kit", "foe": "bo"})
    duel.make("ann", "check.roll", {"faces": (1, 2)})
    before = duel.state.balance("doom")
    duel.make("ann", "check.close")
    assert before + 3 == duel.state.balance("doom")


def test_effect_is_on_whom_the_action_meant(duel: LocalTable) -> None:
    """A row of what follows a roll can be about the character whom its action names, or nobody."""
    for foe, wounds in (({"foe": "bo"}, 1), ({}, 1)):
        duel.make("ann", "check.declare", {"as": "kit", **foe})
        duel.make("ann", "check.roll", {"faces": (6, 2)})
        duel.make("ann", "check.close")
        assert wounds == duel.state.balance("wounds", "bo")


def test_move_reads_its_own_question(duel: LocalTable) -> None:
    """A question for a character, or for a statement about one, means that character."""
    before = duel.state.balance("doom")
    duel.make("ann", "move.mock", {"whom": "bo"})
    assert before + 3 == duel.state.balance("doom")
    duel.make("mona", "points.correct", {"account": "bo.wounds", "to": 2, "why": "A fall"})
    duel.make("ann", "move.mock", {"whom": "bo"})
    duel.make("mona", "move.hurt_new", {"whom": "bo", "text": "A cut"})
    duel.make("mona", "move.settle", {"which": "A cut"})
    assert before + 6 == duel.state.balance("doom")


def test_bounds_follow_from_the_table(duel: LocalTable) -> None:
    """The form shows the present bounds, and more is refused with them."""
    (ask,) = [
        one
        for one in duel.offer("ann", "check.declare", {"as": "kit"}).asks
        if one.low != 0 or one.name == "effort"
    ]
    assert ("effort", 0, 2 + duel.state.balance("pool")) == (ask.name, ask.low, ask.high)
    with pytest.raises(Refused, match=f"0 to {ask.high}"):
        duel.make("ann", "check.declare", {"as": "kit", "effort": ask.high + 1})
    duel.make("ann", "character.set", {"who": "kit", "sheet": {"parry": -2}})
    duel.make("ann", "check.declare", {"as": "kit", "effort": -2})
    duel.make("ann", "check.cancel")
    with pytest.raises(Refused, match="1 to 3"):
        duel.make("mona", "move.tell", {"whom": "bo", "n": 4})


def test_players_are_counted(duel: LocalTable) -> None:
    """Points can start with the number of players, and their cap follows who is here."""
    assert (1, 8) == (duel.state.balance("doom"), duel.state.balance("pool"))
    duel.sit("Cleo")
    duel.make("mona", "points.correct", {"account": "pool", "to": 10, "why": "More hands"})
    assert 10 == duel.state.balance("pool")
    duel.make("mona", "seat.remove", {"seat": "cleo"})
    duel.make("ann", "move.mock", {"whom": "bo"})
    assert 8 == duel.state.balance("pool")


def test_hidden_character_is_not_read_in_the_open(duel: LocalTable) -> None:
    """An open action cannot be against a hidden character, nor an open move read their numbers."""
    bring(duel)
    with pytest.raises(Refused, match="Vey is hidden from the players"):
        duel.make("mona", "check.declare", {"as": "bo", "foe": "vey"})
    with pytest.raises(Refused):
        duel.make("mona", "move.tell", {"whom": "vey", "n": 1})
    duel.make("mona", "check.declare", {"as": "bo", "foe": "vey", "secret": True})
    (check,) = duel.state.checks.values()
    assert 3 == check.terms["target"]
    assert not duel.seen("ann").checks


def test_hidden_statements_are_not_counted_in_the_open(duel: LocalTable) -> None:
    """A secret of the GM about a character changes nothing that everybody sees."""
    text = GAME.replace(
        'foe.traits(hurt)"\n[[action.asks]]', 'foe.traits(grudge)"\n[[action.asks]]'
    )
    table = sit(compiled(text).system)
    table.make("mona", "npc.bring", {"kind": "guard", "name": "Bo"})
    table.make("mona", "move.grudge_new", {"whom": "bo", "text": "A debt"})
    table.make("mona", "check.declare", {"as": "bo", "foe": "bo"})
    assert [3] == [one.terms["target"] for one in table.state.checks.values()]
    table.make("mona", "check.cancel")
    table.make("mona", "check.declare", {"as": "bo", "foe": "bo", "secret": True})
    assert [5] == [one.terms["target"] for one in table.state.checks.values()]


def test_nothing_hidden_shows_in_random_play(write: Write) -> None:
    """Hidden work between moves that read others changes nothing that players receive."""
    key = write(GAME)
    assert [] == [str(one) for one in at_random(systems.get(key), material(key), 1, 0)]


def test_odds_without_a_table_read_a_new_character() -> None:
    """A needed question means a new character there; an open one nobody."""
    game = compiled(GAME)
    assert "0" == game.reckon(_question(game)).assumed["target"]
    needed = compiled(GAME.replace("needed = false\n", "", 1))
    assert "1" == needed.reckon(_question(needed)).assumed["target"]


def _question(game: CompiledGame) -> Question:
    return Question(game.usual_pool)


@pytest.mark.parametrize(
    ("of", "instead", "what"),
    [
        ('number = [1, "whom.parry"]', 'number = [1, "who.parry"]', "did you mean “whom”?"),
        ('number = [1, "whom.parry"]', "number = [3, 1]", "from a lowest to a highest"),
        ('number = [1, "whom.parry"]', 'number = [1, "n"]', "“n” cannot follow from itself"),
        ('number = [1, "whom.parry"]', 'number = [1, "best"]', "“best” is read off the dice"),
        ('default = "foe.parry"', 'default = "target + effort"', "cannot follow from itself"),
        ("foe.parry + foe.points(wounds)", "target", "“target” cannot follow from itself"),
        ('start = "players"', 'start = "playes"', "did you mean “players”?"),
    ],
)
def test_wrong_bounds_are_mistakes(of: str, instead: str, what: str) -> None:
    """Each is described at its line."""
    assert GAME.count(of) == 1
    found = mistakes(GAME.replace(of, instead))
    assert any(what in str(one.what) for one in found), found
