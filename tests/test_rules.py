"""The rules engine: reasons, offers, questions, limits, prices, overrides, proposals and bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.engine.events import (
    CharacterSet,
    CheckOpened,
    Event,
    MoveMade,
    PointsSet,
    Proposed,
    Said,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.fold import fold
from storypool.engine.game.asks import (
    LONGEST_TEXT,
    MAX_ENTRIES,
    Ask,
    Choice,
    ChoiceAsk,
    FlagAsk,
    NumberAsk,
    TextAsk,
)
from storypool.engine.game.faces_ask import MAX_FACES
from storypool.engine.game.kit import Account, Option
from storypool.engine.game.moves import Condition, Limit, Move, move
from storypool.engine.game.turn import Turn
from storypool.engine.offers import offer, offers
from storypool.engine.refusal import Refusal
from storypool.engine.sight import audience, may_see, seen, view
from storypool.engine.table import GM_ONLY, Audience, Check, Trait
from storypool.words import Words
from storypool.words.folding import alike, composed
from tests.games.tiny import game as tiny
from tests.sample_table import Evening

SYSTEM = tiny.SYSTEM


def with_moves(*moves: Move) -> Evening:
    """A table of the tiny game with these further moves."""
    words = {f"no.limit.{name}": "That was used up." for name in ("bell", "horn", "drum")}
    return Evening(
        replace(SYSTEM, moves=(*SYSTEM.moves, *moves), words=Words({**SYSTEM.words, **words}))
    )


def asking(*asks: Ask) -> Evening:
    """A table with a move `test.ask` that has these questions and repeats the answers."""

    @move("test.ask", asks=asks)
    def ask(turn: Turn) -> Iterator[Event]:
        """Ask"""
        yield Said(
            turn.seat.id, repr({key: value for key, value in turn.args.items() if key != "check"})
        )

    return with_moves(ask)


def answered(evening: Evening, **args: object) -> object:
    """The answers that `test.ask` understood from these arguments."""
    events = evening.make("ann", "test.ask", args)
    assert isinstance(events[0], MoveMade)
    return dict(events[0].args)


# Questions and their answers.


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        ("text", "  two \n words\t", "two words"),
        ("text", "x" * LONGEST_TEXT, "x" * LONGEST_TEXT),
        ("text", "a\x00b\u202ec\ud800d", "a b c d"),
        # The joiner of an emoji stays, and joins nothing else.
        *(("text", one, one) for one in ("👨‍👩‍👧 Rey", "Mae 🧙🏽‍♀️", "🏳️‍🌈", "🙂‍↔️")),
        ("text", "a\u200db 👩\u200d \u200d👩 \u200b👩\u200f", "a b 👩 👩 👩"),
        ("number", 7, 7),
        ("number", " 7 ", 7),
        ("number", "٧", 7),
        ("number", "0", 0),
        ("number", "１２", 12),
        ("text", "Zoe\u0308", "Zoë"),
        ("flag", "ＹＥＳ", True),
        ("flag", "No", False),
        ("faces", "１，２ ٣", (1, 2, 3)),
        ("pool", "２ＣＣ／Ｗ", "3 coin vs 1 weight"),
        ("sheet", "Wits=3", "wits=3"),
        ("sheet", "wits: 3", "wits=3"),
        ("sheet", "• ＷＩＴＳ\t３;\n", "wits=3"),
        ("sheet", "Traits: wits 3", "wits=3"),
        ("sheet", {"Wits": "３"}, "wits=3"),
        ("choice", "ＴＷＯ", "two"),
        ("choice", "the\u00a0sécond", "two"),
        ("flag", True, True),
        ("flag", "yes", True),
        ("flag", "off", False),
        ("flag", 0, False),
        ("faces", "1, 2 3", (1, 2, 3)),
        ("faces", [1, "2"], (1, 2)),
        ("pool", "CC/W", "2 coin vs 1 weight"),
        ("pool", "weight 2 coin", "2 coin vs 1 weight"),
        ("sheet", " wits=3 ", "wits=3"),
        ("sheet", {"wits": 3}, "wits=3"),
        ("sheet", "wits=03", "wits=3"),
        ("choice", "one", "one"),
        ("choice", " The First ", "one"),
        ("choice", "the second", "two"),
        # An exact value is meant before a label that reads the same.
        ("choice", "three", "three"),
    ],
)
def test_answer_is_normalized(kind: str, raw: object, value: object) -> None:
    """People's and programs' spellings become one plain value."""
    assert {"a": value} == answered(asking(_ask(kind)), a=raw)


@pytest.mark.parametrize(
    ("kind", "raw", "code"),
    [
        ("text", "x" * (LONGEST_TEXT + 1), "a text of at most 400 characters"),
        ("text", 7, "a text"),
        ("text", ["a"], "a text"),
        ("text", " \n ", "needs an answer"),
        ("text", "\x00", "needs an answer"),
        ("text", "", "needs an answer"),
        ("text", None, "needs an answer"),
        ("number", 100, "from 0 to 99, not “100”"),
        ("number", -1, "from 0 to 99, not “-1”"),
        ("number", "--1", "a whole number"),
        ("number", "1.0", "a whole number"),
        ("number", 1.0, "a whole number"),
        ("number", True, "a whole number"),
        ("number", "9" * 5000, "a whole number"),
        ("number", 10**40, "a whole number"),
        ("number", "²", "a whole number"),
        ("flag", "maybe", "yes or no, not “maybe”"),
        ("flag", [True], "yes or no"),
        ("faces", "1 two", "takes one face for each die"),
        ("faces", [1, -2], "takes one face for each die"),
        ("faces", {"1": 2}, "takes one face for each die"),
        ("faces", [1] * (MAX_FACES + 1), "takes one face for each die"),
        ("pool", "2 zoyn", "“zoyn” is not a die of this game (character 3)."),
        ("pool", "C" * 10**6, "at most 200 characters"),
        ("sheet", "wits", "from 1 to 6, not “”"),
        ("sheet", "wits=7", "from 1 to 6, not “7”"),
        ("sheet", "wits=0", "from 1 to 6, not “0”"),
        ("sheet", "brawn=1", "There is no “brawn” on the sheets"),
        ("sheet", "wit=1", "There is no “wit” on the sheets of this game. Did you mean wits?"),
        ("sheet", {"wits": -1}, "from 1 to 6, not “-1”"),
        ("sheet", {"wits": 10**30}, "from 1 to 6"),
        ("sheet", "=3", "written key=number"),
        ("sheet", "a.b=3", "There is no “a.b” on the sheets"),
        ("sheet", "wits 3, lots of them", "“lots of them” is not"),
        ("sheet", "Wits (Wits) 3", "is two entries of the sheet, Wits and Wits"),
        ("sheet", 3, "written key=number"),
        ("sheet", {f"k{n}": 1 for n in range(MAX_ENTRIES + 1)}, "at most 80 entries"),
        ("choice", "nine", "cannot be “nine”; choose one of: The first, The second, three, x."),
        ("choice", "the frist", "cannot be “the frist”. Did you mean The first?"),
        ("choice", ["one"], "cannot be"),
        ("choice", "x" * 10**5, "choose one of"),
    ],
)
def test_invalid_answer_is_refused(kind: str, raw: object, code: str) -> None:
    """It is refused with its field, the found and the expected value, in short."""
    no = asking(_ask(kind)).refused("ann", "test.ask", a=raw)
    assert ("argument", "a") == (no.code, no.field)
    assert code in no.text
    assert len(no.text) < 300


def _ask(kind: str) -> Ask:
    choices = (
        Choice("one", "The first"),
        Choice("two", "The second"),
        Choice("label", "three"),
        Choice("three", "x"),
    )
    if kind == "choice":
        return ChoiceAsk("a", "The answer", lambda _: choices)
    return next(one for one in Ask.__subclasses__() if one.kind == kind)("a", "The answer")


@given(st.text(max_size=80))
def test_free_choice_takes_custom_text(text: str) -> None:
    """It accepts plain printable text of up to 60 characters on one line."""
    evening = asking(
        ChoiceAsk("a", "Skill", lambda _: [Choice("one", "One")], free=True, needed=False)
    )
    text = composed(text)
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if plain and len(text.strip()) <= 60:
        value = answered(evening, a=text)
        assert isinstance(value, dict)
        # "none" leaves open what may stay open.
        word = value.get("a", "one") if alike(plain) == "none" else value["a"]
        assert word in (plain, "one")
        assert word.isprintable()
    elif text:
        assert "argument" == evening.refused("ann", "test.ask", a=text).code


def test_unknown_argument_lists_known_ones() -> None:
    """It is an error, so that a typo never passes for an answer."""
    no = asking(_ask("text")).refused("ann", "test.ask", a="x", b="y")
    assert ("argument", "b") == (no.code, no.field)
    assert "“b” is not a question here; the questions are: a." == no.text


def test_default_replaces_a_missing_answer() -> None:
    """A fixed or computed default is used, and so is a single choice."""
    evening = asking(
        NumberAsk("n", "N", default=3),
        ChoiceAsk("who", "Who?", lambda t: [Choice(c, c) for c in t.table.characters][:1]),
        TextAsk("seat", "Seat", default=lambda t: t.seat.id),
        TextAsk("more", "More", needed=False),
    )
    assert {"n": 3, "who": "pash", "seat": "ann"} == answered(evening)
    views = {view.name: view.default for view in evening.offer("ann", "test.ask").asks}
    assert {"n": 3, "who": "pash", "seat": "ann", "more": None} == views


def test_later_questions_follow_answers() -> None:
    """Answers decide on later questions and choices, as the offer of arguments shows."""
    evening = asking(
        ChoiceAsk("kind", "Kind", lambda _: [Choice("a", "A"), Choice("b", "B")]),
        ChoiceAsk(
            "what", "What?", lambda t: [Choice(f"{t.text('kind')}{n}", "x") for n in range(2)]
        ),
        TextAsk("why", "Why?", shown=lambda t: t.text("kind") == "b"),
    )
    assert ["kind", "what"] == [view.name for view in evening.offer("ann", "test.ask").asks]
    asked = offer(evening.system, evening.table, "ann", "test.ask", {"kind": "b"}).asks
    assert ["kind", "what", "why"] == [view.name for view in asked]
    assert ["b0", "b1"] == [choice.value for choice in asked[1].choices]
    assert "why" == evening.refused("ann", "test.ask", kind="b", what="b1").field
    assert "what" == evening.refused("ann", "test.ask", kind="b", what="a1", why="so").field


def test_lost_answer_is_refused() -> None:
    """An unasked question takes only an empty answer, its fixed default or the current fact."""
    evening = asking(
        TextAsk("why", "Why?", shown=lambda _: False, default="so", known=lambda _: "it is"),
        NumberAsk("n", "How many?", shown=lambda _: False, default=lambda _: 3),
        ChoiceAsk("who", "Who?", lambda _: [Choice("a", "A")], shown=lambda _: False),
    )
    for harmless in (
        {"why": "so"},
        {"why": "it is"},
        {"why": "None"},
        {"n": 0},
        {"who": "none"},
        {"n": "no", "who": 0},
    ):
        assert {} == answered(evening, **harmless)
    for lost in ({"why": "because"}, {"n": 3}, {"who": "a"}):
        no = evening.refused("ann", "test.ask", **lost)
        assert ("argument", next(iter(lost))) == (no.code, no.field)
        assert "would be lost" in no.text


def test_none_skips_an_optional_question() -> None:
    """Without a default "none" is not an answer, except to a choice of that name."""
    evening = asking(
        ChoiceAsk("who", "Who?", lambda _: [Choice("a", "A")], needed=False, free=True),
        NumberAsk("n", "How many?", low=1, needed=False),
        NumberAsk("from", "From?", needed=False),
        ChoiceAsk(
            "what", "What?", lambda _: [Choice("none", "Nothing"), Choice("b", "B")], needed=False
        ),
    )
    assert {} == answered(evening, who="None", n=0)
    assert {"from": 0, "what": "none"} == answered(evening, **{"from": 0, "what": "none"})
    assert {"who": "no one"} == answered(evening, who="no one")
    evening = asking(
        ChoiceAsk("who", "Who?", lambda _: [Choice("a", "A")], default="a", needed=False)
    )
    assert "who" == evening.refused("ann", "test.ask", who="none").field


def test_unused_choices_are_not_computed() -> None:
    """An optional question needs no choices; a required one may need a single one."""
    made = list[str]()

    def choices(turn: Turn) -> list[Choice]:
        made.append(turn.key)
        return [Choice("a", "A")]

    assert {} == answered(asking(ChoiceAsk("who", "Who?", choices, needed=False)))
    assert [] == made
    assert {"who": "a"} == answered(asking(ChoiceAsk("who", "Who?", choices)))
    assert {"who": "a"} == answered(
        asking(ChoiceAsk("who", "Who?", choices, needed=False, first=True))
    )
    assert ["test.ask", "test.ask"] == made


def test_implied_answer_may_be_omitted() -> None:
    """An answer may imply that of an earlier question."""
    evening = asking(
        ChoiceAsk("how", "How?", lambda _: [Choice("a", "A"), Choice("b", "B")], needed=False),
        TextAsk(
            "why", "Why?", needed=False, shown=lambda t: t.text("how") == "b", implies=("how", "b")
        ),
    )
    assert {"how": "b", "why": "so"} == answered(evening, why="so")
    assert {} == answered(evening, why="none")
    assert "why" == evening.refused("ann", "test.ask", how="a", why="so").field


def test_quiet_question_uses_its_default() -> None:
    """People are never asked, but a program may answer it."""
    evening = asking(NumberAsk("to", "To", default=4, quiet=True))
    assert () == evening.offer("ann", "test.ask").asks
    assert {"to": 4} == answered(evening)
    assert {"to": 5} == answered(evening, to=5)


# Why not.


def test_reasons_are_ordered() -> None:
    """They are window, when, limit, only_if and price, and the first is the answer."""

    def no(text: str) -> Condition:
        return lambda turn: Refusal("", text)

    @move(
        "bell.ring",
        window=no("Not your turn."),
        when=no("Not now."),
        limit=Limit("bell", ("session",), 0),
        only_if=[no("Not so."), no("Nor so.")],
        price=Bag(luck=9),
        rule="Bells",
    )
    def ring(turn: Turn) -> Iterator[Event]:
        """Ring the bell"""
        yield Said(turn.seat.id, "ding")

    evening = with_moves(ring)
    evening.toss()
    listed = evening.offer("ann", "bell.ring").all_closed
    assert ["window", "when", "limit", "only_if", "only_if", "price"] == [
        one.code for one in listed
    ]
    assert [True] * 5 + [False] == [one.overridable for one in listed]
    assert {"Bells"} == {one.rule for one in listed}
    assert (
        evening.offer("ann", "bell.ring").closed == listed[0] == evening.refused("ann", "bell.ring")
    )
    assert "price" == evening.refused("mona", "bell.ring", override=True).code


def test_identity_cannot_be_overridden() -> None:
    """Unknown seats and moves, and moves of another side, are refused at every level."""
    for level in ("strict", "warn", "log"):
        evening = Evening(enforcement=level)
        assert "identity" == evening.refused("nobody", "table.say", text="x", override=True).code
        assert "identity" == evening.refused("ann", "session.end", override=True).code
        assert "unknown" == evening.refused("ann", "no.such", override=True).code
        evening.make("bo", "seat.remove")
        assert "identity" == evening.refused("bo", "table.say", text="x", override=True).code
        assert [] == offers(evening.system, evening.table, "bo")


def test_missing_action_cannot_be_overridden() -> None:
    """A move about it is closed at every level, also to the GM."""
    for level in ("strict", "warn", "log"):
        evening = Evening(enforcement=level)
        no = evening.refused("mona", "check.roll", override=True)
        assert ("when", False) == (no.code, no.overridable)
        assert no == evening.offer("mona", "check.roll").closed


def test_hidden_action_is_refused_like_a_missing_one() -> None:
    """A named action out of sight is refused by sight at every level."""
    evening = Evening(enforcement="log")
    evening.make("mona", "character.add", name="Lurker", secret=True)
    hidden = evening.toss("mona", "lurker")
    assert evening.refused("ann", "check.roll", check="c99") == evening.refused(
        "ann", "check.roll", check=hidden
    )
    assert "sight" == evening.refused("ann", "check.roll", check=hidden).code


def test_move_uses_the_named_or_latest_action() -> None:
    """Among open actions it is the named one, or the latest that the seat sees."""
    evening = Evening(enforcement="log")
    first, second = evening.toss(), evening.toss("bo", "oska")
    evening.make("mona", "character.add", name="Lurker", secret=True)
    hidden = evening.toss("mona", "lurker")
    for seat, args, meant in (
        ("ann", {"check": first}, first),
        ("ann", {}, second),
        ("mona", {"check": hidden}, hidden),
    ):
        made = evening.make(seat, "check.roll", args)[0]
        assert isinstance(made, MoveMade)
        assert meant == made.check


def test_gm_names_one_of_two_actions() -> None:
    """A GM who sees a hidden and an open action is asked which, by id or title."""
    evening = Evening(enforcement="log")
    evening.toss()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    hidden = evening.toss("mona", "lurker")
    no = evening.refused("mona", "check.roll")
    assert ("argument", "check") == (no.code, no.field)
    assert "Two actions are open" in no.text
    evening.make("mona", "check.roll", {"check": hidden})
    assert "rolled" == evening.table.checks[hidden].phase


def test_only_possible_action_needs_no_name() -> None:
    """Of a hidden and an open action the possible one is used, in offer and move."""
    evening = Evening(enforcement="log")
    opened = evening.toss()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    hidden = evening.toss("mona", "lurker")
    evening.make("mona", "check.roll", {"check": hidden})
    assert evening.offer("mona", "check.close").closed is None
    evening.make("mona", "check.roll")
    assert "rolled" == evening.table.checks[opened].phase
    assert "check" == evening.refused("mona", "check.close").field
    evening.make("mona", "check.close", {"check": opened})
    evening.make("mona", "check.close")
    assert not evening.table.checks


# Limits.


def _bell(*limits: Limit, **more: object) -> Move:
    @move("bell.ring", limit=limits, **more)  # type: ignore[arg-type]
    def ring(turn: Turn) -> Iterator[Event]:
        """Ring the bell"""
        yield Said(turn.seat.id, "ding")

    return ring


@pytest.mark.parametrize(
    ("per", "n", "others"),
    [
        (("session", "seat"), 1, {"bo": True, "mona": True}),
        (("session", "side"), 1, {"bo": False, "mona": True}),
        (("session",), 1, {"bo": False, "mona": False}),
        (("session", "seat"), 2, {"bo": True}),
    ],
)
def test_limit_counts_in_its_scope(per: tuple[str, ...], n: int, others: dict[str, bool]) -> None:
    """A limit of n allows the nth use and refuses the next in its scope only."""
    evening = with_moves(_bell(Limit("bell", per, n)))
    for _ in range(n):
        evening.make("ann", "bell.ring")
    assert "limit" == evening.refused("ann", "bell.ring").code
    for seat, may in others.items():
        assert may == (evening.offer(seat, "bell.ring").closed is None)


def test_game_masters_share_a_seat_limit() -> None:
    """They have one use together of what is allowed each seat."""
    evening = with_moves(_bell(Limit("bell", ("session", "seat"))))
    evening.keep([house.take_seat(evening.system, evening.table, "Milo", "gm")], "milo")
    evening.make("mona", "bell.ring")
    assert "limit" == evening.refused("milo", "bell.ring").code


def test_limit_restarts_with_its_period() -> None:
    """A scene's limit is free in the next scene, a session's only in the next session."""
    evening = with_moves(_bell(Limit("bell", ("scene",)), Limit("horn", ("session",), 2)))
    evening.make("ann", "bell.ring")
    evening.make("mona", "scene.begin")
    evening.make("ann", "bell.ring")
    evening.make("mona", "scene.begin")
    assert "limit" == evening.refused("ann", "bell.ring").code
    evening.make("mona", "session.end")
    evening.make("mona", "session.begin")
    evening.make("ann", "bell.ring")


def test_action_limit_needs_an_action() -> None:
    """Outside its scope a limit does not bind, and each action has its own."""
    evening = with_moves(_bell(Limit("bell", ("check",))))
    evening.make("ann", "bell.ring")
    evening.make("ann", "bell.ring")
    evening.toss()
    evening.make("ann", "bell.ring")
    assert "limit" == evening.refused("bo", "bell.ring").code
    evening.make("ann", "check.roll")
    evening.make("ann", "check.close")
    evening.toss()
    evening.make("bo", "bell.ring")


def test_two_moves_may_share_a_limit() -> None:
    """Moves of one group use up one limit together, and each use is recorded."""

    @move("horn.blow", limit=Limit("bell", ("session",)))
    def blow(turn: Turn) -> Iterator[Event]:
        """Blow the horn"""
        yield Said(turn.seat.id, str(Limit("bell", ("session",)).used(turn)))

    evening = with_moves(_bell(Limit("bell", ("session",))), blow)
    sentence = evening.make("ann", "horn.blow")[-1]
    assert isinstance(sentence, Said)
    assert "1" == sentence.text
    assert "limit" == evening.refused("bo", "bell.ring").code


# Prices and balances.


def test_price_is_paid_before_the_body() -> None:
    """It is paid before the move's effects, and is on the ledger by its title."""
    evening = Evening()
    evening.toss()
    made = evening.make("ann", "luck.spend")
    assert isinstance(made[1], PointsSet)
    assert ("luck", 2, -1, "Spend luck for a coin more") == (
        made[1].account,
        made[1].balance,
        made[1].delta,
        made[1].why,
    )
    assert Bag(doom=1) == evening.table.checks[list(evening.table.checks)[-1]].owed


