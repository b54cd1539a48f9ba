"""Turns and rounds of a game file: how they are ordered, who acts, and what follows."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.contract.checking import check
from storypool.play import perform, read
from storypool.systems import game_files
from tests.fixed_set import cases
from tests.gamefile.conftest import Write, mistakes

BASE = """
format = 1
key = "duels"
name = "Duels"
about = "Who is quick."

[dice.d10]
sides = 10

[dice.coin]
faces = ["heads", ""]

[sheet.numbers]
title = "Numbers"
high = 9
entries = { quick = "Quick", strong = "Strong" }

[points.breath]
of = "character"
cap = 9

[trait.down]
word = "Down"
of = "character"

[action]
pool = { d10 = 1 }
figures = { best = { highest = 1 } }

[[outcome]]
key = "done"
words = "Done."

[[character]]
name = "Mira"
sheet = { quick = 2 }

[[character]]
name = "Otto"
sheet = { quick = 5 }

[[move]]
key = "aim"
title = "Aim"
when = "on your turn"
do = [{ gain = "breath" }]

[[move]]
key = "shout"
title = "Shout"
when = "in a conflict"
only = "round > 1"
do = [{ gain = "breath", of = "each" }]
"""
SCENE = """
table duels
seat gm side=gm
seat ann mira: name=Mira quick=2
seat bo otto: name=Otto quick=5
seat gm guard: name=Guard quick=5
"""


def played(turns: str, play: str, more: str = "") -> None:
    """Play a scene of a game with these turns, whose expectations must hold."""
    system = systems.get(game_files.kept(f"{BASE}\n{more}\n[turns]\n{turns}\n"))
    perform(read(SCENE + play), lambda key, language: system)


def test_turn_numbers_are_computed() -> None:
    """The highest is first, and a player's character wins ties."""
    played(
        'by = "quick + 2 * strong"',
        """
        gm turns.begin => trait slot "Otto: 5" at=now
        gm turns.next => trait slot "Guard: 5" at=now
        gm turns.next => trait slot "Mira: 2" at=now
        """,
    )


def test_order_is_rolled() -> None:
    """Each rolls in turn, players first; the number of typed dice must be complete at once."""
    played(
        'throw = { d10 = 1 }\nby = "thrown + quick"',
        """
        gm turns.begin dice 9 1 4 => trait slot "Mira: 11" at=now, \
trait slot "Otto: 6", trait slot "Guard: 9"
        gm sees "Mira rolls for the order"
        """,
    )
    played(
        'throw = { d10 = "min(2, quick)" }',
        """
        gm turns.begin faces="1 2 3" => refused: argument "6"
        gm turns.begin faces="1 2 10 10 4 4" => trait slot "Mira: 3", trait slot "Otto: 20" at=now
        """,
    )
    played(
        'throw = { coin = 2 }\nby = "thrown_heads"',
        'gm turns.begin dice 1 1 1 2 2 2 => trait slot "Mira: 2" at=now, trait slot "Guard: 0"',
    )


def test_order_is_rolled_for_each_round() -> None:
    """After the last turn everybody rolls again, and a row on the throw follows each."""
    follows = """
[[whenever]]
on = "turn thrown"
when = "thrown >= 9"
do = [{ gain = "breath" }]
"""
    play = """
gm turns.begin dice 9 5 3 => mira.breath 1
gm turns.next
gm turns.next
gm turns.next dice 4 9 8 => otto.breath 1, mira.breath 1, \
trait slot "Otto: 9" at=now, trait slot "Guard: 8"
"""
    played("throw = { d10 = 1 }\neach_round = true", play, follows)


def test_sides_turn_is_open_to_its_members() -> None:
    """Although one member's number earned it; each acts once a round."""
    played(
        'by = "quick"\nslots = "side"',
        """
        gm turns.begin => trait slot "The players: 5" at=now
        gm check.declare as=guard => refused: only_if "It is the players' turn."
        ann check.declare as=mira
        ann check.roll dice 4
        ann check.close => trait slot "Mira: 5", trait slot "The GM: 5" at=now
        gm turns.next => trait slot "The players: 2" at=now
        ann check.declare as=mira => refused: only_if "Mira has acted in this round."
        bo check.declare as=otto
        """,
    )


