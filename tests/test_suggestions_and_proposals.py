"""Decisions: suggestions, the GM's advance decisions, proposals, and hidden actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.dice import Mod
from storypool.engine.events import Event, MoveMade, Rewound
from storypool.engine.game.asks import Choice, ChoiceAsk, NumberAsk, TextAsk
from storypool.engine.game.moves import Held, Limit, Move, move
from storypool.engine.game.turn import Turn
from storypool.engine.house.hiding import HIDE_ACTION, may_open
from storypool.engine.house.standing import corrected, standing
from storypool.engine.offers import offer, offers
from storypool.engine.refusal import Refusal
from storypool.engine.sight import audience, seen, view
from storypool.engine.story import sentences
from storypool.engine.table import GM_ONLY, Check, Points, Purse
from storypool.words import Words
from tests.games.tiny import game as tiny
from tests.sample_table import Evening

ACTOR = ChoiceAsk("as", "Who acts?", house.characters(own=True))
WEIGHT = NumberAsk("weight", "Weights", needed=False, low=0, high=3, whose="gm")


@move(
    "toss.try",
    when=may_open,
    asks=[ACTOR, TextAsk("title", "What?", needed=False), WEIGHT, HIDE_ACTION],
)
def attempt(turn: Turn) -> Iterator[Event]:
    """Try something"""
    pool = Bag(coin=2, weight=turn.number("weight"))
    hidden = GM_ONLY if turn.flag("secret") else None
    side = "gm" if turn.character("as").side == "gm" else "players"  # type: ignore[union-attr]
    title = turn.text("title") or "a toss"
    actor, by = turn.text("as"), turn.seat.id
    yield turn.open(
        Check(turn.own_check, actor, side, by, title, base=pool, seen_by=hidden)  # type: ignore[arg-type]
    )
    yield turn.amend(turn.table.checks[turn.own_check], windows=("anybody",))


@move("toss.weigh", by=["gm"], when=house.building, asks=[replace(WEIGHT, needed=True)])
def weigh(turn: Turn) -> Iterator[Event]:
    """Say how heavy it is"""
    yield from corrected(turn)
    yield turn.amend(turn.here, base=Bag(coin=2, weight=turn.number("weight")))


@move(
    "toss.push",
    by=["player"],
    when=house.building,
    price=Bag(luck=1),
    limit=Limit("push", ("check",)),
)
def push(turn: Turn) -> Iterator[Event]:
    """Spend luck for a coin more"""
    mod = Mod("add", "coin", 1, "luck", turn.seat.id, bought=True)
    check = turn.here
    yield turn.amend(check, mods=(*check.mods, mod), spent=check.spent + Points({Purse("luck"): 1}))


@move("toss.weights", when=house.building, asks=[replace(WEIGHT, needed=True, default=1)])
def more_weights(turn: Turn) -> Iterator[Event]:
    """Add weights"""
    check = turn.here
    yield turn.amend(check, mods=(*check.mods, Mod("add", "weight", turn.number("weight"))))


@move(
    "toss.shout",
    when=house.rolled,
    asks=[TextAsk("text", "What?")],
    approval=lambda t: t.seat.side == "player",
    holds=lambda t: Held(left=Bag(heads=1)),
)
def shout(turn: Turn) -> Iterator[Event]:
    """Spend heads"""
    check = turn.here
    if not check.left["heads"]:
        raise turn.refused("price", "points", price=1, n=0, account="heads")
    yield turn.amend(check, left=check.left - Bag(heads=1))


@move("toss.drop", when=house.acting)
def drop(turn: Turn) -> Iterator[Event]:
    """Call it off"""
    from storypool.engine.events import CheckClosed

    yield CheckClosed(turn.here.id, "cancelled")


GAME = replace(
    tiny.SYSTEM,
    moves=(*tiny.SYSTEM.moves, attempt, weigh, push, more_weights, shout, drop, standing(WEIGHT)),
    words=Words({**tiny.SYSTEM.words, "no.limit.push": "You have pushed."}),
)


def evening(*more: Move, **options: str) -> Evening:
    """A table of the game above."""
    return Evening(replace(GAME, moves=(*GAME.moves, *more)), **options)


def trying(here: Evening, **args: object) -> Check:
    """Ann's declared action."""
    here.make("ann", "toss.try", {"as": "pash", **args})
    return list(here.table.checks.values())[-1]


