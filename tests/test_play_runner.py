"""The runner of plays: each statement works, and a broken one has its line and expectation."""

from __future__ import annotations

import pytest

from storypool import play
from storypool.engine.events import PeriodBegan, PointsSet, Rewound
from storypool.engine.fold import fold
from storypool.engine.game.system import System
from storypool.engine.table import GM_ONLY, Table
from storypool.play.stage import verify
from storypool.play.text import Acting, Fault, Opening, Seating
from storypool.systems import UnknownSystem
from storypool.words.languages import ENGLISH, Language
from tests.games.tiny import game as tiny

SCENE = """\
table tiny
seat gm side=gm
seat gm ogre: wits=2
seat ann pash: wits=4
seat bo side=spectator
points luck=2 pash.nerve=3
"""


def find(key: str, language: Language = ENGLISH) -> System:
    """The only game of these plays."""
    if key != "tiny":
        raise UnknownSystem(key, ("tiny",))
    return tiny.SYSTEM


def run(text: str) -> play.Performance:
    """The scene, and these statements after it."""
    return play.perform(play.read(SCENE + text, "scene.play"), find)


def broken(text: str) -> play.PlayError:
    """The error of the scene with these further statements."""
    with pytest.raises(play.PlayError) as wrong:
        run(text)
    return wrong.value


def test_play_runs_moves_with_dice() -> None:
    """It declares, spends, rolls given faces, and checks each kind of expectation."""
    performed = run("""
        ann check.declare as=pash pool="2 coin vs weight" => pool coin coin vs 1 weight, luck 2
        ann luck.spend => luck 1, pool 3C/W, owed doom 1
        ann check.roll dice 1 1 1 3 => passed, net heads 1, net tails -1, \
net flash 0, left heads 1, outcome by 1
        ann check.close => doom 1, trait omen, trait stirs rating=1, \
no trait omen rating=2, pash.nerve 3
        """)
    assert {"luck": 1, "doom": 1, "pash.nerve": 3} == performed.table.points.written()
    assert not performed.table.checks


def test_play_begins_inside_a_session() -> None:
    """A session and scene are already open, so the first move can be any."""
    assert ("session", "scene") == run("").table.running


def test_play_may_begin_the_session_itself() -> None:
    """If the first move starts a session, none is open before it."""
    performed = run("gm session.begin")
    assert 1 == performed.table.periods["session"]
    assert 1 == sum(
        isinstance(r.event, PeriodBegan) and r.event.kind == "session" for r in performed.records
    )


def test_seats_and_characters() -> None:
    """A seat without a side is a player's with any characters; a GM's are on that side."""
    performed = run('seat ann kez: name="Kez Orlo" wits=3\nseat gm spy: secret=yes wits=2')
    people = performed.table.characters
    assert "player" == performed.table.seats["ann"].side
    assert ("ann", "ann") == (people["pash"].seat, people["kez"].seat)
    assert ("Kez Orlo", {"wits": 3}) == (people["kez"].name, dict(people["kez"].sheet))
    assert ("gm", "", None) == (people["ogre"].side, people["ogre"].seat, people["ogre"].seen_by)
    assert ("gm", GM_ONLY) == (people["spy"].side, people["spy"].seen_by)
    assert {"wits": 2} == dict(people["spy"].sheet)


def test_points_may_be_set_anywhere() -> None:
    """`points` sets balances before and after the first move, and keeps movement counts."""
    performed = run("gm table.say text=hello\npoints luck=5 pash.nerve=0")
    moved = [e.delta for r in performed.records if isinstance(e := r.event, PointsSet)]
    assert [2, 3, 3, -3] == moved


def test_refusal_is_expected_by_its_code() -> None:
    """`refused: CODE` needs that reason in these words, and an unchanged table."""
    performed = run("""
        ann luck.spend => refused: when, luck 2
        ann check.declare as=pash pool=coin
        ann luck.spend
        ann luck.spend => refused: limit pushed already
        gm luck.spend => refused: identity
        """)
    assert 1 == performed.table.balance("luck")


