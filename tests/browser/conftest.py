"""A server and browsers for the tests of the page; any complaint of a browser fails the test."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

import dev
from tests.browser.guests import PHONE, QUIET, Come, Guest, Serve, Server

GUESTS = pytest.StashKey[list[Guest]]()
"""Who came in a test."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say what stands on each page when a test fails: a time that ran out does not say what was there instead."""
    report = yield
    if report.when == "call" and report.failed:
        guests = item.stash.get(GUESTS, list[Guest]())
        for n, guest in enumerate(guests):
            report.sections.append((f"page of guest {n}", guest.state()))
    return report


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. It ends with its file: other tests in this process may start a browser of their own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=dev.find_browser(), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a data folder of its own."""
    server = Server(tmp_path_factory.mktemp("data")).start()
    yield server
    server.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts further servers, each on a data folder of its own: `serve(host)`."""
    servers: list[Server] = []

    def serve(*host: str) -> Server:
        servers.append(Server(tmp_path / f"data-{len(servers)}", *host).start())
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()


@pytest.fixture
def come(browser: Browser, server: Server, serve: Serve, request: pytest.FixtureRequest) -> Iterator[Come]:
    """Lets somebody come to the server with a browser of their own: `come(size, **context)`.

    All have left before any server stops, so that a lost connection is always one that a test brought about.
    """
    guests: list[Guest] = []
    request.node.stash[GUESTS] = guests

    def come(size: Mapping[str, int] = PHONE, to: Server = server, **more: Any) -> Guest:
        guest = Guest(browser, to, size, **more)
        guests.append(guest)
        return guest

    yield come
    for guest in guests:
        guest.context.close()
    assert [] == [trouble for guest in guests for trouble in guest.troubles]


@pytest.fixture
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: the folder that STORYPOOL_SHOTS names, or one that nobody keeps."""
    named = os.environ.get("STORYPOOL_SHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("shots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
