"""A server's log: entries as lines or JSON, each with the id of its request."""

from __future__ import annotations

import json
import logging
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
from tests.browsers import House, serving


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