@pytest.mark.parametrize("level", ["strict", "warn", "log"])
def test_price_is_never_waived(level: str) -> None:
    """Who cannot pay is refused at any level, even with an override; nothing is clamped."""
    evening = Evening(enforcement=level)
    evening.make("mona", "points.correct", account="luck", to=0, why="none left")
    evening.toss()
    for override in (False, True):
        no = evening.refused("ann", "luck.spend", override=override)
        assert ("price", False) == (no.code, no.overridable)
        assert "That costs 1 luck; there is none." == no.text
    assert 0 == evening.table.balance("luck")


def _pouring(n: int, **account: object) -> Evening:
    @move("pot.fill", asks=[NumberAsk("n", "How many?", default=n, high=99)])
    def fill(turn: Turn) -> Iterator[Event]:
        """Fill the pot"""
        yield from turn.change("pot", turn.number("n"))

    @move("pot.drain")
    def drain(turn: Turn) -> Iterator[Event]:
        """Drain the pot"""
        yield from turn.change("pot", -1)

    accounts = (*SYSTEM.accounts, Account("pot", **account), Account("pond"))  # type: ignore[arg-type]
    return Evening(replace(SYSTEM, moves=(*SYSTEM.moves, fill, drain), accounts=accounts))


def test_cap_refuses_excess() -> None:
    """If an account refuses excess, the whole move is refused without a change."""
    evening = _pouring(4, cap=3)
    assert "There is room for 3 pots at most." in evening.refused("ann", "pot.fill").text.replace(
        "pot ", "pots "
    )
    assert 0 == evening.table.balance("pot")
    evening.make("ann", "pot.fill", n=3)
    assert 3 == evening.table.balance("pot")


