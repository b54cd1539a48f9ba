"""C2D10 on the page: the order of a conflict, and a number typed while updates arrive."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, HOLDING, PHONE, Come, Pair, Party
from tests.browser.test_c2d10_pool_overflow import Night, ask, attempt, drawer, form, roll
from tests.browser.test_taking_back import LONG


@pytest.mark.exhaustive
def test_keeper_advances_the_order(come: Come) -> None:
    """The first turn starts after all rolls, the next after an action or by the Keeper."""
    night = Night(come, PHONE)
    gm, ann, bo = night.guests
    gm.make(night.id, "mira", "session.begin")
    gm.make(night.id, "mira", "conflict.open", title="The hall", type="opposed", dc=2)
    gm.resize(DESK)
    gm.see(".drawer-place")
    gm.page.evaluate(LONG)
    gm.go_elsewhere()
    ann.make(night.id, "ann", "initiative.roll", **{"as": "juna", "skill": "systems", "faces": "9"})
    expect(gm.page.locator(".loose > li")).to_be_in_viewport(ratio=1)
    # A player who has rolled only reads the missing names. The Keeper may start without them.
    expect(ann.page.locator(".dock-state")).to_have_text("Waiting for initiative: Odo.")
    expect(ann.page.locator(".waits li")).to_have_count(0)
    expect(gm.page.locator(".dock-state")).to_have_text("Start with Juna, or wait for the others.")
    expect(gm.page.locator(".waits li")).to_have_text("Waiting for initiative: Odo.")
    expect(gm.page.locator("#primary[data-move='initiative.next']")).to_have_attribute(
        "data-kind", "wide"
    )
    bo.make(night.id, "bo", "initiative.roll", **{"as": "odo", "faces": "1"})
    now = gm.page.locator(".slot[aria-current]").filter(visible=True)
    expect(now.first).to_contain_text("Juna")
    # Wherever the GM was on the page, the order and what was rolled for it come into sight.
    for spoken in (now.first, gm.page.locator(".loose > li").last):
        expect(spoken).to_be_in_viewport(ratio=1)
    # The reason for the dire conflict is in sight as long as it lasts.
    gm.make(night.id, "mira", "dire.circumstance", why="A camera turns", n=1)
    for guest in night.guests:
        expect(guest.page.locator(".standing")).to_contain_text(["A camera turns"])
    gm.resize(PHONE)
    # The dice outside of an action have their numbers, and the order says in words whose turn it
    # is.
    expect(gm.page.locator(".loose .loose-number")).to_have_text(["9", "1"])
    # Those of players and of the Keeper are named alike.
    expect(gm.page.locator(".loose .loose-whose")).to_have_text(
        ["Initiative of Juna", "Initiative of Odo"]
    )
    expect(ann.page.locator(".slot-note")).to_have_text("Up now: Juna")
    acted = gm.page.locator(".slot[data-acted=true]").filter(visible=True)
    expect(acted).to_have_count(0)
    gm.tap("Next turn")
    for size in (PHONE, DESK):
        gm.resize(size)
        expect(now.first).to_contain_text("Odo")
    # A turn that begins without a roll is shown as well.
    gm.go_elsewhere()
    gm.make(night.id, "mira", "initiative.next")
    expect(now.first).to_contain_text("Juna")
    expect(now.first).to_be_in_viewport(ratio=1)
    gm.resize(PHONE)
    expect(ann.page.get_by_role("button", name="Next turn")).to_have_count(0)

    attempt(ann, "Through the door", "systems", "logic")
    roll(ann, "7 7 7 1 1 1")
    # Nobody has a point for it: the test is over, and the order goes on.
    expect(now.first).to_contain_text("Odo")
    expect(acted).to_contain_text(["Juna"])
    expect(bo.page.locator(".dock-state")).to_have_text("It is Odo's turn. What do you do?")

    # With a point, rolling a die again comes before what goes wrong, which is not gold; what the
    # dice come to then is in view.
    gm.make(night.id, "mira", "points.correct", account="hero", to=1, why="for the test")
    attempt(bo, "Hold the door", "brawl", "strength")
    roll(bo, "0 7 1 1 1 1")
    expect(bo.page.locator(".dock-menu")).to_have_text("Roll a die again")
    expect(bo.page.locator(".dock #primary[data-kind=wide]")).to_have_text("Take it")
    bo.tap("Roll a die again")
    result = bo.page.locator(".outcome .result")
    expect(result).not_to_be_in_viewport()
    bo.make(night.id, "bo", "check.reroll", die="1", faces="9")
    expect(result).to_have_text("Passed with 1 to spare: 3 successes against DC 2.")
    expect(result).to_be_in_viewport(ratio=1)


def test_typed_number_is_not_overwritten(come: Come) -> None:
    """A late default replaces a number of the form, but not one that is being typed."""
    night = Night(come, DESK)
    gm = night.gm
    gm.prepare(HOLDING)
    gm.make(night.id, "mira", "session.begin")
    gm.at(night.id, "mira")
    drawer(gm, "conflict.open")
    form(gm).get_by_label("What is it about?").fill("The hall")
    target = ask(gm, "target").locator("input")
    expect(target).to_have_value("6")
    expect(form(gm)).not_to_have_attribute("aria-busy", "true")
    gm.page.evaluate("window.holding = 'answer'")
    ask(gm, "type").get_by_text("duel").click()
    gm.page.wait_for_function("() => window.held.length")
    target.click()
    target.press("Delete")
    target.press_sequentially("3")
    gm.page.evaluate("window.release()")
    expect(ask(gm, "one")).to_be_visible()
    target.press_sequentially("0")
    form(gm).get_by_label("What is at stake for the heroes?").fill("The files")
    expect(target).to_have_value("30")


def test_injury_keeps_to_a_line_of_its_own(come: Come) -> None:
    """On a phone a long name takes two lines, but the injury and its number do not break."""
    gm, ann = come(DESK), come(PHONE)
    table = gm.api("POST", "/api/tables", system="destinydice", title="The river", name="Mira")[
        "table"
    ]
    ann.joins(gm, table, "Ann", "Juna", {})
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "mook.add", name="Doctor Emmeline Larchwood", members=4)
    gm.make(table, "mira", "conflict.begin", kind="physical")
    ann.at(table, "ann")
    gm.make(table, "mira", "conflict.next")
    # The flag of the turn stands before the name.
    now = ann.page.locator(".slot[aria-current]", has_text="Larchwood")
    expect(now.locator(".strip-point").get_by_role("img", name="0 of 2")).to_be_visible()
    high = "all => all.map((one) => one.offsetHeight)"
    parts = [
        ann.page.locator(".slot", has_text=who).locator("span:not(.filled > *)")
        for who in ("Juna", "Larchwood")
    ]
    (short, *lines), (long, *others) = (spans.evaluate_all(high) for spans in parts)
    assert short * 1.5 < long
    assert lines == others


def test_zeros_are_written_as_a_count(pair: Pair) -> None:
    """A zero's meaning depends on the result, so the stage says "2 zeros" without a sign."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    ann.at(table, "ann")
    ann.make(table, "ann", "check.declare", skill="athletics", talent="strength")
    gm.make(table, "mira", "check.dc", dc=3)
    ann.make(table, "ann", "check.roll", faces="0 0 7 1")
    expect(ann.page.locator(".outcome .sign")).to_have_text(["1", "2 zeros"])


