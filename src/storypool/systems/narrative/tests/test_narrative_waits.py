"""What a narrative table waits for: in each state who is asked, in which words, and which moves answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from storypool import systems
from storypool.engine.events import SeatTaken
from storypool.engine.fold import evolve
from storypool.engine.offers import offer
from storypool.engine.table import Table
from storypool.engine.waiting import Waiting, asked, waiting
from storypool.play import perform, read
from storypool.play.first_scene import first_scene
from storypool.systems import get
from tests.evening import Evening

PEOPLE = """
table starwars
seat gm   side=gm
seat gm   guard: name=Guard brawn=2 agility=3 presence=2
seat Ann  pash: name=Pash agility=3 presence=2 ranged-light=1 wound-threshold=12 force-rating=2
seat Bo   ilo: name=Ilo agility=2 presence=4
points light=2 dark=2
"""
TRY = "Ann check.declare as=pash skill=ranged-light title=Shoot"
SET = (TRY, "gm check.difficulty difficulty=easy")
READY = (*SET, "Ann check.ready")
NPC = "gm check.declare as=guard characteristic=agility difficulty=easy"
ROLL = "Ann check.declare as=pash skill=ranged-light difficulty=simple", "gm check.agree", "Ann destiny.pass"
FORCE = ("Ann force.use as=pash", "Ann check.roll dice 7 8")
FIGHT = ("Ann initiative.roll as=pash with=cool dice 2 2",)
ORDER = (
    *FIGHT,
    "Bo initiative.roll as=ilo with=cool dice 1 1 1 1",
    "gm initiative.roll as=guard with=cool dice 2 1",
)
CONTEST = 'gm contest.open title="Over the wall" difficulty=simple'
RACE = (CONTEST, "points light=0 dark=0", "Ann check.declare as=pash pool=1A contest=t7")


def table_of(*lines: str) -> Table:
    """The table of a play with these people and these lines."""
    return perform(read("\n".join((PEOPLE, *lines)))).table


def reads(table: Table, seat: str) -> Waiting:
    """What this seat reads first."""
    found = asked(waiting(get(table.system), table, seat))
    assert found is not None, f"nothing waits, as {seat} reads it"
    return found


class State(NamedTuple):
    """A state of a table: how it comes about, who is asked, what they read and may do, and what another reads."""

    lines: tuple[str, ...]
    whom: str
    text: str
    moves: tuple[str, ...]
    other: str
    others: str


SPENDS = ("spend.buy", "spend.free", "check.close")
STATES = {
    "difficulty": State(
        (TRY,),
        "gm",
        "Ann is waiting: set the difficulty.",
        ("check.difficulty",),
        "bo",
        "Waiting for the GM to set the difficulty for Pash.",
    ),
    "difficulty of an NPC": State(
        (NPC.replace(" difficulty=easy", ""),),
        "gm",
        "Set the difficulty for Guard.",
        ("check.difficulty",),
        "ann",
        "Waiting for the GM to set the difficulty for Guard.",
    ),
    "impossible": State(
        (TRY, "gm check.difficulty difficulty=impossible"),
        "ann",
        "This is impossible. Pay a light point to try it, or cancel.",
        ("destiny.attempt", "check.cancel"),
        "bo",
        "An impossible attempt by Pash: waiting for Ann to pay a light point.",
    ),
    "own window": State(
        SET,
        "ann",
        "Roll for Pash, or spend a light point first.",
        ("check.ready", "destiny.pass", "destiny.upgrade"),
        "gm",
        "Waiting for Ann to roll for Pash, or to spend a point first.",
    ),
    "own window, and nobody may answer": State(
        (*SET, "points light=2 dark=0"),
        "ann",
        "Roll for Pash, or spend a light point first.",
        ("check.roll", "destiny.pass", "destiny.upgrade"),
        "bo",
        "Waiting for Ann to roll for Pash, or to spend a point first.",
    ),
    "the GM's window": State(
        READY,
        "gm",
        "A roll for Pash is next. Answer with a dark point, or pass.",
        ("destiny.pass", "destiny.upgrade"),
        "ann",
        "A roll for Pash is next: waiting for the GM to answer, or to pass.",
    ),
    "the target's window": State(
        (f"{NPC} against=pash", "gm check.ready"),
        "ann",
        "Guard against Pash: answer with a light point, or pass.",
        ("destiny.pass_all", "destiny.pass", "destiny.upgrade"),
        "bo",
        "Guard against Pash: waiting for Ann to answer, or to pass.",
    ),
    "the players' window": State(
        (NPC, "gm destiny.pass"),
        "bo",
        "A roll for Guard is next. Answer with a light point, or pass.",
        ("destiny.pass_all", "destiny.pass", "destiny.upgrade"),
        "gm",
        "A roll for Guard is next: waiting for Ann or Bo to answer, or to pass.",
    ),
    "one player has passed": State(
        (NPC, "gm destiny.pass", "Ann destiny.pass"),
        "bo",
        "A roll for Guard is next. Answer with a light point, or pass.",
        ("destiny.pass_all", "destiny.pass", "destiny.upgrade"),
        "ann",
        "A roll for Guard is next: waiting for Bo to answer, or to pass.",
    ),
    "the roll": State(
        (*SET, "Ann destiny.pass", "gm destiny.pass"),
        "ann",
        "Roll for Pash.",
        ("check.roll",),
        "gm",
        "Waiting for Ann to roll for Pash.",
    ),
    "advantage": State(
        (*READY, "gm destiny.pass dice 5 5 1 1"),
        "ann",
        "2 Advantages to spend for Pash.",
        SPENDS,
        "gm",
        "Waiting for Ann to spend 2 Advantages.",
    ),
    "threat": State(
        (*READY, "gm destiny.pass dice 1 1 1 7"),
        "gm",
        "Pash rolled 2 Threats: yours to spend.",
        SPENDS,
        "ann",
        "Waiting for the GM to spend 2 Threats against Pash.",
    ),
    "a Triumph, and Threat besides": State(
        (*READY, "gm destiny.pass dice 1 1 12 7"),
        "ann",
        "1 Triumph to spend for Pash.",
        ("spend.buy", "spend.free", "spend.waive"),
        "bo",
        "Waiting for Ann to spend 1 Triumph.",
    ),
    "nothing left": State(
        (*READY, "gm destiny.pass dice 1 1 1 1"),
        "ann",
        "All done for Pash, unless something follows.",
        ("check.close",),
        "gm",
        "Waiting for Ann to finish the check of Pash.",
    ),
    "pips": State(
        FORCE,
        "ann",
        "2 dark pips and 1 light pip to use for Pash.",
        ("force.light", "force.other", "check.close"),
        "bo",
        "Waiting for Ann to use the Force: 2 dark pips and 1 light pip.",
    ),
    "a threshold": State(
        ("Ann track.suffer who=pash track=wounds by=13",),
        "gm",
        "Pash: past the wound threshold (13 of 12). What becomes of them?",
        ("track.settle",),
        "bo",
        "Pash: past the wound threshold (13 of 12). Waiting for the GM to say what that means.",
    ),
    "initiative": State(
        FIGHT,
        "bo",
        "A fight breaks out: roll initiative.",
        ("initiative.roll",),
        "ann",
        "Waiting for Bo to roll initiative.",
    ),
    "initiative, for the GM": State(
        FIGHT,
        "gm",
        "Ilo can still roll initiative. You may start without them.",
        ("initiative.roll", "initiative.next"),
        "ann",
        "Waiting for Bo to roll initiative.",
    ),
    "initiative rolled": State(
        ORDER,
        "gm",
        "The players have rolled initiative. Start the first turn.",
        ("initiative.next", "initiative.roll"),
        "ann",
        "The players have rolled initiative. Waiting for the GM to start the fight.",
    ),
    "the players' turn": State(
        (*ORDER, "gm initiative.next"),
        "ann",
        "The players' turn: do you act?",
        ("check.declare", "force.use", "initiative.next"),
        "gm",
        "The players' turn: Ann or Bo may act.",
    ),
    "the GM's turn": State(
        (*ORDER, "gm initiative.next", "Ann initiative.next"),
        "gm",
        "Your turn: who acts? Not yet this round: Guard.",
        ("check.declare", "force.use", "initiative.next"),
        "ann",
        "The GM's turn: waiting for the GM.",
    ),
    "a player has acted": State(
        (*ORDER, "gm initiative.next", "Ann initiative.next", "gm initiative.next who=guard"),
        "bo",
        "The players' turn: do you act?",
        ("check.declare", "force.use", "initiative.next"),
        "ann",
        "The players' turn: Bo may act.",
    ),
    "a contest": State(
        (CONTEST,),
        "ann",
        "“Over the wall” is on: make your check.",
        ("check.declare",),
        "gm",
        "“Over the wall”: waiting for Ann and Bo to roll.",
    ),
}


@pytest.mark.parametrize("name", STATES)
def test_each_state_names_who_is_asked_and_what_answers_it(name: str) -> None:
    """Whoever is asked reads what to do and has those moves open; another reads for whom the table waits."""
    state = STATES[name]
    table = table_of(*state.lines)
    yours, other = reads(table, state.whom), reads(table, state.other)
    assert (True, state.text, state.moves) == (yours.yours, yours.text, yours.moves)
    assert state.others == other.text
    first = offer(get("starwars"), table, state.whom, yours.moves[0], {**yours.args, "check": yours.check})
    assert first.closed is None


def test_the_end_is_not_waited_for_while_somebody_spends() -> None:
    """Symbols that are left are the one thing that a roll waits for: whoever spends the last of them ends the check."""
    table = table_of(*READY, "gm destiny.pass dice 5 5 1 1")
    assert ["Waiting for Ann to spend 2 Advantages."] == [one.text for one in waiting(get("starwars"), table, "gm")]


def test_a_contest_waits_for_those_who_have_not_rolled() -> None:
    """Its end is asked of the GM once somebody has rolled, with the names of those who still may."""
    contest = next(iter(table_of(CONTEST).of_kind("contest"))).id
    rolled = (
        *RACE[:2],
        RACE[2].replace("t7", contest),
        "gm check.agree",
        "Ann check.roll dice 2",
        "Ann check.close",
    )
    table = table_of(*rolled)
    assert "“Over the wall”: waiting for Bo to roll." == reads(table, "ann").text
    assert "Ilo can still roll in “Over the wall”. You may settle it without them." == reads(table, "gm").text
    assert ("contest.settle",) == reads(table, "gm").moves


def test_the_gm_spends_for_a_player_who_has_left() -> None:
    """What nobody else could spend is the GM's, so that the action can end."""
    table = table_of(*READY, "gm destiny.pass dice 5 5 1 1")
    gone = evolve(table, SeatTaken(replace(table.seats["ann"], here=False)))
    assert SPENDS == reads(gone, "gm").moves


