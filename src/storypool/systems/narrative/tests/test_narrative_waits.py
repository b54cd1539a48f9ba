"""What a narrative table waits for: in each state who is asked, in which words, and which moves answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import CharacterSet, SeatTaken, TraitSet
from storypool.engine.fold import evolve
from storypool.engine.folder import rows
from storypool.engine.moments import moments
from storypool.engine.offers import offer, offers
from storypool.engine.table import Table
from storypool.engine.waiting import Waiting, most_pressing, waiting
from storypool.play import perform, read
from storypool.play.first_scene import first_scene
from storypool.systems import get
from tests.sample_table import Evening

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
    found = most_pressing(waiting(get(table.system), table, seat))
    assert found is not None, f"nothing waits, as {seat} reads it"
    return found


SPENDS = ("spend.buy", "spend.free", "check.close")


def test_the_end_is_not_waited_for_while_a_seat_can_spend() -> None:
    """Symbols that are left are all that a roll waits for: spending the last of them ends the check."""
    table = table_of(*READY, "gm destiny.pass dice 5 5 1 1")
    assert ["Waiting for Ann to spend 2 Advantages."] == [
        one.text for one in waiting(get("starwars"), table, "gm")
    ]


def test_a_hit_that_hurts_offers_a_critical_injury_first() -> None:
    """A Triumph buys many things: what it is for after a hit is not among those that are folded away."""
    shot = (f"{TRY} damage=9 against=guard", *SET[1:], "Ann destiny.pass", "gm destiny.pass")
    table = table_of(*shot, "Ann check.roll dice 2 2 12 1", "gm attack.hit damage=9 soak=3")
    asks = offer(get("starwars"), table, "ann", "spend.buy", {}).asks
    rows = next(ask for ask in asks if ask.name == "row").choices
    assert "critical" == rows[0].value


def test_a_contest_waits_for_those_who_have_not_rolled() -> None:
    """Its end is asked of the GM once a player has rolled, with the names of those who still may."""
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
        PEOPLE.replace("starwars", "genesys")
        .replace(" force-rating=2", "")
        .replace("light=2 dark", "players=2 gm")
    )
    table = perform(read("\n".join((people, *SET)))).table
    assert ("check.ready", "story.pass", "story.upgrade") == reads(table, "ann").moves


def test_seven_taps_lead_from_a_try_to_the_closed_result() -> None:
    """Form, skill and submit; then the first answer to each wait of any seat: four until it is closed."""
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
    # What is true of the place is not true of the next one; what is behind it goes on.
    evening.make("mona", "scene.begin", {})
    assert ["Behind it"] == [trait.text[:9] for trait in evening.table.of_kind("fact")]


def test_destiny_waits_for_characters_where_no_player_has_one() -> None:
    """Before anybody has a character nobody can roll for Destiny; the sentence has no gap for who is missing."""
    table = perform(read("table starwars\nseat gm side=gm\nseat Ann side=player\ngm session.begin")).table
    assert (
        "No player has a character yet. Wait for them, or start without a Destiny roll." == reads(table, "gm").text
    )
    assert "The Destiny pool waits for players who have chosen a character." == reads(table, "ann").text
    three = "".join(f"seat {who} {who}-s: name=X{who} agility=2\n" for who in ("Ann", "Bo", "Cy"))
    table = perform(read(f"table starwars\nseat gm side=gm\n{three}gm session.begin")).table
    found = [one.text for one in waiting(get("starwars"), table, "gm")]
    assert "Ann, Bo and Cy can still roll Destiny. You may start without them." in found


def test_a_hidden_impossible_task_is_offered_without_a_price() -> None:
    """Beside an action that all see a further one is hidden by default, and what is hidden is free."""
    table = table_of("Ann check.declare as=pash skill=ranged-light difficulty=simple")
    impossible: dict[str, object] = {"as": "guard", "difficulty": "impossible"}
    hidden = offer(get("starwars"), table, "gm", "check.declare", impossible)
    shown = offer(get("starwars"), table, "gm", "check.declare", {**impossible, "secret": False})
    assert (0, 1) == (hidden.price.total, shown.price.total)


PILOT = 'Ann character.set who=pash sheet="piloting-space=3 damage=6"'
TURNS = (*ORDER, "gm initiative.next")


def begins(table: Table, seat: str) -> dict[str, object]:
    """What the form of an action begins with."""
    asks = offer(get(table.system), table, seat, "check.declare", {}).asks
    return {ask.name: ask.preset for ask in asks if ask.preset is not None}


@pytest.mark.parametrize(
    ("lines", "seat", "skill"),
    [
        ((PILOT,), "ann", "piloting-space"),
        ((PILOT, *TURNS), "ann", "ranged-light"),
        (TURNS, "bo", "ranged-light"),
        (TURNS, "gm", "ranged-light"),
        ((), "gm", None),
    ],
)
def test_an_action_in_a_fight_begins_with_a_skill_of_combat(lines: tuple[str, ...], seat: str, skill: str) -> None:
    """The best dice of combat, trained or not; elsewhere the best skill, and none where nobody is trained."""
    assert skill == begins(table_of(*lines), seat).get("skill")


def test_the_form_of_an_attack_shows_the_damage_of_the_sheet() -> None:
    """With a target and a skill of combat it is a question, which begins with the sheet's number."""
    table = table_of(PILOT, *TURNS)

    def damage(**args: str) -> list[object]:
        asks = offer(get(table.system), table, "ann", "check.declare", args).asks
        return [ask.default for ask in asks if ask.name == "damage"]

    assert [6] == damage(skill="ranged-light", against="guard")
    assert [] == damage(skill="piloting-space", against="guard") == damage(skill="ranged-light")


