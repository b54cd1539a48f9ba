"""Visits to states: a server in this process with a table for each, and a browser's way there."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from storypool.live.tables import Tables
from storypool.log.memory import MemoryStore
from storypool.log.store import Append
from storypool.play.text import Acting
from storypool.web.access import mint
from storypool.web.server_settings import Limits, Rate, Settings
from storypool.web.serving.listener import listen
from storypool.web.serving.serve import Serving, configure
from tests.browser.guests import Guest
from tools.seeded_dice import SeededDice
from tools.states import State

KEPT = 8
"""The number of tables that stay: at least as many as are open at a time."""


class House:
    """A server in this process that keeps nothing; any state opens on it as a table of its own."""

    def __init__(self, port: int, store: MemoryStore, dice: SeededDice) -> None:
        self.address: str = f"http://127.0.0.1:{port}"
        self.dice, self._store = dice, store
        self._tables = deque[str]()

    def open(self, state: State) -> tuple[str, str, Mapping[str, str]]:
        """Open a state: its table, its path, and the links that make a browser each seat."""
        if not state.records:
            return "", state.path, {}
        table = secrets.token_hex(5)
        self._store.append(Append(table, 0, state.records))
        # Each page asks for all seats of its browser, so remove the oldest tables.
        self._tables.append(table)
        if len(self._tables) > KEPT:
            self._store.delete(self._tables.popleft(), at=1)
        seats = dict.fromkeys(
            [state.seat, *state.others, *([state.then.seat] if state.then else [])]
        )
        links = {seat: mint(self._store, "device", table=table, seat=seat) for seat in seats}
        return table, state.path.format(table=table, seat=state.seat), links


@contextmanager
def served() -> Iterator[House]:
    """Serve on a free port of this machine, without limits on requests."""
    often = Rate(1e9, 1e9)
    listener, store = listen("127.0.0.1", 0), MemoryStore()
    port = int(listener.getsockname()[1])
    limits = Limits(
        odds=60,
        client=often,
        session=often,
        joins=often,
        new_tables=often,
        texts_read=often,
        texts_kept=often,
    )
    dice = SeededDice()
    with dice.used():
        server = Serving(configure(Tables(store), Settings(port, lan="127.0.0.1", limits=limits)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield House(port, store, dice)
        finally:
            server.should_exit = True
            thread.join()
            listener.close()


def visit(guest: Guest, house: House, state: State) -> None:
    """Show a state to a new or a regular guest until nothing moves; then make its move."""
    arrive(guest, house, state)
    tap(guest, state)
    if state.then:
        act(guest, state.then)


def arrive(guest: Guest, house: House, state: State) -> None:
    """Open the page of a state, before any tap."""
    assert guest.regular is not state.new, f"{state.name} is not for such a guest"
    table, path, links = house.open(state)
    for seat, secret in links.items():
        guest.api("POST", "/api/join", secret=secret, seat=seat)
    if path.startswith("/t/"):
        guest.go(table, path)
    else:
        guest.open(path)


def tap(guest: Guest, state: State) -> None:
    """Tap through to a state on its page, until it is shown and nothing moves."""
    for place in state.taps:
        if len(place) == 1:
            guest.page.keyboard.press(place)
            continue
        # On a large screen some of what a phone opens is there from the beginning, and not every
        # seat has each button.
        guest.see(f"{place}, {state.shown}")
        button = guest.page.locator(place).filter(visible=True)
        if button.count():
            button.first.click()
    guest.see(state.shown)
    guest.still()


def act(guest: Guest, move: Acting) -> int:
    """Make a move of a play at the open table; returns the number of its last record."""
    path = f"/api/tables/{guest.table}/moves"
    made = guest.api(
        "POST", path, seat=move.seat, move=move.move, args=dict(move.args), override=move.override
    )
    seq: int = made["seq"]
    return seq
