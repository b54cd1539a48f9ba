#!/usr/bin/env python3
"""Everything that is done with a checkout of Storypool, from a fresh machine on.

python3 dev.py run [...]     serve a table; what follows goes to 'storypool serve' (--local, --port 9000, --help ...)
python3 dev.py run demo      the same, with a table in the middle of a scene
python3 dev.py test [...]    lint, types and every test; what follows goes to pytest (-k destiny ...)
python3 dev.py test --all    the same, and the whole of what is exhaustive by nature: else a fifth, chosen by the commit
python3 dev.py quick [...]   the same in a minute or two: without a browser, a tenth of plays and random tries
python3 dev.py bench [...]   the benchmarks; what follows goes to them
python3 dev.py torture [...] what docs/torture.md tells: everything, or the harnesses that are named (--quick, --seed N)
python3 dev.py audit         which locked packages have a weakness that is known; asks osv.dev, so it needs the internet
python3 dev.py lock [...]    write requirements/*.txt anew; what follows goes to 'uv pip compile' (--upgrade ...)

All but the last need no step before them: they make .venv beside this file from the hashed requirements when it is not
there, is half made, or no longer fits the locks, this Python or this folder. They use uv where it is found, else pip.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python must get this far to be told)
    sys.exit(
        f"Storypool needs Python 3.11 or newer, and this is {sys.version.split()[0]}: run dev.py with a newer one."
    )

import hashlib
import importlib
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
WINDOWS = os.name == "nt"
# The requirement files that each command needs, in requirements/.
NEEDS = {
    "run": ("run",),
    "test": ("run", "test"),
    "quick": ("run", "test"),
    "bench": ("run", "bench"),
    "torture": ("run", "test"),
    "audit": ("run", "audit"),
}
# The contents of each requirement file: extras of pyproject.toml, and the file whose versions it must agree with.
LOCKS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "run": (("build",), None),
    "test": (("build", "test"), "run"),
    "bench": (("build", "bench"), "test"),
    "audit": (("build", "audit"), "run"),
}
CODE = ("src", "tests", "benchmarks", "tools", "dev.py")
# Programs that the browser tests can drive, in order of preference.
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# Variables of the caller's shell that would make an installer, or the new Python, use another place than .venv, or
# compile everything anew in each of the hundreds of processes that the tests start.
MISLEADING = re.compile(
    r"(PIP|UV)_(CONSTRAINT|NO_BUILD_ISOLATION|OVERRIDE|PREFIX|PYTHON|REQUIREMENT|REQUIRE_HASHES|ROOT|SYSTEM_PYTHON|TARGET|USER)"
    r"|PYTHON(DONTWRITEBYTECODE|HOME|PATH|STARTUP)|VIRTUAL_ENV|CONDA_PREFIX|__PYVENV_LAUNCHER__"
)


class Stopped(Exception):
    """The command cannot continue: the reason and what to do about it, in a sentence for the user."""


# The environment.


def prepare(root: Path, command: str, uv: str | None) -> Path:
    """Make or extend .venv so that it has what this command needs, and return the folder of its programs."""
    folder = root / ".venv"
    with alone(root / ".venv.lock"):
        want, found = wanted(root, command), stamped(folder)
        # After a change of pyproject.toml only Storypool is installed again.
        changed = [name for name, text in want.items() if found.get(name, text) != text and name != "pyproject.toml"]
        if changed or not works(folder):
            found = {}
        if not want.items() <= found.items():
            make(root, folder, found, want, uv)
    return programs(folder)


def wanted(root: Path, command: str) -> dict[str, str]:
    """Return the inputs that an environment for this command must be made from: hashes by file name, and the Python."""
    files = ["pyproject.toml", *(f"requirements/{name}.txt" for name in NEEDS[command])]
    hashes = {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in files}
    return {**hashes, "ground": f"{platform.python_implementation()} {platform.python_version()} in {root}"}


def stamp(folder: Path) -> Path:
    """Return the file that records what an environment was made from: written last, so half-made ones have none."""
    return folder / "storypool-stamp.json"


def stamped(folder: Path) -> dict[str, str]:
    """Return what an environment was made from, or nothing if that cannot be read."""
    try:
        found = json.loads(stamp(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def programs(folder: Path) -> Path:
    """Return the folder with the programs of an environment."""
    return folder / ("Scripts" if WINDOWS else "bin")


def works(folder: Path) -> bool:
    """Whether the Python of an environment starts: a system upgrade can remove the one it depends on."""
    try:
        return subprocess.run([programs(folder) / "python", "-I", "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def make(root: Path, folder: Path, found: Mapping[str, str], want: Mapping[str, str], uv: str | None) -> None:
    """Extend an environment that was made from `found`, or make a new one; if uv fails, make it with pip."""
    attempts = list(dict.fromkeys([(uv, not found), (None, True)]))
    for n, (uv, anew) in enumerate(attempts):
        try:
            if anew:
                say(f"Making {folder.name} with {'uv' if uv else 'pip'} (a minute or two the first time) ...")
                remove(folder)
                if not uv:
                    ensure_pip()
            else:
                say(f"Extending {folder.name} ...")
                stamp(folder).unlink()
            for doing, command in steps(root, folder, [name for name in want if name not in found], uv, anew):
                quietly(command, doing)
        except Stopped as reason:
            if n == len(attempts) - 1:
                raise
            say(f"{reason}\nTrying once more with pip.")
        else:
            stamp(folder).write_text(json.dumps({**found, **want}, indent=1), encoding="utf-8")
            return


def steps(
    root: Path, folder: Path, lacking: Sequence[str], uv: str | None, anew: bool
) -> Iterator[tuple[str, list[str]]]:
    """Yield the steps that make or extend an environment: what each does, and its command.

    Each archive is checked by its hash, and the checkout is installed in editable mode.
    """
    python = str(programs(folder) / "python")
    if anew:
        # The Python under any environment that this one runs in, because .venv itself has just gone.
        base = str(getattr(sys, "_base_executable", None) or sys.executable)
        yield "Making .venv", [base, "-m", "venv", *(["--without-pip"] if uv else []), str(folder)]
    install = [python, "-m", "pip", "install", "--no-user", "--no-input", "--disable-pip-version-check"]
    if uv:
        install = [uv, "pip", "install", "--python", python]
    locks = [part for name in lacking if name.startswith("requirements/") for part in ("-r", str(root / name))]
    if locks:
        yield "Installing the locked packages", [*install, "--require-hashes", *locks]
    offline = ["--offline" if uv else "--no-index", "--no-deps", "--no-build-isolation"]
    yield "Installing Storypool", [*install, *offline, "-e", str(root)]


def remove(folder: Path) -> None:
    """Remove an environment, or whatever is in its place; a link is not followed."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