def test_override_sets_a_refusal_aside() -> None:
    """`override` is passed on, and its refusal is recorded."""
    performed = run(
        "ann check.declare as=pash pool=coin\ngm check.declare as=ogre pool=weight override => pool"
        " weight"
    )
    assert 2 == len(performed.table.checks)


def test_proposal_is_made_and_settled() -> None:
    """`proposed` holds if a move waits for consent."""
    performed = run(
        'ann fact.add text="There is a hatch" => proposed, luck 1\ngm proposal.accept => trait'
        " hatch"
    )
    assert not performed.table.proposals


def test_seat_views() -> None:
    """`sees` and `not` search the log, table and offers of only one seat."""
    run("""
        gm trait.set text="The bridge is mined" secret=yes
        gm trait.set text='A storm is near' about=pash
        gm sees bridge is mined
        ann not bridge is mined
        ann sees "storm is near"
        bo not "Toss the coins"
        ann sees Toss the coins
        """)
    assert "bridge" in str(
        broken('gm trait.set text="The bridge is mined" secret=yes\nann sees bridge')
    )
    assert "storm" in str(broken("gm trait.set text='A storm is near'\nann not storm"))


def test_offers_and_closed_reasons() -> None:
    """`offers` and `closed` read the common offers, and `because` the first reason."""
    run("ann offers check.declare\nann closed check.roll\nann closed check.roll because when")
    assert "closed (when)" in broken("ann offers check.roll").found
    assert "check.declare open" == broken("ann closed check.declare").found
    assert "because limit" == broken("ann closed check.roll because limit").expected
    assert "no move called" in broken("ann offers check.fly").found
    run("ann closed check.roll because when nobody is trying")
    wrong = broken("ann closed check.roll because when no such words")
    assert "closed because when: Nobody is trying" in wrong.found
    assert "because when no such words" == wrong.expected


def test_offer_texts() -> None:
    """A seat reads the title, caution, and each question with its preset."""
    run(
        "ann offers check.declare => title Declare an action, no caution, asks as pash, asks pool"
        " '', no asks who"
    )
    warned = SCENE.replace("table tiny", "table tiny enforcement=warn")
    warned += "ann check.declare as=pash pool=coin\nann luck.spend\nann offers luck.spend => "
    against = (
        "Against the rules, but allowed at this table: Luck was pushed already in this action."
    )
    play.perform(play.read(f"{warned}caution '{against}'"), find)
    with pytest.raises(play.PlayError, match=f"this caution: “{against}”, expected nothing"):
        play.perform(play.read(f"{warned}no caution"), find)


def test_seat_without_waits() -> None:
    """`no waits` holds if a seat has no question or wait, or reads something else."""
    run("ann table.say text=a => no waits ann, no waits gm")
    run(
        "gm session.end => no waits ann session.begin, no waits gm check.roll, no waits gm 'Roll"
        " the dice.'"
    )


def test_rewind_returns_to_the_state_after_a_line() -> None:
    """`rewind LINE` restores that line's table by an event, and says if dice are undone."""
    performed = run(
        "ann check.declare as=pash pool=coin\n"
        "ann luck.spend => luck 1\n"
        "ann check.roll dice 1 1 => passed\n"
        "rewind 7\n"
        "ann luck.spend => luck 1, pool 2 coin\n"
    )
    rewound = [r.event for r in performed.records if isinstance(r.event, Rewound)]
    assert [True] == [event.dice for event in rewound]
    assert "line 3000" == broken("rewind 3000").found


def test_outcome_before_a_rewind_is_not_latest() -> None:
    """After a rewind the latest outcome is that of the current story."""
    assert (
        "no roll"
        == broken(
            "ann check.declare as=pash pool=coin\nann check.roll dice 1\nrewind 7\nann table.say"
            " text=a => passed"
        ).found
    )


