"""Two sides against each other are told by name: in the terms of the action, in its odds, and in its result."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.guests import PHONE, Come
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
    bo.make(night.id, "bo", "contest.answer", by_skill="brawl", by_talent="strength")
    for guest in night.guests:
        expect(guest.page.locator(".action-terms")).to_have_text("Juna: Systems, Logic · Odo: Brawl, Strength")
        expect(guest.page.locator(".odds-words").first).to_contain_text("Juna wins")
    ann.still()
    ann.page.screenshot(path=shots / "sides-360.png")
