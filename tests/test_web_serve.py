"""Starting the server: a free port, an address for phones, the host's link, and a clean end."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
import segno

from storypool import systems
from storypool.cli import main
from storypool.cli.public_url import origin
from storypool.log.disk.database import restore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.places import DatabaseUrl
from storypool.log.store import StoreBusy, StoreError
from storypool.web.access import Access
from storypool.web.server_settings import Settings
from storypool.web.serving import listener
from storypool.web.serving.addresses import code, lan_address, print_addresses
from storypool.web.serving.host_links import TOKEN, StartLink, host_link
from storypool.web.serving.listener import CannotServe, listen, own_listener
from tests.browsers import WAIT, serving
from tests.test_cli_roll import listed


@cache
def at_the_start() -> set[str]:
    """The modules that a server imports before its first page."""
    return listed("-c", "import storypool.cli.commands.serve_command, storypool.web.serving.serve")


@pytest.mark.slow
def test_games_are_imported_on_demand() -> None:
    """The first page imports no game, lab, or rarely needed renderer or driver."""
    modules = at_the_start()
    assert "storypool.web.app" in modules
    games = {systems.package(key) for key in systems.names()}
    left_out = {
        *games,
        "storypool.lab",
        "numpy",
        "psycopg",
        "resvg_py",
        "PIL",
        "storypool.systems.narrative",
    }
    assert set() == {
        name for name in modules if any(f"{name}.".startswith(f"{one}.") for one in left_out)
    }


LATER = (
    "storypool.pictures.drawing",
    "storypool.worth.session",
    "storypool.worth.recap",
    "xml.etree",
)
"""The code of pictures and recaps, which no evening begins with."""


@pytest.mark.slow
def test_pictures_and_recaps_are_imported_on_demand() -> None:
    """The first request imports them; before it the interface has only names of types."""
    modules = at_the_start()
    assert "storypool.web.endpoints.recap_endpoints" in modules
    assert set() == modules & {*LATER}
    assert [] == [name for name in LATER if find_spec(name) is None]


COLLECTING = """
import gc, sys, uvicorn, storypool.cli.commands.serve_command
from storypool.cli import main
begun, collected = [], []
gc.callbacks.append(lambda phase, _: collected.append(phase))
def run(*_, **__):
    begun.append((gc.isenabled(), gc.get_freeze_count() > 0, len(collected)))
uvicorn.Server.run = run
gc.collect()  # what was imported here is no matter of the start
collected.clear()
served = main(["serve", "--local", "--no-browser", "--port", "0", "--data", sys.argv[1]])
sys.exit(served or begun != [(True, True, 0)])
"""


@pytest.mark.slow
def test_starting_server_collects_no_garbage(tmp_path: Path) -> None:
    """Imports and initial objects stay, so a search for garbage would be useless."""
    assert (
        0
        == subprocess.run(
            [sys.executable, "-c", COLLECTING, str(tmp_path)], stdout=subprocess.DEVNULL
        ).returncode
    )


@pytest.mark.slow
def test_game_compiler_is_imported_on_demand() -> None:
    """A first game of a file imports it; before only its mistakes have types."""
    modules = at_the_start()
    assert {"storypool.gamefile"} == {
        name for name in modules if f"{name}.".startswith("storypool.gamefile.")
    }


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The default port, which is taken."""
    with closing(listen("127.0.0.1", 0)) as first:
        monkeypatch.setattr(listener, "PORT", port := first.getsockname()[1])
        yield port


def serve_options(port: int | None) -> list[str]:
    """The options for a port, or none."""
    return ["--local", "--no-browser", *(["--port", str(port)] if port is not None else [])]