def caution(table: Table, key: str) -> str:
    """What the GM reads beside a move before it is made."""
    return offer(get(table.system), table, "gm", key, {}).caution


def test_going_on_without_the_others_names_them() -> None:
    """While a player can still roll, for Destiny or initiative, the step that leaves them out says so."""
    started = table_of("gm session.end", "gm session.begin")
    assert "Still to roll: Ann, Bo." == caution(started, "destiny.begin")
    assert "Still to roll: Ilo." == caution(table_of(*FIGHT), "initiative.next")
    assert "" == caution(table_of(*ORDER), "initiative.next")
    assert "" == caution(table_of(*TURNS), "initiative.next")


def test_the_turn_that_starts_a_fight_says_so() -> None:
    """The GM reads for whom they roll, and that the first turn starts the fight; the next ones are turns."""

    def title(table: Table, key: str, seat: str = "gm") -> str:
        return offer(get(table.system), table, seat, key, {}).title

    assert "Roll initiative" == title(table_of(), "initiative.roll")
    assert "Roll initiative for Guard" == title(table_of(*FIGHT), "initiative.roll")
    assert "Start the fight" == title(table_of(*ORDER), "initiative.next")
    assert "Next turn" == title(table_of(*TURNS), "initiative.next")
    # Who has rolled would get a further turn.
    assert "Roll for another turn" == title(table_of(*ORDER), "initiative.roll")
    assert "Roll for another turn" == title(table_of(*FIGHT), "initiative.roll", "ann")
    # Who also rolls may pass by rolling: a pass alone says that the roll comes later.
    assert "Pass, roll later" == title(table_of(*SET), "destiny.pass", "ann")
    assert "Pass" == title(table_of(*READY), "destiny.pass")


def test_a_group_of_which_none_stands_says_so() -> None:
    """Whom an action may be against says how many of a group stand, in words where that is none."""
    thugs = 'gm adversary.add name=Thugs pool="3 ability" group=4 wounds=5'

    def noted(wounds: int) -> str:
        table = table_of(thugs, f"gm track.suffer who=thugs track=wounds by={wounds}")
        asks = offer(get("starwars"), table, "ann", "check.declare", {}).asks
        against = next(ask for ask in asks if ask.name == "against")
        return next(choice.note for choice in against.choices if choice.value == "thugs")

    assert ["4 stand", "1 stands", "none stands"] == [noted(wounds) for wounds in (5, 16, 21)]