@pytest.mark.parametrize(("overflow", "pond"), [("lost", 0), ("pond", 2)])
def test_cap_overflow_follows_the_account(overflow: str, pond: int) -> None:
    """Excess is lost, or goes to the named account with a line of its own."""
    evening = _pouring(5, cap=3, overflow=overflow)
    events = evening.make("ann", "pot.fill")
    assert (3, pond) == (evening.table.balance("pot"), evening.table.balance("pond"))
    changes = [(event.account, event.delta) for event in events if isinstance(event, PointsSet)]
    assert [("pot", 3), ("pond", 2)][: 1 + bool(pond)] == changes
    evening.make("ann", "pot.fill", n=1)
    assert (3, pond + bool(pond)) == (evening.table.balance("pot"), evening.table.balance("pond"))


def test_cap_may_depend_on_its_owner() -> None:
    """A computed cap is evaluated for the table each time."""
    evening = _pouring(1, cap=lambda table, owner: len(table.characters))
    evening.make("ann", "pot.fill", n=2)
    assert "price" == evening.refused("ann", "pot.fill").code
    evening.make("ann", "character.add", name="One more")
    evening.make("ann", "pot.fill")
    assert 3 == evening.table.balance("pot")


def test_floor_is_zero() -> None:
    """No body lowers a balance below zero: the move is refused like a price, even if forced."""
    evening = _pouring(1)
    for override in (False, True):
        assert "price" == evening.refused("mona", "pot.drain", override=override).code