@contextmanager
def alone(path: Path, patience: float = 3600) -> Iterator[None]:
    """Hold a lock file, after waiting for `patience` seconds at most: only one command at a time may build .venv."""
    with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def clean_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's variables without those that would mislead an installer."""
    return {name: text for name, text in environ.items() if not MISLEADING.fullmatch(name)}


def say(text: str) -> None:
    """Print one line for the user, in order with the output of programs."""
    print(text, flush=True)


def quietly(command: Sequence[str], doing: str) -> None:
    """Run a command and show its output only if it fails."""
    environ, unseen, both = clean_environ(os.environ), subprocess.DEVNULL, subprocess.STDOUT
    try:
        done = subprocess.run(command, env=environ, stdin=unseen, stdout=subprocess.PIPE, stderr=both, errors="replace")
    except OSError as error:
        raise Stopped(f"{doing} failed: {command[0]} cannot be started ({error.strerror}).") from error
    if done.returncode:
        print(done.stdout.rstrip(), file=sys.stderr, flush=True)
        raise Stopped(f"{doing} failed (exit {done.returncode}); what it said is above. It was: {shlex.join(command)}")


# What the system must provide.


def ensure_pip() -> None:
    """Make sure that this Python can make an environment with pip; Debian has that in a separate package."""
    package = f"python3.{sys.version_info.minor}-venv"
    if not has_pip() and may_apt():
        apt(package)
        importlib.invalidate_caches()
    if not has_pip():
        raise Stopped(
            f"This Python cannot make a virtual environment, because ensurepip is missing: install {package} "
            f"(on Debian or Ubuntu: sudo apt-get install {package}), or uv, and run this again."
        )


def has_pip() -> bool:
    """Whether this Python can make a virtual environment with pip."""
    return importlib.util.find_spec("ensurepip") is not None


def find_browser() -> str | None:
    """Return the browser for the tests: the one that STORYPOOL_CHROMIUM names, or the first that is installed."""
    named = os.environ.get("STORYPOOL_CHROMIUM")
    return next((path for path in map(shutil.which, [named] if named else BROWSERS) if path), None)


def ensure_browser() -> str:
    """Return the browser for the tests, and install it if that is allowed."""
    if not find_browser() and may_apt():
        apt("chromium")
    browser = find_browser()
    if not browser:
        raise Stopped(
            "The browser tests need Chromium: install it (on Debian: sudo apt-get install chromium) and run this again."
        )
    return browser


