"""Make a release: `python3 dev.py release 0.2.0`, in a checkout without uncommitted changes.

It refuses an incomplete state, runs every check on a clean clone of the commit, gives the
unreleased part of the changelog its version and date, sets the version, commits and tags, and
builds from the commit, with a bill of materials. An attestation lists the built files with their
hashes and their source; a given key signs it. It pushes nothing, and prints what to push.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version as installed
from io import BytesIO
from pathlib import Path

from tools.bill_of_materials import bill

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG, VERSIONED, RELEASED = "CHANGELOG.md", "src/storypool/__init__.py", "tests/released"
UNRELEASED = re.compile(r"^## \[.*unreleased.*$", re.MULTILINE | re.IGNORECASE)
VERSION = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
WEB = re.compile(r"(?:https://|(?:ssh://)?git@)([\w.-]+)[:/](.+?)(?:\.git)?/?")
"""A repository on the web, by its address for reading or for writing."""
NAMESPACE = "storypool-release"
"""The purpose of a signature, so that it is valid for nothing else."""


class Refused(Exception):
    """The release cannot be made; the reason and the remedy."""


def git(root: Path, *words: str) -> str:
    """The output of git; raises `Refused` with its message."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def check(root: Path, version: str) -> None:
    """Raise `Refused` unless this checkout can become this version; cheap checks come first."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refused(f"{version} is no version: write it as in 0.2.0.")
    if git(root, "status", "--porcelain"):
        raise Refused(
            "The checkout has changes that are not committed: commit them, or take them back."
        )
    if git(root, "tag", "--list", f"v{version}"):
        raise Refused(f"There is a tag v{version} already: choose the next version.")
    now = _found(VERSION, (root / VERSIONED).read_text(encoding="utf-8"), VERSIONED)[1]
    released = bool(git(root, "tag", "--list", f"v{now}"))
    if _numbers(version) < _numbers(now) or (released and version == now):
        raise Refused(f"{version} does not come after {now}: choose a later version.")
    if not _changes((root / CHANGELOG).read_text(encoding="utf-8")):
        raise Refused(f"{CHANGELOG} has nothing that is unreleased: say there what has changed.")
    home(root)
    _check_clone(root)


def _check_clone(root: Path) -> None:
    """Run all tests in a clean clone, so that no file or environment from here takes part.

    Among them are those that make each environment from nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        git(root, "clone", "--quiet", "--no-hardlinks", str(root), str(clone))
        if subprocess.run([sys.executable, "dev.py", "test", "--all"], cwd=clone).returncode:
            raise Refused("A check failed: mend it, commit, and run this again.")


def home(root: Path) -> str:
    """The address of the public repository, to which the package's links lead."""
    remote = git(root, "remote", "get-url", "origin")
    found = WEB.fullmatch(remote)
    if not found:
        raise Refused(
            f"The remote origin is {remote}, and the package's links would lead nowhere: set it to"
            " the public repository with 'git remote set-url origin https://...'."
        )
    return f"https://{found[1]}/{found[2]}"


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _found(pattern: re.Pattern[str], text: str, file: str) -> re.Match[str]:
    if not (found := pattern.search(text)):
        raise Refused(f"{file} has no line like {pattern.pattern}.")
    return found


def _changes(text: str) -> str:
    """The unreleased part of a changelog, without its heading."""
    start = _found(UNRELEASED, text, CHANGELOG).end()
    rest = text[start:].partition("\n## [")[0]
    return rest.strip() if re.search(r"^- ", rest, re.MULTILINE) else ""


def write(root: Path, version: str, day: str) -> None:
    """Date the unreleased changes, set the version, list its promises, commit and tag."""
    changelog, versioned = root / CHANGELOG, root / VERSIONED
    text = changelog.read_text(encoding="utf-8")
    heading = f"## [Unreleased]\n\n## [{version}] - {day}"
    changelog.write_text(UNRELEASED.sub(heading, text, count=1), encoding="utf-8")
    text = versioned.read_text(encoding="utf-8")
    versioned.write_text(VERSION.sub(f'__version__ = "{version}"', text, count=1), encoding="utf-8")
    released = f"{RELEASED}/{version}.json"
    done = subprocess.run(
        [sys.executable, "-m", "tools.released", version], cwd=root, capture_output=True, text=True
    )
    if done.returncode:
        raise Refused(f"What others can rely on could not be written down: {done.stderr.strip()}")
    git(root, "add", released)
    git(
        root, "commit", "--quiet", "--message", f"Release {version}", CHANGELOG, VERSIONED, released
    )
    git(
        root,
        "tag",
        "--annotate",
        "--message",
        f"Storypool {version}\n\n{_notes(root, version)}",
        f"v{version}",
    )