# Levels and overrides.


def test_strict_override_is_recorded() -> None:
    """At a strict table a rule refuses; the GM's override records the refused sentence."""
    evening = Evening()
    evening.toss()
    no = evening.refused("mona", "check.declare", {"as": "oska", "pool": "coin"})
    assert ("only_if", True) == (no.code, no.overridable)
    evening.make("mona", "character.add", name="Guard")
    made = evening.make("mona", "check.declare", {"as": "guard", "pool": "coin"}, override=True)
    assert isinstance(made[0], MoveMade)
    assert (no.text,) == made[0].set_aside


@pytest.mark.parametrize("level", ["warn", "log"])
def test_warn_and_log_record_the_reason(level: str) -> None:
    """Both levels make the move and record the reason; only `warn` shows it on the offer."""
    evening = Evening(enforcement=level)
    evening.toss()
    one = evening.offer("bo", "check.declare")
    assert one.closed is None
    sentence = "Against the rules, but allowed at this table: An action is still going on: a toss."
    assert (sentence if level == "warn" else "") == one.caution
    made = evening.make("bo", "check.declare", {"as": "oska", "pool": "coin"})
    assert isinstance(made[0], MoveMade)
    assert ("An action is still going on: a toss.",) == made[0].set_aside


def test_players_override_asks_the_gm() -> None:
    """It is a proposal with the refusals, and is carried out on the GM's consent."""
    evening = Evening()
    evening.toss()
    made = evening.make("bo", "check.declare", {"as": "oska", "pool": "coin"}, override=True)
    proposed = made[1]
    assert isinstance(proposed, Proposed)
    assert ("An action is still going on: a toss.",) == proposed.proposal.set_aside
    assert 1 == len(evening.table.checks)
    evening.make("mona", "proposal.accept")
    assert [("pash", "ann"), ("oska", "bo")] == [
        (c.actor, c.by) for c in evening.table.checks.values()
    ]


