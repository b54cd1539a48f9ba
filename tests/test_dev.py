"""dev.py: its decisions about .venv, locks and tools, without making an environment."""

import json
import re
import shutil
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
    """The file that records the source of .venv."""
    return root / ".venv" / "storypool-stamp"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the inputs of an environment; commands make files in place of their results."""
    (tmp_path / "requirements").mkdir()
    for name in dev.LOCKS:
        lock_file(tmp_path, name).write_text(f"{name}==1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    monkeypatch.setattr(dev, "starts", lambda place: dev.programs(place).exists())
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that made an environment."""
    commands: list[list[str]] = []

    def quietly(command: Sequence[str], doing: str) -> None:
        commands.append(list(command))
        if "venv" in command:
            dev.programs(Path(command[-1])).mkdir(parents=True, exist_ok=True)
        if "--dest" in command:
            Path(command[command.index("--dest") + 1]).mkdir(exist_ok=True)

    monkeypatch.setattr(dev, "quietly", quietly)
    return commands


def locks(commands: Sequence[Sequence[str]]) -> list[str]:
    """The names of the requirement files that these commands installed."""
    installed = [command for command in commands if "install" in command]
    return [
        Path(after).stem
        for command in installed
        for part, after in pairwise(command)
        if part == "-r"
    ]


def test_environment_is_extended(root: Path, made: list[list[str]]) -> None:
    """`test` after `run` adds missing packages, and then neither changes it."""
    dev.prepare(root, "run")
    made.clear()
    dev.prepare(root, "test")
    assert ["test"] == locks(made)
    assert all("venv" not in command for command in made)
    made.clear()
    for command in ("test", "quick", "torture", "run"):
        assert dev.programs(root / ".venv") == dev.prepare(root, command)
    assert [] == made


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda root: stamp(root).unlink(), id="no stamp: half made"),
        pytest.param(
            lambda root: stamp(root).write_text("elsewhere"), id="a foreign or torn stamp"
        ),
        pytest.param(
            lambda root: (root / "pyproject.toml").write_text("[tool]\n"), id="a changed project"
        ),
        pytest.param(
            lambda root: lock_file(root, "run").write_text("run==2\n"), id="a changed lock"
        ),
        pytest.param(lambda root: dev.programs(root / ".venv").rmdir(), id="no Python that starts"),
    ],
)
def test_broken_environment_is_made_again(
    root: Path, made: list[list[str]], spoil: Callable[[Path], object]
) -> None:
    """It replaces a partial, foreign, outdated or damaged one; another Python is foreign."""
    dev.prepare(root, "run")
    made.clear()
    spoil(root)
    dev.prepare(root, "run")
    assert ["-m", "venv", "--clear", str((root / ".venv").resolve())] == made[0][1:]
    assert ["run"] == locks(made)


def test_environment_has_one_python_and_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another Python or another folder needs another environment."""
    here = dev.made_from(root, "run")
    copied = shutil.copytree(root / "requirements", root / "copied" / "requirements").parent
    shutil.copy(root / "pyproject.toml", copied)
    assert here != dev.made_from(copied, "run")
    monkeypatch.setattr(sys, "version", "3.12.1 (another)")
    assert here != dev.made_from(root, "run")


def test_lock_is_checked_on_demand(root: Path, made: list[list[str]]) -> None:
    """A command notices changes only in its own locks."""
    dev.prepare(root, "run")
    dev.prepare(root, "test")
    made.clear()
    lock_file(root, "test").write_text("test==2\n", encoding="utf-8")
    dev.prepare(root, "run")
    assert [] == made
    dev.prepare(root, "test")
    assert ["test"] == locks(made)


def test_environment_link_is_not_followed(root: Path, made: list[list[str]]) -> None:
    """A .venv that links to a folder is replaced, and the folder keeps its files."""
    (root / "precious").mkdir()
    (root / "precious" / "file").touch()
    (root / ".venv").symlink_to(root / "precious")
    dev.prepare(root, "run")
    assert root / ".venvs" == (root / ".venv").resolve().parent
    assert ["file"] == [one.name for one in (root / "precious").iterdir()]


def changed(root: Path, version: int) -> Path:
    """The environment of .venv after a change of the lock of `run`."""
    lock_file(root, "run").write_text(f"run=={version}\n", encoding="utf-8")
    dev.prepare(root, "run")
    return (root / ".venv").resolve()


@pytest.mark.parametrize("step", ["Making", "Fetching", "Installing the", "Installing Storypool"])
def test_failure_keeps_the_environment(
    root: Path, made: list[list[str]], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whatever step of making the next one fails, .venv leads to the unchanged old one."""
    first = changed(root, 1)
    (first / "package").write_text("in use", encoding="utf-8")
    makes = dev.quietly

    def fails(command: Sequence[str], doing: str) -> None:
        makes(command, doing)
        assert (root / ".venv" / "package").exists()
        if doing.startswith(step):
            raise dev.Stopped("There is no index.")

    monkeypatch.setattr(dev, "quietly", fails)
    with pytest.raises(
        dev.Stopped,
        match=r"There is no index\. The environment before is as it was, .*\.venv/bin\.",
    ):
        changed(root, 2)
    assert first == (root / ".venv").resolve()
    assert stamp(root).exists()
    monkeypatch.setattr(dev, "quietly", makes)
    assert first != changed(root, 2)
    assert "in use" == (first / "package").read_text(encoding="utf-8")


