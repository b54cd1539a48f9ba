"""Games of other packages: installed copies of the tests' small game."""

from __future__ import annotations

import importlib
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from storypool import systems
from storypool.contract.material import material
from storypool.engine.folder import rows

TINY = Path(__file__).parent / "games" / "tiny"
EXAMPLE = Path(__file__).parent.parent / "docs" / "example"
KEY = "coins"
"""The key of a copy."""


def copied(
    place: Path, changes: Mapping[str, tuple[str, str]] = {}, package: str = "coins_elsewhere"
) -> Path:
    """The folder of a game's copy in a new package with its announcement.

    `changes` replaces a text in a file of it, by the name of the file; each must exist.
    """
    folder = place / package
    shutil.copytree(TINY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.rglob("*"):
        if file.suffix in (".py", ".play", ".md"):
            text = file.read_text(encoding="utf-8").replace("tests.games.tiny", package)
            for named in ('"tiny"', "table tiny", "rules tiny"):
                text = text.replace(named, named.replace("tiny", KEY))
            file.write_text(text, encoding="utf-8")
    for name, (old, new) in changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text, f"{old} is not in {name}"
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    announce(place, package, KEY)
    return folder


def announce(place: Path, package: str, key: str) -> None:
    """Write an installer's metadata for the game of a package."""
    announced = place / f"{package}-1.dist-info"
    announced.mkdir()
    (announced / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n", encoding="utf-8"
    )
    (announced / "entry_points.txt").write_text(
        f"[{systems.GROUP}]\n{key} = {package}\n", encoding="utf-8"
    )


def example(place: Path) -> Path:
    """The folder of the docs' example game, announced by its own project file."""
    announced = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    for key, package in announced["project"]["entry-points"][systems.GROUP].items():
        shutil.copytree(
            EXAMPLE / package, place / package, ignore=shutil.ignore_patterns("__pycache__")
        )
        announce(place, package, key)
    return place / "lantern"


@contextmanager
def installed(place: Path, package: str = "coins_elsewhere") -> Iterator[None]:
    """Make the packages of this folder importable, and remove them afterwards."""
    sys.path.insert(0, str(place))
    _forget(package)
    try:
        yield
    finally:
        sys.path.remove(str(place))
        _forget(package)


def _forget(package: str) -> None:
    importlib.invalidate_caches()
    systems.look_again()
    material.cache_clear()
    rows.cache_clear()
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
