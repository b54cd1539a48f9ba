"""Reading a game file: valid contents, and a sentence at the line of each mistake."""

from __future__ import annotations

import pytest

from storypool.engine.dice import Rolled
from storypool.gamefile import LARGEST
from storypool.gamefile.compiled import compiled
from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_format.expressions import Expression, ExpressionError, Scope, Value
from storypool.gamefile.file_format.file_text import read
from tests.gamefile.conftest import mistakes

SMALL = """
format = 1
key = "coins"
name = "Coins"
about = "Toss, and hope."

[dice.coin]
faces = ["heads", ""]

[points.luck]
of = "players"
start = 2

[action]
pool = { coin = 2 }

[[outcome]]
key = "won"
when = "heads > 0"
words = "Heads."
passed = true

[[outcome]]
key = "lost"
words = "No heads."
passed = false

[[move]]
key = "wish"
title = "Wish for one more"
who = "actor"
when = "before the roll"
price = { luck = 1 }
do = [{ add = "coin" }]
"""


def test_lists_in_a_second_row_have_lines_of_their_own() -> None:
    """The first question of the second move is not counted on from those of the first."""
    ask = '[[move.asks]]\nname = "n"\nlabel = "N"\ntext = true\n'
    second = '[[move]]\nkey = "two"\ntitle = "Two"\n[[move.asks]]\nlabel = "N"\ntext = true\n'
    text = f"{SMALL}{ask}{second}"
    (missing,) = mistakes(text)
    assert text.count("\n") - 2 == missing.line


def test_small_file_is_a_whole_game() -> None:
    """Missing contents have default values."""
    game = compiled(SMALL).system
    assert (game.key, game.name) == ("coins", "Coins")
    assert {"check.declare", "check.roll", "check.close", "check.cancel", "move.wish"} <= set(
        game.by_key
    )


@pytest.mark.parametrize(
    ("instead", "of", "line", "what"),
    [
        ("format = 2", "format = 1", 2, "format = 1"),
        ('key = "Coins!"', 'key = "coins"', 3, "small letters"),
        ("", 'name = "Coins"', 1, "“name” is missing"),
        ('face = ["heads", ""]', 'faces = ["heads", ""]', 8, "did you mean “faces”?"),
        ('faces = ["heads"]', 'faces = ["heads", ""]', 7, "2 to 100"),
        ('of = "party"', 'of = "players"', 11, "players, gm, table, character"),
        ('start = "two two"', "start = 2", 12, "not an expression"),
        ("pool = { coins = 2 }", "pool = { coin = 2 }", 15, "did you mean “coin”?"),
        ('when = "head > 0"', 'when = "heads > 0"', 19, "did you mean “heads”?"),
        ('when = "heads > luck"', 'when = "heads > 0"', 19, "“luck” is points; points can be read"),
        ('when = "heads.real > 0"', 'when = "heads > 0"', 19, "is read at a table"),
        ('when = "heads[0] > 0"', 'when = "heads > 0"', 19, "more than an expression can say"),
        ('when = "heads / 0 > 0"', 'when = "heads > 0"', 19, "“heads / 0” divides by 0"),
        ("when = \"open('x')\"", 'when = "heads > 0"', 19, "An expression cannot count"),
        ('words = "{head}"', 'words = "Heads."', 20, "did you mean “heads”?"),
        (
            'consent = "odile"',
            "price = { luck = 1 }",
            33,
            "There is no “odile” here; there are gm, actor.",
        ),
        ('who = "the actor"', 'who = "actor"', 31, "actor, helper, joined, player, gm, anybody"),
        ("price = { lucks = 1 }", "price = { luck = 1 }", 33, "did you mean “luck”?"),
        ('do = [{ add = "coin", gain = "luck" }]', 'do = [{ add = "coin" }]', 34, "just one of"),
        ('limit = "sometimes"', 'do = [{ add = "coin" }]', 34, "is not a limit"),
        ('price = [{ luck = "1"', "price = { luck = 1 }", 33, "not TOML"),
    ],
)
def test_mistake_is_described_at_its_line(instead: str, of: str, line: int, what: str) -> None:
    """One sentence includes the correction."""
    assert SMALL.count(of) == 1
    first = mistakes(SMALL.replace(of, instead))[0]
    assert first.line == line, first
    assert what in str(first.what)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ('[[whenever]]\non = "points"\npoints = "luck"\ndo = [{ gain = "luck" }]', 36),
        (
            '[points.doom]\nof = "gm"\noverflow = "luck"\n'
            '[[whenever]]\non = "full"\npoints = "luck"\ndo = [{ gain = "doom" }]',
            39,
        ),
        ('[points.doom]\nof = "gm"\noverflow = "doom"', 38),
    ],
)
def test_endless_rise_is_a_mistake(more: str, line: int) -> None:
    """Points may not raise themselves again through any steps."""
    found = mistakes(f"{SMALL}\n{more}\n")
    assert line in [one.line for one in found if one.what.key == "gamefile.endless"]


FALLING = '[[whenever]]\non = "points"\npoints = "luck"\ndirection = "falls"\n'


