"""Interacting rows of one move: each sees the table after the previous row."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from storypool import systems
from storypool.contract.calling_off import check_calling_off
from storypool.contract.random_game import Game
from storypool.engine.refusal import Refused
from storypool.engine.waiting import waiting
from storypool.play import LocalTable
from tests.gamefile.conftest import ONE_DIE, Write, head, mistakes, sit

HEAD = (
    head("rows")
    + """
[sheet.skills]
title = "Skills"
low = 4
high = 8
default = 4
entries = { lift = "Lift", look = "Look" }
[[outcome]]
key = "done"
words = "Done."
"""
)

Play = Callable[[str], LocalTable]


@pytest.fixture
def play(write: Write) -> Play:
    """A table of a game that ends with this text."""
    return lambda text: sit(systems.get(write(HEAD + text)))


WORKED_OUT = """
[action]
pool = { d6 = "target - 3" }
figures = { best = { highest = 1 } }
terms = { target = "bonus + 2", bar = "target * 2" }
[[action.asks]]
name = "bonus"
label = "Bonus"
number = [1, 5]
default = 2
[[move]]
key = "help"
title = "Help"
when = "before the roll"
do = [{ shift = "bonus", n = 2 }]
[[move]]
key = "bend"
title = "Bend the target"
when = "before the roll"
do = [{ shift = "target", n = -1 }]
"""


def test_terms_follow_their_sources(play: Play) -> None:
    """A changed answer updates the derived terms and dice, and keeps the changes of moves."""
    table = play(WORKED_OUT)
    table.make("ann", "check.declare", {"as": "kit"})

    def now() -> tuple[object, ...]:
        (check,) = table.state.checks.values()
        return (*(check.terms[name] for name in ("bonus", "target", "bar")), check.pool["d6"])

    assert (2, 4, 8, 1) == now()
    table.make("ann", "move.bend")
    assert (2, 3, 6, 0) == now()
    table.make("ann", "move.help")
    assert (4, 5, 10, 2) == now()


def test_terms_read_those_written_later(play: Play) -> None:
    """A term made of later ones follows them at the declaration, in moves and with the GM."""
    made = 'terms = { bar = "target * 2", target = "bonus + 2" }'
    text = WORKED_OUT.replace('terms = { target = "bonus + 2", bar = "target * 2" }', made)
    table = play(text.replace("default = 2", 'default = 2\nwhose = "gm"'))
    table.make("ann", "check.declare", {"as": "kit"})

    def now() -> tuple[object, ...]:
        (check,) = table.state.checks.values()
        return tuple(check.terms[name] for name in ("bonus", "target", "bar"))

    assert (2, 4, 8) == now()
    table.make("mona", "check.decide", {"bonus": 3})
    assert (3, 5, 10) == now()
    table.make("ann", "move.help")
    assert (5, 7, 14) == now()


IMPROVING = (
    ONE_DIE
    + """
