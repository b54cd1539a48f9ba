"""The pictures of each look of the page, by night and by day: `python -m tools.shots --looks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.guests import PHONE, Guest
from tools.small_png import small
from tools.states import states
from tools.visits import House, visit

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "looks"
WORLDS: Mapping[str, str] = {
    "noir": "starwars",
    "realms": "genesys",
    "neon": "c2d10",
    "folk": "destinydice",
    "desert": "dune",
    "parlour": "genesys",
}
"""Each look, and the game whose table wears it in its pictures."""
STATE = "roll-player"
LAPTOP = {"width": 1280, "height": 720}
SIZES = {"phone": PHONE, "laptop": LAPTOP}
COLOURS = 64
WEAR = "(world) => { document.documentElement.dataset.world = world; }"


def name_of(world: str, theme: str, size: str) -> str:
    """The file name of a picture."""
    return f"{world}-{theme}-{size}.png"


def looks(browser: Browser, house: House) -> Iterator[tuple[Path, bytes]]:
    """The place of each picture, and the picture as a small PNG."""
    for size, pixels in SIZES.items():
        for theme in ("dark", "light"):
            guest = Guest(browser, house, pixels, regular=True, painted=True, color_scheme=theme)
            for world, game in WORLDS.items():
                [state] = [one for one in states(game) if one.name == STATE]
                visit(guest, house, state)
                guest.up_to_date()
                guest.page.evaluate(WEAR, world)
                guest.still()
                [png] = small([guest.page.screenshot()], COLOURS)
                yield FOLDER / name_of(world, theme, size), png
            guest.context.close()
