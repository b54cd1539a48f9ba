"""Every name that a game file accepts has a value there; others are mistakes at their lines."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine import rules as r
from storypool.gamefile import Unread
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.systems import game_files
from tests.gamefile.conftest import Write, head, mistakes, sit

GAME = (
    head("ledger")
    + """
shows = { hit = "face >= 5" }
[sheet.stats]
title = "Stats"
low = -1
high = 5
default = 1
entries = { edge = "Edge", iron = "Iron" }
[points.stress]
of = "character"
cap = 9
[points.doom]
of = "gm"
cap = 9
[trait.harm]
word = "Harm"
of = "character"
[trait.clock]
word = "Clock"
goal = [4, 6]
[option.mood]
title = "How grim is it?"
values = { mild = "Mild", grim = "Grim" }
[action]
pool = { d6 = "stat + sharp + (mood == 'grim')" }
figures = { best = { highest = 1 } }
[action.terms]
sharp = "1 if stat == 'edge' else 0"
[action.counts]
margin = "hit - need"
lead = "margin + 1"
[[action.asks]]
name = "stat"
label = "With what?"
entry = "stats"
[[action.asks]]
name = "need"
label = "How hard?"
number = [0, 3]
[[action.asks]]
name = "kind"
label = "What is it?"
choices = { fight = "A fight", talk = "A talk" }
[[action.asks]]
name = "size"
label = "How large?"
choices = { 4 = "Four", 6 = "Six" }
default = "4"
[[action.asks]]
name = "foe"
label = "Against whom?"
character = "any"
needed = false
[[action.asks]]
name = "how"
label = "How?"
text = true
needed = false
[[outcome]]
key = "done"
when = "margin >= 0 and sharp < 2"
words = "Done."
passed = true
[[outcome]]
key = "missed"
words = "Missed."
passed = false
[[move]]
key = "push"
title = "Push"
who = "actor"
when = "before the roll"
only = "stress < 9"
asks = [{ name = "what", label = "What?", choices = { a = "A", b = "B" }, default = "a" }]
price = { stress = "1 if what == 'a' else 2" }
do = [{ add = "d6" }]
[[move]]
key = "count"
title = "Count"
who = "gm"
only = "doom < 9"
do = [{ gain = "doom", n = "1" }]
[[move]]
key = "watch"
title = "Watch"
who = "gm"
when = "after the roll"
do = [{ when = "outcome == 'missed' and stat == 'iron'", gain = "doom" }]
[[whenever]]
on = "scene begins"
when = "doom < 5"
do = [{ gain = "stress", of = "each", n = "1" }]
[[effects.fright]]
at = 1
words = "You shake."
do = [{ gain = "doom" }]
[[move]]
key = "fear"
title = "Be afraid"
do = [{ consult = "fright", n = "doom" }]
[[character]]
name = "Ada"
sheet = { edge = 2 }
"""
)
PUSH = 'only = "stress < 9"'
COUNT = 'only = "doom < 9"'
NEED = "number = [0, 3]"
SCENE = 'when = "doom < 5"'


def test_base_of_these_tests_is_a_game() -> None:
    """Each test below changes one line of it."""
    assert compiled(GAME).system.key == "ledger"


@pytest.mark.parametrize(
    ("of", "instead", "what"),
    [
        ("hit - need", "hit - doom", "“doom” is points; points can be read in “terms”"),
        ("hit - need", "hit - edge", "“edge” is a number of the sheet"),
        ("hit - need", "hit - (mood == 'grim')", "“mood” is a house rule"),
        ("hit - need", "hit - (side == 'gm')", "“side” is known at a table"),
        ("hit - need", "hit - (stat == 'edge')", "make it a term"),
        ("hit - need", "hit - foe.edge", "make it a term"),
        ("hit - need", "hit - foe", "“foe” is a character, which is no number"),
        ("hit - need", "hit - how", "“how” is words, which are no number"),
        ("hit - need", "hit - kind", "“kind” is one of fight, talk, and no number"),
        ("hit - need", "lead - need", "“lead” is counted later"),
        ("hit - need", "margin - need", "“margin” cannot follow from itself"),
        ("hit - need", "hit % (3 - 3)", "divides by 0"),
        ("hit - need", "hit + 'high'", "“high” is a text, which is no number"),
        ("hit - need", "hit - traits(harm)", "must not depend on the table"),
        ("sharp < 2", "doom < 2", "not in “outcome.when”"),
        ("sharp < 2", "outcome != 'x'", "“outcome” is what a roll comes to"),
        ("sharp < 2", "sharp != 'x'", "“sharp” is a number, which is never “x”"),
        ("sharp < 2", "kind == 'flight'", "“flight” is not one of the answers"),
        ("sharp < 2", "kind > 1", "compare it, as in kind == 'fight'"),
        ('shows = { hit = "face >= 5" }', 'shows = { hit = "face >= doom" }', "not in “shows”"),
        (
            'shows = { hit = "face >= 5" }',
            'shows = { hit = "face >= dice(d6)" }',
            "let the die show",
        ),
        ("1 if stat == 'edge' else 0", "best", "“best” is read off the dice"),
        ("1 if stat == 'edge' else 0", "dice(d6)", "not in “terms”"),
        ("1 if stat == 'edge' else 0", "1 if stat == 'egde' else 0", "“egde” is not one"),
        ("1 if stat == 'edge' else 0", "1 if foe == 'Bo' else 0", "written foe != ''"),
        ("1 if stat == 'edge' else 0", "kind", "“kind” is one of fight, talk"),
        ("1 if stat == 'edge' else 0", "'two' if stat == 'edge' else 0", "“two” is a text"),
        ("1 if stat == 'edge' else 0", "foe.grit", "There is no “grit” here; there are edge, iron"),
        ("1 if stat == 'edge' else 0", "foe.stress", "read as in foe.points(stress)"),
        (
            "1 if stat == 'edge' else 0",
            "foe.points(doom)",
            "There is no “doom” here; there are str",
        ),
        (
            "1 if stat == 'edge' else 0",
            "foe.traits(clock)",
            "There is no “clock” here; there are harm",
        ),
        ("1 if stat == 'edge' else 0", "stat.edge", "“stat” means no character"),
        ("1 if stat == 'edge' else 0", "who.edge", "There is no “who” here; there are foe"),
        (PUSH, 'only = "best < 6"', "by moves after the roll"),
        (PUSH, 'only = "shows(d6, 6) > 0"', "counted by moves after the roll"),
        (PUSH, "only = \"what == 'a'\"", "asked after “only” is decided"),
        (COUNT, 'only = "need < 2"', "“need” is a question of the action"),
        (COUNT, 'only = "sharp < 2"', "“sharp” is a term of the action"),
        (COUNT, "only = \"outcome == 'done'\"", "not in “only”"),
        (COUNT, 'only = "dice(d6) < 2"', "The dice of an action are counted by"),
        (COUNT, "only = \"mood == 'grimm'\"", "“grimm” is not one of the answers"),
        (COUNT, 'only = "mood > 1"', "“mood” is one of mild, grim"),
        (COUNT, 'only = "side > 1"', "“side” is one of players, gm"),
        ('gain = "doom", n = "1"', 'gain = "doom", n = "foe.edge"', "“foe” is a question of the"),
        ("outcome == 'missed' and", "outcome == 'mised' and", "“mised” is not one of the answers"),
        ("outcome == 'missed' and", "outcome > 1 and", "“outcome” is one of done, missed"),
        (
            SCENE,
            'when = "stress < 5"',
            "“stress” is a character's, and “whenever.when” is about no",
        ),
        (SCENE, 'when = "traits(harm) < 5"', "“traits(harm)” is a character's"),
        (SCENE, 'when = "need < 5"', "“need” is a question of the action"),
        ('gain = "stress", of = "each"', 'gain = "stress"', "“gain” needs a character"),
        ('gain = "stress", of = "each"', 'make = "harm", of = "actor"', "“make” needs a character"),
        (
            'do = [{ gain = "doom" }]\n[[move]]',
            'do = [{ gain = "doom", n = "best" }]\n[[move]]',
            "“best” is read off the dice",
        ),
        ("cap = 9\n[points.doom]", 'cap = "dice(d6)"\n[points.doom]', "not in “cap”"),
        ('of = "gm"\ncap = 9', 'of = "gm"\ncap = "edge"', "“edge” is a character's"),
        ('of = "gm"\ncap = 9', 'of = "gm"\nstart = "dice(d6)"', "not in “start”"),
        ("cap = 9\n[points.doom]", 'start = "doom"\n[points.doom]', "“doom” starts later"),
        (
            "cap = 9\n[points.doom]",
            'cap = 9\nstart = "9 + edge"\n[points.doom]',
            "A new character would",
        ),
        (
            "cap = 9\n[points.doom]",
            'cap = 5\nstart = "2 * edge + 2"\n[points.doom]',
            "Ada would start with 6",
        ),
        ('consult = "fright", n = "doom"', 'gain = "doom"', "No move consults “fright”"),
        ("stat + sharp + (mood == 'grim')", "stat + sharp", "Nothing depends on “mood”"),
        ('key = "missed"', 'key = "done"', "the name of two things"),
        ('key = "missed"', 'key = "missed"\nwhen = "hit < 9"', "leave its “when” out"),
        ('when = "margin >= 0 and sharp < 2"\n', "", "No roll comes to this"),
        (
            'add = "d6" }]',
            'add = "d6" }, { make = "clock", text = "A", goal = 5 }]',
            "no 5 segments",
        ),
        (
            'add = "d6" }]',
            'add = "d6" }, { make = "clock", text = "A", goal = "kind" }]',
            "no fight seg",
        ),
        (
            'add = "d6" }]',
            'add = "d6" }, { make = "harm", text = "A", goal = 4 }]',
            "“harm” is no clock",
        ),
        (
            'only = "doom < 9"\ndo = [{ gain = "doom", n = "1" }]',
            'when = "any time"\ndo = [{ add = "d6" }, { again = "face < 6" }]',
            "“add” changes a pool before its roll, so one of the two does nothing",
        ),
        ("[action]\n", '[action]\nsized = "kind"\n', "“kind” is one of fight, talk"),
        (
            "[points.doom]",
            "[points.players]\nof = 'gm'\n[points.doom]",
            "“players” has a meaning",
        ),
    ],
)
def test_name_without_a_value_is_a_mistake(of: str, instead: str, what: str) -> None:
    """The sentence names the kind of thing, and where it can be read."""
    assert GAME.count(of) >= 1
    found = mistakes(GAME.replace(of, instead, 1))
    assert any(what in str(one.what) for one in found), found


def test_mistake_is_at_its_line() -> None:
    """A table of effects is checked for the moves that consult it, at its own line."""
    text = GAME.replace('do = [{ gain = "doom" }]\n[[move]]', 'do = [{ gain = "dom" }]\n[[move]]')
    (wrong,) = mistakes(text)
    assert 'do = [{ gain = "dom" }]' == text.splitlines()[wrong.line - 1]


@pytest.mark.parametrize(
    ("entry", "dice", "doom"),
    [("edge", 3, 0), ("iron", 1, 1)],
)
def test_question_for_an_entry_is_compared_by_its_key(
    write: Write, entry: str, dice: int, doom: int
) -> None:
    """As a number it is the rating; compared with a text it is which entry was chosen."""
    table = sit(systems.get(write(GAME)))
    table.make("ann", "character.set", {"who": "kit", "sheet": {"edge": 2}})
    table.make("ann", "check.declare", {"as": "kit", "stat": entry, "kind": "talk", "need": 3})
    (check,) = table.state.checks.values()
    assert dice == check.pool.total
    table.make("ann", "check.roll", {"faces": (1,) * dice})
    table.make("mona", "move.watch")
    assert doom == table.state.balance("doom")


def test_usual_answer_is_compared_by_its_key() -> None:
    """Without a table, the first entry is the answer of an unchanged form."""
    game = compiled(GAME)
    assert 2 == game.usual_pool.total
    assert "1" == game.reckon(Question(game.usual_pool)).assumed["sharp"]


def test_choice_that_is_a_number_equals_it(write: Write) -> None:
    """A choice of "6" is 6, and "-1" is a number below nought."""
    text = GAME.replace("sharp < 2", "size == 6 and size != 4").replace('4 = "Four"', '-1 = "Less"')
    text = text.replace('default = "4"', 'default = "-1"').replace(
        "hit - need", "hit - need + size"
    )
    table = sit(systems.get(write(text)))
    given = {"as": "kit", "stat": "edge", "kind": "talk", "need": 0}
    for size, passed in (("6", True), ("-1", False)):
        table.make("ann", "check.declare", {**given, "size": size})
        table.make("ann", "check.roll", {"faces": (5, 5)})
        (check,) = table.state.checks.values()
        assert check.outcome is not None
        assert (passed, 2 + int(size)) == (check.outcome.passed, check.outcome.net["margin"])
        table.make("mona", "check.close")


def test_again_counts_dice_at_the_table(write: Write) -> None:
    """The dice of the pool are counted where the roll is made, not once for all tables."""
    text = GAME + (
        '[[move]]\nkey = "redo"\ntitle = "Redo"\nwho = "actor"\nwhen = "after the roll"\n'
        'do = [{ again = "face < dice(d6)" }]\n'
    )
    table = sit(systems.get(write(text)))
    table.make("ann", "check.declare", {"as": "kit", "stat": "edge", "kind": "talk", "need": 0})
    table.make("ann", "check.roll", {"faces": (1, 5)})
    table.make("ann", "move.redo", {"faces": (6,)})
    (check,) = table.state.checks.values()
    assert [5, 6] == sorted(one.face for one in check.rolled)


def test_statements_are_those_of_the_mover(write: Write) -> None:
    """A condition that counts statements about a character asks for one."""
    text = GAME.replace(
        'who = "gm"\nonly = "doom < 9"', 'who = "player"\nonly = "traits(harm) > 0"'
    )
    table = sit(systems.get(write(text)))
    assert table.offer("ann", "move.count").closed
    table.make("mona", "move.harm_new", {"whom": "kit", "text": "A cut"})
    table.make("ann", "move.count")
    assert 1 == table.state.balance("doom")


def test_term_is_read_while_it_is_declared(write: Write) -> None:
    """The default of a question may be a term, which follows from the answers so far."""
    text = GAME.replace("number = [0, 3]\n", 'number = [0, 3]\ndefault = "2 * sharp"\n')
    table = sit(systems.get(write(text)))
    for entry, usual in (("edge", 2), ("iron", 0)):
        offer = table.offer("ann", "check.declare", {"as": "kit", "stat": entry})
        assert [usual] == [ask.default for ask in offer.asks if ask.name == "need"]


def test_gm_decides_by_the_answers_of_the_action(write: Write) -> None:
    """A question of the GM that depends on the player's answer reads it, not its default."""
    text = GAME.replace(
        "number = [0, 3]\n", 'number = [0, 3]\nwhose = "gm"\nwhen = "kind == \'talk\'"\n'
    ).replace('[[action.asks]]\nname = "need"', '[[action.asks]]\nname = "need"', 1)
    table = sit(systems.get(write(text)))
    table.make("ann", "check.declare", {"as": "kit", "stat": "edge", "kind": "talk"})
    assert "need" in [ask.name for ask in table.offer("mona", "check.decide").asks]


def test_kept_text_with_doubts_is_still_played() -> None:
    """A table that keeps a text of an earlier version plays by it; a new table reads why not."""
    text = GAME.replace("hit - need", "hit - need + 1 / 0").replace("sharp < 2", "doom < 2")
    with pytest.raises(Unread, match="divides by 0"):
        compiled(text)
    with pytest.raises(Unread, match="divides by 0"):
        game_files.kept(text)
    assert game_files.kept(text, before=True).startswith("ledger-")


def test_sheet_shows_the_dice_of_each_entry(write: Write) -> None:
    """Dice that depend on which entry is chosen are those of that entry, whatever its number."""
    table = sit(systems.get(write(GAME)))
    kit, seat = table.state.characters["kit"], table.state.seats["ann"]
    turn = r.Turn(table.system, table.state, seat, "", title="", rule="")
    rolls = {one.entry: one.pool.total for one in table.system.sheet_rolls(turn, kit)}
    assert {"edge": 2, "iron": 1} == rolls