def test_needless_override_is_a_normal_move() -> None:
    """Without a refusal an override is only the move of its seat."""
    evening = Evening()
    made = evening.make("ann", "check.declare", {"as": "pash", "pool": "coin"}, override=True)
    assert isinstance(made[0], MoveMade)
    assert () == made[0].set_aside
    assert 1 == len(evening.table.checks)


def test_override_accepts_no_bad_argument() -> None:
    """Unknown names, missing answers and numbers out of range stay refused."""
    evening = Evening()
    assert (
        "argument"
        == evening.refused(
            "ann", "check.declare", {"as": "nobody", "pool": "coin"}, override=True
        ).code
    )
    assert (
        "argument"
        == evening.refused(
            "mona", "points.correct", account="luck", to=-1, why="x", override=True
        ).code
    )
    assert (
        "price"
        == evening.refused(
            "mona", "points.correct", account="luck", to=6, why="x", override=True
        ).code
    )


# Proposals.


def fact(evening: Evening, text: str = "There is a cellar") -> str:
    """The id of Ann's proposal of a fact."""
    evening.make("ann", "fact.add", text=text)
    return list(evening.table.proposals)[-1]


def test_proposal_reserves_its_price() -> None:
    """A proposal has paid its price, and has not happened."""
    evening = Evening()
    fact(evening)
    assert 2 == evening.table.balance("luck")
    assert {} == evening.table.traits


