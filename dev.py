#!/usr/bin/env python3
"""The commands for a checkout of Storypool, also on a fresh machine.

python3 dev.py run [...]     serve a table; arguments go to 'storypool serve' (--local, --help)
python3 dev.py run demo      the same, with a table in the middle of a scene
python3 dev.py test [...]    lint, types and the fixed set of tests; arguments go to pytest
python3 dev.py test --all    the same with every test, as each night and before a release
python3 dev.py quick [...]   the same without the slow tests, in less than a minute
python3 dev.py bench [...]   the benchmarks; arguments go to them
python3 dev.py docs [...]    the documentation as files in build/docs (--to FOLDER, --links)
python3 dev.py torture [...] the harnesses of docs/torture.md, or the named ones (--quick)
python3 dev.py release 0.2.0 check, tag and build a version, and print the command to push it
python3 dev.py audit         the known weaknesses of locked packages, from osv.dev
python3 dev.py lock [...]    write requirements/*.txt again; arguments go to 'uv pip compile'

No other step comes first: they build .venv next to this file from the hashed requirements if it is
missing or incomplete, or no longer fits the locks, the project, this Python or this folder.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python must get this far to print it)
    sys.exit(
        f"Storypool needs Python 3.11 or newer, and this is {sys.version.split()[0]}: run dev.py"
        " with a newer one."
    )

import hashlib
import importlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

T = TypeVar("T")
say = partial(print, flush=True)  # in order with the output of programs
ROOT = Path(__file__).resolve().parent
WINDOWS = os.name == "nt"
# The contents of each requirement file: its additions to the dependencies, and the file whose
# packages it includes in the same versions. A command needs the file of its name, else that of the
# tests.
LOCKS: dict[str, tuple[str, str | None]] = {
    "run": ("--extra metrics --extra pictures --group build", None),
    "test": ("--all-extras --group build --group test", "run"),
    "bench": ("--all-extras --group build --group bench", "test"),
    "audit": ("--extra metrics --extra pictures --group build --group audit", "run"),
    "container": ("--extra metrics --extra pictures --extra postgres --group build", "test"),
}
# The modules of commands. The audit reads each lock by its hashes, and asks no package index.
MODULES = {
    "bench": ["benchmarks"],
    "docs": ["tools.docs"],
    "torture": ["tools.torture"],
    "release": ["tools.release"],
    "audit": [
        *(
            "pip_audit",
            "--require-hashes",
            "--disable-pip",
            "--progress-spinner",
            "off",
            "-s",
            "osv",
        ),
        *(part for name in LOCKS for part in ("-r", f"requirements/{name}.txt")),
    ],
}
CODE = ("src", "tests", "benchmarks", "tools", "dev.py")
# The folder of the environments, and the file with the hash of one's inputs. .venv leads to the
# newest environment.
ENVIRONMENTS, STAMP = ".venvs", "storypool-stamp"
FAILED = Path(".pytest_cache", "v", "cache", "lastfailed")
# The most failed tests that are tried again: more have another cause than a busy machine.
FEW = 3
# Only one thread of this process may run apt.
APT = threading.Lock()
# Programs that the browser tests can drive, in order of preference: Debian's Chromium without
# windows, which takes a third less processor time for the same page, or any other.
HEADLESS = "chromium-headless-shell"
BROWSERS = (
    *(HEADLESS, "chromium", "chromium-browser", "google-chrome"),
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# Variables of the caller's shell that would make pip, or the new Python, use another place than
# .venv, or compile everything again in each of the hundreds of processes that the tests start.
MISLEADING = re.compile(
    r"PIP_(CONSTRAINT|NO_BUILD_ISOLATION|PREFIX|PYTHON|REQUIREMENT|REQUIRE_HASHES|ROOT|TARGET|USER)"
    r"|PYTHON(DONTWRITEBYTECODE|HOME|PATH|STARTUP)|VIRTUAL_ENV|CONDA_PREFIX|__PYVENV_LAUNCHER__"
)


class Stopped(Exception):
    """The command cannot continue: a sentence for the user with the reason and the remedy."""


# The environment.


def prepare(root: Path, command: str) -> Path:
    """Build .venv with the packages of this command, and return the folder of its programs.

    An environment is extended. If its Python does not start, or its inputs have changed, another
    one is built next to it, and .venv leads there once that is complete. Until then, or if that
    fails, the old one is unchanged: a server may run from it. Each archive is checked by its hash,
    and the checkout is installed in editable mode.
    """
    link, name = root / ".venv", command if command in LOCKS else "test"
    want, current = made_from(root, name), {made_from(root, name) for name in LOCKS}
    with alone(root / ".venv.lock"):
        there = (link, *(root / ENVIRONMENTS).glob("*"))
        place = next((one for one in there if want in stamps(one) and starts(one)), None)
        if place == link:
            return programs(link)
        try:
            if not place:
                fits = stamps(link) and stamps(link) <= current and starts(link)
                place = link.resolve() if fits else new_environment(root)
                extend(root, place, name, want)
        except Stopped as reason:
            if not (stamps(link) and starts(link)):
                raise
            raise Stopped(
                f"{reason} The environment before is as it was, with its programs in"
                f" {programs(link)}."
            ) from None
        lead(link, place)
    return programs(link)


def stamps(place: Path) -> set[str]:
    """The hashes of an environment's inputs; empty while it is half built."""
    stamp = place / STAMP
    return set(stamp.read_text(encoding="utf-8").split()) if stamp.exists() else set()


