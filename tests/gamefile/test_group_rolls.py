"""One roll of a whole group: characters who join an action before its roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.cli.reference import reference
from storypool.engine import rules as r
from storypool.engine.bag import Bag
from storypool.engine.story import transcript
from storypool.gamefile.authoring.rule_changes import rule_changes
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.play import Performance, perform, read
from storypool.systems import game_stakes
from tests.gamefile.conftest import Write, head, mistakes

CREEP = (
    head("creep")
    + """
shows = { hits = "face >= 4" }
[sheet.ways]
title = "Ways"
high = 6
entries = { sneak = "Sneak", climb = "Climb" }
[points.breath]
of = "character"
word = "breath"
start = 2
[points.noise]
of = "gm"
[action]
title = "Creep in"
asks = [
  { name = "with", label = "How?", entry = "ways" },
  { name = "dark", label = "How dark is it?", number = [0, 3], default = 0, whose = "gm" },
]
terms = { lead = "best(with) + dark", slow = "lowest(sneak)", lungs = "sum(breath)" }
pool = { d6 = "1 + joined" }
counts = { over = "hits * 2 - joined - 1 + lead" }
shown = { lead = "The best of you", slow = "The slowest of you", lungs = "Breath" }
[action.together]
title = "Come along"
only = "sneak > 0"
unless = "You cannot sneak."
price = { breath = 1 }
most = 2
[[outcome]]
key = "in"
when = "over >= slow + 4"
words = "You are in."
passed = true
[[outcome]]
key = "out"
words = "You are seen."
passed = false
[[move]]
key = "cover"
title = "Cover them"
who = "joined"
when = "after the roll"
limit = "once an action"
do = [{ gain = "noise" }, { symbol = "hits" }]
[[move]]
key = "hush"
title = "Hush"
who = "actor"
when = "after the roll"
do = [{ gain = "noise", n = "best(sneak)" }]
"""
)
SEATED = """table creep
seat mona side=gm
seat ann ilse: sneak=1 climb=4
seat bo marek: sneak=3 climb=2
seat cy vesna: sneak=2 climb=5
seat di pavel:
"""


def played(system: str, *lines: str, opening: str = "") -> Performance:
    """A play of these lines, after Ilse has declared that she climbs in."""
    declared = ("mona session.begin", "ann check.declare as=ilse with=climb", "mona check.agree")
    text = SEATED + opening + "\n".join((*declared, *lines))
    return perform(read(text, "creep"), lambda key, language: systems.get(system))


def numbers(play: Performance) -> tuple[object, ...]:
    """The terms of the one action, and its dice."""
    (check,) = play.table.checks.values()
    return *(check.terms[name] for name in ("joined", "lead", "slow", "lungs")), check.pool["d6"]


JOINS = ("bo move.join => marek.breath 1", "cy move.join => vesna.breath 1")


def test_group_is_read_as_it_joins(write: Write) -> None:
    """Terms and dice read all who have joined, and those who step back get their price back."""
    key = write(CREEP)
    assert numbers(played(key)) == (0, 4, 1, 2, 1)
    assert numbers(played(key, JOINS[0])) == (1, 4, 1, 3, 2)
    assert numbers(played(key, *JOINS)) == (2, 5, 1, 4, 3)
    left = played(key, *JOINS, "bo check.leave => marek.breath 2")
    assert numbers(left) == (1, 5, 1, 3, 2)
    again = played(key, *JOINS, "cy check.leave", "bo check.leave", JOINS[1])
    assert numbers(again) == (1, 5, 1, 3, 2)
    assert numbers(played(key, *JOINS, "cy check.leave", "mona table.undo")) == (2, 5, 1, 4, 3)
    assert numbers(played(key, *JOINS, "mona table.undo")) == (1, 4, 1, 3, 2)


def test_who_can_join(write: Write) -> None:
    """Not the actor, nobody twice, none without the number, and no more than there is room for."""
    played(
        write(CREEP.replace("most = 2", "most = 1")),
        "ann move.join => refused: only_if",
        "di move.join => refused: only_if",
        "bo check.leave => refused: only_if",
        JOINS[0],
        "bo move.join => refused: only_if",
        "cy move.join => refused: only_if",
        "mona check.decide dark=2 => marek.breath 2",
        "cy move.join => vesna.breath 1",
        "ann check.cancel => vesna.breath 2",
    )


def test_joined_move_after_the_roll(write: Write) -> None:
    """Those who joined can make their moves after the roll; the stage and the log name them."""
    play = played(
        write(CREEP),
        *JOINS,
        "bo check.close => refused: when",
        "ann check.roll dice 1 1 5 => failed, waits bo move.cover, waits ann move.hush check.close",
        "di move.cover => refused: only_if",
        "bo check.close => refused: only_if",
        "cy move.cover => passed, noise 1",
        "ann move.hush => noise 4",
        "ann check.close",
    )
    sentences = transcript(play.records, play.system)
    assert "marek joins." in sentences
    assert "vesna joins." in sentences
    (check,) = played(play.system.key, *JOINS).table.checks.values()
    [panel] = [one for one in play.system.panels if isinstance(one, r.TermsPanel)]
    named = [check.terms.get(name) for name in panel.terms]
    assert [one for one in named if one] == ["climb", "marek", "vesna"]


@pytest.mark.parametrize("n", range(3))
def test_odds_of_a_group(write: Write, n: int) -> None:
    """The chance of a group is that of every combination of its dice."""
    key, sneaks, climbs = write(CREEP), (1, 3, 2)[: n + 1], (4, 2, 5)[: n + 1]
    play = played(key, *JOINS[:n])
    (check,) = play.table.checks.values()
    found = game_stakes.stakes(key)
    assert found is not None
    question = found.question(play.table, check)
    assert question is not None
    rolls = list(product(range(1, 7), repeat=n + 1))
    passed = 0
    for roll in rolls:
        hits = sum(face >= 4 for face in roll)
        passed += hits * 2 - (n + 1) + max(climbs) >= min(sneaks) + 4
    assert compiled(CREEP).reckon(question).outcomes["pass"] == Fraction(passed, len(rolls))


@pytest.mark.parametrize(("n", "hits"), [(0, 1), (2, 2)])
def test_odds_without_a_table(n: int, hits: int) -> None:
    """Without a table one acts alone, or with as many as are named."""
    given = {"joined": str(n), "lead": "4", "slow": "1"}
    found = compiled(CREEP).reckon(Question(Bag(d6=2), given))
    rolls = product(range(1, 7), repeat=2)
    passed = sum(sum(face >= 4 for face in roll) >= hits for roll in rolls)
    assert found.outcomes["pass"] == Fraction(passed, 36)


def test_each_rolls_a_die_of_their_own(write: Write) -> None:
    """Each who joins adds the die of their own number, which leaves with them."""
    text = CREEP.replace('pool = { d6 = "1 + joined" }', 'sized = ["sneak"]')
    text = text.replace("most = 2", 'add = "sneak"').replace("[dice.d6]\nsides = 6", DICE)
    key = write(text)
    (check,) = played(key, *JOINS).table.checks.values()
    assert dict(check.pool.items()) == {"d3": 1, "d2": 1}
    (check,) = played(key, *JOINS, "bo check.leave").table.checks.values()
    assert dict(check.pool.items()) == {"d2": 1}
    (check,) = played(key, *JOINS, "mona check.decide dark=1").table.checks.values()
    assert not check.pool


DASH = """[[action]]
key = "dash"
title = "Dash"
pool = { d6 = 2 }
terms = { fast = "best(sneak) + joined" }
counts = { run = "hits + fast" }
together = { title = "Run too", add = "d6" }
[[outcome]]
key = "in\""""


