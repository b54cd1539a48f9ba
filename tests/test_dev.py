"""dev.py: the decisions it takes about .venv, its locks and its tools, without making one."""

import re
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).resolve().parent.parent
VENV = f"python3.{sys.version_info.minor}-venv"
Checked = list[tuple[list[str], dict[str, str]]]


def lock_file(root: Path, name: str) -> Path:
    """The requirement file of this name."""
    return root / "requirements" / f"{name}.txt"


def pins(name: str) -> dict[str, set[str]]:
    """Each `name==version` of a requirement file, without its markers, with its hashes."""
    found: dict[str, set[str]] = {}
    for line in lock_file(ROOT, name).read_text(encoding="utf-8").splitlines():
        word = line.rstrip("\\ ").strip()
        if word.startswith("--hash="):
            found[list(found)[-1]].add(word)
        elif word and not word.startswith("#"):
            found[word.partition(" ;")[0]] = set()
    return found


def stamp(root: Path) -> Path:
    """The file that says what .venv was made from."""
    return root / ".venv" / "storypool-stamp.json"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with just what an environment is made from; commands make files instead of what they would make."""
    (tmp_path / "requirements").mkdir()
    for name in dev.LOCKS:
        lock_file(tmp_path, name).write_text(f"{name}==1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    monkeypatch.setattr(dev, "starts", lambda python: python.parent.exists())
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run to make an environment."""
    commands: list[list[str]] = []

    def quietly(command: Sequence[str], doing: str) -> None:
        commands.append(list(command))
        if "venv" in command:
            dev.programs(Path(command[-1])).mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(dev, "quietly", quietly)
    return commands


def locks(commands: Sequence[Sequence[str]]) -> list[str]:
    """The names of the requirement files that these commands installed."""
    return [Path(after).stem for command in commands for part, after in pairwise(command) if part == "-r"]


def test_an_environment_is_extended_and_not_made_again(root: Path, made: list[list[str]]) -> None:
    """`test` after `run` installs what is missing and keeps the rest, and both are then content with what is there."""
    dev.prepare(root, "run")
    made.clear()
    dev.prepare(root, "test")
    assert ["run", "test"] == locks(made)
    assert all("venv" not in command for command in made)
    made.clear()
    for command in ("test", "quick", "torture", "run"):
        assert dev.programs(root / ".venv") == dev.prepare(root, command)
    assert [] == made


def test_a_changed_project_is_installed_again(root: Path, made: list[list[str]]) -> None:
    """A new command or dependency in pyproject.toml needs the checkout installed once more, in what is there."""
    dev.prepare(root, "run")
    made.clear()
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    dev.prepare(root, "run")
    assert str(root) == made[-1][-1]
    assert all("venv" not in command for command in made)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda root: stamp(root).unlink(), id="no stamp: half made"),
        pytest.param(lambda root: stamp(root).write_text('{"ground"'), id="a torn stamp"),
        pytest.param(lambda root: stamp(root).write_text("[1]"), id="a stamp that makes no sense"),
        pytest.param(lambda root: stamp(root).write_text('{"ground": "elsewhere"}'), id="a moved folder"),
        pytest.param(lambda root: lock_file(root, "run").write_text("run==2\n"), id="a changed lock"),
        pytest.param(lambda root: dev.programs(root / ".venv").rmdir(), id="no Python that starts"),
    ],
)
def test_what_cannot_be_repaired_is_made_again(
    root: Path, made: list[list[str]], spoil: Callable[[Path], object]
) -> None:
    """A half made, foreign, outdated or damaged environment is cleared first; a change of Python is one of these."""
    dev.prepare(root, "run")
    assert sys.version.split()[0] in dev.stamped(stamp(root))["ground"]
    made.clear()
    spoil(root)
    dev.prepare(root, "run")
    assert ["-m", "venv", "--clear", str(root / ".venv")] == made[0][1:]
    assert ["run"] == locks(made)


def test_a_lock_is_checked_where_it_is_needed(root: Path, made: list[list[str]]) -> None:
    """A command sees a change in a lock that it needs, and only in those."""
    dev.prepare(root, "test")
    made.clear()
    lock_file(root, "test").write_text("test==2\n", encoding="utf-8")
    dev.prepare(root, "run")
    assert [] == made
    dev.prepare(root, "test")
    assert ["run", "test"] == locks(made)


