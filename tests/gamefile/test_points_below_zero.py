"""Points that can be negative, and numbers of a file without effect."""

from __future__ import annotations

import pytest

from storypool import play, systems
from storypool.contract.checking import check
from storypool.engine.refusal import Refused
from storypool.play import LocalTable
from storypool.web.prints.printed_sheets import paper_page
from tests.gamefile.conftest import Write, head, mistakes, sit

DEBT = (
    head("debts")
    + """
[sheet.skills]
title = "Skills"
low = -2
high = 4
default = 1
entries = { grit = "Grit" }
[points.momentum]
of = "character"
floor = -6
start = -3
cap = "6 + grit - traits(wound)"
[points.doom]
of = "gm"
floor = -2
start = 1
cap = 4
[trait.wound]
word = "Wound"
of = "character"
[action]
pool = { d6 = 1 }
figures = { best = { highest = 1 } }
terms = { held = "momentum" }
counts = { score = "best + held" }
[[outcome]]
key = "done"
when = "score > 3"
words = "Done, with {score}."
[[outcome]]
key = "missed"
words = "Missed, with {score}."
[[move]]
key = "burn"
title = "Burn"
price = { momentum = 2 }
who = "player"
do = [{ gain = "doom" }]
[[move]]
key = "drop"
title = "Drop"
who = "player"
do = [{ lose = "momentum", n = 9 }]
[[move]]
key = "rise"
title = "Rise"
who = "player"
do = [{ gain = "momentum", n = 4 }]
"""
)

RAISED = """
[[character]]
name = "Lux"
sheet = { grit = -2 }
[[character]]
name = "Pim"
[[move]]
key = "swing"
title = "Swing"
who = "anybody"
asks = [{ name = "by", label = "By how much?", number = [-9, 9] }]
do = [
  { improve = "grit", n = "by" },
  { lose = "momentum", n = "by" },
  { gain = "momentum", n = "by" },
]
[[move]]
key = "cut"
title = "Cut"
who = "gm"
price = { doom = 2 }
do = [{ make = "wound", of = "each", text = "A cut" }]
"""


@pytest.fixture
def table(write: Write) -> LocalTable:
    """A table with a character whose Momentum starts at -3 and has the floor -6."""
    return sit(systems.get(write(DEBT)))


def test_debt_is_paid_down_to_the_floor(table: LocalTable) -> None:
    """Prices and losses stop at the floor, a gain reduces debt first, and rolls read it."""

    def now() -> int:
        return table.state.balance("momentum", "kit")

    assert (-3, 1) == (now(), table.state.balance("doom"))
    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "check.roll", {"faces": (6,)})
    (open_action,) = table.state.checks.values()
    assert (-3, "Missed, with 3.") == (
        open_action.terms["held"],
        open_action.outcome and open_action.outcome.words,
    )
    table.make("ann", "check.close")
    table.make("ann", "move.burn", {"as": "kit"})
    assert -5 == now()
    with pytest.raises(Refused) as refused:
        table.make("ann", "move.burn", {"as": "kit"})
    assert "price" == refused.value.refusal.code
    table.make("ann", "move.drop", {"as": "kit"})
    assert -6 == now()
    table.make("ann", "move.rise", {"as": "kit"})
    assert -2 == now()


def test_negative_numbers_can_be_entered(table: LocalTable) -> None:
    """Fixed points, sheet numbers and plays accept negative numbers down to the floor."""
    table.make("mona", "points.correct", {"account": "kit.momentum", "to": -6, "why": "A deal"})
    assert -6 == table.state.balance("momentum", "kit")
    form = table.offer("mona", "points.correct", {"account": "doom"})
    assert -2 == next(ask.low for ask in form.asks if ask.name == "to")
    with pytest.raises(Refused):
        table.make("mona", "points.correct", {"account": "doom", "to": -3, "why": "A deal"})
    table.make("ann", "character.set", {"who": "kit", "sheet": "grit=-2"})
    assert -2 == table.state.characters["kit"].sheet["grit"]
    text = (
        f"table {table.system.key}\nseat gm side=gm\nseat ann kit: grit=-2\npoints kit.momentum=-6"
        " doom=-2\n"
    )
    done = play.Performance(play.read(text, "debt"))
    assert not [step.problem for step in done.steps() if step.problem]
    assert -6 == done.table.balance("momentum", "kit")