def test_each_action_has_its_own_group(write: Write) -> None:
    """Of several actions each has its own way to join; one leaves whichever is open."""
    text = CREEP.replace("[action]", '[[action]]\nkey = "creep"')
    text = text.replace("over >= slow + 4", "hits").replace('[[outcome]]\nkey = "in"', DASH)
    play = played(
        write(text),
        "bo move.join_dash => refused: when",
        "bo move.join_creep",
        "ann check.cancel => marek.breath 2",
        "ann action.dash as=ilse",
        'bo move.join_dash => pool "3 d6"',
        'cy move.join_dash => pool "4 d6"',
        'cy check.leave => pool "3 d6"',
    )
    (check,) = play.table.checks.values()
    assert check.terms["fast"] == 4


DICE = """[dice.d3]
sides = 3
[dice.d2]
sides = 2
[dice.d6]
sides = 6"""


def test_hidden_group(write: Write) -> None:
    """NPCs act together in a hidden action, and no player reads anything."""
    play = played(
        write(CREEP.replace("price = { breath = 1 }\n", "")),
        "ann check.cancel",
        "mona check.declare as=wren with=sneak secret=yes",
        "bo move.join => refused: when",
        "mona move.join as=finch",
        "mona check.roll dice 6 6 => passed",
        "mona check.close",
        "ann not finch",
        "bo not joins",
        opening="seat mona wren: secret=yes sneak=2\nseat mona finch: secret=yes sneak=4\n",
    )
    assert "finch joins." in transcript(play.records, play.system)


@pytest.mark.parametrize(
    ("of", "instead", "what"),
    [
        ("most = 2", "most = 12", "1 to 9"),
        ("price = { breath = 1 }", "price = { noise = 1 }", "cannot come back"),
        ('key = "hush"', 'key = "join"', "take another key"),
        (
            'who = "joined"\nwhen = "after the roll"',
            'who = "joined"\nwhen = "any time"',
            "acts in the action",
        ),
        ("best(with)", "best(hits)", "no “hits” here"),
        ("lowest(sneak)", "lowest(sneak) + joint", "did you mean “joined”"),
        ("over >= slow + 4", "over >= lowest(sneak)", "make it a term"),
        ('{ symbol = "hits" }', '{ shift = "joined" }', "counts those who have joined"),
        ("[action.together]", "[action.together]\nsize = 2", "size"),
    ],
)
def test_mistakes_of_a_group(of: str, instead: str, what: str) -> None:
    """Bounds, prices and names without an effect are mistakes at their lines."""
    assert of in CREEP
    [mistake] = mistakes(CREEP.replace(of, instead))
    assert what in str(mistake.what)


def test_group_needs_an_action_to_join() -> None:
    """Reading a group is a mistake where nobody can join."""
    start, end = CREEP.index("[action.together]"), CREEP.index("[[outcome]]")
    found = {str(one.what) for one in mistakes(CREEP[:start] + CREEP[end:])}
    assert len(found) == 1
    assert "[action.together]" in found.pop()


def test_newer_group_is_described() -> None:
    """The differences of a newer text name a change of who joins."""
    old, new = (compiled(text) for text in (CREEP, CREEP.replace("most = 2", "most = 3")))
    assert rule_changes(old.game, new.game, new.system.words) == (
        "How others join an action is different.",
    )


def test_reference_has_the_group_in_words(write: Write) -> None:
    """The reference says how the group is read, and has the move with which others join."""
    text = reference(systems.get(write(CREEP)))
    assert "the highest “How?” of all who act plus “How dark is it?”" in text
    assert "| Come along | anybody, before the roll | 1 breath |" in text
