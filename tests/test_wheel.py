"""The built package: reproducible, complete, and working alone."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from storypool import __version__
from storypool.web.app import interface
from storypool.web.help.contents import located, pages
from storypool.web.help.help_site import WRITTEN, Site
from tests import wheelhouse
from tests.fixed_set import cases
from tests.wheelhouse import EXTRAS, ROOT, UV
from tools.index_page import LINK

pytestmark = pytest.mark.slow
SOURCE = ROOT / "src"
LOG = ROOT / "tests" / "logs" / "events-dice.jsonl"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A local index: this checkout's wheel and sdist, and wheels of all requirements and extras."""
    place = tmp_path_factory.mktemp("wheels")
    wheelhouse.build(ROOT, place)
    wheelhouse.collect(
        place,
        [*wheelhouse.PROJECT["dependencies"], *(one for each in EXTRAS.values() for one in each)],
    )
    return place


def wheel_in(place: Path) -> zipfile.ZipFile:
    """The open wheel of Storypool in a folder."""
    return zipfile.ZipFile(next(place.glob("storypool-*.whl")))


def install(built: Path, place: Path, *packages: str) -> Path:
    """The program folder of a new environment with only these packages and requirements."""
    variables = wheelhouse.environ(UV_FIND_LINKS=str(built), UV_CACHE_DIR=str(built / "cache"))
    for command in (["venv", str(place)], ["pip", "install", "--python", str(place), *packages]):
        done = subprocess.run([UV, *command], env=variables, capture_output=True, text=True)
        assert 0 == done.returncode, done.stderr
    return place / ("Scripts" if sys.platform == "win32" else "bin")


