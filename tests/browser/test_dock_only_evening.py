"""An evening of strangers who press only offers of the dock, to the end of the session."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from storypool import systems
from tests.browser.guests import DESK, Come, Guest
from tests.browser.page_scripts import script

GAMES = [key for key in systems.playable() if systems.package(key).startswith("storypool.systems")]
ACTIONS = 2
"""The actions before a conflict."""
FOUGHT = 2
"""The actions in a conflict before the GM ends it."""
CONFLICTS = {
    "starwars": (["initiative.roll"], "initiative.end"),
    "genesys": (["initiative.roll"], "initiative.end"),
    # Its first scene is a conflict, which the actions before may have ended.
    "c2d10": (["conflict.open", "initiative.roll"], "conflict.end"),
    "dune": (["conflict.begin"], "conflict.end"),
    "destinydice": (["conflict.begin"], "conflict.end"),
}
"""The moves that start and end a conflict."""
MAX_PRESSES = 120
"""The number of presses that means a standstill."""
SEEN = script("seen-text")
VOICE, SPEAKS = script("voice"), script("speaks-out-of-sight")
WHOLE = "all => all.length > 0 && all.every(one => one.scrollWidth <= one.clientWidth)"
"""Whether each text is complete and uncut."""
READY = "() => !document.querySelector('[aria-busy=true], .dock[data-asleep]')"


def opened(gm: Guest, key: str) -> str:
    """The players' address after the GM opens a table of this game on the page."""
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
    """Open the link as a player, type a name, and take the nth hero."""
    player.open(link)
    player.page.get_by_label("What shall we call you?").fill(name)
    player.tap("Sit down")
    player.page.locator("dialog[open] .ready li > button").nth(n).click()
    player.top.locator("[data-kind=primary]").click()
    expect(player.page.locator("dialog[open]")).to_have_count(0)
    player.live()


def filled(guest: Guest) -> None:
    """Send the form with first answers to required questions, or close it if refused."""
    form = guest.page.locator("dialog[open]").last
    guest.page.wait_for_function(READY, polling=50)
    for name in form.locator("[data-ask]").evaluate_all("all => all.map(one => one.dataset.ask)"):
        # An answer may add or remove questions.
        field = form.locator(f"[data-ask='{name}']")
        if not field.count() or "(optional)" in (field.inner_text() or ""):
            continue
        # The program rolls where no real dice are entered.
        if field.locator(".face-row").count():
            continue
        _answer(field)
        guest.page.wait_for_function(READY, polling=50)
    send = form.locator("button[type=submit], .float-actions button[data-tone]").last
    assert send.count(), form.inner_text()
    send.click()
    guest.page.wait_for_function(READY, polling=50)
    guest.page.wait_for_timeout(200)
    refusals = form.locator("[role=alert], .field-error")
    if refusals.count():
        # The missing answer is named; if it is otherwise optional, the first answer will do.
        for pick in form.locator("[data-ask]:has(.field-error) label.pick").all()[:1]:
            pick.click()
        for field in form.locator("[data-ask]:has(.select.chosen .quiet)").all()[:1]:
            _answer(field)
        send.click()
        guest.page.wait_for_function(READY, polling=50)
        guest.page.wait_for_timeout(200)
        assert not refusals.count(), f"{refusals.all_inner_texts()} in {form.inner_text()!r}"


def _answer(field: Locator) -> None:
    text = field.locator("input[type=text]:not([inputmode]), textarea")
    search = field.locator(".select.chosen")
    if search.count():
        if search.locator(".quiet").count():
            search.click()
            field.locator(".search-one:not([aria-disabled])").first.click()
    elif (
        text.count() and not text.first.input_value() and not field.locator("input:checked").count()
    ):
        text.first.fill("Look around")
    elif (
        field.locator("input[type=radio]").count()
        and not field.locator("input[type=radio]:checked").count()
    ):
        field.locator("label.pick").first.click()


def pressed(guest: Guest) -> bool:
    """Whether an offer of the dock was pressed."""
    guest.page.wait_for_function(READY, polling=50)
    if guest.page.locator("dialog[open]").count():
        filled(guest)
        return True
    step = guest.page.locator(".dock #primary, .dock .chips button, .dock .dock-row button").first
    if not step.count():
        return False
    before = guest.page.evaluate(SEEN)
    step.click()
    # No button is dead: a press changes something in sight.
    guest.until(f"(before) => ({SEEN})() !== before", before)
    guest.page.wait_for_function(READY, polling=50)
    return True


def asked(guest: Guest) -> bool:
    """Whether the dock has a question for this guest."""
    return (
        guest.page.locator(".dock[data-mine=true]").count() > 0
        or guest.page.locator("dialog[open]").count() > 0
    )


def offered(gm: Guest, move: str) -> Mapping[str, Any]:
    """A move as currently offered to the GM."""
    offers = gm.api("GET", f"/api/tables/{gm.table}/offers?seat=mira")["offers"]
    found: Mapping[str, Any] = {one["key"]: one for one in offers}[move]
    return found


