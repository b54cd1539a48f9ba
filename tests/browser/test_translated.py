"""A page translated by the browser keeps showing the truth."""

from __future__ import annotations

import pytest

from tests.browser.guests import PHONE, Come, Guest, Party
from tests.browser.page_scripts import script

REPLACE = script("translate")
CONTINUALLY = script("translate-always")
SHOWN = "() => document.querySelector('#page').innerText.replace(/\\s+/g, ' ')"
FONTS = "() => document.querySelectorAll('#page font').length"


@pytest.mark.parametrize(
    "replace",
    [
        pytest.param(REPLACE, id="once", marks=pytest.mark.exhaustive),
        pytest.param(CONTINUALLY, id="always"),
    ],
)
def test_translated_page_shows_true_changes(come: Come, replace: str) -> None:
    """Points, odds, names, dice and the log equal those of an untranslated page."""
    party = Party(come, size=PHONE)
    ann = party.sit("ann").ann
    ann.still()

    def compare(seq: int, odds: bool = False) -> None:
        caught_up = ann.weighed if odds else ann.caught_up
        caught_up(seq)
        ann.still()
        translated = ann.page.evaluate(SHOWN)
        ann.page.reload()
        ann.live()
        caught_up(seq)
        ann.still()
        assert ann.page.evaluate(SHOWN) == translated
        ann.page.evaluate(replace)
        assert ann.page.evaluate(FONTS) > 50

    ann.page.evaluate(replace)
    compare(party.make("mira", "points.correct", account="light", to=9, why="for the test"))
    compare(party.declare(), odds=True)
    compare(party.make("ann", "destiny.upgrade"), odds=True)
    compare(party.make("mira", "destiny.pass"), odds=True)
    ann.tap("Roll the dice")
    ann.see(".result")
    named = {"seat": "bo", "name": "Bobby"}
    party.bo.api("POST", f"/api/tables/{party.id}/moves", seat="bo", move="seat.rename", args=named)
    ann.view("Log")
    compare_log(ann, party.make("ann", "table.say", text="So far, so good"), replace)
    ann.view("Characters")
    ann.read("Bobby")


def compare_log(guest: Guest, seq: int, replace: str) -> None:
    """The log that a guest reads on a translated page is the real one."""
    guest.caught_up(seq)
    lines = guest.page.locator(".log").inner_text()
    guest.page.reload()
    guest.live()
    guest.view("Log")
    guest.read("So far, so good")
    assert guest.page.locator(".log").inner_text() == lines
    guest.page.evaluate(replace)
