"""The tray next to the pool: one tap adds one die on top, with its odds; others propose it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.guests import Come, Gathering, Guest, Party


def die(guest: Guest, name: str) -> Locator:
    """The button of a die in the tray."""
    return guest.see(f".tray-die[data-die={name}]")


def chance(guest: Guest) -> int:
    """The chance of success that the page shows, in percent."""
    return int(re.sub(r"\D", "", guest.see(".odds-figure").inner_text()))


def test_one_tap_adds_one_die_on_top(come: Come) -> None:
    """A Boost keeps the other dice: the chance is that on the button, and no form opens."""
    party = Party(come).sit("mira", "ann")
    gm = party.gm
    gm.weighed(party.declare())
    gm.weighed(party.make("mira", "check.difficulty", difficulty="easy"))
    before, dice = chance(gm), gm.page.locator(".pool .die").all_inner_texts()
    expect(die(gm, "setback")).to_contain_text(f"{before} →")
    boost = die(gm, "boost")
    expect(boost).to_contain_text(f"{before} →")
    shown = re.search(r"→ (\d+)", boost.inner_text())
    assert shown is not None
    boost.click()
    expect(gm.page.locator(".pool .die")).to_have_count(len(dice) + 1)
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    gm.up_to_date()
    expect(gm.page.locator(".odds")).to_have_attribute("data-old", "false")
    assert chance(gm) == int(shown[1]) >= before
    after = gm.page.locator(".pool .die").all_inner_texts()
    assert sorted([*dice, "B"]) == sorted(after)
    expect(gm.page.locator(".mods .mod")).to_contain_text("the circumstances")
    # The form gives the same a reason of one's own.
    gm.page.get_by_role("button", name="More choices: Add dice").click()
    expect(gm.top.locator("[data-ask=why] :is(input, textarea)")).to_have_value("the circumstances")


def test_tap_of_a_player_is_a_proposal(come: Come) -> None:
    """A player reads that the GM agrees, taps, and the GM's one answer adds the die."""
    party = Party(come).sit("mira", "bo")
    bo, gm = party.bo, party.gm
    party.declare()
    bo.up_to_date()
    expect(bo.page.locator(".dice-tray")).to_contain_text("This needs the GM's OK.")
    dice = bo.page.locator(".pool .die").count()
    die(bo, "boost").click()
    bo.read("Now it's up to the GM.")
    expect(bo.page.locator(".pool .die")).to_have_count(dice)
    gm.offer("proposal.accept").click()
    expect(bo.page.locator(".pool .die")).to_have_count(dice + 1)


def test_die_has_its_next_price(come: Come) -> None:
    """In Dune a tap buys a d20: the next one costs more, and what is short adds to Threat."""
    table = Gathering(come, "dune", "The gala")
    skills = {"battle": 7, "communicate": 4, "discipline": 6, "move": 6, "understand": 5}
    drives = {"duty": 8, "faith": 5, "justice": 7, "power": 4, "truth": 6}
    table.player("Ann", "Ruhan", skills | drives)
    table.make("mira", "session.begin")
    table.make("mira", "points.correct", account="momentum", to=2, why="for the test")
    ann = table.sit("ann").ann
    ann.up_to_date()
    ann.caught_up(table.make("ann", "check.declare", skill="battle", drive="duty"))
    d20 = die(ann, "d20")
    # It says why it cannot be bought yet.
    expect(d20).to_have_attribute("aria-disabled", "true")
    d20.press("Enter")
    expect(ann.see(".dice-tray .because")).to_contain_text("Difficulty")
    ann.weighed(table.make("mira", "check.difficulty", difficulty=2))
    expect(ann.page.locator(".dice-tray .because")).to_have_count(0)
    for price, dice in ((r"1 Momentum", 3), (r"1 Momentum", 4), ("", 5)):
        if price:
            expect(d20.locator(".price")).to_have_attribute("aria-label", price)
        expect(d20).to_contain_text("→")
        d20.click()
        expect(ann.page.locator(".pool .die")).to_have_count(dice)
    expect(d20).to_have_attribute("aria-disabled", "true")
