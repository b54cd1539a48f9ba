"""Draw the states of random play in a browser: `python -m tools.drawn GAME ...`.

A game may keep every promise of `storypool check-game` and still have a page that raises, or asks
what the server cannot answer. Any installed game will do. Each finding names its seed and its
record. Options: `--seed N`, `--states N`.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence

from playwright.sync_api import Error, sync_playwright

import dev
from storypool import systems
from storypool.contract.random_play import play
from storypool.engine.events import MoveMade
from storypool.engine.fold import fold
from tests.browser.guests import DESK, QUIET, Guest
from tools.states import State
from tools.visits import House, served, visit

TRIES = 150
"""The moves tried in the game whose tables are drawn."""


def random_states(key: str, seed: int, count: int) -> Iterator[State]:
    """This many states of a random game, evenly spaced, each as one of its seats sees it."""
    records = play(systems.get(key), seed, TRIES).records
    ends = [i for i, record in enumerate(records) if isinstance(record.event, MoveMade)]
    for n in range(count):
        end = ends[len(ends) * (n + 1) // count - 1]
        here = [seat.id for seat in fold(records[:end]).seats.values() if seat.here]
        name, seat = f"seed {seed}, record {end}", here[n % len(here)]
        yield State(key, name, tuple(records[:end]), seat, shown=".table, .recap")


class Errors(logging.Handler):
    """Collects the server's error log, since a page may ignore a failed answer."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found = list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line, with its exception."""
        self.found.append(
            f"{record.getMessage()} {record.exc_info[1]!r}"
            if record.exc_info
            else record.getMessage()
        )


def troubles(guest: Guest, house: House, states: Iterator[State]) -> Iterator[str]:
    """The errors on the page of a regular guest or at the server, state by state."""
    errors = Errors()
    logging.getLogger("storypool").addHandler(errors)
    try:
        for state in states:
            try:
                visit(guest, house, state)
                # What the page asks on its feed is answered in its own time: this is when it is
                # asked for.
                guest.api("GET", f"/api/tables/{guest.table}/odds?seat={state.seat}")
            except (AssertionError, Error) as error:
                errors.found.append(f"it is not drawn: {str(error).partition(chr(10))[0]}")
            for one in dict.fromkeys((*errors.found, *guest.troubles)):
                yield f"{state.game}, {state.name}, {state.seat}: {one}"
            errors.found.clear()
            guest.troubles.clear()
    finally:
        logging.getLogger("storypool").removeHandler(errors)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the games; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.drawn", description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="keys of games; all of them by default"
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random games")
    parser.add_argument("--states", type=int, default=20, help="how many states of each game")
    options = parser.parse_args(arguments)
    wrong = 0
    with served() as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=dev.find_browser(), args=QUIET)
        guest = Guest(browser, house, DESK, regular=True)
        for key in options.games or systems.playable():
            for one in troubles(guest, house, random_states(key, options.seed, options.states)):
                wrong += 1
                print(one, flush=True)
        browser.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
