"""The docs for hosts: commands run, systemd accepts the units, and all names exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from configparser import RawConfigParser
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPSConnection
from pathlib import Path

import click
import pytest

from storypool.cli import main
from storypool.cli.group import storypool
from storypool.log.disk.sqlite import SqliteStore
from storypool.web.app import ENDPOINTS
from storypool.web.network.metrics import Metrics
from tests.browsers import WAIT
from tests.test_doctor import Proxy
from tests.test_web_replacing import is_free

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "hosting.md").read_text(encoding="utf-8")
UNIT = DOCS / "hosting" / "storypool.service"
SOCKET = UNIT.with_suffix(".socket")
ROOT = DOCS.parent
BLOCKS = [
    block.splitlines()
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
]
CHECK, *CLUB = BLOCKS[1:7]
CREDENTIALS, ALONE = BLOCKS[7:9]
NOT_RUN = {
    "useradd": "it changes the users of this machine; here everything belongs to one",
    "journalctl": "systemd has no log of what the test starts",
    "cd /opt/storypool && python3 dev.py run --help": (
        "it installs packages; tests/test_dev.py tries that"
    ),
    "storypool serve --public-url": "it is what the club does, without a unit",
    "docker": "there is no engine here; tests/test_container.py runs each step of the image",
    "createuser": "tests/test_hosting_postgres.py runs it, with the three below",
    "export": "see createuser",
    "storypool move-data": "see createuser",
    "storypool serve --processes": "see createuser",
}
"""Commands of the page that no test here runs, by their beginning, with the reason."""
HANDED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "PYTHONUNBUFFERED": "1"}
os.execv(sys.argv[2], sys.argv[2:])
"""
"""A program that hands a socket to another, like systemd."""


def is_run(command: str) -> bool:
    """Whether a command runs here and is not only listed."""
    return not any(command.startswith(start) for start in NOT_RUN)


class Systemd:
    """A model of systemd with two units in a folder: it holds the socket, starts and signals."""

    def __init__(self, root: Path) -> None:
        self.root, self.units = root, root / "etc/systemd/system"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.process: subprocess.Popen[str] | None = None

    def setting(self, unit: str, section: str, key: str) -> str:
        """A setting of an installed unit."""
        found = RawConfigParser(strict=False)
        text = (self.units / unit).read_text(encoding="utf-8")
        found.read_string(re.sub(r"\\\n\s*", "", text))
        return found[section][key]

    def do(self, words: list[str]) -> None:
        """Obey a `systemctl` command."""
        match words:
            case ["daemon-reload"]:
                assert "127.0.0.1:8230" == self.setting(
                    "storypool.socket", "Socket", "ListenStream"
                )
            case ["enable", "--now", *_] | ["start", *_]:
                self.start()
            case ["reload", "storypool"]:
                assert self.process
                command = self.setting("storypool.service", "Service", "ExecReload")
                command = command.replace("$MAINPID", str(self.process.pid))
                subprocess.run(shlex.split(inside(command, self.root)), check=True)
                self.wait_for("has taken the place")
            case ["stop", *_]:
                assert self.process
                self.process.terminate()
                assert 0 == self.process.wait(WAIT)
                assert self.process.stdout
                self.process.stdout.close()
                self.process = None
            case _:
                raise AssertionError(words)

    def start(self) -> None:
        """Start the service by its unit, under the paths of the folder."""
        command = self.setting("storypool.service", "Service", "ExecStart").replace(
            "%S", "/var/lib"
        )
        for name in self.setting("storypool.service", "Service", "StateDirectory").split():
            (self.root / "var/lib" / name).mkdir(parents=True, exist_ok=True)
        words = [
            sys.executable,
            "-c",
            HANDED,
            str(self.listener.fileno()),
            *shlex.split(inside(command, self.root)),
        ]
        ours, theirs = os.pipe()
        journal, there = os.fdopen(ours, encoding="utf-8"), os.fstat(theirs)
        self.process = subprocess.Popen(
            words,
            stdout=theirs,
            stderr=theirs,
            text=True,
            pass_fds=[self.listener.fileno()],
            env={**os.environ, "JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"},
        )
        os.close(theirs)
        self.process.stdout = journal
        self.wait_for("listens on")

    def wait_for(self, word: str) -> None:
        """Wait until the service logs this; its journal has no link of the host."""
        assert self.process
        assert self.process.stdout
        for line in self.process.stdout:
            assert "#host=" not in line
            if word in line:
                return
        raise AssertionError(word)


