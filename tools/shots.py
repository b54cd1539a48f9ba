"""Take pictures of every state of every game: `python -m tools.shots [GAME ...] --to FOLDER`.

Each is taken at the widths of two phones and of a large screen, in both themes, and `index.html` in
the folder shows them all. `--only PATTERN` chooses states by name, `--width` and `--theme` one of
those. With `--moving FILE` it makes a short moving picture of one check, as an animated PNG, and
with `--evenings` the pictures of the page for game masters, with `--looks` those of the page about
looks, in their places.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from html import escape
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

import dev
from storypool import systems
from tests.browser.guests import QUIET, Guest
from tools.evenings import pictures
from tools.moving import animated, frames
from tools.states import State, states
from tools.visits import House, served, visit
from tools.worn import looks

SIZES = (
    {"width": 360, "height": 740},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
Kind = tuple[int, Literal["light", "dark"]]
"""A kind of picture: its width and its theme."""
Look = tuple[int, str, bool]
"""The settings of a browser: its width, its theme, and whether things move."""
HEIGHT_OF_A_MOMENT = """() => {
    for (const one of document.getAnimations()) {
        if (!one.effect.target?.closest('.moment')) continue;
        one.pause();
        one.currentTime = one.effect.getTiming().duration * 0.5;
    }
}"""


def shoot_all(
    browser: Browser,
    house: House,
    games: Iterable[str],
    only: str,
    kinds: Sequence[Kind],
    folder: Path,
) -> None:
    """Take these kinds of pictures of the states with fitting names, and make the page of them."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [state for key in games for state in states(key) if fnmatchcase(state.name, only)]
    regulars: dict[Look, Guest] = {}
    for state in found:
        print(state.game, state.name, flush=True)
        shoot(browser, house, state, kinds=kinds, folder=folder, regulars=regulars)
    for guest in regulars.values():
        guest.context.close()
    folder.joinpath("index.html").write_text(contact_sheet(found, kinds), encoding="utf-8")


def shoot(
    browser: Browser,
    house: House,
    state: State,
    kinds: Sequence[Kind],
    folder: Path,
    regulars: dict[Look, Guest],
) -> None:
    """Take the pictures of a state: GAME-STATE-WIDTH-THEME.png.

    Known guests share a browser, which is quicker; new ones, and those at the home page, have their
    own.
    """
    sizes = {size["width"]: size for size in SIZES}
    for width, theme in kinds:
        look = width, theme, bool(state.then)
        moving = {"reduced_motion": "no-preference"} if state.then else {}
        alone = state.new or state.path == "/"
        guest = None if alone else regulars.get(look)
        if not guest:
            guest = Guest(
                browser,
                house,
                sizes[width],
                regular=not state.new,
                color_scheme=theme,
                painted=True,
                **moving,
            )
        if not alone:
            regulars[look] = guest
        visit(guest, house, state)
        if state.then:
            guest.see(".moment")
            guest.page.evaluate(HEIGHT_OF_A_MOMENT)
        guest.page.screenshot(path=folder / picture(state, width, theme))
        if alone:
            guest.context.close()


def picture(state: State, width: int, theme: str) -> str:
    """The name of the picture of a state."""
    return f"{state.game}-{state.name}-{width}-{theme}.png"


def contact_sheet(found: Iterable[State], kinds: Sequence[Kind]) -> str:
    """A page with all pictures: a heading for each state, and its pictures side by side."""
    rows = []
    for state in found:
        shown = (picture(state, *kind) for kind in kinds)
        links = "".join(
            f'<a href="{name}"><img loading="lazy" height="400" src="{name}" alt=""></a> '
            for name in shown
        )
        rows.append(f"<h2>{escape(state.game)}: {escape(state.name)}</h2>\n<p>{links}</p>\n")
    style = "<style>body { font: 16px sans-serif } img { border: 1px solid }</style>"
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Every'
        f" state</title>{style}\n{''.join(rows)}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures; the exit code is 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.shots", description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="keys of games; all of them by default"
    )
    to = parser.add_mutually_exclusive_group(required=True)
    to.add_argument("--to", type=Path, metavar="FOLDER", help="where the pictures go")
    to.add_argument(
        "--moving", type=Path, metavar="FILE", help="make the moving picture of a check instead"
    )
    parser.add_argument(
        "--only", metavar="PATTERN", default="*", help="names of states, such as 'form-*'"
    )
    to.add_argument(
        "--evenings",
        action="store_true",
        help="make the pictures of the game masters' page instead",
    )
    to.add_argument(
        "--looks", action="store_true", help="make the pictures of the page about looks instead"
    )
    widths = [size["width"] for size in SIZES]
    parser.add_argument(
        "--width",
        type=int,
        choices=widths,
        action="append",
        help="only this width; may be repeated",
    )
    parser.add_argument(
        "--theme", choices=THEMES, action="append", help="only this theme; may be repeated"
    )
    options = parser.parse_args(arguments)
    kinds = [
        (width, theme) for width in options.width or widths for theme in options.theme or THEMES
    ]
    with served() as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=dev.find_browser(), args=QUIET)
        if options.moving:
            options.moving.write_bytes(animated(list(frames(browser, house))))
        elif options.evenings or options.looks:
            games = options.games or systems.names()
            taken = looks(browser, house) if options.looks else pictures(browser, house, games)
            for path, png in taken:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(png)
                print(path, len(png), flush=True)
        else:
            shoot_all(
                browser,
                house,
                options.games or systems.names(),
                only=options.only,
                kinds=kinds,
                folder=options.to,
            )
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
