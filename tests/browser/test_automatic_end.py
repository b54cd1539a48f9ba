"""An action without open choices ends automatically, and its result stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, MillRace, Party


@pytest.mark.exhaustive
def test_finished_roll_stays_in_sight(come: Come, shots: Path) -> None:
    """Dice and result stay large until the next action; undo takes back the roll and its end."""
    party = Party(come).sit()
    ann, gm, bo = party.ann, party.gm, party.bo
    ann.rolls("2 2 2 1 1")
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    ann.page.locator("#primary", has_text="Roll the dice").click()
    for guest in (ann, gm, bo):
        expect(
            guest.page.locator(".stage[data-phase=idle] .outcome[data-shown=true] .result")
        ).to_be_in_viewport(ratio=1)
        expect(guest.page.locator(".fallen .throw")).to_have_count(5)
        expect(guest.page.locator(".dock")).to_be_in_viewport(ratio=1)
        # Nothing was thrown away, so no notice has to say so.
        expect(guest.page.locator(".toast[data-thrown]")).to_have_count(0)
    expect(ann.page.locator("#primary")).to_contain_text("Make a check")
    expect(ann.page.locator("#spoken")).to_have_text("Success by 3.")
    for size in (DESK, PHONE):
        gm.resize(size)
        gm.still()
        gm.picture(shots / f"ended-{size['width']}.png")
    # The roll is in sight already: what it can be opened for says so.
    expect(bo.page.locator(".stage").get_by_role("button", name="Show the roll")).to_have_count(0)
    bo.tap("Share this roll")
    expect(bo.page.locator("dialog[open] textarea")).to_have_value(
        "Pash: Slice the lock. Success by 3."
    )
    bo.tap("Close")
    # Taken back, the dice are to be rolled, whatever else is done.
    gm.view("Table")
    gm.offer("table.undo").click()
    gm.view("Log")
    gm.page.get_by_placeholder("Write in the log").fill("Wait.")
    gm.page.keyboard.press("Enter")
    for guest in (ann, bo):
        expect(guest.page.get_by_role("heading", name="Slice the lock")).to_be_visible()
        expect(guest.page.locator(".outcome")).to_have_count(0)
    ann.page.locator("#primary", has_text="Roll the dice").click()
    for guest in (ann, bo):
        expect(guest.page.locator(".stage[data-phase=idle] .outcome .result")).to_be_visible()


def test_useless_advantage_is_not_left_over(come: Come) -> None:
    """An Advantage without a use ends the action, and is not listed as left to spend."""
    table = MillRace(come)
    table.make("ann", "check.declare", **{"as": "juna", "action": "overcome", "pool": "2 skill"})
    table.make("mira", "check.oppose", difficulty="average")
    table.make("mira", "check.agree")
    gm, ann = table.sit().gm, table.ann
    gm.resize(DESK)
    ann.rolls("5 4")
    ann.page.locator("#primary", has_text="Roll the dice").click()
    for guest in (ann, gm):
        expect(guest.page.locator(".stage[data-phase=idle] .outcome .result")).to_contain_text(
            "with 1 Advantage"
        )
        expect(guest.page.locator(".outcome .left")).to_have_count(0)


def test_ending_for_others_is_confirmed(come: Come) -> None:
    """Ending a conflict or starting a scene over it lists what would end, and can be cancelled."""
    table = MillRace(come)
    table.make("mira", "character.add", name="Thug")
    table.make("mira", "conflict.begin", kind="physical")
    gm = table.sit("mira").gm
    gm.page.locator(".slots").get_by_role("button", name="End the conflict").click()
    gm.read("Neither side is beaten. Still in the conflict: Juna, Thug.")
    gm.tap("Cancel")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    assert "round" in gm.api("GET", f"/api/tables/{table.id}?seat=mira")["table"]["running"]
    gm.tool("scene.begin")
    gm.read("The conflict that is going on ends with this scene.")
    gm.tap("Cancel")
    gm.tap("Close")
    gm.page.locator(".slots").get_by_role("button", name="End the conflict").click()
    gm.see("dialog[open]")
    gm.tap("End the conflict")
    gm.read("The conflict is over in round 1.")
    # Nothing is left that would end: a new scene begins with one tap.
    scene = gm.page.locator(".dock .button[data-move='scene.begin']")
    scene.click()
    gm.read("Scene 2")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    # On a large screen it can be named beforehand, as in the drawer of a phone.
    gm.resize(DESK)
    gm.page.locator(".drawer-place .fold-title", has_text="More tools").click()
    gm.tap("Start a new scene, and name it")
    form = gm.page.locator("dialog[open] form.form")
    form.locator("[data-ask=title] input").fill("The mill")
    form.locator("button[type=submit]").click()
    expect(gm.page.locator(".table-head")).to_contain_text("The mill")