def new_environment(root: Path) -> Path:
    """Build an empty environment, after removing those from which no program runs."""
    package = f"python3.{sys.version_info.minor}-venv"
    missing = "This Python cannot make a virtual environment, because ensurepip is missing"
    ensure(partial(importlib.util.find_spec, "ensurepip"), package, missing)
    link, places = root / ".venv", root / ENVIRONMENTS
    for one in places.glob("*"):
        if one != link.resolve() and not (stamps(one) and is_in_use(one)):
            shutil.rmtree(one, ignore_errors=True)
    numbers = [int(one.name) for one in places.glob("*") if one.name.isdecimal()]
    # A link to a folder is not for everybody on Windows, which clears no program that runs.
    place = link if WINDOWS else places / str(max(numbers, default=0) + 1)
    say("Making .venv (a minute or two the first time) ...")
    # The Python under any environment that this one runs in, because .venv itself may be it.
    base = str(getattr(sys, "_base_executable", None) or sys.executable)
    quietly([base, "-m", "venv", "--clear", str(place)], "Making .venv")
    return place


def extend(root: Path, place: Path, name: str, want: str) -> None:
    """Install the packages of a lock and this checkout into an environment."""
    # The locks are complete, so pip has nothing to resolve. Most modules are never imported, so
    # compiling them would waste time.
    pip = [
        str(programs(place) / "python"),
        "-m",
        "pip",
        "--no-input",
        "--disable-pip-version-check",
    ]
    install = [*pip, "install", "--no-user", "--no-deps", "--no-compile", "--no-index"]
    lock, archives = root / "requirements" / f"{name}.txt", place / "archives"
    # Reading the index takes most of the time: two processes fetch, one installs. No package is
    # built, which would need packages that no lock names.
    fetch = [
        *pip,
        "download",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--dest",
        str(archives),
        "--require-hashes",
        "-r",
    ]
    with ThreadPoolExecutor() as threads:
        fetching = partial(quietly, doing="Fetching the locked packages")
        list(threads.map(fetching, [[*fetch, half] for half in halves(lock, place)]))
    # Write the stamp last, so that an incomplete environment has none.
    found = stamps(place)
    (place / STAMP).unlink(missing_ok=True)
    locked = ["--find-links", str(archives), "--require-hashes", "-r", str(lock)]
    quietly([*install, *locked], "Installing the locked packages")
    shutil.rmtree(archives, ignore_errors=True)
    quietly([*install, "--no-build-isolation", "-e", str(root)], "Installing Storypool")
    (place / STAMP).write_text("\n".join({*found, want}), encoding="utf-8")