def test_a_game_without_force_dice_waits_in_the_same_words() -> None:
    """Genesys has the same waits, in the words of its own points."""
    people = (
        PEOPLE.replace("starwars", "genesys").replace(" force-rating=2", "").replace("light=2 dark", "players=2 gm")
    )
    table = perform(read("\n".join((people, *SET)))).table
    assert ("check.ready", "story.pass", "story.upgrade") == reads(table, "ann").moves


def test_seven_taps_lead_from_a_try_to_the_closed_result() -> None:
    """Form, skill and submit; then the first answer to each wait, whoever is asked: four more until it is closed."""
    table, lines, taps = table_of(*SET[:1]), list(SET[:1]), 3
    answers: Iterator[str] = iter(
        (
            "gm check.difficulty difficulty=easy",
            "Ann check.ready",
            "gm destiny.pass dice 5 5 1 1",
            "Ann check.close",
        )
    )
    while table.checks:
        line = next(answers)
        seat, move = line.split()[:2]
        assert move in reads(table, seat.lower()).moves, line
        lines.append(line)
        table, taps = table_of(*lines), taps + 1
    assert 7 == taps


@pytest.mark.parametrize("key", ["starwars", "genesys"])
def test_the_first_scene_can_be_played(key: str) -> None:
    """Its lines are moves of the GM that are open at a new table, and leave people and a problem there."""
    text = systems.first_scene(key)
    assert text is not None
    evening = Evening(get(key))
    for step in first_scene(text, key):
        evening.make("mona", step.move, step.args)
    table = evening.table
    assert 2 == sum(one.side == "gm" for one in table.characters.values())
    assert 3 == sum(trait.text.startswith("To try: ") for trait in table.traits.values())


