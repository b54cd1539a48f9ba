"""Secret choices on the page: two duellists and a GM in three windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import DESK, PHONE, Come

GAMES = Path(__file__).parents[2] / "docs" / "games"


@pytest.fixture
def foilwater() -> Iterator[str]:
    """A game with duels in secret."""
    key = systems.added(GAMES / "foilwater.game.toml")
    yield key
    systems.removed(key)


def test_duel_is_revealed_at_once(come: Come, foilwater: str) -> None:
    """Each chooses on a card of their own, reads who is missing, and all see both strokes."""
    gm = come(DESK)
    table = gm.api("POST", "/api/tables", system=foilwater, title="The gate", name="Mira")["table"]
    ann = come(PHONE).joins(gm, table, "Ann", "Tisse", {"grace": 2})
    bo = come(PHONE).joins(gm, table, "Bo", "Corbin", {"grace": 3})
    gm.make(table, "mira", "session.begin")
    gm.at(table, "mira")
    ann.at(table, "ann")
    bo.at(table, "bo")
    ann.tap("Cross foils")
    ann.tap("Cross foils")
    ann.read("Cross foils: choose in secret. Everybody sees it once all have chosen.")
    bo.read("Cross foils: choose in secret. Everybody sees it once all have chosen.")
    ann.tap("Lunge")
    ann.read("You have chosen “Lunge, 0”. Cross foils: waiting for Bo to choose in secret.")
    expect(gm.page.get_by_text("Tisse has chosen.").first).to_be_visible()
    for guest in (gm, bo):
        assert "Lunge, 0" not in guest.page.content()
        expect(guest.page.get_by_text("What is true")).to_have_count(0)
    bo.tap("Feint")
    for guest in (gm, ann, bo):
        revealed = "Cross foils. Tisse: Lunge, 0 · Corbin: Feint, 0."
        expect(guest.page.get_by_text(revealed).filter(visible=True).first).to_be_visible()