def _notes(root: Path, version: str) -> str:
    text = (root / CHANGELOG).read_text(encoding="utf-8")
    return (
        text.partition(f"## [{version}] - ")[2]
        .partition("\n")[2]
        .partition("\n## [")[0]
        .strip()
        .replace("### ", "")
    )


def build(root: Path, version: str) -> list[Path]:
    """Build a version into `dist`, from the commit and with its time: wheel, sdist, and parts."""
    place = root / "dist" / version
    place.mkdir(parents=True, exist_ok=True)
    epoch = git(root, "log", "-1", "--format=%ct", f"v{version}")
    with tempfile.TemporaryDirectory() as clean:
        archive = subprocess.run(
            ["git", "archive", f"v{version}"], cwd=root, capture_output=True, check=True
        ).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(clean, filter="data")
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(place)]
        environ = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "STORYPOOL_HOME": home(root)}
        done = subprocess.run(command, cwd=clean, env=environ, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"The build failed: {done.stderr.strip()}")
    parts = place / f"storypool-{version}.cdx.json"
    commit = git(root, "rev-parse", f"v{version}^{{commit}}")
    parts.write_text(bill(root, version, commit, int(epoch)), encoding="utf-8")
    return [*place.glob("*.whl"), *place.glob("*.tar.gz"), parts]


def attest(root: Path, version: str, files: Sequence[Path], key: Path | None) -> list[Path]:
    """Write an in-toto statement of the built files and their source, signed if a key is given."""
    subject = [
        {"name": one.name, "digest": {"sha256": hashlib.sha256(one.read_bytes()).hexdigest()}}
        for one in files
    ]
    made = {
        "buildType": "python3 dev.py release",
        "home": home(root),
        "commit": git(root, "rev-parse", f"v{version}^{{commit}}"),
        "sourceDateEpoch": int(git(root, "log", "-1", "--format=%ct", f"v{version}")),
        "python": platform.python_version(),
        "hatchling": installed("hatchling"),
    }
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subject,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {"buildType": made.pop("buildType"), "externalParameters": made}
        },
    }
    file = files[0].parent / f"storypool-{version}.intoto.json"
    file.write_text(json.dumps(statement, indent=2) + "\n", encoding="utf-8")
    if key is None:
        return [file]
    signature = file.with_name(f"{file.name}.sig")
    signature.unlink(missing_ok=True)
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"The attestation was not signed: {done.stderr.strip()}")
    return [file, signature]


def release(root: Path, version: str, key: Path | None) -> list[Path]:
    """Make a release and return its files; `Refused` leaves the checkout unchanged."""
    if key and not key.is_file():
        raise Refused(f"There is no key at {key}.")
    check(root, version)
    before = git(root, "rev-parse", "HEAD")
    try:
        write(root, version, f"{datetime.now(UTC):%Y-%m-%d}")
        files = build(root, version)
        return [*files, *attest(root, version, files, key)]
    except BaseException:
        # Everything was committed, so this undoes only what was written here.
        git(root, "reset", "--quiet", "--hard", before)
        if git(root, "tag", "--list", f"v{version}"):
            git(root, "tag", "--delete", f"v{version}")
        raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a release and print what to push; 1 with the reason if it is refused."""
    parser = argparse.ArgumentParser(prog="dev.py release", description=__doc__)
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--key", type=Path, help="a private key of ssh that signs the attestation")
    given = parser.parse_args(arguments)
    try:
        files = release(ROOT, given.version, given.key)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    branch = git(ROOT, "rev-parse", "--abbrev-ref", "HEAD")
    print(f"\nStorypool {given.version} is made. What is left is to push it:\n")
    print(f"    git push --atomic origin {branch} v{given.version}")
    print(
        "    uv publish"
        f" {' '.join(str(one.relative_to(ROOT)) for one in files if one.suffix in ('.whl', '.gz'))}"
    )
    print("\nand to put beside it what others verify it by:\n")
    print(
        "\n".join(
            f"    {one.relative_to(ROOT)}" for one in files if one.suffix not in (".whl", ".gz")
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
