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
    """A GM who begins without it has it among the tools that are folded away, and it is gone once it was played."""
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
        # What a tool has done is shown above the drawer that covers the table.
        gm.page.locator("dialog.drawer .offer-place[data-move='round.next'] .offer").click()
        expect(gm.page.locator(".toast")).to_contain_text(re.compile("Round [12] began"))
        gm.top.locator(".sheet-head button").click()


def test_a_fresh_table_says_what_its_first_scene_starts(come: Come) -> None:
    """What the first scene starts is named beside it, and no drawer says that all is clear above the next step."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system="destinydice", title="Late", name="Mira")["table"]
    gm.at(table, "mira")
    expect(gm.page.locator(".stage")).to_contain_text("The session starts with it.")
    gm.api("POST", f"/api/tables/{table}/first-scene", seat="mira")
    gm.caught_up(gm.log(table, "mira")[-1]["seq"])
    gm.pull()
    drawer = gm.page.locator("dialog.drawer")
    expect(drawer).to_contain_text("What you can do now")
    expect(drawer).not_to_contain_text("All clear")


def test_a_form_whose_time_has_passed_is_not_gold(come: Come) -> None:
    """The GM is about to set a difficulty when the dice fall: the form says so, and its button is gold no more."""
    gm, ann = come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="destinydice", title="Late", name="Mira")["table"]
    gm.make(table, "mira", "session.begin")
    ann.joins(gm, table, "Ann", "Juna", {"quick": 2})
    ann.make(table, "ann", "check.declare", **{"as": "juna", "approach": "quick"})
    gm.make(table, "mira", "check.oppose", difficulty="fair")
    gm.at(table, "mira")
    gm.offer("check.oppose").click()
    form = gm.page.locator("dialog[open] form")
    form.locator("[data-ask=difficulty] .chosen").click()
    gm.top.get_by_text("Great (+4)").first.click()
    gold = form.locator(".form-foot [data-kind=primary]")
    expect(gold).to_have_count(1)
    ann.make(table, "ann", "check.roll", faces="1 1 1 1")
    expect(form.locator(".because")).to_contain_text("The dice have been rolled.")
    expect(gold).to_have_count(0)


def test_a_ready_character_says_who_plays_them_already(come: Come) -> None:
    """A player who chooses among the ready-made characters reads which of them is taken, and by whom."""
    gm, ann, bo = come(PHONE), come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="destinydice", title="Late", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Juna Vale", {"quick": 2})
    link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="player")
    bo.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Bo")
    bo.open(f"/t/{table}?seat=bo&who")
    ready = bo.page.locator("dialog[open] .ready li")
    expect(ready.filter(has_text="Juna Vale")).to_contain_text("played by Ann")
    expect(ready.filter(has_text="Bram Otter")).not_to_contain_text("played by")
