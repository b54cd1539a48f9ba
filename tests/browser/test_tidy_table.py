"""What takes the eye and has nothing to say: tall locks, repeated figures and notices, forms that are over."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import expect

from storypool.engine.events import Proposed
from tests.browser.guests import DESK, Come, MillRace
from tools.states import states
from tools.visits import House, visit

MOST_LOCK = 100
LONG = "The old smuggler who built this lock left a second way in, behind the painting. " * 3
HEIGHTS = "all => all.map((one) => one.getBoundingClientRect().height)"


def test_a_lock_is_small_and_tells_all_when_tapped(come: Come, house: House) -> None:
    """Of a long reason two lines are shown, and a tap shows the whole."""
    gm = come(DESK, regular=True)
    state = next(one for one in states("starwars") if one.name == "proposal-gm")
    place = max(n for n, one in enumerate(state.records) if isinstance(one.event, Proposed))
    event = state.records[place].event
    assert isinstance(event, Proposed)
    long = state.records[place]._replace(event=Proposed(replace(event.proposal, text=LONG)))
    visit(gm, house, replace(state, records=(*state.records[:place], long, *state.records[place + 1 :])))
    lock = gm.page.locator(".offer[aria-disabled]").filter(visible=True, has_text="waits for its answer first").first
    expect(lock).to_be_visible()
    assert max(gm.page.locator(".offer[aria-disabled]").filter(visible=True).evaluate_all(HEIGHTS)) <= MOST_LOCK
    lock.dispatch_event("click")
    because = gm.page.locator(".offer-place .because")
    expect(because).to_contain_text(LONG.strip())
    assert because.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def test_locked_purses_fold(come: Come) -> None:
    """The GM who invokes sees the purses that can pay; the locked ones are one tap away, each with its reason."""
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


def test_no_chart_is_in_mid_screen(come: Come, house: House) -> None:
    """Between actions the points' chart is one tap away."""
    gm = come(DESK, regular=True)
    visit(gm, house, next(one for one in states("c2d10") if one.name == "turn-player"))
    expect(gm.page.locator(".glance")).to_be_visible()
    expect(gm.page.locator(".gauge-chart")).to_have_count(0)
    gm.page.locator(".glance button").click()
    expect(gm.page.locator("dialog[open] .gauge-chart")).to_be_visible()