def test_a_player_who_has_passed_reads_so() -> None:
    """It is the other side's window then, but there is nothing to wait for."""
    shown = {
        seat: offer(get("starwars"), table_of(*READY), seat, "destiny.upgrade", {}).closed
        for seat in ("ann", "bo")
    }
    assert shown["ann"] is not None
    assert shown["bo"] is not None
    assert ("You have passed on this check.", "") == (shown["ann"].text, shown["ann"].remedy)
    assert "It is up to the GM to decide about points first." == shown["bo"].text


def test_npcs_are_ready_or_surprised_as_the_one_before() -> None:
    """The first NPC's roll asks, and the next begins with its answer; a player is always asked."""
    thugs = 'gm adversary.add name=Thugs pool="3 ability" group=4 wounds=5'

    def asked_with(table: Table, seat: str) -> object:
        asks = offer(get(table.system), table, seat, "initiative.roll", {}).asks
        return next(ask.default for ask in asks if ask.name == "with")

    assert asked_with(table_of(*FIGHT, thugs), "gm") is None
    started = table_of(*FIGHT, thugs, "gm initiative.roll as=guard with=cool dice 2 1")
    assert "cool" == asked_with(started, "gm")
    assert asked_with(started, "bo") is None


def test_npcs_whom_the_gm_has_passed_over_hold_up_no_fight() -> None:
    """Who is listed before one who has rolled is left out: the fight starts without them, or they may join."""
    thugs = 'gm adversary.add name=Thugs pool="3 ability" group=4 wounds=5'
    ready = (*FIGHT, "Bo initiative.roll as=ilo with=cool dice 1 1 1 1", thugs)

    def roll_and_moves(*lines: str) -> tuple[str, tuple[str, ...]]:
        table = table_of(*ready, *lines)
        return offer(get("starwars"), table, "gm", "initiative.roll", {}).title, reads(table, "gm").moves

    roll, start = "initiative.roll", "initiative.next"
    assert ("Roll initiative for Guard", (roll, start)) == roll_and_moves()
    passed = "gm initiative.roll as=thugs with=cool dice 1 1 1"
    assert ("Roll initiative for Guard", (start, roll)) == roll_and_moves(passed)
    later = 'gm adversary.add name=Boss pool="3 ability"'
    assert ("Roll initiative for Boss", (roll, start)) == roll_and_moves(passed, later)
    assert ("Roll initiative for Thugs", (roll, start)) == roll_and_moves(
        "gm initiative.roll as=guard with=cool dice 2 1"
    )


def test_what_one_triumph_buys_begins_with_what_a_triumph_alone_can() -> None:
    """A row whose own price is there comes before one that a Triumph would pay for in place of Advantage."""

    def bought(faces: str) -> list[tuple[str, str]]:
        table = table_of(*READY, f"gm destiny.pass dice {faces}")
        ask = next(ask for ask in offer(get("starwars"), table, "ann", "spend.buy", {}).asks if ask.name == "row")
        return [(choice.value, choice.note) for choice in ask.choices if not choice.closed]

    assert ("upgrade-target", "1 Triumph") == bought("1 1 12 1")[0]
    assert ("boost-next-ally", "1 Advantage") == bought("5 1 1 1")[0]


def test_what_is_vital_to_a_scene_is_asked_for_in_words() -> None:
    """The form begins with the sentence of the row; other rows say what they do and are bought at once."""
    table = table_of(*READY, "gm destiny.pass dice 5 5 12 1")

    def words(row: str) -> object:
        asks = offer(get("starwars"), table, "ann", "spend.buy", {"row": row}).asks
        return next(ask.default for ask in asks if ask.name == "text")

    assert ("Do something vital to the scene", None) == (words("vital"), words("notice"))


def test_everybody_sees_on_the_table_who_won_a_contest() -> None:
    """The result falls as a card for each seat, and not in the log alone."""
    race = RACE[2].replace("t7", '"Over the wall"')
    lines = *RACE[:2], race, "gm check.agree", "Ann check.roll dice 2", "Ann check.close", "gm contest.settle"
    brought = [
        (one.name, record.event.trait.text)
        for record in perform(read("\n".join((PEOPLE, *lines)))).records
        if isinstance(record.event, TraitSet)
        for one in moments(record.event, Table(), get("starwars"))
        if record.seen_by is None
    ]
    assert [("contest", "Pash won “Over the wall”")] == brought