def test_comments_quotes_and_commas() -> None:
    """A # starts a comment only before a word, and quotes keep spaces, commas, # and =>."""
    read = play.read(
        'table tiny # comment\n\n  # all of it\nann table.say text="a, b # c => d" to=x#1 => trait'
        ' "a, b"'
    )
    acting = read.statements[1]
    assert isinstance(acting, Acting)
    assert {"text": "a, b # c => d", "to": "x#1"} == acting.args
    assert (("trait", "a, b"),) == acting.expects
    assert 4 == acting.line


def test_statements_can_be_read() -> None:
    """A play's statements can be read without running it."""
    read = play.read(
        "table tiny odds=gm\nseat gm side=gm\nseat ann pash: wits=2\nann check.roll dice 1 2"
        " override"
    )
    opening, seating, character, acting = read.statements
    assert isinstance(opening, Opening)
    assert ("tiny", {"odds": "gm"}, True) == (opening.system, opening.options, opening.session)
    assert isinstance(seating, Seating)
    assert "gm" == seating.side
    assert isinstance(character, Seating)
    assert ("pash", {"wits": "2"}) == (character.character, character.entries)
    assert isinstance(acting, Acting)
    assert ((1, 2), True) == (acting.dice, acting.override)


def test_steps_stop_at_the_broken_one() -> None:
    """Each statement gives a step with its events, and nothing runs after a broken one."""
    performance = play.Performance(
        play.read(SCENE + "gm table.say text=a => luck 9\ngm table.say text=b"), find
    )
    steps = list(performance.steps())
    assert [1, 2, 3, 4, 5, 6, 7] == [step.line for step in steps]
    assert [None] * 6 == [step.problem for step in steps[:6]]
    assert "found luck 2, expected luck 9." == str(steps[-1].problem)
    assert 2 == len(steps[-1].events)


def test_step_keeps_the_refusal_that_broke_it() -> None:
    """An unexpected refusal is also data: its code, words and remedy."""
    performance = play.Performance(play.read(SCENE + "ann check.roll"), find)
    step = list(performance.steps())[-1]
    assert step.problem is not None
    assert step.refusal is not None
    assert "when" == step.refusal.code
    assert step.refusal.text in str(step.problem)


def test_play_log_gives_its_table() -> None:
    """The log is numbered from 1, and folds to the reached table."""
    performed = run(
        "ann check.declare as=pash pool=coin\nann check.roll dice 2 => failed\nann check.close\ngm"
        " table.undo"
    )
    assert list(range(1, len(performed.records) + 1)) == [r.seq for r in performed.records]
    assert performed.table == fold(performed.records)
    assert ["rolled"] == [c.phase for c in performed.table.checks.values()]


def test_log_of_another_table_is_a_fault() -> None:
    """A table that differs from its folded log is found at the end."""
    performed = run("gm table.say text=a")
    performed.table = Table()
    with pytest.raises(Fault, match="the table that was reached"):
        verify(performed)


