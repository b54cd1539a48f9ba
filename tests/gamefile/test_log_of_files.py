"""The log of a game in a file: the author's words, each fact once."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.refusal import Refused
from storypool.gamefile.compiled import compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import ONE_DIE, Write, head, sit
from tests.gamefile.small_game import HARBOUR

LOGGED = (
    head("logged")
    + ONE_DIE
    + """
[[action.asks]]
name = "danger"
label = "How dangerous is it?"
number = [0, 3]
whose = "gm"
[points.momentum]
of = "players"
cap = 6
[points.point]
of = "character"
cap = 3
[trait.mark]
word = "Mark"
of = "character"
[trait.scar]
word = "Scar"
of = "character"
by = "rules"
[trait.bond]
word = "Bond"
of = "character"
rank = [1, 4]
[trait.rumour]
word = "Rumour"
hidden = true
[[outcome]]
key = "done"
words = "Done."
[[move]]
key = "tire"
title = "Tire them"
who = "gm"
when = "before the roll"
do = [{ lose = "point", of = "actor" }, { make = "scar", of = "actor", text = "A scar" }]
[[whenever]]
on = "rolled"
do = [{ gain = "momentum", n = 2 }, { gain = "point", n = 2 }]
"""
)


@pytest.fixture
def logged(write: Write) -> LocalTable:
    """A table of that game where Ann plays Kit."""
    return sit(systems.get(write(LOGGED)))


def test_log_has_each_fact_of_an_action_once(logged: LocalTable) -> None:
    """An action has no lines for its buttons; effects have a cause and the file's nouns."""
    logged.make("ann", "check.declare", {"as": "kit", "danger": 2})
    logged.make("mona", "check.decide", {"danger": 1})
    logged.make("ann", "check.roll", {"faces": (4,)})
    logged.make("ann", "check.close")
    suggested = "Ann suggests: 2 for “How dangerous is it?”. The GM has not agreed yet."
    assert [
        f"Kit: Try something, with 1 d6. How dangerous is it: 2. {suggested}",
        "How dangerous is it: 1.",
        "Ann rolled by hand d6 4.",
        "Kit: Done.",
        "2 more momentum (2 in all): what the roll brings.",
        "Kit gains 2 points (2 in all): what the roll brings.",
    ] == list(filter(None, logged.sentences("mona")))[-6:]


def test_losses_and_statements_read_as_such(logged: LocalTable) -> None:
    """What a move takes is lost, not spent; a statement has its kind where its text lacks it."""
    logged.make("mona", "points.correct", {"account": "kit.point", "to": 1, "why": "A start"})
    logged.make("ann", "check.declare", {"as": "kit", "danger": 0, "title": "Over the wall"})
    logged.make("mona", "check.agree")
    logged.make("mona", "move.tire")
    logged.make("mona", "move.mark_new", {"whom": "kit", "text": "Climb"})
    logged.make("mona", "move.mark_end", {"which": "Climb"})
    logged.make("ann", "check.roll", {"faces": (4,)})
    logged.make("ann", "check.close")
    lines = list(filter(None, logged.sentences("mona")))
    assert [
        "Mona: Tire them.",
        "Kit loses 1 point (0 left).",
        "Kit: A scar.",
        "Kit: Climb (mark).",
        "No longer true of Kit: Climb (End mark).",
    ] == lines[lines.index("Mona: Tire them.") :][:5]
    assert "“Over the wall” is done." == lines[-1]


def test_reveal_is_no_end_of_what_it_shows(logged: LocalTable) -> None:
    """A revealed statement is one new line for everybody, and not an end for the GM."""
    logged.make("mona", "move.rumour_new", {"text": "The well is dry"})
    (rumour,) = logged.state.of_kind("rumour")
    logged.make("mona", "move.rumour_reveal", {"which": rumour.id})
    for seat in ("mona", "ann"):
        assert "Rumour: The well is dry." == list(filter(None, logged.sentences(seat)))[-1]


def test_rank_is_in_the_line_of_its_change(logged: LocalTable) -> None:
    """A new rank is one line, without a second for the button that changes it."""
    logged.make("mona", "move.bond_new", {"whom": "kit", "text": "An old friend", "rank": 2})
    logged.make("mona", "move.bond_rank", {"which": "An old friend"})
    assert ["Bond of Kit: An old friend (rank 2).", "Kit: An old friend, now rank 3."] == (
        list(filter(None, logged.sentences("mona")))[-2:]
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A mark on the wall", "Kit: A mark on the wall."),
        ("Marked", "Kit: Marked."),
        ("A limp", "Kit: A limp (mark)."),
    ],
)
def test_statement_says_its_kind_once(logged: LocalTable, text: str, line: str) -> None:
    """Its word follows a text that lacks it, by any author."""
    logged.make("mona", "move.mark_new", {"whom": "kit", "text": text})
    assert line == list(filter(None, logged.sentences("mona")))[-1]


def test_statement_has_the_word_of_its_kind_once() -> None:
    """A statement that is called like its kind is not called so twice."""
    table = sit(compiled(HARBOUR).system)
    for text, line in (
        ("Ally", "Aid of Kit: Ally (rank 1)."),
        ("Bo", "Aid of Kit: Bo (Ally, rank 1)."),
    ):
        table.make("ann", "move.aid_new", {"text": text, "kind": "ally"})
        table.make("mona", "proposal.accept")
        assert line == list(filter(None, table.sentences("mona")))[-1]


def test_used_number_ends_without_a_line() -> None:
    """The action that took it has named it, so its end goes without saying."""
    table = sit(compiled(HARBOUR).system)
    table.make("ann", "move.ready")
    table.make("ann", "check.declare", {"as": "kit", "skill": "pilot"})
    assert "+2 Bonus on the next action (Get ready)" in list(table.sentences("ann"))[-1]
    table.make("ann", "check.roll", {"faces": [4]})
    assert not any("No longer true" in one for one in table.sentences("ann"))


def test_limit_is_a_sentence() -> None:
    """A move that was made as often as it can be says how often that is."""
    table = sit(compiled(HARBOUR).system)
    table.make("ann", "check.declare", {"as": "kit", "skill": "pilot"})
    table.make("ann", "check.roll", {"faces": [4]})
    table.make("ann", "move.gains", {"what": ["pay"]})
    with pytest.raises(Refused) as refused:
        table.make("ann", "move.gains", {"what": ["pay"]})
    assert "“What it brings” can be done once an action, and has been." == (
        refused.value.refusal.text
    )


def test_window_says_what_holds_now(write: Write) -> None:
    """A decision that is made is not one that comes later."""
    window = 'window = [{ who = "gm", moves = ["hard"] }, { who = "gm", moves = ["fair"] }]\n'
    moves = "".join(
        f'[[move]]\nkey = "{key}"\ntitle = "Say how {key} it is"\nwho = "gm"\n'
        f'when = "before the roll"\ndo = [{{ add = "d6" }}]\n'
        for key in ("hard", "fair")
    )
    text = LOGGED.replace(ONE_DIE, f"{ONE_DIE}{window}") + moves
    table = sit(systems.get(write(text)))
    table.make("ann", "check.declare", {"as": "kit", "danger": 0})
    table.make("mona", "check.agree")
    for made, sentence in (("fair", "Something else is decided first."), ("hard", "")):
        closed = table.offer("mona", f"move.{made}").closed
        assert sentence == (closed.text if closed is not None else "")
    table.make("mona", "move.hard")
    closed = table.offer("mona", "move.hard").closed
    assert closed is not None
    assert "That is decided already." == closed.text