def test_past_turn_is_as_wide_as_its_name(come: Come) -> None:
    """On a phone a long name is cut and leaves no empty space next to it."""
    party = Party(come).sit("ann")
    party.make("mira", "adversary.add", name="Captain of the harbour watch", pool="2 ability")
    people = party.gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"][
        "characters"
    ].values()
    ids = {one["name"]: one["id"] for one in people if one["side"] == "gm"}
    for account in ("light", "dark"):
        party.make("mira", "points.correct", account=account, to=0, why="for the test")
    for who in ids.values():
        party.make("mira", "initiative.roll", **{"as": who, "with": "cool"})
    party.make("mira", "initiative.next")
    party.make(
        "mira",
        "check.declare",
        **{"as": ids["Captain of the harbour watch"], "difficulty": "simple"},
    )
    party.make("mira", "check.roll", faces="2 2")
    party.make("mira", "check.close")
    over = party.ann.page.locator(".slot[data-acted=true]")
    expect(over).to_contain_text("Captain of the harbour watch")
    assert over.evaluate("""(turn) => {
        const box = (one) => one.getBoundingClientRect();
        const [chip, sign] = [turn, turn.lastElementChild].map(box);
        return chip.right - sign.right < 20;
    }""")


def test_equal_turns_follow_the_rules(pair: Pair) -> None:
    """A Keeper's ally with an equal earlier roll comes before a hero on the page as in the game."""
    gm, ann = pair.gm, pair.ann
    gm.make(pair.table, "mira", "npc.add", name="Rook", stance="heroes")
    gm.make(pair.table, "mira", "session.begin")
    gm.make(pair.table, "mira", "conflict.open", title="The hall", type="opposed", dc=2)
    gm.make(pair.table, "mira", "initiative.roll", **{"as": "rook", "faces": "5"})
    ann.make(
        pair.table, "ann", "initiative.roll", **{"as": "juna", "skill": "athletics", "faces": "3"}
    )
    ann.at(pair.table, "ann")
    slots = ann.page.locator(".middle .slot")
    expect(slots.nth(0)).to_contain_text("Rook: 5")
    expect(slots.nth(1)).to_contain_text("Juna: 5")
    expect(slots.nth(0)).to_have_attribute("aria-current", "step")
