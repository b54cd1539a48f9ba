"""Dice that explode: their rolls, their odds against an enumeration, and mistakes about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from storypool import systems
from storypool.cli import main, roll_answer
from storypool.engine.bag import Bag
from storypool.engine.decisions import decide
from storypool.engine.dice import Die, Rolled
from storypool.engine.events import DiceRolled, Event, Said
from storypool.engine.fold import evolve
from storypool.engine.game.system import System
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.table import GM_ONLY, Binding, Check, Table
from storypool.gamefile.compiled import compiled
from storypool.live.bindings import Bindings, BoundDice, Numbers
from storypool.log.memory import MemoryStore
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes
from tests.gamefile.conftest import Write, head, mistakes

EXPLODING = (
    head("bursts")
    + """
explodes = 6
[dice.d4]
sides = 4
explodes = [3, 4]
shows = { hit = "face >= 3" }
[action]
pool = { d6 = 2, d4 = 1 }
figures = { best = { highest = 1, of = ["d6"] }, sum = { highest = 9, of = ["d6"] } }
terms = { more = 0 }
counts = { total = "best + more" }
[[outcome]]
key = "much"
when = "total >= 8 and hit >= 1"
words = "Much: {total}."
passed = true
[[outcome]]
key = "little"
words = "Little: {total}."
passed = false
[[move]]
key = "retry"
title = "Roll again"
who = "actor"
when = "after the roll"
do = [{ again = "face < 3 or face == 6" }]
[[move]]
key = "toss"
title = "Toss"
do = [{ throw = { d6 = 1, d4 = 1 }, figures = { n = { highest = 2 } } }, { gain = "luck", n = "n" }]
[points.luck]
of = "table"
"""
)
BURSTS = {"d6": (6, (6,)), "d4": (4, (3, 4))}
SCENE = "table bursts\nseat gm side=gm\nseat ann kit:\ngm session.begin\n"
ACTION = f"{SCENE}ann check.declare as=kit\n"

Rolls = tuple[int, ...]
Rows = dict[tuple[int, int, int], Fraction]
"""The chance of each best d6, sum of both, and number of hits."""


def rolls_of(die: str, first: int = 0) -> Iterator[tuple[Rolls, Fraction]]:
    """Each course of a die of at most eight rolls, with its chance; or of those that begin so."""
    sides, explodes = BURSTS[die]
    ahead: list[Rolls] = [(first,)] if first else [(face,) for face in range(1, sides + 1)]
    while ahead:
        rolls = ahead.pop()
        if rolls[-1] in explodes and len(rolls) < 8:
            ahead += [(*rolls, face) for face in range(1, sides + 1)]
        else:
            yield rolls, Fraction(1, sides ** (len(rolls) - bool(first)))


def results(die: str, again: bool) -> dict[tuple[int, int], Fraction]:
    """The chance of each sum and number of hits of a die."""
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for first in range(1, BURSTS[die][0] + 1):
        rerolled = again and (first < 3 or first == 6)
        for rolls, chance in rolls_of(die, 0 if rerolled else first):
            hits = sum(face >= 3 for face in rolls) if die == "d4" else 0
            found[sum(rolls), hits] += chance / BURSTS[die][0]
    return found


def enumerated(again: bool = False) -> Rows:
    """The chance of the best d6, their sum, and the hits, of two d6 and a d4."""
    found: Rows = defaultdict(Fraction)
    sixes, all_hits = results("d6", again), defaultdict[int, Fraction](Fraction)
    for (_, hits), chance in results("d4", again).items():
        all_hits[hits] += chance
    pairs: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for (one, _), (other, _) in product(sixes, sixes):
        pairs[max(one, other), one + other] += sixes[one, 0] * sixes[other, 0]
    for (best, total), hits in product(pairs, all_hits):
        found[best, total, hits] = pairs[best, total] * all_hits[hits]
    return found


def passed(rows: Rows) -> Fraction:
    """The chance to pass."""
    return Fraction(sum(chance for (best, _, hits), chance in rows.items() if best >= 8 and hits))


def test_odds_of_exploding_dice() -> None:
    """Numbers are sums of all rolls of a die, and the symbols of all count: exact to eight."""
    found, expected = compiled(EXPLODING).reckon(Question(Bag(d6=2, d4=1))), enumerated()
    axes = found.distribution.axes
    joint: Rows = defaultdict(Fraction)
    for row, chance in found.distribution.joint():
        known = dict(zip(axes, row, strict=True))
        assert known["total"] == known["best"]
        joint[known["best"], known["sum"], known["hit"]] += chance
    assert joint == expected
    assert found.outcomes["pass"] == passed(expected)


def test_odds_of_symbols_on_exploding_dice() -> None:
    """Without numbers the odds count the symbols alone, also of a large pool."""
    text = head("hits") + (
        'explodes = 6\nshows = { hit = "face >= 5" }\n[action]\npool = { d6 = 1 }\n[[outcome]]\n'
        'key = "hit"\nwhen = "hit >= 4"\nwords = "Hit."\n[[outcome]]\nkey = "miss"\nwords = "No."\n'
    )
    game, one = compiled(text), defaultdict[int, Fraction](Fraction)
    for rolls, chance in rolls_of("d6"):
        one[sum(face >= 5 for face in rolls)] += chance
    all_three = sum(
        one[a] * one[b] * one[c] for a, b, c in product(one, one, one) if a + b + c >= 4
    )
    assert game.reckon(Question(Bag(d6=3))).outcomes["hit"] == all_three
    assert game.reckon(Question(Bag(d6=20))).outcomes["hit"] > Fraction(9, 10)


def test_odds_of_a_sum_of_many_exploding_dice() -> None:
    """The sum of all dice takes few steps, also of six dice that explode."""
    text = head("sum") + (
        "explodes = 6\n[action]\npool = { d6 = 6 }\nfigures = { sum = { highest = 9 } }\n"
        '[[outcome]]\nkey = "high"\nwhen = "sum >= 40"\nwords = "High."\n'
        '[[outcome]]\nkey = "low"\nwords = "Low."\n'
    )
    sums = {0: Fraction(1)}
    for _ in range(6):
        more: dict[int, Fraction] = defaultdict(Fraction)
        for (had, chance), (rolls, part) in product(sums.items(), rolls_of("d6")):
            more[had + sum(rolls)] += chance * part
        sums = more
    high = sum(chance for n, chance in sums.items() if n >= 40)
    assert compiled(text).reckon(Question(Bag(d6=6))).outcomes["high"] == high


def test_odds_count_thrown_dice_that_explode() -> None:
    """What a row on the roll throws explodes in the odds too."""
    text = head("thrown") + (
        "explodes = 6\n[action]\npool = { d6 = 1 }\nfigures = { best = { highest = 1 } }\n"
        'terms = { more = 0 }\ncounts = { total = "best + more" }\n'
        '[[outcome]]\nkey = "high"\nwhen = "total >= 9"\nwords = "High."\n'
        '[[outcome]]\nkey = "low"\nwords = "Low."\n'
        '[[whenever]]\non = "rolled"\nwhen = "best == 5"\ndo = [{ throw = { d6 = 1 }, '
        'figures = { a = { highest = 1 } } }, { shift = "more", n = "a" }]\n'
    )
    courses = list(rolls_of("d6"))
    high = Fraction(0)
    for rolls, chance in courses:
        high += chance * (sum(rolls) >= 9) + chance * (sum(rolls) >= 4) / 6
    assert compiled(text).reckon(Question(Bag(d6=1))).outcomes["high"] == high


def test_worth_of_a_reroll_of_exploding_dice(write: Write) -> None:
    """A die is rolled again whole where its first face is meant."""
    key = write(EXPLODING)
    (worth,) = game_stakes.further(key, *_opened(key))
    assert (worth.before["pass"], worth.after["pass"]) == (
        passed(enumerated()),
        passed(enumerated(again=True)),
    )


def _opened(key: str) -> tuple[Table, Check]:
    table = perform(read(ACTION)).table
    (check,) = table.checks.values()
    return table, check


class Dice:
    """Dice that show these faces in turn."""

    def __init__(self, faces: str) -> None:
        self.faces = [int(face) for face in faces.split()]

    def __call__(self, die: Die) -> int:
        """The next face."""
        return self.faces.pop(0)


def made(
    game: System, table: Table, seat: str, move: str, dice: Dice, **args: object
) -> tuple[Table, list[DiceRolled]]:
    """The table after a move, and its rolls; all the dice must have been rolled."""
    events: list[Event] = decide(game, table, seat, move, args, roll=dice)
    assert dice.faces == []
    for event in events:
        table = evolve(table, event)
    return table, [event for event in events if isinstance(event, DiceRolled)]


def test_exploding_dice_are_rolled_on(write: Write) -> None:
    """Those that explode together are one more throw; each further roll follows its die."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    table, rolls = made(game, table, "ann", "check.roll", Dice("6 6 2 6 1 5"))
    shown = [([one.face for one in roll.rolled], roll.why) for roll in rolls]
    assert shown == [([6, 6, 2], ""), ([6, 1], "It explodes"), ([5], "It explodes")]
    (check,) = table.checks.values()
    assert [one.face for one in check.rolled] == [6, 6, 5, 6, 1, 2]
    assert check.outcome is not None
    assert {name: check.outcome.net[name] for name in ("best", "sum")} == {"best": 17, "sum": 24}