@pytest.mark.parametrize("key", ["starwars", "genesys"])
def test_a_fight_begins_among_the_tools_of_the_gm(key: str) -> None:
    """Nobody is offered initiative beside the check; once one side has rolled, the players are asked to."""
    panels = [panel for panel in get(key).panels if "initiative.roll" in getattr(panel, "moves", ())]
    assert ["scene"] == [panel.name for panel in panels]
    assert ("initiative.roll",) == reads(table_of(*FIGHT), "bo").moves


def test_who_comes_late_to_a_fight_may_roll_for_a_turn() -> None:
    """A turn of the players offers it to a hero who has none, and to nobody once each has one."""
    late = (*TURNS, "seat Cy   sol: name=Sol presence=2")
    turn = act, over = "check.declare", "initiative.next"
    assert [(act, "initiative.roll", over), turn] == [reads(table_of(*late), seat).moves for seat in ("cy", "bo")]
    assert turn == reads(table_of(*late, "Cy initiative.roll as=sol with=cool dice 1 1"), "cy").moves


@pytest.mark.parametrize("key", ["starwars", "genesys"])
def test_ready_adversaries_need_no_other_answer(key: str) -> None:
    """Each is brought in by its name alone, with the wounds of the whole group and its own skill."""
    system = get(key)
    table = perform(read(f"table {key}\nseat gm side=gm\n")).table
    ready = next(ask for ask in offer(system, table, "gm", "adversary.add", {}).asks if ask.name == "ready")
    table_rows = rows(f"storypool.systems.{key}", "adversaries")
    assert {choice.value: choice.label for choice in ready.choices} == {
        one: row["name"] for one, row in table_rows.items()
    }
    for one, row in table_rows.items():
        events = decide(system, table, "gm", "adversary.add", {"ready": one}, lambda die: die.first)
        (sheet,) = (event.character.sheet for event in events if isinstance(event, CharacterSet))
        group = row.get("group", 1)
        numbers = ("wound-threshold", row["wounds"] * group), ("damage", row["damage"]), ("soak", row["soak"])
        assert dict(numbers).items() <= sheet.items()
        assert (1, group) == (sheet[row["skill"]], sheet.get("minions", 1))


def test_the_title_of_a_move_with_dice_names_all_or_none_of_them() -> None:
    """A player who reads "Add Boost dice" expects that alone."""
    for offered in offers(get("starwars"), table_of(*SET[:1]), "gm"):
        dice = next((ask.choices for ask in offered.asks if ask.name == "die"), ())
        named = [choice.label for choice in dice if choice.label in offered.title]
        assert named in ([], [choice.label for choice in dice]), offered.title


def test_locked_steps_give_reasons_that_hold_together() -> None:
    """It is not too late before anybody's turn has come, and the dice do not wait where nobody may answer."""

    def reasons(key: str, *lines: str) -> list[str]:
        return [one.text for one in offer(get("starwars"), table_of(*lines), "gm", key, {}).all_closed]

    assert ["It is up to the GM to decide about points first."] == reasons("destiny.pass_all", NPC)
    assert "It is up to Ann to decide about points first." == reasons("destiny.pass_all", *SET)[0]
    ready = reasons("check.ready", *READY)
    assert ["The dice fall as soon as nobody else may answer.", "This is someone else's action."] == ready


def test_dice_as_they_are_ask_for_no_characteristic() -> None:
    """A group that was brought in with its dice rolls them, whatever it opposes; a sheet with numbers is asked."""
    lines = ("table genesys", "seat gm side=gm", "seat ann pash: name=Pash brawn=2", "gm session.begin")
    thugs = "gm adversary.add name=Thugs pool='3 ability' group=3 wounds=5"
    table = perform(read("\n".join((*lines, thugs)))).table
    asked = {}
    for who in ("thugs", "pash"):
        about = {"as": who, "skill": "brawl", "difficulty": "opposed", "against": "thugs"}
        asked[who] = {ask.name for ask in offer(get("genesys"), table, "gm", "check.declare", about).asks}
    assert {"characteristic", "rank"} == asked["pash"] - asked["thugs"]
    assert "by_characteristic" not in asked["pash"]
