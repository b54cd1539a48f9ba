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


def lock_file(root: Path, name: str) -> Path:
    """The requirement file of this name."""
    return root / "requirements" / f"{name}.txt"


def pins(name: str) -> dict[str, set[str]]:
    """Each `name==version ; marker` of a requirement file with its hashes."""
    found: dict[str, set[str]] = {}
    for line in lock_file(ROOT, name).read_text(encoding="utf-8").splitlines():
        word = line.rstrip("\\ ").strip()
        if word.startswith("--hash="):
            found[list(found)[-1]].add(word)
        elif word and not word.startswith("#"):
            found[word] = set()
    return found


def versions(name: str) -> set[str]:
    """Each `name==version` of a requirement file, without its markers."""
    return {pin.partition(" ;")[0] for pin in pins(name)}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with just what an environment is made from; commands make files instead of what they would make."""
    (tmp_path / "requirements").mkdir()
    for name in dev.LOCKS:
        lock_file(tmp_path, name).write_text(f"{name}==1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    monkeypatch.setattr(dev, "works", lambda folder: dev.programs(folder).exists())
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run to make an environment; where one names `broken`, it fails."""
    commands: list[list[str]] = []

    def quietly(command: Sequence[str], doing: str) -> None:
        commands.append(list(command))
        if "broken" in command:
            raise dev.Stopped(f"{doing} failed.")
        if "venv" in command:
            dev.programs(Path(command[-1])).mkdir(parents=True)

    monkeypatch.setattr(dev, "quietly", quietly)
    return commands


def locks(commands: Sequence[Sequence[str]]) -> list[str]:
    """The names of the requirement files that these commands installed."""
    return [Path(after).stem for command in commands for part, after in pairwise(command) if part == "-r"]


def test_an_environment_as_wanted_needs_nothing(root: Path, made: list[list[str]]) -> None:
    """A whole environment that fits is left as it is, by a command that needs less of it too."""
    dev.prepare(root, "test", None)
    assert ["run", "test"] == locks(made)
    made.clear()
    for command in ("test", "quick", "run"):
        assert dev.programs(root / ".venv") == dev.prepare(root, command, None)
    assert [] == made


def test_a_lock_not_yet_installed_is_added(root: Path, made: list[list[str]]) -> None:
    """`test` after `run` installs what is missing and keeps the rest, and `run` is content with both."""
    dev.prepare(root, "run", None)
    made.clear()
    dev.prepare(root, "test", None)
    assert ["test"] == locks(made)
    assert all("venv" not in command for command in made)
    made.clear()
    dev.prepare(root, "run", None)
    assert [] == made


def test_a_changed_project_is_installed_again_and_nothing_else(root: Path, made: list[list[str]]) -> None:
    """A new command or dependency in pyproject.toml needs the checkout installed once more; locks are locks."""
    dev.prepare(root, "run", None)
    made.clear()
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    dev.prepare(root, "run", None)
    assert [str(root)] == [command[-1] for command in made]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda root: dev.stamp(root / ".venv").unlink(), id="no stamp: half made"),
        pytest.param(lambda root: dev.stamp(root / ".venv").write_text('{"ground"'), id="a torn stamp"),
        pytest.param(lambda root: dev.stamp(root / ".venv").write_text("[1]"), id="a stamp that makes no sense"),
        pytest.param(lambda root: lock_file(root, "run").write_text("run==2\n"), id="a changed lock"),
        pytest.param(lambda root: dev.programs(root / ".venv").rmdir(), id="no Python that starts"),
        pytest.param(lambda root: dev.stamp(root / ".venv").write_text('{"ground": "elsewhere"}'), id="a moved folder"),
    ],
)
def test_what_cannot_be_mended_is_made_anew(root: Path, made: list[list[str]], spoil: Callable[[Path], object]) -> None:
    """A half made, foreign, outdated or damaged environment is not patched."""
    dev.prepare(root, "run", None)
    made.clear()
    spoil(root)
    dev.prepare(root, "run", None)
    assert ["-m", "venv", str(root / ".venv")] == made[0][1:]
    assert ["run"] == locks(made)


