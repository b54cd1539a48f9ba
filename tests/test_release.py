"""`dev.py release`: its refusals, and its result in a clean clone, which nobody pushes."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import dev
from storypool import __version__
from tools import release
from tools.index_page import LINK
from tools.release import Refused

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
NEXT = f"{int(__version__.split('.')[0]) + 1}.2.0"
WORKFLOWS = ROOT / ".github" / "workflows"


def git(root: Path, *words: str) -> str:
    """The output of git."""
    return subprocess.run(
        ["git", *words], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean clone of this checkout with a quick recorded check and a change to release."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of git")
    place = tmp_path_factory.mktemp("release") / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), place], check=True)
    for name, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        git(place, "config", name, value)
    git(place, "remote", "set-url", "origin", "git@forge.example:ann/table.git")
    (place / "dev.py").write_text(
        "import os, sys; print(sys.argv[1:], os.getcwd()); sys.exit(0)\n", encoding="utf-8"
    )
    (place / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A way to go home.\n\n## [0.0.1] -"
        " 2020-02-02\n\n- Old.\n",
        encoding="utf-8",
    )
    (place / "tools" / "released.py").write_text(
        "import sys\nopen(f'tests/released/{sys.argv[1]}.json', 'w').write('{}')\n",
        encoding="utf-8",
    )
    (place / "tests" / "released").mkdir(exist_ok=True)
    git(place, "commit", "--quiet", "--all", "--message", "Go home")
    return place


@pytest.fixture
def clone(origin: Path, tmp_path: Path) -> Path:
    """A copy of the clean clone."""
    return Path(shutil.copytree(origin, tmp_path / "clone", symlinks=True))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """An ssh key."""
    file = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)
    return file


def state(root: Path) -> tuple[str, str, str]:
    """The state that a refused release must not change."""
    return git(root, "rev-parse", "HEAD"), git(root, "tag"), git(root, "status", "--porcelain")


def commit(root: Path, name: str, text: str) -> None:
    """Commit a file with this text."""
    (root / name).write_text(text, encoding="utf-8")
    git(root, "add", name)
    git(root, "commit", "--quiet", "--message", "Change it")


REFUSALS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a changed file": (lambda root: (root / "README.md").write_text("new"), NEXT, "not committed"),
    "a file that git does not know": (
        lambda root: (root / "src" / "new.py").touch(),
        NEXT,
        "not committed",
    ),
    "a red check": (
        lambda root: commit(root, "dev.py", "import sys; sys.exit(1)"),
        NEXT,
        "A check failed",
    ),
    "a tag that is there": (lambda root: git(root, "tag", f"v{NEXT}"), NEXT, "a tag"),
    "an earlier version": (lambda root: None, "0.0.9", "come after"),
    "the released version": (
        lambda root: git(root, "tag", f"v{__version__}"),
        __version__,
        "a tag",
    ),
    "no version": (lambda root: None, "next", "no version"),
    "no public home": (
        lambda root: git(root, "remote", "set-url", "origin", str(root)),
        NEXT,
        "git remote set-url origin",
    ),
    "nothing new": (
        lambda root: commit(
            root, "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.0.1] - 2020\n\n- Old.\n"
        ),
        NEXT,
        "nothing that is unreleased",
    ),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("why", REFUSALS)
def test_incomplete_checkout_is_refused(why: str, clone: Path) -> None:
    """The reason is named, and nothing is changed."""
    spoil, version, reason = REFUSALS[why]
    spoil(clone)
    before = state(clone)
    with pytest.raises(Refused, match=reason):
        release.release(clone, version, None)
    assert before == state(clone)
    assert not (clone / "dist").exists()


@pytest.mark.exhaustive
def test_failed_signature_undoes_the_release(clone: Path, tmp_path: Path) -> None:
    """With a missing or invalid key the commit and tag are removed again."""
    before = state(clone)
    (tmp_path / "none").write_text("no key at all", encoding="utf-8")
    for file, reason in ((tmp_path / "nowhere", "no key"), (tmp_path / "none", "not signed")):
        with pytest.raises(Refused, match=reason):
            release.release(clone, NEXT, file)
        assert before == state(clone)


@pytest.mark.exhaustive
def test_successful_release(
    clone: Path,
    key: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """After the check, version, changelog, commit and tag are written; artefacts are signed."""
    monkeypatch.setattr(release, "ROOT", clone)
    assert 0 == release.main([NEXT, "--key", str(key)])
    printed = capfd.readouterr().out
    checked = re.match(r"\['test', '--all'\] (.*)\n", printed)
    assert checked
    assert clone != Path(checked[1])
    assert not Path(checked[1]).exists()
    assert re.search(rf"git push --atomic origin \S+ v{re.escape(NEXT)}\n", printed)
    log = (clone / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(
        rf"## \[Unreleased\]\n\n## \[{re.escape(NEXT)}\] - \d{{4}}-\d\d-\d\d\n\n### Added\n\n- A"
        r" way to go home.\n",
        log,
    )
    assert ("", f"Release {NEXT}") == (
        git(clone, "status", "--porcelain"),
        git(clone, "log", "-1", "--format=%s"),
    )
    assert "A way to go home." in git(clone, "tag", "--list", "--format=%(contents)", f"v{NEXT}")
    assert git(clone, "rev-parse", "HEAD") == git(clone, "rev-parse", f"v{NEXT}^{{commit}}")
    assert (
        f"tests/released/{NEXT}.json" in git(clone, "show", "--format=", "--name-only").splitlines()
    )
    place = clone / "dist" / NEXT
    wheel, sdist = next(place.glob("*.whl")), next(place.glob("*.tar.gz"))
    with zipfile.ZipFile(wheel) as archive:
        assert f'__version__ = "{NEXT}"' in archive.read("storypool/__init__.py").decode()
        about = archive.read(f"storypool-{NEXT}.dist-info/METADATA").decode()
        built_from = archive.read("storypool/cli/built_from.py").decode()
    assert f"Version: {NEXT}" in about
    assert f'ARCHIVED = "{git(clone, "rev-parse", "HEAD")}"' in built_from
    home = "https://forge.example/ann/table"
    assert f"Project-URL: Changes, {home}/blob/v{NEXT}/CHANGELOG.md" in about
    assert f"]({home}/raw/v{NEXT}/docs/pictures/check.png)" in about
    assert not LINK.search(about)
    parts = place / f"storypool-{NEXT}.cdx.json"
    named = {one["purl"] for one in json.loads(parts.read_text("utf-8"))["components"]}
    locked = (clone / "requirements" / "run.txt").read_text("utf-8")
    assert set(re.findall(r"^([\w.-]+==[^\s;]+)", locked, re.MULTILINE)) == {
        one.removeprefix("pkg:pypi/").replace("@", "==") for one in named if "pypi" in one
    }
    assert any("/preact@" in one for one in named)
    statement = place / f"storypool-{NEXT}.intoto.json"
    attested = json.loads(statement.read_text(encoding="utf-8"))
    hashes = {one["name"]: one["digest"]["sha256"] for one in attested["subject"]}
    assert {
        one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in (wheel, sdist, parts)
    } == hashes
    made = attested["predicate"]["buildDefinition"]["externalParameters"]
    assert git(clone, "rev-parse", "HEAD") == made["commit"]
    signers = tmp_path / "signers"
    signers.write_text(
        f"release {key.with_suffix('.pub').read_text(encoding='utf-8')}", encoding="utf-8"
    )
    verify: list[str | Path] = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        signers,
        "-I",
        "release",
        "-n",
        release.NAMESPACE,
        "-s",
    ]
    for text, code in ((statement.read_bytes(), 0), (statement.read_bytes() + b" ", 255)):
        assert (
            code
            == subprocess.run(
                [*verify, f"{statement}.sig"], input=text, capture_output=True
            ).returncode
        )
    # Another build of the tag makes the same files, and the same version is not released again.
    again = {one.name: one.read_bytes() for one in (wheel, sdist, parts)}
    assert again == {one.name: one.read_bytes() for one in release.build(clone, NEXT)}
    assert 1 == release.main([NEXT])
    assert "a tag" in capfd.readouterr().err


def test_changelog_has_an_unreleased_part() -> None:
    """There is one place for news at the top, where the command looks for it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .*", text, re.MULTILINE)
    assert release.UNRELEASED.fullmatch(headings[0])
    assert 1 == len(release.UNRELEASED.findall(text))


def test_forge_runs_the_same_commands() -> None:
    """Its files run check and release without foreign actions or script inputs."""
    found = {
        file.name: yaml.safe_load(file.read_text(encoding="utf-8"))
        for file in WORKFLOWS.glob("*.yml")
    }
    steps = {
        name: [step for job in one["jobs"].values() for step in job["steps"]]
        for name, one in found.items()
    }
    scripts = {name: "\n".join(step["run"] for step in each) for name, each in steps.items()}
    assert "bash .ci/run" in scripts["check.yml"]
    assert 'python3 dev.py release "$VERSION"' in scripts["release.yml"]
    for script in scripts.values():
        assert set(re.findall(r"dev\.py (\w+)", script)) <= dev.COMMANDS.keys()
        assert "${{" not in script
        assert 0 == subprocess.run(["bash", "-n"], input=script, text=True).returncode
    assert all("uses" not in step for each in steps.values() for step in each)
    assert {"contents": "read"} == found["check.yml"]["permissions"]
