"""Cards on the page: a hand for its owner, backs for the others, a draw in place of dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import DESK, PHONE, Come
from tests.browser.test_access import missed, violations

GAMES = Path(__file__).parents[2] / "docs" / "games"


@pytest.fixture
def saltbell() -> Iterator[str]:
    """The game of the docs with a deck, for the duration of a test."""
    key = systems.added(GAMES / "saltbell.game.toml")
    yield key
    systems.removed(key)


def test_card_goes_from_a_hand_to_the_table(come: Come, saltbell: str) -> None:
    """Its owner sees it and plays it by a tap; the others see a count, and then the card."""
    gm = come(DESK)
    table = gm.api("POST", "/api/tables", system=saltbell, title="The ferry", name="Mira")["table"]
    narrow = {"width": 360, "height": 740}
    ann = come(narrow).joins(gm, table, "Ann", "Ilka", {"row": 1})
    bo = come(PHONE).joins(gm, table, "Bo", "Tamsin", {"trade": 1})
    gm.make(table, "mira", "session.begin")
    for guest, seat in ((gm, "mira"), (ann, "ann"), (bo, "bo")):
        guest.at(table, seat)
    ann.make(table, "ann", "move.ready", faces="3 9")
    hand = ann.page.locator(".hand-card")
    expect(hand).to_contain_text(["3 of Lamps", "4 of Bells"])
    expect(gm.page.locator(".hand-card")).to_have_count(2)
    expect(bo.page.locator("[data-held=ilka]")).to_contain_text("Ilka: 2 tide cards in hand")
    expect(bo.page.locator(".hand-card")).to_have_count(0)
    expect(bo.page.locator("[data-left]")).to_have_text("tide cards left: 20")
    ann.make(table, "ann", "check.declare", way="row", against=4, title="Past the toll boat")
    gm.make(table, "mira", "check.agree")
    for guest in (ann, bo, gm):
        assert [] == [*missed(guest), *violations(guest)]
    # Beside the stage of a narrow phone the hand is in reach, and on a large screen in the middle.
    ann.awake()
    for n in range(2):
        expect(ann.page.locator(".thumb .hand-card").nth(n)).to_be_in_viewport(ratio=1)
    expect(ann.page.locator(".decks .hand-card")).to_have_count(0)
    ann.resize(DESK)
    expect(ann.page.locator(".decks .hand-card")).to_have_count(2)
    expect(ann.page.locator(".thumb .hand-card")).to_have_count(0)
    ann.resize(narrow)
    hand.filter(has_text="3 of Lamps").click()
    ann.see("dialog[open] form")
    ann.tap("Play a card")
    expect(bo.page.locator(".hand-card")).to_have_text(["3Lamps3 of Lamps"])
    expect(ann.page.locator("section.decks")).to_contain_text("Ilka, open")
    ann.make(table, "ann", "check.roll", faces="1 14")
    for guest in (ann, bo, gm):
        drawn = guest.page.get_by_role("img", name="tide card: 4 of Ropes, entered by hand")
        expect(drawn).to_be_visible()
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