[points.luck]
of = "character"
start = 9
cap = "10 - 3 * traits(wound)"
[trait.wound]
word = "Wound"
of = "character"
[[move]]
key = "train"
title = "Train both"
who = "player"
do = [
  { improve = "lift", n = 2 },
  { improve = "look", n = "lift - 4" },
  { gain = "luck", n = "look - 5" },
]
[[move]]
key = "rust"
title = "Grow rusty"
who = "player"
do = [{ improve = "lift", n = -2 }, { improve = "lift", n = -2 }]
[[move]]
key = "all"
title = "Train everybody"
who = "gm"
do = [{ of = "each", improve = "lift", n = 1 }, { of = "each", improve = "look", n = 9 }]
"""
)


def test_two_numbers_of_one_move_both_rise(play: Play) -> None:
    """Each row changes the character after the previous row, also for everybody."""
    table = play(IMPROVING)
    table.make("ann", "move.train", {"as": "kit"})
    assert {"lift": 6, "look": 6} == dict(table.state.characters["kit"].sheet)
    assert 10 == table.state.balance("luck", "kit")
    table.make("mona", "move.all")
    assert {"lift": 7, "look": 8} == dict(table.state.characters["kit"].sheet)


def test_sheet_number_falls_to_its_lowest(play: Play) -> None:
    """A negative improvement stops at `low`, as a positive one stops at `high`."""
    table = play(IMPROVING)
    table.make("ann", "move.rust", {"as": "kit"})
    assert 4 == table.state.characters["kit"].sheet["lift"]


def test_points_fall_with_their_cap(play: Play) -> None:
    """A statement that lowers a cap below a balance removes the excess and says so."""
    table = play(IMPROVING)
    table.make("mona", "move.wound_new", {"whom": "kit", "text": "A cut"})
    assert 7 == table.state.balance("luck", "kit")
    assert "at most 7" in list(table.sentences("mona"))[-1]
    (wound,) = table.state.of_kind("wound")
    table.make("mona", "move.wound_end", {"which": wound.id})
    assert 7 == table.state.balance("luck", "kit")


HOPE = """
[dice.d12]
sides = 12
[points.hope]
of = "character"
start = 2
cap = 6
[points.fear]
of = "gm"
cap = 12
[action]
pool = { d12 = 1, d6 = 1 }
[action.figures]
light = { highest = 1, of = ["d12"] }
dark = { highest = 1, of = ["d6"] }
[[whenever]]
on = "rolled"
when = "light >= dark"
do = [{ gain = "hope" }]
[[whenever]]
on = "rolled"
when = "light < dark"
do = [{ gain = "fear" }, { lose = "hope", n = 5 }]
[[move]]
key = "retry"
title = "Roll again"
who = "actor"
when = "after the roll"
do = [{ again = "face > 0" }]
"""


def test_roll_points_are_replaced_by_a_reroll(play: Play) -> None:
    """A re-roll takes back the points of the old roll and gives those of the new."""
    table = play(HOPE)

    def now() -> tuple[int, int]:
        return table.state.balance("hope", "kit"), table.state.balance("fear")

    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "check.roll", {"faces": (6, 3)})
    assert (0, 1) == now()
    table.make("ann", "move.retry", {"faces": (1, 3)})
    assert (3, 0) == now()
    table.make("ann", "move.retry", {"faces": (2, 3)})
    assert (3, 0) == now()
    table.make("ann", "move.retry", {"faces": (2, 1)})
    assert (0, 1) == now()


FOLLOWED = """
[points.doom]
of = "gm"
cap = 9
[trait.omen]
word = "Omen"
of = "scene"
by = "rules"
[[whenever]]
on = "points"
points = "fear"
do = [{ gain = "doom" }]
[[whenever]]
on = "points"
points = "fear"
do = [{ make = "omen" }]
"""


def test_effects_of_points_happen_once(play: Play) -> None:
    """Repeated points of a re-roll repeat only points that follow from them."""
    table = play(HOPE + FOLLOWED)

    def now() -> tuple[int, int, int]:
        balance = table.state.balance
        return balance("fear"), balance("doom"), len(list(table.state.of_kind("omen")))

    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "check.roll", {"faces": (6, 3)})
    assert (1, 1, 1) == now()
    table.make("ann", "move.retry", {"faces": (5, 3)})
    assert (1, 1, 1) == now()
    table.make("ann", "move.retry", {"faces": (1, 3)})
    assert (0, 0, 1) == now()
    table.make("ann", "move.retry", {"faces": (6, 3)})
    assert (1, 1, 2) == now()


FALLING = (
    ONE_DIE
    + """
