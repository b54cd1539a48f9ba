"""Two sides against each other are told by name: in the terms of the action, in its odds, and in its result."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Party
from tests.browser.test_overflow import Night


def test_a_contest_names_its_sides(come: Come, shots: Path) -> None:
    """Each side's skill under its name, no odds before the other side has dice, then who wins by name."""
    night = Night(come, PHONE)
    gm, ann, bo = night.guests
    gm.make(night.id, "mira", "session.begin")
    ann.make(
        night.id,
        "ann",
        "contest.declare",
        **{"as": "juna", "against": "odo", "skill": "systems", "talent": "logic", "title": "Arm in arm"},
    )
    for guest in night.guests:
        expect(guest.page.locator(".action-terms")).to_contain_text("Juna: Systems, Logic")
        expect(guest.page.locator(".odds")).to_have_count(0)
    # What stands against it begins with an answer: one tap takes it as it is, which the button tells, and the one
    # beside it opens the form.
    answer = bo.page.locator("#primary[data-move='contest.answer']")
    expect(answer.locator(".offer-note")).to_have_text("Brawl")
    bo.tap("Change …")
    expect(bo.top.locator("[data-ask=by_skill]")).to_be_visible()
    expect(bo.top.locator("button[type=submit]")).to_have_text("Oppose it")
    bo.tap("Cancel")
    answer.click()
    for guest in night.guests:
        expect(guest.page.locator(".action-terms")).to_have_text("Juna: Systems, Logic · Odo: Brawl, Strength")
        expect(guest.page.locator(".odds-words").first).to_contain_text("A win for Juna")
    ann.still()
    ann.picture(shots / "sides-360.png")


def test_a_passed_threshold_is_a_warning(come: Come, shots: Path) -> None:
    """A card on every screen, the colour of a warning on the sheet, and the GM is asked what becomes of them."""
    party = Party(come, size=DESK).sit("mira", "ann")
    gm = party.gm
    everybody = gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"]["characters"]
    pash = everybody["pash"]["sheet"]
    party.make("mira", "character.set", who="pash", sheet={**pash, "wound-threshold": 2})
    party.make("mira", "track.suffer", who="pash", track="wounds", by=3)
    for guest in (gm, party.ann):
        expect(guest.page.locator(".fallen-card")).to_contain_text("Pash: past the wound threshold (3 of 2).")
    expect(gm.page.locator(".dock-state")).to_contain_text("What becomes of them?")
    gm.view("Characters")
    expect(gm.page.locator(".trait[data-tone=bad]")).to_contain_text("past the wound threshold")
    gm.still()
    gm.picture(shots / "beyond-1280.png")


def test_slots_tell_results_and_who_used_them(come: Come) -> None:
    """A slot shows what was rolled for it and who has taken it; in the GM's no player is offered to act.

    A group of minions is one character, and its card says how many of it still stand.
    """
    party = Party(come, size=DESK)
    gm, ann = party.gm, party.ann
    party.make("mira", "adversary.add", name="Dock guards", pool="3 ability", group=4, wounds=5)
    party.make("mira", "track.suffer", who="dock-guards", track="wounds", by=6)
    party.make("ann", "initiative.roll", **{"as": "pash", "with": "cool", "faces": "4 6"})
    party.make("mira", "initiative.roll", **{"as": "captain-rusk", "with": "cool", "faces": "1 1 1"})
    party.make("mira", "initiative.next")
    gm.at(party.id, "mira")
    ann.at(party.id, "ann")
    slots = ann.page.locator(".slot").filter(visible=True)
    expect(slots.nth(0)).to_contain_text("Players (2 Successes, 1 Advantage)")
    expect(slots.nth(1)).to_contain_text("GM (no success)")
    expect(ann.page.locator("#primary")).to_have_text("Make a check")
    # In a fight the GM's dock ends that, and not the evening; what stands there stands nowhere else.
    expect(gm.page.locator(".dock-row .button")).to_have_text(["Make a check", "Next turn", "End the fight"])
    expect(gm.page.locator(".slots .button")).to_have_count(0)
    party.make("ann", "initiative.next", who="pash")
    expect(slots.nth(0)).to_contain_text("Pash (Players: 2 Successes, 1 Advantage)")
    expect(ann.page.locator(".dock-state")).to_have_text("The GM's turn: waiting for the GM.")
    expect(ann.page.locator("#primary")).to_have_count(0)
    expect(gm.page.locator(".dock-state")).to_contain_text("Your turn: who acts?")
    gm.view("Characters")
    guards = gm.page.locator(".person-card", has_text="Dock guards")
    expect(guards).to_have_count(1)
    expect(guards).to_contain_text("3 of 4 still stand")
