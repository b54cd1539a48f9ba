"""What a finger aims at stays in its place, whatever else is answered."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.guests import PHONE, Come, Guest
from tests.browser.page_scripts import script
from tools.states import State, states
from tools.visits import House, visit

AIMED = script("places-of-answers")
FORMS = [
    ("starwars", "form-check.declare"),
    pytest.param("starwars", "form-check.difficulty", marks=pytest.mark.exhaustive),
    pytest.param("genesys", "form-check.declare", marks=pytest.mark.exhaustive),
]
"""The forms that ask for a difficulty and for a target; one of them for both."""


def named(game: str, name: str) -> State:
    """A state of a game."""
    return next(one for one in states(game) if one.name == name)


def aimed(guest: Guest) -> Any:
    """The difficulties of the open form in order, once it shows the latest answers."""
    guest.see("dialog[open] form:not([aria-busy=true])")
    guest.page.wait_for_timeout(300)
    guest.still()
    return guest.page.evaluate(AIMED)


@pytest.mark.parametrize(("game", "name"), FORMS)
def test_difficulties_stay_in_place(come: Come, house: House, game: str, name: str) -> None:
    """Their order and places change neither with the target nor with a chosen difficulty."""
    guest = come(PHONE, regular=True)
    visit(guest, house, named(game, name))
    before = aimed(guest)
    form = guest.page.locator("dialog[open] form")
    targets = form.locator("[data-ask=against] label.pick")
    difficulties = form.locator("[data-ask=difficulty] label.pick")
    assert len(before) > 1
    # The way to withdraw an answer would take a row of its own.
    expect(targets.last).to_have_text("None")
    for picks in (targets, difficulties):
        n = 0
        # An actor is not a target: the list may become shorter.
        while n < picks.count():
            words = picks.nth(n).inner_text()
            picks.nth(n).click()
            assert before == aimed(guest), words
            n += 1