def inside(command: str, root: Path) -> str:
    """A command with the paths of a folder in place of the root."""
    return re.sub(r"(?<![\w.:/])/(opt|var/lib|etc|usr/local/bin)/", rf"{root}/\1/", command)


@contextmanager
def in_front(root: Path, port: int) -> Iterator[tuple[str, Path]]:
    """A TLS proxy before a port of this machine: its address, and its authority's file."""
    certificate, key = root / "certificate.pem", root / "key.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj"
        " /CN=localhost"
    )
    names = [
        "-addext",
        "subjectAltName=DNS:localhost",
        "-out",
        str(certificate),
        "-keyout",
        str(key),
    ]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    class Secured(Proxy):
        def get_request(self) -> tuple[socket.socket, object]:
            wire, address = super().get_request()
            return context.wrap_socket(wire, server_side=True), address

    with Secured() as front:
        front.port = port
        threading.Thread(target=front.serve_forever, daemon=True).start()
        try:
            yield f"localhost:{front.server_address[1]}", certificate
        finally:
            front.shutdown()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A clean folder as the root of a machine, with this program in it."""
    for name in ("opt", "var/lib", "etc/systemd/system", "usr/local/bin"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def own_program(file: Path) -> None:
    """Install this program at its usual place."""
    file.parent.mkdir(parents=True)
    code = f"#!{sys.executable}\nimport sys\nfrom storypool.cli import main\nsys.exit(main())\n"
    file.write_text(code, encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="systemd is for Linux")
def test_hosting_page_works_step_by_step(root: Path) -> None:
    """TLS, a backup and its restoration, and an unnoticed update work in a clean folder."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of git")
    systemd = Systemd(root)
    port = systemd.listener.getsockname()[1]
    with closing(systemd.listener), in_front(root, port) as (name, authority):
        environ = {
            **os.environ,
            "PATH": f"{root}/usr/local/bin:{os.environ['PATH']}",
            "SSL_CERT_FILE": str(authority),
        }

        def run(command: str) -> None:
            command = command.replace("ADDRESS", ROOT.as_uri()).replace("club.example.net", name)
            command = command.removeprefix("runuser -u storypool -- ")
            if command.startswith("systemctl "):
                systemd.do(command.split()[1:])
                return
            is_doctor = "storypool doctor" in command
            # Whether anything else has the port of the page, and how full this disk is, is not the
            # page's.
            words = inside(f"{command} --json --port {port}; true" if is_doctor else command, root)
            done = subprocess.run(
                words,
                shell=True,
                cwd=root / "opt/storypool",
                env=environ,
                capture_output=True,
                text=True,
            )
            assert 0 == done.returncode, f"{command}\n{done.stdout}{done.stderr}"
            if "host link" in command:
                assert done.stdout.startswith(f"https://{name}/#host=")
            if is_doctor:
                found = {
                    one["id"].removeprefix("doctor."): one["state"]
                    for one in json.loads(done.stdout)["findings"]
                }
                checked = (
                    "front",
                    "certificate",
                    "host",
                    "upgrade",
                    "folder",
                    "form",
                    "port.served",
                )
                assert {"well"} == {found[id] for id in checked}

        try:
            (root / "opt/storypool").mkdir()
            for command in filter(is_run, [line for block in CLUB for line in block]):
                if command == "systemctl reload storypool":
                    assert {200} == meanwhile(name, authority, partial(run, command))
                else:
                    run(command)
                if command.startswith("git clone"):
                    own_program(root / "opt/storypool/.venv/bin/storypool")
        finally:
            if systemd.process:
                systemd.do(["stop"])
    kept = sorted(file.name for file in (root / "var/lib/storypool-backups").iterdir())
    assert ["storypool-", "today.db"] == [re.sub(r"[\d-]+\.db", "-", one) for one in kept]


