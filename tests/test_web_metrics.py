"""A server's health, and its figures for Prometheus."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import generate_latest

from storypool.cli import main
from storypool.live.tables import Tables
from storypool.log.memory import MemoryStore
from storypool.log.store import Answer, Append, Grant, StoreError, StoreFull
from storypool.web.network.metrics import Metrics
from storypool.web.server_settings import Settings
from storypool.web.serving.listener import CannotServe, listen
from storypool.web.serving.serve import MetricsAt, run, serve
from storypool.words import Phrase
from tests.browsers import House, error_of, serving


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A running server."""
    with serving(tmp_path) as house:
        yield house


def counted(house: House) -> Callable[..., float]:
    """A function for a figure of the server by name and labels, initially 0."""
    registry = house.app.state.server.metrics.registry
    return lambda name, **labels: registry.get_sample_value(f"storypool_{name}", labels) or 0.0


def test_moves_and_refusals_are_counted(house: House) -> None:
    """A repeated move counts once, a refusal by code, and a request by route and status."""
    party, of = house.table(), counted(house)
    moves, commits = of("moves_total"), of("commit_seconds_count")
    assert moves == 3
    for _ in range(2):
        party.ann.post(
            f"{party.path}/moves", move="table.say", args={"text": "Well met"}, token="once"
        )
    assert of("moves_total") == moves + 1
    assert of("commit_seconds_count") > commits
    assert of("commit_failures_total") == 0
    party.ann.refused(403, "POST", f"{party.path}/moves", move="session.end")
    assert of("refusals_total", code="identity") == 1
    labels = {"method": "POST", "route": "/api/tables/{table}/moves"}
    assert of("request_seconds_count", status="403", **labels) == 1
    assert of("request_seconds_count", status="200", **labels) == moves + 2


def test_followers_and_odds_are_measured(house: House) -> None:
    """Open feeds and their lag are counted, and odds by whether they were given."""
    party, of = house.table(), counted(house)
    with party.ann.live(party.id) as feed:
        feed.follow()
        made = party.bo.move(party.id, "table.say", text="Here we go")
        feed.records(made["seq"])
        assert of("followers") == 1
        assert of("connections") > 0
        # The next message is sent after the one before it was measured.
        feed.records(party.bo.move(party.id, "table.say", text="And there")["seq"])
        assert of("feed_lag_seconds_count") >= 1
    party.ann.post("/api/odds", system="starwars", pool="2A/2D")
    assert of("odds_seconds_count", answer="given") == 1
    party.ann.refused(413, "POST", "/api/odds", system="starwars", pool="10A10P10B/10D10C10S")
    assert of("odds_seconds_count", answer="too_many") == 1


def test_figures_name_nobody(house: House) -> None:
    """They have neither people nor tables nor texts."""
    party = house.table()
    party.ann.move(party.id, "table.say", text="Xylophones")
    party.ann.ask("GET", "/api/tables/xyzzy/log")
    figures = generate_latest(house.app.state.server.metrics.registry).decode()
    assert "storypool_request_seconds_count" in figures
    assert not any(
        word in figures for word in (party.id, "Ann", "Ilse", "ann", "Coins", "Xylophones", "xyzzy")
    )


@pytest.mark.slow
def test_figures_have_their_own_address() -> None:
    """They have Prometheus's format, and are served only while the server runs."""
    with Metrics().serving("127.0.0.1", 0) as port:
        answer = httpx.get(f"http://127.0.0.1:{port}/metrics")
        assert answer.status_code == 200
        assert "# TYPE storypool_moves_total counter" in answer.text
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")


def test_figures_need_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Prometheus's package play goes on, and a request for figures names the extra."""
    monkeypatch.setattr("storypool.web.network.metrics.find_spec", lambda name: None)
    with serving(tmp_path) as house:
        party = house.table()
        party.ann.move(party.id, "table.say", text="Well met")
        party.ann.refused(403, "POST", f"{party.path}/moves", move="session.end")
        party.ann.post("/api/odds", system="starwars", pool="2A/2D")
        with party.ann.live(party.id) as feed:
            feed.follow()
        assert house.app.state.server.metrics.registry is None
    with pytest.raises(CannotServe, match=r"install storypool\[metrics\]"):
        run(tmp_path / "data", metrics=MetricsAt("127.0.0.1", 0))


def test_taken_metrics_address_is_reported() -> None:
    """The server does not start without its requested figures."""
    with socket.create_server(("127.0.0.1", 0)) as taken, listen("127.0.0.1", 0) as listener:
        at = MetricsAt("127.0.0.1", taken.getsockname()[1])
        with pytest.raises(CannotServe, match="Figures cannot be served"):
            serve(MemoryStore(), Settings(), listener, metrics=at)


@pytest.mark.parametrize(
    "address", ["9230", "localhost:", ":9230", "localhost:http", "127.0.0.1:99999"]
)
def test_invalid_metrics_address_is_refused(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address is a host and a port."""
    assert main(["serve", "--data", str(tmp_path), "--metrics", address]) == 2
    assert f"“{address}” is not an address for figures." in capsys.readouterr().err


def test_server_is_ready_while_its_store_answers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is alive anyway, but not ready while the store is silent or takes no moves."""
    party = house.table()
    assert house.client.get("/api/health").json() == {"alive": True, "ready": True}

    def unread(**_: object) -> list[Grant]:
        raise StoreError(Phrase("log.closed"))

    def full(_: Append) -> Future[Answer]:
        raise StoreFull(Phrase("log.closed"))

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "grants", unread)
        error = error_of(house.client.get("/api/health"), 503)
        assert error["text"] == "This server is alive, and cannot store anything now."
    assert house.client.get("/api/health").status_code == 200
    with monkeypatch.context() as broken:
        broken.setattr(house.store, "submit", full)
        party.ann.refused(
            503, "POST", f"{party.path}/moves", move="table.say", args={"text": "Lost?"}
        )
        assert house.client.get("/api/health").status_code == 503
        assert counted(house)("commit_failures_total") == 1
    party.ann.move(party.id, "table.say", text="Found")
    assert house.client.get("/api/health").status_code == 200


def test_commits_are_observed_from_the_store() -> None:
    """Commits continue without an observer."""
    tables: Any = Tables(MemoryStore())
    assert tables._writer.watch()(None) is None