[points.might]
of = "character"
start = 3
cap = 5
[points.ebb]
of = "table"
[points.tide]
of = "table"
[trait.impaired]
word = "Impaired"
of = "character"
by = "rules"
single = true
[[whenever]]
on = "points"
points = "might"
direction = "falls"
when = "might == 0"
do = [{ make = "impaired", text = "Impaired" }]
[[whenever]]
on = "points"
points = "might"
when = "might > 0"
do = [{ end = "impaired" }]
[[whenever]]
on = "points"
points = "might"
direction = "falls"
do = [{ gain = "ebb" }]
[[whenever]]
on = "points"
points = "might"
direction = "either"
do = [{ gain = "tide" }]
[[move]]
key = "spend"
title = "Spend"
who = "player"
price = { might = 2 }
do = [{ gain = "might", n = 1 }]
[[move]]
key = "fall"
title = "Fall"
who = "player"
do = [{ lose = "might", of = "mover", n = 9 }]
"""
)


def test_rows_follow_points_either_way(play: Play) -> None:
    """A row names its direction; a price that is paid counts as a fall."""
    table = play(FALLING)

    def now() -> tuple[int, int, int, int]:
        state = table.state
        return (
            state.balance("might", "kit"),
            state.balance("ebb"),
            state.balance("tide"),
            len(list(state.of_kind("impaired"))),
        )

    assert (3, 0, 1, 0) == now()
    table.make("ann", "move.spend", {"as": "kit"})
    assert (2, 1, 3, 0) == now()
    table.make("ann", "move.fall", {"as": "kit"})
    assert (0, 2, 4, 1) == now()
    table.make("mona", "points.correct", {"account": "kit.might", "to": 4, "why": "Rest"})
    assert (4, 2, 5, 0) == now()


LOST = """
[points.doom]
of = "gm"
[[whenever]]
on = "points"
points = "fear"
direction = "falls"
do = [{ gain = "doom" }]
"""


def test_points_taken_back_are_no_fall(play: Play) -> None:
    """Taking back what the roll before brought is not a fall of these points."""
    table = play(HOPE + LOST)
    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "check.roll", {"faces": (6, 3)})
    table.make("ann", "move.retry", {"faces": (1, 3)})
    assert (0, 0) == (table.state.balance("fear"), table.state.balance("doom"))


EXPLODING = """
[points.heat]
of = "gm"
[symbols.spark]
[trait.omen]
word = "Omen"
by = "rules"
[action]
pool = { d6 = 2 }
figures = { best = { highest = 1 }, low = { lowest = 1 } }
terms = { more = 0, twice = "2 * more" }
counts = { total = "best + more", sparks = "spark" }
asks = [
  { name = "risk", label = "Risk?", choices = { low = "Low", mid = "Mid", high = "High" } },
]
[[whenever]]
on = "rolled"
when = "best == 6"
do = [
  { throw = { d6 = 1 }, figures = { a = { highest = 1 } } },
  { shift = "more", n = "a" },
  { shift = "risk", n = 1 },
  { symbol = "spark" },
  { gain = "heat" },
]
[[whenever]]
on = "rolled"
when = "best == 6"
do = [{ make = "omen" }]
[[move]]
key = "retry"
title = "Roll again"
who = "actor"
when = "after the roll"
do = [{ again = "face > 0" }]
[[move]]
key = "add"
title = "Add ten"
who = "actor"
when = "after the roll"
do = [{ shift = "more", n = 10 }]
[[move]]
key = "clear"
title = "Begin again"
who = "actor"
when = "after the roll"
do = [{ set = "more", to = 0 }, { again = "face > 0" }]
"""


def test_effects_of_a_roll_follow_a_reroll(play: Play) -> None:
    """Terms, symbols and dice that a roll brings are taken back and follow the new one."""
    table = play(EXPLODING)
    table.make("ann", "check.declare", {"as": "kit", "risk": "low"})

    def now() -> tuple[int, object, object, int, int, int]:
        (check,) = table.state.checks.values()
        assert check.outcome is not None
        net, terms, more = check.outcome.net, check.terms, int(str(check.terms["more"]))
        best, heat = net["total"] - more, table.state.balance("heat")
        return more, terms["twice"], terms["risk"], net["sparks"], best, heat

    table.make("ann", "check.roll", {"faces": (6, 1)})
    more = now()[0]
    assert 1 <= more <= 6
    assert (more, 2 * more, "mid", 1, 6, 1) == now()
    table.make("ann", "move.add")
    assert (more + 10, 2 * more + 20, "mid", 1, 6, 1) == now()
    table.make("ann", "move.retry", {"faces": (5, 5)})
    assert (10, 20, "low", 0, 5, 0) == now()
    table.make("ann", "move.retry", {"faces": (6, 1)})
    again = now()[0]
    assert 11 <= again <= 16
    assert (again, 2 * again, "mid", 1, 6, 1) == now()
    assert 1 == len(list(table.state.of_kind("omen")))


def test_set_term_is_not_taken_back(play: Play) -> None:
    """A move that sets a term replaces what the roll brought to it."""
    table = play(EXPLODING)
    table.make("ann", "check.declare", {"as": "kit", "risk": "low"})
    table.make("ann", "check.roll", {"faces": (6, 1)})
    table.make("ann", "move.clear", {"faces": (2, 3)})
    (check,) = table.state.checks.values()
    assert check.outcome is not None
    assert (0, "low", 3) == (check.terms["more"], check.terms["risk"], check.outcome.net["total"])


ANY_TIME = """
[points.luck]
of = "players"
start = 5
[action]
pool = { d6 = 1 }
figures = { best = { highest = 1 } }
[[move]]
key = "more"
title = "One more"
who = "player"
when = "any time"
price = { luck = 1 }
do = [{ add = "d6" }]
[[move]]
key = "anew"
title = "Roll it again"
who = "player"
when = "any time"
price = { luck = 1 }
do = [{ again = "face > 0" }]
"""


def test_untimed_move_waits_for_its_target(play: Play) -> None:
    """Nobody pays for a die after the roll, or for a re-roll before it."""
    table = play(ANY_TIME)

    def open_ones() -> list[str]:
        return [key for key in ("more", "anew") if table.offer("ann", f"move.{key}").closed is None]

    assert [] == open_ones()
    table.make("ann", "check.declare", {"as": "kit"})
    assert ["more"] == open_ones()
    table.make("ann", "check.roll", {"faces": (3,)})
    assert ["anew"] == open_ones()


def test_effects_table_keeps_its_rows_time(play: Play) -> None:
    """A table consulted after the roll may not add a die."""
    table = '[[effects.luck]]\nat = 1\nwords = "A die."\ndo = [{ add = "d6" }]\n'
    row = '[[whenever]]\non = "rolled"\ndo = [{ consult = "luck" }]\n'
    (wrong,) = mistakes(HEAD + ANY_TIME + table + row)
    assert "add" in str(wrong.what)


HIDDEN = """
[[move]]
key = "stir"
title = "Stir"
who = "actor"
when = "before the roll"
price = { fear = 1 }
do = [{ add = "d6" }]
"""


def test_hidden_roll_brings_no_points(play: Play) -> None:
    """Points whose change is public are neither gained nor spent by a hidden action."""
    table = play(HOPE + HIDDEN)
    table.make("mona", "points.correct", {"account": "fear", "to": 3, "why": "A dark night"})
    table.make("mona", "character.add", {"name": "Rat"})
    table.make("mona", "check.declare", {"as": "rat", "secret": True})
    closed = table.offer("mona", "move.stir").closed
    assert closed is not None
    assert "hidden action takes no points" in closed.text
    table.make("mona", "check.roll", {"faces": (1, 3)})
    table.make("mona", "move.retry", {"faces": (6, 3)})
    table.make("mona", "check.close")
    assert (3, 2) == (table.state.balance("fear"), table.state.balance("hope", "rat"))
    assert not table.state.checks


PAYING = (
    ONE_DIE
    + """
