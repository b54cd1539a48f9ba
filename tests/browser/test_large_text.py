"""Text at twice its size: nothing lies over anything else, and the button at the thumb is whole."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from tests.browser.guests import PHONE, Come, Party

BOXES = """selector => [...document.querySelectorAll(selector)].map(one => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
})"""


def test_at_twice_the_size_the_dock_is_above_the_tabs(come: Come, shots: Path) -> None:
    """The labels of the tabs stand apart, and the dock ends where the tabs begin."""
    party = Party(come, size=PHONE).sit()
    ann = party.ann
    ann.caught_up(party.declare())
    ann.see("#primary")
    ann.page.evaluate("document.documentElement.style.fontSize = '200%'")
    ann.still()
    ann.page.screenshot(path=shots / "twice.png")
    labels = ann.page.evaluate(BOXES, ".views .tab > span:not(.dot)")
    assert [] == [one for one, after in pairwise(labels) if one["right"] > after["left"]]
    assert labels[-1]["right"] <= PHONE["width"]
    [views], [button] = ann.page.evaluate(BOXES, ".views"), ann.page.evaluate(BOXES, "#primary")
    assert button["bottom"] <= views["top"]
    assert views["bottom"] <= PHONE["height"]
    assert 0 == ann.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_on_a_phone_the_chart_of_a_gauge_is_one_tap_away(come: Come) -> None:
    """The chart leaves the room to what can be done."""
    gm = come(PHONE)
    table = gm.api("POST", "/api/tables", system="c2d10", title="The long night", name="Mira")["table"]
    gm.make(table, "mira", "session.begin")
    gm.at(table, "mira")
    gm.see(".glance")
    assert 0 == gm.page.locator(".glance .gauge-chart").filter(visible=True).count()
    gm.tap("Where each point came from")
    gm.see("dialog[open] .gauge-chart")