def test_accepted_proposal_happens_once() -> None:
    """After consent it happens for its proposer, at no further cost, and no longer waits."""
    evening = Evening()
    id = fact(evening)
    evening.make("mona", "proposal.accept", id=id)
    assert [("There is a cellar", "ann")] == [(t.text, t.by) for t in evening.table.traits.values()]
    assert 2 == evening.table.balance("luck")
    assert "when" == evening.refused("mona", "proposal.accept", id=id).code


@pytest.mark.parametrize(
    ("seat", "key"), [("mona", "proposal.decline"), ("ann", "proposal.withdraw")]
)
def test_failed_proposal_is_refunded(seat: str, key: str) -> None:
    """Declined or withdrawn, its price returns with a ledger line, and nothing happens."""
    evening = Evening()
    id = fact(evening)
    events = evening.make(seat, key, id=id)
    assert 3 == evening.table.balance("luck")
    assert {} == evening.table.traits
    assert ["given back for “There is a cellar”"] == [
        e.why for e in events if isinstance(e, PointsSet)
    ]


def test_pending_proposal_uses_its_limit() -> None:
    """The use is free again when it is declined, but not when accepted."""
    evening = with_moves(
        _bell(Limit("bell", ("session", "seat")), approval=lambda t: t.seat.side == "player")
    )
    evening.make("ann", "bell.ring")
    assert "limit" == evening.refused("ann", "bell.ring").code
    evening.make("mona", "proposal.decline")
    evening.make("ann", "bell.ring")
    evening.make("mona", "proposal.accept")
    assert "limit" == evening.refused("ann", "bell.ring").code


def test_proposal_is_answered_by_its_own_seats() -> None:
    """A player neither decides nor withdraws another seat's proposal."""
    evening = Evening()
    id = fact(evening)
    assert "identity" == evening.refused("ann", "proposal.accept", id=id).code
    assert "identity" == evening.refused("bo", "proposal.decline", id=id, override=True).code
    assert "when" == evening.refused("bo", "proposal.withdraw", id=id).code
    evening.make("bo", "fact.add", text="No, an attic")
    assert "argument" == evening.refused("bo", "proposal.withdraw", id=id).code


def test_late_proposal_is_refused() -> None:
    """One for a finished action is refused, and is refunded at the action's end."""
    evening = Evening()
    evening.toss()

    @move(
        "coin.add",
        when=house.building,
        price=Bag(luck=1),
        approval=lambda t: t.seat.side == "player",
    )
    def add(turn: Turn) -> Iterator[Event]:
        """Add a coin"""
        yield turn.amend(turn.here, "more")

    evening.system = replace(SYSTEM, moves=(*SYSTEM.moves, add))
    evening.make("ann", "coin.add")
    assert "window" == evening.refused("ann", "check.roll").code
    evening.make("mona", "check.roll", override=True)
    assert "when" == evening.refused("mona", "proposal.accept").code
    evening.make("ann", "check.close")
    assert not evening.table.proposals
    assert 3 == evening.table.balance("luck")


def test_proposal_keeps_its_action() -> None:
    """Accepted while another action is the latest, it still changes its own."""
    evening = Evening(enforcement="log")
    first = evening.toss()

    @move("coin.add", when=house.building, approval=lambda t: t.seat.side == "player")
    def add(turn: Turn) -> Iterator[Event]:
        """Add a coin"""
        yield turn.amend(turn.here, "more", title="changed")

    evening.system = replace(SYSTEM, moves=(*SYSTEM.moves, add))
    evening.make("ann", "coin.add")
    second = evening.toss("bo", "oska")
    evening.make("mona", "proposal.accept")
    assert ("changed", "a toss") == (
        evening.table.checks[first].title,
        evening.table.checks[second].title,
    )


# What a body sees.


def test_body_sees_folded_events() -> None:
    """Each yielded event is on the table before the body's next line, with its reactions."""
    seen = []

    @move("doom.wake", by=["gm"])
    def wake(turn: Turn) -> Iterator[Event]:
        """Wake the doom"""
        for _ in range(3):
            yield from turn.change("doom", 1)
            seen.append((turn.table.balance("doom"), turn.table.traits["omen"].rating))

    evening = with_moves(wake)
    evening.make("mona", "doom.wake")
    assert [(1, 1), (2, 2), (3, 3)] == seen


def test_fresh_ids_are_unique() -> None:
    """Ids never repeat within a move or between moves."""

    @move("trait.many", by=["gm"])
    def many(turn: Turn) -> Iterator[Event]:
        """Write down many things"""
        for n in range(3):
            yield TraitSet(Trait(turn.fresh("t"), "fact", str(n)))

    evening = with_moves(many)
    evening.make("mona", "trait.many")
    evening.make("mona", "table.undo")
    evening.make("mona", "trait.many")
    ids = [r.event.trait.id for r in evening.records if isinstance(r.event, TraitSet)]
    assert 6 == len(set(ids)) == len(ids)