def test_a_link_in_place_of_an_environment_is_not_followed(root: Path, made: list[list[str]]) -> None:
    """A .venv that is a link to a folder is unlinked before it is cleared, and the folder keeps its files."""
    (root / "precious").mkdir()
    (root / "precious" / "file").touch()
    (root / ".venv").symlink_to(root / "precious")
    dev.prepare(root, "run")
    assert not (root / ".venv").is_symlink()
    assert ["file"] == [one.name for one in (root / "precious").iterdir()]


def test_a_missing_lock_and_a_failed_step_are_named(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that fails is named and leaves no stamp; a checkout without its locks stops with the name of the file."""

    def fail(command: Sequence[str], doing: str) -> None:
        raise dev.Stopped(f"{doing} failed.")

    monkeypatch.setattr(dev, "quietly", fail)
    monkeypatch.setattr(dev, "ROOT", root)
    assert 1 == dev.main(["run"])
    assert "Making .venv failed.\n" == capsys.readouterr().err
    assert not stamp(root).exists()
    lock_file(root, "run").unlink()
    assert 1 == dev.main(["run"])
    assert "run.txt" in capsys.readouterr().err


def test_packages_are_checked_by_hash_and_the_checkout_asks_no_index(root: Path, made: list[list[str]]) -> None:
    """The locks are installed by hash, the checkout editable, without a resolver and without the network."""
    python = str(dev.prepare(root, "test") / "python")
    _, archives, package = made
    files = [part for name in ("run", "test") for part in ("-r", str(lock_file(root, name)))]
    assert ["--require-hashes", *files] == archives[-5:]
    assert {"--no-deps", "--no-build-isolation", "-e", "--no-index"} <= set(package)
    assert [python, python] == [archives[0], package[0]]


def test_settings_that_mislead_an_installer_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's mirrors, proxies and certificates stay; what would install or import from elsewhere goes."""
    kept = {"PATH": "/bin", "PIP_INDEX_URL": "mirror", "PIP_CERT": "ca", "PIP_FIND_LINKS": "wheels"}
    dropped = ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PIP_TARGET", "PIP_USER", "VIRTUAL_ENV")
    monkeypatch.setattr("os.environ", kept | dict.fromkeys(dropped, "x"))
    assert kept == dev.clean_environ()


def test_arguments_are_passed_on_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows the command belongs to the program it starts; one leading `--` is only a divider."""
    started: list[Sequence[str]] = []
    monkeypatch.setattr(dev, "become", started.append)
    monkeypatch.setattr(dev, "prepare", lambda root, command: Path("bin"))
    monkeypatch.setattr("os.chdir", lambda folder: None)
    monkeypatch.setitem(dev.COMMANDS, "test", started.append)
    for line in ("run --local", "run demo --port 0", "bench odds", "torture -- --quick", "test -- -k a", "test --help"):
        dev.main(line.split())
    assert [
        ["bin/storypool", "serve", "--local"],
        ["bin/storypool", "demo", "--port", "0"],
        ["bin/python", "-m", "benchmarks", "odds"],
        ["bin/python", "-m", "tools.torture", "--quick"],
        ["-k", "a"],
        ["--help"],
    ] == started


@pytest.mark.parametrize("arguments", [[], ["serve"], ["--local"]])
def test_an_unknown_command_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Misuse exits 2 and names the commands that there are."""
    assert 2 == dev.main(arguments)
    printed = capsys.readouterr().err
    assert 1 == printed.count("\n")
    assert all(command in printed for command in dev.COMMANDS)


def test_a_python_that_does_not_start_is_recognised(tmp_path: Path) -> None:
    """A Python that is not there, or is a dangling link, does not start; the one of these tests does."""
    assert not dev.starts(tmp_path / "python")
    (tmp_path / "python").symlink_to(tmp_path / "gone")
    assert not dev.starts(tmp_path / "python")
    assert dev.starts(Path(sys.executable))


def test_only_one_command_prepares_the_environment(tmp_path: Path) -> None:
    """While one holds the lock file no other gets it, and it is free again afterwards."""
    with dev.alone(tmp_path / "lock"), pytest.raises(sqlite3.OperationalError), dev.alone(tmp_path / "lock", 0):
        pass
    with dev.alone(tmp_path / "lock", 0):
        pass


def test_a_failing_step_shows_its_output(capfd: pytest.CaptureFixture[str]) -> None:
    """When a program fails, its own words come first and then one sentence with the step and the command."""
    with pytest.raises(dev.Stopped, match=r"Doing it failed \(exit 3\).*It was: "):
        dev.quietly([sys.executable, "-c", "import sys; print('the reason'); sys.exit(3)"], "Doing it")
    assert "the reason\n" == capfd.readouterr().err
    with pytest.raises(dev.Stopped, match="nowhere cannot be started"):
        dev.quietly(["nowhere"], "Doing it")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What apt installs, for root, on a system that lacks everything until then."""
    packages: list[str] = []

    def find(package: str) -> str | None:
        return "here" if package in packages else None

    monkeypatch.setattr(dev, "find_pip", lambda: find(VENV))
    monkeypatch.setattr(dev, "find_browser", lambda: find(dev.HEADLESS))
    monkeypatch.setattr(dev, "find_postgres", lambda: find("postgresql"))
    monkeypatch.setattr(dev, "find_pgbouncer", lambda: find("pgbouncer"))
    monkeypatch.setattr(dev, "quietly", lambda command, doing: packages.append(command[-1]))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return packages


def test_as_root_on_debian_what_is_missing_is_installed(installed: list[str]) -> None:
    """Where apt may be used, it is used, and the user is not asked."""
    dev.ensure_pip()
    assert ["update", VENV] == installed
    assert "here" == dev.ensure_browser()
    assert ["update", dev.HEADLESS] == installed[2:]
    assert "here" == dev.ensure_postgres()
    assert ["update", "postgresql", "update", "pgbouncer"] == installed[4:]


@pytest.mark.parametrize(
    ("ensure", "names"),
    [
        (dev.ensure_pip, rf"apt-get install {re.escape(VENV)}\)"),
        (dev.ensure_browser, r"apt-get install chromium-headless-shell\)"),
        (dev.ensure_postgres, r"apt-get install postgresql\).*STORYPOOL_WITHOUT_POSTGRES=1"),
    ],
)
def test_without_root_what_is_missing_is_named(
    installed: list[str], ensure: Callable[[], object], names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is a failure that says what to install, and how to go without, never a skip."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(dev.Stopped, match=names):
        ensure()
    assert [] == installed


def test_the_tests_start_without_pgbouncer_too(installed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it cannot be installed, as without a network, its few tests are skipped and named."""

    def fail(command: Sequence[str], doing: str) -> None:
        raise dev.Stopped(f"{doing} failed.")

    installed.append("postgresql")
    monkeypatch.setattr(dev, "quietly", fail)
    assert "here" == dev.ensure_postgres()


def test_what_a_variable_names_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser or a server that a variable names is used, and no other in its place."""
    for name in ("STORYPOOL_CHROMIUM", "STORYPOOL_POSTGRES"):
        monkeypatch.setenv(name, "no-such-place")
    assert [None, None] == [dev.find_browser(), dev.find_postgres()]
    monkeypatch.setenv("STORYPOOL_CHROMIUM", sys.executable)
    assert sys.executable == dev.find_browser()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Checked:
    """The checks that were run, each with its environment; the lint fails."""
    ran: Checked = []

    def run(command: list[str], env: dict[str, str], **more: object) -> subprocess.CompletedProcess[str]:
        ran.append((command, env))
        return subprocess.CompletedProcess(command, "check" in command)

    for name in ("STORYPOOL_WITHOUT_POSTGRES", "STORYPOOL_PART"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(dev, "prepare", lambda root, command: Path("bin"))
    monkeypatch.setattr(dev, "ensure_browser", lambda: "/usr/bin/chromium")
    monkeypatch.setattr(dev, "ensure_postgres", lambda: "/usr/lib/postgresql/15/bin")
    monkeypatch.setattr(dev, "part_of_commit", lambda: "3")
    monkeypatch.setattr(subprocess, "run", run)
    return ran


def test_every_check_runs_also_after_one_has_failed(checked: Checked, capsys: pytest.CaptureFixture[str]) -> None:
    """The stages are lint, format, types and tests over all code; pytest gets the arguments, and the browser."""
    assert 1 == dev.test(["-k", "destiny"])
    lint, form, types, tests = checked
    assert ["bin/python", "-m", "ruff", "check", *dev.CODE] == lint[0]
    assert "--check" in form[0]
    assert ["bin/python", "-m", "mypy", "--strict", *dev.CODE] == types[0]
    assert ["-k", "destiny"] == tests[0][-2:]
    assert "-m" not in tests[0][3:]
    chosen = {"CHROMIUM": "/usr/bin/chromium", "POSTGRES": "/usr/lib/postgresql/15/bin", "PART": "3"}
    assert chosen == {name: tests[1][f"STORYPOOL_{name}"] for name in chosen}
    assert "1 of 4 failed." in capsys.readouterr().out
    assert all((ROOT / name).exists() for name in dev.CODE)


def test_everything_is_run_where_it_is_asked_for(checked: Checked) -> None:
    """With --all no part of the exhaustive tests is chosen, and pytest does not see that word."""
    dev.test(["--all", "-x"])
    tests, environ = checked[-1]
    assert ["-x"] == tests[-1:]
    assert "--all" not in tests
    assert "STORYPOOL_PART" not in environ


def test_a_quick_check_needs_no_browser(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """`quick` runs the same stages without the tests of a browser and those marked slow, and tries less at random."""
    monkeypatch.setattr(dev, "find_postgres", lambda: None)
    monkeypatch.delenv("STORYPOOL_CHROMIUM", raising=False)
    dev.quick(["-x"])
    assert 4 == len(checked)
    tests, environ = checked[-1]
    assert ["-m", "not browser and not slow", "-x"] == tests[-3:]
    assert ["1", "10"] == [environ["STORYPOOL_WITHOUT_POSTGRES"], environ["STORYPOOL_ONE_IN"]]
    assert "STORYPOOL_CHROMIUM" not in environ


def test_a_commit_chooses_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The part follows from the commit's hash; outside a checkout there is none, and all is run."""
    hashes = ["00000007" + "0" * 32, "0000000a" + "f" * 32]
    answers = iter([subprocess.CompletedProcess([], 0, f"{one}\n") for one in hashes])
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda *_, **__: next(answers))
        assert ["2", "0"] == [dev.part_of_commit(), dev.part_of_commit()]
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    assert "" == dev.part_of_commit()


