"""Connections are limited and silent ones closed, so nobody blocks others."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from storypool.web.network.connection_limit import (
    CONNECTION_PRICE,
    SPARE_DESCRIPTORS,
    ConnectionLimit,
    raise_descriptor_limit,
)
from storypool.web.network.limits import Pace, network_of, plain
from storypool.web.server_log import RepeatFilter
from storypool.web.server_settings import Limits, Rate
from tests.browsers import WAIT, House, error_of, serving

pytestmark = pytest.mark.slow

STRANGER = "127.0.0.2"
ROOM = 20
QUICK = Limits(connections=ROOM, silent=0.5, idle=2, slow_body=0.5)
HALF_BODY = (
    b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer x\r\nContent-Type:"
    b" application/json\r\nContent-Length: 100\r\n\r\n{"
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server with room for 20 connections from an address, and short timeouts."""
    with serving(tmp_path, limits=QUICK) as house:
        yield house


def knock(house: House, address: str = STRANGER) -> socket.socket:
    """A connection from another address of this machine."""
    return socket.create_connection(
        ("127.0.0.1", house.port), timeout=WAIT, source_address=(address, 0)
    )


def ended(wire: socket.socket) -> bool:
    """Whether the server ended a connection without a word."""
    try:
        return wire.recv(1000) == b""
    except ConnectionResetError:
        return True


def dribble(wire: socket.socket, request: bytes) -> None:
    """Send a request a letter at a time."""
    for letter in request:
        wire.sendall(bytes([letter]))
        time.sleep(0.1)


def get(path: str = "/api") -> bytes:
    """A complete request."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def test_network_of_ipv6_counts_as_one_client() -> None:
    """A client has all addresses of its network; those of IPv4 and of this machine are one each."""
    assert network_of("2001:db8:0:1::5") == network_of("2001:db8:0:1:ffff::") == "2001:db8:0:1::/64"
    assert network_of("2001:db8:0:2::5") != network_of("2001:db8:0:1::5")
    assert network_of("fe80::1%eth0") == "fe80::/64"
    for address in ("192.0.2.1", "127.0.0.1", "::1", "", "a:b"):
        assert address == network_of(address)
    assert ("192.0.2.1", "192.0.2.1", "::1") == tuple(
        map(plain, ("::ffff:192.0.2.1", "192.0.2.1", "::1"))
    )


def test_stranger_with_connections_blocks_nobody(house: House) -> None:
    """Of 100 silent connections from an address those above the limit end at once."""
    with ExitStack() as held:
        wires = [held.enter_context(knock(house)) for _ in range(100)]
        assert all(ended(wire) for wire in wires[ROOM:])
        assert 200 == house.client.get("/api").status_code
        assert all(ended(wire) for wire in wires)
    with knock(house) as wire:
        wire.sendall(get())
        assert wire.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", [b"", b"GET /api HTTP/1.1\r\nHost:", get() + b"GET /api HTTP/1.1\r\nHo"]
)
def test_incomplete_request_is_closed(house: House, start: bytes) -> None:
    """A silent start, a partial head, or a partial later request ends the connection."""
    with knock(house) as wire:
        wire.sendall(start)
        while not ended(wire):
            pass


@pytest.mark.slow
def test_later_request_has_a_timeout_too(house: House) -> None:
    """A slow head after an answer does not keep its connection for ever."""
    with knock(house) as wire:
        wire.sendall(get())
        assert wire.recv(10_000).startswith(b"HTTP/1.1 200")
        with pytest.raises(ConnectionError):
            dribble(wire, get(f"/{'x' * 10_000}"))


@pytest.mark.slow
def test_long_work_is_not_silence(tmp_path: Path) -> None:
    """A slowly answered request and an idle feed keep their connections."""
    with serving(tmp_path, limits=Limits(silent=0.2, idle=1, slow_body=2)) as house:
        party = house.table()
        with party.ann.live(party.id) as feed, knock(house) as wire:
            wire.sendall(HALF_BODY)
            assert wire.recv(10_000).startswith(b"HTTP/1.1 408")
            feed.send(type="follow", table=party.id)
            assert feed.hear("record")


def test_connection_is_kept_between_requests(house: House) -> None:
    """A client that paused is not cut off."""
    asking = HTTPConnection("127.0.0.1", house.port, timeout=WAIT, source_address=(STRANGER, 0))
    asking.connect()
    kept = asking.sock
    for _ in range(3):
        asking.request("GET", "/api")
        assert asking.getresponse().read()
        assert kept is asking.sock
    asking.close()


def test_missing_body_is_not_awaited(house: House) -> None:
    """A request with half a body gets a remedy."""
    with knock(house) as wire:
        wire.sendall(HALF_BODY)
        received = b""
        while b"}" not in received:
            received += wire.recv(10_000)
    assert received.startswith(b"HTTP/1.1 408")
    assert b"did not arrive whole" in received


def test_departure_makes_room(house: House) -> None:
    """Closed connections and feeds are not counted, so a long evening fills nothing."""
    limit = house.app.state.server.connections
    party = house.table()
    for _ in range(3):
        with party.ann.live(party.id):
            assert 1 <= limit.count
    for _ in range(2 * ROOM):
        with knock(house) as wire:
            wire.sendall(get().replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            while wire.recv(100_000):
                pass
    house.client.close()
    with knock(house) as last:
        last.sendall(get())
        assert last.recv(1000).startswith(b"HTTP/1.1 200")
        assert {STRANGER: 1} == {
            address: n for address, n in limit.by_address.items() if address == STRANGER
        }


def test_connections_are_fewer_than_descriptors() -> None:
    """Files and the database keep theirs, whatever the number of clients."""
    limit = ConnectionLimit(
        Limits(connections=5), Pace(Rate(1, 1), time.monotonic), descriptors=1024
    )
    assert 1024 - SPARE_DESCRIPTORS == limit.most
    assert [True] * 5 + [False] == [limit.enter("10.0.0.1") for _ in range(6)]
    assert all(limit.enter("127.0.0.1") for _ in range(limit.most - 6))
    assert not limit.enter("10.0.0.2")
    limit.leave("10.0.0.1")
    limit.leave("10.0.0.2")
    assert limit.enter("10.0.0.3")
    assert raise_descriptor_limit() >= 256


def test_origin_needs_a_valid_name(tmp_path: Path) -> None:
    """An empty `Origin`, or one with a user, is not this server's."""
    with serving(tmp_path) as house:
        for origin in (
            "",
            "http://",
            f"http://ann@127.0.0.1:{house.port}",
            f"http://127.0.0.1:{house.port}/x",
        ):
            answer = house.client.post("/api/join", json={}, headers={"Origin": origin})
            assert "origin" == error_of(answer, 403)["code"], origin
        own = {"Origin": house.here}
        assert 403 != house.client.post("/api/join", json={}, headers=own).status_code


