"""A reload: by SIGHUP or `storypool reload`, with an answer; and what systemd is sent."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Thread

import apsw
import pytest

from storypool.cli import main
from storypool.log.disk.database import NAME, connect
from storypool.web.serving import systemd
from storypool.web.serving.lifetime import ANSWERS, Terminal
from tests.browsers import WAIT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="a server answers on a socket that other systems do not have"
)
MAIN = """
import os, sys
os.environ["SYSTEMD_EXEC_PID"] = str(os.getpid())
os.execv(sys.executable, [sys.executable, "-m", "storypool.cli", *sys.argv[1:]])
"""
"""A program that starts another one as its main process, like systemd."""


class Service:
    """A server that systemd has started, with the messages that it sends."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data, self.inbox = data, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = f"@storypool-test-{os.getpid()}-{time.monotonic_ns()}"
        self.inbox.bind(systemd.socket_name(name))
        self.received = Queue[str]()
        Thread(target=self._receive, daemon=True).start()
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-c", MAIN, "serve", "--data", str(data), "--local"),
                *("--port", "0", "--no-browser", *options),
            ],
            env={**os.environ, "NOTIFY_SOCKET": name, "WATCHDOG_USEC": "4000000"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _receive(self) -> None:
        """Take each message at once, as systemd does."""
        with suppress(OSError):
            while message := self.inbox.recv(4096):
                self.received.put(message.decode())

    def messages(self, last: str) -> list[str]:
        """The messages up to one that begins so."""
        found = [self.received.get(timeout=WAIT)]
        while not found[-1].startswith(last):
            found.append(self.received.get(timeout=WAIT))
        return found

    def until(self, pattern: str) -> re.Match[str]:
        """The next line of the log with this text."""
        assert self.process.stderr
        for line in self.process.stderr:
            if found := re.search(pattern, line):
                return found
        raise AssertionError(pattern)


@contextmanager
def service(data: Path, *options: str) -> Iterator[Service]:
    """A server that systemd has started, and that serves."""
    one = Service(data, *options)
    try:
        one.messages(systemd.READY)
        yield one
    finally:
        one.process.kill()
        one.process.communicate()
        one.inbox.shutdown(socket.SHUT_RDWR)
        one.inbox.close()


def reload(one: Service, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and the answer of a reload."""
    code = main(["reload", str(one.process.pid)])
    answer = capsys.readouterr()
    return code, answer.out + answer.err


@pytest.mark.slow
def test_reload_is_answered_once_the_new_version_serves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """systemd is sent when it begins, when the new process serves, and when the service ends."""
    with service(tmp_path, "--replaceable") as one:
        before = one.until(r"process (\d+)\.$")[1]
        code, answer = reload(one, capsys)
        found = re.fullmatch(r"Process (\d+) serves now\.\n", answer)
        assert (0, True) == (code, found is not None)
        assert found
        one.until(rf"process {found[1]}, in place of process {before}\.$")
        [began, *_, ended] = [
            message for message in one.messages(systemd.READY) if message != systemd.WATCHDOG
        ]
        first, second = began.split("\n")
        assert ("RELOADING=1", True) == (first, ended.startswith("READY=1\n"))
        since = time.monotonic_ns() // 1000 - int(second.removeprefix("MONOTONIC_USEC="))
        assert 0 < since < WAIT * 1_000_000
        assert systemd.WATCHDOG in one.messages(systemd.WATCHDOG)
        one.process.terminate()
        assert systemd.STOPPING in one.messages(systemd.STOPPING)
        assert 0 == one.process.wait(WAIT)


@pytest.mark.slow
def test_failed_reload_has_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A version that cannot serve ends the reload with 1, and the old one goes on."""
    with service(tmp_path, "--replaceable") as one:
        before = one.until(r"process (\d+)\.$")[1]
        with closing(connect(tmp_path / NAME, apsw.SQLITE_OPEN_READWRITE)) as db:
            db.pragma("user_version", 99)
        code, answer = reload(one, capsys)
        assert 1 == code
        assert f"ended early (exit code 1), so the old one goes on: process {before}." in answer
        assert "goes on" in one.messages(systemd.READY)[-1]
        os.kill(int(before), 0)


@pytest.mark.slow
def test_server_that_cannot_be_replaced_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It goes on after SIGHUP, and ends on a signal that ends."""
    with service(tmp_path) as one:
        for _ in range(2):
            code, answer = reload(one, capsys)
            assert 1 == code
            assert f"Process {one.process.pid} goes on: without --replaceable" in answer
        one.until("goes on: without --replaceable it cannot be replaced")
        one.process.terminate()
        assert systemd.STOPPING in one.messages(systemd.STOPPING)
        one.until("ended: signal SIGTERM")


def test_reload_leaves_other_programs_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """SIGHUP would end them; one that answers to nobody in time is reported."""
    code = "import signal; signal.pause()  # storypool serve"
    with subprocess.Popen([sys.executable, "-c", code, "storypool", "serve"]) as other:
        for process in (other.pid, os.getpid(), 4_000_000):
            assert 2 == main(["reload", str(process)])
            assert f"Process {process} is no server" in capsys.readouterr().err
        assert other.poll() is None
        other.kill()
    deaf = "import signal, time; signal.signal(signal.SIGHUP, print); print(); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-uc", deaf, "storypool", "serve"], stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        other.stdout.readline()
        assert 1 == main(["reload", str(other.pid), "--wait", "1"])
        assert "has not answered for 1 seconds" in capsys.readouterr().err
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as taken:
            taken.bind(systemd.socket_name(ANSWERS.format(process=other.pid)))
            assert 1 == main(["reload", str(other.pid)])
        assert "one at a time" in capsys.readouterr().err
        other.kill()


def test_terminal_of_a_background_server_may_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGHUP is about a lost terminal in the foreground, or as long as its shell runs."""
    places = iter([(True, False), (True, True), (False, False)])
    monkeypatch.setattr(Terminal, "_look", lambda _: next(places))
    behind, in_front, without = Terminal(), Terminal(), Terminal()
    for is_there, shell_runs, closed in (
        (True, True, (False, False, False)),
        (False, True, (True, True, False)),
        (False, False, (False, True, False)),
    ):
        monkeypatch.setattr(Terminal, "_look", lambda _, now=is_there: (now, False))
        monkeypatch.setattr(Terminal, "_shell_runs", lambda _, now=shell_runs: now)
        assert closed == tuple(one.was_closed() for one in (behind, in_front, without))


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--replaceable"]])
def test_closed_terminal_ends_a_server(options: list[str], tmp_path: Path) -> None:
    """Nobody would find it any more; as long as there is one, SIGHUP does not end it."""
    words = ["serve", "--data", str(tmp_path / "data"), "--local", "--port", "0", "--no-browser"]
    process, terminal = pty.fork()
    if not process:
        log = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 2)
        os.execv(sys.executable, [sys.executable, "-m", "storypool.cli", *words, *options])
    try:
        until(tmp_path / "log", "listens on", terminal)
        os.kill(process, signal.SIGHUP)
        until(tmp_path / "log", "in place of" if options else "cannot be replaced", terminal)
    finally:
        os.close(terminal)
    assert 0 == os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    last = (tmp_path / "log").read_text().splitlines()[-1]
    assert re.search(r"ended: signal SIG(TERM|HUP)\.$", last), last


def until(log: Path, word: str, terminal: int) -> None:
    """Wait for a text in a log, and read what a program writes to its terminal meanwhile."""
    end = time.monotonic() + WAIT
    while not log.exists() or word not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        if select.select([terminal], [], [], 0.1)[0]:
            os.read(terminal, 4096)
