"""The page for everybody: no violation that axe can find in any state, and everything by keyboard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Guest, Party

AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe.min.js"
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    # Measured below, and larger: axe takes what lies half under a sticky foot, and is scrolled out of it, for small.
    "rules": {"target-size": {"enabled": False}},
    # Of what passes, one place is told: there are thousands.
    "resultTypes": ["violations"],
}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
"""The rules that colours decide about, and nothing else does."""
TARGET = 44
SMALL = """least => {
    const seen = one => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length;
    const inText = one => one.closest('p, .visually-hidden, .skip-link, .card > h3, .table-link');
    const wanted = ['button', 'a[href]', 'select', 'textarea', 'summary', 'label.pick', 'label.choice',
        'label.face-pick', 'input:not([type=radio], [type=checkbox], [type=file])'].join();
    const place = document.querySelector('dialog[open]') ?? document;
    return [...place.querySelectorAll(wanted)].filter(one => seen(one) && !inText(one))
        .map(one => [one, one.getBoundingClientRect()])
        .filter(([, box]) => box.height < least - 0.5 || box.width < least - 0.5)
        .map(([one, box]) => `${one.outerHTML.slice(0, 120)} is ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);
}"""


def violations(guest: Guest, rules: Mapping[str, object] = RULES) -> list[str]:
    """What axe finds wrong with what is there now, and every target that a thumb would miss: the rule, and where."""
    guest.still()
    if not guest.page.evaluate("'axe' in window"):
        guest.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = json.loads(
        guest.page.evaluate(f"axe.run(document, {json.dumps(rules)}).then(JSON.stringify)")
    )
    looked = {one["id"] for answer in ("passes", "incomplete", "violations") for one in found[answer]}
    assert "color-contrast" in looked, "axe has read no text"
    small: list[str] = guest.page.evaluate(SMALL, TARGET)
    for one in found["violations"]:
        small += [f"{one['id']}: {node['html'][:160]} {node['failureSummary']}" for node in one["nodes"]]
    return small


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk")])
def test_no_state_has_a_violation(come: Come, size: Mapping[str, int]) -> None:
    """Home, joining, every view of the table, forms, refusals, the drawer and the result pass axe in both themes.

    The themes differ in their colours alone, so the light one is asked only about those.
    """
    wrong: dict[str, list[str]] = {}

    def look(guest: Guest, state: str) -> None:
        for theme, rules in (("light", COLOURS), ("dark", RULES)):
            guest.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            if found := violations(guest, rules):
                wrong[f"{state}, {theme}"] = found

    newcomer = come(size, color_scheme="dark")
    newcomer.open("/")
    newcomer.see("#primary")
    look(newcomer, "home")
    newcomer.tap("New table")
    newcomer.see("dialog[open] .pick")
    look(newcomer, "new table")
    party = Party(come, size=size, color_scheme="dark").sit()
    gm, ann = party.gm, party.ann
    link = gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="player")
    newcomer.open(link["path"])
    newcomer.see("form")
    look(newcomer, "join")
    newcomer.page.get_by_label("What shall we call you?").fill("Cy")
    newcomer.tap("Sit down")
    newcomer.see("dialog[open] .ready")
    look(newcomer, "whom you play")
    look(ann, "idle")
    ann.tap("Make a check")
    ann.page.locator("[data-ask=skill] .chosen").click()
    ann.tap("More options")
    ann.see(".dice-dials")
    look(ann, "declare")
    ann.tap("Cancel")
    party.declare()
    ann.weighed(party.make("mira", "pool.add", die="boost", why="the alarm is off already"))
    ann.see(".offer-effect")
    ann.tap("More about these odds")
    ann.see(".heat")
    look(ann, "pictures of odds")
    ann.tap("More about these odds")
    ann.page.locator(".pool .die").first.click()
    ann.see(".origin")
    look(ann, "building")
    party.make("ann", "destiny.upgrade")
    expect(ann.offer("destiny.fact")).to_have_attribute("aria-disabled", "true")
    ann.offer("destiny.fact").click(force=True)
    ann.see(".because")
    ann.tap("Ask the GM")
    look(ann, "refused")
    party.make("bo", "pool.add", die="boost", why="teamwork")
    if size is PHONE:
        gm.pull()
    gm.see(".proposal")
    look(gm, "drawer")
    if size is PHONE:
        gm.tap("Close")
    party.make("mira", "destiny.pass")
    ann.tap("I rolled real dice")
    ann.see(".face-row")
    look(ann, "faces")
    ann.tap("Cancel")
    ann.page.locator("#primary").click()
    ann.see(".outcome .result")
    look(ann, "result")
    look(gm, "result of the game master")
    gm.view("Log")
    gm.tap("The whole recap")
    gm.see(".session-luck")
    look(gm, "recap")
    gm.tap("Close")
    for view in ("Log", "Characters", "Table"):
        gm.view(view)
        look(gm, view)
    gm.tap("House rules")
    gm.tap("Download, archive or delete")
    look(gm, "the table's own panel")
    gm.tap("Invite someone")
    gm.see("svg.qr path")
    look(gm, "invitation")
    assert {} == wrong


def press(guest: Guest, key: str, times: int = 1) -> None:
    for _ in range(times):
        guest.page.keyboard.press(key)


def tab_to(guest: Guest, selector: str, most: int = 90) -> None:
    """Go on with the tab key until this has the focus."""
    for _ in range(most):
        press(guest, "Tab")
        if guest.page.evaluate("s => Boolean(document.activeElement?.matches(s))", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by the tab key")


def press_awake(guest: Guest, selector: str) -> None:
    """Reach a button of the dock and press it, once it is awake: a key does not wait for that, as a tap does here."""
    tab_to(guest, selector)
    expect(guest.page.locator(".dock[data-asleep]")).to_have_count(0)
    press(guest, "Enter")


def test_an_action_by_keyboard_alone(come: Come) -> None:
    """Declaring, spending, rolling and closing need no pointer; the focus goes into a sheet and comes back out."""
    party = Party(come).sit()
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
    press_awake(ann, "#primary")
    words = ann.see(".outcome .result").inner_text()
    expect(ann.page.locator("#spoken")).to_have_text(words)
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


WATCH = """() => {
    window.travelled = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        window.travelled.push(JSON.stringify(frames));
        return animate.call(this, frames, how);
    };
}"""


@pytest.mark.parametrize("how", ["wish", "setting"])
def test_without_motion_nothing_travels(come: Come, how: str) -> None:
    """With reduced motion, or the page's own switch, dice are there at once and no animation moves anything."""
    party = Party(come, reduced_motion="reduce" if how == "wish" else "no-preference").sit()
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