def lead(link: Path, place: Path) -> None:
    """Point .venv to an environment, in one step if it is already a link."""
    if place in (link, link.resolve()):
        return
    if link.is_dir() and not link.is_symlink():
        link.rename(place.with_name("0"))  # made by an earlier version
    draft = link.with_name(f"{link.name}.draft")
    draft.unlink(missing_ok=True)
    draft.symlink_to(place.relative_to(link.parent), target_is_directory=True)
    draft.replace(link)


def is_in_use(place: Path) -> bool:
    """Whether a program runs from an environment, by its command line; True if unknown."""
    try:
        listed = subprocess.run(["ps", "-Awwo", "args="], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return True
    return os.fsencode(programs(place)) + b"/" in listed


def halves(lock: Path, folder: Path) -> list[str]:
    """Write the packages of a lock into two files in this folder; returns those with any."""
    packages = re.split(r"^(?=\w)", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = []
    for n in range(min(2, len(packages))):
        half = folder / f"{lock.stem}-{n}.txt"
        half.write_text("".join(packages[n::2]), encoding="utf-8")
        found.append(str(half))
    return found


def made_from(root: Path, name: str) -> str:
    """A hash of an environment's inputs: this lock, the project, the Python, the folder."""
    inputs = [(root / path).read_bytes() for path in ("pyproject.toml", f"requirements/{name}.txt")]
    return hashlib.sha256(
        b"\0".join([*inputs, sys.version.encode(), os.fsencode(root)])
    ).hexdigest()


def programs(folder: Path) -> Path:
    """The folder with the programs of an environment."""
    return folder / ("Scripts" if WINDOWS else "bin")


def starts(place: Path) -> bool:
    """Whether the Python of an environment starts: a system upgrade can remove its own."""
    try:
        command = [str(programs(place) / "python"), "-I", "-c", ""]
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


@contextmanager
def alone(path: Path, patience: float = 3600) -> Iterator[None]:
    """Hold a lock file, after waiting for `patience` seconds at most.

    Only one command at a time may build .venv.
    """
    with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def clean_environ() -> dict[str, str]:
    """The caller's variables without those that would mislead pip or Python."""
    return {name: text for name, text in os.environ.items() if not MISLEADING.fullmatch(name)}


def quietly(command: Sequence[str], doing: str) -> None:
    """Run a command and show its output only if it fails."""
    unseen, both = subprocess.DEVNULL, subprocess.STDOUT
    try:
        done = subprocess.run(
            command,
            env=clean_environ(),
            stdin=unseen,
            stdout=subprocess.PIPE,
            stderr=both,
            errors="replace",
        )
    except OSError as error:
        raise Stopped(
            f"{doing} failed: {command[0]} cannot be started ({error.strerror})."
        ) from error
    if done.returncode:
        print(done.stdout.rstrip(), file=sys.stderr, flush=True)
        raise Stopped(
            f"{doing} failed (exit {done.returncode}); its output is above. It was:"
            f" {shlex.join(command)}"
        )


# What the system must provide.


def ensure(find: Callable[[], T | None], package: str, missing: str, otherwise: str = "") -> T:
    """The result of `find`, after installing its system package if root and apt allow it."""
    with APT:
        if not find() and not WINDOWS and os.geteuid() == 0 and shutil.which("apt-get"):
            say(f"Installing {package} with apt ...")
            apt = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
            quietly([*apt, "update"], "Reading the package lists of apt")
            quietly(
                [*apt, "install", "-y", "--no-install-recommends", package], f"Installing {package}"
            )
            importlib.invalidate_caches()
    found = find()
    if not found:
        install = f"install it (on Debian or Ubuntu: sudo apt-get install {package})"
        raise Stopped(f"{missing}: {install} and run this again{otherwise}.")
    return found


def find_browser() -> str | None:
    """The browser for the tests: that of STORYPOOL_CHROMIUM, or the first installed one."""
    named = os.environ.get("STORYPOOL_CHROMIUM")
    names = [named] if named else BROWSERS
    return next(filter(None, map(shutil.which, names)), None)


def find_postgres() -> str | None:
    """The folder with PostgreSQL's programs.

    It is that of STORYPOOL_POSTGRES, else the one on the PATH, else Debian's newest.
    """
    on_path = shutil.which("postgres")
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: -float(one.parent.name)
    )
    named = os.environ.get("STORYPOOL_POSTGRES")
    found = debian
    if named:
        found = [Path(named)]
    elif on_path:
        found = [Path(on_path).parent, *debian]
    whole = (one for one in found if (one / "initdb").exists() and (one / "postgres").exists())
    return next(map(str, whole), None)


# The commands.


def run(arguments: Sequence[str]) -> NoReturn:
    """Serve a table until stopped; 'demo' as the first argument serves one in mid-scene."""
    become(
        [
            str(prepare(ROOT, "run") / "storypool"),
            *([] if arguments[:1] == ["demo"] else ["serve"]),
            *arguments,
        ]
    )


def run_module(command: str, arguments: Sequence[str]) -> NoReturn:
    """Run the module of a command in the checkout."""
    python = str(prepare(ROOT, command) / "python")
    os.chdir(ROOT)
    become([python, "-m", *MODULES[command], *arguments])


def audit(arguments: Sequence[str]) -> int:
    """Report the known weaknesses of locked packages; a single sentence without the internet."""
    command = [str(prepare(ROOT, "audit") / "python"), "-m", *MODULES["audit"], *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, env=clean_environ(), stderr=subprocess.PIPE, text=True, errors="replace"
    )
    last = ran.stderr.rstrip().rpartition("\n")[2]
    if ran.returncode and "Traceback" in ran.stderr and last.startswith("requests.exceptions."):
        why = last.partition(":")[0].rpartition(".")[2]
        raise Stopped(
            f"osv.dev was not reached ({why}), so nothing was audited: run this again with the"
            " internet."
        )
    print(ran.stderr, end="", file=sys.stderr, flush=True)
    return ran.returncode


def become(command: Sequence[str]) -> NoReturn:
    """Replace this process by another program, so that signals reach it."""
    if WINDOWS:  # Its console would not wait for an exec.
        sys.exit(subprocess.run(command, env=clean_environ()).returncode)
    os.execve(command[0], list(command), clean_environ())


def test(arguments: Sequence[str]) -> int:
    """Run every check with the fixed set of tests, or with all of them.

    System packages are installed while the environment is built.
    """
    with ThreadPoolExecutor() as threads:
        made = threads.submit(prepare, ROOT, "test")
        more = provided()
        made.result()
    whole = ["--hypothesis-profile", "exhaustive", "-m", ""] if "--all" in arguments else []
    return check("test", [*whole, *(one for one in arguments if one != "--all")], more)


def provided() -> dict[str, str]:
    """The variables that name a browser and PostgreSQL, after installing missing ones."""
    found = {
        "STORYPOOL_CHROMIUM": ensure(find_browser, HEADLESS, "The browser tests need Chromium")
    }
    if not os.environ.get("STORYPOOL_WITHOUT_POSTGRES"):
        missing, without = (
            "The tests of the store on PostgreSQL need its server",
            "STORYPOOL_WITHOUT_POSTGRES=1",
        )
        otherwise = f", or go without them with {without}"
        found["STORYPOOL_POSTGRES"] = ensure(find_postgres, "postgresql", missing, otherwise)
        # If it cannot be installed, the pooler's tests are skipped, and pytest names them.
        with suppress(Stopped):
            places = f"{os.environ.get('PATH', '')}:/usr/sbin"
            ensure(
                partial(shutil.which, "pgbouncer", path=places),
                "pgbouncer",
                "The pooler's tests need PgBouncer",
            )
    return found


def quick(arguments: Sequence[str]) -> int:
    """Run the checks without slow tests and those that need a browser or PostgreSQL."""
    words = ["-n", "auto", "--ignore=tests/browser", "-m", "not slow"]
    return check("quick", [*words, *arguments], {})


def check(command: str, arguments: Sequence[str], more: Mapping[str, str]) -> int:
    """Run lint, types and tests, all of them even if one fails, and print the failed ones.

    A few failed tests run again alone: one that passes then depends on the load of the machine,
    which is a fault of the test or of the program. It is named, and stops nobody else's commit.
    """
    python = str(prepare(ROOT, command) / "python")
    stages = {
        "lint": ["ruff", "check", *CODE],
        "format": ["ruff", "format", "--check", *CODE],
        "page": ["tools.page"],
        # Each process runs whole files, as their tests may share a server and a browser. Keep the
        # order of the files: the long ones come first. Start two processes more than there are
        # processors, as browser tests wait a third of their time.
        "tests": [
            *(
                "pytest",
                "-n",
                str((os.cpu_count() or 1) + 2),
                "--dist",
                "loadfile",
                "--no-loadscope-reorder",
            ),
            *arguments,
        ],
        # It starts first and runs in parallel. Its cache makes a second run check only changes.
        "types": ["mypy", "--strict", *CODE],
    }

    environ, unseen, both = {**clean_environ(), **more}, subprocess.DEVNULL, subprocess.STDOUT
    start = partial(subprocess.Popen, cwd=ROOT, env=environ, stdin=unseen, errors="replace")
    (ROOT / FAILED).unlink(missing_ok=True)
    types = start([python, "-m", *stages["types"]], stdout=subprocess.PIPE, stderr=both)
    lines, failed = [], 0
    for name, stage in stages.items():
        say(f"\n== {name}: {shlex.join(stage)}")
        began, process = (
            time.monotonic(),
            types if name == "types" else start([python, "-m", *stage]),
        )
        if process is types:
            say(process.communicate()[0].rstrip())
        code = process.wait()
        tried = failed_tests() if name == "tests" and code == 1 else []
        if 0 < len(tried) <= FEW:
            say("\n== tests that failed, again and alone")
            code = start([python, "-m", "pytest", "--last-failed", "-n", "0", *arguments]).wait()
        failed += code != 0
        result = f"FAILED (exit {code})" if code else "ok"
        lines.append(f"  {name:8}{result:18}{time.monotonic() - began:6.1f} s")
        if not code:
            lines += [
                f"  shaky: {one} failed beside others and passed alone; mend it" for one in tried
            ]
    end = f"{failed} of {len(lines)} failed." if failed else "All is well."
    say("\n".join(["", *lines, "", end]))
    return 1 if failed else 0


def failed_tests() -> list[str]:
    """The names of the tests that failed in the last run of pytest here."""
    with suppress(OSError, ValueError):
        return sorted(json.loads((ROOT / FAILED).read_text(encoding="utf-8")))
    return []


def lock(arguments: Sequence[str]) -> int:
    """Write the requirement files from pyproject.toml, with hashes for every platform."""
    uv = shutil.which("uv") or str(prepare(ROOT, "test") / "uv")
    os.chdir(ROOT)
    options = (
        "--universal --generate-hashes --no-header --no-annotate --no-emit-index-url"
        " --no-emit-find-links --quiet"
    )
    for name, (wished, agree) in LOCKS.items():
        path = Path("requirements", f"{name}.txt")
        agreed = ["--constraint", f"requirements/{agree}.txt"] if agree else []
        say(f"Locking {path} ...")
        command = [
            uv,
            "pip",
            "compile",
            "pyproject.toml",
            "--output-file",
            str(path),
            *options.split(),
        ]
        quietly([*command, *wished.split(), *agreed, *arguments], f"Locking {path}")
        header = "# Made by 'python3 dev.py lock' from pyproject.toml; change that, not this.\n"
        path.write_text(header + path.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"run": run, "test": test, "quick": quick}
COMMANDS |= {name: partial(run_module, name) for name in MODULES} | {"audit": audit, "lock": lock}


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code.

    It is 0 for success, 1 for a failed check or step, 2 for an unknown command.
    """
    command, *rest = arguments or [""]
    if command in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    if command not in COMMANDS:
        print(
            f"Use python3 dev.py {', '.join(COMMANDS)} or --help, not {command!r}.", file=sys.stderr
        )
        return 2
    try:
        # A first `--` only separates the passed arguments.
        return COMMANDS[command](rest[1:] if rest[:1] == ["--"] else rest)
    except Stopped as reason:
        print(reason, file=sys.stderr)
    except (OSError, sqlite3.Error) as error:
        print(
            f"{error}. This checkout must be whole, and one that you can write to.", file=sys.stderr
        )
    except KeyboardInterrupt:
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