def decided(gm: Guest, key: str, moves: Sequence[str]) -> None:
    """Make the first open move of these as the GM, wherever its button is."""
    offer = next(one for move in moves if not (one := offered(gm, move))["closed"])
    move = offer["key"]
    beside = gm.page.locator("main")
    button = beside.get_by_role("button", name=systems.get(key).title(move), exact=True)
    # Between actions the first of many open offers is shown, with the others folded.
    folds = beside.get_by_role("button", name="More tools", exact=True, expanded=False)
    while not button.count() and folds.count():
        folds.first.click()
        gm.still()
    if button.count():
        button.first.click()
    else:
        gm.tool(move)
    if offer["ends"] or [ask for ask in offer["asks"] if ask["kind"] != "faces"]:
        gm.page.locator("dialog[open] form").wait_for()
        filled(gm)
    gm.page.wait_for_function(READY, polling=50)
    if gm.page.locator("dialog.drawer[open]").count():
        gm.tap("Close")


def announced(guests: Sequence[Guest]) -> Counter[str]:
    """The number of events of each kind, once everybody has the whole log."""
    gm = guests[-1]
    log = gm.log(gm.table, "mira")
    for guest in guests:
        guest.caught_up(log[-1]["seq"])
    return Counter(one["event"]["type"] for one in log if one["event"])


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", GAMES)
def test_strangers_finish_the_evening(come: Come, key: str) -> None:
    """Docks of three browsers lead through two actions, a conflict and the session's end.

    Except for two GM steps: a conflict begins and ends in the drawer, or by a button next to its
    order.
    """
    gm, ann, bo = come(DESK), come(), come()
    link = opened(gm, key)
    sits(ann, link, "Ann", 0)
    sits(bo, link, "Bo", 1)
    gm.tap("Play the first scene")
    expect(gm.page.locator(".dock")).not_to_contain_text("Play the first scene")
    # On a phone each reads where they play what is read aloud, from its first line on, and their
    # own name in full.
    for player in (ann, bo):
        expect(player.page.locator(".opening p").first).to_be_in_viewport(ratio=1)
        assert player.page.locator(".mine .strip-name").evaluate_all(WHOLE)
    begin, end = CONFLICTS[key]
    fought, pressed_so_far, rolls = "not yet", list[str](), 0
    for n in range(MAX_PRESSES):
        so_far = announced((ann, bo, gm))
        done = so_far["check.closed"]
        # All pages speak with one voice, also those that are not asked, and the column of the GM.
        # What the dice brought is in view on each, between the order of a fight and the dock.
        looks = (VOICE, SPEAKS) if so_far["dice.rolled"] > rolls else (VOICE,)
        rolls = so_far["dice.rolled"]
        wrong = [
            found
            for guest in (ann, bo, gm)
            for look in looks
            if (found := guest.page.evaluate(look))
        ]
        assert not wrong, (pressed_so_far[-1:], wrong)
        waiting = [guest for guest in (ann, bo, gm) if asked(guest)]
        if fought == "now" and done >= ACTIONS + FOUGHT:
            # A conflict may be won before, and is over then.
            if not offered(gm, end)["closed"]:
                decided(gm, key, [end])
            fought = "over"
            continue
        if waiting:
            guest = waiting[0]
        elif done < ACTIONS or fought == "now":
            guest = (ann, bo)[n % 2]
        elif fought == "not yet":
            decided(gm, key, begin)
            fought = "now"
            continue
        else:
            break
        pressed_so_far.append(f"{guest.page.locator('.dock').inner_text()!r}")
        assert pressed(guest), f"{key}: nothing to press: {pressed_so_far[-6:]}"
    else:
        raise AssertionError(f"{key}: {pressed_so_far[-12:]}")
    assert fought == "over", pressed_so_far
    # It has folded with the first action.
    for player in (ann, bo):
        expect(player.page.locator(".opening p").filter(visible=True)).to_have_count(0)
    gm.page.locator(".dock").get_by_role("button", name=re.compile("End the session")).click()
    gm.page.locator("dialog[open]").get_by_role("button", name="End the session").click()
    expect(gm.page.locator(".table-head")).not_to_contain_text("Scene")


def test_new_heros_name_hint_is_complete(come: Come) -> None:
    """A phone shows the whole hint."""
    gm, ann = come(), come()
    ann.open(opened(gm, "genesys"))
    ann.page.get_by_label("What shall we call you?").fill("Ann")
    ann.tap("Sit down")
    field = ann.page.get_by_label("Or make your own", exact=True)
    expect(field).to_be_visible()
    assert field.evaluate("""(field) => {
        const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
        const font = `${fontSize} ${fontFamily}`;
        const pen = Object.assign(document.createElement('canvas').getContext('2d'), { font });
        return pen.measureText(field.placeholder).width
            <= field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    }""")
