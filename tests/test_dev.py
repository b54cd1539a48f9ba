"""dev.py: the decisions it takes about .venv, its locks and its tools, without making an environment."""

import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).resolve().parent.parent
WANT = dev.Stamp(ground="CPython 3.11.7 linux here", locks={"run": "r1", "test": "t1"}, package="p1")
MADE = replace(WANT, installed=["click", "storypool.pth"])


def pins(name: str) -> dict[str, set[str]]:
    """Each `name==version ; marker` of a requirement file with its hashes."""
    found: dict[str, set[str]] = {}
    for line in dev.lock_file(ROOT, name).read_text(encoding="utf-8").splitlines():
        word = line.rstrip("\\ ").strip()
        if word.startswith("--hash="):
            found[list(found)[-1]].add(word)
        elif word and not word.startswith("#"):
            found[word] = set()
    return found


def versions(name: str) -> set[str]:
    """Each `name==version` of a requirement file, without its markers."""
    return {pin.partition(" ;")[0] for pin in pins(name)}


def checkout(root: Path) -> Path:
    """A folder with just what a stamp is taken from."""
    (root / "requirements").mkdir()
    for name in dev.LOCKS:
        dev.lock_file(root, name).write_text(f"{name}==1\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    return root


def test_an_environment_as_wanted_needs_nothing() -> None:
    """A whole environment that fits is left as it is."""
    assert [] == dev.missing(MADE, WANT, ["click", "extra", "storypool.pth"])


def test_a_lock_not_yet_installed_is_added() -> None:
    """`test` after `run` installs what is missing and keeps the rest."""
    assert ["test"] == dev.missing(replace(MADE, locks={"run": "r1"}), WANT, MADE.installed)


def test_more_than_wanted_is_no_fault() -> None:
    """`run` after `test` finds all it needs."""
    assert [] == dev.missing(MADE, replace(WANT, locks={"run": "r1"}), MADE.installed)


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(None, id="no stamp: half made"),
        pytest.param(replace(MADE, ground="CPython 3.12.1 linux here"), id="another Python"),
        pytest.param(replace(MADE, ground="CPython 3.11.7 linux elsewhere"), id="a moved folder"),
        pytest.param(replace(MADE, locks={"run": "r0", "test": "t1"}), id="a changed lock"),
        pytest.param(replace(MADE, installed=["click", "gone", "storypool.pth"]), id="a package gone"),
    ],
)
def test_what_cannot_be_mended_is_made_anew(found: dev.Stamp | None) -> None:
    """A half-made, foreign, outdated or damaged environment is not patched."""
    assert dev.missing(found, WANT, MADE.installed) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '"x"', '{"ground": "x"}', '{"ground": "", "other": 1}'])
def test_a_stamp_that_makes_no_sense_is_no_stamp(tmp_path: Path, text: str) -> None:
    """A torn or foreign stamp counts as none, so the environment is made anew."""
    (tmp_path / "stamp").write_text(text, encoding="utf-8")
    assert dev.Stamp.read(tmp_path / "stamp") is None


def test_a_stamp_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Writing and reading a stamp are each other's inverse, and no draft is left behind."""
    MADE.write(tmp_path / "stamp.json")
    assert MADE == dev.Stamp.read(tmp_path / "stamp.json")
    assert ["stamp.json"] == [path.name for path in tmp_path.iterdir()]


def test_a_changed_lock_changes_what_is_wanted(tmp_path: Path) -> None:
    """A command sees a change in a lock that it needs, and only in those."""
    root = checkout(tmp_path)
    before = dev.wanted(root, "run")
    dev.lock_file(root, "test").write_text("test==2\n", encoding="utf-8")
    assert before == dev.wanted(root, "run")
    dev.lock_file(root, "run").write_text("run==2\n", encoding="utf-8")
    assert before != dev.wanted(root, "run")
    assert dev.missing(before, dev.wanted(root, "run"), []) is None


def test_a_missing_lock_is_said(tmp_path: Path) -> None:
    """A checkout without its locks stops with the name of the file."""
    with pytest.raises(dev.Stopped, match=r"run\.txt is missing"):
        dev.wanted(tmp_path, "run")


def test_uv_is_tried_first_and_pip_is_always_there() -> None:
    """uv is used where it is found; without it, and after it failed, pip."""
    assert ["uv", "pip"] == [each.name for each in dev.installers("/usr/bin/uv")]
    assert ["pip"] == [each.name for each in dev.installers(None)]


