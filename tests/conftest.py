"""The shared setup of all tests: hypothesis, slow tests, and a PostgreSQL server."""

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
    """A separate cache from that of the user who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORYPOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def language(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """An invented language, read from files like any other."""
    from tests.languages import nobodys

    return nobodys(tmp_path_factory.mktemp("words"))


def mark_costs(item: pytest.Item) -> None:
    """Mark browser tests, and as slow those with a browser, PostgreSQL or the exhaustive mark."""
    needs = {"browser", "postgres"}.intersection(getattr(item, "fixturenames", ()))
    if "browser" in needs:
        item.add_marker("browser")
    marks = {mark.name for mark in item.iter_markers()}
    if needs or marks & {"browser", "exhaustive"}:
        item.add_marker("slow")


@pytest.fixture(scope="session")
def postgres() -> Iterator[cluster.Cluster]:
    """A PostgreSQL server of this run; its tests fail without one unless they are skipped."""
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
    """The address of the database that tests share in turn."""
    return postgres.new_database()


@pytest.fixture
def database(postgres: cluster.Cluster, reused_database: str) -> str:
    """The address of an empty database on the PostgreSQL server."""
    postgres.empty(reused_database)
    return reused_database


def pytest_configure(config: pytest.Config) -> None:
    """Start each worker's collection at another file, so that workers compile different modules."""
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
    """Mark all tests by their needs, including those of games, and order the files.

    Slow browser tests run next to others, the longest of each first. So no processor is idle while
    others wait, and no worker waits for the last file at the end.
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
    """Collect garbage rarely: a full collection visits all imports and collected tests."""
    keep_what_stays()
    gc.set_threshold(1_000_000, 5, 5)


@pytest.fixture(autouse=True, scope="module")
def no_garbage_of_other_files() -> None:
    """Freeze what earlier files left, such as parsed games and played plays."""
    keep_what_stays()


@pytest.fixture(autouse=True, scope="module")
def log_of_its_own() -> Iterator[None]:
    """Detach the log of a server in this process after the test that started it."""
    log = logging.getLogger()
    before = [*log.handlers]
    yield
    log.handlers[:] = before


def keep_what_stays() -> None:
    """Exclude current objects from later garbage collections."""
    gc.collect()
    gc.freeze()


class ByFileAndGame(LoadFileScheduling):  # type: ignore[misc]
    """Gives each worker a file at a time, because tests share servers, and large files by game.

    These take minutes for each game, and one worker would run them all while the other is idle.
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
    """The files that share one PostgreSQL server, which starts more slowly than most tests run."""

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