def test_destiny_waits_for_characters_where_no_player_has_one() -> None:
    """Before anybody has a character nobody can roll for Destiny, and the sentence has no gap for who is missing."""
    table = perform(read("table starwars\nseat gm side=gm\nseat Ann side=player\ngm session.begin")).table
    assert "No player has a character yet. Wait for them, or start without a Destiny roll." == reads(table, "gm").text
    assert "The Destiny pool waits for players who have chosen a character." == reads(table, "ann").text
    three = "".join(f"seat {who} {who}-s: name=X{who} agility=2\n" for who in ("Ann", "Bo", "Cy"))
    table = perform(read(f"table starwars\nseat gm side=gm\n{three}gm session.begin")).table
    found = [one.text for one in waiting(get("starwars"), table, "gm")]
    assert "Ann, Bo and Cy can still roll Destiny. You may start without." in found


def test_a_hidden_impossible_task_is_offered_without_a_price() -> None:
    """Beside an action that all see a further one is hidden by default, and what is hidden is free."""
    table = table_of("Ann check.declare as=pash skill=ranged-light difficulty=simple")
    impossible: dict[str, object] = {"as": "guard", "difficulty": "impossible"}
    hidden = offer(get("starwars"), table, "gm", "check.declare", impossible)
    told = offer(get("starwars"), table, "gm", "check.declare", {**impossible, "secret": False})
    assert (0, 1) == (hidden.price.total, told.price.total)