def test_exploding_dice_end(write: Write) -> None:
    """A die is rolled eight times at most."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    table, rolls = made(game, table, "ann", "check.roll", Dice("6 1 2" + 7 * " 6"))
    assert len(rolls) == 8
    (check,) = table.checks.values()
    assert check.outcome is not None
    assert check.outcome.net["best"] == 48


def test_dice_rolled_again_explode(write: Write) -> None:
    """A die is rolled again with all its rolls, its first face decides, and it explodes again."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    table, _ = made(game, table, "ann", "check.roll", Dice("6 5 3 1 2"))
    table, rolls = made(game, table, "ann", "move.retry", Dice("6 4"))
    assert [[one.face for one in roll.rolled] for roll in rolls] == [[6], [4]]
    (check,) = table.checks.values()
    assert [(one.die, one.face) for one in check.rolled] == [
        *(("d6", 5), ("d6", 6), ("d6", 4)),
        *(("d4", 3), ("d4", 2)),
    ]
    assert check.outcome is not None
    assert check.outcome.net["best"] == 10


def test_thrown_dice_explode(write: Write) -> None:
    """A number read off thrown dice is made of all rolls."""
    game, table = systems.get(write(EXPLODING)), perform(read(SCENE)).table
    table, rolls = made(game, table, "gm", "move.toss", Dice("6 1 6 4"))
    assert [roll.why for roll in rolls] == ["Toss", "It explodes", "It explodes"]
    assert table.balance("luck") == 17