# Suggestions.


def test_players_answer_for_the_gm_is_a_suggestion() -> None:
    """The action is open with a known pool, but points and dice wait for the GM."""
    here = evening()
    check = trying(here, weight=2)
    assert {"weight": "Weights 2"} == check.suggested
    assert Bag(coin=2, weight=2) == check.pool
    for seat, key in (("ann", "check.roll"), ("ann", "toss.push"), ("mona", "check.roll")):
        no = here.refused(seat, key)
        assert ("agreed", False) == (no.code, no.overridable), key
        assert "Weights 2" in no.text
    assert "Ann suggests: Weights 2" in " ".join(sentences(here.records, here.system))
    assert "argument" != here.refused("bo", "check.agree").code
    here.make("mona", "check.agree")
    assert not here.table.checks[check.id].suggested
    here.make("ann", "toss.push")
    here.make("ann", "check.roll")


def test_suggested_answer_to_a_question_reads_as_one() -> None:
    """A label that is a question is quoted after its answer."""
    others = [ask for ask in attempt.asks if ask.name != WEIGHT.name]
    asks = (*others, replace(WEIGHT, label="How heavy?"))
    here = evening(replace(attempt, key="toss.ask", asks=asks))
    here.make("ann", "toss.ask", {"as": "pash", "weight": 2})
    assert {"weight": "2 for “How heavy?”"} == list(here.table.checks.values())[-1].suggested


def test_pending_consent_precedes_the_window() -> None:
    """Until the GM agrees no window is open, so that is the reason."""

    @move("toss.wait", window=lambda t: t.no("yours"))
    def wait(turn: Turn) -> Iterator[Event]:
        """Wait"""
        yield turn.amend(turn.here, "waited")

    here = evening(wait)
    trying(here, weight=2)
    assert "agreed" == here.refused("ann", "toss.wait").code
    here.make("mona", "check.agree")
    assert "window" == here.refused("ann", "toss.wait").code


def test_gm_changes_a_suggestion_in_one_move() -> None:
    """Deciding the action's question also agrees to the action."""
    here = evening()
    check = trying(here, weight=2)
    here.make("mona", "toss.weigh", weight=1)
    assert ({}, Bag(coin=2, weight=1)) == (
        here.table.checks[check.id].suggested,
        here.table.checks[check.id].pool,
    )


@pytest.mark.parametrize("level", ["strict", "warn", "log"])
def test_no_level_lets_a_player_decide(level: str) -> None:
    """Warnings override rules, but not the GM's decision."""
    here = evening(enforcement=level)
    trying(here, weight=2)
    assert "agreed" == here.refused("ann", "check.roll").code


def test_table_may_let_players_set_it() -> None:
    """With `trust` = players_set a player's answer counts at once."""
    here = evening(trust="players_set")
    assert not trying(here, weight=2).suggested
    here.make("ann", "check.roll")


def test_acting_gm_suggests_nothing() -> None:
    """The GM answers the GM's own questions."""
    here = evening()
    here.make("mona", "character.add", name="Brute")
    here.make("mona", "toss.try", {"as": "brute", "weight": 2})
    assert not next(iter(here.table.checks.values())).suggested


def test_form_marks_the_gms_questions() -> None:
    """A player's form marks mere suggestions; the GM's form marks nothing."""
    here = evening()
    here.make("mona", "character.add", name="Brute")
    for seat, marked in (("ann", ["weight"]), ("mona", [])):
        asks = offer(here.system, here.table, seat, "toss.try", {}).asks
        assert marked == [ask.name for ask in asks if ask.suggests]


