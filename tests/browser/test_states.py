"""Every state of every game on a phone or a large screen: nothing is wrong that a program can find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from storypool import systems
from tests.browser.guests import DESK, PHONE, Guest
from tests.browser.test_access import COLOURS, RULES, violations
from tests.browser.test_screens import TOO_WIDE
from tools.states import State, states
from tools.visits import House, served, visit

GAMES = [key for key in systems.playable() if systems.package(key).startswith("storypool.systems")]
LOOKS: tuple[dict[str, Any], ...] = ({"size": PHONE, "color_scheme": "dark"}, {"size": DESK, "color_scheme": "light"})
# What the tab key goes to is scrolled just into the window, and there nothing may lie over it.
COVERED = """() => {
    const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const pressed = 'button:not([disabled], [aria-disabled=true]), a[href], input, select, textarea, summary';
    const out = [];
    for (const one of place.querySelectorAll(pressed)) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden, .skip-link')) continue;
        one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (right - left < 2 || bottom - top < 2) continue;
        const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const own = over && (one.contains(over) || over.contains(one) || over.closest('label')?.contains(one));
        const bar = over?.closest('.thumb, .views, .table-head, .form-foot, .sheet-head, .screen-foot');
        if (!own && bar && !bar.contains(one)) out.push(`${one.outerHTML.slice(0, 160)} below .${bar.className}`);
    }
    return out;
}"""

# On a large screen the parts of a table scroll, and never the whole.
TALLER = "document.documentElement.scrollHeight - document.documentElement.clientHeight"

# What is asked for stands in the dock alone, and what is asked can be answered there, or in rows that are in sight.
STEPS = """() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const docked = new Set(shown('.dock[data-mine=true] [data-move]').map((one) => one.dataset.move));
    const beside = shown('.offers-place [data-move], .drawer-place .drawer-group [data-move]');
    const twice = beside.map((one) => one.dataset.move).filter((key) => docked.has(key));
    const asked = shown('.dock[data-mine=true]').length > 0;
    const seen = (one) => one.getBoundingClientRect().top < innerHeight;
    const stuck = asked && !shown('.dock button').length && !shown('.menu-rows').some(seen);
    return [...twice.map((key) => `stands twice: ${key}`), ...(stuck ? ['is asked for, and has no button'] : [])];
}"""


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """A server for all states."""
    with served() as house:
        yield house


def troubles(guest: Guest, light: bool) -> list[str]:
    """All that is wrong with what this guest sees."""
    page = guest.page
    # What has just come to stand in the dock is dimmed for a moment.
    expect(page.locator(".dock[data-asleep]")).to_have_count(0)
    found = violations(guest, COLOURS if light else RULES)
    found += [f"runs out of the window: {one}" for one in page.evaluate(TOO_WIDE)]
    if wider := page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"):
        found.append(f"is {wider} px too wide")
    if page.locator(".table").count() and (taller := page.evaluate(TALLER)) and light:
        found.append(f"scrolls as a whole, by {taller} px")
    found += [f"is covered: {one}" for one in page.evaluate(COVERED)]
    found += page.evaluate(STEPS)
    return found + guest.troubles


def chosen(key: str) -> list[State]:
    """The states of a game; of those that every game has, each is looked at in one game, by turns."""
    found = states(key)
    shared = [state.name for state in found if state.shared]
    own = {name for n, name in enumerate(shared) if n % len(GAMES) == GAMES.index(key)}
    return [state for state in found if not state.shared or state.name in own]


@pytest.mark.parametrize("key", GAMES)
def test_no_state_of_a_game_has_a_fault(browser: Browser, house: House, key: str) -> None:
    """In each state axe finds nothing, nothing is too wide or covered, and the browser does not complain.

    Every state is looked at on a phone with a dark screen or on a large light one, by turns.
    """
    wrong: dict[str, list[str]] = {}
    regulars = [Guest(browser, house, **look) for look in LOOKS]
    for n, state in enumerate(chosen(key)):
        look, guest = LOOKS[n % len(LOOKS)], regulars[n % len(LOOKS)]
        newcomer = Guest(browser, house, **look) if state.new or state.path == "/" else None
        visitor = newcomer or guest
        visit(visitor, house, state)
        if state.then:
            # What the move brings fades in.
            visitor.up_to_date()
            visitor.still()
        if found := troubles(visitor, look["size"] is DESK):
            wrong[f"{state.name}, {look['color_scheme']}"] = found
        guest.troubles.clear()
        if newcomer:
            newcomer.context.close()
    for guest in regulars:
        guest.context.close()
    assert {} == wrong


BREAK = """() => {
    const add = (name, style) => document.body.append(Object.assign(document.createElement(name), { style }));
    add('button', 'position: fixed; inset-block-end: 20px; z-index: 1; width: 60px; height: 60px');
    add('p', 'width: 200vw; height: 4px');
    console.error('a mistake');
}"""


def test_faults_are_found(browser: Browser, house: House) -> None:
    """A button without a name, below a bar; a paragraph wider than the window; a complaint: each is told."""
    guest = Guest(browser, house, PHONE, color_scheme="dark")
    visit(guest, house, next(state for state in states("genesys") if state.name == "spectator"))
    assert [] == troubles(guest, light=False)
    guest.page.evaluate(BREAK)
    found = "\n".join(troubles(guest, light=False))
    for told in ("button-name", "is covered", "runs out of the window", "too wide", "a mistake"):
        assert told in found
    guest.context.close()