@pytest.mark.parametrize(
    ("statement", "found", "expected"),
    [
        ("seat ann kez: witts=3", "“witts”", "such as wits"),
        ("seat ann kez: trade=smuggler", "“trade”", "an entry of the sheets of this game"),
        ("ann check.roll => passed", "refused (when)", "the move to be made"),
        (
            "ann check.roll => refused",
            "`refused`",
            "`refused: CODE`, with one of: identity, sight, window, when",
        ),
        ("ann check.roll => refused when", "`refused when`", "`refused: CODE`"),
        ("ann check.roll => refused:", "`refused:`", "agreed, limit"),
        ("gm table.say text=a => refused: when", "a move that was made", "it refused (when)"),
        ("ann check.roll => refused: limit", "refused (when)", "refused (limit)"),
        (
            "ann check.roll => refused: when no such words",
            "refused: Nobody is trying",
            "“no such words” in its reason",
        ),
        ("ann check.roll => trait omen, refused: limit", "refused (when)", "refused (limit)"),
        (
            "gm table.say text=a dice 1 => luck 9, refused: when",
            "a move that was made",
            "it refused (when)",
        ),
        ("ann table.say text=a => luck two", "“two” for luck", "a whole number"),
        ("ann table.say text=a => luk 2", "the balance “luk”", "doom, luck"),
        ("ann table.say text=a => nerve 2", "the balance “nerve”", "OWNER.nerve"),
        ("ann table.say text=a => kez.nerve 2", "the owner “kez”", "ogre, pash"),
        ("ann table.say text=a => pool coin", "no action going on", "an open action"),
        ("ann table.say text=a => trait omen", "no trait at all", "`trait omen`"),
        ("ann table.say text=a => waits", "the expectation", "`waits SEAT"),
        ("ann table.say text=a => waits zed check.roll", "the seat “zed”", "gm, ann, bo"),
        ("ann table.say text=a => waits ann check.roll", "ann reads: nothing", "check.roll"),
        ("gm session.end => waits gm check.roll", "gm reads: session.begin “", "check.roll"),
        ("gm session.end => waits ann 'Roll the dice.'", "ann reads: “", "Roll the dice."),
        ("ann table.say text=a => nothing at all here", "the expectation", "`pool NOTATION`"),
        ("ann table.say text=a => luck 2,", "an empty expectation", "`BALANCE n`"),
        (
            "ann table.say text=a => luck 2 => luck 2",
            "“=>” where nothing can be expected",
            "one “=>”",
        ),
        ("ann sees a => luck 2", "“=>” where nothing can be expected", "after a move"),
        (
            "ann closed check.roll => title a",
            "“=>” where nothing can be expected",
            "after `offers`",
        ),
        ("gm session.end => no waits gm", "gm reads: session.begin “", "`no waits gm`"),
        (
            "gm session.end => no waits gm session.begin",
            "gm reads: session.begin “",
            "`no waits gm session.begin`",
        ),
        (
            "gm session.end => no waits gm chek.roll",
            "“chek.roll” in what is waited for",
            "moves of this game",
        ),
        (
            "gm session.end => waits ann Roll the dice.",
            "“Roll” in what is waited for",
            "in quotation marks",
        ),
        ("gm session.end => no waits zed", "the seat “zed”", "gm, ann, bo"),
        ("ann offers check.declare pool", "“pool”", "`key=value`"),
        (
            "ann offers check.declare who=pash",
            "an answer to “who”",
            "a question of this move: as, pool",
        ),
        ("ann offers check.fly who=pash", "no move called", "a move of this game"),
        ("ann offers check.declare =>", "an empty expectation", "`title WORDS`"),
        (
            "ann offers check.declare => luck 2",
            "the expectation `luck 2`",
            "`caution WORDS`, `no caution`",
        ),
        (
            "ann offers check.declare => title Try",
            "check.declare with this title: “Declare an action”",
            "“Try”",
        ),
        (
            "ann offers check.declare => caution Hot",
            "check.declare with this caution: nothing",
            "“Hot”",
        ),
        (
            "ann offers check.declare => asks who",
            "check.declare with these questions: as, pool",
            "`asks who`",
        ),
        (
            "ann offers check.declare => no asks as",
            "check.declare with these questions: as, pool",
            "`no asks as`",
        ),
        (
            "ann offers check.declare => asks as ogre",
            "the question as that begins with “pash”",
            "“ogre”",
        ),
        (
            "ann offers check.declare => asks pool coin",
            "the question pool that begins with nothing",
            "“coin”",
        ),
        ("ann table.say text=a => proposed", "made at once", "a proposal"),
        ("ann table.say word", "“word”", "`key=value`"),
        ("ann table.say text=a text=b", "“text” twice", "each key once"),
        ("ann table.say text='a", "quotation mark left open", "closes it"),
        ("ann check.roll dice", "“dice” without a face", "each die"),
        ("ann check.roll dice six", "“six” for dice", "a whole number"),
        ("zed table.say text=a", "the seat “zed”", "gm, ann, bo"),
        ("ann table.fly", "no move called", "the move to be made"),
        ("points luck=6", "luck=6", "0 to 5"),
        ("points luck=-1", "luck=-1", "0 to 5"),
        ("points pash.luck=1", "the balance “pash.luck”", "luck"),
        ("seat ann side=gm", "a second seat called “ann”", "each seat once"),
        ("seat ann pash: wits=1", "a second character", "each character once"),
        ("seat ann kez: wits=7", "“wits=7”", "1 to 6"),
        ("seat ann kez: wits=high", "“wits=high”", "1 to 6"),
        ("seat ann kez: side=dark", "“side=dark”", "players, gm, none"),
        ("seat ann kez: secret=maybe", "“secret=maybe”", "yes or no"),
        ("seat ann kez: secret=yes", "“secret=yes” on side players", "no on any other"),
        ("seat cy side=judge", "“seat cy side=judge”", "gm|player|spectator"),
        ("seat cy", "“seat cy”", "`seat NAME side="),
        ("table tiny", "“table tiny”", "one `table SYSTEM` statement"),
        ("ann dances", "“ann dances”", "SEAT MOVE"),
        ("rewind", "“rewind”", "`rewind LINE`"),
        ("rewind soon", "“soon” for rewind", "a whole number"),
    ],
)
def test_broken_statement_is_fully_described(statement: str, found: str, expected: str) -> None:
    """It names its file, line, found value and expectation."""
    wrong = broken(statement)
    assert ("scene.play", 7) == (wrong.file, wrong.line)
    assert found in wrong.found
    assert expected in wrong.expected
    assert str(wrong).startswith("scene.play:7: found ")