def test_reaction_refuses_the_whole_move() -> None:
    """A refusing reaction undoes the whole move."""

    def never(turn: Turn, event: Event) -> Iterator[Event]:
        assert isinstance(event, PointsSet)
        if event.account == "doom":
            raise turn.refused("only_if", "busy", title="the end")
        yield from ()

    evening = Evening()
    evening.toss()
    evening.make("ann", "luck.spend")
    evening.make("ann", "check.roll")
    evening.system = replace(SYSTEM, reactions=((PointsSet, never),))
    assert "the end" in evening.refused("ann", "check.close").text
    assert 1 == len(evening.table.checks)


@pytest.mark.parametrize(
    ("faces", "text"),
    [
        ([1], "This pool has 3 dice (2 coin vs 1 weight); faces given: 1."),
        ([1, 1, 1, 1], "; faces given: 4."),
        ([1, 2, 4], "The weight die has faces 1 to 3, not 4."),
        ([0, 1, 1], "The coin die has faces 1 to 2, not 0."),
    ],
)
def test_typed_faces_must_match_the_pool(faces: list[int], text: str) -> None:
    """Real faces match the pool in number and order, and each die has its face."""
    evening = Evening()
    evening.toss(pool="2 coin vs weight")
    no = evening.refused("ann", "check.roll", faces=faces)
    assert ("argument", "faces") == (no.code, no.field)
    assert text in no.text


def test_typed_faces_are_marked() -> None:
    """Real dice keep their faces and are marked as hand-rolled, others as the server's."""
    evening = Evening()
    check = evening.toss(pool="coin vs weight")
    evening.make("ann", "check.roll", faces=[2, 3])
    on_table = evening.table.checks[check].rolled
    assert (Rolled("coin", 2, "hand"), Rolled("weight", 3, "hand")) == on_table
    evening.make("ann", "check.close")
    check = evening.toss()
    evening.make("ann", "check.roll")
    assert {"server"} == {one.source for one in evening.table.checks[check].rolled}


# Audiences.


def test_hidden_effects_hide_the_move() -> None:
    """A move that made something hidden has the same audience."""
    evening = Evening()
    evening.make("mona", "trait.set", text="A trap", secret=True)
    assert [GM_ONLY, GM_ONLY] == [record.seen_by for record in evening.records[-2:]]


def test_players_see_their_own_moves() -> None:
    """A player's move with a hidden reaction stays in the player's log."""

    def stir(turn: Turn, event: Event) -> Iterator[Event]:
        yield TraitSet(Trait("stir", "fact", "It heard that", seen_by=GM_ONLY))

    evening = Evening()
    evening.system = replace(SYSTEM, reactions=((Said, stir),))
    evening.make("ann", "table.say", text="Hello?")
    assert [None, None, GM_ONLY] == [record.seen_by for record in evening.records[-3:]]


def test_secret_words_reach_speaker_and_gm() -> None:
    """Only that player and the GM read a confidential text."""
    evening = Evening()
    evening.make("ann", "table.say", text="I stole it", secret=True)
    assert ("@gm", "ann") == evening.records[-1].seen_by


def test_hidden_characters_data_are_hidden() -> None:
    """Its statements, balances and actions are hidden by default."""
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    for args in (
        ("trait.set", {"text": "Hungry", "about": "lurker"}),
        ("points.correct", {"account": "lurker.nerve", "to": 2, "why": "x"}),
        ("check.declare", {"as": "lurker", "pool": "coin"}),
    ):
        before = len(evening.records)
        evening.make("mona", *args)
        assert {GM_ONLY} == {record.seen_by for record in evening.records[before:]}


def test_hidden_argument_hides_only_the_move() -> None:
    """Naming a hidden character hides the move, but not its public effects."""

    @move("rumour.spread", by=["gm"], asks=[ChoiceAsk("who", "Who?", house.characters())])
    def spread(turn: Turn) -> Iterator[Event]:
        """Spread a rumour"""
        yield Said(turn.seat.id, "Something is out there")

    evening = with_moves(spread)
    evening.make("mona", "character.add", name="Lurker", secret=True)
    evening.make("mona", "rumour.spread", who="lurker")
    assert [GM_ONLY, None] == [record.seen_by for record in evening.records[-2:]]


def test_hidden_statement_disappears() -> None:
    """Seats that no longer see it read that it is gone, and nobody reads why."""
    shown: tuple[tuple[str, Audience], ...] = (
        ("Ann's map", None),
        ("Ann's copy", ("@gm", "ann")),
        ("Bo's copy", ("@gm", "bo")),
        ("The trap", GM_ONLY),
        ("The same trap", GM_ONLY),
        ("Known to all", None),
        ("Kept from the game master", ("@player",)),
        ("Ann's alone", ("ann",)),
    )

    @move("map.show", asks=[NumberAsk("n", "Which?")])
    def show(turn: Turn) -> Iterator[Event]:
        """Show a map"""
        text, seen_by = shown[turn.number("n")]
        yield TraitSet(Trait("map", "fact", text, seen_by=seen_by))

    evening = with_moves(show)
    removals = []
    for n, (text, _) in enumerate(shown):
        evening.make("mona", "map.show", n=n)
        assert text == evening.table.traits["map"].text
        for seat in evening.table.seats.values():
            own = view(evening.records, seat)
            assert seen(evening.table, seat).traits == fold(own).traits, (text, seat.id)
            assert may_see(seat, shown[n][1]) or text not in repr(own)
        removals += [
            (n, r.seen_by) for r in evening.records[-2:] if isinstance(r.event, TraitRemoved)
        ]
    gm_and_ann, gm_and_bo = shown[1][1], shown[2][1]
    assert [(1, None), (2, gm_and_ann), (3, gm_and_bo), (6, None), (7, ("@player",))] == removals