def find_postgres() -> str | None:
    """Return the folder with PostgreSQL's programs: what STORYPOOL_POSTGRES names, on the PATH, or Debian's newest."""
    on_path = shutil.which("postgres")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: -float(one.parent.name))
    named = os.environ.get("STORYPOOL_POSTGRES")
    found = [Path(named)] if named else [*([Path(on_path).parent] if on_path else []), *debian]
    return next((str(one) for one in found if (one / "initdb").exists()), None)


def find_pgbouncer() -> str | None:
    """Return where PgBouncer is, which few have on their PATH."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def without_postgres() -> bool:
    """Whether the tests that need PostgreSQL are to be left out: STORYPOOL_WITHOUT_POSTGRES says so."""
    return bool(os.environ.get("STORYPOOL_WITHOUT_POSTGRES"))


def ensure_postgres() -> str:
    """Return the folder with PostgreSQL's programs for the tests, and install them if that is allowed."""
    if not find_postgres() and may_apt():
        apt("postgresql")
    if not find_pgbouncer() and may_apt():
        # Where it cannot be installed, the tests through a pooler are skipped, and pytest names them.
        with suppress(Stopped):
            apt("pgbouncer")
    found = find_postgres()
    if not found:
        raise Stopped(
            "The tests of the store on PostgreSQL need its server: install it (on Debian: sudo apt-get install "
            "postgresql) and run this again, or go without them with STORYPOOL_WITHOUT_POSTGRES=1."
        )
    return found


def may_apt() -> bool:
    """Whether a system package may be installed: as root, on a system that has apt."""
    return not WINDOWS and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt(package: str) -> None:
    """Install a system package with its required dependencies."""
    say(f"Installing {package} with apt ...")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    quietly(["apt-get", "update"], "Reading the package lists of apt")
    quietly(["apt-get", "install", "-y", "--no-install-recommends", package], f"Installing {package}")


# The commands.


def run(arguments: Sequence[str]) -> NoReturn:
    """Serve a table until it is stopped; 'demo' as the first argument serves one in the middle of a scene."""
    become([str(prepare(ROOT, "run", shutil.which("uv")) / "storypool"), *served(arguments)])


def served(arguments: Sequence[str]) -> list[str]:
    """Return the arguments for 'storypool' that 'run' stands for."""
    return list(arguments) if arguments[:1] == ["demo"] else ["serve", *arguments]


def bench(arguments: Sequence[str]) -> NoReturn:
    """Run the benchmarks."""
    python = str(prepare(ROOT, "bench", shutil.which("uv")) / "python")
    os.chdir(ROOT)
    become([python, "-m", "benchmarks", *arguments])


def torture(arguments: Sequence[str]) -> NoReturn:
    """Run the harnesses that torture the store and the server, and count what fails."""
    python = str(prepare(ROOT, "torture", shutil.which("uv")) / "python")
    os.chdir(ROOT)
    become([python, "-m", "tools.torture", *arguments])


def audit(arguments: Sequence[str]) -> NoReturn:
    """Say which locked packages have a known weakness; the exit code is 1 if any has."""
    python = str(prepare(ROOT, "audit", shutil.which("uv")) / "python")
    os.chdir(ROOT)
    become([python, *audited(), *arguments])


def audited() -> list[str]:
    """Return the arguments for Python that audit every lock by its hashes, and resolve nothing anew."""
    locks = [part for name in LOCKS for part in ("-r", f"requirements/{name}.txt")]
    return ["-m", "pip_audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off", "-s", "osv", *locks]


def become(command: Sequence[str]) -> NoReturn:
    """Replace this process by another program, so that signals reach it."""
    environ = clean_environ(os.environ)
    if WINDOWS:  # which has no exec that the console waits for
        sys.exit(subprocess.run(command, env=environ).returncode)
    os.execve(command[0], list(command), environ)


def test(arguments: Sequence[str]) -> int:
    """Run every check."""
    servers = {} if without_postgres() else {"STORYPOOL_POSTGRES": ensure_postgres()}
    exhaustive = {} if "--all" in arguments else {"STORYPOOL_PART": part_of_commit()}
    rest = [one for one in arguments if one != "--all"]
    return check("test", rest, {"STORYPOOL_CHROMIUM": ensure_browser(), **servers, **exhaustive})


def part_of_commit() -> str:
    """Return which fifth of the exhaustive tests this commit runs, from "0" to "4"; "" for all, where git has none."""
    try:
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return str(int(found.stdout[:8], 16) % 5) if found.returncode == 0 else ""


