"""What all tests share: how hypothesis runs here, which tests are slow, and a PostgreSQL server."""

from __future__ import annotations

import gc
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from storypool.words.languages import Language
from tools import cluster

# An example has no deadline, since the machine may be busy, and a failure prints how to repeat it.
settings.register_profile(
    "fixed",
    max_examples=25,
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# For `dev.py test --all`: more examples, and new ones each time.
settings.register_profile(
    "exhaustive", settings.get_profile("fixed"), max_examples=250, derandomize=False
)
settings.load_profile("fixed")


@pytest.fixture(autouse=True, scope="session")
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither use nor fill the cache of the user who runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORYPOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def language(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A language that nobody speaks, read from its files as any other would be."""
    from tests.languages import nobodys

    return nobodys(tmp_path_factory.mktemp("words"))


def mark_costs(item: pytest.Item) -> None:
    """Mark what needs a browser, and as slow what needs that or a PostgreSQL server, or is
    exhaustive.
    """
    needs = {"browser", "postgres"}.intersection(getattr(item, "fixturenames", ()))
    if "browser" in needs:
        item.add_marker("browser")
    marks = {mark.name for mark in item.iter_markers()}
    if needs or marks & {"browser", "exhaustive"}:
        item.add_marker("slow")


@pytest.fixture(scope="session")
def postgres() -> Iterator[cluster.Cluster]:
    """A PostgreSQL server of this run's own; a test that needs one fails without, unless it is to
    be skipped.
    """
    if os.environ.get("STORYPOOL_WITHOUT_POSTGRES"):
        pytest.skip("STORYPOOL_WITHOUT_POSTGRES says to go without PostgreSQL")
    try:
        server = cluster.Cluster()
    except cluster.NoServer as reason:
        pytest.fail(str(reason), pytrace=False)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def reused_database(postgres: cluster.Cluster) -> str:
    """The address of the database that tests use one after another."""
    return postgres.new_database()


@pytest.fixture
def database(postgres: cluster.Cluster, reused_database: str) -> str:
    """The address of an empty database on the PostgreSQL server."""
    postgres.empty(reused_database)
    return reused_database


def pytest_configure(config: pytest.Config) -> None:
    """Have each worker collect the folders of tests in an order of its own, so that none compiles
    what others have.
    """
    worker = re.fullmatch(r"gw(\d+)", os.environ.get("PYTEST_XDIST_WORKER", ""))
    if worker and config.args == config.getini("testpaths"):
        workers = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        files = sorted(
            str(path)
            for place in config.args
            for path in (config.rootpath / place).rglob("test_*.py")
        )
        begin = len(files) * int(worker[1]) // workers
        config.args = [*files[begin:], *files[:begin]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark all tests by what they need, those of the games in their own folders too, and order the
    files: browser tests, which often wait, beside others, and of either those that take longest
    first.

    So no processor is idle while all wait, and at the end no worker waits for another's last file.
    """
    for item in items:
        mark_costs(item)
    longest = {config.rootpath / file for file in ByFileAndGame.FILES}
    files: dict[Path, set[str]] = {}
    for item in sorted(items, key=lambda item: item.path):
        files.setdefault(item.path, set()).update(mark.name for mark in item.iter_markers())
    place: dict[Path, float] = {}
    for in_browser in (False, True):
        kind = [path for path, marks in files.items() if ("browser" in marks) is in_browser]
        kind.sort(key=lambda path: (path not in longest, "slow" not in files[path]))
        place |= {path: n / len(kind) for n, path in enumerate(kind)}
    items.sort(key=lambda item: (place[item.path], item.path))


def pytest_collection_finish() -> None:
    """Collect garbage rarely: what was imported and collected stays, and a full collection would
    visit all of it.
    """
    keep_what_stays()
    gc.set_threshold(1_000_000, 5, 5)


@pytest.fixture(autouse=True, scope="module")
def no_garbage_of_other_files() -> None:
    """What the files before have left stays too: games that were read, plays that were played."""
    keep_what_stays()


@pytest.fixture(autouse=True, scope="module")
def log_of_its_own() -> Iterator[None]:
    """A server that was started in this process writes its log where the test looked that started
    it, no longer.
    """
    log = logging.getLogger()
    before = [*log.handlers]
    yield
    log.handlers[:] = before


def keep_what_stays() -> None:
    """Let no later collection of garbage visit what is there now."""
    gc.collect()
    gc.freeze()


class ByFileAndGame(LoadFileScheduling):  # type: ignore[misc]
    """A worker gets a file at a time, as its tests may share a server and a browser; of these files
    a game at a time.

    They take minutes for each game, and one worker would run them all while the other has nothing
    to do.
    """

    FILES = (
        "tests/test_contract.py",
        "tests/test_plays.py",
        "tests/test_solving.py",
        "tests/browser/test_dock_only_evening.py",
        "tests/browser/test_first_evening.py",
        "tests/browser/test_states.py",
        "tests/browser/test_taps.py",
    )
    POSTGRES = (
        "tests/test_doctor.py",
        "tests/test_fair_dice_processes.py",
        "tests/test_live_peers.py",
        "tests/test_live_tables.py",
        "tests/test_log_moving.py",
        "tests/test_log_pooler.py",
        "tests/test_log_postgres.py",
        "tests/test_log_store.py",
        "tests/test_web_processes.py",
    )
    """The files that share one PostgreSQL server, which takes longer to start and stop than most of
    their tests.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if file in self.POSTGRES:
            return "postgres"
        return (
            f"{file}[{re.split('[]/-]', test.partition('[')[2])[0]}" if file in self.FILES else file
        )


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFileAndGame:
    """Distribute the tests over the workers."""
    return ByFileAndGame(config, log)