[points.stress]
of = "character"
cap = 6
rises = true
[points.doom]
of = "gm"
cap = 20
[[move]]
key = "push"
title = "Push"
who = "actor"
when = "before the roll"
price = { stress = 1 }
do = [{ add = "d6" }]
[[whenever]]
on = "points"
points = "stress"
do = [{ gain = "doom" }]
[[character]]
name = "Kit"
[[character]]
name = "Lux"
"""
)


def cancelled(table: LocalTable) -> int:
    """Spend at random on an action and cancel it, 60 times; returns how often it was cancelled.

    `Broken` if a lasting effect was free, or a point was lost.
    """
    table.make("ann", "check.declare", {"as": "kit"})
    games = [
        Game(table.system, seed, tables=[table.state], records=[*table.records])
        for seed in range(60)
    ]
    return sum(check_calling_off(game, Random(game.seed)) for game in games)


def test_effect_of_a_price_is_valid(play: Play) -> None:
    """Points that rise with a payment stay after a cancelled action, without a finding."""
    assert 60 == cancelled(play(PAYING))


LASTING = (
    ONE_DIE
    + """
[points.luck]
of = "character"
start = 3
[points.xp]
of = "character"
[points.stress]
of = "character"
cap = 3
rises = true
[trait.scar]
word = "Scar"
of = "character"
by = "rules"
[[whenever]]
on = "full"
points = "stress"
do = [{ make = "scar", text = "A scar" }, { lose = "stress", n = 9 }]
[[move]]
key = "push"
title = "Push"
who = "actor"
when = "before the roll"
price = { stress = 1 }
do = [{ add = "d6" }]
[[move]]
key = "more"
title = "More"
who = "player"
when = "any time"
price = { luck = 1 }
do = [{ gain = "luck", n = 2 }, { gain = "xp" }]
[[move]]
key = "either"
title = "Either"
who = "actor"
when = "before the roll"
asks = [{ name = "what", label = "What?", choices = { die = "A die", rest = "A rest" } }]
price = { luck = 1 }
do = [{ when = "what == 'die'", add = "d6" }, { when = "what == 'rest'", gain = "xp" }]
[[character]]
name = "Kit"
[[character]]
name = "Lux"
"""
)


@pytest.mark.parametrize("stress", [0, 2])
def test_lasting_effect_keeps_its_price(stress: int, play: Play) -> None:
    """A file's move whose effect stays is not refunded, and the check accepts that."""
    table = play(LASTING)
    table.make("mona", "points.correct", {"account": "kit.stress", "to": stress, "why": "A day"})
    assert 60 == cancelled(table)