def answers(wire: socket.socket) -> int:
    """The number of answers on a connection before a silence."""
    wire.settimeout(0.5)
    received = b""
    with suppress(TimeoutError):
        while part := wire.recv(100_000):
            received += part
    return received.count(b"HTTP/1.1 200")


@pytest.mark.slow
def test_each_connection_has_its_own_pace(tmp_path: Path) -> None:
    """Expensive requests delay only their own connection, at no cost while it waits."""
    limits = Limits(pace=Rate(CONNECTION_PRICE + 1, 1e-4))
    with serving(tmp_path, limits=limits) as house:
        with knock(house) as wire:
            wire.sendall(get())
            assert 1 == answers(wire)
            wire.sendall(get())
            assert 0 == answers(wire)
            assert 200 == house.client.get("/api").status_code
        with knock(house, "127.0.0.3") as both:
            both.sendall(get() + get())
            assert 1 == answers(both)
        while STRANGER in house.app.state.server.connections.by_address:
            time.sleep(0.01)


@pytest.mark.slow
def test_costly_request_delays_the_next(tmp_path: Path) -> None:
    """The price of a request is counted on arrival."""
    limits = Limits(pace=Rate(CONNECTION_PRICE + 8, 1e-4))
    with serving(tmp_path, limits=limits) as house:
        party = house.table()
        token = party.token("player", "Cy")
        for path, n in ((party.path, 2), (f"{party.path}/offers", 1)):
            with knock(house, f"127.0.0.{10 + n}") as wire:
                asked = get(path).replace(
                    b"\r\n\r\n", f"\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
                )
                wire.sendall(asked + asked)
                assert n == answers(wire)


def test_affordable_pace_is_not_delayed() -> None:
    """A burst and a rate are free of delay, and so is a local proxy."""
    now = [0.0]
    pace = Pace(Rate(8, 4), lambda: now[0])
    assert [0.0] * 8 == [pace.wait("10.0.0.1") for _ in range(8)]
    assert 0.25 == pace.wait("10.0.0.1")
    assert 1.25 == pace.wait("10.0.0.1", 4)
    assert 0.0 == pace.wait("10.0.0.2", 8)
    assert 0.0 == pace.wait("127.0.0.1", 1000)
    now[0] = 10.0
    assert 0.0 == pace.wait("10.0.0.1", 8)


def test_invalid_requests_fill_no_log(house: House) -> None:
    """Cut bodies log nothing, and invalid requests only an occasional line."""
    half = b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90\r\n\r\n{"
    lines = list[str]()
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "storypool.web", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        for n in range(30):
            with knock(house, f"127.0.1.{n}") as wire:
                wire.sendall(half if n % 2 else b"x\r\n\r\n")
                if not n % 2:
                    assert wire.recv(1000).startswith(b"HTTP/1.1 400")
        assert 200 == house.client.get("/api").status_code
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
    assert 1 >= len(lines), lines


def test_closed_feed_fills_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A lost connection is logged only once."""
    for _ in range(20):
        logging.getLogger("asyncio").warning("socket.send() raised exception.")
    assert 1 >= len(caplog.records)


def test_repeated_warning_is_logged_rarely() -> None:
    """It counts the suppressed ones, and errors are always logged."""
    now = [0.0]
    repeats = RepeatFilter(lambda: now[0])

    def logged(level: int, text: str) -> str | None:
        record = logging.LogRecord("x", level, "", 0, msg=text, args=(), exc_info=None)
        return record.getMessage() if repeats.filter(record) else None

    assert "Odd." == logged(logging.WARNING, "Odd.")
    assert [None] * 3 == [logged(logging.WARNING, "Odd.") for _ in range(3)]
    assert "Other." == logged(logging.WARNING, "Other.")
    assert ["Bad."] * 2 == [logged(logging.ERROR, "Bad.") for _ in range(2)]
    now[0] = 61.0
    assert "Odd. (3 more since the last of these)" == logged(logging.WARNING, "Odd.")
    now[0] = 130.0
    assert "Odd." == logged(logging.WARNING, "Odd.")
