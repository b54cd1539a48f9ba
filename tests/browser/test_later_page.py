"""The later worth of a point, next to its gain on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool.lab import evening, solution
from tests.browser.guests import Come, Party


def test_player_sees_the_worth_of_a_kept_point(come: Come) -> None:
    """If the table allows it, the solution's value is next to the upgrade's current gain."""
    worth = solution(evening("starwars")).values[9]
    percent = round(100 * (worth[2, 2] - worth[1, 3]))
    assert percent > 0
    party = Party(come).sit("mira", "ann")
    party.declare()
    offer = party.ann.offer("destiny.upgrade")
    expect(offer.locator(".offer-effect .count")).to_be_visible()
    expect(offer.locator(".offer-later")).to_have_count(0)
    party.make("mira", "table.settings", option="later", value="gm")
    expect(offer.locator(".offer-later")).to_have_count(0)
    party.make("mira", "table.settings", option="later", value="everybody")
    expect(offer.locator(".offer-later")).to_have_text(f"kept, about {percent} %")
    party.make("ann", "destiny.pass")
    answer = party.gm.offer("destiny.upgrade")
    expect(answer.locator(".offer-later")).to_contain_text("kept, about")


@pytest.mark.exhaustive
def test_early_page_asks_again(come: Come, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The later worth comes when it is solved, although nothing happens at the table."""
    monkeypatch.setenv("STORYPOOL_CACHE", str(tmp_path))
    party = Party(come).sit("ann")
    party.make("mira", "table.settings", option="later", value="everybody")
    party.declare()
    offer = party.ann.offer("destiny.upgrade")
    expect(offer.locator(".offer-effect .count")).to_be_visible()
    expect(offer.locator(".offer-later")).to_contain_text("kept, about", timeout=120_000)
