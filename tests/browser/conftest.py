"""A server and browsers for the tests of the page. A complaint of a browser fails the test."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

import dev
from tests.browser.guests import (
    DRAWING,
    PHONE,
    QUIET,
    Browsers,
    Come,
    Guest,
    Pair,
    Place,
    Serve,
    Server,
)
from tools.states import SHARED
from tools.visits import House, served

GUESTS = pytest.StashKey[list[Guest]]()
"""The guests of a test."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the content of each page to a failed test: a timeout does not show it."""
    report = yield
    if report.when == "call" and report.failed:
        guests = item.stash.get(GUESTS, list[Guest]())
        for n, guest in enumerate(guests):
            report.sections.append((f"page of guest {n}", guest.state()))
    return report


@pytest.fixture(autouse=True, scope="session")
def shared_states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for the states of games, which all processes of a run have in common."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SHARED, str(folder))
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Chromium with its event loop, shared by all tests of this process."""
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(executable_path=dev.find_browser(), args=QUIET)
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """Chromium, whose loop runs during the tests of one file: other files have their own loops."""
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture(scope="module")
def drawing(browser: Browser) -> Iterator[Browser]:
    """Chromium with WebGL."""
    started = browser.browser_type.launch(executable_path=dev.find_browser(), args=DRAWING)
    yield started
    started.close()


@pytest.fixture(scope="session")
def browsers(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Browsers:
    """Reusable browsers for guests."""
    return Browsers(chromium[0])


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """The server of this process for all its tests."""
    with served() as house:
        yield house


@pytest.fixture
def serve(tmp_path: Path, dice: None) -> Iterator[Serve]:
    """Start servers, each as a process with its own data folder: `serve(host, options)`."""
    servers: list[Server] = []

    def serve(*how: Any) -> Server:
        servers.append(Server(tmp_path / f"data-{len(servers)}", *how).start())
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()


@pytest.fixture
def dice(
    house: House, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Dice with the same results in each run of a test, unless it is about `fair` ones."""
    if request.node.get_closest_marker("fair") is None:
        house.dice.begin(request.node.nodeid)
        monkeypatch.setenv("STORYPOOL_TEST_DICE", request.node.nodeid)
    yield
    house.dice.begin(None)


@pytest.fixture
def come(
    browser: Browser,
    browsers: Browsers,
    house: House,
    dice: None,
    serve: Serve,
    request: pytest.FixtureRequest,
) -> Iterator[Come]:
    """Bring a guest with a browser of their own to a server: `come(size, to, **context)`.

    All guests leave before a server stops, so each lost connection is deliberate.
    """
    guests: list[Guest] = []
    request.node.stash[GUESTS] = guests

    def come(size: Mapping[str, int] = PHONE, to: Place = house, **more: Any) -> Guest:
        guest = browsers.lend(to, size, **more)
        guests.append(guest)
        return guest

    yield come
    troubles = [trouble for guest in guests for trouble in guest.troubles]
    for guest in guests:
        browsers.take_back(guest)
    assert [] == troubles


@pytest.fixture
def pair(come: Come) -> Pair:
    """A Keeper and a player at a table before its first session."""
    gm, ann = come(), come()
    table = gm.api("POST", "/api/tables", system="c2d10", title="Nine minutes", name="Mira")[
        "table"
    ]
    ann.joins(gm, table, "Ann", "Juna", {"athletics": 2, "strength": 2})
    return Pair(gm, ann, table)


@pytest.fixture
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of screenshots: STORYPOOL_SHOTS, or a temporary one."""
    named = os.environ.get("STORYPOOL_SHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("shots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