@pytest.mark.slow
def test_bounds_hold_under_random_play(write: Write) -> None:
    """Every balance and sheet number stays in its bounds, whatever is done."""
    assert [] == [str(one) for one in check(write(DEBT + RAISED), 2)]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("start = -3", "start = -7", "start = -7", "never fewer than -6"),
        ("start = 1", "start = 5", "start = 5", "never more than 4"),
        ("floor = -2", "floor = 5", "floor = 5", "larger"),
        ("default = 1", "default = 5", "default = 5", "-2 to 4"),
        ("low = -2", "low = 5", "low = 5", "larger"),
        (
            "price = { momentum = 2 }",
            'price = { doom = 7 }\nwho = "gm"',
            "price = { doom = 7 }",
            "at most 6",
        ),
        (
            "price = { momentum = 2 }",
            "price = { momentum = -1 }",
            "price = { momentum = -1 }",
            "0 or more",
        ),
        ('{ lose = "momentum", n = 9 }', '{ lose = "momentum", n = 0 }', "n = 0", "1 or more"),
        ('{ gain = "doom" }', '{ gain = "doom", to = 3 }', "to = 3", "no effect"),
        ("pool = { d6 = 1 }", "pool = { d6 = 31 }", "d6 = 31", "0 to 30"),
        ("highest = 1", "highest = -1", "highest = -1", "1 or more"),
        (
            "[action]",
            '[[character]]\nname = "Lux"\nsheet = { grit = 9 }\n[action]',
            "grit = 9",
            "-2 to 4",
        ),
        (
            "[action]",
            '[[npc]]\nkey = "rat"\nname = "Rat"\nsheet = { grit = -3 }\n[action]',
            "grit = -3",
            "-2 to 4",
        ),
    ],
)
def test_numbers_without_effect_are_mistakes(old: str, new: str, line: str, words: str) -> None:
    """A number out of bounds or without a reader is refused at its line."""
    text = DEBT.replace(old, new, 1).replace('who = "gm"\nwho = "player"', 'who = "gm"', 1)
    (mistake,) = mistakes(text)
    assert line in text.splitlines()[mistake.line - 1]
    assert words in str(mistake.what)


def test_log_and_print_show_a_debt(table: LocalTable) -> None:
    """Sentences and the printed sheet have the balance below 0, and the paper its floor."""
    table.make("ann", "move.burn", {"as": "kit"})
    table.make("ann", "move.rise", {"as": "kit"})
    lines = list(table.sentences("ann"))
    assert "Kit spends 2 momentum (now -5)." in lines
    assert "Kit gains 4 momentum (now -1)." in lines
    (points,) = [note for note in table.system.notes if note.title == "Points in brief"]
    assert ("at least", "-6") == (points.head[-1], points.rows[0][-1])
    assert '<span class="room">-1</span> (-6 … 7)' in str(
        paper_page(table.system, table.seen("ann"))
    )


TEMPTED = (
    DEBT
    + """
[[move]]
key = "tempt"
title = "Tempt"
who = "actor"
when = "before the roll"
price = { doom = 2 }
do = [{ add = "d6" }]
[[move]]
key = "curse"
title = "Curse"
who = "gm"
when = "any time"
do = [{ lose = "doom", n = "4" }]
"""
)


def test_called_off_gift_returns_down_to_the_floor(write: Write) -> None:
    """What the players gave to the GM goes back as far as the GM's points can fall."""
    table = sit(systems.get(write(TEMPTED)))
    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "move.tempt")
    assert 3 == table.state.balance("doom")
    table.make("mona", "move.curse", {"check": ""})
    assert -1 == table.state.balance("doom")
    table.make("ann", "check.cancel")
    assert -2 == table.state.balance("doom")


@pytest.mark.parametrize(("typed", "n"), [("-3", -3), ("−3", -3), ("–2", -2), ("+3", 3), ("３", 3)])
def test_typed_signs_are_read(write: Write, typed: str, n: int) -> None:
    """A number is read with the signs that people type, on the page and in plays."""
    text = DEBT + (
        '[[move]]\nkey = "swing"\ntitle = "Swing"\nwho = "player"\n'
        'asks = [{ name = "by", label = "By?", number = [-3, 3] }]\n'
        'do = [{ improve = "grit", n = "by" }]\n'
    )
    key = write(text)
    table = sit(systems.get(key))
    table.make("ann", "move.swing", {"as": "kit", "by": typed})
    assert max(-2, 1 + n) == table.state.characters["kit"].sheet["grit"]
    lines = f"table {key}\nseat gm side=gm\nseat ann kit:\nann move.swing as=kit by={typed}\n"
    done = play.Performance(play.read(lines, "signs"))
    assert not [step.problem for step in done.steps() if step.problem]
    assert max(-2, 1 + n) == done.table.characters["kit"].sheet["grit"]
