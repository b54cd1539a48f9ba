"""A table without a GM and without dice: one round in two windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool import systems
from tests.browser.guests import DESK, PHONE, Come

GAMES = Path(__file__).parents[2] / "docs" / "games"


@pytest.fixture
def orchardhouse() -> Iterator[str]:
    """A game without dice and without a GM."""
    key = systems.added(GAMES / "orchardhouse.game.toml")
    yield key
    systems.removed(key)


def test_players_play_alone(come: Come, orchardhouse: str) -> None:
    """The one who opens the table is a player, who invites, begins, and agrees to another."""
    mira = come(DESK)
    opened = mira.api("POST", "/api/tables", system=orchardhouse, title="The frost", name="Mira")
    table = opened["table"]
    assert opened["seat"]["side"] == "player"
    bo = come(PHONE).joins(mira, table, "Bo", "Wilf", {"handy": 2})
    mira.make(table, "mira", "character.add", name="Idony", sheet="patient=2")
    mira.at(table, "mira")
    bo.at(table, "bo")
    bo.tap("Start a session")
    bo.tap("Take something on")
    bo.top.get_by_role("radio", name="Handy").check(force=True)
    bo.tap("Take something on")
    for guest in (mira, bo):
        expect(guest.page.get_by_text("Care").first).to_be_visible()
        expect(guest.page.get_by_role("button", name="Roll", exact=False)).to_have_count(0)
        expect(guest.page.locator(".dice-tray, .odds")).to_have_count(0)
    mira.offer("move.join").click()
    bo.tap("Done")
    for guest in (mira, bo):
        guest.read("It is done, and done well.")
    bo.offer("move.bond_new").click()
    bo.top.get_by_role("radio", name="Wilf").check(force=True)
    bo.top.get_by_label("What is it?").fill("The oldest tree")
    bo.page.locator("form").get_by_role("button", name="New bond").click()
    mira.tap("Agree")
    expect(mira.page.get_by_text("The oldest tree").filter(visible=True).first).to_be_visible()
    for guest in (mira, bo):
        assert "GM" not in guest.page.locator("body").inner_text()