@pytest.mark.parametrize(
    ("dice", "found", "expected"),
    [
        ("", "a move that rolls (a coin die first)", "`dice F ...`"),
        ("dice 1", "1 face", "one more at least, for a weight die"),
        ("dice 1 2 1", "3 faces", "2, as many as were rolled"),
        ("dice 3 1", "face 3 as number 1", "1 to 2, for a coin die"),
        ("dice 1 0", "face 0 as number 2", "1 to 3, for a weight die"),
    ],
)
def test_dice_must_fit_the_pool(dice: str, found: str, expected: str) -> None:
    """Faces are in the pool's printed order, one for each die and valid for it."""
    rolled = f"ann check.declare as=pash pool=coin/weight\nann check.roll {dice}"
    wrong = broken(rolled)
    assert (8, found) == (wrong.line, wrong.found)
    assert expected in wrong.expected
    # Where it should not be made at all, that comes first.
    assert "a move that was made" == broken(f"{rolled} => refused: limit").found


def test_wrong_outcome_fails() -> None:
    """Each wrong expectation of a roll fails."""
    rolled = "ann check.declare as=pash pool=coin\nann check.roll dice 2 => "
    assert "failed" == broken(rolled + "passed").found
    assert "net tails 1" == broken(rolled + "net tails 2").found
    assert "net heads -1" == broken(rolled + "net heads 1").found
    assert "the axis “hearts”" == broken(rolled + "net hearts 1").found
    assert "left tails 1" == broken(rolled + "left tails 0").found
    assert "the symbol “hearts”" == broken(rolled + "left hearts 0").found
    assert "owed doom 0" == broken(rolled + "owed doom 1").found
    assert "the outcome “Tails by 1.”" == broken(rolled + "outcome Heads").found
    assert "the pool 1 coin" == broken(rolled + "pool 2 coin").found
    assert "“hearts” is not a die of this game" in broken(rolled + "pool 2 hearts").found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "nothing"),
        ("seat gm side=gm", "“seat gm side=gm”"),
        ("table chess", "the game “chess”"),
        ("table tiny a=b", "no option"),
    ],
)
def test_play_opens_with_a_known_game(text: str, found: str) -> None:
    """A play without a table of a known game is broken at its first line."""
    with pytest.raises(play.PlayError) as wrong:
        play.perform(play.read(text), find)
    assert 1 == wrong.value.line
    assert found in wrong.value.found
