"""Accessibility of the page: axe in each state, the keyboard, and no motion."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.guests import PAINTED, UNPAINTED, Come, Guest, Party
from tests.browser.page_scripts import script

AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe.min.js"
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    # Measured below, and larger: axe takes for small what is half under a sticky foot and is
    # scrolled out of it.
    "rules": {"target-size": {"enabled": False}},
    # Of what passes, one place is printed: there are thousands.
    "resultTypes": ["violations"],
}
TARGET = 44
SMALL = script("small-targets")


MARK = script("mark-new-kinds")
MANY = 20
"""The number of new kinds of elements that makes axe read the whole page."""


class Reader:
    """Reads pages of one look: each kind of element once, wherever it first appears."""

    def __init__(self) -> None:
        self._known: list[str] = []
        self.anything_new = False
        """Whether the last page read had a new kind of element."""
        self.whole = False
        """Whether it had enough new kinds to read the whole page."""

    @property
    def known(self) -> str:
        """The kinds of read elements as JSON. The page's driver checks each part of a list."""
        return json.dumps(self._known)

    def mark(self, guest: Guest) -> None:
        """Mark new kinds of elements, once nothing moves."""
        guest.awake()
        self.take(guest.page.evaluate(MARK, self.known))

    def take(self, new: Sequence[str]) -> None:
        """Record the marks of a page as known."""
        self._known.extend(new)
        self.anything_new, self.whole = bool(new), len(new) >= MANY

    def violations(self, guest: Guest) -> list[str]:
        """Axe's findings in marked elements, and targets too small for a thumb."""
        return [*missed(guest), *(violations(guest, whole=self.whole) if self.anything_new else [])]


def missed(guest: Guest) -> list[str]:
    """Targets too small for a thumb: the element and its size."""
    small: list[str] = guest.page.evaluate(SMALL, TARGET)
    return small


def violations(guest: Guest, whole: bool = True) -> list[str]:
    """Axe's findings on the page or its new elements: the rule and the place."""
    if not guest.page.evaluate("'axe' in window"):
        guest.page.evaluate(AXE.read_text(encoding="utf-8"))
    place = "document" if whole else "{ include: [['[data-new-kind]']] }"
    # Colours are read as they are painted.
    after = "() => {}" if guest.painted else UNPAINTED
    run = f"axe.run({place}, {json.dumps(RULES)}).then(JSON.stringify).finally({after})"
    found: dict[str, Any] = json.loads(guest.page.evaluate(f"({PAINTED})(), {run}"))
    looked = {
        one["id"] for answer in ("passes", "incomplete", "violations") for one in found[answer]
    }
    assert not whole or "color-contrast" in looked, "axe has read no text"
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def press(guest: Guest, key: str, times: int = 1) -> None:
    for _ in range(times):
        guest.page.keyboard.press(key)


