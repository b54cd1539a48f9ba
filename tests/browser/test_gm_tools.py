"""The GM's tools: a few between actions, and the next step with its preset answers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.guests import DESK, PHONE, Come, MillRace, Party
from tests.browser.test_dock_only_evening import GAMES

WIDE = ViewportSize(width=DESK["width"], height=DESK["height"])
NARROW = ViewportSize(width=PHONE["width"], height=PHONE["height"])
MOST = 7
LEAST_GAP = 12
LOWEST = """all => Math.max(...all.map(one => one.getBoundingClientRect().bottom))
    - document.querySelector('.thumb').getBoundingClientRect().top"""
GAPS = """all => all.map(one =>
    one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom)"""
SHOWN = ":is(.offers-place, .drawer-place, dialog.drawer) .offer"


@pytest.mark.exhaustive
def test_few_tools_are_shown_between_actions(come: Come) -> None:
    """In each game's first scene at most seven unlocked tools, on either screen size."""
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
        assert not offers.and_(gm.page.locator("[aria-disabled]")).count(), (
            key,
            offers.all_inner_texts(),
        )
        # None is below the fold.
        assert offers.evaluate_all(LOWEST) <= 0, key
        gm.page.set_viewport_size(NARROW)
        gm.pull()
        drawer = gm.page.locator("dialog.drawer .offer").filter(visible=True)
        expect(drawer.first).to_be_visible()
        assert 2 <= drawer.count() <= MOST, (key, drawer.all_inner_texts())
        # The rest is one tap away.
        gm.top.get_by_role("button", name="More tools", exact=True).click()
        expect(drawer).not_to_have_count(MOST)
        gaps = gm.page.locator("dialog.drawer .fold .drawer-group + .drawer-group").evaluate_all(
            GAPS
        )
        assert all(gap >= LEAST_GAP for gap in gaps), (key, gaps)
        # What a tool has done is shown above the drawer that covers the table.
        gm.page.locator("dialog.drawer .offer-place[data-move='round.next'] .offer").click()
        expect(gm.page.locator(".toast")).to_contain_text(re.compile("Round [12] began"))
        gm.top.locator(".sheet-head button").click()


