"""Text that an input method composes owns its keys until it is complete."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import PHONE, Come, Party


def test_input_method_owns_its_keys(come: Come) -> None:
    """During composition Enter and Escape act on nothing else, and no text is rewritten."""
    party = Party(come, size=PHONE)
    ann = party.sit("ann").ann
    page = ann.page
    method = ann.context.new_cdp_session(page)

    def compose(text: str) -> None:
        at = {"selectionStart": len(text), "selectionEnd": len(text)}
        method.send("Input.imeSetComposition", {"text": text, **at})

    ann.view("Log")
    line = page.locator(".say input")
    line.fill("Pash: ")
    compose("にほん")
    expect(line).to_have_value("Pash: にほん")
    page.keyboard.press("Enter")
    expect(line).to_have_value("Pash: にほん")
    method.send("Input.insertText", {"text": "日本"})
    expect(line).to_have_value("Pash: 日本")
    page.keyboard.press("Enter")
    ann.read("Pash: 日本")
    expect(page.locator(".log-entry").filter(has_text="Pash: ")).to_have_count(1)

    ann.view("Play")
    ann.offer("check.declare").click()
    sheet = page.locator("dialog[open]")
    sheet.locator(".chosen").first.click()
    search = sheet.locator(".search-list input")
    search.fill("sku")
    compose("す")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(search).to_have_value("skuす")
    expect(sheet).to_be_visible()
    method.send("Input.imeSetComposition", {"text": "", "selectionStart": 0, "selectionEnd": 0})
    search.fill("skulduggery")
    page.keyboard.press("Enter")
    expect(sheet.locator(".search-list")).to_have_count(0)
