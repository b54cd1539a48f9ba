"""The help on the page, on a phone and a desktop, with a list of pages if there is room."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from storypool.web.help.contents import pages
from tests.browser.guests import DESK, Come, Guest, Party
from tests.browser.test_access import violations
from tests.fixed_set import each_fifth
from tools import docs


class Quiet(SimpleHTTPRequestHandler):
    """A web server that only serves files."""

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"


@each_fifth
def test_help_pages_fit_a_phone(come: Come, step: int) -> None:
    """Tables, code and pictures scroll or shrink instead of widening the page."""
    guest = come()
    for name in ["", *pages(), "docs/example/lantern/game.py"][::step]:
        guest.open(f"/help/{name}".rstrip("/"))
        assert 0 == guest.page.evaluate(TOO_WIDE), name


def test_page_list_is_folded_on_a_phone(come: Come) -> None:
    """A tap unfolds it; a desktop shows it next to the text. The current page is marked."""
    guest = come()
    guest.open("/help/tuning")
    menu = guest.page.get_by_role("navigation", name="Contents")
    expect(menu).to_be_hidden()
    guest.page.locator(".menu > summary").click()
    # What the host or a programmer reads is folded, but for the group of this page.
    expect(menu.get_by_role("link", name="Hosting", exact=True)).to_be_hidden()
    expect(menu.get_by_role("link", name="Players", exact=False).first).to_be_visible()
    expect(menu.get_by_role("link", name="Tuning an economy")).to_have_attribute(
        "aria-current", "page"
    )
    menu.get_by_role("link", name="The lab").click()
    expect(guest.page.get_by_role("heading", name="The lab", level=1)).to_be_visible()
    expect(menu).to_be_hidden()
    guest.resize(DESK)
    expect(menu).to_be_visible()


def test_page_list_is_skipped_by_keyboard(come: Come) -> None:
    """The first link skips the search and fifty links, to the first link of the text."""
    guest = come(DESK)
    guest.open("/help/tuning")
    guest.page.keyboard.press("Tab")
    guest.page.keyboard.press("Enter")
    guest.page.keyboard.press("Tab")
    expect(guest.page.get_by_role("main").get_by_role("link", name="the lab").first).to_be_focused()


def test_search_leads_to_the_paragraph(come: Come) -> None:
    """A slash, words, arrows and Enter suffice; no result is stated; the index loads once."""
    guest = come()
    guest.open("/help/tuning")
    asked: list[str] = []
    # Pictures of the page come when they come.
    guest.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    guest.page.keyboard.press("/")
    guest.page.keyboard.type("quaxolotl")
    status = guest.page.get_by_role("status")
    expect(status).to_have_text("Nothing found for “quaxolotl”. Try fewer words, or other ones.")
    guest.page.keyboard.press("Escape")
    expect(status).to_be_hidden()
    guest.page.keyboard.type("hoarding ends")
    found = guest.page.locator(".found li")
    expect(found.first).to_contain_text(
        "C2D10: how fast must hero points fade before hoarding ends?"
    )
    expect(found.first.locator("mark")).not_to_have_count(0)
    assert 1 == asked.count("search.json")
    assert 0 == guest.page.evaluate(TOO_WIDE)
    assert [] == violations(guest)
    guest.page.keyboard.press("ArrowDown")
    expect(found.first.get_by_role("link")).to_be_focused()
    guest.page.keyboard.press("Enter")
    expect(guest.page).to_have_url(
        re.compile("/help/tuning#c2d10-how-fast-must-hero-points-fade-before-hoarding-ends$")
    )


def test_search_that_cannot_load_is_reported(come: Come) -> None:
    """A missing index is not reported as no results, and the next letter retries."""
    guest = come()
    guest.page.route("**/search.json", lambda route: route.abort())
    guest.open("/help")
    field = guest.page.get_by_role("searchbox")
    field.fill("hoarding")
    expect(guest.page.get_by_role("status")).to_contain_text("The search did not load")
    guest.page.unroute("**/search.json")
    field.fill("hoarding ends")
    expect(guest.page.get_by_role("status")).to_contain_text("Places found: ")
    guest.troubles.clear()


@pytest.mark.exhaustive
def test_static_site_needs_only_a_file_server(come: Come, tmp_path: Path) -> None:
    """Styles, links and search of `dev.py docs` work at any address from files alone."""
    assert 0 == docs.main(["--to", str(tmp_path / "some" / "where")])
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever).start()
        try:
            guest = come(DESK)
            guest.page.goto(f"http://127.0.0.1:{server.server_port}/some/where/")
            guest.page.get_by_role("main").locator("summary", has_text="Making a game").click()
            guest.page.get_by_role("main").get_by_role("link", name="Adding a game").click()
            guest.page.get_by_role("main").get_by_role("link", name="docs/example/").click()
            guest.page.get_by_role("link", name="docs/example/lantern/dice.py").click()
            expect(guest.page.locator("pre")).to_contain_text("LIGHT")
            expect(guest.page.locator("body")).to_have_css("background-color", "rgb(247, 245, 240)")
            guest.page.get_by_role("searchbox").fill("hoarding ends")
            guest.page.locator(".found a").first.click()
            expect(guest.page.get_by_role("heading", name="Tuning an economy")).to_be_attached()
        finally:
            server.shutdown()


def opened(guest: Guest, open_it: Callable[[], None]) -> str:
    """The visible heading and page in the tab that this opens."""
    with guest.context.expect_page() as coming:
        open_it()
    tab = coming.value
    tab.wait_for_load_state()
    heading = tab.evaluate(
        "decodeURIComponent(location.hash) && document.querySelector(location.hash).innerText"
    )
    assert not heading or tab.evaluate(
        "document.querySelector(location.hash).getBoundingClientRect().top < innerHeight"
    )
    name = str(tab.evaluate("document.querySelector('h1').innerText"))
    tab.close()
    return f"{name}: {heading}"


def test_question_mark_opens_the_right_paragraph(come: Come) -> None:
    """It fits at rest, during the pool, after the roll, by the log, and for the GM."""
    party = Party(come, size=DESK).sit("mira", "ann")

    def asked(guest: Guest) -> str:
        guest.page.keyboard.press("?")
        sheet = guest.page.get_by_role("dialog", name="How this works")
        expect(sheet.get_by_role("heading", name="Keys")).to_be_visible()
        expect(sheet.locator(".prose").get_by_role("heading")).to_be_in_viewport()
        there = sheet.locator(".prose").inner_text()
        heading = opened(guest, sheet.get_by_role("link", name="Read the whole page").click)
        assert there.startswith(heading.partition(": ")[2])
        guest.page.keyboard.press("Escape")
        return heading

    assert ["A first evening: Star Wars narrative dice", "For players: Try something"] == [
        asked(party.gm),
        asked(party.ann),
    ]
    party.ann.caught_up(party.declare())
    assert "For players: The pool grows" == asked(party.ann)
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    # Skulduggery 1 and Cunning 3 against Average: one Proficiency, two Ability, two Difficulty
    # dice.
    party.ann.caught_up(party.make("ann", "check.roll", faces="1 1 2 4 4"))
    assert "For players: Read a roll" == asked(party.ann)
    party.ann.page.keyboard.press("c")
    expect(party.ann.page.locator("[data-panel=people]")).to_be_visible()
    assert "For players: Who you are" == asked(party.ann)


def test_key_right_after_a_sheet_is_not_lost(come: Come) -> None:
    """A closing sheet keeps the focus for a moment, but the page gets the key."""
    party = Party(come).sit("ann")
    party.ann.page.keyboard.press("?")
    party.ann.see("dialog[open] .prose")
    party.ann.page.locator("dialog[open] a").first.focus()
    assert party.ann.page.evaluate("""() => {
        const sheet = document.querySelector('dialog[open]');
        sheet.close();
        const focused = document.activeElement;
        focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }));
        return sheet.contains(focused);
    }""")
    expect(party.ann.page.locator("[data-panel=people]")).to_be_visible()


def test_phone_has_the_help_too(come: Come) -> None:
    """Without keys, the table's panel has the paragraph, and the first page links to all help."""
    party = Party(come).sit("bo")
    bo = party.bo
    bo.view("Table")
    bo.tap("How this works")
    headings = bo.top.locator(".prose > h2")
    expect(headings).to_have_text(["Try something", "The points", "The table"])
    expect(headings.first).to_be_in_viewport(ratio=1)
    expect(headings.first).to_have_css("margin-block-start", "0px")
    assert "For players: The points" == opened(
        bo, bo.top.get_by_role("link", name="Read the whole page").nth(1).click
    )
    bo.tap("Close")
    bo.open("/")
    party.bo.page.get_by_role("link", name="How this works").click()
    expect(party.bo.page.get_by_role("heading", name="Storypool help", level=1)).to_be_visible()