@pytest.mark.parametrize(
    "more",
    [
        f'{FALLING}do = [{{ lose = "luck" }}]',
        f'[points.doom]\nof = "gm"\n{FALLING}do = [{{ gain = "doom" }}]\n'
        '[[whenever]]\non = "points"\npoints = "doom"\ndirection = "either"\n'
        'do = [{ lose = "luck" }]',
        '[points.doom]\nof = "gm"\ncap = "9 - traits(cut)"\n[trait.cut]\nword = "Cut"\n'
        '[[whenever]]\non = "points"\npoints = "doom"\ndirection = "falls"\n'
        'do = [{ make = "cut" }]',
    ],
)
def test_endless_fall_is_a_mistake(more: str) -> None:
    """Points may not lower themselves again, by rows or by a cap that falls."""
    assert "gamefile.endless.falls" in [one.what.key for one in mistakes(f"{SMALL}\n{more}\n")]


def test_rise_after_a_fall_is_no_circle() -> None:
    """A row that only answers falls may raise the same points."""
    compiled(f'{SMALL}\n{FALLING}do = [{{ gain = "luck" }}]\n')


def test_direction_needs_points() -> None:
    """Only a row about points has a direction."""
    row = '[[whenever]]\non = "closed"\ndirection = "falls"\ndo = [{ gain = "luck" }]\n'
    assert ["gamefile.idle"] == [one.what.key for one in mistakes(f"{SMALL}\n{row}")]


def test_every_mistake_is_listed() -> None:
    """All mistakes of a file are listed in line order."""
    text = SMALL.replace("start = 2", 'start = "1 +"').replace('who = "actor"', 'whom = "actor"')
    assert [12, 31] == [one.line for one in mistakes(text)]


def test_large_file_is_refused() -> None:
    """An oversized file is refused before it is read."""
    assert read(SMALL + "#" * LARGEST).findings[0].what.key == "gamefile.large"


class _Names(Scope):
    def value(self, name: str) -> Value:
        return 3 if name == "stress" else "high"

    def call(self, function: str, about: tuple[str, ...]) -> int:
        return 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("stress + 1", 4),
        ("7 / 2", 3),
        ("7 / (stress - 3)", 0),
        ("stress >= 3 and risk == 'high'", 1),
        ("not stress", 0),
        ("min(stress, 2) + max(1, 5)", 7),
        ("2 if stress > 5 else 1", 1),
        ("dice(light) * -1", -2),
        ("1000000 * 1000000", 1_000_000),
    ],
)
def test_expression_values(text: str, value: int) -> None:
    """Numbers, names, comparisons and counts are evaluated."""
    assert parse(text).number(_Names()) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "stress.real.imag",
            "stress.real()",
            "(1).bit_length()",
            "[1]",
            "lambda: 1",
            "x := 1",
            "f'{stress}'",
            "2 ** 9",
            "1 if",
        ),
        *(
            "__import__('os')",
            "1 < stress < 2",
            "stress in risk",
            "dice(light, 2)",
            "+".join("1" * 400),
            "(" * 200,
        ),
    ],
)
def test_other_expressions_are_refused(text: str) -> None:
    """Any other input of an author gets a sentence."""
    with pytest.raises(ExpressionError):
        parse(text)
    assert isinstance(parse("1"), Expression)


EFFECTS = """
[[effects.fright]]
at = 1
words = "Nothing."

[[effects.fright]]
at = 5
words = "You run."
do = [{ gain = "luck" }]

[[move]]
key = "fear"
title = "Be afraid"
do = [{ consult = "fright" }]
"""


@pytest.mark.parametrize(
    ("instead", "of", "line", "what"),
    [
        ("at = 1", "at = 5", 41, "rise"),
        ('do = [{ consult = "fright" }]', 'do = [{ gain = "luck" }]', 43, "never end"),
        ('do = [{ gain = "lack" }]', 'do = [{ gain = "luck" }]', 43, "did you mean “luck”?"),
    ],
)
def test_effects_table_ends(instead: str, of: str, line: int, what: str) -> None:
    """Rows rise and lead to no circle, so that an untrusted file always terminates."""
    text = SMALL + EFFECTS
    assert compiled(text).system.key == "coins"
    first = mistakes(text.replace(of, instead))[0]
    assert (first.line, what in str(first.what)) == (line, True), first


def test_consulted_table_is_in_the_file() -> None:
    """A move names an existing table."""
    text = SMALL.replace('do = [{ add = "coin" }]', 'do = [{ consult = "fight" }]') + EFFECTS
    assert "did you mean “fright”?" in str(mistakes(text)[0].what)


def test_outcome_fills_in_its_values() -> None:
    """Known braces in its words are filled in; others stay."""
    game = compiled(SMALL.replace('words = "Heads."', 'words = "Heads: {heads}."'))
    found = game.rules.reading.result(
        [Rolled("coin", 1, "hand"), Rolled("coin", 2, "hand")], {}, {"coin": 2}
    )
    assert (
        game.rules.reading.sentence(found, {}, "Heads: {heads}, {tails}.") == "Heads: 1, {tails}."
    )
