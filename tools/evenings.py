"""The pictures of the game masters' page, taken while its evenings are played."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.first_evening import GAMES, GM, PAGE, PLAYERS, play
from tests.browser.guests import PHONE, Guest
from tools.small_png import small
from tools.visits import House

COLOURS = 96
"""The colours that a page needs."""
LOW = {"width": 1280, "height": 640}
"""The GM's screen, low, since space below the dock would only make the picture larger."""

FRAMED = """() => {
    document.scrollingElement.scrollTo(0, 0);
    document.querySelector('.middle')?.scrollTo(0, 0);
    const frame = document.createElement('div');
    const border = '1px solid #8a93a3';
    Object.assign(frame.style, { position: 'fixed', inset: 0, border, zIndex: 9999 });
    frame.id = 'frame';
    document.body.append(frame);
}"""
"""The top of the page with a border, since the docs have the same background."""


def pictures(
    browser: Browser, house: House, games: Collection[str]
) -> Iterator[tuple[Path, bytes]]:
    """The place of each picture of these games, and the picture as a small PNG."""
    for game in (name for name, key in GAMES.items() if key in games):
        house.dice.begin("a first evening")
        sizes = {GM: LOW, **dict.fromkeys(PLAYERS, PHONE)}
        guests = {
            who: Guest(browser, house, size, regular=True, painted=True, color_scheme="light")
            for who, size in sizes.items()
        }
        guests[GM].open("/")
        for step in play(game, guests, house.dice):
            for who, path in step.pictures:
                [png] = small([taken(guests[who])], COLOURS)
                yield PAGE.parent / path, png
        for guest in guests.values():
            guest.context.close()
    house.dice.begin(None)


def taken(guest: Guest) -> bytes:
    """The top of the page as a guest sees it, once it is complete."""
    guest.up_to_date()
    # Pending odds are dimmed, and a dock that has just changed is asleep.
    expect(guest.page.locator("[data-old=true], .dock[data-asleep=true], .toast")).to_have_count(0)
    guest.page.evaluate(FRAMED)
    guest.still()
    png = guest.page.screenshot()
    guest.page.evaluate("document.getElementById('frame').remove()")
    return png