@pytest.mark.parametrize("uv", [None, "/usr/bin/uv"])
def test_locked_packages_are_checked_by_hash_and_the_checkout_asks_no_index(tmp_path: Path, uv: str | None) -> None:
    """Whatever installs: the locks by hash, the checkout editable, without a resolver and without the network."""
    installer, env = dev.Installer(uv), dev.Environment(tmp_path / ".venv")
    locks = installer.install(env, [tmp_path / "run.txt", tmp_path / "test.txt"])
    assert ["--require-hashes", "-r", str(tmp_path / "run.txt"), "-r", str(tmp_path / "test.txt")] == locks[-5:]
    package = installer.install_package(env, tmp_path)
    assert {"--no-deps", "--no-build-isolation", "-e", "--offline" if uv else "--no-index"} <= set(package)
    for command in (locks, package):
        assert str(env.program("python")) in command


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
        "UV_SYSTEM_PYTHON": "1",
        "VIRTUAL_ENV": "x",
    }
    assert kept == dev.clean_environ(kept | astray)


def test_arguments_are_passed_on_as_they_are() -> None:
    """What follows the command belongs to the program it starts; one leading `--` is only a divider."""
    assert ("run", ["--local", "--port", "0"]) == dev.parse(["run", "--local", "--port", "0"])
    assert ("test", ["-k", "a -- b"]) == dev.parse(["test", "--", "-k", "a -- b"])
    assert ("test", ["--help"]) == dev.parse(["test", "--help"])
    assert ("bench", []) == dev.parse(["bench"])


@pytest.mark.parametrize("arguments", [[], ["serve"], ["--local"]])
def test_a_command_that_is_not_there_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Misuse exits 2 and names the commands that there are."""
    assert 2 == dev.main(arguments)
    said = capsys.readouterr().err
    assert 1 == said.count("\n")
    assert all(command in said for command in dev.COMMANDS)


def test_the_environment_is_told_from_its_ruins(tmp_path: Path) -> None:
    """A .venv whose Python is not there, or is a dangling link, does not work; the one of these tests does."""
    ruin = dev.Environment(tmp_path / ".venv")
    assert not ruin.works()
    ruin.program("python").parent.mkdir(parents=True)
    ruin.program("python").symlink_to(tmp_path / "gone")
    assert not ruin.works()
    assert dev.Environment(Path(sys.prefix)).works()


def test_the_packages_of_an_environment_are_seen() -> None:
    """What is in site-packages is listed by name, caches left out."""
    present = dev.Environment(Path(sys.prefix)).present()
    assert {"pytest", "click"} <= set(present)
    assert "__pycache__" not in present


def test_removing_an_environment_follows_no_link(tmp_path: Path) -> None:
    """A .venv that is a link to a folder is unlinked, and the folder it leads to keeps its files."""
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (tmp_path / ".venv").symlink_to(tmp_path / "precious")
    dev.Environment(tmp_path / ".venv").remove()
    assert not (tmp_path / ".venv").exists()
    assert (tmp_path / "precious" / "file").exists()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    dev.Environment(tmp_path / ".venv").remove()
    assert not (tmp_path / ".venv").exists()
    dev.Environment(tmp_path / ".venv").remove()


def test_only_one_prepares_the_environment(tmp_path: Path) -> None:
    """While one holds the lock file nobody else gets it, and it is free again afterwards."""
    with dev.alone(tmp_path / "lock"), (tmp_path / "lock").open("a+b") as other:
        assert dev.seize(other) is False
    with (tmp_path / "lock").open("a+b") as other:
        assert dev.seize(other) is True


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


def test_every_check_runs_and_pytest_gets_the_arguments(tmp_path: Path) -> None:
    """The stages are lint, format, types and tests, over the code that is there."""
    (tmp_path / "src").mkdir()
    (tmp_path / "dev.py").touch()
    stages = dev.stages(tmp_path, Path("py"), ["-k", "destiny"])
    assert ["lint", "format", "types", "tests"] == list(stages)
    assert ["py", "-m", "mypy", "--strict", "src", "dev.py"] == stages["types"]
    assert ["-k", "destiny"] == stages["tests"][-2:]


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
    text = dev.lock_file(ROOT, name).read_text(encoding="utf-8")
    assert dev.address_in(text) is None
    assert "http:" not in text
    assert "https:" not in text
    assert len(pins(name)) > 10
    assert [] == [pin for pin, hashes in pins(name).items() if not hashes]


@pytest.mark.parametrize("line", ["--index-url x", "--find-links y", "a @ file:///b", "# from https://c"])
def test_an_address_in_a_lock_is_seen(line: str) -> None:
    """Each way in which a lock could name a place is found."""
    assert line == dev.address_in(f"click==8\n{line}\n")


@pytest.mark.parametrize(("larger", "smaller"), [("test", "run"), ("bench", "run")])
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
        names = {one.partition(">")[0] for one in asked}
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
