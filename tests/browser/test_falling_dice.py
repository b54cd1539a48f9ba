"""While the dice of a roll fall, only the stage shows its result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, Come, Guest, Party

IN_THE_AIR = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const one = animate.apply(this, how);
  if (this.matches('.solid')) one.pause();
  return one;
};
"""
"""A script with which dice hang in the air until a test lets them land."""
LAND = """() => document.getAnimations().filter(
    (one) => one.effect.target.matches('.solid')
).forEach((one) => one.finish())"""
CANCEL = LAND.replace("finish", "cancel")
HIDE = """() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
LONGEST = 3000
"""Milliseconds of the page's clock in which a fall is over, whatever becomes of its animations."""
SHOWN_TEXT = """() => ['.dock', '.trays', '.log'].map((part) =>
    [...document.querySelectorAll(`${part}, ${part} [aria-label]`)].map((one) =>
        one.getAttribute('aria-label') ?? one.textContent
    ).join(' '))"""
"""The text of the dock, the points and the log."""


def shown_text(guest: Guest) -> list[str]:
    """The parts of the page that show a result."""
    found: list[str] = guest.page.evaluate(SHOWN_TEXT)
    return found


def upgraded(come: Come) -> Party:
    """A table at which Ann is about to roll, with a spent point that turns over after it."""
    party = Party(come, regular=True, reduced_motion="no-preference")
    party.gm.resize(DESK)
    for guest in (party.gm, party.ann):
        guest.prepare(IN_THE_AIR)
        guest.page.clock.install()
    party.sit("mira", "ann")
    party.bound("mira", "ann")
    party.declare()
    party.make("ann", "destiny.upgrade")
    last = party.make("mira", "destiny.pass")
    for guest in (party.gm, party.ann):
        guest.caught_up(last)
        guest.awake()
        guest.page.clock.pause_at(guest.page.evaluate("Date.now()") / 1000 + 1)
    return party


def thrown(party: Party) -> dict[Guest, list[str]]:
    """The text of each page when Ann rolled on hers; the dice of both hang in the air."""
    before = {guest: shown_text(guest) for guest in (party.gm, party.ann)}
    party.ann.rolls("2 2 1 1 1")
    party.ann.page.locator("#primary").click()
    for guest in before:
        guest.see(".fallen[data-falling=true]")
    return before


def test_result_waits_until_its_dice_lie(come: Come) -> None:
    """Dock, points and log stay as they were, for the player who rolls and for the others."""
    party = upgraded(come)
    before = thrown(party)
    for guest, then in before.items():
        assert then == shown_text(guest)
        guest.page.evaluate(LAND)
        expect(guest.page.locator(".outcome .result")).to_be_visible()
        assert all(one != two for one, two in zip(then, shown_text(guest), strict=True))


@pytest.mark.parametrize(
    "end",
    [
        "tap",
        "endless animation",
        *(
            pytest.param(end, marks=pytest.mark.exhaustive)
            for end in ("key", "hidden page", "cancelled animation")
        ),
    ],
)
def test_fall_always_ends(come: Come, end: str) -> None:
    """A tap or key skips it, and neither a hidden page nor a stopped animation holds it up."""
    party = upgraded(come)
    gm = party.gm
    before = thrown(party)[gm]
    match end:
        case "tap":
            gm.page.locator(".action-title").click()
        case "key":
            gm.page.keyboard.press("Shift")
        case "hidden page":
            gm.page.evaluate(HIDE)
        case "cancelled animation":
            gm.page.evaluate(CANCEL)
        case _:
            gm.page.clock.run_for(LONGEST)
    expect(gm.page.locator(".fallen[data-falling=false]")).to_be_visible()
    expect(gm.page.locator(".outcome .result")).to_be_visible()
    assert all(one != two for one, two in zip(before, shown_text(gm), strict=True))


def test_move_during_a_fall_is_made_at_once(come: Come) -> None:
    """A tap on an offer that stays ends the fall, and its move arrives."""
    party = upgraded(come)
    thrown(party)
    gm = party.gm
    gm.page.locator(".views").get_by_role("button", name="Characters").click()
    expect(gm.page.locator(".fallen[data-falling=true]")).to_have_count(0)
    # The first cards of characters are drawn once their code is there and the clock goes on.
    gm.page.clock.resume()
    expect(gm.page.locator(".people")).to_be_visible()


def test_reduced_motion_holds_nothing_back(come: Come) -> None:
    """Without motion everything is shown at once."""
    party = upgraded(come)
    for guest in (party.gm, party.ann):
        guest.page.emulate_media(reduced_motion="reduce")
    before = thrown(party)
    for guest, then in before.items():
        expect(guest.page.get_by_role("region", name="3 dark points")).to_be_visible()
        assert then != shown_text(guest)
        assert 1 == guest.page.locator(".fallen[data-falling=true]").count()