def test_hidden_statement_sets_nothing_off() -> None:
    """Hiding is not an end, so an end's effects do not follow."""

    @move("map.hide", by=["gm"])
    def hide(turn: Turn) -> Iterator[Event]:
        """Hide the map"""
        yield TraitSet(replace(turn.table.traits["map"], seen_by=GM_ONLY))

    def miss(turn: Turn, event: Event) -> Iterator[Event]:
        yield Said(turn.seat.id, "Where is it?")

    evening = with_moves(hide)
    evening.system = replace(evening.system, reactions=((TraitRemoved, miss),))
    evening.keep([TraitSet(Trait("map", "fact", "A map"))], "mona")
    made, gone, kept = evening.make("mona", "map.hide")
    assert (None, None, GM_ONLY) == (audience(made), audience(gone), audience(kept))
    assert TraitRemoved("map") == gone


def test_public_people_and_actions_stay_public() -> None:
    """No event removes them from view, so a rule that hides one is a reported mistake."""

    @move("pash.hide")
    def hide(turn: Turn) -> Iterator[Event]:
        """Hide Pash"""
        yield CharacterSet(replace(turn.table.characters["pash"], seen_by=GM_ONLY))

    @move("toss.hide")
    def cover(turn: Turn) -> Iterator[Event]:
        """Hide a toss"""
        yield turn.amend(turn.here, seen_by=("ann",))

    evening = with_moves(hide, cover)
    evening.toss()
    with pytest.raises(ValueError, match=r"What everybody saw cannot be hidden: 'pash'"):
        evening.make("ann", "pash.hide")
    with pytest.raises(
        ValueError,
        match=r"What everybody saw cannot be hidden: 'c\d+' would be shown to \('ann',\)",
    ):
        evening.make("ann", "toss.hide")


def test_revealed_character_includes_its_data() -> None:
    """A game that reveals a character reveals its balances with it, once."""

    @move("lurker.show", by=["gm"], asks=[FlagAsk("all", "To all?")])
    def show(turn: Turn) -> Iterator[Event]:
        """Show the lurker"""
        seen_by = None if turn.flag("all") else ("@gm", "ann")
        yield CharacterSet(replace(turn.table.characters["lurker"], seen_by=seen_by))

    evening = with_moves(show)
    evening.make("mona", "character.add", name="Lurker", secret=True)
    evening.make("mona", "points.correct", {"account": "lurker.nerve", "to": 2, "why": "x"})
    changes = []
    for to_all in (False, False, True, True):
        evening.make("mona", "lurker.show", all=to_all)
        changes.append(isinstance(evening.records[-1].event, PointsSet))
        for seat in evening.table.seats.values():
            assert seen(evening.table, seat).points == fold(view(evening.records, seat)).points, (
                seat.id
            )
    assert [True, False, True, False] == changes


def test_proposal_about_something_hidden_is_hidden() -> None:
    """A player's proposal about a partly visible thing has the same audience."""

    @move("map.sell", approval=lambda t: True, asks=[ChoiceAsk("map", "Which?", maps)])
    def sell(turn: Turn) -> Iterator[Event]:
        """Sell a map"""
        yield Said(turn.seat.id, "Sold.")

    evening = with_moves(sell)
    evening.keep([TraitSet(Trait("map", "fact", "The way in", seen_by=("@gm", "ann")))], "mona")
    evening.make("ann", "map.sell", map="map")
    [proposal] = evening.table.proposals.values()
    assert ("@gm", "ann") == proposal.seen_by
    assert "The way in" in proposal.text
    assert "The way in" not in repr(view(evening.records, evening.table.seats["bo"]))


def maps(turn: Turn) -> Iterator[Choice]:
    """Every statement, to choose from."""
    for trait in turn.table.traits.values():
        yield Choice(trait.id, trait.text)


# Rows.


def test_duplicate_move_is_refused() -> None:
    """Two moves with one key are a mistake that is reported on assembly."""
    with pytest.raises(ValueError, match="share a key"):
        _ = replace(SYSTEM, moves=(*SYSTEM.moves, SYSTEM.moves[0])).by_key


def test_option_has_a_default() -> None:
    """A table without a choice, such as an older one, has the game's default."""
    system = replace(SYSTEM, options=(*SYSTEM.options, Option("new", ("a", "b"), "b")))
    evening = Evening()
    assert "b" == system.option(evening.table, "new")
    assert "strict" == system.option(evening.table, "enforcement")


def test_offer_shows_price_and_whether_it_waits() -> None:
    """An offer has the current price and whether it would wait for the GM."""
    evening = Evening()
    one = evening.offer("ann", "fact.add")
    assert ({"luck": 1}, True, None) == (one.price.written(), one.approval, one.closed)
    assert ("fact", "Add a fact to the story") == (one.group, one.title)
    assert evening.offer("mona", "fact.add").approval is False


def test_pool_of_a_check_is_always_derived() -> None:
    """Amending a check derives its pool from its base and all modifications."""
    evening = Evening()

    @move("check.odd", by=["gm"])
    def odd(turn: Turn) -> Iterator[Event]:
        """Declare oddly"""
        yield CheckOpened(
            Check(turn.own_check, "pash", "players", base=Bag(coin=1), pool=Bag(coin=9))
        )
        yield turn.amend(turn.here)

    evening.system = replace(SYSTEM, moves=(*SYSTEM.moves, odd))
    evening.make("mona", "check.odd")
    assert [Bag(coin=1)] == [check.pool for check in evening.table.checks.values()]
