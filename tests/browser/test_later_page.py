"""What a point would be worth later, where its gain stands on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool.lab import evening, solution
from tests.browser.guests import Come, Party


def test_a_player_reads_what_a_kept_point_is_worth(come: Come) -> None:
    """Only where the table says so: beside what the upgrade adds now, by the solution."""
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
def test_a_page_that_asked_too_early_asks_again(
    come: Come, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing was solved yet, and nothing happens at the table: what a point is worth later comes
    when it is known.
    """
    monkeypatch.setenv("STORYPOOL_CACHE", str(tmp_path))
    party = Party(come).sit("ann")
    party.make("mira", "table.settings", option="later", value="everybody")
    party.declare()
    offer = party.ann.offer("destiny.upgrade")
    expect(offer.locator(".offer-effect .count")).to_be_visible()
    expect(offer.locator(".offer-later")).to_contain_text("kept, about", timeout=120_000)