def test_suggestion_for_an_open_action_is_a_proposal() -> None:
    """Another move is proposed whole; the GM accepts it, or with another answer."""
    here = evening()
    check = trying(here)
    here.make("ann", "toss.weights", weight=2)
    (proposal,) = here.table.proposals.values()
    assert Bag(coin=2) == here.table.checks[check.id].pool
    here.make("mona", "proposal.accept", id=proposal.id, changes="weight=3")
    assert Bag(coin=2, weight=3) == here.table.checks[check.id].pool
    no = evening_with_proposal().refused("mona", "proposal.accept", changes="heavy")
    assert ("argument", "changes") == (no.code, no.field)


def evening_with_proposal() -> Evening:
    """A table with proposed weights for an action."""
    here = evening()
    trying(here)
    here.make("ann", "toss.weights")
    return here


# What the GM decides beforehand.


@pytest.mark.parametrize(("until", "stays"), [("next", False), ("scene", True)])
def test_advance_decision_is_no_suggestion(until: str, stays: bool) -> None:
    """It holds for an open or equal answer, for one action or for the scene."""
    here = evening()
    here.make("mona", "check.standing", weight=2, until=until)
    check = trying(here)
    assert (Bag(coin=2, weight=2), {}) == (check.pool, check.suggested)
    here.make("ann", "toss.drop")
    assert stays == (trying(here).pool == Bag(coin=2, weight=2))
    here.make("ann", "toss.drop")
    assert trying(here, weight=1).suggested


def test_correction_refunds_its_purchases() -> None:
    """Points return, purchases go, and limits are free again."""
    here = evening()
    check = trying(here)
    here.make("ann", "toss.push")
    assert (2, "limit") == (here.table.balance("luck"), here.refused("ann", "toss.push").code)
    here.make("mona", "toss.weigh", weight=1)
    assert (3, Bag(coin=2, weight=1)) == (
        here.table.balance("luck"),
        here.table.checks[check.id].pool,
    )
    here.make("ann", "toss.push")


# Proposals.


def test_proposal_reserves_its_symbols() -> None:
    """They cannot be spent elsewhere, and return after a no."""
    here = evening()
    check = trying(here)
    here.make("ann", "check.roll", faces="1 1")
    (n,) = {here.table.checks[check.id].left["heads"]}
    here.make("ann", "toss.shout", text="Hey")
    assert n - 1 == here.table.checks[check.id].left["heads"]
    here.make("mona", "proposal.decline")
    assert n == here.table.checks[check.id].left["heads"]
    here.make("ann", "toss.shout", text="Hey")
    here.make("mona", "proposal.accept")
    assert n - 1 == here.table.checks[check.id].left["heads"]


def test_impossible_move_is_not_proposed() -> None:
    """It is refused at once with its reason."""
    here = evening()
    trying(here)
    here.make("ann", "check.roll", faces="2 2")
    assert "price" == here.refused("ann", "toss.shout", text="Hey").code


def test_proposal_is_judged_again() -> None:
    """Consent does not carry out a move that is no longer allowed."""

    def open_door(turn: Turn) -> object:
        return None if turn.table.of_kind("fact") else turn.no("proposal.none")

    @move("door.pass", only_if=[open_door], approval=lambda t: t.seat.side == "player")  # type: ignore[list-item]
    def go(turn: Turn) -> Iterator[Event]:
        """Go through the door"""
        yield turn.trait("fact", "through")

    here = evening(go)
    here.make("mona", "trait.set", text="The door is open")
    (door,) = here.table.traits
    here.make("ann", "door.pass")
    here.make("mona", "trait.remove", id=door)
    assert "only_if" == here.refused("mona", "proposal.accept").code
    here.make("mona", "proposal.decline")


@pytest.mark.parametrize("ending", ["scene.begin", "session.end"])
def test_proposal_ends_with_its_scene(ending: str) -> None:
    """A pending one is dropped, and its price is refunded."""
    here = evening()
    here.make("ann", "fact.add", text="A hatch")
    assert 2 == here.table.balance("luck")
    here.make("mona", ending)
    assert (3, {}) == (here.table.balance("luck"), here.table.proposals)


def test_proposal_ends_with_its_action() -> None:
    """A cancelled action's proposal no longer waits."""
    here = evening_with_proposal()
    assert here.table.proposals
    here.make("ann", "toss.drop")
    assert {} == here.table.proposals