def test_used_environment_stays(root: Path, made: list[list[str]]) -> None:
    """The previous one is kept for a return without an index, and older ones while used."""
    first, second = changed(root, 1), changed(root, 2)
    made.clear()
    assert first == changed(root, 1)
    assert [] == made
    assert second == changed(root, 2)
    python = dev.programs(first) / "python"
    python.symlink_to(sys.executable)
    with subprocess.Popen([python, "-c", "input()"], stdin=subprocess.PIPE) as running:
        changed(root, 3)
        assert first.exists()
        running.communicate(b"\n")
    fourth = changed(root, 4)
    assert not first.exists()
    assert "run==4\n" == lock_file(root, "run").read_text(encoding="utf-8")
    assert {"3", fourth.name} == {one.name for one in (root / ".venvs").iterdir()}


def test_old_environment_folder_is_moved_away(root: Path, made: list[list[str]]) -> None:
    """A .venv folder stays whole until the new environment is ready, and is never emptied."""
    shutil.copytree(changed(root, 1), root / "folder")
    (root / ".venv").unlink()
    (root / "folder").rename(root / ".venv")
    (root / ".venv" / "package").touch()
    assert (root / ".venv") == changed(root, 1)
    changed(root, 2)
    assert (root / ".venvs" / "0" / "package").exists()


