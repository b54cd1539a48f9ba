"""What a C2D10 table waits for: in each state who is asked, in which words, and which moves answer it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storypool.engine.events import CheckChanged, SeatTaken
from storypool.engine.fold import evolve
from storypool.engine.game.panels import ListPanel
from storypool.engine.offers import offer
from storypool.engine.table import Table
from storypool.engine.waiting import Waiting, most_pressing, waiting
from storypool.play import perform, read
from storypool.systems import get
from storypool.systems.c2d10.harm import KINDS

SYSTEM = get("c2d10")
PEOPLE = """
table c2d10 trust=players_set
seat gm   side=gm
seat Ann  mira: name=Mira systems=3 logic=3
seat Bo   odo: name=Odo brawl=2 strength=2
seat gm   thug: name=Thug dice=3
"""
MIRA = "Ann check.declare as=mira skill=systems"
FIGHT = 'gm conflict.open title="On the roof" type=opposed dc=2 target=20'


def table_of(*lines: str) -> Table:
    """The table of a play with these people and these lines."""
    return perform(read(PEOPLE + "\n".join(lines))).table


def reads(table: Table, seat: str) -> Waiting:
    """What this seat reads first."""
    found = most_pressing(waiting(SYSTEM, table, seat))
    assert found is not None, f"nothing waits, as {seat} reads it"
    return found


def without(table: Table, seat: str) -> Table:
    """The table when this seat is not here."""
    return evolve(table, SeatTaken(replace(table.seats[seat], here=False)))


def test_the_keeper_does_not_wait_for_an_npc() -> None:
    """A player who acts waits for the DC; an NPC has nobody else to wait."""
    assert reads(table_of(MIRA), "gm").text == "Ann is waiting: set the DC."
    table = table_of("gm check.declare as=thug")
    assert reads(table, "gm").text == "Set the DC for Thug."
    assert reads(table, "ann").text == "Waiting for the Keeper to set the DC."


def test_a_crisis_is_offered_to_the_player_of_the_hero() -> None:
    """The player takes it or refuses it; the Keeper does where the player has left."""
    lines = ["points villain=9", f"{MIRA} dc=2", "Ann check.roll dice 0 1 1 1 1 1", "gm crisis.inflict who=mira"]
    people = PEOPLE.replace("players_set", "players_set keeper_crisis=yes")
    table = perform(read(people + "\n".join(lines))).table
    mine = reads(table, "ann")
    assert mine.text == "The Keeper inflicts a crisis on Mira. Take it, or refuse it?"
    assert mine.moves == ("crisis.answer",)
    assert reads(table, "gm").text == "Waiting for Ann: Mira takes the crisis, or refuses it."
    assert reads(without(table, "ann"), "gm").moves == ("crisis.answer",)


def test_the_first_turn_waits_for_those_missing_or_for_the_keeper() -> None:
    """Once all of their own have rolled, the Keeper may start without those who have not."""
    table = table_of(FIGHT, "Bo initiative.roll dice 5")
    found = {one.id: one for one in waiting(SYSTEM, table, "gm")}
    assert found["initiative"].whom == ("ann", "gm")
    assert found["initiative"].each
    assert "start" not in found
    table = table_of(FIGHT, "Bo initiative.roll dice 5", "gm initiative.roll dice 1")
    found = {one.id: one for one in waiting(SYSTEM, table, "gm")}
    assert found["initiative"].whom == ("ann",)
    assert found["start"].text == "Start with Odo, or wait for the others."
    assert found["start"].moves == ("initiative.next",)
    # The step that leaves others out names them, so that it is not the gold one.
    first = offer(SYSTEM, table, "gm", "initiative.next", {})
    assert ("Start with Odo", "Still to roll: Mira.") == (first.title, first.caution)
    started = table_of(
        FIGHT, "gm initiative.roll dice 1", "Bo initiative.roll dice 5", "Ann initiative.roll dice 9"
    )
    following = offer(SYSTEM, started, "gm", "initiative.next", {})
    assert ("Next turn", "") == (following.title, following.caution)


def test_a_player_who_rolls_before_the_keeper_has_answered_reads_why_not() -> None:
    """A fact that was proposed for the test comes too late once the dice have fallen."""
    lines = ("gm trait.set text=Darkness", f"{MIRA} dc=2", "Ann check.trait trait=Darkness way=easier")
    assert "" == offer(SYSTEM, table_of(*lines[:2]), "ann", "check.roll", {}).caution
    caution = offer(SYSTEM, table_of(*lines), "ann", "check.roll", {}).caution
    assert caution.startswith("The Keeper has not answered yet: ")
    assert "Darkness" in caution


def test_a_session_without_players_begins_without_a_word() -> None:
    """The Keeper's points are counted aloud for the players who are here, and for nobody not at all."""
    alone = perform(read("table c2d10\nseat gm side=gm\ngm session.end")).table
    assert "" == offer(SYSTEM, alone, "gm", "session.begin", {}).caution
    counted = offer(SYSTEM, table_of("gm session.end"), "gm", "session.begin", {}).caution
    assert counted.startswith("4 villain points for the Keeper, 2 for each player: Ann and Bo.")