def quick(arguments: Sequence[str]) -> int:
    """Run the checks that take a minute or two: no browser, nothing marked slow, a tenth of the plays and random tries.

    Where there is no PostgreSQL, the tests of its store are skipped, and pytest names them.
    """
    without = {} if find_postgres() else {"STORYPOOL_WITHOUT_POSTGRES": "1"}
    return check("quick", ["-m", "not browser and not slow", *arguments], {"STORYPOOL_ONE_IN": "10", **without})


def check(command: str, arguments: Sequence[str], more: Mapping[str, str]) -> int:
    """Run lint, types and tests, all of them even if one fails, and print at the end which failed."""
    python = prepare(ROOT, command, shutil.which("uv")) / "python"
    lines, failed = [], 0
    for name, stage in stages(python, arguments).items():
        say(f"\n== {name}: {shlex.join(stage[2:])}")
        start = time.monotonic()
        environ = {**clean_environ(os.environ), **more}
        code = subprocess.run(stage, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL).returncode
        failed += code != 0
        lines.append(f"  {name:8}{'ok' if not code else f'FAILED (exit {code})':18}{time.monotonic() - start:6.1f} s")
    say("\n".join(["", *lines, "", f"{failed} of {len(lines)} failed." if failed else "All is well."]))
    return 1 if failed else 0


def stages(python: Path, arguments: Sequence[str]) -> dict[str, list[str]]:
    """Return every check by name, in the order in which they run."""
    run = [str(python), "-m"]
    return {
        "lint": [*run, "ruff", "check", *CODE],
        "format": [*run, "ruff", "format", "--check", *CODE],
        # It has a cache, so that a second run checks only what has changed.
        "types": [*run, "mypy", "--strict", *CODE],
        # One file at a time: a file's tests may share a server and a browser.
        # In the order of the files: the long ones come first, and no processor waits for another's last file.
        "tests": [*run, "pytest", "-n", str(workers()), "--dist", "loadfile", "--no-loadscope-reorder", *arguments],
    }


def workers() -> int:
    """Return how many tests run side by side: one more than there are processors, as browser tests wait a third of
    their time.
    """
    return (os.cpu_count() or 1) + 1


def lock(arguments: Sequence[str]) -> int:
    """Write the requirement files from pyproject.toml: for every platform, with hashes, without addresses."""
    uv = shutil.which("uv")
    if not uv:
        raise Stopped("Locking needs uv, which resolves for every platform: install it and run this again.")
    os.chdir(ROOT)
    for name, (extras, agree) in LOCKS.items():
        say(f"Locking requirements/{name}.txt ...")
        quietly(lock_command(uv, name, extras, agree, arguments), f"Locking {name}.txt")
        path = ROOT / "requirements" / f"{name}.txt"
        header = "# Made by 'python3 dev.py lock' from pyproject.toml; change that, not this.\n"
        text = header + path.read_text(encoding="utf-8")
        trace = address_in(text)
        if trace:
            raise Stopped(f"requirements/{name}.txt holds an address, which must not be committed: {trace}")
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


def lock_command(uv: str, name: str, extras: Sequence[str], agree: str | None, arguments: Sequence[str]) -> list[str]:
    """Return the command that writes one requirement file."""
    options = "--universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet"
    return [
        *(uv, "pip", "compile", "pyproject.toml", "--output-file", f"requirements/{name}.txt", *options.split()),
        *(part for extra in extras for part in ("--extra", extra)),
        *(("--constraint", f"requirements/{agree}.txt") if agree else ()),
        *arguments,
    ]


def address_in(text: str) -> str | None:
    """Return the first line of a requirement file with an address to download from, or None."""
    marks = ("://", "--index", "--extra-index", "--find-links", "--trusted-host", "file:", " @ ")
    return next((line for line in text.splitlines() if any(mark in line for mark in marks)), None)


COMMANDS = {
    "run": run,
    "test": test,
    "quick": quick,
    "bench": bench,
    "torture": torture,
    "audit": audit,
    "lock": lock,
}


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code: 0 for success, 1 for a failed check or step, 2 for an unknown command."""
    command, *rest = arguments or [""]
    if command in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    if command not in COMMANDS:
        print(f"Say what to do: python3 dev.py {', '.join(COMMANDS)} or --help, not {command!r}.", file=sys.stderr)
        return 2
    try:
        # A first `--` only separates the arguments that are passed on.
        return COMMANDS[command](rest[1:] if rest[:1] == ["--"] else rest)
    except Stopped as reason:
        print(reason, file=sys.stderr)
    except (OSError, sqlite3.Error) as error:
        print(f"{error}. This checkout must be whole, and one that you can write to.", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