def test_missing_lock_and_failed_step_are_named(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed step is named and leaves no stamp; a missing lock stops with its file name."""

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


def test_packages_are_checked_by_hash(root: Path, made: list[list[str]]) -> None:
    """Locks are installed by hash, the checkout editable, without resolver or network."""
    python = str(dev.prepare(root, "test").parent.resolve() / "bin" / "python")
    _, fetched, archives, package = made
    assert ["--require-hashes", "-r"] == fetched[-3:-1]
    assert ["--require-hashes", "-r", str(lock_file(root, "test"))] == archives[-3:]
    assert {"--no-deps", "--no-build-isolation", "-e", "--no-index"} <= set(package)
    assert [python] * 3 == [fetched[0], archives[0], package[0]]


def test_lock_is_fetched_once_in_halves(root: Path, made: list[list[str]]) -> None:
    """Each package is in one half with hashes and marker; no archives are kept."""
    shutil.copy(lock_file(ROOT, "test"), lock_file(root, "test"))
    folder = dev.prepare(root, "test").parent
    fetched = [
        Path(command[-1]).read_text(encoding="utf-8") for command in made if "download" in command
    ]
    packages = [re.findall(r"^\w(?:.*\\\n)*.*", half, re.MULTILINE) for half in fetched]
    assert 2 == len(packages)
    whole = re.findall(
        r"^\w(?:.*\\\n)*.*", lock_file(ROOT, "test").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(whole) == sorted([*packages[0], *packages[1]])
    assert len(whole) == len(pins("test"))
    assert not (folder / "archives").exists()


def test_misleading_settings_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's mirrors, proxies and certificates stay; foreign sources go."""
    kept = {"PATH": "/bin", "PIP_INDEX_URL": "mirror", "PIP_CERT": "ca", "PIP_FIND_LINKS": "wheels"}
    dropped = (
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONDONTWRITEBYTECODE",
        "PIP_TARGET",
        "PIP_USER",
        "VIRTUAL_ENV",
    )
    monkeypatch.setattr("os.environ", kept | dict.fromkeys(dropped, "x"))
    assert kept == dev.clean_environ()


def test_arguments_are_passed_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words after the command belong to its program; one leading `--` is a separator."""
    started: list[Sequence[str]] = []
    monkeypatch.setattr(dev, "become", started.append)
    monkeypatch.setattr(dev, "prepare", lambda root, command: Path("bin"))
    monkeypatch.setattr("os.chdir", lambda folder: None)
    monkeypatch.setitem(dev.COMMANDS, "test", started.append)
    for line in (
        "run --local",
        "run demo --port 0",
        "bench odds",
        "torture -- --quick",
        "test -- -k a",
        "test --help",
    ):
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
def test_unknown_command_is_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Misuse exits with 2 and names the commands."""
    assert 2 == dev.main(arguments)
    printed = capsys.readouterr().err
    assert 1 == printed.count("\n")
    assert all(command in printed for command in dev.COMMANDS)


def test_broken_python_is_recognised(tmp_path: Path) -> None:
    """A missing Python or dangling link does not start; that of these tests does."""
    python = dev.programs(tmp_path) / "python"
    assert not dev.starts(tmp_path)
    python.parent.mkdir()
    python.symlink_to(tmp_path / "gone")
    assert not dev.starts(tmp_path)
    python.unlink()
    python.symlink_to(sys.executable)
    assert dev.starts(tmp_path)


def test_one_command_prepares_the_environment(tmp_path: Path) -> None:
    """Only one gets the lock file at a time, and it is free afterwards."""
    with (
        dev.alone(tmp_path / "lock"),
        pytest.raises(sqlite3.OperationalError),
        dev.alone(tmp_path / "lock", 0),
    ):
        pass
    with dev.alone(tmp_path / "lock", 0):
        pass


def test_failing_step_shows_its_output(capfd: pytest.CaptureFixture[str]) -> None:
    """A failed program's words are followed by a sentence with the step and command."""
    with pytest.raises(dev.Stopped, match=r"Doing it failed \(exit 3\).*It was: "):
        dev.quietly(
            [sys.executable, "-c", "import sys; print('the reason'); sys.exit(3)"], "Doing it"
        )
    assert "the reason\n" == capfd.readouterr().err
    with pytest.raises(dev.Stopped, match="nowhere cannot be started"):
        dev.quietly(["nowhere"], "Doing it")


def ensured(found: list[str]) -> str:
    """A program that exists once its package is in this list."""
    otherwise = ", or go without it with WITHOUT=1"
    return dev.ensure(
        lambda: "here" if "program" in found else None, "program", "The tests need it", otherwise
    )


def test_missing_package_is_installed_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As root with apt it is installed unasked; otherwise named, with a way without it."""
    installed: list[str] = []
    monkeypatch.setattr(dev, "quietly", lambda command, doing: installed.append(command[-1]))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(dev.Stopped, match=r"need it: .*apt-get install program\).*WITHOUT=1"):
        ensured(installed)
    assert [] == installed
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "here" == ensured(installed) == ensured(installed)
    assert ["update", "program"] == installed


def test_tests_require_their_programs(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests need a browser and PostgreSQL or an opt-out; a pooler is optional."""
    asked: list[str] = []

    def ensure(find: object, package: str, *words: str) -> str:
        asked.append(package)
        if package == "pgbouncer":
            raise dev.Stopped("there is no network")
        return "here"

    monkeypatch.setattr(dev, "ensure", ensure)
    dev.test([])
    assert ["here", "here"] == [
        checked[-1][1][name] for name in ("STORYPOOL_CHROMIUM", "STORYPOOL_POSTGRES")
    ]
    monkeypatch.setenv("STORYPOOL_WITHOUT_POSTGRES", "1")
    dev.test([])
    assert [dev.HEADLESS, "postgresql", "pgbouncer", dev.HEADLESS] == asked


def test_program_variable_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the browser or server named by a variable is used."""
    for name in ("STORYPOOL_CHROMIUM", "STORYPOOL_POSTGRES"):
        monkeypatch.setenv(name, "no-such-place")
    assert [None, None] == [dev.find_browser(), dev.find_postgres()]
    monkeypatch.setenv("STORYPOOL_CHROMIUM", sys.executable)
    assert sys.executable == dev.find_browser()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Checked:
    """The checks that ran, each with its environment; the lint fails."""
    ran: Checked = []

    class Ran:
        def __init__(self, command: list[str], env: dict[str, str], **more: object) -> None:
            ran.append((command, env))
            self.code = int("check" in command)

        def communicate(self) -> tuple[str, None]:
            return "the types", None

        def wait(self) -> int:
            return self.code

    monkeypatch.delenv("STORYPOOL_WITHOUT_POSTGRES", raising=False)
    monkeypatch.setattr(dev, "prepare", lambda root, command: Path("bin"))
    monkeypatch.setattr(dev, "ensure", lambda find, package, *words: f"/usr/bin/{package}")
    monkeypatch.setattr(subprocess, "Popen", Ran)
    return ran


def test_every_check_runs_after_a_failure(
    checked: Checked, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lint, format, types, tests and page checks run; pytest gets arguments and the browser."""
    assert 1 == dev.test(["-k", "destiny"])
    types, lint, form, page, tests = checked
    assert ["bin/python", "-m", "ruff", "check", *dev.CODE] == lint[0]
    assert "--check" in form[0]
    assert ["bin/python", "-m", "tools.page"] == page[0]
    assert ["bin/python", "-m", "mypy", "--strict", *dev.CODE] == types[0]
    assert ["-k", "destiny"] == tests[0][-2:]
    assert "-m" not in tests[0][3:]
    chosen = {
        "CHROMIUM": f"/usr/bin/{dev.HEADLESS}",
        "POSTGRES": "/usr/bin/postgresql",
    }
    assert chosen == {name: tests[1][f"STORYPOOL_{name}"] for name in chosen}
    printed = capsys.readouterr().out
    assert printed.index("== tests") < printed.index("== types") < printed.index("the types")
    assert "1 of 5 failed." in printed
    assert all((ROOT / name).exists() for name in dev.CODE)


@pytest.mark.parametrize(
    ("n", "alone", "code"), [(0, 0, 1), (2, 0, 0), (2, 1, 1), (dev.FEW + 1, 0, 1)]
)
def test_few_failures_are_retried_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    n: int,
    alone: int,
    code: int,
) -> None:
    """Retries that pass are named and accepted; repeated or many failures fail the check."""
    names = [f"tests/test_{one}.py::test_it" for one in range(n)]

    class Ran:
        def __init__(self, command: list[str], **more: object) -> None:
            self.code = alone if "--last-failed" in command else int("loadfile" in command)
            if "loadfile" in command and n:
                (tmp_path / dev.FAILED).write_text(
                    json.dumps(dict.fromkeys(names, True)), encoding="utf-8"
                )

        def communicate(self) -> tuple[str, None]:
            return "", None

        def wait(self) -> int:
            return self.code

    (tmp_path / dev.FAILED).parent.mkdir(parents=True)
    (tmp_path / dev.FAILED).write_text('{"of an earlier run": true}', encoding="utf-8")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "prepare", lambda root, command: Path("bin"))
    monkeypatch.setattr(subprocess, "Popen", Ran)
    assert code == dev.check("test", [], {})
    printed = capsys.readouterr().out
    assert [not code] * n == [f"shaky: {name} failed" in printed for name in names]
    assert "an earlier run" not in printed
    assert ("again and alone" in printed) == (0 < n <= dev.FEW)