def test_a_die_is_rolled_again_before_trouble_is_settled() -> None:
    """What is taken or ignored settles the dice, so who can roll one again is asked that too."""
    failed = (f"{MIRA} dc=2", "Ann check.roll dice 0 1 1 1 1 1")
    assert reads(table_of("points hero=1", *failed), "ann").moves[-1] == "check.reroll"
    assert "check.reroll" not in reads(table_of(*failed), "ann").moves


def test_what_to_do_about_trouble_is_written_once() -> None:
    """A die that is rolled again, and changes nothing of it, does not bring the same advice into the log again."""
    lines = (
        "points villain=2",
        "Ann contest.declare as=mira against=thug skill=systems talent=logic",
        "Ann check.roll dice 7 0 1 1 1 1 9 1 1",
        "gm check.reroll die=8 dice 1",
    )
    records = perform(read(PEOPLE + "\n".join(lines))).records
    written = [record.event.what for record in records if isinstance(record.event, CheckChanged)]
    assert 1 == sum(what.startswith("Take the setback, or ignore it") for what in written)


def test_a_keeper_reads_whose_dice_she_would_roll() -> None:
    """The roll of a player who is here is theirs; that of one who left, or of an NPC, is the Keeper's."""
    table = table_of(f"{MIRA} dc=2")
    assert offer(SYSTEM, table, "gm", "check.roll", {}).caution == "These are Mira's dice, which Ann rolls."
    for own in (without(table, "ann"), table_of("gm check.declare as=thug dc=2")):
        assert offer(SYSTEM, own, "gm", "check.roll", {}).caution == ""
    assert offer(SYSTEM, table, "ann", "check.roll", {}).caution == ""


def test_a_keeper_reads_whose_decision_she_would_take() -> None:
    """What becomes of a hero's setback, and with what they oppose, is their player's, as long as one is here."""
    failed = table_of(f"{MIRA} dc=2", "Ann check.roll dice 0 1 1 1 1 1")
    opposed = table_of("gm contest.declare as=thug against=mira")
    for table, move in ((failed, "trouble.take"), (opposed, "contest.answer")):
        assert offer(SYSTEM, table, "gm", move, {}).caution == "Ann decides this for Mira."
        assert offer(SYSTEM, table, "ann", move, {}).caution == ""
        assert offer(SYSTEM, without(table, "ann"), "gm", move, {}).caution == ""


def test_of_several_setbacks_one_is_ignored() -> None:
    """All are taken with one tap and one is ignored with one: the buttons say which, until one is left."""
    lines = [f"{MIRA} dc=2", "Ann check.roll dice 0 0 1 1 1 1"]
    titles = []
    for line in ("", "Ann trouble.ignore"):
        lines.append(line)
        table = table_of(*lines)
        titles += [offer(SYSTEM, table, "ann", f"trouble.{what}", {}).title for what in ("take", "ignore")]
    assert titles[:2] == ["Take it: 2 setbacks", "Ignore one: the Keeper gains points"]
    assert titles[2:] == ["Take it", "Ignore it: the Keeper gains points"]


def test_the_keeper_buys_or_ends_the_roll_of_a_player() -> None:
    """Who is asked for points that others wait for can say that there are none to come."""
    contest = "Ann contest.declare as=mira against=thug skill=systems"
    # With dice that are ready the question is answered, and may be answered otherwise.
    ready = offer(SYSTEM, table_of(contest), "gm", "contest.answer", {})
    unanswered = offer(SYSTEM, table_of(contest.replace("thug", "odo")), "bo", "contest.answer", {})
    assert ("Oppose it with something else", "Oppose it") == (ready.title, unanswered.title)
    table = table_of("points villain=2", contest, "Ann check.roll dice 7 7 7 7 1 1 1 1 1")
    assert reads(table, "gm").moves == ("check.reroll", "check.close")
    # Who lost reads that, and a bystander that it is not theirs.
    lost = [offer(SYSTEM, table, seat, "success.buy", {}).closed for seat in ("gm", "bo")]
    texts = ["Only a successful test opens this.", "That roll is not yours to spend points on."]
    assert texts == [one and one.text for one in lost]