def tab_to(guest: Guest, selector: str, most: int = 90) -> None:
    """Press the tab key until this element has the focus."""
    for _ in range(most):
        press(guest, "Tab")
        if guest.page.evaluate("s => Boolean(document.activeElement?.matches(s))", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by the tab key")


def press_awake(guest: Guest, selector: str) -> None:
    """Press a button of the dock by keyboard once it is awake: a key does not wait for that."""
    tab_to(guest, selector)
    expect(guest.page.locator(".dock[data-asleep]")).to_have_count(0)
    press(guest, "Enter")


def test_action_by_keyboard_alone(come: Come) -> None:
    """Declaring, spending, rolling and closing need no pointer, and sheets restore the focus."""
    party = Party(come).sit("ann")
    ann = party.ann
    press_awake(ann, "#primary")
    expect(ann.page.locator("dialog[open] h2")).to_be_focused()
    tab_to(ann, "[data-ask=title] input")
    ann.page.keyboard.type("Climb the wall")
    tab_to(ann, "[data-ask=skill] .chosen")
    press(ann, "Enter")
    expect(ann.top.get_by_role("searchbox")).to_be_focused()
    ann.page.keyboard.type("skul")
    press(ann, "Enter")
    expect(ann.page.locator("[data-ask=skill] .chosen")).to_be_focused()
    tab_to(ann, "[data-ask=difficulty] input")
    press(ann, "ArrowRight", 2)
    press(ann, "ArrowLeft")
    ann.see(".would .die")
    tab_to(ann, "dialog[open] button[type=submit]")
    press(ann, "Enter")
    expect(ann.page.locator(".action-title")).to_have_text("Climb the wall")
    ann.caught_up(party.make("mira", "check.agree"))
    tab_to(ann, ".pool button.die")
    press(ann, "Enter")
    ann.see(".origin")
    press_awake(ann, "[data-move='destiny.upgrade'] .offer")
    expect(ann.page.locator(".point[data-state=turning]")).to_have_count(1)
    party.make("mira", "destiny.pass")
    expect(ann.page.locator("#primary")).to_contain_text("Roll the dice")
    # A mere sign has a word below it.
    expect(ann.page.get_by_role("button", name="I rolled real dice")).to_have_text("Real dice")
    press_awake(ann, "#primary")
    words = ann.see(".outcome .result").inner_text()
    expect(ann.page.locator("#spoken")).to_have_text(words)
    expect(ann.page.locator(".outcome .result")).to_be_focused()
    # Escape closes a sheet, and the focus is where it was.
    tab_to(ann, "[data-move='spend.free'] .offer, #primary, .views .tab")
    ann.page.locator(".views").get_by_role("button", name="Table").focus()
    press(ann, "Enter")
    invite = ann.page.get_by_role("button", name="Open my seat on another device")
    invite.focus()
    press(ann, "Enter")
    ann.see("dialog[open]")
    press(ann, "Escape")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    expect(invite).to_be_focused()


HURRY = script("type-in-a-hurry")


def test_sheet_takes_the_focus_once(come: Come) -> None:
    """Fast keys stay in place: the heading gets the focus as the sheet opens, and only then."""
    party = Party(come).sit("ann")
    party.ann.see("#primary")
    expect(party.ann.page.locator(".dock[data-asleep]")).to_have_count(0)
    assert party.ann.page.evaluate(HURRY) == ["h2", True]


def test_result_takes_the_rollers_focus(come: Come) -> None:
    """The focus goes to the result on the roller's page, and stays on other pages."""
    party = Party(come).sit("ann", "bo")
    party.declare()
    party.make("ann", "destiny.pass")
    party.ann.caught_up(party.make("mira", "destiny.pass"))
    party.ann.tap("Roll the dice", exact=False)
    words = party.ann.see(".outcome .result").inner_text()
    expect(party.ann.page.locator("#spoken")).to_have_text(words)
    expect(party.bo.page.locator("#spoken")).to_have_text(words)
    assert party.bo.page.evaluate("document.activeElement === document.body")


WATCH = """() => {
    window.travelled = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        window.travelled.push(JSON.stringify(frames));
        return animate.call(this, frames, how);
    };
}"""


@pytest.mark.parametrize("how", ["wish", "setting"])
def test_reduced_motion_stops_animations(come: Come, how: str) -> None:
    """With reduced motion, of the system or the page, dice appear at once and nothing moves."""
    party = Party(come, reduced_motion="reduce" if how == "wish" else "no-preference").sit("ann")
    ann = party.ann
    if how == "setting":
        ann.view("Table")
        ann.page.locator("fieldset", has_text="Animation").get_by_text("Off").click()
        ann.view("Play")
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    expect(ann.page.locator("#primary")).to_contain_text("Roll the dice")
    ann.page.evaluate(WATCH)
    ann.page.locator("#primary").click()
    ann.see(".outcome .result")
    travelled = ann.page.evaluate("window.travelled")
    assert [] == [frames for frames in travelled if "transform" in frames]
