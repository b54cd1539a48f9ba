"""Distractions without meaning: tall locks, repeated figures and notices, outdated forms."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import expect

from storypool.engine.events import Proposed
from tests.browser.guests import DESK, PHONE, Come, MillRace, Party
from tests.browser.page_scripts import script
from tools.states import states
from tools.visits import House, visit

OPEN_OFFER = 52
LONG = "The old smuggler who built this lock left a second way in, behind the painting. " * 3
HEIGHTS = "all => all.map((one) => one.getBoundingClientRect().height)"


def test_lock_expands_when_tapped(come: Come, house: House) -> None:
    """A lock is as high as an open offer; a line of its reason is shown, and a tap shows all."""
    gm = come(PHONE, regular=True)
    state = next(one for one in states("starwars") if one.name == "proposal-gm")
    place = max(n for n, one in enumerate(state.records) if isinstance(one.event, Proposed))
    event = state.records[place].event
    assert isinstance(event, Proposed)
    long = state.records[place]._replace(event=Proposed(replace(event.proposal, text=LONG)))
    visit(
        gm,
        house,
        replace(state, records=(*state.records[:place], long, *state.records[place + 1 :])),
    )
    lock = (
        gm.page.locator(".offer[aria-disabled]")
        .filter(visible=True, has_text="waits for its answer first")
        .first
    )
    expect(lock).to_be_visible()
    heights = gm.page.locator(".offers-place .offer").filter(visible=True).evaluate_all(HEIGHTS)
    assert {OPEN_OFFER} == set(heights)
    lock.dispatch_event("click")
    because = gm.page.locator(".offer-place .because")
    expect(because).to_contain_text(LONG.strip())
    assert because.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def test_locked_purses_fold(come: Come) -> None:
    """The GM who invokes sees the purses that can pay; locked ones with reasons are a tap away."""
    table = MillRace(come, DESK, quick=2)
    table.player("Bo", "Kay", {"quick": 1})
    for who in ("Thug", "Bram", "Vane"):
        table.make("mira", "character.add", name=who)
    table.make("mira", "aspect.add", text="Slippery stones")
    foe = {"as": "thug", "action": "attack", "pool": "3 skill", "against": "juna"}
    table.make("mira", "check.declare", **foe)
    gm = table.sit("mira").gm
    gm.offer("aspect.invoke").click()
    form = gm.page.locator("dialog[open]")
    form.get_by_text("Slippery stones").first.click()
    pay = form.locator("[data-ask=with]")
    expect(pay).to_contain_text("GM Fate points")
    expect(pay).not_to_contain_text("Thug")
    pay.get_by_role("button", name="3 more, not possible now").click()
    for who in ("Thug", "Bram", "Vane"):
        expect(pay.locator(".pick", has_text=who)).to_be_visible()


def test_outdated_form_closes(come: Come) -> None:
    """Ann's roll makes Bo's help form useless; his answers stay until her check ends."""
    party = Party(come)
    party.ready()
    bo = party.sit("bo").bo
    form = bo.page.locator("dialog[open] form")
    bo.offer("check.assist").click()
    expect(form).to_be_visible()
    party.make("ann", "check.roll", faces="1 1 1 1 1")
    expect(form).to_have_count(0)
    party.make("ann", "check.close")
    party.ready("Pick the other lock")
    bo.up_to_date()
    bo.offer("pool.add").click()
    form.locator("input[type=text], textarea").last.fill("a hint")
    party.make("ann", "check.roll", faces="1 1 1 1 1")
    expect(form.get_by_role("alert")).to_contain_text("The dice have been rolled.")
    party.make("ann", "check.close")
    expect(form).to_have_count(0)


def test_notices_do_not_repeat_the_log(come: Come) -> None:
    """Near the log tools are quiet, undo is not struck through, and links count by their target."""
    party = Party(come, size=DESK)
    party.make("mira", "trait.set", text="It rains")
    party.make("mira", "trait.set", text="It pours")
    gm = party.sit("mira").gm
    for _ in range(2):
        party.make("mira", "table.undo")
    gm.up_to_date()
    undos = gm.page.locator(".log-entry[data-kind='table.rewound']")
    expect(undos).to_have_count(2)
    for n in range(2):
        expect(undos.nth(n)).to_have_attribute("data-undone", "false")
    expect(gm.page.locator(".log-entry", has_text="It pours").first).to_have_attribute(
        "data-undone", "true"
    )
    gm.tool("round.next")
    expect(gm.page.locator(".log")).to_contain_text("Round 1 began")
    expect(gm.page.locator(".toast")).to_have_count(0)
    # The chart of the points is one tap away, and no lock of a stepper is lit.
    gm.view("Characters")
    less = gm.page.locator(".dial > button").filter(visible=True).first
    less.evaluate("one => one.setAttribute('aria-disabled', 'true')")
    less.hover()
    assert "rgba(0, 0, 0, 0)" == less.evaluate("one => getComputedStyle(one).backgroundColor")


def test_form_repeats_no_figure(come: Come, house: House) -> None:
    """The target number is above; the form shows it only where answers would change it."""
    gm = come(PHONE, regular=True)
    visit(gm, house, next(one for one in states("dune") if one.name == "difficulty-gm"))
    expect(gm.page.locator(".stage .figure")).to_be_visible()
    gm.page.locator(".dock").get_by_role("button", name="More …").click()
    form = gm.page.locator("dialog[open] form:not([aria-busy])")
    expect(form).to_be_visible()
    expect(form.locator(".figure")).to_have_count(0)
    form.get_by_text("Daunting").first.click()
    expect(form.locator(".figure")).to_be_visible()


def test_chart_is_not_in_mid_screen(come: Come, house: House) -> None:
    """Between actions the points' chart is one tap away."""
    gm = come(DESK, regular=True)
    visit(gm, house, next(one for one in states("c2d10") if one.name == "turn-player"))
    expect(gm.page.locator(".glance")).to_be_visible()
    expect(gm.page.locator(".gauge-chart")).to_have_count(0)
    gm.page.locator(".glance button").click()
    expect(gm.page.locator("dialog[open] .gauge-chart")).to_be_visible()


