"""The look of a table: its game's, or the one that the GM chooses, on every page at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from storypool.engine.house.settings import WORLDS
from tests.browser.guests import Come, Party
from tests.browser.test_access import violations
from tests.gamefile.small_game import HARBOUR

GROUND = "() => getComputedStyle(document.body).backgroundColor"
LOADED = (
    "() => performance.getEntriesByType('resource').filter((e) => /worlds/.test(e.name)).length"
)
WORN = """(world) => document.documentElement.dataset.world === world
  && [...document.styleSheets].some((one) => /worlds/.test(one.href ?? ""))"""


def test_table_wears_its_look(come: Come) -> None:
    """It begins with its game's; the GM's choice changes every page, and "tide" takes it off."""
    party = Party(come).sit("ann", "mira")
    ann, gm = party.ann, party.gm
    ann.page.wait_for_function(WORN, arg="noir")
    grounds = {"noir": ann.page.evaluate(GROUND)}
    gm.view("Table")
    gm.tap("House rules")
    for look in ("neon", "tide"):
        gm.page.locator("#option-look").select_option(look)
        for guest in (ann, gm):
            if look == "tide":
                guest.page.wait_for_function("() => !document.documentElement.dataset.world")
            else:
                guest.page.wait_for_function(WORN, arg=look)
        grounds[look] = ann.page.evaluate(GROUND)
    assert len(set(grounds.values())) == 3
    ann.page.reload()
    ann.live()
    assert ann.page.evaluate(LOADED) == 0
    ann.open("/")
    expect(ann.page.locator("html")).not_to_have_attribute("data-world", "noir")


def test_file_has_its_own_look(come: Come) -> None:
    """The hues of its world and its own drawings are on the page of its table."""
    drawing = '<svg viewBox="0 0 24 24"><path d="M3 3H21L12 21Z" fill="red"/></svg>'
    start = f"start = 2\ndrawing = '{drawing}'"
    text = HARBOUR.replace('start = "2 * players"\ncap = "3 * players"', start)
    gm = come()
    made = gm.api(
        "POST",
        "/api/tables",
        game=f"{text}\n[world]\nlike = 'folk'\nground = 200\n",
        title="Quay",
        name="Mira",
    )
    gm.make(made["table"], made["seat"]["id"], "session.begin")
    gm.at(made["table"], made["seat"]["id"])
    gm.page.wait_for_function(WORN, arg="folk")
    hue = "() => getComputedStyle(document.documentElement).getPropertyValue('--paper-hue')"
    assert gm.page.evaluate(hue) == "200"
    gm.see('svg.glyph path[d="M3 3H21L12 21Z"][fill="currentColor"]')


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_each_look_is_readable(come: Come, theme: str) -> None:
    """Axe finds nothing in the middle of an action in any world, by day and by night."""
    party = Party(come, color_scheme=theme).sit("ann")
    party.declare("Slice the lock")
    party.ann.see(".pool .die")
    for look in WORLDS[1:]:
        party.make("mira", "table.settings", option="look", value=look)
        party.ann.page.wait_for_function(WORN, arg=look)
        assert violations(party.ann) == [], look
