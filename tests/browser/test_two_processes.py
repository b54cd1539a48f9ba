"""An evening on two processes of one database: the GM on one, the players on a killed one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from storypool.log.shared.postgres import PostgresStore
from storypool.log.verified import verified
from tests.browser.guests import Come, Guest, Party, Server
from tests.browser.test_verified_dice import OPENED


@pytest.fixture
def two(database: str) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database."""
    servers = Server(database), Server(database)
    try:
        yield servers[0].start(), servers[1].start()
    finally:
        for server in servers:
            server.stop()


PRESENT = """async (seats) => {
    const { store: { presence } } = await import(document.querySelector('script[type=module]').src);
    return JSON.stringify([...presence.value].sort()) === JSON.stringify(seats);
}"""


def rolled(party: Party, title: str, rolls: int) -> None:
    """Ann rolls after every page opened its number, and all pages have verified this many rolls."""
    guests = (party.gm, party.ann, party.bo)
    party.bound()
    party.declare(title)
    for seat in ("ann", "mira"):
        party.make(seat, "destiny.pass")
    for guest in guests:
        guest.until(OPENED, len(guests))
    party.make("ann", "check.roll")
    for guest in guests:
        expect(guest.page.locator(".log-entry .verification-mark[data-fair=mine]")).to_have_count(
            rolls
        )
    for move in ("spend.waive", "check.close"):
        for seat, guest in (("ann", party.ann), ("mira", party.gm)):
            waits = guest.api("GET", f"/api/tables/{party.id}/offers?seat={seat}")["waits"]
            if any(one["yours"] and move in one["moves"] for one in waits):
                seq = party.make(seat, move)
                for other in guests:
                    other.caught_up(seq)


def log_of(guest: Guest, party: Party, seat: str) -> list[tuple[int, str]]:
    """A seat's log: numbers and sentences."""
    return [(record["seq"], record["text"]) for record in guest.log(party.id, seat)]


@pytest.mark.exhaustive
@pytest.mark.fair
def test_evening_on_two_processes(two: tuple[Server, Server], come: Come, database: str) -> None:
    """Everybody sees the same table, no roll lacks a number, and a kill loses nothing."""
    one, other = two
    places = iter([one, other, other])
    party = Party(lambda *size, **more: come(*size, to=next(places), **more)).sit()
    for guest in (party.gm, party.ann, party.bo):
        guest.until(PRESENT, ["ann", "bo", "mira"])
        guest.view("Log")
    rolled(party, "Slice the lock", 1)
    for guest in (party.ann, party.bo):
        guest.server_is_gone = True
    other.kill()
    made = party.make("mira", "table.say", text="The lights go out.")
    other.start()
    for guest in (party.ann, party.bo):
        guest.live()
        guest.caught_up(made)
    rolled(party, "Slice it again", 2)
    assert log_of(party.ann, party, "ann") == log_of(party.bo, party, "bo")
    assert len(log_of(party.gm, party, "mira")) == len(log_of(party.ann, party, "ann"))
    store = PostgresStore(database)
    try:
        store.check()
        verdicts = [one.verdict for one in verified(store.read(party.id))]
    finally:
        store.close()
    assert ["fair", "fair"] == verdicts
