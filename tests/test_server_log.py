"""A server's log: entries as lines or JSON, each with the id of its request."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from io import StringIO
from pathlib import Path

import pytest

from storypool.log.store import Answer, Append, StoreFull
from storypool.web.server_log import Json, Lines
from storypool.words import Phrase
from tests.browsers import WAIT, House, serving


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A running server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def written() -> Iterator[tuple[logging.Handler, StringIO]]:
    """The text of the server's log, and its handler."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("storypool.web")
    logger.addHandler(handler)
    yield handler, stream
    logger.removeHandler(handler)


def test_every_answer_has_its_request_id(house: House) -> None:
    """It is a proxy's valid one or a new one, for refusals too."""
    own = [house.client.get("/api").headers["X-Request-Id"] for _ in range(2)]
    assert len(set(own)) == 2
    assert all(len(one) == 16 for one in own)
    kept = house.client.get("/api", headers={"X-Request-Id": "edge-17"})
    assert kept.headers["X-Request-Id"] == "edge-17"
    assert house.client.get("/api/nowhere").headers["X-Request-Id"]
    for odd in ("a b", "x" * 65, "1;2"):
        assert house.client.get("/api", headers={"X-Request-Id": odd}).headers[
            "X-Request-Id"
        ] not in (odd, "")


@pytest.mark.parametrize("form", [Lines, Json])
def test_store_error_is_logged_with_its_request(
    house: House,
    written: tuple[logging.Handler, StringIO],
    form: type[logging.Formatter],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line has the client's request id and no text of the player."""
    party, (handler, stream) = house.table(), written
    handler.setFormatter(form())
    monkeypatch.setattr("storypool.web.serving.serve._repeat_filter.filter", lambda record: True)

    def full(_: Append) -> Future[Answer]:
        raise StoreFull(Phrase("log.closed"))

    monkeypatch.setattr(house.store, "submit", full)
    answer = party.ann.ask(
        "POST",
        f"{party.path}/moves",
        {"move": "table.say", "args": {"text": "Psst"}},
        {"X-Request-Id": "edge-17"},
    )
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (503, "edge-17")
    [line] = stream.getvalue().splitlines()
    assert "Psst" not in line
    logged = f"POST {party.path}/moves failed: The store is closed: start the server again."
    if form is Lines:
        assert line.endswith(f"Z WARNING {logged} [edge-17]")
    else:
        entry = json.loads(line)
        assert entry.pop("at").endswith("Z")
        assert entry == {
            "level": "WARNING",
            "logger": "storypool.web",
            "text": logged,
            "request": "edge-17",
        }


@pytest.mark.parametrize("as_json", [False, True])
def test_program_logs_in_one_place(as_json: bool) -> None:
    """Each entry is a line on stderr; a traceback follows it, or is inside."""
    script = f"""
import logging, sys
from storypool.web.server_log import write_log
logging.basicConfig()
write_log(sys.stderr, {as_json})
logging.getLogger("uvicorn.error").warning("Odd “%s”", "thing")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("storypool.web").exception("Lost")
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8"
    )
    first, second, *more = ran.stderr.splitlines()
    if as_json:
        assert json.loads(first)["text"] == "Odd “thing”"
        assert "ZeroDivisionError" in json.loads(second)["trace"]
        assert not more
    else:
        assert first.endswith("Z WARNING Odd “thing”")
        assert second.endswith("Z ERROR Lost")
        assert more[-1] == "ZeroDivisionError: division by zero"


class Logged:
    """A server in another process, and its log as JSON."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [sys.executable, "-m", "storypool.cli", "serve", "--data", str(data), "--local"]
        self.process = subprocess.Popen(
            [*command, "--no-browser", "--port", "0", "--log", "json", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def until(self, pattern: str) -> re.Match[str]:
        """The next entry with this text."""
        assert self.process.stderr
        for line in self.process.stderr:
            if found := re.search(pattern, json.loads(line)["text"]):
                return found
        raise AssertionError(pattern)

    def end(self, number: signal.Signals | None = None) -> list[str]:
        """The rest of the log, after this signal if there is one."""
        if number is not None:
            self.process.send_signal(number)
        _, rest = self.process.communicate(timeout=WAIT)
        return [json.loads(line)["text"] for line in rest.splitlines()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_log_has_the_start_and_the_signal_that_ends(number: signal.Signals, tmp_path: Path) -> None:
    """The start is one entry with the address and the folder; the end has the signal."""
    server = Logged(tmp_path)
    started = server.until(
        r"listens on 127\.0\.0\.1:\d+ and keeps its tables in (.*): process (\d+)"
    )
    assert (str(tmp_path), str(server.process.pid)) == started.groups()
    assert [f"Process {server.process.pid} ended: signal {number.name}."] == server.end(number)
    assert 0 == server.process.returncode


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are not forked there")
def test_log_has_replacements_and_failures(tmp_path: Path) -> None:
    """Both processes of a replacement are in an entry, and so is an end that nobody asked for."""
    server = Logged(tmp_path, "--replaceable")
    first = server.until(r"listens on .*: process (\d+)\.$")[1]
    server.process.send_signal(signal.SIGUSR2)
    second = server.until(rf"Process {first} ended: replaced by process (\d+)")[1]
    server.until(rf"listens on .*: process {second}, in place of process {first}\.$")
    os.kill(int(second), signal.SIGKILL)
    server.until(rf"Process {second} ended: failure, signal SIGKILL")
    assert [] == server.end()
    server = Logged(tmp_path, "--replaceable")
    process = server.until(r"listens on .*: process (\d+)\.$")[1]
    assert [f"Process {process} ended: signal SIGTERM."] == server.end(signal.SIGTERM)


def test_refused_start_is_an_entry(tmp_path: Path) -> None:
    """In a log of JSON no line is text, and the exit code stays."""
    server = Logged(tmp_path, "--processes", "2")
    server.until("A data folder is served by one process. Keep the tables in")
    assert [] == server.end()
    assert 2 == server.process.returncode


def test_uncaught_exception_is_an_entry() -> None:
    """Its traceback, and that of a thread, is a field; so is a warning one entry."""
    script = """
import sys, threading, warnings
from storypool.web.server_log import write_log
write_log(sys.stderr, as_json=True)
warnings.warn("Odd")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
raise ValueError("Lost")
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    warned, threaded, last = map(json.loads, ran.stderr.splitlines())
    assert "Odd" in warned["text"]
    assert "ZeroDivisionError" in threaded["trace"]
    assert ("Nothing caught an exception: Lost", 1) == (last["text"], ran.returncode)
    assert "ValueError: Lost" in last["trace"]
