"""Offers of a narrative table that no play checks: choices, prices, reasons, and taps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import SheetSet, TraitSet
from storypool.engine.folder import rows
from storypool.engine.moments import moments
from storypool.engine.offers import offer, offers
from storypool.engine.table import Table
from storypool.engine.waiting import most_pressing, waiting
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


def table_of(*lines: str) -> Table:
    """The table of a play with these people and lines."""
    return perform(read("\n".join((PEOPLE, *lines)))).table


def test_hit_offers_a_critical_injury_first() -> None:
    """After a hit the critical injury comes first, not folded away among a Triumph's purchases."""
    shot = (f"{TRY} damage=9 against=guard", *SET[1:], "Ann destiny.pass", "gm destiny.pass")
    table = table_of(*shot, "Ann check.roll dice 2 2 12 1", "gm attack.hit damage=9 soak=3")
    asks = offer(get("starwars"), table, "ann", "spend.buy", {}).asks
    rows = next(ask for ask in asks if ask.name == "row").choices
    assert "critical" == rows[0].value


def test_check_takes_seven_taps() -> None:
    """Form, skill and submit, then the first answer to each wait: four until it is closed."""
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
        asked = most_pressing(waiting(get("starwars"), table, seat.lower()))
        assert asked is not None
        assert move in asked.moves, line
        lines.append(line)
        table, taps = table_of(*lines), taps + 1
    assert 7 == taps


@pytest.mark.parametrize("key", ["starwars", "genesys"])
def test_first_scene_can_be_played(key: str) -> None:
    """Its lines are open GM moves at a new table, and leave people and a problem."""
    text = systems.first_scene(key)
    assert text is not None
    evening = Evening(get(key))
    for step in first_scene(text, key):
        evening.make("mona", step.move, step.args)
    table = evening.table
    assert 2 == sum(one.side == "gm" for one in table.characters.values())
    assert 3 == len(table.of_kind("try"))
    # Facts about the place end with its scene; the one behind it remains.
    evening.make("mona", "scene.begin", {})
    assert ["Behind it"] == [trait.text[:9] for trait in evening.table.of_kind("fact")]


def test_hidden_impossible_task_is_free() -> None:
    """A second action next to a visible one is hidden by default, and hidden actions are free."""
    table = table_of("Ann check.declare as=pash skill=ranged-light difficulty=simple")
    impossible: dict[str, object] = {"as": "guard", "difficulty": "impossible"}
    hidden = offer(get("starwars"), table, "gm", "check.declare", impossible)
    shown = offer(get("starwars"), table, "gm", "check.declare", {**impossible, "secret": False})
    assert (0, 1) == (hidden.price.total, shown.price.total)


def test_passed_player_is_shown_as_passed() -> None:
    """In the other side's window there is nothing to wait for."""
    shown = {
        seat: offer(get("starwars"), table_of(*READY), seat, "destiny.upgrade", {}).closed
        for seat in ("ann", "bo")
    }
    assert shown["ann"] is not None
    assert shown["bo"] is not None
    assert ("You have passed on this check.", "") == (shown["ann"].text, shown["ann"].remedy)
    assert "It is up to the GM to decide about points first." == shown["bo"].text


def test_triumph_rows_come_before_advantage_rows() -> None:
    """Rows with their own price come before those that a Triumph pays for instead of Advantage."""

    def bought(faces: str) -> list[tuple[str, str]]:
        table = table_of(*READY, f"gm destiny.pass dice {faces}")
        ask = next(
            ask
            for ask in offer(get("starwars"), table, "ann", "spend.buy", {}).asks
            if ask.name == "row"
        )
        return [(choice.value, choice.note) for choice in ask.choices if not choice.closed]

    assert ("upgrade-target", "1 Triumph") == bought("1 1 12 1")[0]
    assert ("boost-next-ally", "1 Advantage") == bought("5 1 1 1")[0]


def test_contest_winner_is_shown_to_everybody() -> None:
    """Each seat sees the result as a card, in addition to the log."""
    lines = (
        'gm contest.open title="Over the wall" difficulty=simple',
        "points light=0 dark=0",
        'Ann check.declare as=pash pool=1A contest="Over the wall"',
        "gm check.agree",
        "Ann check.roll dice 2",
        "Ann check.close",
        "gm contest.settle",
    )
    brought = []
    for record in perform(read("\n".join((PEOPLE, *lines)))).records:
        if isinstance(record.event, TraitSet) and record.seen_by is None:
            for one in moments(record.event, Table(), get("starwars")):
                brought.append((one.name, record.event.trait.text))
    assert [("contest", "Pash won “Over the wall”")] == brought


@pytest.mark.parametrize("key", ["starwars", "genesys"])
def test_initiative_is_a_gm_tool(key: str) -> None:
    """Initiative is not offered next to the check."""
    panels = [
        panel for panel in get(key).panels if "initiative.roll" in getattr(panel, "moves", ())
    ]
    assert ["scene"] == [panel.name for panel in panels]


@pytest.mark.parametrize("key", ["starwars", "genesys"])
def test_ready_adversaries_need_no_other_answer(key: str) -> None:
    """Each joins by name alone, with the wounds of the whole group and its own skill."""
    system = get(key)
    table = perform(read(f"table {key}\nseat gm side=gm\n")).table
    ready = next(
        ask for ask in offer(system, table, "gm", "adversary.add", {}).asks if ask.name == "ready"
    )
    table_rows = rows(f"storypool.systems.{key}", "adversaries")
    assert {choice.value: choice.label for choice in ready.choices} == {
        one: row["name"] for one, row in table_rows.items()
    }
    for one, row in table_rows.items():
        events = decide(
            system, table, "gm", "adversary.add", {"ready": one}, roll=lambda die: die.first
        )
        (sheet,) = (event.sheet for event in events if isinstance(event, SheetSet))
        group = row.get("group", 1)
        numbers = (
            ("wound-threshold", row["wounds"] * group),
            ("damage", row["damage"]),
            ("soak", row["soak"]),
        )
        assert dict(numbers).items() <= sheet.items()
        assert (1, group) == (sheet[row["skill"]], sheet.get("minions", 1))


def test_dice_titles_name_all_dice_or_none() -> None:
    """A player who reads "Add Boost dice" expects only Boost dice."""
    for offered in offers(get("starwars"), table_of(*SET[:1]), "gm"):
        dice = next((ask.choices for ask in offered.asks if ask.name == "die"), ())
        named = [choice.label for choice in dice if choice.label in offered.title]
        assert named in ([], [choice.label for choice in dice]), offered.title


def test_locked_steps_have_consistent_reasons() -> None:
    """It is not too late before anybody's turn, and dice do not wait if nobody may answer."""

    def reasons(key: str, *lines: str) -> list[str]:
        return [
            one.text for one in offer(get("starwars"), table_of(*lines), "gm", key, {}).all_closed
        ]

    assert ["It is up to the GM to decide about points first."] == reasons("destiny.pass_all", NPC)
    assert "It is up to Ann to decide about points first." == reasons("destiny.pass_all", *SET)[0]
    ready = reasons("check.ready", *READY)
    assert [
        "The dice fall as soon as nobody else may answer.",
        "This is someone else's action.",
    ] == ready
