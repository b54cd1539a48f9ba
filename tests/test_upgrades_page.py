"""The upgrade page: each way to install gets a newer version and goes back, as the page says."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from storypool import __version__
from tests import wheelhouse
from tests.browsers import WAIT
from tests.wheelhouse import ROOT, UV

pytestmark = pytest.mark.exhaustive
PAGE = (ROOT / "docs" / "upgrades.md").read_text(encoding="utf-8")
NEXT = f"{int(__version__.split('.')[0]) + 1}.2.0"
VERSIONS = {"0.1.0": __version__, "0.2.0": NEXT}
"""This version and the next one stand for those of the page's examples."""
BLOCKS = [
    block.splitlines()
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
]
PIPX, UVX, BESIDE, SWITCHED, _ = BLOCKS
"""The last are those of a checkout, whose environments `tests/test_environments.py` makes."""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with this version, what it needs, and in `newer` the next version."""
    place, source = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("source")
    sdist = wheelhouse.build(ROOT, place)[1]
    wheelhouse.collect(place, wheelhouse.PROJECT["dependencies"])
    with tarfile.open(sdist) as files:
        files.extractall(source, filter="data")
    (unpacked,) = source.iterdir()
    versioned = unpacked / "src" / "storypool" / "__init__.py"
    text = versioned.read_text(encoding="utf-8")
    versioned.write_text(text.replace(f'"{__version__}"', f'"{NEXT}"'), encoding="utf-8")
    (unpacked / "PKG-INFO").unlink()  # hatchling would take the version from it
    (place / "newer").mkdir()
    wheelhouse.build(unpacked, place / "newer")
    return place


class Machine:
    """A user's home with an index that has one version, and later the next."""

    def __init__(self, wheels: Path, home: Path) -> None:
        self.wheels, self.home, self.index = wheels, home, home / "index"
        self.index.mkdir()
        for one in wheels.glob("*.whl"):
            shutil.copy(one, self.index)
        programs = f"{home / 'bin'}:{UV.parent}:{os.environ['PATH']}"
        self.environ: Mapping[str, str] = wheelhouse.environ(
            PATH=programs,
            PIP_FIND_LINKS=str(self.index),
            UV_FIND_LINKS=str(self.index),
            UV_CACHE_DIR=str(home / "cache"),
            UV_TOOL_DIR=str(home / "tools"),
            UV_TOOL_BIN_DIR=str(home / "bin"),
            PIPX_HOME=str(home / "pipx"),
            PIPX_BIN_DIR=str(home / "bin"),
            PIPX_DEFAULT_BACKEND="uv",
            STORYPOOL_DATA=str(home / "data"),
            PYTHONUNBUFFERED="1",
        )

    def publish(self) -> None:
        """Put the next version into the index."""
        shutil.copy(next((self.wheels / "newer").glob("*.whl")), self.index)

    def run(self, command: str) -> str:
        """The output of a command of the page; its program may go on in the background."""
        words = re.sub(r"\d+\.\d+\.\d+", lambda named: VERSIONS[named[0]], command)
        with (self.home / "log").open("a+") as log:
            done = subprocess.run(
                words, shell=True, cwd=self.home, env=self.environ, stdout=log, stderr=log
            )
        printed = (self.home / "log").read_text()
        assert 0 == done.returncode, f"{command}\n{printed}"
        return printed

    def version(self, program: str = "storypool") -> str:
        """The version of an installed program."""
        done = subprocess.run(
            [program, "--version"], env=self.environ, cwd=self.home, capture_output=True, text=True
        )
        return done.stdout.split()[1]


@pytest.fixture
def machine(wheels: Path, tmp_path: Path) -> Machine:
    """A clean home."""
    return Machine(wheels, tmp_path)


def test_pipx_upgrades_and_goes_back(machine: Machine) -> None:
    """One command each way; after going back, the newest is installed again."""
    upgrade, back, newest = PIPX
    machine.run("pipx install storypool")
    assert __version__ == machine.version()
    machine.publish()
    for command, version in ((upgrade, NEXT), (back, __version__), (newest, NEXT)):
        machine.run(command)
        assert version == machine.version()


def test_uv_upgrades_and_goes_back(machine: Machine) -> None:
    """The same with uv; uvx runs the version that it is given."""
    upgrade, back, newest, *alone = UVX
    machine.run("uv tool install storypool")
    assert __version__ == machine.version()
    machine.publish()
    for command, version in ((upgrade, NEXT), (back, __version__), (newest, NEXT)):
        machine.run(command)
        assert version == machine.version()
    for command, version in zip(alone, (NEXT, __version__), strict=True):
        assert f"storypool {version}" == machine.run(command).splitlines()[-1]


@pytest.mark.skipif(sys.platform == "win32", reason="a link is switched where links are free")
def test_link_is_switched_under_a_running_server(machine: Machine) -> None:
    """A server goes on from the newer version and back, while it is asked all the time."""
    for command in BESIDE:
        machine.run(command)
    try:
        assert __version__ == _served(machine, 1)
        machine.publish()
        *installed, switch, replace, switch_back, replace_back = SWITCHED
        for command in (*installed, switch, replace):
            machine.run(command)
        assert NEXT == _served(machine, 2)
        for command in (switch_back, replace_back):
            machine.run(command)
        assert __version__ == _served(machine, 3)
    finally:
        os.kill(int((machine.home / "storypool.pid").read_text()), signal.SIGTERM)


def _served(machine: Machine, n: int) -> str:
    """The version that serves once the log has its nth start or replacement."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        log = (machine.home / "log").read_text()
        if n <= log.count("#host=") + log.count("has taken the place"):
            address = re.search(r"Storypool is at (\S+)", log)
            assert address, log
            return str(httpx.get(f"{address[1]}/api", trust_env=False).json()["version"])
        time.sleep(0.1)
    raise AssertionError((machine.home / "log").read_text())
