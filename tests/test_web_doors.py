"""Nobody stops the others by holding connections: they are bounded, and silent ones are let go."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

import pytest

from storypool.web.doors import SPARE, Doors, raised_descriptors
from storypool.web.server_settings import Limits
from tests.browsers import WAIT, House, error_of, serving

STRANGER = "127.0.0.2"
ROOM = 20
QUICK = Limits(connections=ROOM, silent=0.5, slow_body=0.5)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server with room for 20 connections from one address, and little patience."""
    with serving(tmp_path, limits=QUICK) as house:
        yield house


def knock(house: House, address: str = STRANGER) -> socket.socket:
    """A connection from another address of this machine."""
    return socket.create_connection(("127.0.0.1", house.port), timeout=WAIT, source_address=(address, 0))


def ended(wire: socket.socket) -> bool:
    """Wait until the server ends a connection; whether it did so without a word."""
    try:
        return wire.recv(1000) == b""
    except ConnectionResetError:
        return True


def get(path: str = "/api") -> bytes:
    """A request that is whole."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def test_a_stranger_who_holds_connections_keeps_nobody_out(house: House) -> None:
    """Of 100 silent connections from one address those above the bound end at once, and others still get in."""
    with ExitStack() as held:
        wires = [held.enter_context(knock(house)) for _ in range(100)]
        assert all(ended(wire) for wire in wires[ROOM:])
        assert 200 == house.client.get("/api").status_code
        assert all(ended(wire) for wire in wires)
    with knock(house) as wire:
        wire.sendall(get())
        assert wire.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("begun", [b"", b"GET /api HTTP/1.1\r\nHost:", get() + b"GET /api HTTP/1.1\r\nHo"])
def test_a_connection_without_a_whole_request_is_let_go(house: House, begun: bytes) -> None:
    """Silent from the start, in the middle of the head, or in the middle of a later one: it ends."""
    with knock(house) as wire:
        wire.sendall(begun)
        while not ended(wire):
            pass


def test_a_connection_is_kept_between_requests(house: House) -> None:
    """Whoever asks is not let go for having waited before."""
    asking = HTTPConnection("127.0.0.1", house.port, timeout=WAIT, source_address=(STRANGER, 0))
    asking.connect()
    kept = asking.sock
    for _ in range(3):
        asking.request("GET", "/api")
        assert asking.getresponse().read()
        assert kept is asking.sock
    asking.close()


def test_a_body_that_does_not_arrive_is_not_waited_for(house: House) -> None:
    """A request with half a body is answered with what to do."""
    head = (
        b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\n"
    )
    with knock(house) as wire:
        wire.sendall(head + b"Content-Length: 100\r\n\r\n{")
        told = wire.recv(10_000)
    assert told.startswith(b"HTTP/1.1 408")
    assert b"did not arrive whole" in told


def test_who_leaves_makes_room(house: House) -> None:
    """Connections and live feeds are counted out again, so a long evening fills nothing."""
    doors = house.app.state.server.doors
    party = house.table()
    for _ in range(3):
        with party.ann.live(party.id):
            assert 1 <= doors._in
    for _ in range(2 * ROOM):
        with knock(house) as wire:
            wire.sendall(get().replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            while wire.recv(100_000):
                pass
    house.client.close()
    with knock(house) as last:
        last.sendall(get())
        assert last.recv(1000).startswith(b"HTTP/1.1 200")
        assert {STRANGER: 1} == {address: n for address, n in doors._from.items() if address == STRANGER}


def test_there_are_fewer_connections_than_descriptors() -> None:
    """Files and the database keep theirs, however many people knock."""
    doors = Doors(Limits(connections=5), descriptors=1024)
    assert 1024 - SPARE == doors.most
    assert [True] * 5 + [False] == [doors.enter("10.0.0.1") for _ in range(6)]
    assert all(doors.enter("127.0.0.1") for _ in range(doors.most - 6))
    assert not doors.enter("10.0.0.2")
    doors.leave("10.0.0.1")
    doors.leave("10.0.0.2")
    assert doors.enter("10.0.0.3")
    assert raised_descriptors() >= 256


def test_an_origin_without_a_name_is_none(tmp_path: Path) -> None:
    """An empty `Origin`, or one with a user in it, is not this server's."""
    with serving(tmp_path) as house:
        for origin in ("", "http://", f"http://ann@127.0.0.1:{house.port}", f"http://127.0.0.1:{house.port}/x"):
            answer = house.client.post("/api/join", json={}, headers={"Origin": origin})
            assert "origin" == error_of(answer, 403)["code"], origin
        own = {"Origin": house.here}
        assert 403 != house.client.post("/api/join", json={}, headers=own).status_code