def test_a_lock_is_looked_at_where_it_is_needed(root: Path, made: list[list[str]]) -> None:
    """A command sees a change in a lock that it needs, and only in those."""
    dev.prepare(root, "test", None)
    made.clear()
    lock_file(root, "test").write_text("test==2\n", encoding="utf-8")
    dev.prepare(root, "run", None)
    assert [] == made
    dev.prepare(root, "test", None)
    assert ["run", "test"] == locks(made)


def test_a_missing_lock_is_said(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkout without its locks stops with the name of the file."""
    monkeypatch.setattr(dev, "ROOT", root)
    lock_file(root, "run").unlink()
    assert 1 == dev.main(["run"])
    assert "run.txt" in capsys.readouterr().err


def test_where_uv_fails_pip_makes_it(root: Path, made: list[list[str]]) -> None:
    """uv is used where it is found; without it, and after it failed, pip, in an environment of its own."""
    dev.prepare(root, "run", "broken")
    assert ["--without-pip"] == made[0][3:-1]
    assert [] == made[2][3:-1]
    assert ["broken"] == [command[0] for command in made if "broken" in command]
    assert all(command[1:4] == ["-m", "pip", "install"] for command in made[3:])


def test_where_pip_fails_the_person_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the last attempt the reason goes to the person, and the environment stays half made."""

    def fails(command: Sequence[str], doing: str) -> None:
        raise dev.Stopped(f"{doing} failed.")

    monkeypatch.setattr(dev, "quietly", fails)
    with pytest.raises(dev.Stopped, match=r"Making \.venv failed"):
        dev.prepare(root, "run", "/usr/bin/uv")
    assert {} == dev.stamped(root / ".venv")


@pytest.mark.parametrize("uv", [None, "/usr/bin/uv"])
def test_locked_packages_are_checked_by_hash_and_the_checkout_asks_no_index(
    root: Path, made: list[list[str]], uv: str | None
) -> None:
    """Whatever installs: the locks by hash, the checkout editable, without a resolver and without the network."""
    python = str(dev.prepare(root, "test", uv) / "python")
    _, archives, package = made
    files = [part for name in ("run", "test") for part in ("-r", str(lock_file(root, name)))]
    assert ["--require-hashes", *files] == archives[-5:]
    assert {"--no-deps", "--no-build-isolation", "-e", "--offline" if uv else "--no-index"} <= set(package)
    assert python in archives
    assert python in package


def test_settings_that_lead_an_installer_astray_are_dropped() -> None:
    """The caller's mirrors, proxies and certificates stay; what would install elsewhere goes."""
    kept = {
        "PATH": "/bin",
        "PIP_INDEX_URL": "mirror",
        "PIP_CERT": "ca",
        "PIP_FIND_LINKS": "wheels",
        "UV_INDEX_URL": "mirror",
    }
    astray = {
        "PYTHONPATH": "x",
        "PYTHONHOME": "x",
        "PIP_TARGET": "x",
        "PIP_USER": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "UV_SYSTEM_PYTHON": "1",
        "VIRTUAL_ENV": "x",
    }
    assert kept == dev.clean_environ(kept | astray)


def test_arguments_are_passed_on_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows the command belongs to the program it starts; one leading `--` is only a divider."""
    passed: list[list[str]] = []

    def keep(rest: Sequence[str]) -> int:
        passed.append(list(rest))
        return 0

    for name in ("run", "test", "bench"):
        monkeypatch.setitem(dev.COMMANDS, name, keep)
    for arguments in (["run", "--local", "--port", "0"], ["test", "--", "-k", "a -- b"], ["test", "--help"], ["bench"]):
        assert 0 == dev.main(arguments)
    assert [["--local", "--port", "0"], ["-k", "a -- b"], ["--help"], []] == passed


@pytest.mark.parametrize("arguments", [[], ["serve"], ["--local"]])
def test_a_command_that_is_not_there_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Misuse exits 2 and names the commands that there are."""
    assert 2 == dev.main(arguments)
    said = capsys.readouterr().err
    assert 1 == said.count("\n")
    assert all(command in said for command in dev.COMMANDS)


def test_the_environment_is_told_from_its_ruins(tmp_path: Path) -> None:
    """A .venv whose Python is not there, or is a dangling link, does not work; the one of these tests does."""
    ruin = tmp_path / ".venv"
    assert not dev.works(ruin)
    dev.programs(ruin).mkdir(parents=True)
    (dev.programs(ruin) / "python").symlink_to(tmp_path / "gone")
    assert not dev.works(ruin)
    assert dev.works(Path(sys.prefix))


def test_removing_an_environment_follows_no_link(tmp_path: Path) -> None:
    """A .venv that is a link to a folder is unlinked, and the folder it leads to keeps its files."""
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (tmp_path / ".venv").symlink_to(tmp_path / "precious")
    dev.remove(tmp_path / ".venv")
    assert not (tmp_path / ".venv").exists()
    assert (tmp_path / "precious" / "file").exists()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    dev.remove(tmp_path / ".venv")
    assert not (tmp_path / ".venv").exists()
    dev.remove(tmp_path / ".venv")


def test_only_one_prepares_the_environment(tmp_path: Path) -> None:
    """While one holds the lock file nobody else gets it, and it is free again afterwards."""
    with dev.alone(tmp_path / "lock"), pytest.raises(sqlite3.OperationalError), dev.alone(tmp_path / "lock", 0):
        pass
    with dev.alone(tmp_path / "lock", 0):
        pass


def test_a_failing_step_shows_what_it_said(capfd: pytest.CaptureFixture[str]) -> None:
    """When a program fails, its own words come first and then one sentence with the step and the command."""
    with pytest.raises(dev.Stopped, match=r"Doing it failed \(exit 3\).*It was: "):
        dev.quietly([sys.executable, "-c", "import sys; print('the reason'); sys.exit(3)"], "Doing it")
    assert "the reason\n" == capfd.readouterr().err
    with pytest.raises(dev.Stopped, match="nowhere cannot be started"):
        dev.quietly(["nowhere"], "Doing it")


def test_without_ensurepip_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no virtual environment can be made and no package be installed, the person is told which one to install."""
    monkeypatch.setattr(dev, "has_pip", lambda: False)
    monkeypatch.setattr(dev, "may_apt", lambda: False)
    with pytest.raises(dev.Stopped, match=rf"apt-get install python3\.{sys.version_info.minor}-venv"):
        dev.ensure_pip()


def test_as_root_on_debian_ensurepip_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where apt may be used, it is used, and the person is not asked."""
    installed: list[str] = []
    monkeypatch.setattr(dev, "has_pip", lambda: bool(installed))
    monkeypatch.setattr(dev, "may_apt", lambda: True)
    monkeypatch.setattr(dev, "apt", installed.append)
    dev.ensure_pip()
    assert [f"python3.{sys.version_info.minor}-venv"] == installed


def test_without_a_browser_the_tests_do_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing Chromium is a failure that says what to install, never a skip."""
    monkeypatch.setenv("STORYPOOL_CHROMIUM", "no-such-browser")
    monkeypatch.setattr(dev, "may_apt", lambda: False)
    with pytest.raises(dev.Stopped, match="apt-get install chromium"):
        dev.ensure_browser()


def test_without_postgresql_the_tests_do_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing server is a failure that says what to install and how to go without, never a skip."""
    monkeypatch.setenv("STORYPOOL_POSTGRES", "no-such-folder")
    monkeypatch.setattr(dev, "may_apt", lambda: False)
    with pytest.raises(dev.Stopped, match=r"apt-get install postgresql.*STORYPOOL_WITHOUT_POSTGRES=1"):
        dev.ensure_postgres()


def test_as_root_on_debian_postgresql_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where apt may be used, it is used, and the person is not asked."""
    installed: list[str] = []
    monkeypatch.setattr(dev, "find_postgres", lambda: "/usr/lib/postgresql/15/bin" if installed else None)
    monkeypatch.setattr(dev, "may_apt", lambda: True)
    monkeypatch.setattr(dev, "apt", installed.append)
    monkeypatch.setattr(dev, "find_pgbouncer", lambda: None)
    assert "/usr/lib/postgresql/15/bin" == dev.ensure_postgres()
    assert ["postgresql", "pgbouncer"] == installed


def test_the_tests_start_without_pgbouncer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it cannot be installed, as without a network, its few tests are skipped and named."""

    def no_network(package: str) -> None:
        raise dev.Stopped(f"Installing {package} with apt failed.")

    monkeypatch.setattr(dev, "find_postgres", lambda: "/usr/lib/postgresql/15/bin")
    monkeypatch.setattr(dev, "find_pgbouncer", lambda: None)
    monkeypatch.setattr(dev, "may_apt", lambda: True)
    monkeypatch.setattr(dev, "apt", no_network)
    assert "/usr/lib/postgresql/15/bin" == dev.ensure_postgres()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, str]]]:
    """The checks that were run, each with its environment; the lint fails."""
    ran: list[tuple[list[str], dict[str, str]]] = []

    def run(command: list[str], env: dict[str, str], **more: object) -> subprocess.CompletedProcess[str]:
        ran.append((command, env))
        return subprocess.CompletedProcess(command, "check" in command)

    monkeypatch.setattr(dev, "prepare", lambda root, command, uv: Path("bin"))
    monkeypatch.setattr(subprocess, "run", run)
    return ran