def test_turn_has_its_number_of_actions() -> None:
    """The last of them ends it; without a number it ends by hand."""
    act = "bo check.declare as=otto\nbo check.roll dice 3\nbo check.close"
    played(
        'by = "quick"\nactions = 2',
        f'gm turns.begin\n{act} => trait slot "Otto: 5" at=now\n{act} => trait slot "Guard: 5"'
        " at=now",
    )
    played(
        'by = "quick"\nactions = 0',
        f"""gm turns.begin\n{act}\n{act} => trait slot "Otto: 5" at=now
        bo turns.next => trait slot "Guard: 5" at=now""",
    )


def test_order_begins_and_ends_with_a_scene() -> None:
    """Nobody is asked."""
    played(
        'by = "quick"\nbegins = "scene"',
        """
        gm scene.begin => trait slot "Otto: 5" at=now
        gm turns.next
        gm turns.next
        gm turns.next
        gm sees "Round 2 began"
        gm scene.begin => trait slot "Otto: 5" at=now
        """,
    )


def test_moves_of_turns_and_conflicts() -> None:
    """Some moves are open to the current player, others to everybody during turns."""
    played(
        'by = "quick"',
        """
        bo closed move.aim because when
        bo closed move.shout because when
        gm turns.begin
        bo move.aim => otto.breath 1
        ann move.aim => refused: when "It is Otto's turn."
        ann move.shout => refused: only_if
        gm turns.next
        gm turns.next
        gm turns.next
        ann move.shout => mira.breath 1, otto.breath 2
        """,
    )


def test_effects_of_a_turn() -> None:
    """They are about the character whose turn begins or ends."""
    more = """
    [[whenever]]
    on = "turn begins"
    do = [{ gain = "breath", n = 2 }]

    [[whenever]]
    on = "turn ends"
    when = "breath > 1"
    do = [{ lose = "breath" }]
    """
    played(
        'by = "quick"',
        """
        gm turns.begin => otto.breath 2
        gm turns.next => otto.breath 1, guard.breath 2
        gm character.leave who=guard => mira.breath 2
        gm turns.next => mira.breath 1, otto.breath 3
        """,
        more,
    )


def test_move_names_the_next_character() -> None:
    """In an order of numbers that is an extra turn, after which the order continues."""
    more = """
    [[move]]
    key = "seize"
    title = "Say who is next"
    who = "actor"
    when = "after the roll"
    asks = [{ name = "who", label = "Who is next?", character = "any" }]
    do = [{ next = "who" }]
    """
    act = "bo check.declare as=otto\nbo check.roll dice 3\n"
    played(
        'by = "quick"',
        f"""
        {act}bo move.seize who=mira => refused: only_if "No conflict is going on."
        bo check.close
        gm turns.begin
        {act}bo move.seize who=mira => trait acts-next "Mira acts next."
        bo check.close => trait slot "Mira: 2" at=now, no trait acts-next
        ann turns.next => trait slot "Guard: 5" at=now
        gm turns.next => trait slot "Mira: 2" at=now
        """.replace("\n        ", "\n"),
        more,
    )
    played(
        'order = "handed over"',
        f"""
        gm turns.begin first=otto
        {act}bo move.seize who=guard
        bo check.close => trait slot Guard at=now, no trait acts-next
        """,
        more,
    )


def test_hidden_roll_takes_no_turn() -> None:
    """A secret roll ends no turn, and a hidden NPC waits for none."""
    played(
        'by = "quick"',
        """
        seat gm shade: name=Shade secret=yes
        gm turns.begin => trait slot "Otto: 5" at=now
        gm check.declare as=shade
        gm check.roll dice 2
        gm check.close => trait slot "Otto: 5" at=now
        gm turns.next => trait slot "Guard: 5" at=now
        gm check.declare as=guard secret=yes
        gm check.roll dice 2
        gm check.close => trait slot "Guard: 5" at=now
        """,
    )


