"""The questions of an opening form come at once if they were fetched, or a moment later."""

from __future__ import annotations

import re

from playwright.sync_api import Route, WebSocket, expect

from tests.browser.guests import HOLDING, Come, Guest, Party
from tests.browser.test_interruptions import WITHOUT_SOCKETS

COMING = "The questions are coming"
FIRST = "What turns out to be true?"
PRICED = "destiny.fact"
AT_MOST = 100
"""Milliseconds of the page's clock."""
PREVIEWED = """
window.previews = 0;
window.change = (message) => {
  window.previews += Boolean(message.preview);
  return message;
};
"""
"""A script that counts the previews that have reached a page."""


def opens(guest: Guest) -> None:
    """Tap the offer of a move with a price, and let the page's clock go on for a moment."""
    guest.offer(PRICED).dispatch_event("click")
    guest.page.clock.run_for(AT_MOST)


def paused(come: Come) -> Guest:
    """Bo, whose page shows an action, with its clock stopped."""
    party = Party(come)
    bo = party.bo
    bo.prepare(HOLDING + PREVIEWED)
    bo.page.clock.install()
    bo.at(party.id, "bo")
    # Pages seal their numbers automatically, and a record of that repeats earlier fetches.
    party.bound("bo")
    bo.weighed(party.declare())
    bo.see(f".offer-place[data-move='{PRICED}'] .offer")
    bo.page.clock.pause_at(bo.page.evaluate("Date.now()") / 1000 + 1)
    return bo


def test_form_opens_with_fetched_questions(come: Come) -> None:
    """Pressing a button fetches them, and releasing it opens the whole form at once."""
    bo = paused(come)
    bo.offer(PRICED).dispatch_event("pointerdown")
    bo.page.wait_for_function("() => window.previews > 0", polling=50)
    bo.page.evaluate("window.holding = 'answer'")
    opens(bo)
    assert bo.page.locator("dialog[open] form").get_by_label(FIRST).count() == 1
    assert COMING not in bo.page.locator("dialog[open]").inner_text()


def test_form_opens_before_its_questions(come: Come) -> None:
    """Its title and price come first, then its questions, and the focus stays."""
    bo = paused(come)
    bo.page.evaluate("window.holding = 'answer'")
    opens(bo)
    sheet = bo.page.locator("dialog[open]")
    assert COMING in sheet.inner_text()
    assert sheet.locator("h2").evaluate("(one) => one === document.activeElement")
    assert sheet.locator(".form-foot [role=img]").count() == 1
    assert sheet.locator("form").count() == 0
    bo.page.evaluate("window.release()")
    bo.page.wait_for_function("() => window.previews > 0", polling=50)
    bo.page.clock.run_for(AT_MOST)
    expect(sheet.get_by_label(FIRST)).to_be_visible()
    assert sheet.locator("h2").evaluate("(one) => one === document.activeElement")


def test_form_without_an_answer_retries(come: Come) -> None:
    """One sentence reports it, a button retries, and the typed text stays."""
    party = Party(come)
    bo = party.bo
    bo.server_is_gone = True
    bo.prepare(f"({WITHOUT_SOCKETS})()")
    bo.at(party.id, "bo")
    party.declare()
    bo.offer(PRICED).click()
    sheet = bo.page.locator("dialog[open]")
    sheet.get_by_label(FIRST).fill("There is a side door")
    bo.tap("Close")
    party.make("ann", "table.say", text="So?")
    lost = list[Route]()

    def lose(route: Route) -> None:
        lost.append(route)
        route.abort()

    bo.page.route("**/preview", lose)
    bo.offer(PRICED).click()
    alert = sheet.get_by_role("alert")
    expect(alert).to_contain_text("The server did not answer. Check your connection and try again.")
    assert lost
    bo.page.unroute_all(behavior="wait")
    bo.tap("Try now")
    expect(sheet.get_by_label(FIRST)).to_have_value("There is a side door")
    expect(sheet.locator("h2")).to_be_focused()


def test_open_form_keeps_its_text(come: Come) -> None:
    """A change of the action by others fetches its questions again, and the text stays."""
    party = Party(come)
    bo, asked = party.bo, list[str]()

    def follow(feed: WebSocket) -> None:
        feed.on("framesent", lambda message: asked.extend(re.findall(PRICED, str(message))))

    bo.hear("websocket", follow)
    bo.at(party.id, "bo")
    party.declare()
    bo.offer(PRICED).click()
    form = bo.page.locator("dialog[open] form")
    form.get_by_label(FIRST).fill("There is a side door")
    expect(form).not_to_have_attribute("aria-busy", "true")
    before = len(asked)
    bo.caught_up(party.make("mira", "pool.add", die="setback", why="Smoke"))
    bo.page.wait_for_timeout(300)
    expect(form).not_to_have_attribute("aria-busy", "true")
    expect(form.get_by_label(FIRST)).to_have_value("There is a side door")
    assert len(asked) > before > 0