def test_all_tests_run_on_request(checked: Checked) -> None:
    """With --all pytest omits none; it does not get that word."""
    dev.test(["--all", "-x"])
    assert ["--hypothesis-profile", "exhaustive", "-m", "", "-x"] == checked[-1][0][-5:]
    dev.test(["-x"])
    assert "-m" not in checked[-1][0][3:]


def test_quick_check_needs_no_browser(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """`quick` runs the same stages without slow tests."""
    monkeypatch.delenv("STORYPOOL_CHROMIUM", raising=False)
    dev.quick(["-x"])
    assert 5 == len(checked)
    tests, environ = checked[-1]
    assert ["--ignore=tests/browser", "-m", "not slow", "-x"] == tests[-4:]
    assert "STORYPOOL_CHROMIUM" not in environ


def test_old_python_gets_one_sentence() -> None:
    """dev.py can be parsed by Python 3.7, so older ones print the sentence about versions."""
    code = (
        f"import ast, pathlib; ast.parse(pathlib.Path({str(ROOT / 'dev.py')!r}).read_text(),"
        " feature_version=(3, 7))"
    )
    assert b"" == subprocess.run([sys.executable, "-c", code], capture_output=True).stderr
    old = (
        "import runpy, sys; sys.version_info = (3, 9, 2); sys.version = '3.9.2 old';"
        " runpy.run_path('dev.py')"
    )
    ended = subprocess.run([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True)
    assert 1 == ended.returncode
    assert (
        "Storypool needs Python 3.11 or newer, and this is 3.9.2: run dev.py with a newer one.\n"
        == ended.stderr
    )


@pytest.mark.parametrize("name", dev.LOCKS)
def test_locks_have_hashes_and_no_address(name: str) -> None:
    """Every pin of a lock has a hash, and no source to fetch from."""
    text = lock_file(ROOT, name).read_text(encoding="utf-8")
    assert [] == [
        mark
        for mark in ("://", "--index", "--find-links", "--trusted-host", "file:", " @ ")
        if mark in text
    ]
    assert [] == [pin for pin, hashes in pins(name).items() if not hashes]
    assert f"requirements/{name}.txt" in dev.MODULES["audit"]


@pytest.mark.parametrize("name", ["test", "bench", "audit", "container"])
def test_locks_agree(name: str) -> None:
    """Each larger lock has the packages of `run` with equal versions and hashes."""
    assert pins("run").items() <= pins(name).items()


def test_every_dependency_is_locked() -> None:
    """Requirements of pyproject.toml and its build are pinned in their locks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    assert sorted(dev.LOCKS) == sorted(path.stem for path in (ROOT / "requirements").glob("*.txt"))
    for name, (wanted, _) in dev.LOCKS.items():
        asked = [*project["project"]["dependencies"]]
        asked += [
            one
            for extra in extras
            if f"--extra {extra}" in wanted or "--all-extras" in wanted
            for one in extras[extra]
        ]
        asked += [one for group in groups if f"--group {group}" in wanted for one in groups[group]]
        names = {re.split(r"[>\[]", one)[0] for one in asked}
        assert names <= {pin.partition("==")[0] for pin in pins(name)}
    assert set(project["build-system"]["requires"]) <= set(groups["build"])


@pytest.mark.parametrize(
    ("end", "code", "expected"),
    [
        (
            (
                "Traceback (most recent call last):\n  File\nrequests.exceptions.ConnectionError:"
                " no name"
            ),
            1,
            "run this again",
        ),
        ("Found 1 known vulnerability in 1 package", 1, "Found 1 known vulnerability"),
        ("No known vulnerabilities found", 0, "No known vulnerabilities found"),
    ],
)
def test_audit_without_network_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    end: str,
    code: int,
    expected: str,
) -> None:
    """Its findings are shown; an unreachable osv.dev is a sentence, not a traceback."""
    monkeypatch.setattr(dev, "prepare", lambda root, command: Path(sys.executable).parent)
    ended = subprocess.CompletedProcess([], code, "", f"{end}\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    assert code == dev.main(["audit"])
    printed = capfd.readouterr().err
    assert expected in printed
    assert 1 == printed.count("\n")


def test_build_runs_the_readmes_command() -> None:
    """.ci/run is the documented command, started by bash and strict about failures."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert "python3 dev.py test" in text