def meanwhile(name: str, authority: Path, work: Callable[[], object]) -> set[int]:
    """The statuses of a client that repeatedly connects by TLS during some work."""
    statuses, over = set[int](), threading.Event()
    context = ssl.create_default_context(cafile=authority)

    def come() -> None:
        while not over.wait(0.02):
            with closing(HTTPSConnection(name, context=context, timeout=WAIT)) as http:
                http.request("GET", "/api/health")
                statuses.add(http.getresponse().status)

    coming = threading.Thread(target=come)
    coming.start()
    try:
        work()
    finally:
        over.set()
        coming.join(WAIT)
    return statuses


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform == "win32", reason="a socket is handed on where processes are forked"
)
def test_hosting_without_systemd(root: Path) -> None:
    """A background process, signalled as the page describes, hands over to another."""
    program, data = root / "usr/local/bin/storypool", root / "data"
    program.parent.rmdir()
    own_program(program)
    environ = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "STORYPOOL_DATA": str(data),
    }
    start, replace = ALONE
    with (root / "log").open("w") as log:
        subprocess.run(
            start,
            shell=True,
            cwd=root,
            env=environ | {"PYTHONUNBUFFERED": "1"},
            stdout=log,
            check=True,
        )
    pid = int((root / "storypool.pid").read_text())

    def until(n: int) -> int:
        while sum(map((root / "log").read_text().count, ("#host=", "has taken the place"))) < n:
            os.kill(pid, 0)
            time.sleep(0.1)
        serving: int = json.loads((data / "storypool.lock").read_text())["pid"]
        return serving

    try:
        before = until(1)
        subprocess.run(replace, shell=True, cwd=root, env=environ, check=True)
        assert before != until(2)
    finally:
        os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + WAIT
        while not is_free(data) and time.monotonic() < end:
            time.sleep(0.1)


def test_credentials_of_the_page_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page's commands about links and tokens work in its order, without a server too."""
    SqliteStore(tmp_path).close()
    monkeypatch.setenv("STORYPOOL_DATA", str(tmp_path))
    for command in [*CHECK, *CREDENTIALS]:
        assert 0 == main(command.split()[1:]), command
    assert "“bot” is revoked." in capsys.readouterr().out
    assert 0 == main(["host", "tokens", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [("laptop", ["all"]), ("prometheus", ["watch"])] == [
        (one["name"], one["rights"]) for one in found
    ]


def test_page_commands_run_or_have_a_reason() -> None:
    """Commands outside the two tests above are listed, and each listed one is on the page."""
    elsewhere = [line for block in [BLOCKS[0], *BLOCKS[9:]] for line in block]
    assert [] == [line for line in elsewhere if is_run(line)]
    lines = [line for block in BLOCKS for line in block]
    assert [] == [start for start in NOT_RUN if not any(line.startswith(start) for line in lines)]


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """With a program in place of ours there is no warning; it restarts after any end."""
    text = UNIT.read_text(encoding="utf-8")
    assert "Restart=always" in text
    # Any of its processes reports; tests/test_web_reload.py has what.
    assert "Type=notify\nNotifyAccess=all\n" in text
    assert "storypool reload $MAINPID\n" in text
    verify = shutil.which("systemd-analyze")
    if verify:
        unit, socket = tmp_path / UNIT.name, tmp_path / SOCKET.name
        program = shutil.which("true") or ""
        unit.write_text(
            text.replace("/opt/storypool/.venv/bin/storypool", program).replace(
                "/opt/storypool", "/tmp"
            )
        )
        shutil.copy(SOCKET, socket)
        ran = subprocess.run(
            [verify, "verify", "--man=no", unit, socket], capture_output=True, text=True
        )
        assert (ran.returncode, ran.stderr) == (0, "")


def test_documented_names_exist() -> None:
    """Options, commands and routes are real, and figures are counted."""
    context, names = click.Context(storypool), ("serve", "table", "doctor", "host", "config")
    commands = [storypool.get_command(context, name) for name in names]
    known = set[str]()
    for command in commands:
        assert command is not None
        for one in command.commands.values() if isinstance(command, click.Group) else (command,):
            known |= {
                option for param in one.params for option in (*param.opts, *param.secondary_opts)
            } | {"--help"}
    unit = UNIT.read_text(encoding="utf-8")
    options = set(re.findall(r"`(--[a-z-]+)", PAGE)) | set(
        re.findall(r" (--[a-z-]+)", unit.partition("ExecStart")[2])
    )
    assert options
    assert options <= known
    routes = {endpoint.path for endpoint in ENDPOINTS}
    assert set(re.findall(r"`GET (/api[^`]*)`", PAGE)) <= routes
    registry = Metrics().registry
    assert registry is not None
    counted = {metric.name for metric in registry.collect()}
    figures = {name.removesuffix("_total") for name in re.findall(r"`(storypool_\w+)", PAGE)}
    assert figures == {name for name in counted if name.startswith("storypool_")}
