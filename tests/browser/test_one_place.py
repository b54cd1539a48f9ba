"""Each question is shown and answered in one visible place."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Party
from tests.browser.page_scripts import script
from tests.fixed_set import cases
from tools.states import states
from tools.visits import House, visit

DOUBLED = script("doubled-buttons")
ONCE = [
    ("starwars", "proposal-gm"),
    ("starwars", "attempt-player"),
    ("starwars", "spend-gm"),
    ("starwars", "people-gm"),
    ("starwars", "table-player"),
    ("starwars", "initiative.all-gm"),
    ("starwars", "ended"),
    ("dune", "complication-gm"),
    ("dune", "complication-player"),
    ("dune", "again-player"),
    ("c2d10", "turn-gm"),
    ("c2d10", "crisis-gm"),
    ("c2d10", "finish-gm"),
]


@pytest.mark.parametrize("place", cases(ONCE, ONCE[::5]), ids="-".join)
def test_no_two_buttons_do_the_same(come: Come, house: House, place: tuple[str, str]) -> None:
    """No answer of the dock or a card is repeated, at either screen size."""
    key, name = place
    guest = come(PHONE, regular=True)
    visit(guest, house, next(one for one in states(key) if one.name == name))
    for size in (PHONE, DESK):
        guest.resize(size)
        guest.awake()
        assert [] == guest.page.evaluate(DOUBLED), size


def test_proposal_is_answered_in_the_dock(come: Come) -> None:
    """The dock has price, yes, no, a change and a reason; a card has another seat's wait.

    A second proposal is a card without answers until the first is answered.
    """
    party = Party(come, size=DESK).sit("mira", "ann")
    gm, ann = party.gm, party.ann
    party.declare()
    party.make("ann", "destiny.fact", text="There is a back door")
    dock = gm.page.locator(".dock")
    expect(dock).to_contain_text("Reserved:")
    expect(gm.page.locator(".proposal")).to_have_count(0)
    party.make("bo", "pool.add", die="boost", why="A hand")
    expect(gm.page.locator(".proposal")).to_have_count(1)
    for name in ("Agree", "Say no", "Change", "No, because …"):
        expect(gm.page.get_by_role("button", name=name, exact=True)).to_have_count(1)
        expect(dock.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(ann.page.get_by_role("heading", name="Waiting for an answer")).to_be_visible()
    expect(ann.page.get_by_role("heading", name="Needs your answer")).to_have_count(0)
    dock.get_by_role("button", name="Change", exact=True).click()
    form = gm.page.locator("dialog[open]")
    form.locator("[data-ask=text] textarea").fill("There is a window")
    form.get_by_role("button", name="Agree with changes").click()
    expect(ann.page.locator(".side .log")).to_contain_text("A fact is added: There is a window.")
    expect(gm.page.locator(".proposal")).to_have_count(0)
    expect(dock.get_by_role("button", name="Agree", exact=True)).to_be_visible()


ROOM = script("room-of-table")
HALF = 0.55
TURNS = {("dune", "turn.of-player"), ("dune", "turn.players-player"), ("dune", "oppose-player")}
DOCKS = [
    *sorted(TURNS),
    ("dune", "difficulty-gm"),
    ("destinydice", "difficulty-gm"),
    ("destinydice", "hit-player"),
    ("genesys", "turn.gm-gm"),
    ("starwars", "difficulty-gm"),
]


@pytest.mark.parametrize("place", cases(DOCKS, DOCKS[::3]), ids="-".join)
def test_phone_page_has_more_room_than_its_dock(
    come: Come, house: House, place: tuple[str, str]
) -> None:
    """The dock begins below the middle, and a turn leaves this much room above it.

    All of it can be reached, and no button is half covered.
    """
    guest = come(PHONE, regular=True)
    key, name = place
    visit(guest, house, next(one for one in states(key) if one.name == name))
    guest.awake()
    begins, free = guest.page.evaluate(ROOM)
    assert round(begins, 2) >= HALF
    assert place not in TURNS or round(free, 2) >= HALF
    assert [] == guest.page.evaluate(script("covered"))
    more = guest.page.locator(".dock").get_by_role("button", name="More …", exact=True)
    row = guest.page.locator(".dock-row")
    if more.count() and row.count():
        more.evaluate("one => one.closest('.dock').scrollTo(0, 0)")
        under = "([more, row]) => row.contains(more) || more.getBoundingClientRect().bottom"
        under += " <= row.getBoundingClientRect().top"
        assert guest.page.evaluate(under, [more.element_handle(), row.element_handle()])


STEPS = [
    ("dune", "spend-player"),
    ("dune", "won-player"),
    ("dune", "cost-player"),
    ("starwars", "pips-player"),
]
UNDER = script("buttons-by-state")


@pytest.mark.parametrize("place", cases(STEPS, STEPS[:1]), ids="-".join)
def test_dock_sentence_covers_no_step(come: Come, house: House, place: tuple[str, str]) -> None:
    """Several steps form a scrolling list, not a row pushed under the question."""
    guest = come({"width": 360, "height": 600}, regular=True)
    key, name = place
    visit(guest, house, next(one for one in states(key) if one.name == name))
    guest.awake()
    assert 0 == guest.page.evaluate(UNDER)
    assert [] == guest.page.evaluate(script("covered"))


def test_single_hint_moves_nothing(come: Come) -> None:
    """A hint appears above the next step, another with the next action, and text stays put."""
    party = Party(come)
    party.ready()
    ann = party.sit("ann").ann
    ann.awake()
    ann.see(".odds")
    hint, stage = (
        ann.page.locator(".hint"),
        ann.page.locator(".action-title, .pool, .odds, #primary"),
    )
    tops = "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
    before = stage.evaluate_all(tops)
    expect(hint).to_have_attribute("data-hint", "dock")
    # A tap by Playwright scrolls automatically.
    ann.page.get_by_role("button", name="Got it").evaluate("one => one.click()")
    expect(hint).to_have_count(0)
    ann.still()
    assert before == stage.evaluate_all(tops)
    party.make("ann", "check.cancel")
    party.ready("Pick the other lock")
    expect(hint).to_have_count(1)
    expect(hint).to_have_attribute("data-hint", "pool")