def test_changed_side_takes_its_turns() -> None:
    """The order also shows a new name."""
    played(
        'order = "sides in turn"',
        """
        gm turns.begin first=@players => trait slot "The players" at=now
        gm character.give who=guard seat=ann
        gm turns.next => trait slot "The players" at=now
        gm turns.next => trait slot "The players" at=now
        gm not "Round 2 began"
        gm turns.next
        gm sees "Round 2 began"
        """,
    )
    played(
        'by = "quick"',
        'gm turns.begin\nbo character.set who=otto name=Odo => trait slot "Odo: 5" at=now',
    )


@pytest.mark.parametrize(
    ("turns", "line", "what"),
    [
        ("", 1, "The highest of what?"),
        ('by = "quik"', 2, "did you mean “quick”?"),
        ('by = "thrown"', 2, "There is no “thrown” here"),
        ('order = "popcorn"', 2, "highest first, sides in turn, handed over"),
        ('order = "handed over"\nby = "quick"', 2, "leave them out"),
        ('order = "handed over"\nslots = "side"', 3, "leave “slots” out"),
        ('by = "quick"\nactions = 40', 3, "0 to 9 actions"),
        ('by = "quick"\nout = "dwn"', 3, "did you mean “down”?"),
        ("throw = { d100 = 1 }", 2, "did you mean “d10”?"),
        ('by = "quick"\neach_round = true', 3, "throws again what “throw” says"),
    ],
)
def test_turn_mistake_is_described_at_its_line(turns: str, line: int, what: str) -> None:
    """One sentence includes the correction."""
    first = mistakes(f"{BASE}\n[turns]\n{turns}\n")[0]
    assert (first.line - BASE.count("\n") - 1, what in str(first.what)) == (line, True), first


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("", "“on your turn” needs turns"),
        (
            '[[whenever]]\non = "turn begins"\ndo = [{ gain = "breath" }]',
            "“turn begins” needs turns",
        ),
        (
            (
                '[[move]]\nkey = "go"\ntitle = "Go"\ndo = [{ next = "who" }]\n'
                'asks = [{ name = "who", label = "Who?", character = "any" }]'
            ),
            "“next” needs turns",
        ),
    ],
)
def test_features_of_turns_need_turns(more: str, what: str) -> None:
    """A file without turns gets a sentence for each."""
    assert any(what in str(one.what) for one in mistakes(f"{BASE}\n{more}\n"))


def test_row_on_a_throw_needs_one() -> None:
    """A row on a throw for the turns is a mistake where nothing is thrown for them."""
    rows = '[[whenever]]\non = "turn thrown"\ndo = [{ gain = "breath" }]'
    text = f'{BASE}\n[turns]\nby = "quick"\n{rows}\n'
    assert "Nothing is thrown for these turns" in str(mistakes(text)[0].what)


def test_turn_statement_kinds_are_reserved() -> None:
    """A file with turns may not use their names for its statements."""
    text = f'{BASE}\n[trait.slot]\nword = "Slot"\n[turns]\nby = "quick"\n'
    assert "has a meaning of its own" in str(mistakes(text)[0].what)


ORDERS = [
    'throw = { d10 = 1 }\neach_round = true\nout = "down"',
    'throw = { d10 = 1 }\nout = "down"',
    'by = "quick"\nslots = "side"\nactions = 2\nbegins = "scene"',
    'order = "handed over"\nout = "down"\nbegins = "scene"',
    'order = "sides in turn"\nactions = 0\nout = "down"',
]


@pytest.mark.slow
@pytest.mark.parametrize("games", cases((1, 4), (1,)))
@pytest.mark.parametrize("turns", ORDERS)
def test_each_turn_order_keeps_the_contract(turns: str, games: int, write: Write) -> None:
    """Random play holds for each kind of order."""
    key = write(f"{BASE}\n[turns]\n{turns}\n")
    assert [] == [str(one) for one in check(key, games)]
