"""Strangers play an evening: they press what the dock offers and nothing else, to the end of the session."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from storypool import systems
from tests.browser.guests import Come, Guest

GAMES = [key for key in systems.playable() if systems.package(key).startswith("storypool.systems")]
ACTIONS = 3
"""The actions after which the GM ends the session."""
MOST_PRESSES = 120
"""Presses after which an evening has come to a standstill."""
READY = "() => !document.querySelector('[aria-busy=true], .dock[data-asleep]')"


def opened(gm: Guest, key: str) -> str:
    """The GM opens a table of this game on the page, and gets the address for the players."""
    gm.open("/")
    gm.tap("New table")
    gm.page.get_by_text(systems.get(key).name, exact=True).click()
    gm.page.get_by_label("What is the table called?").fill("Strangers")
    gm.page.get_by_label("And your name?").fill("Mira")
    gm.tap("Open the table")
    gm.see("svg.qr path")
    link = gm.page.get_by_label("The address of the link").input_value()
    gm.tap("Close")
    gm.live()
    return link


def sits(player: Guest, link: str, name: str, n: int) -> None:
    """A player opens the link, types a name, and takes the nth hero on offer."""
    player.open(link)
    player.page.get_by_label("What shall we call you?").fill(name)
    player.tap("Sit down")
    player.page.locator("dialog[open] .ready button").nth(n).click()
    expect(player.page.locator("dialog[open]")).to_have_count(0)
    player.live()


def filled(guest: Guest) -> None:
    """Answer what a form needs, by the first answer of each question, and send it; close it if it is refused."""
    form = guest.page.locator("dialog[open]").last
    for field in form.locator("[data-ask]").all():
        if "(optional)" in (field.inner_text() or ""):
            continue
        _answer(field)
    send = form.locator("button[type=submit], .float-actions button[data-tone]").last
    assert send.count(), form.inner_text()
    send.click()
    guest.page.wait_for_function(READY)
    guest.page.wait_for_timeout(200)
    refusals = form.locator("[role=alert], .field-error")
    if refusals.count():
        # What is missing is said; where it is optional otherwise, the first answer will do.
        for field in form.locator("[data-ask]:has(.select.chosen .quiet)").all()[:1]:
            _answer(field)
        send.click()
        guest.page.wait_for_function(READY)
        guest.page.wait_for_timeout(200)
        assert not refusals.count(), f"{refusals.all_inner_texts()} in {form.inner_text()!r}"


def _answer(field: Locator) -> None:
    text = field.locator("input[type=text]:not([inputmode]), textarea")
    search = field.locator(".select.chosen")
    if search.count():
        if search.locator(".quiet").count():
            search.click()
            field.locator(".search-one:not([aria-disabled])").first.click()
    elif text.count() and not text.first.input_value() and not field.locator("input:checked").count():
        text.first.fill("Look around")
    elif field.locator("input[type=radio]").count() and not field.locator("input[type=radio]:checked").count():
        field.locator("label.pick").first.click()


def pressed(guest: Guest) -> bool:
    """Press what the dock offers first; whether there was anything to press."""
    guest.page.wait_for_function(READY)
    if guest.page.locator("dialog[open]").count():
        filled(guest)
        return True
    step = guest.page.locator(".dock #primary, .dock .chips button, .dock .dock-row button").first
    if not step.count():
        return False
    step.click()
    guest.page.wait_for_function(READY)
    return True


def asked(guest: Guest) -> bool:
    """Whether the dock says that this guest is asked."""
    return guest.page.locator(".dock[data-mine=true]").count() > 0 or guest.page.locator("dialog[open]").count() > 0


@pytest.mark.parametrize("key", GAMES)
def test_strangers_reach_the_end_of_the_evening(come: Come, key: str) -> None:
    """Three browsers, three actions, and the end of the session: the dock alone leads there."""
    gm, ann, bo = come(), come(), come()
    link = opened(gm, key)
    sits(ann, link, "Ann", 0)
    sits(bo, link, "Bo", 1)
    gm.tap("Play the first scene")
    expect(gm.page.locator(".calm")).not_to_contain_text("Play the first scene")
    told = list[str]()
    for n in range(MOST_PRESSES):
        log = gm.log(gm.table, "mira")
        done = sum(1 for one in log if one["event"] and one["event"]["type"] == "check.closed")
        for guest in (gm, ann, bo):
            guest.caught_up(log[-1]["seq"])
        waiting = [guest for guest in (ann, bo, gm) if asked(guest)]
        if waiting:
            guest = waiting[0]
        elif done < ACTIONS:
            guest = (ann, bo)[n % 2]
        else:
            break
        told.append(f"{guest.page.locator('.dock').inner_text()!r}")
        assert pressed(guest), f"{key}: nothing to press: {told[-6:]}"
    else:
        raise AssertionError(f"{key}: {told[-12:]}")
    gm.page.locator(".dock").get_by_role("button", name=re.compile("End the session")).click()
    gm.top.get_by_role("button", name="End the session").click()
    expect(gm.page.locator(".table-head")).not_to_contain_text("Scene")
