"""A local index: a folder of wheels that installs Storypool without the network."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
UV = Path(sys.executable).parent / "uv"
"""uv and pipx next to the Python of the tests."""
EPOCH = 1_700_000_000
"""The time of files in a package built by tests."""
LEFT_OUT = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}
"""An installer's files about a package, which no wheel has."""


def environ(**more: str) -> dict[str, str]:
    """The variables of an installer with one folder of wheels: no index, settings or compiler."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PIP", "UV_", "PYTHON"))
    }
    alone = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_NO_CONFIG": "1",
    }
    alone |= {
        "PIP_ONLY_BINARY": ":all:",
        "CC": "no-compiler",
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_INDEX": "1",
    }
    return kept | alone | {"UV_PYTHON": sys.executable} | more


def build(source: Path, place: Path, **more: str) -> list[Path]:
    """The wheel and the sdist of a checkout, built into a folder without the network."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(place)]
    variables = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), **more}
    built = subprocess.run(command, cwd=source, env=variables, capture_output=True, text=True)
    assert 0 == built.returncode, built.stderr
    return [next(place.glob("*.whl")), next(place.glob("*.tar.gz"))]


def collect(place: Path, requirements: Sequence[str]) -> None:
    """Put the requirements into a folder, as wheels of the installed packages."""
    for one in _closure(requirements):
        _repack(one, place)


def _closure(requirements: Sequence[str]) -> Iterator[Distribution]:
    seen, left = set[tuple[str, str]](), [(Requirement(one), "") for one in requirements]
    while left:
        wanted, asked_by = left.pop()
        if wanted.marker and not wanted.marker.evaluate({"extra": asked_by}):
            continue
        for extra in {"", *wanted.extras} - {extra for name, extra in seen if name == wanted.name}:
            seen.add((wanted.name, extra))
            found = distribution(wanted.name)
            left += [(Requirement(each), extra) for each in found.requires or ()]
            if not extra:
                yield found


def _repack(package: Distribution, place: Path) -> None:
    """Write the wheel of an installed package."""
    about = (package.read_text("WHEEL") or "").splitlines()
    tags = [line.removeprefix("Tag: ").split("-") for line in about if line.startswith("Tag: ")]
    tag = "-".join(".".join(sorted(set(column))) for column in zip(*tags, strict=True))
    name = re.sub(r"[-_.]+", "_", package.name).lower()
    files = [one for one in package.files or () if ".." not in one.parts and one.suffix != ".pyc"]
    (folder,) = {one.parts[0] for one in files if one.name == "WHEEL"}
    with zipfile.ZipFile(place / f"{name}-{package.version}-{tag}.whl", "w") as wheel:
        record = [f"{folder}/RECORD,,"]
        for one in files:
            if one.parts[0] != folder or one.name not in LEFT_OUT:
                data = one.read_binary()
                digest = (
                    base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                )
                record.append(f"{one.as_posix()},sha256={digest},{len(data)}")
                wheel.writestr(one.as_posix(), data)
        wheel.writestr(f"{folder}/RECORD", "\n".join([*record, ""]))