def test_typed_dice_are_rolled_on_by_the_program(write: Write) -> None:
    """One face is typed for each real die; the record of what the program rolls is its own."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    table, rolls = made(game, table, "ann", "check.roll", Dice("5"), faces="1 6 2")
    assert [list(roll.rolled) for roll in rolls] == [
        [Rolled("d6", 1, "hand"), Rolled("d6", 6, "hand"), Rolled("d4", 2, "hand")],
        [Rolled("d6", 5)],
    ]
    assert rolls[1].why == "It explodes, and the program rolls on"
    (check,) = table.checks.values()
    assert check.outcome is not None
    assert check.outcome.net["best"] == 11


def test_further_faces_of_real_dice_are_typed(write: Write) -> None:
    """They come after the first faces, in the order of their rolls, also where a move throws."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    rolled, rolls = made(game, table, "ann", "check.roll", Dice(""), faces="6 6 2 6 1 5")
    assert [[one.face for one in roll.rolled] for roll in rolls] == [[6, 6, 2], [6, 1], [5]]
    assert {one.source for roll in rolls for one in roll.rolled} == {"hand"}
    assert {roll.why for roll in rolls[1:]} == {"It explodes"}
    rolled, _ = made(game, rolled, "ann", "move.retry", Dice(""), faces="6 1 2 4")
    (check,) = rolled.checks.values()
    assert [one.face for one in check.rolled] == [6, 4, 1, 2]
    table, _ = made(game, perform(read(SCENE)).table, "gm", "move.toss", Dice(""), faces="6 1 5")
    assert table.balance("luck") == 12


def asked(key: str, table: Table, seat: str, move: str, faces: list[int]) -> list[str]:
    """The dice that the question for faces lists once these are typed, with their notes."""
    views = offer(systems.get(key), table, seat, move, {"faces": faces}).asks
    (ask,) = (one for one in views if one.kind == "faces")
    return [f"{one.label} {one.note}".strip() for one in ask.choices]


def test_question_lists_dice_that_explode(write: Write) -> None:
    """Typed faces bring the dice that explode, throw after throw; without such a face none."""
    key = write(EXPLODING)
    table, _ = _opened(key)
    ann = partial(asked, key, table, "ann", "check.roll")
    first = ["d6", "d6", "d4"]
    assert [ann([]), ann([6, 6]), ann([5, 1, 2])] == [[], [], []]
    exploding = [*first, "d6 die 1 explodes", "d6 die 2 explodes"]
    assert [ann([6, 6, 2]), ann([6, 6, 2, 6])] == [exploding, exploding]
    assert ann([6, 6, 2, 6, 1]) == [*exploding, "d6 die 4 explodes"]
    assert ann([6, 6, 2, 6, 1, 5]) == [*exploding, "d6 die 4 explodes"]
    assert ann([1, 2, 4]) == [*first, "d4 die 3 explodes"]
    game = systems.get(key)
    table, _ = made(game, table, "ann", "check.roll", Dice("6 1 2 5"))
    assert asked(key, table, "ann", "move.retry", []) == first
    assert asked(key, table, "ann", "move.retry", [6, 1, 2]) == [*first, "d6 die 1 explodes"]
    start = perform(read(SCENE)).table
    assert asked(key, start, "gm", "move.toss", [6, 3]) == [
        *("d6", "d4", "d6 die 1 explodes", "d4 die 2 explodes"),
    ]