def test_every_check_runs_also_after_one_has_failed(
    checked: list[tuple[list[str], dict[str, str]]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The stages are lint, format, types and tests over all code; pytest gets the arguments, and the browser."""
    monkeypatch.setattr(dev, "ensure_browser", lambda: "/usr/bin/chromium")
    monkeypatch.setattr(dev, "ensure_postgres", lambda: "/usr/lib/postgresql/15/bin")
    monkeypatch.setattr(dev, "part_of_commit", lambda: "3")
    monkeypatch.delenv("STORYPOOL_WITHOUT_POSTGRES", raising=False)
    assert 1 == dev.test(["-k", "destiny"])
    lint, form, types, tests = checked
    assert ["bin/python", "-m", "ruff", "check", *dev.CODE] == lint[0]
    assert "--check" in form[0]
    assert ["bin/python", "-m", "mypy", "--strict", *dev.CODE] == types[0]
    assert ["-k", "destiny"] == tests[0][-2:]
    assert "/usr/bin/chromium" == tests[1]["STORYPOOL_CHROMIUM"]
    assert "/usr/lib/postgresql/15/bin" == tests[1]["STORYPOOL_POSTGRES"]
    assert "3" == tests[1]["STORYPOOL_PART"]
    assert "-m" not in tests[0][3:]
    assert "1 of 4 failed." in capsys.readouterr().out
    assert all((ROOT / name).exists() for name in dev.CODE)


def test_everything_is_run_where_it_is_asked_for(
    checked: list[tuple[list[str], dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --all no part of the exhaustive tests is chosen, and pytest does not see that word."""
    monkeypatch.setattr(dev, "ensure_browser", lambda: "/usr/bin/chromium")
    monkeypatch.setattr(dev, "ensure_postgres", lambda: "/usr/lib/postgresql/15/bin")
    monkeypatch.delenv("STORYPOOL_PART", raising=False)
    dev.test(["--all", "-x"])
    tests, environ = checked[-1]
    assert ["-x"] == tests[-1:]
    assert "--all" not in tests
    assert "STORYPOOL_PART" not in environ


def test_a_commit_chooses_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The part follows from the commit's hash; outside a checkout there is none, and all is run."""
    hashes = ["00000007" + "0" * 32, "0000000a" + "f" * 32]
    answers = iter([subprocess.CompletedProcess([], 0, f"{one}\n") for one in hashes])
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda *_, **__: next(answers))
        assert ["2", "0"] == [dev.part_of_commit(), dev.part_of_commit()]
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    assert "" == dev.part_of_commit()


def test_a_quick_check_needs_no_browser(
    checked: list[tuple[list[str], dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`quick` runs the same stages without the tests of a browser and those marked slow, and tries less at random."""
    monkeypatch.setattr(dev, "find_browser", lambda: None)
    monkeypatch.setattr(dev, "find_postgres", lambda: None)
    dev.quick(["-x"])
    assert 4 == len(checked)
    tests, environ = checked[-1]
    assert ["-m", "not browser and not slow", "-x"] == tests[-3:]
    assert "1" == environ["STORYPOOL_WITHOUT_POSTGRES"]
    assert "10" == environ["STORYPOOL_ONE_IN"]


def test_an_older_python_is_told_in_one_sentence() -> None:
    """dev.py parses down to Python 3.7, so that the sentence about the version is what an older Python prints."""
    code = f"import ast, pathlib; ast.parse(pathlib.Path({str(ROOT / 'dev.py')!r}).read_text(), feature_version=(3, 7))"
    assert b"" == subprocess.run([sys.executable, "-c", code], capture_output=True).stderr
    old = "import runpy, sys; sys.version_info = (3, 9, 2); sys.version = '3.9.2 old'; runpy.run_path('dev.py')"
    told = subprocess.run([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True)
    assert 1 == told.returncode
    assert "Storypool needs Python 3.11 or newer, and this is 3.9.2: run dev.py with a newer one.\n" == told.stderr


@pytest.mark.parametrize("name", dev.LOCKS)
def test_the_locks_hold_hashes_and_no_address(name: str) -> None:
    """Every pin of a lock has a hash, and nothing in it says where to fetch from."""
    text = lock_file(ROOT, name).read_text(encoding="utf-8")
    assert dev.address_in(text) is None
    assert "http:" not in text
    assert "https:" not in text
    assert [] == [pin for pin, hashes in pins(name).items() if not hashes]


@pytest.mark.parametrize("line", ["--index-url x", "--find-links y", "a @ file:///b", "# from https://c"])
def test_an_address_in_a_lock_is_seen(line: str) -> None:
    """Each way in which a lock could name a place is found."""
    assert line == dev.address_in(f"click==8\n{line}\n")


def test_every_lock_is_audited_as_it_is() -> None:
    """The audit reads each lock, by its hashes, and asks no index what else could be installed."""
    given = dev.audited()
    named = [one for one in given if one.endswith(".txt")]
    assert sorted(f"requirements/{name}.txt" for name in dev.LOCKS) == sorted(named)
    assert sorted(dev.LOCKS) == sorted(path.stem for path in (ROOT / "requirements").glob("*.txt"))
    assert {"--require-hashes", "--disable-pip"} <= set(given)


@pytest.mark.parametrize(("larger", "smaller"), [("test", "run"), ("bench", "run"), ("audit", "run")])
def test_the_locks_agree(larger: str, smaller: str) -> None:
    """Each larger lock has the packages of the smaller one in the same versions with the same hashes."""
    assert versions(smaller) <= versions(larger)
    hashes = {pin.partition(" ;")[0]: found for pin, found in pins(larger).items()}
    assert {} == {pin: found for pin, found in pins(smaller).items() if hashes[pin.partition(" ;")[0]] != found}


def test_every_dependency_is_locked() -> None:
    """What pyproject.toml asks for, and what building it needs, is pinned in the lock that has to hold it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    extras = project["project"]["optional-dependencies"]
    for name, (wanted, _) in dev.LOCKS.items():
        asked = [*project["project"]["dependencies"], *(one for extra in wanted for one in extras[extra])]
        names = {re.split(r"[>\[]", one)[0] for one in asked}
        assert names <= {pin.partition("==")[0] for pin in versions(name)}
    assert set(project["build-system"]["requires"]) <= set(extras["build"])


def test_the_build_runs_the_readmes_command() -> None:
    """.ci/run is the command that people are told to use, started by bash and strict about failures."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert "python3 dev.py test" in text


def test_run_serves_a_table_or_the_demo() -> None:
    """What follows 'run' goes to the server, and 'demo' serves a table in the middle of a scene."""
    assert ["serve", "--local"] == dev.served(["--local"])
    assert ["demo", "--port", "9000"] == dev.served(["demo", "--port", "9000"])