def test_an_older_python_gets_one_sentence() -> None:
    """dev.py parses down to Python 3.7, so that the sentence about the version is what an older Python prints."""
    code = f"import ast, pathlib; ast.parse(pathlib.Path({str(ROOT / 'dev.py')!r}).read_text(), feature_version=(3, 7))"
    assert b"" == subprocess.run([sys.executable, "-c", code], capture_output=True).stderr
    old = "import runpy, sys; sys.version_info = (3, 9, 2); sys.version = '3.9.2 old'; runpy.run_path('dev.py')"
    ended = subprocess.run([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True)
    assert 1 == ended.returncode
    assert "Storypool needs Python 3.11 or newer, and this is 3.9.2: run dev.py with a newer one.\n" == ended.stderr


@pytest.mark.parametrize("name", dev.LOCKS)
def test_the_locks_hold_hashes_and_no_address(name: str) -> None:
    """Every pin of a lock has a hash, and nothing in it says where to fetch from."""
    text = lock_file(ROOT, name).read_text(encoding="utf-8")
    assert [] == [mark for mark in ("://", "--index", "--find-links", "--trusted-host", "file:", " @ ") if mark in text]
    assert [] == [pin for pin, hashes in pins(name).items() if not hashes]
    assert f"requirements/{name}.txt" in dev.MODULES["audit"]


@pytest.mark.parametrize("name", ["test", "bench", "audit"])
def test_the_locks_agree(name: str) -> None:
    """Each larger lock has the packages of `run` in the same versions with the same hashes."""
    assert pins("run").items() <= pins(name).items()


def test_every_dependency_is_locked() -> None:
    """What pyproject.toml asks for, and what building it needs, is pinned in the lock that has to hold it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    assert sorted(dev.LOCKS) == sorted(path.stem for path in (ROOT / "requirements").glob("*.txt"))
    for name, (wanted, _) in dev.LOCKS.items():
        asked = [*project["project"]["dependencies"], *(one for extra in wanted for one in extras[extra])]
        names = {re.split(r"[>\[]", one)[0] for one in asked}
        assert names <= {pin.partition("==")[0] for pin in pins(name)}
    assert set(project["build-system"]["requires"]) <= set(extras["build"])


def test_the_build_runs_the_readmes_command() -> None:
    """.ci/run is the command that people are asked to use, started by bash and strict about failures."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert "python3 dev.py test" in text
