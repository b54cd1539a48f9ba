"""A server is replaced by another process during play without refusals or losses."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.guests import Come, Guest, Party, Serve, Server
from tests.browser.page_scripts import script

AT_THAT_MOMENT = """(button) => {
    const line = document.querySelector('.line');
    const seen = new MutationObserver(() => {
        if (line.dataset.live !== 'true') { seen.disconnect(); button.click(); }
    });
    seen.observe(line, { attributes: true });
}"""
"""A script that taps a button as soon as the feed has ended and no server runs."""
WATCHING = script("watch-banners")


def process(server: Server) -> int:
    """The serving process."""
    pid: int = json.loads((server.data / "storypool.lock").read_text(encoding="utf-8"))["pid"]
    return pid


def complaints(guest: Guest) -> set[str]:
    """The page's connection messages, except that it looks for the server."""
    shown: list[str] = guest.page.evaluate("shown")
    return {text for text in shown if not text.startswith("Offline. Reconnecting")}


@pytest.mark.exhaustive
def test_server_is_replaced_under_a_table(come: Come, serve: Serve) -> None:
    """Forms persist, a move in the gap is made once, and no connection is refused."""
    server = serve("127.0.0.1", ["--replaceable"])
    party = Party(lambda *size, **more: come(*size, to=server, **more)).sit("ann", "bo")
    ann, bo = party.ann, party.bo
    bo.offer("destiny.fact").click()
    fact = bo.page.get_by_label("What turns out to be true?")
    fact.fill("There is a side")
    ann.view("Log")
    ann.page.get_by_label("Write in the log").fill("Now!")
    for guest in (ann, bo):
        guest.page.evaluate(WATCHING)
    ann.page.get_by_role("button", name="Send", exact=True).evaluate(AT_THAT_MOMENT)
    before = process(server)
    server.replace()
    assert before != process(server)
    for guest in (ann, bo):
        guest.live()
    expect(ann.page.locator(".log-entry", has_text="Now!")).to_have_count(1)
    expect(fact).to_have_value("There is a side")
    fact.press_sequentially(" door")
    bo.page.locator("dialog[open] button[type=submit]").click()
    expect(bo.page.locator("dialog[open]")).to_have_count(0)
    expect(ann.page.locator(".log-entry", has_text="There is a side door")).to_have_count(1)
    assert [set(), set()] == [complaints(guest) for guest in (ann, bo)]
    assert 1 == sum("Now!" in (one["text"] or "") for one in party.gm.log(party.id, "mira"))
    server.terminate()
    assert server.process is not None
    assert 0 == server.process.returncode