def test_new_table_has_one_gold_step(come: Come) -> None:
    """Either the first scene or starting the session is gold, and neither during a session."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system="destinydice", title="Late", name="Mira")["table"]
    gm.at(table, "mira")
    play = gm.page.get_by_role("button", name="Play the first scene").filter(visible=True)
    expect(gm.page.locator(".dock")).to_contain_text("The session starts with people")
    expect(play).to_have_attribute("data-kind", "primary")
    expect(gm.page.locator("#primary")).to_have_text("Start a session")
    expect(gm.page.locator("#primary")).to_have_attribute("data-kind", "wide")
    gm.pull()
    expect(
        gm.page.locator("dialog.drawer").get_by_role("button", name="Play the first scene")
    ).to_be_visible()
    gm.top.locator(".sheet-head button").click()
    gm.tap("Start a session")
    gm.caught_up(gm.log(table, "mira")[-1]["seq"])
    expect(play).to_have_count(0)
    gm.make(table, "mira", "table.undo")
    play.click()
    # The text to read aloud is in a readable place, also on a large screen.
    expect(gm.page.locator(".opening p").first).to_be_visible()
    gm.page.set_viewport_size(WIDE)
    expect(gm.page.locator(".opening p").first).to_be_in_viewport(ratio=1)
    expect(gm.page.locator(".calm-words")).to_be_hidden()
    gm.page.set_viewport_size(NARROW)
    gm.caught_up(gm.log(table, "mira")[-1]["seq"])
    gm.pull()
    drawer = gm.page.locator("dialog.drawer")
    expect(drawer).to_contain_text("What you can do now")
    expect(drawer).not_to_contain_text("All clear")
    drawer.get_by_role("button", name="More tools", exact=True).click()
    expect(play).to_have_count(0)


def test_outdated_form_is_not_gold(come: Come) -> None:
    """A difficulty form says that the dice were rolled, and its button is no longer gold."""
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


def test_ready_characters_show_their_players(come: Come) -> None:
    """A tap shows a character with their dice; one that is taken says by whom, and is not taken."""
    gm, ann, bo = come(PHONE), come(PHONE), come(PHONE)
    table = gm.api("POST", "/api/tables", system="destinydice", title="Late", name="Mira")["table"]
    ann.joins(gm, table, "Ann", "Juna Vale", {"quick": 2})
    link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="player")
    bo.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Bo")
    bo.open(f"/t/{table}?seat=bo&who")
    ready = bo.page.locator("dialog[open] .ready li")
    expect(ready.filter(has_text="Juna Vale")).to_contain_text("played by Ann")
    expect(ready.filter(has_text="Bram Otter")).not_to_contain_text("played by")
    ready.filter(has_text="Juna Vale").locator("> button").click()
    expect(bo.top).to_contain_text("Ann plays Juna Vale. Only the GM can make you the player")
    expect(bo.top.locator("[data-kind=primary]")).to_have_count(0)
    bo.tap("Back")
    # A name that differs in its case alone is a second Juna all the same.
    play = bo.page.locator("dialog[open] [type=submit]")
    expect(play).to_have_attribute("aria-disabled", "true")
    bo.top.get_by_label("Or make your own").fill("juna vale")
    play.click()
    bo.read("Ann plays Juna Vale already.")
    ready.filter(has_text="Bram Otter").locator("> button").click()
    expect(bo.top.locator(".living-sheet .small-pool").first).to_be_visible()
    # Meanwhile another player takes this one.
    ann.make(table, "ann", "character.add", name="Bram Otter", sheet={"quick": 1})
    expect(bo.top).to_contain_text("Ann plays Bram Otter.")
    bo.tap("Back")
    names = [
        one["name"]
        for one in bo.api("GET", f"/api/tables/{table}?seat=bo")["table"]["characters"].values()
    ]
    assert ["Juna Vale", "Bram Otter"] == names
    ready.last.locator("> button").click()
    bo.top.locator("[data-kind=primary]").click()
    expect(bo.page.locator("dialog[open]")).to_have_count(0)
    # A new name makes nobody free: the same person came with the old one.
    ann.make(table, "ann", "character.set", who="juna-vale", name="Juna of the Mill")
    gm.at(table, "mira")
    gm.view("Characters")
    gm.tap("Add a character")
    ready = gm.page.locator("dialog[open] .ready li")
    expect(ready.filter(has_text="Juna Vale")).to_contain_text("played by Ann")
    ready.filter(has_text="Juna Vale").locator("> button").click()
    expect(gm.top).to_contain_text("Ann plays Juna of the Mill.")
    gm.tap("Back")
    # A GM adds for a player, and numbers are the next step.
    gm.top.get_by_label("Who plays them?").select_option("Bo")
    expect(gm.top.get_by_label("Hidden from the players")).to_have_count(0)
    gm.top.get_by_label("Or make your own").fill("Kest")
    gm.tap("Add")
    expect(gm.top.get_by_role("button", name="Numbers can wait")).to_be_visible()
    gm.tap("Numbers can wait")
    gm.tap("Add a character")
    gm.top.get_by_text("Hidden from the players").click()
    gm.top.get_by_label("Or make your own").fill("Lurker")
    gm.tap("Add")
    gm.tap("Numbers can wait")
    people = gm.api("GET", f"/api/tables/{table}?seat=mira")["table"]["characters"]
    assert ("bo", None) == (people["kest"]["seat"], people["kest"].get("seen_by"))
    assert ("", "gm") == (people["lurker"]["seat"], people["lurker"]["side"])
    assert people["lurker"]["seen_by"]


def test_gm_sees_open_answers_and_secrets(
    come: Come,
) -> None:
    """A withdrawn difficulty is "Not yet", and hiding a roll is one tap, not among the options."""
    gm = Party(come, size=DESK).sit("mira").gm
    gm.tap("Make a check")
    form = gm.page.locator("dialog[open] form")
    difficulty = form.locator("[data-ask=difficulty]")
    difficulty.get_by_text("Easy").click()
    expect(difficulty.get_by_text("Not yet")).to_be_visible()
    expect(difficulty.get_by_text("None", exact=True)).to_have_count(0)
    secret = form.locator(".form-foot [data-ask=secret]")
    expect(secret).to_contain_text("Hidden from the players?")
    expect(secret).to_be_in_viewport()
    secret.get_by_role("checkbox").check()
    gm.top.get_by_role("button", name="More options").click()
    expect(form.locator("[data-ask=pool]")).to_be_visible()
    expect(form.locator("[data-ask=secret]")).to_have_count(1)
    form.locator("button[type=submit]").click()
    expect(gm.page.locator(".action, .stage")).to_contain_text("hidden")


def test_drawer_reason_makes_its_row_higher(come: Come) -> None:
    """A lock with a reason moves the rows below it down."""
    party = Party(come, size=DESK).sit("mira")
    gm = party.gm
    for fold in gm.page.locator(".drawer-place .fold-title button[aria-expanded=false]").all():
        fold.click()
    locked = gm.page.locator(
        ".drawer-place .offer-place", has=gm.page.locator(".offer[aria-disabled]")
    ).first
    locked.locator(".offer").dispatch_event("click")
    expect(locked.locator(".because")).to_be_visible()
    over = """one => {
        const [inner, outer] = [one.lastElementChild, one].map((of) => of.getBoundingClientRect());
        return inner.bottom - outer.bottom;
    }"""
    assert locked.evaluate(over) <= 0


def test_dice_offer_names_its_shown_effect(come: Come) -> None:
    """An Aid has the higher odds on its button, and a Hindrance the lower ones."""
    table = MillRace(come, DESK)
    table.make("ann", "check.declare", **{"as": "juna", "action": "overcome", "pool": "3 skill"})
    table.make("mira", "check.oppose", difficulty="fair")
    gm = table.sit("mira").gm
    aid, hindrance = gm.see("[data-die=aid]"), gm.see("[data-die=hindrance]")
    expect(aid).to_contain_text("Aid")
    expect(hindrance).to_contain_text("Hindrance")
    for die, change in ((aid, 1), (hindrance, -1)):
        expect(die).to_contain_text("→")
        before, after = map(int, re.findall(r"\d+", die.inner_text()))
        assert change == (after > before) - (after < before)


def test_defeat_card_leaves_room_for_the_roll(come: Come) -> None:
    """Its card is above the table between actions, and below an open action.

    On a large screen it stays below a finished action until that goes.
    """
    table = MillRace(come)
    table.make("mira", "character.add", name="Thug")
    table.make(
        "ann",
        "check.declare",
        **{"as": "juna", "action": "attack", "pool": "3 skill", "against": "thug"},
    )
    table.make("mira", "check.agree")
    table.make("mira", "check.oppose", difficulty="mediocre")
    table.make("ann", "check.roll", faces="6 6 6")
    table.make("ann", "outcome.take", how="hit")
    ann = table.sit("ann").ann
    table.make("mira", "harm.fall")
    card, stage = ann.page.locator(".fallen-card"), ann.page.locator(".stage")
    expect(card).to_be_visible()
    ann.caught_up(
        table.make(
            "ann", "check.declare", **{"as": "juna", "action": "overcome", "pool": "3 skill"}
        )
    )
    expect(ann.page.locator(".stage[data-phase=build]")).to_be_visible()
    ann.still()
    above = (
        "([stage, card]) => stage.getBoundingClientRect().bottom <="
        " card.getBoundingClientRect().top"
    )
    assert ann.page.evaluate(above, [stage.element_handle(), card.element_handle()])
    ann.resize(DESK)
    ann.still()
    assert ann.page.evaluate(above, [stage.element_handle(), card.element_handle()])
    table.make("ann", "check.cancel")
    expect(ann.page.locator(".calm")).to_be_visible()
    expect(card).to_be_visible()
    assert not ann.page.evaluate(above, [stage.element_handle(), card.element_handle()])