TICKS = """all => all.map((one) => {
    const line = one.parentNode.querySelector("line");
    return [Number(one.textContent), Number(line.getAttribute("y1"))];
})"""


def test_chart_numbers_match_their_lines(come: Come) -> None:
    """An odd maximum has a whole number in the middle, and its line at that height."""
    party = Party(come, size=DESK)
    party.make("mira", "points.correct", account="light", to=5, why="for the test")
    party.declare()
    party.make("ann", "destiny.upgrade")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll", faces="1 1 1 1 1")
    party.make("ann", "check.close")
    party.make("mira", "session.end")
    gm = party.sit("mira").gm
    ticks = gm.page.locator(".gauge-chart").first.locator(".gauge-tick")
    expect(ticks).to_have_count(3)
    (low, bottom), (middle, height), (high, top) = ticks.evaluate_all(TICKS)
    assert (0, 5) == (low, high)
    assert abs(bottom + (top - bottom) * middle / 5 - height) < 0.01


CUT_HINTS = script("cut-placeholders")


def test_field_hints_and_titles_are_complete(come: Come) -> None:
    """A list with a long question has a search field; another view has long titles."""
    gm = come(PHONE)
    title = "The long night of the seven lanterns"
    table = gm.api("POST", "/api/tables", system="dune", title=title, name="Mira")["table"]
    gm.api("POST", f"/api/tables/{table}/first-scene", seat="mira")
    gm.at(table, "mira")
    gm.up_to_date()
    gm.tool("conflict.begin")
    form = gm.page.locator("dialog[open]").last
    for choice in form.locator(".chosen").all():
        choice.click()
        for size in (PHONE, DESK):
            gm.resize(size)
            assert [] == gm.page.evaluate(CUT_HINTS), size
        gm.resize(PHONE)
    gm.page.keyboard.press("Escape")
    gm.page.keyboard.press("Escape")
    gm.view("Table")
    expect(gm.page.locator(".side").get_by_text(title, exact=True)).to_be_visible()
