"""The host's way from the printed link to a table, and back on another evening."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Guest, Serve, Server


@pytest.fixture
def fresh(serve: Serve) -> Server:
    """A server with a data folder without tables."""
    return serve()


def seats(guest: Guest) -> list[tuple[str, str]]:
    """The seats of this browser, by name and side."""
    return [(seat["name"], seat["side"]) for seat in guest.api("GET", "/api/session")["seats"]]


def test_printed_link_opens_a_first_table(come: Come, fresh: Server) -> None:
    """Without a table it leads to the choice of a game and the players' link."""
    gm, ann = come(to=fresh), come(to=fresh)
    gm.open(fresh.link)
    gm.read("Choose a game; the link for your players comes next.")
    # Opening the link did nothing: this browser is nobody, and the address still holds what it came
    # with.
    mine = {"host": False, "may_open": True, "workshop": False, "seats": [], "notices": []}
    assert mine == gm.api("GET", "/api/session")
    assert [] == gm.context.cookies()
    # Gold is the next step: the game comes first.
    send = gm.page.get_by_role("button", name="Open the table")
    expect(send).to_have_attribute("data-wanting", "true")
    gm.page.get_by_text("Genesys narrative dice").click()
    expect(send).not_to_have_attribute("data-wanting", "true")
    # On a large screen the name is clear of the buttons below.
    gm.resize(DESK)
    name, foot = gm.page.get_by_label("And your name?"), gm.page.locator(".form-foot")
    assert name.bounding_box()["y"] + name.bounding_box()["height"] < foot.bounding_box()["y"]  # type: ignore[index]
    gm.resize(PHONE)
    name.fill("Mira")
    send.dblclick()
    gm.see("svg.qr path")
    assert [("Mira", "gm")] == seats(gm)
    assert "host" not in gm.page.url
    link = gm.page.get_by_label("The address of the link").input_value()
    gm.tap("Close")
    gm.live()
    ann.open(link[link.index("/join") :])
    # A name that is too long is not sent, and not cut; an emoji is one letter.
    name = ann.page.get_by_label("What shall we call you?")
    name.fill("\U0001f9d9" * 42)
    ann.read("That is 2 letters too long: there is room for 40.")
    ann.page.locator("#primary").click(force=True)
    name.fill("🧙‍♀️ Ann")
    ann.tap("Sit down")
    ann.see("dialog[open] .ready")
    assert [("🧙‍♀️ Ann", "player")] == seats(ann)
    expect(gm.page.locator(".people-here .person[data-side=player]")).to_have_text("🧙‍♀️")


@pytest.mark.exhaustive
def test_printed_link_restores_the_gm(come: Come, fresh: Server) -> None:
    """On a new browser it leads to every table and the game master's seat there."""
    come(to=fresh).api(
        "POST", "/api/tables", system="starwars", title="The long night", name="Mira"
    )
    fresh.kill()
    fresh.start()
    back = come(to=fresh)
    back.open(fresh.link)
    back.tap("Continue as the host")
    card = back.see(".table-card")
    expect(card).to_contain_text("The long night")
    assert [] == seats(back)
    expect(back.page.get_by_role("button", name="Continue")).to_have_count(1)
    back.tap("Continue as the GM")
    back.tap("I am Mira", exact=False)
    back.live()
    assert [("Mira", "gm")] == seats(back)


def test_host_may_enter_without_a_table(come: Come, fresh: Server) -> None:
    """The link leads a host without a table, or with one in a file, to the first screen."""
    host = come(to=fresh)
    host.open(fresh.link)
    host.tap("Skip, take me to my tables")
    host.read("No table yet.")
    assert host.api("GET", "/api/session")["host"] is True
    host.see("#primary")