@pytest.mark.parametrize("faces", ["6 6 2 6", "1 2 2 5", "6 1 2 3 4", "6 1"])
def test_wrong_number_of_further_faces_is_refused(write: Write, faces: str) -> None:
    """Too few and too many are refused, and nothing is rolled."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    with pytest.raises(Refused) as no:
        decide(game, table, "ann", "check.roll", {"faces": faces}, roll=Dice(""))
    assert (no.value.refusal.code, no.value.refusal.field) == ("argument", "faces")


def test_rolls_without_a_table_explode(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`storypool roll` rolls on, and takes or asks for the further faces of real dice."""
    key, shown = write(EXPLODING), Dice("5 0 1 3 5 0")
    monkeypatch.setattr(roll_answer, "randbelow", lambda n: shown(Die("d6", (Bag(),) * 6)))
    assert main(["roll", key, "2 d6 1 d4"]) == 0
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines()[1:-1]] == [
        *(["d6", "6", "-"], ["d6", "4", "-"], ["d6", "1", "-"]),
        *(["d4", "2", "-"],),
    ]
    assert main(["roll", key, "2 d6 1 d4", "--faces", "6 1 2 5"]) == 0
    assert "Much: 11." not in capsys.readouterr().out
    assert main(["roll", key, "2 d6 1 d4", "--faces", "6 1 2"]) != 0
    assert "1" in capsys.readouterr().err
    assert main(["roll", key, "2 d6 1 d4", "--faces", "5 1 2 3"]) != 0


def test_hidden_explosion_is_not_announced(write: Write) -> None:
    """Players read once that the GM rolls, whatever the hidden dice show."""
    game = systems.get(write(EXPLODING))
    scene = SCENE.replace("table bursts", "table bursts hidden_rolls=announced")
    scene += "seat gm mole:\ngm check.declare as=mole secret=yes\n"
    events = decide(
        game, perform(read(scene)).table, "gm", "check.roll", {}, roll=Dice("6 1 2 6 5")
    )
    rolls = [event for event in events if isinstance(event, DiceRolled)]
    assert [roll.seen_by for roll in rolls] == [GM_ONLY] * 3
    assert sum(isinstance(event, Said) for event in events) == 1


def test_exploding_dice_are_verifiable(write: Write) -> None:
    """The proof of a move covers each throw, and every die follows from the seed in order."""
    game, table = systems.get(write(EXPLODING)), perform(read(ACTION)).table
    drawing = BoundDice(Binding("a", 1, "", ()), "05" * 32, ())
    events = decide(game, table, "ann", "check.roll", {}, roll=drawing)
    rolls = [event for event in events if isinstance(event, DiceRolled)]
    assert len(rolls) > 1
    assert [one for roll in rolls for one in roll.rolled] == drawing.rolled
    proof = Bindings(MemoryStore()).proof(drawing, events, 0, game.dice, Numbers())
    assert proof is not None
    assert len(proof.rolls) == len(rolls)


def test_undo_takes_back_explosions(write: Write) -> None:
    """A roll with what exploded is one step."""
    write(EXPLODING)
    table = perform(read(f"{ACTION}ann check.roll dice 6 1 2 4\ngm table.undo\n")).table
    (check,) = table.checks.values()
    assert (check.phase, check.rolled) == ("build", ())


@pytest.mark.parametrize(
    ("explodes", "wrong"),
    [
        ("7", "The die has no face 7: its faces are 1 to 6."),
        ("[0, 6]", "The die has no face 0: its faces are 1 to 6."),
        ("[1, 2, 3, 4, 5, 6]", "This die would always explode: leave out at least one of its"),
        ('"6"', "A whole number without quotes is expected here"),
    ],
)
def test_wrong_faces_are_mistakes(explodes: str, wrong: str) -> None:
    """A face that the die lacks, and a die that explodes on every face, are named at the line."""
    (mistake,) = mistakes(EXPLODING.replace("explodes = 6", f"explodes = {explodes}"))
    line = EXPLODING.split("\n").index("explodes = 6") + 1
    assert (mistake.line, str(mistake).partition(wrong)[1]) == (line, wrong)