def test_refund_depends_on_the_answer(play: Play) -> None:
    """A cancelled action refunds a move whose answer changed the action alone."""
    for what, luck in (("die", 3), ("rest", 2)):
        table = play(LASTING)
        table.make("ann", "check.declare", {"as": "kit"})
        table.make("ann", "move.either", {"what": what})
        assert 2 == table.state.balance("luck", "kit")
        table.make("ann", "check.cancel")
        assert luck == table.state.balance("luck", "kit"), what


PRICED = (
    ONE_DIE
    + """
[points.stress]
of = "character"
start = 3
cap = 9
[[move]]
key = "buy"
title = "Buy"
who = "player"
asks = [{ name = "n", label = "How many?", number = [1, 5], default = 4 }]
price = { stress = "2 * n" }
do = [{ improve = "lift", n = "n" }]
"""
)


def test_price_uses_the_default_answer(play: Play) -> None:
    """A number's price is that of its default, and a cheaper answer keeps the move open."""
    table = play(PRICED)

    def buy() -> tuple[int, str]:
        offer = next(one for one in table.offers("ann") if one.key == "move.buy")
        return offer.price.total, offer.closed.text if offer.closed else ""

    assert (8, "") == buy()
    table.make("ann", "move.buy", {"as": "kit", "n": 1})
    price, closed = buy()
    assert 8 == price
    assert "2 stress" in closed


@pytest.mark.parametrize(
    "row",
    [
        '[[move]]\nkey = "a"\ntitle = "A"\nwhen = "after the roll"\ndo = [{ add = "d6" }]',
        '[[move]]\nkey = "a"\ntitle = "A"\nwhen = "before the roll"\ndo = [{ again = "face > 0" }]',
        '[[move]]\nkey = "a"\ntitle = "A"\ndo = [{ symbol = "hit" }]',
        '[[whenever]]\non = "rolled"\ndo = [{ add = "d6" }]',
        '[[whenever]]\non = "scene begins"\ndo = [{ again = "face > 0" }]',
    ],
)
def test_late_effect_is_a_mistake(row: str) -> None:
    """An effect that an action cannot take at that time is refused at its line."""
    text = HEAD + "[symbols.hit]" + ONE_DIE + row
    assert row.splitlines()[-1] in [text.splitlines()[one.line - 1] for one in mistakes(text)]


ASKING = (
    ONE_DIE
    + """
[points.health]
of = "character"
word = "health"
plural = "health"
start = 5
[[move]]
key = "ask"
title = "Ask the oracle"
who = "player"
when = "any time"
asks = [
  { name = "question", label = "What do you ask?", text = true },
  { name = "odds", label = "How likely?", choices = { even = "Fifty-fifty", small = "Small" } },
  { name = "n", label = "How many?", number = [1, 3] },
]
do = [
  { throw = { d6 = "n" }, figures = { best = { highest = 1 } } },
  { consult = "oracle", n = "best" },
]
[[effects.oracle]]
at = 1
words = "The oracle says no."
do = [{ lose = "health" }]
[[effects.oracle]]
at = 4
words = "The oracle says yes."
"""
)


