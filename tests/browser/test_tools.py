"""A GM's tools: a handful in sight between actions, and the next step with the answers that it begins with."""

from __future__ import annotations

import re

from playwright.sync_api import ViewportSize, expect

from tests.browser.guests import DESK, PHONE, Come
from tests.browser.test_strangers import GAMES

WIDE = ViewportSize(width=DESK["width"], height=DESK["height"])
NARROW = ViewportSize(width=PHONE["width"], height=PHONE["height"])
MOST = 7
LEAST_GAP = 12
LOWEST = """all => Math.max(...all.map(one => one.getBoundingClientRect().bottom))
    - document.querySelector('.thumb').getBoundingClientRect().top"""
GAPS = """all => all.map(one =>
    one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom)"""
SHOWN = ":is(.offers-place, .drawer-place, dialog.drawer) .offer"


def test_the_first_scene_is_offered_until_it_was_played(come: Come) -> None:
    """Whoever begins without it has it among the tools that are folded away, and it is gone once it was played."""
    gm = come(DESK)
    table = gm.api("POST", "/api/tables", system="starwars", title="Late", name="Mira")["table"]
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "character.add", name="Somebody", sheet="")
    gm.make(table, "mira", "scene.begin")
    gm.at(table, "mira")
    gm.caught_up(gm.log(table, "mira")[-1]["seq"])
    play = gm.page.get_by_role("button", name="Play the first scene").filter(visible=True)
    fold = gm.page.locator(".drawer-place .fold-title").filter(has_text="More")
    fold.click()
    expect(play).to_have_count(1)
    assert not gm.page.locator(".stage").get_by_role("button", name="Play the first scene").count()
    play.click()
    expect(gm.page.locator(".drawer-place")).to_contain_text("Oren Sask")
    expect(play).to_have_count(0)


def test_a_handful_of_tools_is_in_sight_between_actions(come: Come) -> None:
    """In the first scene of every game at most seven, none of them locked, on a wide screen and in a phone's drawer."""
    gm = come(DESK)
    for key in GAMES:
        table = gm.api("POST", "/api/tables", system=key, title=key, name="Mira")["table"]
        gm.api("POST", f"/api/tables/{table}/first-scene", seat="mira")
        if key == "starwars":
            gm.make(table, "mira", "destiny.begin")
        gm.page.set_viewport_size(WIDE)
        gm.at(table, "mira")
        gm.caught_up(gm.log(table, "mira")[-1]["seq"])
        offers = gm.page.locator(SHOWN).filter(visible=True)
        expect(offers.first).to_be_visible()
        assert 2 <= offers.count() <= MOST, (key, offers.all_inner_texts())
        assert not offers.and_(gm.page.locator("[aria-disabled]")).count(), (key, offers.all_inner_texts())
        # None is below the fold.
        assert offers.evaluate_all(LOWEST) <= 0, key
        gm.page.set_viewport_size(NARROW)
        gm.pull()
        drawer = gm.page.locator("dialog.drawer .offer").filter(visible=True)
        expect(drawer.first).to_be_visible()
        assert 2 <= drawer.count() <= MOST, (key, drawer.all_inner_texts())
        # The rest is one tap away.
        gm.top.get_by_role("button", name="More", exact=True).click()
        expect(drawer).not_to_have_count(MOST)
        gaps = gm.page.locator("dialog.drawer .fold .drawer-group + .drawer-group").evaluate_all(GAPS)
        assert all(gap >= LEAST_GAP for gap in gaps), (key, gaps)
        # What a tool has done is said above the drawer that covers the table.
        gm.page.locator("dialog.drawer .offer-place[data-move='round.next'] .offer").click()
        expect(gm.page.locator(".toast")).to_contain_text(re.compile("Round [12] began"))
        gm.top.locator(".sheet-head button").click()
