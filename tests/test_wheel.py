"""The built package: nothing of the source tree is forgotten in it, and it works where it is installed."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without the network."""
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert 0 == built.returncode, built.stderr
    (path,) = place.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with the wheel in it, and with the packages of this one behind it."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, with_pip=False, symlinks=sys.platform != "win32")
    paths = sysconfig.get_paths("venv", vars={"base": str(place), "platbase": str(place)})
    site = Path(paths["purelib"])
    with zipfile.ZipFile(wheel) as archive:  # a wheel of Python alone is installed by unpacking it
        archive.extractall(site)
    (site / "packages.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return Path(paths["scripts"]) / ("python.exe" if sys.platform == "win32" else "python")


def ask(python: Path, code: str) -> str:
    """What this code prints under that Python, run away from the checkout; a warning is an error."""
    command = [str(python), "-I", "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=python.parent, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_every_file_of_the_source_is_in_the_wheel(wheel: Path) -> None:
    """Python, data, plays, pages, glyphs and fonts: what is under src is in the wheel, byte for byte, and no more.

    So are the games of one page, which lie among the docs.

    The tests of games alone are left out.
    """
    here = {
        path.relative_to(SOURCE).as_posix(): path.read_bytes()
        for path in (SOURCE / "storypool").rglob("*")
        if path.is_file() and not {"__pycache__", "tests"} & set(path.parts[len(SOURCE.parts) :])
    }
    games = SOURCE.parent / "docs" / "games"
    here |= {
        f"storypool/gamefile/games/{path.relative_to(games).as_posix()}": path.read_bytes()
        for path in games.rglob("*")
        if path.is_file()
    }
    with zipfile.ZipFile(wheel) as archive:
        there = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert sorted(here) == sorted(there)
    assert [] == [name for name in here if here[name] != there[name]]
    assert {".css", ".js", ".md", ".play", ".py", ".svg", ".toml", ".typed", ".woff2"} <= {
        Path(name).suffix for name in there
    }


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    """The wheel names its licence, its oldest Python and its command, and carries the licences of others."""
    with zipfile.ZipFile(wheel) as archive:
        about = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    assert "License-Expression: MIT" in about["METADATA"]
    assert "Requires-Python: >=3.11" in about["METADATA"]
    assert "storypool = storypool.cli:main" in about["entry_points.txt"]
    assert {"LICENSE", "LICENSES.txt", "LICENSE-fraunces.txt", "LICENSE-source-sans-3.txt"} <= set(about)


def test_the_installed_package_is_the_one_that_answers(installed: Path) -> None:
    """In the fresh environment `storypool` comes from the wheel, not from this checkout."""
    place = Path(ask(installed, "import storypool; print(storypool.__file__)"))
    assert installed.parent.parent in place.parents
    assert "0.1.0" == ask(installed, "import importlib.metadata as m; print(m.version('storypool'))")


@pytest.mark.slow
def test_the_command_of_the_wheel_answers(installed: Path) -> None:
    """The `storypool` command that the wheel brings starts in the fresh environment and shows what it can do."""
    code = (
        "import sys; from importlib.metadata import entry_points\n"
        "(command,) = {one.value: one for one in entry_points(group='console_scripts', name='storypool')}.values()\n"
        "sys.argv = ['storypool', '--help']; sys.exit(command.load()())"
    )
    answer = ask(installed, code)
    assert answer.startswith("Usage: storypool")
    assert "serve" in answer