def test_log_says_what_was_asked(play: Play) -> None:
    """A text that no effect uses is in the log with the answers that the dice are for."""
    table = play(ASKING)
    question = {"question": "Is it {cold}?", "odds": "small", "n": 2}
    table.make("ann", "move.ask", {"as": "kit", **question, "faces": (1, 2)})
    assert [
        "Ann: Ask the oracle. “Is it {cold}?” Small, How many: 2.",
        "Ask the oracle: Ann rolled by hand d6 1, 2.",
        "Ann: “The oracle says no.”",
        "Kit loses 1 health (4 left).",
    ] == list(table.sentences("mona"))[-4:]


def test_moves_are_narrated_below_their_dice(play: Play) -> None:
    """The page narrates each move of the file with the dice that it throws."""
    (actions,) = (one for one in play(ASKING).system.panels if one.kind == "actions")
    assert ("check.roll", "check.close", "move.ask") == actions.binds["narrated"]


CHOSEN = (
    ONE_DIE
    + """
[points.luck]
of = "character"
word = "luck"
plural = "luck"
start = 3
[points.rest]
of = "character"
[trait.omen]
word = "Omen"
of = "scene"
by = "rules"
[[move]]
key = "buy"
title = "Buy"
who = "player"
when = "any time"
price = { luck = "5 if what == 'much' else 2 if what == 'some' else 9" }
asks = [{ name = "what", label = "How much?", choices = { much = "Much", some = "Some" } }]
do = [{ gain = "rest" }]
[[move]]
key = "read"
title = "Read the omen"
who = "player"
when = "any time"
only = "traits(omen) > 0"
price = { rest = 9 }
asks = [{ name = "which", label = "Which?", trait = "omen" }]
do = [{ end = "which" }]
"""
)


def test_open_choice_has_the_lowest_price(play: Play) -> None:
    """A price that depends on an open choice is the lowest, and says what it depends on."""
    table = play(CHOSEN)
    offer = table.offer("ann", "move.buy")
    assert {"luck": 2} == {purse.account: n for purse, n in offer.price.items()}
    assert "The price depends on “How much?”" == offer.caution
    assert offer.closed is None
    with pytest.raises(Refused, match="5 luck"):
        table.make("ann", "move.buy", {"as": "kit", "what": "much"})
    table.make("ann", "move.buy", {"as": "kit", "what": "some"})
    assert 1 == table.state.balance("luck", "kit")


def test_reason_that_says_most_comes_first(play: Play) -> None:
    """A missing statement is named before a condition without words, and the price is last."""
    closed = play(CHOSEN).offer("ann", "move.read").closed
    assert closed is not None
    assert "There is no omen here." == closed.text


def test_due_move_asks_its_question(play: Play) -> None:
    """While a move is due, its title and its question are what the table waits for first."""
    due = """
[[move]]
key = "boast"
title = "Boast"
who = "actor"
when = "after the roll"
limit = "once an action"
do = [{ make = "loss", text = "Good manners" }]
[[move]]
key = "cost"
title = "It costs you"
who = "actor"
when = "after the roll"
limit = "once an action"
due = true
asks = [{ name = "what", label = "What do you lose?", choices = { a = "Aim", b = "Blood" } }]
do = [{ when = "what == 'a'", make = "loss", text = "Aim" }]
[trait.loss]
word = "Loss"
"""
    table = play(ONE_DIE + due)
    table.make("ann", "check.declare", {"as": "kit"})
    table.make("ann", "check.roll", {"faces": (3,)})

    def text(seat: str) -> str:
        return next(wait.text for wait in waiting(table.system, table.state, seat))

    (wait,) = waiting(table.system, table.state, "ann")
    assert ("move.cost", "move.boast") == wait.moves
    assert "It costs you. What do you lose?" == text("ann")
    assert "Waiting for Ann: “It costs you”." == text("mona")
    table.make("ann", "move.cost", {"what": "a"})
    assert "What comes of it?" == text("ann")
    table.make("ann", "move.boast")
    assert "All done?" == text("ann")
