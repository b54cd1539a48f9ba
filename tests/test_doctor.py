"""`storypool doctor`: its findings about a machine and a server's proxy, without secrets."""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import psycopg
import pytest

from storypool.cli import main
from storypool.cli.examination import machine, proxy
from storypool.log.disk import database
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.shared.postgres import PostgresStore
from storypool.web.access import mint
from tests.browsers import House, serving
from tools.cluster import Cluster

pytestmark = pytest.mark.slow


@pytest.fixture
def examined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, str]]:
    """A function that runs the command at a free port: the state of each finding by id."""

    def run(*words: str | Path) -> dict[str, str]:
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        given = ["--data", str(tmp_path / "data"), "--host", "127.0.0.1", "--port", str(port)]
        code = main(["doctor", "--json", *given, *map(str, words)])
        found = json.loads(capsys.readouterr().out)
        states = {one["id"].removeprefix("doctor."): one["state"] for one in found["findings"]}
        assert [*states.values()].count("wrong") == found["wrong"]
        assert code == (1 if found["wrong"] else 0)
        return states

    return run


def test_healthy_machine(
    examined: Callable[..., dict[str, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Versions, extras, folder, disk, tables, port and clock are fine, and it exits with 0."""
    found = examined()
    assert {"version", "package", "extra", "folder.none", "disk", "port", "clock"} <= found.keys()
    assert "wrong" not in found.values()
    assert not (tmp_path / "data").exists()
    SqliteStore(tmp_path / "data").close()
    found = examined()
    assert {"folder", "form"} <= found.keys()
    assert "folder.open" not in found
    assert 0 == main(
        ["doctor", "--data", str(tmp_path / "data"), "--port", "0" if os.name == "nt" else "65001"]
    )
    *lines, last = capsys.readouterr().out.splitlines()
    assert "Nothing here keeps Storypool from working." == last
    assert all(re.match(r"[+-] [A-Z].*\.$", line) for line in lines)


def test_folder_faults(examined: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    """It cannot be made, is open to others, or has tables of another version or none."""
    (tmp_path / "file").touch()
    assert "wrong" == examined("--data", tmp_path / "file" / "data")["folder.unwritable"]
    folder = tmp_path / "data"
    SqliteStore(folder).close()
    folder.chmod(0o755)
    assert "note" == examined()["folder.open"]
    for form, state in ((len(database.MIGRATIONS) + 1, "form.newer"), (1, "form.older")):
        with closing(apsw.Connection(str(folder / database.NAME))) as db:
            db.pragma("user_version", form)
        assert state in examined()
    (folder / database.NAME).write_bytes(b"no database at all" * 100)
    assert "wrong" == examined()["form.unread"]


def test_machine_faults(
    examined: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, a clock set back, few open files, missing packages and authorities."""
    SqliteStore(tmp_path / "data").close()
    later = (datetime.now(UTC) + timedelta(days=1)).timestamp()
    os.utime(tmp_path / "data" / database.NAME, (later, later))
    monkeypatch.setattr(machine, "LOW_DISK", 1 << 80)
    monkeypatch.setattr(machine, "raise_descriptor_limit", lambda: 256)
    monkeypatch.setattr(
        machine, "requires", lambda _: ["click>=8", "nowhere>=1", 'elsewhere>=1; extra == "more"']
    )
    monkeypatch.setattr(
        "ssl.create_default_context", lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    )
    nowhere = ssl.get_default_verify_paths()._replace(capath=str(tmp_path))
    monkeypatch.setattr("ssl.get_default_verify_paths", lambda: nowhere)
    found = examined()
    wrong = {"disk.low", "clock.behind", "package.missing"}
    assert wrong == {id for id, state in found.items() if state == "wrong"}
    assert {"files.few", "extra.missing", "authorities.none"} == {
        id for id, state in found.items() if state == "note"
    }


def test_port_owner_is_recognised(examined: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    """It is Storypool, another program, or an address of another machine."""
    with serving(tmp_path) as house:
        assert "well" == examined("--port", str(house.port))["port.served"]
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        closing_at_once(taken)
        assert "wrong" == examined("--port", str(taken.getsockname()[1]))["port.taken"]
    assert "wrong" == examined("--host", "192.0.2.1")["port.denied"]


def closing_at_once(listener: socket.socket) -> None:
    """Accept one connection, and close it."""
    threading.Thread(target=lambda: listener.accept()[0].close(), daemon=True).start()


def test_database_version_is_checked(
    database: str, examined: Callable[..., dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A database answers or does not, and its name is not printed."""
    assert "well" == examined("--data", database)["postgres"]
    away = "postgresql://wilhelmina:secret@127.0.0.1:1/none"
    assert 1 == main(["doctor", "--data", away])
    printed = capsys.readouterr().out
    assert "The database does not answer" in printed
    assert not re.search("wilhelmina|secret", printed)


def test_unwritable_database_is_found(
    postgres: Cluster, examined: Callable[..., dict[str, str]]
) -> None:
    """A read-only role, a missing right for the schema, a standby; the check leaves nothing."""
    url = postgres.new_database()
    name = url.partition("@/")[2].partition("?")[0]

    def as_reader(url: str) -> str:
        return url.replace("storypool@", "reader@")

    postgres.ask(f"CREATE ROLE reader LOGIN; REVOKE CREATE ON DATABASE {name} FROM PUBLIC")
    assert "well" == examined("--data", url)["postgres.written"]
    assert "wrong" == examined("--data", as_reader(url))["postgres.rights"]
    with closing(psycopg.connect(url, autocommit=True)) as db:
        assert [] == db.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'storypool'").fetchall()
        PostgresStore(url).close()
        facts = "SELECT xmin, * FROM storypool.facts ORDER BY name"
        before = db.execute(facts).fetchall()
        assert "well" == examined("--data", url)["postgres.written"]
        db.execute("GRANT USAGE ON SCHEMA storypool TO reader")
        db.execute("GRANT SELECT ON ALL TABLES IN SCHEMA storypool TO reader")
        assert "wrong" == examined("--data", as_reader(url))["postgres.rights"]
        db.execute("GRANT UPDATE ON storypool.facts TO reader")
        assert "wrong" == examined("--data", as_reader(url))["postgres.rights"]
        assert before == db.execute(facts).fetchall()
        db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    assert "wrong" == examined("--data", url)["postgres.read_only"]


def test_websocket_probe_works_on_a_database(
    database: str,
    examined: Callable[..., dict[str, str]],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A server on PostgreSQL answers like one on a folder, and neither logs an error."""
    with closing(PostgresStore(database)) as store, serving(tmp_path, store) as house:
        assert "well" == examined(house.here)["upgrade"]
        assert 401 == house.client.get("/api/tables/none").status_code
    with serving(tmp_path) as house:
        assert "well" == examined(house.here)["upgrade"]
    assert [] == [one for one in caplog.messages if "handshake" in one]


class Proxy(socketserver.ThreadingTCPServer):
    """A proxy in front of a server, which changes requests and may cut a line."""

    daemon_threads = True
    changes: tuple[tuple[bytes, bytes], ...] = ()
    cuts = False

    def __init__(self) -> None:
        self.port = 0
        super().__init__(("127.0.0.1", 0), Line)

    def handle_error(self, *_: object) -> None:
        """Ignore the end of a connection."""


class Line(socketserver.BaseRequestHandler):
    """One connection through the proxy."""

    server: Proxy

    def handle(self) -> None:
        """Send the changed head of each request, and all else unchanged."""
        with socket.create_connection(("127.0.0.1", self.server.port)) as behind:
            threading.Thread(target=self.back, args=(behind,), daemon=True).start()
            while data := self.request.recv(65536):
                for pattern, new in self.server.changes:
                    data = re.sub(pattern, new, data)
                behind.sendall(data)

    def back(self, behind: socket.socket) -> None:
        """Forward the server's answer, and on request cut the line after an upgrade."""
        with suppress(OSError):
            while data := behind.recv(65536):
                self.request.sendall(data)
                if self.server.cuts and b" 101 " in data:
                    break
            self.request.shutdown(socket.SHUT_RDWR)


@contextmanager
def fronted(folder: Path, public: bool = True) -> Iterator[tuple[House, Proxy, str]]:
    """A server behind a proxy of this machine, and the public address of the proxy."""
    with Proxy() as front:
        address = f"http://127.0.0.1:{front.server_address[1]}"
        threading.Thread(target=front.serve_forever, daemon=True).start()
        with serving(folder, public_url=address if public else "") as house:
            front.port = house.port
            yield house, front, address
        front.shutdown()


FRONT = {"front", "clock.same", "host", "upgrade"}


def test_proxy_faults_are_found(examined: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    """It forwards all, changes the Host, refuses upgrades, or has another name."""
    with fronted(tmp_path) as (_, front, address):
        found = examined(address)
        assert FRONT <= found.keys()
        assert "wrong" not in found.values()
        assert "note" == found["quiet.untried"]
        front.changes = ((rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: localhost"),)
        found = examined(address)
        assert "wrong" == found["host.changed"]
        assert "well" == found["upgrade"]
        front.changes = ((rb"(?i)\r\n(upgrade|connection): [^\r]*", b""),)
        found = examined(address)
        assert "wrong" == found["upgrade.lost"]
        assert "well" == found["host"]
        front.changes = ((rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: backend.internal"),)
        assert "wrong" == examined(address)["front.name"]


@pytest.mark.slow
def test_quiet_page_connection_is_checked(
    examined: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    """A seat's feed is opened by its link and stays or is cut; the session ends again."""
    with fronted(tmp_path, public=False) as (house, front, address):
        party = house.table()
        seat = next(
            one["id"]
            for one in party.ann.get(party.path)["table"]["seats"].values()
            if one["name"] == "Ann"
        )
        link = f"{address}/join#link={mint(house.store, 'device', table=party.id, seat=seat)}"
        before = len(house.store.grants(table=party.id))
        assert "well" == examined(link, "--idle", "1")["quiet"]
        front.cuts = True
        assert "wrong" == examined(link, "--idle", "3600")["quiet.cut"]
        assert before == sum(not one.revoked for one in house.store.grants(table=party.id))
        assert "note" == examined(f"{address}/join#link=nothing")["quiet.link"]


def test_foreign_address_is_recognised(
    examined: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    """There is nothing, another server, or an invalid address."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        nothing = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert "wrong" == examined(nothing)["front.away"]
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        assert "wrong" == examined(f"http://127.0.0.1:{other.server_address[1]}")["front.other"]
        other.shutdown()
    assert 2 == main(["doctor", "table.example.org"])


class Other(socketserver.BaseRequestHandler):
    """A server that is not Storypool."""

    def handle(self) -> None:
        """Answer that nothing is found."""
        self.request.recv(65536)
        self.request.sendall(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )


def test_report_reveals_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No path, user or machine name, and no secret of a link or folder is printed."""
    home = tmp_path / "wilhelmina"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(getpass, "getuser", lambda: "wilhelmina")
    monkeypatch.setattr(proxy, "TIMEOUT_S", 5.0)
    with fronted(tmp_path, public=False) as (house, _, address):
        party = house.table()
        secret = mint(house.store, "player", table=party.id)
        SqliteStore(home / "data").close()
        (home / "data" / "host.token").write_text("wilhelmina-token", encoding="utf-8")
        for form in ([], ["--json"]):
            words = [
                address.replace("//", "//wilhelmina@"),
                "--data",
                str(home / "data"),
                "--port",
                str(house.port),
            ]
            assert 0 == main(["doctor", *form, *words])
            assert 0 == main(
                ["doctor", *form, f"{address}/join#link={secret}", *words[1:], "--idle", "1"]
            )
    printed = capsys.readouterr().out
    assert address in printed
    names = [secret, str(tmp_path), "wilhelmina", party.id, socket.gethostname()]
    assert [] == [one for one in names if one in printed]
