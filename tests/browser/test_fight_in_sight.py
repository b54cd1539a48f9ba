"""A fight of four heroes and five enemies is in sight, on a large screen and on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool.engine.events import Record
from storypool.play import Performance, read
from tests.browser.guests import DESK, PHONE, Come, Guest
from tools.states import State, states
from tools.visits import House, visit

HEROES = ("Ada", "Bram", "Cleo", "Dov")
FOES = ("Dock guards", "Captain Rusk", "Hired gun", "Probe droid", "Sniper on the crane")
SHEETS = {
    "starwars": "agility=3 presence=2 cool=1 ranged-light=2 wound-threshold=12",
    "dune": "battle=7 move=5 duty=8 justice=7 faith=5 power=4 truth=6",
    "c2d10": "athletics=2 strength=2",
    "destinydice": "quick=3 clever=2",
}
ADDED = {
    "starwars": 'adversary.add name="{name}" pool="2 ability" wounds=9 soak=2',
    "dune": 'character.add name="{name}"',
    "c2d10": 'npc.add name="{name}" dice=4',
    "destinydice": 'character.add name="{name}"',
}
BEGINS = {
    "starwars": (
        *(f"{one[0].lower()} initiative.roll with=cool dice 4 6" for one in HEROES),
        *(f"gm initiative.roll as={foe} with=cool dice 2 1" for foe in ("{0}", "{1}")),
        "gm initiative.next",
    ),
    "dune": ('gm conflict.begin kind=personal text="Over the roofs"',),
    "c2d10": (
        'gm conflict.open title="The gate" type=opposed dc=1',
        *(f"{one[0].lower()} initiative.roll dice 7" for one in HEROES),
        *(f"gm initiative.roll as={{{n}}} dice 5" for n in range(len(FOES))),
    ),
    "destinydice": ("gm conflict.begin kind=physical",),
}
"""How each game's fight begins."""
ROLLED = {
    "starwars": (
        "a check.declare skill=ranged-light against={1} difficulty=simple damage=6",
        "gm check.agree",
        "a check.roll dice 5 5 4",
    ),
    "dune": (
        "gm asset.add who=ada text=Kindjal kind=weapon",
        "a conflict.attack against={1} asset=Kindjal skill=battle drive=duty",
        "gm contest.oppose skill=battle drive=quality",
        "gm check.roll dice 19 19",
        "a check.roll dice 1 5",
    ),
    "c2d10": (
        "a contest.declare against={0} skill=athletics talent=strength",
        "a check.roll dice 9 9 0 1 1 1 1 1",
    ),
    "destinydice": (
        "a check.declare action=attack approach=quick against={0}",
        'gm check.defend theirs="1 skill"',
        "a check.roll dice 6 6 6 1",
    ),
}
"""The first attack of each fight to its roll, which leaves something to spend."""
HIT = {
    "starwars": "a attack.hit",
    "dune": "a check.close",
    "c2d10": "a check.close",
    "destinydice": "a outcome.take how=hit",
}
"""The move by which that attack hurts its target."""
IS_WHOLE = """(all) => all.filter((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !inside || !one.contains(at);
}).map((one) => one.textContent)"""
"""The elements that are not whole in the window, or covered."""


def fight(game: str, *attack: str) -> Sequence[Record]:
    """The log of a table at the beginning of a fight, or after these lines of its first attack."""
    ids = [foe.lower().replace(" ", "-") for foe in FOES]
    lines = [f"table {game}", "seat gm side=gm"]
    lines += [f"seat {one[0].lower()} {one.lower()}: name={one} {SHEETS[game]}" for one in HEROES]
    lines += ["gm " + ADDED[game].format(name=foe) for foe in FOES]
    lines += [line.format(*ids) for line in (*BEGINS[game], *attack)]
    performance = Performance(read("\n".join(lines), f"{game}.play"))
    assert [] == [(step.line, step.problem) for step in performance.steps() if step.problem]
    return performance.records


def hidden(guest: Guest, selector: str) -> list[str]:
    """The texts of elements that are not whole in sight; there is at least one of them."""
    found = guest.page.locator(selector).filter(visible=True)
    expect(found.first).to_be_visible()
    missing: list[str] = found.evaluate_all(IS_WHOLE)
    return missing


@pytest.mark.parametrize("game", SHEETS)
def test_fight_is_in_sight(come: Come, house: House, shots: Path, game: str) -> None:
    """A row for each character, the order and the next step are in sight without scrolling.

    A tap on an enemy acts with it where that is the GM's next step, and its portrait opens its
    card. A phone shows whose turn it is, one's own card and the next step.
    """
    records = fight(game)
    gm, ada = come(DESK, regular=True), come(PHONE, regular=True)
    visit(gm, house, State(game, "fight", records, "gm"))
    gm.picture(shots / f"fight-{game}-1280.png")
    expect(gm.page.locator(".fighter")).to_have_count(9)
    assert [] == hidden(gm, ".fighter, .slot, .stage, .dock .button")
    face = gm.page.locator(".fighter", has_text="Captain Rusk").locator(".fighter-face")
    face.click()
    expect(gm.top.get_by_role("heading", name="Captain Rusk").first).to_be_visible()
    gm.page.keyboard.press("Escape")
    visit(ada, house, State(game, "fight", records, "a"))
    ada.picture(shots / f"fight-{game}-360.png")
    assert [] == hidden(ada, ".slot[aria-current], .mine .strip, .dock .button")


@pytest.mark.parametrize("game", SHEETS)
def test_attack_is_in_sight(come: Come, house: House, shots: Path, game: str) -> None:
    """After a roll with something to spend and after a hit a phone shows the same as before.

    Whose turn it is, one's own card and the next step need no scrolling.
    """
    ada = come(PHONE, regular=True)
    for name, attack in (
        ("rolled", ROLLED[game]),
        ("hit", (*ROLLED[game], HIT[game])),
    ):
        visit(ada, house, State(game, name, fight(game, *attack), "a"))
        ada.picture(shots / f"fight-{name}-{game}-360.png")
        assert [] == hidden(ada, ".slot[aria-current], .mine .strip, .dock .button"), name


def test_enemy_acts_by_a_tap(come: Come, house: House) -> None:
    """In the GM's turn a tap on an enemy opens the next step with it.

    A player's tap on the same row opens the card.
    """
    state = next(state for state in states("starwars") if state.name == "turn.gm-gm")
    gm = come(DESK, regular=True)
    visit(gm, house, state)
    row = gm.page.locator(".fighter").filter(has_text="Guard").locator(".fighter-row")
    row.click()
    form = gm.see("dialog[open] form")
    expect(form).to_contain_text("Who acts? Guard")
    gm.page.keyboard.press("Escape")
    visit(gm, house, replace(state, seat="ann"))
    row.click()
    expect(gm.top.get_by_role("heading", name="Guard").first).to_be_visible()
    expect(gm.page.locator("dialog[open] form")).to_have_count(0)
