"""A player leaves, the GM plays their character, and they return."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.guests import Come, Guest, Party
from tests.browser.page_scripts import script

UNHEARD = "window.WebSocket = class extends WebSocket { set onclose(take) {} }"
"""A script that hides the end of the feed from a page."""


def card(guest: Guest, who: str) -> Locator:
    """The card of a character."""
    return guest.page.locator(
        ".person-card", has=guest.page.get_by_role("heading", name=who, exact=True)
    )


def last(guest: Guest, text: str) -> None:
    """The last sentence of the log."""
    guest.view("Log")
    expect(guest.page.locator(".log-entry").last).to_contain_text(text)


def hands_on(gm: Guest, to: str) -> None:
    """The GM hands Pash to a player, on the character's card."""
    gm.view("Characters")
    card(gm, "Pash").get_by_role("button", name="Change who plays a character: Pash").click()
    gm.top.locator("[data-ask=seat]").get_by_text(to, exact=True).click()
    gm.top.locator("button[type=submit]").press("Enter")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)


def leaves(guest: Guest) -> None:
    """A guest leaves the table, and their page says so."""
    guest.expected |= {401, 403, 404}
    guest.view("Table")
    guest.tap("Leave the table")
    guest.see("dialog[open]")
    guest.top.get_by_role("button", name="Leave the table").click()
    guest.read("This device has no seat at this table.")


def test_departed_player_can_return(come: Come) -> None:
    """The GM plays and hands on Ann's character, until she takes her seat again."""
    party = Party(come).sit()
    gm, ann, bo = party.gm, party.ann, party.bo
    path = gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="player")["path"]
    leaves(ann)
    last(gm, "Ann left the table.")

    # Meanwhile her character is the GM's to play, or to hand on.
    gm.view("Characters")
    expect(card(gm, "Pash")).to_contain_text("played by the GM until Ann is back")
    # A dash takes one from a track; the removal of the character looks different.
    assert [] == gm.page.evaluate(script("words"))
    gm.view("Play")
    gm.tap("Make a check")
    gm.top.locator("[data-ask=as]").get_by_text("Pash").click()
    gm.top.get_by_label("What are you trying to do?").fill("Keep the engine running")
    gm.top.locator("[data-ask=difficulty]").get_by_text("Easy").click()
    gm.top.locator("button[type=submit]").press("Enter")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    bo.read("Keep the engine running")
    party.make("mira", "check.cancel")
    hands_on(gm, "Bo")
    last(gm, "Pash went to Bo.")

    # The same link brings Ann back to her seat and to her character.
    ann.open(path)
    ann.read("as a player")
    # Typing the old name makes the claim of that name's button; the GM sees it above the next step.
    ann.page.get_by_label("What shall we call you?").fill("ann ")
    expect(ann.page.get_by_role("button", name="I am another Ann")).to_be_visible()
    ann.page.locator("#primary", has_text="I am Ann").click()
    gm.view("Play")
    knock, dock = gm.see(".thumb .knock"), gm.see(".dock")
    assert knock.bounding_box()["y"] < dock.bounding_box()["y"]  # type: ignore[index]
    gm.pull()
    gm.tap("Let them in")
    gm.tap("Close")
    ann.live()
    last(gm, "Ann is back at the table.")
    hands_on(gm, "Ann")
    last(bo, "Pash went to Ann.")
    ann.view("Characters")
    expect(card(ann, "Pash")).to_contain_text("yours")

    # A second table of that name differs by when it was opened, and by who sits there.
    gm.api("POST", "/api/tables", system="starwars", title="The long night", name="Mira")
    gm.open("/")
    cards = gm.page.locator(".table-card")
    expect(cards).to_have_count(2)
    expect(cards.filter(has_text="with Ann and Bo")).to_have_count(1)
    for n in range(2):
        expect(cards.nth(n)).to_contain_text("last played ")


def test_left_seat_offers_nothing(come: Come) -> None:
    """The page reports it with the answer, before the feed ends: later taps would be refused."""
    party = Party(come)
    ann = party.ann
    ann.prepare(UNHEARD)
    ann.at(party.id, "ann")
    leaves(ann)


def test_invitation_is_stable_until_revoked(come: Come) -> None:
    """Looking again makes no further link, also after a reload; a revoked one can be replaced."""
    gm = Party(come).sit("mira").gm
    gm.view("Table")

    def shown() -> Locator:
        gm.tap("Invite someone")
        return gm.page.locator(".link-url")

    expect(shown()).to_have_value(re.compile("#link="))
    first = gm.page.locator(".link-url").input_value()
    gm.tap("Close")
    expect(shown()).to_have_value(first)
    gm.page.reload()
    gm.live()
    # The place next to the faces is always in sight.
    gm.tap("Invite")
    expect(gm.page.locator(".link-url")).to_have_value(first)
    # A code to type stands for the link.
    gm.tap("Show a code to type")
    code = gm.page.locator(".link-card strong").inner_text()
    assert re.fullmatch("[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", code)
    assert "player" == gm.api("POST", "/api/join", secret=code)["link"]
    given = gm.top.get_by_role("button", name="Active links:")
    expect(given).to_contain_text(re.compile("Active links: Players [1-9]"))
    expect(given.locator(".glyph")).to_be_visible()
    given.click()
    for left in reversed(range(gm.page.locator(".given li").count())):
        gm.tap("Revoke")
        expect(gm.page.locator(".given li")).to_have_count(left)
    expect(gm.page.locator(".link-url")).to_have_count(0)
    gm.tap("Make a link")
    expect(gm.page.locator(".link-url")).not_to_have_value(first)
    assert gm.page.locator(".link-url").input_value() != first


def test_player_without_character_finds_one(come: Come) -> None:
    """The GM removes Ann's character: her dock says so and has a way to another."""
    party = Party(come).sit("ann")
    dock = party.ann.page.locator(".dock")
    expect(dock).not_to_contain_text("You have no character")
    party.ann.caught_up(party.make("mira", "character.leave", who="pash"))
    expect(dock.locator(".dock-state")).to_have_text("You have no character.")
    # What the dock says stands nowhere else.
    expect(party.ann.page.get_by_text("You have no character.")).to_have_count(1)
    dock.get_by_role("button", name="Who are you playing?").click()
    party.ann.top.get_by_label("Or make your own").fill("Vel")
    party.ann.tap("Play")
    party.ann.tap("Numbers can wait")
    expect(dock).not_to_contain_text("You have no character")
    expect(dock.locator("#primary")).to_contain_text("Make a check")
