"""What was thrown away can be taken back, Back closes a sheet, and what was typed or not sent is not lost."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import Come, Guest, Party

FORM = "dialog[open] form"


def back(guest: Guest) -> None:
    """The browser's Back, as a phone's gesture goes."""
    guest.page.evaluate("history.back()")


def test_back_closes_one_sheet_after_the_other(come: Come) -> None:
    """A form over the drawer closes first."""
    gm = Party(come).sit().gm
    gm.page.locator(".drawer-button button").click()
    gm.page.locator(".drawer .offer-place[data-move='adversary.add'] .offer").click()
    expect(gm.page.locator("dialog[open]")).to_have_count(2)
    back(gm)
    expect(gm.page.locator("dialog[open]")).to_have_count(1)
    back(gm)
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    expect(gm.page.locator(".table")).to_be_visible()
