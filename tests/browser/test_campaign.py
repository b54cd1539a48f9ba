"""A long campaign: the page reads the end of its log, and the rest on a scroll or search."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Response, expect

from storypool.engine.events import Event, PeriodBegan, PointsSet, Said
from storypool.engine.fold import fold
from storypool.engine.sight import records_of
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Append
from tests.browser.guests import DESK, Come, Guest, Party, Serve, Server
from tests.browser.test_verified_dice import OPENED

LINES = 1600


def grown(server: Server, table: str, events: Callable[[int], Event]) -> None:
    """Extend a table's log by this many records while the server is down."""
    server.stop()
    store = SqliteStore(server.data)
    last = fold(store.read(table)).seq
    more = records_of([events(n) for n in range(1, LINES + 1)], "ann", last, 1_700_000_000_000)
    store.append(Append(table, last, more))
    store.close()
    server.start()


def happened(n: int) -> Event:
    """A player's line, a change of points, or the start of a session."""
    if n % 500 == 0:
        return PeriodBegan("session", 1 + n // 500)
    if n % 40:
        return Said("ann", f"Line number {n} of a long campaign.")
    return PointsSet("light", "", balance=n // 40 % 3, delta=1, why=f"the gift {n}", by="mira")


def long_party(come: Come, server: Server) -> Party:
    """A table with a titled scene, and all its lines."""
    party = Party(partial(come, to=server), size=DESK)
    party.make("mira", "scene.begin", title="The old harbour")
    party.make("ann", "table.say", text="The lantern is lit.")
    party.make("ann", "table.say", text="The lantern goes out.")
    party.make("mira", "table.undo")
    for guest in (party.gm, party.ann, party.bo):
        guest.server_is_gone = True
    grown(server, party.id, happened)
    return party


class Heard:
    """The amount that a page reads."""

    def __init__(self, guest: Guest) -> None:
        self.bytes, self.records = 0, 0
        guest.hear("websocket", lambda ws: ws.on("framereceived", self._frame))
        guest.hear("response", self._response)

    def _frame(self, frame: str | bytes) -> None:
        self.bytes += len(frame)
        self.records += '"type":"record"' in (frame if isinstance(frame, str) else frame.decode())

    def _response(self, response: Response) -> None:
        if "/api/" in response.url:
            self.bytes += int(response.headers.get("content-length", 0))


TO_THE_TOP = """() => {
    const list = document.querySelector('.log-list');
    list.scrollTo(0, 0);
    const line = list.querySelector('.log-entry');
    return { seq: line.dataset.seq, top: line.getBoundingClientRect().top };
}"""
MOVED = """async ({ seq, top }) => {
    const list = document.querySelector('.log-list');
    const line = list.querySelector(`.log-entry[data-seq="${seq}"]`);
    if (line === list.querySelector('.log-entry')) return null;
    return line.getBoundingClientRect().top - top;
}"""


def to_the_first_line(guest: Guest) -> None:
    """Scroll up to the first line of the log: content must not move when lines appear above it."""
    first = guest.page.locator(".log-list [data-seq='1']")
    while not first.count():
        held = guest.page.evaluate(TO_THE_TOP)
        guest.until("async (held) => (await (" + MOVED + ")(held)) !== null", held)
        assert abs(guest.page.evaluate(MOVED, held)) <= 2


@pytest.mark.fair
@pytest.mark.exhaustive
def test_page_reads_the_end_of_a_long_log_first(come: Come, serve: Serve) -> None:
    """The title of the scene and the last lines need no more; the server searches the rest.

    Loading earlier lines moves nothing, and then verifies a roll.
    """
    party = long_party(come, serve())
    gm, ann, bo = party.gm, party.ann, party.bo
    heard = Heard(ann)
    party.sit()
    ann.read("The old harbour")
    ann.read(f"Line number {LINES - 1} of a long campaign.")
    ann.view("Log")
    assert heard.records <= 200
    assert heard.bytes < 300_000
    bo.view("Log")
    is_searched(bo)
    for guest in (gm, ann, bo):
        guest.until(OPENED, 3)
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll")
    gm.view("Log")
    for guest in (gm, ann, bo):
        # Whether a row of rolls was there before, the beginning of the log says.
        expect(guest.page.locator(".log-entry .verification-mark")).to_have_attribute(
            "data-fair", "before"
        )
    to_the_first_line(ann)
    expect(ann.page.locator(".log-entry .verification-mark")).to_have_attribute("data-fair", "mine")
    assert ann.page.locator(".log-entry").count() > LINES


def is_searched(guest: Guest) -> None:
    """Search by words, person and kind: undone lines are struck out, and clearing shows all."""
    lines = guest.page.locator(".log-entry")
    guest.read(f"Line number {LINES - 1} of a long campaign.")
    everything = lines.count()
    guest.page.get_by_role("searchbox", name="Search the log").fill("lantern")
    # The undo names the line that it took back.
    expect(lines).to_have_count(3)
    guest.read("3 lines found")
    gone = lines.filter(has_text="The lantern goes out")
    expect(gone.first).to_have_attribute("data-undone", "true")
    expect(gone.last).to_have_attribute("data-undone", "false")
    expect(lines.filter(has_text="The lantern is lit.")).to_have_attribute("data-undone", "false")
    guest.page.get_by_role("searchbox", name="Search the log").fill("gift")
    guest.tap("Filter")
    guest.page.get_by_label("Which lines?").select_option("Points")
    expect(lines).to_have_count(LINES // 40 - LINES // 1000)
    guest.tap("Show all")
    expect(lines).to_have_count(everything)