def test_default_port_gives_way_to_the_next(
    usual: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If it is taken the next is used with a note; if all are, the refusal names them."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    assert 0 == main(["serve", "--data", str(tmp_path), *serve_options(None)])
    found = re.search(
        rf"Port {usual} is taken, so this is at (\d+)\.", printed := capsys.readouterr().out
    )
    assert found is not None
    assert usual < int(found[1]) <= usual + listener.PORTS_TRIED
    assert f"http://localhost:{found[1]}/#host=" in printed
    monkeypatch.setattr(listener, "PORTS_TRIED", 2)
    with ExitStack() as taken:
        with suppress(CannotServe):  # another program may have it
            taken.enter_context(listen("127.0.0.1", usual + 1))
        with pytest.raises(CannotServe, match=rf"{usual} to {usual + 1} .*--port"):
            own_listener("127.0.0.1", None, True)


@pytest.mark.parametrize("command", ["serve", "serve --replaceable", "demo"])
def test_given_port_is_used_or_refused(
    usual: int, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No other is used, even for the default one, because a proxy may lead to it."""
    public = ["--public-url", "https://table.example.org"]
    for words in (
        serve_options(usual),
        [*serve_options(usual), *public],
        [*serve_options(None), *public],
    ):
        assert 1 == main([*command.split(), "--data", str(tmp_path / "data"), *words])
        answer = capsys.readouterr()
        assert (
            f"Port {usual} is taken by another program. End that one, or choose another"
            in answer.err
        )
        assert "" == answer.out
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root may give its rights away"
)
def test_privileged_port_has_its_reason() -> None:
    """Missing rights for a port are not reported as a taken port."""
    limit = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    if limit.exists() and int(limit.read_text()) <= 81:
        pytest.skip("this system lets everybody use every port")
    code = """
import os, sys
from storypool.web.serving.listener import CannotServe, own_listener
os.setresuid(65534, 65534, 65534)
try:
    own_listener("127.0.0.1", 81, True)
except CannotServe as error:
    print(error)
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (
        "Port 81 cannot be used (Permission denied). Choose one above 1023 with --port"
        in answer.stdout
    )


PUBLIC = {
    "https://table.example.org": "https://table.example.org",
    "HTTPS://Table.Example.org/": "https://table.example.org",
    "https://table.example.org:443": "https://table.example.org",
    "http://table.example.org:80": "http://table.example.org",
    "https://table.example.org:8443/": "https://table.example.org:8443",
    "http://192.168.1.20:8230": "http://192.168.1.20:8230",
    "http://localhost:8230": "http://localhost:8230",
    "http://[::1]:8230": "http://[::1]:8230",
    "https://würfel.example": "https://xn--wrfel-kva.example",
    "https://my_host": "https://my_host",
}
NOT_PUBLIC = {
    "begin with http:// or https://": (
        *("foo", "ftp://x", "table.example.org", "//x", "https:x", "javascript:alert(1)"),
        *("ann:secret@x", "ws://ann:secret@x"),
    ),
    "no name behind its //": ("https://", "https:///", "https://:8230"),
    "neither that of a machine nor an address": (
        *("https://[::1", "https://[x]", "https://x..", "https://größe.org", "https://-x"),
        *("https://x-.org", "https://a,b", "https://*.example.org", "https://1.2.3.4.5"),
        *("https://300.1.1.1", "https://[fe80::1%eth0]"),
    ),
    "port is not a number": ("https://x:0", "https://x:99999", "https://x:port", "https://x:８"),
    "a path behind": ("https://x/path", "https:///x", "https://x\\y"),
    "a ? or a #": ("https://x?", "https://x?a=b", "https://x#", "https://x/#a"),
    "the name of a user or a password": (
        "https://ann@x",
        "https://ann:secret@x",
        "https://ann:secret@x/y?z",
    ),
    "a space or a character": (
        *("https://exa mple", " https://x", "https://x\n", "https://x\t.org", "https://x\x00"),
        *("https://x/ /", " ", "https://ann:secret@x y"),
    ),
}
"""What the sentence about each mistake says, and addresses with it."""


def test_public_address_is_an_origin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each mistake has a sentence and a remedy, without a password, and nothing is served."""
    for text, expected in PUBLIC.items():
        assert expected == origin(text)
        assert expected == Settings(public_url=expected).public_origin
    for mistake, texts in NOT_PUBLIC.items():
        for text in texts:
            words = ["serve", "--data", str(tmp_path / "data"), "--public-url", text]
            assert 2 == main(words), text
            answer = capsys.readouterr().err
            assert answer.startswith("storypool: Others cannot reach this server at “"), text
            assert mistake in answer, text
            assert 2 == answer.replace("x..", "x").count(". ") + answer.count(".\n"), answer
            assert "secret" not in answer
            assert 1 == answer.count("\n")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["a..b", "x" * 70])
def test_impossible_host_is_reported(host: str) -> None:
    """A sentence says that nothing can listen there."""
    with pytest.raises(CannotServe, match=rf"cannot listen on {host}: .*--host"):
        own_listener(host, None, False)


def test_port_of_another_storypool_is_named(tmp_path: Path) -> None:
    """The refusal has the address of the server that runs already."""
    with serving(tmp_path) as house:
        address = f"http://127.0.0.1:{house.port}"
        reason = rf"Port {house.port} is taken by a Storypool.*{address}.*--port"
        with pytest.raises(CannotServe, match=reason):
            own_listener("127.0.0.1", house.port, True)


def test_foreign_address_is_reported() -> None:
    """A sentence says that another machine's address cannot be used."""
    with pytest.raises(CannotServe, match=r"192\.0\.2\.1.*--host"):
        listen("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("host", "local", "public_url", "expected"),
    [
        ("", False, "", "0.0.0.0"),
        ("", False, "http://192.168.1.20:8230", "0.0.0.0"),
        ("", False, "https://table.example.org", "127.0.0.1"),
        ("", True, "", "127.0.0.1"),
        ("127.0.0.2", False, "https://table.example.org", "127.0.0.2"),
        ("127.0.0.2", True, "", "127.0.0.2"),
    ],
)
def test_server_behind_https_listens_here_alone(
    host: str, local: bool, public_url: str, expected: str
) -> None:
    """Nobody goes around its proxy, unless another address is given."""
    with closing(own_listener(host, 0, local, public_url)) as door:
        assert expected == door.getsockname()[0]


needs_ipv6 = pytest.mark.skipif(
    not socket.has_ipv6 or sys.platform == "win32", reason="this machine has no IPv6"
)


@needs_ipv6
@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_address_of_ipv6_is_printed_as_a_url(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has brackets, and the link of the host begins with it."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    options = ["--host", host, "--port", "0", "--no-browser"]
    assert 0 == main(["serve", "--data", str(tmp_path), *options])
    assert re.search(r"^ +http://\[::1\]:\d+/#host=", capsys.readouterr().out, re.MULTILINE)
    assert "http://[fd00::20]:8231" == Settings(8231, hosts=("fd00::20",)).base
    assert "http://localhost:8231" == Settings(8231, hosts=("127.0.0.1",)).base


@needs_ipv6
def test_all_addresses_of_ipv6_include_ipv4(tmp_path: Path) -> None:
    """Clients of both kinds are answered, and counted by the addresses that they have."""
    with serving(tmp_path, host="::") as house:
        assert 200 == house.client.get("/api").status_code
        by_address = house.app.state.server.connections.by_address
        assert {"127.0.0.1"} == set(by_address)
        with httpx.Client(timeout=WAIT, trust_env=False) as client:
            assert 200 == client.get(f"http://[::1]:{house.port}/api").status_code
            assert {"127.0.0.1", "::1"} == set(by_address)


def test_connections_have_no_delay() -> None:
    """The socket is named TCP, which makes the event loop disable the small packet delay."""
    with closing(listen("127.0.0.1", 0)) as door:
        assert socket.IPPROTO_TCP == door.proto


def test_phone_address_is_no_loopback() -> None:
    """The network address is not a loopback address, or is missing."""
    assert not lan_address().startswith("127.")
    assert "localhost" != lan_address()


def test_start_output() -> None:
    """It has the address, each labelled link, and a code of the address without a secret."""
    printed: list[str] = []
    print_addresses(
        Settings(8231, lan="192.168.1.20"), [StartLink("For you:", "/#host=abc")], printed.append
    )
    whole = "\n".join(printed)
    assert "http://192.168.1.20:8231\n" in whole
    assert "http://192.168.1.20:8231/#host=abc" in whole
    assert code("http://192.168.1.20:8231") in whole
    assert "localhost" not in whole
    assert "thrown away" in whole
    assert "Nothing is lost" not in whole
    printed.clear()
    print_addresses(Settings(8231, public_url="https://table.example"), [], printed.append)
    assert code("https://table.example") in "\n".join(printed)
    printed.clear()
    kept = DatabaseUrl("postgresql://ann:secret@db/tables")
    print_addresses(
        Settings(8231, local=True), [StartLink("For you:", "/#host=abc")], printed.append, kept=kept
    )
    whole = "\n".join(printed)
    stored = "The tables are kept in postgresql://db/tables.\nStop it with Ctrl+C. Nothing is lost."
    assert stored in whole
    assert "http://localhost:8231/#host=abc" in whole
    assert "█" not in whole
    printed.clear()
    print_addresses(Settings(8231, local=True), [], printed.append, kept=Path("tables"))
    assert f"The tables are kept in {Path('tables').absolute()}." in printed


def test_printed_qr_code_is_valid() -> None:
    """Its half blocks are the address's code with a margin of two light rows."""
    address = "http://192.168.1.20:8230"
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows: list[list[int]] = []
    for line in code(address).split("\n"):
        pairs = [halves[cell] for cell in line]
        rows += [[top for top, _ in pairs], [bottom for _, bottom in pairs]]
    wanted = [list(map(int, row)) for row in segno.make(address, error="l", micro=False).matrix]
    inner = [row[2 : 2 + len(wanted)] for row in rows[2 : 2 + len(wanted)]]
    assert wanted == inner
    assert {0} == {cell for row in (*rows[:2], *rows[2 + len(wanted) :]) for cell in row}


def test_each_start_has_a_new_host_link(tmp_path: Path) -> None:
    """It has a link and a private token file, and revokes the previous ones."""
    store = MemoryStore()
    assert "GM" in host_link(store, tmp_path).label
    assert "GM" not in host_link(store, tmp_path, "serve.host").label
    first, token = host_link(store, tmp_path), (tmp_path / TOKEN).read_text(encoding="utf-8")
    second = host_link(store, tmp_path)
    now = (tmp_path / TOKEN).read_text(encoding="utf-8")
    assert 0o600 == stat.S_IMODE((tmp_path / TOKEN).stat().st_mode)

    async def held() -> list[bool]:
        access = Access(store, lambda: 0)
        links = [await access.link(place.path.removeprefix("/#host=")) for place in (first, second)]
        sessions = [await access.session(one) for one in (token, now)]
        return [one is not None for one in (*links, *sessions)]

    assert [False, True, False, True] == asyncio.run(held())
    with pytest.raises(StoreError, match="nowhere"):
        host_link(store, tmp_path / "nowhere")


@pytest.mark.slow
def test_server_from_start_to_end(tmp_path: Path) -> None:
    """It prints its address, serves files, warns a second server, and ends cleanly.

    It backs up at once, since this night has no backup yet.
    """
    program = "import sys\nfrom storypool.cli import main\nsys.exit(main(sys.argv[1:]))\n"
    options = ["serve", "--data", str(tmp_path), "--local", "--port", "0", "--no-browser"]
    options += ["--backup-to", str(tmp_path / "kept"), "--backup-days", "2"]
    server = subprocess.Popen(
        [sys.executable, "-u", "-c", program, *options], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        lines = _until(server, "Ctrl+C")
        address = next(line.split()[-1] for line in lines if "http://localhost:" in line)
        with httpx.Client(base_url=address, timeout=WAIT, trust_env=False) as client:
            assert "<!doctype html>" in client.get("/").text.lower()
            assert "starwars" in [game["key"] for game in client.get("/api/systems").json()]
            token = (tmp_path / TOKEN).read_text(encoding="utf-8")
            host = client.get("/api/session", headers={"Authorization": f"Bearer {token}"}).json()
            assert host["host"] is True
            with pytest.raises(StoreBusy) as busy:
                SqliteStore(tmp_path)
            assert busy.value.address == address.replace("localhost", "127.0.0.1")
        while not (kept := list(tmp_path.glob("kept/storypool-????-??-??.db"))):
            time.sleep(0.05)
        server.send_signal(signal.SIGINT)
        assert server.wait(WAIT) in (0, 1, -signal.SIGINT, 130)
        restore(kept[0], tmp_path / "restored")
    finally:
        server.kill()
        server.wait(WAIT)
        server.stdout.close()
    assert not (tmp_path / TOKEN).exists()
    SqliteStore(tmp_path).close()


def _until(server: subprocess.Popen[str], word: str) -> list[str]:
    """A server's output up to the line with this word."""
    assert server.stdout is not None
    lines = []
    for line in iter(server.stdout.readline, ""):
        lines.append(line)
        if word in line:
            break
    return lines