def test_paragraph_is_read_at_the_table(come: Come) -> None:
    """Pictures fit a phone, links open in another tab, and axe finds nothing."""
    gm = come()
    table = gm.api("POST", "/api/tables", system="c2d10", title="The vote", name="Mira")["table"]
    gm.make(table, "mira", "session.begin")
    gm.at(table, "mira")
    gm.view("Table")
    gm.tap("How this works")
    scene = gm.top.locator(".prose").first
    expect(scene.get_by_role("heading")).to_have_text("C2D10")
    picture = scene.get_by_role("img").first
    picture.scroll_into_view_if_needed()
    gm.until(
        "() => { const one = document.querySelector('.prose img'); return one.complete &&"
        " one.naturalWidth; }"
    )
    assert picture.evaluate("one => one.getBoundingClientRect().right <= innerWidth")
    assert 0 == gm.page.evaluate(TOO_WIDE)
    assert [] == violations(gm)
    with gm.context.expect_page() as coming:
        scene.get_by_role("link", name="reference").click()
    expect(coming.value).to_have_url(re.compile("/help/c2d10$"))
    coming.value.close()
    gm.tap("Close")
    # The points have theirs where they are shown.
    gm.page.get_by_role("button", name=re.compile("^Point history")).first.click()
    gm.tap("How this works")
    expect(gm.top.locator(".prose > h2")).to_have_text(["The points"])


def test_missing_paragraph_has_its_link(come: Come) -> None:
    """A sentence reports it, and its page can still be opened."""
    party = Party(come).sit("bo")
    party.bo.page.route("**/help/paragraph*", lambda route: route.abort())
    party.bo.view("Table")
    party.bo.tap("How this works")
    expect(party.bo.top.locator(".prose").first).to_have_text(
        "This part of the help did not load. The link below opens its page."
    )
    assert "For players: Try something" == opened(
        party.bo, party.bo.top.get_by_role("link", name="Read the whole page").first.click
    )
    party.bo.troubles.clear()


def test_help_is_accessible(come: Come) -> None:
    """Axe finds nothing in tables, code and pictures in either theme, and the theme is kept."""
    guest = come()
    for theme, ground in (("dark", "rgb(14, 23, 38)"), ("light", "rgb(247, 245, 240)")):
        guest.open("/help/tuning")
        guest.page.evaluate(
            "theme => localStorage.setItem('storypool.theme', JSON.stringify(theme))", theme
        )
        guest.open("/help/tuning")
        expect(guest.page.locator("body")).to_have_css("background-color", ground)
        assert [] == violations(guest)
