"""The recap of an evening is sent by a link, read by people without a seat, and taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import dev
from tests.browser.guests import DESK, DRAWING, PHONE, Come, Party
from tests.browser.test_access import violations
from tests.browser.test_dice_in_space import WANTED


@pytest.mark.exhaustive
def test_recap_is_sent_and_taken_back(browser: Browser, come: Come, shots: Path) -> None:
    """At the end of a session a tap makes its page, which needs no seat and no scripts."""
    party = Party(come)
    party.ready()
    party.make("ann", "check.roll", faces="2 2 2 1 1")
    party.make("ann", "check.close")
    party.make("mira", "session.end")
    party.sit("mira")
    gm = party.gm
    gm.tap("Send the recap")
    field = gm.page.get_by_role("textbox", name="The link")
    address = field.input_value()
    assert address.startswith(f"{gm.server.address}/recap/")
    gm.picture(shots / "sent-360.png")
    reader = come()
    reader.open(address)
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The long night")
    throw = reader.page.locator(".story-throw")
    expect(throw).to_contain_text("Slice the lock")
    for size in (DESK, PHONE):
        reader.resize(size)
        assert [] == violations(reader)
        width = reader.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"]
        reader.picture(shots / f"read-{size['width']}.png", full_page=True)
    # Without motion, or without scripts, a picture moves in place of the dice.
    throw.get_by_text("Roll it again").click()
    moved = throw.locator("img")
    expect(moved).to_be_visible()
    reader.until("() => document.querySelector('.story-moving').naturalWidth === 480")
    throw.get_by_text("Roll it again").click()
    reader.dress(PHONE, reduced_motion="no-preference")
    throw.get_by_text("Roll it again").click()
    expect(throw).to_have_attribute("data-rolling", "true")
    expect(moved).to_be_hidden()
    expect(throw).not_to_have_attribute("data-rolling", "true")
    # A device that wants dice in space and cannot show them rolls flat ones.
    reader.page.evaluate(WANTED)
    throw.get_by_text("Roll it again").click()
    expect(throw).to_have_attribute("data-rolling", "true")
    expect(throw).not_to_have_attribute("data-rolling", "true")
    expect(throw.locator(".story-die").first).to_be_visible()
    with reader.page.expect_download() as saved:
        reader.page.get_by_role("link", name="Save the picture").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    falls_in_space(browser, address)
    gm.tap("Take the link back")
    expect(field).to_have_count(0)
    gone = reader.context.request.get(address)
    assert (404, True) == (gone.status, "The table has taken this link back" in gone.text())
    gm.tap("The whole recap")
    sheet = gm.page.locator("dialog[open]")
    expect(sheet.get_by_role("button", name="Make a page to send")).to_have_count(2)
    expect(sheet.locator(".session-rows").last).to_contain_text("· Pash")
    assert [] == violations(gm)
    gm.picture(shots / "campaign-360.png")


def falls_in_space(browser: Browser, address: str) -> None:
    """Where it is wanted and can be shown, the dice fall in space and end on what was rolled."""
    drawing = browser.browser_type.launch(executable_path=dev.find_browser(), args=DRAWING)
    page = drawing.new_page(reduced_motion="no-preference")
    page.add_init_script(WANTED)
    page.goto(address)
    page.get_by_text("Roll it again").click()
    expect(page.locator(".felt canvas")).to_have_attribute("data-faces", "2 2 2 1 1")
    expect(page.locator(".story-throw .story-dice")).to_have_class(re.compile("visually-hidden"))
    drawing.close()