def test_proposal_ends_with_its_seat() -> None:
    """A departed player's proposal no longer waits."""
    here = evening()
    here.make("ann", "fact.add", text="A hatch")
    here.make("ann", "seat.remove")
    assert (3, {}) == (here.table.balance("luck"), here.table.proposals)


# What the players do not see.


def test_gm_hides_an_action_next_to_an_open_one() -> None:
    """The hidden one has its own name and does not touch the players' action."""
    here = evening()
    here.make("mona", "character.add", name="Brute")
    open_one = trying(here, title="climb")
    here.make("mona", "toss.try", {"as": "brute", "title": "listen"})
    hidden = list(here.table.checks.values())[-1]
    assert GM_ONLY == hidden.seen_by
    assert "which" in here.refused("mona", "check.roll").text
    here.make("mona", "check.roll", check="listen")
    assert ("rolled", "build") == (
        here.table.checks[hidden.id].phase,
        here.table.checks[open_one.id].phase,
    )
    assert "busy" != here.refused("ann", "toss.try", {"as": "pash"}).code
    # A second one that is hidden has to wait, and so has one that all would see.
    assert "when" == here.refused("mona", "toss.try", {"as": "brute"}).code
    here.make("ann", "check.roll")
    here.make("ann", "check.close")
    assert "argument" == here.refused("mona", "toss.try", {"as": "brute", "secret": True}).code


def test_hidden_action_is_revealed_on_purpose() -> None:
    """From then on players see it with its dice."""
    here = evening()
    here.make("mona", "character.add", name="Lurker", secret=True)
    here.make("mona", "toss.try", {"as": "lurker", "secret": True})
    (check,) = here.table.checks
    here.make("mona", "check.roll")
    assert not seen(here.table, here.table.seats["ann"]).checks
    here.make("mona", "check.reveal")
    shown = seen(here.table, here.table.seats["ann"])
    assert "rolled" == shown.checks[check].phase
    assert "lurker" in shown.characters


def test_undo_of_hidden_work_is_hidden() -> None:
    """Players read nothing of it, and undo only what they saw."""
    here = evening()
    here.make("ann", "table.say", text="Hello")
    before = seen(here.table, here.table.seats["ann"])
    here.make("mona", "trait.set", text="A trap", secret=True)
    assert before.undo_to == seen(here.table, here.table.seats["ann"]).undo_to
    here.make("mona", "table.undo")
    assert not here.table.traits
    ann = here.table.seats["ann"]
    assert [None] * 4 == [record.event for record in view(here.records, ann)[-4:]]
    events = here.make("mona", "table.redo")
    assert GM_ONLY == next(audience(event) for event in events if isinstance(event, Rewound))
    assert 1 == len(here.table.traits)
    assert [None] * 2 == [record.event for record in view(here.records, ann)[-2:]]


def test_hidden_action_cannot_reveal_itself() -> None:
    """A rule that writes publicly inside one is refused, and nothing is kept."""

    @move("toss.cry", when=house.building)
    def cry(turn: Turn) -> Iterator[Event]:
        """Cry out"""
        yield turn.amend(turn.here, "a cry")
        yield turn.trait("fact", "Somebody cries out")

    here = evening(cry)
    here.make("mona", "character.add", name="Lurker", secret=True)
    here.make("mona", "toss.try", {"as": "lurker", "secret": True})
    assert "hidden action" in here.refused("mona", "toss.cry").text
    assert not here.table.traits


def test_points_of_a_hidden_character_are_hidden() -> None:
    """Only seats that see the character see its balance, such as the GM."""
    here = evening()
    here.make("mona", "character.add", name="Brute", secret=True)
    table = replace(here.table, points=here.table.points + Points({Purse("luck", "brute"): 2}))
    owned = [
        seen(table, here.table.seats[id]).points[Purse("luck", "brute")] for id in ("mona", "ann")
    ]
    assert [2, 0] == owned