@pytest.fixture(scope="module")
def bare(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with Storypool and no extra."""
    return install(built, tmp_path_factory.mktemp("bare") / "venv", "storypool")


def run(
    program: Path | str, *words: str | Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program outside the checkout, with its whole output as text."""
    environ = wheelhouse.environ(**variables)
    return subprocess.run(
        [program, *words], env=environ, cwd=Path(program).parent, capture_output=True, text=True
    )


def ask(python: Path, code: str) -> str:
    """The output of this code under that Python, where a warning is an error."""
    done = run(python, "-I", "-W", "error", "-c", code)
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


@contextmanager
def serving(*command: str | Path, **variables: str) -> Iterator[str]:
    """The address of a running server, or its output if it ends first."""
    environ = wheelhouse.environ(**variables)
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(list(command), env=environ, text=True, **both) as process:  # type: ignore[call-overload]
        try:
            lines = []
            while line := process.stdout.readline():
                lines.append(line)
                if found := re.search("Storypool is at (.*)", line):
                    lines = [found[1]]
                    break
            yield "".join(lines)
        finally:
            process.send_signal(signal.SIGTERM)
            process.stdout.read()


@pytest.mark.exhaustive
def test_build_is_reproducible(built: Path, tmp_path: Path) -> None:
    """Wheel and sdist have equal bytes from the sdist, elsewhere and by another user."""
    with tarfile.open(next(built.glob("storypool-*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    for file in source.rglob("*"):
        file.chmod(file.stat().st_mode & 0o700)
    again = wheelhouse.build(
        source, tmp_path / "again", TZ="Pacific/Auckland", LANG="tr_TR.UTF-8", PYTHONHASHSEED="7"
    )
    assert [True, True] == [file.read_bytes() == (built / file.name).read_bytes() for file in again]
    other = wheelhouse.build(
        source, tmp_path / "other", SOURCE_DATE_EPOCH=str(wheelhouse.EPOCH + 86400)
    )
    assert [False, False] == [
        file.read_bytes() == (built / file.name).read_bytes() for file in other
    ]


def test_wheel_has_every_source_file(built: Path) -> None:
    """Everything under src is in it byte for byte, and nothing else.

    So are the docs, next to the help's pages, but not tests of games and the README's picture.
    """
    here = {
        path.relative_to(SOURCE).as_posix(): path.read_bytes()
        for path in (SOURCE / "storypool").rglob("*")
        if path.is_file() and not {"__pycache__", "tests"} & set(path.parts[len(SOURCE.parts) :])
    }
    outside = [
        *(ROOT / "docs").rglob("*"),
        *(ROOT / page.file for page in pages().values() if "/" not in page.file and not page.made),
    ]
    here |= {
        f"storypool/{path.relative_to(ROOT).as_posix()}": path.read_bytes()
        for path in outside
        if path.is_file() and "__pycache__" not in path.parts and path.name != "check.png"
    }
    with wheel_in(built) as archive:
        there = {
            name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name
        }
    assert sorted(here) == sorted(there)
    assert [] == [name for name in here if here[name] != there[name]]
    named = {
        key.removeprefix("src/storypool/")
        for key in Site(WRITTEN, interface).named
        if located(key).is_file()
    }
    assert set() == {f"storypool/{key}" for key in named} - there.keys()
    assert {".css", ".js", ".md", ".play", ".py", ".svg", ".toml", ".typed", ".woff2"} <= {
        Path(name).suffix for name in there
    }


def test_wheel_has_its_metadata(built: Path) -> None:
    """It names its licence, oldest Python, command and extras, and has others' licences."""
    with wheel_in(built) as archive:
        about = {
            Path(name).name: archive.read(name).decode()
            for name in archive.namelist()
            if ".dist-info/" in name
        }
    assert "License-Expression: MIT" in about["METADATA"]
    assert "Requires-Python: >=3.11" in about["METADATA"]
    assert sorted(EXTRAS) == sorted(
        re.findall("^Provides-Extra: (.*)", about["METADATA"], re.MULTILINE)
    )
    assert "storypool = storypool.cli:main" in about["entry_points.txt"]
    assert "Project-URL" not in about["METADATA"]
    assert "For players: all you need" in about["METADATA"]
    assert not LINK.search(about["METADATA"])
    assert {"LICENSE", "LICENSES.txt", "LICENSE-fraunces.txt", "LICENSE-source-sans-3.txt"} <= set(
        about
    )


@pytest.mark.exhaustive
def test_pip_installs_a_working_command(built: Path, tmp_path: Path) -> None:
    """`pip install storypool` works in an empty environment without a compiler."""
    subprocess.run(
        [UV, "venv", tmp_path / "venv"], env=wheelhouse.environ(), capture_output=True, check=True
    )
    programs = tmp_path / "venv" / "bin"
    pip = run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        programs / "python",
        "install",
        "--no-compile",
        "storypool",
        PIP_FIND_LINKS=str(built),
    )
    assert 0 == pip.returncode, pip.stderr
    place = Path(ask(programs / "python", "import storypool; print(storypool.__file__)"))
    assert tmp_path in place.parents
    assert f"storypool {__version__}" == run(programs / "storypool", "--version").stdout.strip()
    assert "serve" in run(programs / "storypool", "--help").stdout


@pytest.mark.exhaustive
def test_uvx_runs_a_demo(built: Path, tmp_path: Path) -> None:
    """`uvx storypool demo` serves a scene under way, with its page and the help."""
    places = {
        "UV_FIND_LINKS": str(built),
        "UV_CACHE_DIR": str(built / "cache"),
        "UV_TOOL_DIR": str(tmp_path),
    }
    with serving(
        UV.with_name("uvx"), "storypool", "demo", "--local", "--no-browser", "--port", "0", **places
    ) as address:
        assert "<title>" in httpx.get(address, trust_env=False).text
        for name in ("hosting", "security", "dune", "docs/example/lantern/game.py"):
            assert 200 == httpx.get(f"{address}/help/{name}", trust_env=False).status_code


@pytest.mark.exhaustive
def test_pipx_installs_it(built: Path, tmp_path: Path) -> None:
    """`pipx install storypool` puts the command in the user's program folder."""
    places = {
        "PIPX_HOME": str(tmp_path / "home"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "PIPX_DEFAULT_BACKEND": "uv",
    }
    places |= {"UV_FIND_LINKS": str(built), "UV_CACHE_DIR": str(built / "cache")}
    done = run(UV.with_name("pipx"), "install", "storypool", **places)
    assert 0 == done.returncode, done.stderr
    assert "%" in run(tmp_path / "bin" / "storypool", "odds", "dune", "2d20", "target=14").stdout


@pytest.mark.exhaustive
def test_odds_need_only_python(built: Path, tmp_path: Path) -> None:
    """`storypool.odds` and a game's rules work without other packages."""
    programs = install(built, tmp_path / "venv", "--no-deps", "storypool")
    code = "from storypool.odds import d, ge, odds; print(odds(2 @ d(6)).p(ge(7)))"
    assert "7/12" == ask(programs / "python", code)
    assert "7997/12288" == ask(
        programs / "python",
        "from storypool.odds import ge; from storypool.systems import get\n"
        "print(get('starwars').odds('2A1P/2D').p(success=ge(1)))",
    )
    assert 0 != run(programs / "python", "-c", "import click").returncode


USES = {
    "client": ("table", "sit", "/join#link=abc", "--name", "Ann"),
    "discord": ("discord", "setup"),
    "metrics": (
        "serve",
        "--metrics",
        "127.0.0.1:{port}",
        "--local",
        "--no-browser",
        "--port",
        "0",
        "--data",
        "{folder}",
    ),
    "pictures": ("recap", str(LOG), "--png", "{folder}/recap.png"),
    "postgres": ("check", "--data", "postgresql:///none?target_session_attrs=standby"),
    "sampling": ("-c", "from storypool.odds.sampling import sample"),
}
"""A command for each extra; the last is Python code."""
BROUGHT = ("client", "discord")
"""The extra that another one has in it, and that other one."""


@pytest.mark.parametrize("extra", cases(("", *EXTRAS), ("",)))
def test_each_extra_is_sufficient(extra: str, built: Path, bare: Path, tmp_path: Path) -> None:
    """One extra or none works, and commands of others name them in one sentence."""
    programs = install(built, tmp_path / "venv", f"storypool[{extra}]") if extra else bare
    assert EXTRAS.keys() == USES.keys()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for wanted, words in USES.items():
        program = programs / ("python" if wanted == "sampling" else "storypool")
        command: list[str | Path] = [
            program,
            *(word.format(port=port, folder=tmp_path) for word in words),
        ]
        if wanted == extra == "metrics":
            # They are served a moment after the address is printed.
            with (
                serving(*command),
                httpx.Client(transport=httpx.HTTPTransport(retries=10)) as client,
            ):
                assert (
                    "storypool_moves_total 0.0"
                    in client.get(f"http://127.0.0.1:{port}/metrics").text
                )
            continue
        done = run(program, *command[1:])
        there = wanted == extra or (wanted, extra) == BROUGHT
        assert (f"storypool[{wanted}]" in done.stderr) == (not there), done.stderr
        if not there:
            assert "Traceback" not in done.stderr or wanted == "sampling"
        elif wanted == "pictures":
            assert b"\x89PNG" == (tmp_path / "recap.png").read_bytes()[:4]
        elif wanted == "discord":
            assert "New Application" in done.stdout
        elif wanted == "client":
            assert "is not a link to a table" in done.stderr
        elif wanted == "postgres":  # what PostgreSQL would say of a database that is there
            assert "asks for target_session_attrs" in done.stderr
        else:
            assert 0 == done.returncode, done.stderr