def test_what_the_page_shows_of_a_roll_holds_whatever_its_result() -> None:
    """Zeros and nines are shown; trouble is drawn where it is left to settle. Later it stays in sight."""
    lists = {kind for panel in SYSTEM.panels if isinstance(panel, ListPanel) for kind in panel.traits}
    assert ("zero", "setback") == (SYSTEM.look["zeros"].word, SYSTEM.look["setback"].word)
    assert ("crisis nine", "mess") == (SYSTEM.look["messes"].word, SYSTEM.look["mess"].word)
    assert {"bonus", *KINDS} <= lists


def test_a_turn_begins_when_the_one_before_is_done() -> None:
    """Nobody has to press anything between two turns; the log says whose turn it is."""
    rolls = ("Ann initiative.roll dice 9", "Bo initiative.roll dice 5", "gm initiative.roll dice 1")
    performance = perform(read(PEOPLE + "\n".join((FIGHT, *rolls, MIRA, "Ann check.roll dice 1 1 1 1 1 1"))))
    assert reads(performance.table, "ann").id == "close"
    table = table_of(FIGHT, *rolls, MIRA, "Ann check.roll dice 1 1 1 1 1 1", "Ann check.close")
    assert reads(table, "bo").text == "It is Odo's turn. What do you do?"
    acted = {str(slot.terms["who"]): slot.terms.get("acted", False) for slot in table.of_kind("slot")}
    assert acted == {"mira": True, "odo": False, "thug": False}
    # A player who has left does not hold everybody up.
    left = without(table, "bo")
    assert reads(left, "gm").text == "Odo's turn, and nobody here plays them: act for them, or go on."
    assert reads(left, "gm").moves == ("check.declare", "initiative.next")
    assert "Bo" not in reads(left, "ann").text


def test_who_is_hidden_has_a_turn_that_players_do_not_see() -> None:
    """Where a hidden character has the turn, players wait for the Keeper, who may act or go on."""
    hidden = PEOPLE + "seat gm shade: name=Shade dice=2 secret=yes\n"
    lines = [FIGHT, "gm initiative.roll as=shade dice 9", "gm initiative.roll as=thug dice 1"]
    lines += ["Ann initiative.roll dice 5", "Bo initiative.roll dice 3", "gm initiative.next"]
    table = perform(read(hidden + "\n".join(lines))).table
    assert [one.text for one in waiting(SYSTEM, table, "ann")] == ["Waiting for the Keeper to go on."]
    mine = waiting(SYSTEM, table, "gm")
    assert [one.text for one in mine] == ["It is Shade's turn. What do you do?", "Go on to the next turn."]
    assert mine[0].moves == ("check.declare",)


@pytest.mark.parametrize(
    ("lines", "caution"),
    [
        ((f"{MIRA} dc=2", "Ann check.roll dice 7 7 7 7 1 1"), ""),
        (("points hero=1", f"{MIRA} dc=2", "Ann check.roll dice 7 7 7 7 1 1"), ""),
        (("points hero=1", f"{MIRA} dc=2", "Ann check.roll dice 1 1 1 1 1 1"), ""),
        (("points hero=2", FIGHT, MIRA, "Ann check.roll dice 7 7 1 1 1 1"), ""),
        (
            (
                "points villain=2",
                "Ann contest.declare as=mira against=thug skill=systems",
                "Ann check.roll dice 7 7 7 7 1 1 1 1 1",
            ),
            "Points can still be spent on this roll by the Keeper.",
        ),
        (
            (
                "points villain=1",
                "Ann contest.declare as=mira against=thug skill=systems",
                "Ann check.roll dice 7 7 7 7 1 1 1 1 1",
            ),
            "",
        ),
        (
            (
                "points hero=1",
                "Ann information.seek as=mira skill=systems dc=1",
                "Ann check.roll dice 7 7 7 7 1 1",
            ),
            "The Keeper has granted no bonus yet.",
        ),
        (
            ("points hero=9 villain=19", f"{MIRA} dc=1", "Ann check.roll dice 7 7 7 7 1 1"),
            "The party's pool has no room for 2 of these points; the Keeper gains 1 villain point.",
        ),
    ],
    ids=[
        "nothing to buy",
        "nothing worth buying",
        "a die again",
        "a success",
        "the other side",
        "too late",
        "a bonus",
        "a full pool",
    ],
)
def test_closing_says_what_is_lost(lines: tuple[str, ...], caution: str) -> None:
    """Closing says before what can still be done; where that is nothing, it is the next step without a word."""
    table = table_of(*lines)
    assert offer(SYSTEM, table, "ann", "check.close", {}).caution == caution