def test_override_hides_its_secret_reasons() -> None:
    """A warning table shows everybody overridden rules, except secrets of the GM."""

    def alone(turn: Turn) -> Refusal | None:
        hidden = [one for one in turn.table.characters.values() if one.seen_by]
        return turn.no("busy", title=hidden[0].name) if hidden else None

    @move("door.shut", by=["gm"], only_if=[alone])
    def shut(turn: Turn) -> Iterator[Event]:
        """Shut the door"""
        yield turn.trait("fact", "The door is shut")

    here = evening(shut, enforcement="warn")
    here.make("mona", "character.add", name="Brute", secret=True)
    here.make("mona", "door.shut")
    made = [record.event for record in here.records if isinstance(record.event, MoveMade)][-1]
    assert ("door.shut", None, ()) == (made.move, made.seen_by, made.set_aside)


def test_hidden_rolls_may_be_announced() -> None:
    """A table may choose to know that the GM rolls, and nothing else."""
    for option, lines in (("silent", 0), ("announced", 1)):
        here = evening(hidden_rolls=option)
        here.make("mona", "character.add", name="Lurker", secret=True)
        here.make("mona", "toss.try", {"as": "lurker", "secret": True})
        n = len(here.records)
        here.make("mona", "check.roll")
        seen_by_ann = [
            record.event
            for record in view(here.records, here.table.seats["ann"])[n:]
            if record.event
        ]
        assert lines == len(seen_by_ann)


# Answers.


def test_useless_answer_is_refused() -> None:
    """An answer that would be lost is refused, whatever the order of the answers."""
    later = NumberAsk("n", "How many?", needed=False, shown=lambda t: t.text("what") == "coins")

    @move("test.ask", asks=[later, TextAsk("what", "What?", needed=False)])
    def ask(turn: Turn) -> Iterator[Event]:
        """Ask"""
        yield turn.trait("fact", "asked")

    here = evening(ask)
    no = here.refused("ann", "test.ask", what="weights", n=2)
    assert ("argument", "n") == (no.code, no.field)
    assert "would be lost" in no.text
    here.make("ann", "test.ask", what="coins", n=2)


def test_closed_choice_has_its_reason() -> None:
    """A menu also has the rows that cannot be bought."""
    rows = ChoiceAsk(
        "row",
        "Which?",
        lambda t: [Choice("a", "One"), Choice("b", "Two", "2", "You have none left.")],
    )

    @move("test.ask", asks=[rows])
    def ask(turn: Turn) -> Iterator[Event]:
        """Ask"""
        yield turn.trait("fact", "asked")

    here = evening(ask)
    (view,) = next(
        one for one in offers(here.system, here.table, "ann") if one.key == "test.ask"
    ).asks
    assert ["", "You have none left."] == [choice.closed for choice in view.choices]
    assert "You have none left." == here.refused("ann", "test.ask", row="two").text
    here.make("ann", "test.ask", row="ONE")


def test_custom_entry_is_added_on_purpose() -> None:
    """An unknown name is refused with the nearest ones; adding it is a move."""
    here = evening()
    assert (
        "Did you mean wits?" in here.refused("ann", "character.set", who="pash", sheet="wit=2").text
    )
    assert (
        "on the sheets already"
        in here.refused("ann", "character.learn", who="pash", name="Wits").text
    )
    here.make("ann", "character.learn", who="pash", name="knots", n=2)
    here.make("ann", "character.set", who="pash", sheet="knots=3")
    assert 3 == here.table.characters["pash"].sheet["knots"]


def test_gm_decides_only_the_moves_questions() -> None:
    """Other suggestions of a player for the action keep waiting."""
    more = NumberAsk("coins", "Coins", needed=False, low=1, high=3, whose="gm")

    @move("toss.more", when=may_open, asks=[ACTOR, WEIGHT, more])
    def toss(turn: Turn) -> Iterator[Event]:
        """Toss more"""
        pool = Bag(coin=turn.number("coins", 1), weight=turn.number("weight"))
        yield turn.open(Check(turn.own_check, "pash", "players", turn.seat.id, "a toss", base=pool))

    here = evening(toss)
    here.make("ann", "toss.more", {"as": "pash", "weight": 2, "coins": 3})
    here.make("mona", "toss.weigh", weight=1)
    (check,) = here.table.checks.values()
    assert {"coins": "Coins 3"} == check.suggested
