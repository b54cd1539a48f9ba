"""The quick checks pass with the lowest allowed versions, and on each recent Python here.

Each makes an environment from an index, so this is part of `dev.py test --all` alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.wheelhouse import PROJECT, ROOT, UV

OLDEST = PROJECT["requires-python"].removeprefix(">=")
pytestmark = pytest.mark.exhaustive


def uv(*words: str | Path) -> str:
    """uv's output for these arguments. It sees every Python of pyenv."""
    pyenv = ["pyenv", "versions", "--bare"] if shutil.which("pyenv") else ["true"]
    versions = subprocess.run(pyenv, capture_output=True, text=True).stdout.split()
    environ = {**os.environ, "PYENV_VERSION": ":".join(versions)} if versions else None
    done = subprocess.run([UV, *words], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def pythons() -> list[str]:
    """The supported Pythons here, oldest first, checked by that of these tests."""
    found = json.loads(uv("python", "list", "--only-installed", "--output-format", "json"))
    known = {
        one["version"].rpartition(".")[0] for one in found if one["implementation"] == "cpython"
    }
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    key = [int(part) for part in OLDEST.split(".")]
    return sorted(
        one
        for one in known - {here}
        if re.fullmatch(r"3\.\d+", one) and [*map(int, one.split("."))] >= key
    )


def quick_checks(python: Path) -> None:
    """Run the tests of `dev.py quick` under a Python, and show the end of a failure."""
    words = "-m pytest -q -n 2 --dist loadfile -p no:cacheprovider"
    command = [str(python), *words.split(), "--ignore=tests/browser", "-m", "not slow"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert 0 == ran.returncode, ran.stdout[-8000:]


def environment(place: Path, version: str, *packages: str | Path) -> Path:
    """The Python of an environment with these packages and this checkout."""
    uv("venv", "--python", version, place)
    uv("pip", "install", "--python", place, *packages)
    uv("pip", "install", "--python", place, "--no-deps", "--no-build-isolation", "-e", ROOT)
    return place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def test_lowest_versions_are_enough(tmp_path: Path) -> None:
    """The oldest Python passes with the lowest version of each dependency and extra."""
    lowest = tmp_path / "lowest.txt"
    resolve = (
        "pip",
        "compile",
        "pyproject.toml",
        "--all-extras",
        "--resolution",
        "lowest-direct",
        "--quiet",
    )
    uv(*resolve, "--python-version", OLDEST, "-o", lowest)
    pinned = lowest.read_text(encoding="utf-8")
    for wanted in PROJECT["dependencies"]:
        name, least = wanted.split(">=")
        assert re.search(rf"^{name}=={re.escape(least)}", pinned, re.MULTILINE), (
            f"{wanted} is not the lowest there is"
        )
    packages = ("-r", "requirements/test.txt", "--override", lowest, "--no-verify-hashes")
    quick_checks(environment(tmp_path / "venv", OLDEST, *packages))


def test_other_pythons_are_enough(tmp_path: Path) -> None:
    """Each other Python of this machine passes with the locked packages."""
    packages = ("-r", "requirements/test.txt", "--require-hashes")
    for version in pythons():
        quick_checks(environment(tmp_path / version, version, *packages))