def test_a_scene_is_settled_for_the_heroes_first() -> None:
    """Of the tests after a scene each reader finds those of the players' characters before those of NPCs."""
    people = "table c2d10\nseat gm side=gm\nseat gm ada: name=Ada dice=2\nseat Bo odo: name=Odo endurance=2\n"
    table = perform(read(f"{people}points odo.strain=1 ada.strain=1\ngm scene.begin")).table
    found = waiting(SYSTEM, table, "gm")
    assert [("Odo", False), ("Ada", True)] == [
        ("Odo" if "Odo" in wait.text else "Ada", wait.yours) for wait in found
    ]


def test_a_die_that_has_succeeded_says_what_would_be_lost() -> None:
    """Of the dice to roll again those that show successes say so, and come last."""
    table = table_of("points hero=3", f"{MIRA} dc=5", "Ann check.roll dice 9 1 7 0 1 1")
    die = next(ask for ask in offer(SYSTEM, table, "ann", "check.reroll", {}).asks if ask.name == "die")
    assert ["", "", "", "", "2 successes, lost with this face", "1 success, lost with this face"] == [
        choice.note for choice in die.choices
    ]


def test_the_usual_dc_is_marked_and_one_setback_is_not_counted() -> None:
    """The Keeper finds the usual DC among the others; how many are taken is asked where there are several."""
    [dc] = offer(SYSTEM, table_of(MIRA), "gm", "check.dc", {}).asks
    assert (2, None) == (dc.preset, dc.default)
    fight = table_of(FIGHT.replace("dc=2", "dc=4"), MIRA)
    assert [4] == [ask.preset for ask in offer(SYSTEM, fight, "gm", "check.dc", {}).asks]
    for faces, asked_for in (("0 1 1 1 1 1", False), ("0 0 1 1 1 1", True)):
        table = table_of(f"{MIRA} dc=2", f"Ann check.roll dice {faces}")
        names = [ask.name for ask in offer(SYSTEM, table, "ann", "trouble.take", {}).asks]
        assert asked_for is ("n" in names)


def test_a_spend_that_settles_the_dice_says_who_could_still_roll_again() -> None:
    """What a winner buys leaves the dice as they are: it says whose re-roll it takes away, while there is one."""
    contest = ("Ann contest.declare as=mira against=thug skill=systems", "Ann check.roll dice 7 7 7 7 1 1 1 1 1")
    table = table_of("points hero=9 villain=2", FIGHT, *contest)
    assert reads(table, "gm").moves == ("check.reroll", "check.close")
    assert reads(table, "ann").moves == ("success.buy", "check.close")
    assert offer(SYSTEM, table, "ann", "success.buy", {}).caution == "After this the Keeper can roll no die again."
    # It is the Keeper's choice alone: with too few points to turn the roll she has none.
    poor = table_of("points hero=9 villain=1", FIGHT, *contest)
    assert offer(SYSTEM, poor, "ann", "success.buy", {}).caution == ""


def test_a_turn_is_of_the_character_whose_turn_it_is() -> None:
    """Where the Keeper plays several, what she is asked to do is for the one whose turn it is."""
    two = PEOPLE + "seat gm guard: name=Guard dice=2\n"
    fight = ("gm conflict.open title=Roof type=opposed dc=2 target=20", "gm initiative.roll as=thug dice 9")
    rolls = ("gm initiative.roll as=guard dice 8", "Ann initiative.roll dice 2", "Bo initiative.roll dice 1")
    lines = (*fight, *rolls)
    keepers = reads(perform(read(two + "\n".join(lines))).table, "gm")
    assert (keepers.text, keepers.args) == ("It is Thug's turn. What do you do?", {"as": "thug"})
    # A player has one, and is asked what they try.
    later = (*lines, "gm initiative.next", "gm initiative.next")
    players = reads(perform(read(two + "\n".join(later))).table, "ann")
    assert (players.text, players.args) == ("It is Mira's turn. What do you do?", {})


def test_a_hidden_success_in_a_conflict_can_be_bought_on() -> None:
    """Who could still roll dice again is asked of nobody who does not see the roll."""
    rolls = ("gm initiative.roll as=thug dice 9", "Ann initiative.roll dice 2", "Bo initiative.roll dice 1")
    hidden = ("gm check.declare as=thug dc=1 secret=yes", "gm check.roll dice 9 9 9")
    table = table_of("points hero=9 villain=9", FIGHT, *rolls, *hidden)
    handed = offer(SYSTEM, table, "gm", "initiative.seize", {})
    assert (handed.closed, handed.caution) == (None, "")
