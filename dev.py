#!/usr/bin/env python3
"""Everything that is done with a checkout of Storypool, from a fresh machine on.

python3 dev.py run [...]     serve a table; what follows goes to 'storypool serve' (--local, --port 9000, --help ...)
python3 dev.py run demo      the same, with a table in the middle of a scene
python3 dev.py test [...]    lint, types and every test; what follows goes to pytest (-k destiny ...)
python3 dev.py bench [...]   the benchmarks; what follows goes to them
python3 dev.py lock [...]    write requirements/*.txt anew; what follows goes to 'uv pip compile' (--upgrade ...)

The first three need no step before them: they make .venv beside this file from the hashed requirements when it is not
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
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parent
WINDOWS = os.name == "nt"
STAMP = "storypool-stamp.json"
# The requirement files that each command needs, in requirements/.
NEEDS = {"run": ("run",), "test": ("run", "test"), "bench": ("run", "bench")}
# What goes into each requirement file: extras of pyproject.toml, and the file whose versions it has to agree with.
LOCKS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "run": (("build",), None),
    "test": (("build", "test"), "run"),
    "bench": (("build", "bench"), "test"),
}
# Chromium or its close kin, by the name of its program.
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# Settings of the caller's shell that would send an installer, or the new Python, somewhere else than .venv.
MISLEADING = re.compile(
    r"(PIP|UV)_(CONSTRAINT|NO_BUILD_ISOLATION|OVERRIDE|PREFIX|PYTHON|REQUIREMENT|REQUIRE_HASHES|ROOT|SYSTEM_PYTHON|TARGET|USER)"
    r"|PYTHON(HOME|PATH|STARTUP)|VIRTUAL_ENV|CONDA_PREFIX|__PYVENV_LAUNCHER__"
)


class Stopped(Exception):
    """Why it cannot go on and what to do about it, in a sentence for the person at the keyboard."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What .venv was made from. It is written last, so an environment without one is half made."""

    ground: str
    locks: Mapping[str, str]
    package: str
    installed: Sequence[str] = field(default=())

    @classmethod
    def read(cls, path: Path) -> "Stamp | None":
        """The stamp in this file, or None when there is none that makes sense."""
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, path: Path) -> None:
        """Put the stamp there in one step: whole or not at all."""
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        draft.replace(path)


def wanted(root: Path, command: str) -> Stamp:
    """The stamp of an environment that is right for this command, in this folder, under this Python."""
    return Stamp(
        ground=f"{platform.python_implementation()} {platform.python_version()} {sysconfig.get_platform()} {root}",
        locks={name: digest(lock_file(root, name)) for name in NEEDS[command]},
        package=digest(root / "pyproject.toml"),
    )


def missing(found: Stamp | None, want: Stamp, present: Sequence[str]) -> list[str] | None:
    """The locks still to be installed into the environment that was found, or None when it has to be made anew.

    `present` is what is in its site-packages now: something gone or replaced since the stamp means that it is broken.
    """
    if found is None or found.ground != want.ground or not set(found.installed) <= set(present):
        return None
    if any(found.locks.get(name, sha) != sha for name, sha in want.locks.items()):
        return None
    return [name for name in want.locks if name not in found.locks]


def digest(path: Path) -> str:
    """The SHA-256 of a file of the checkout."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise Stopped(f"{path.name} is missing from this checkout: get it back with git.") from None


def lock_file(root: Path, name: str) -> Path:
    """Where the requirement file of this name is."""
    return root / "requirements" / f"{name}.txt"


@dataclass(frozen=True, slots=True)
class Environment:
    """The folder .venv and what can be asked of it."""

    folder: Path

    def program(self, name: str) -> Path:
        """Where a program of the environment is, or would be."""
        return self.folder / ("Scripts" if WINDOWS else "bin") / (f"{name}.exe" if WINDOWS else name)

    def works(self) -> bool:
        """Whether its Python starts: a system upgrade can take away the one it leans on."""
        try:
            return subprocess.run([self.program("python"), "-I", "-c", ""], capture_output=True).returncode == 0
        except OSError:
            return False

    def present(self) -> list[str]:
        """The names in its site-packages."""
        places = [*self.folder.glob("lib/python*/site-packages"), *self.folder.glob("Lib/site-packages")]
        return sorted({entry.name for place in places for entry in place.iterdir() if entry.name != "__pycache__"})

    def remove(self) -> None:
        """Take it away, whatever stands in its place; a link is not followed."""
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        elif self.folder.exists():
            shutil.rmtree(self.folder)


@dataclass(frozen=True, slots=True)
class Installer:
    """uv or pip: the commands that make an environment and put packages into it."""

    uv: str | None

    @property
    def name(self) -> str:
        return "uv" if self.uv else "pip"

    def make(self, env: Environment) -> list[str]:
        """The command that makes an empty environment."""
        if self.uv:
            return [self.uv, "venv", "--quiet", "--no-project", "--python", base_python(), str(env.folder)]
        return [base_python(), "-m", "venv", str(env.folder)]

    def install(self, env: Environment, locks: Sequence[Path]) -> list[str]:
        """The command that installs these requirement files, each archive checked by its hash."""
        return [*self._install(env), "--require-hashes", *(part for lock in locks for part in ("-r", str(lock)))]

    def install_package(self, env: Environment, root: Path) -> list[str]:
        """The command that installs this checkout so that an edit is seen at once; it asks no index."""
        offline = "--offline" if self.uv else "--no-index"
        return [*self._install(env), offline, "--no-deps", "--no-build-isolation", "-e", str(root)]

    def _install(self, env: Environment) -> list[str]:
        python = str(env.program("python"))
        if self.uv:
            return [self.uv, "pip", "install", "--python", python]
        return [python, "-m", "pip", "install", "--no-user", "--no-input", "--disable-pip-version-check"]


def installers(uv: str | None) -> list[Installer]:
    """What to try, in order: uv where there is one, and pip, which every Python brings."""
    return [Installer(uv), Installer(None)] if uv else [Installer(None)]


def base_python() -> str:
    """The Python under any environment that this one runs in, because .venv itself may be about to go."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def clean_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The caller's variables without those that would lead an installer astray."""
    return {name: text for name, text in environ.items() if not MISLEADING.fullmatch(name)}


def say(text: str) -> None:
    """One line to the person at the keyboard, in order with what the programs print."""
    print(text, flush=True)


def quietly(command: Sequence[str], doing: str) -> None:
    """Run a command out of sight; when it fails, show what it said."""
    try:
        done = subprocess.run(
            command,
            env=clean_environ(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        raise Stopped(f"{doing} failed: {command[0]} cannot be started ({error.strerror}).") from error
    if done.returncode:
        print(done.stdout.decode(errors="replace").rstrip(), file=sys.stderr, flush=True)
        raise Stopped(f"{doing} failed (exit {done.returncode}); what it said is above. It was: {shlex.join(command)}")


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the lock file while .venv is looked at and changed: two commands at once must not build into each other."""
    with path.open("a+b") as file:
        if not seize(file):
            say("Another dev.py is preparing .venv; waiting for it.")
            while not seize(file):
                time.sleep(0.2)
        yield


def seize(file: IO[bytes]) -> bool:
    """Whether the lock was free and is now held, until the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def prepare(root: Path, command: str, uv: str | None) -> Environment:
    """The environment that this command needs, made, mended or left as it is."""
    env = Environment(root / ".venv")
    with alone(root / ".venv.lock"):
        want = wanted(root, command)
        stamp = env.folder / STAMP
        found = Stamp.read(stamp)
        lacking = missing(found, want, env.present()) if env.works() else None
        if found is None or lacking is None:
            make(root, env, want, uv)
        elif lacking or found.package != want.package:
            stamp.unlink()
            install(root, env, installers(uv)[0], lacking)
            locks = {**found.locks, **want.locks}
            Stamp(want.ground, locks, want.package, env.present()).write(stamp)
    return env


def make(root: Path, env: Environment, want: Stamp, uv: str | None) -> None:
    """Make the environment from nothing; where uv cannot, pip has a try."""
    attempts = installers(uv)
    for installer in attempts:
        say(f"Making {env.folder.name} with {installer.name} (a minute or two the first time) ...")
        env.remove()
        try:
            if not installer.uv:
                ensure_pip()
            quietly(installer.make(env), "Making .venv")
            install(root, env, installer, list(want.locks))
        except Stopped as reason:
            if installer is attempts[-1]:
                raise
            say(f"{reason}\nTrying once more without uv.")
        else:
            Stamp(want.ground, want.locks, want.package, env.present()).write(env.folder / STAMP)
            return


def install(root: Path, env: Environment, installer: Installer, locks: Sequence[str]) -> None:
    """Install these locks and then this checkout."""
    if not installer.uv and not any(name == "pip" for name in env.present()):  # an environment made by uv has no pip
        ensure_pip()
        quietly([str(env.program("python")), "-m", "ensurepip"], "Adding pip to .venv")
    if locks:
        say(f"Installing what requirements/{' and '.join(f'{name}.txt' for name in locks)} names ...")
        quietly(installer.install(env, [lock_file(root, name) for name in locks]), "Installing the locked packages")
    quietly(installer.install_package(env, root), "Installing Storypool")


def ensure_pip() -> None:
    """See to it that this Python can make an environment with pip; Debian keeps that in a package of its own."""
    if has_pip():
        return
    package = f"python3.{sys.version_info.minor}-venv"
    if may_apt():
        apt(package)
        importlib.invalidate_caches()
    if not has_pip():
        raise Stopped(
            f"This Python cannot make a virtual environment, because ensurepip is missing: install {package} "
            f"(on Debian or Ubuntu: sudo apt-get install {package}), or uv, and run this again."
        )


def has_pip() -> bool:
    """Whether this Python brings what a virtual environment with pip needs."""
    return all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))


def may_apt() -> bool:
    """Whether a system package may be installed: as root, on a system that has apt."""
    return not WINDOWS and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt(package: str) -> None:
    """Install a system package and what it cannot do without."""
    say(f"Installing {package} with apt ...")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    quietly(["apt-get", "update"], "Reading the package lists of apt")
    quietly(["apt-get", "install", "-y", "--no-install-recommends", package], f"Installing {package}")


def find_browser() -> str | None:
    """The browser that the tests drive: the one named by STORYPOOL_CHROMIUM, or the first that is installed."""
    named = os.environ.get("STORYPOOL_CHROMIUM")
    return next((path for path in map(shutil.which, [named] if named else BROWSERS) if path), None)


def ensure_browser() -> str:
    """The browser for the tests, installed where that may be done."""
    if not find_browser() and may_apt():
        apt("chromium")
    browser = find_browser()
    if not browser:
        raise Stopped(
            "The browser tests need Chromium: install it (on Debian: sudo apt-get install chromium) and run this again."
        )
    return browser


def stages(root: Path, python: Path, arguments: Sequence[str]) -> dict[str, list[str]]:
    """Every check of `dev.py test` by its name, in the order in which they run."""
    run = [str(python), "-m"]
    code = [name for name in ("src", "tests", "benchmarks", "tools", "dev.py") if (root / name).exists()]
    return {
        "lint": [*run, "ruff", "check", *code],
        "format": [*run, "ruff", "format", "--check", *code],
        "types": [*run, "mypy", "--strict", *code],
        # Two workers, one file at a time: a file's tests may share a server and a browser.
        "tests": [*run, "pytest", "-n", "2", "--dist", "loadfile", *arguments],
    }


def run(arguments: Sequence[str]) -> NoReturn:
    """Serve a table until it is stopped; 'demo' as the first argument serves one in the middle of a scene."""
    env = prepare(ROOT, "run", shutil.which("uv"))
    become([str(env.program("storypool")), *served(arguments)])


def served(arguments: Sequence[str]) -> list[str]:
    """The command of the terminal that 'run' stands for."""
    return list(arguments) if arguments[:1] == ["demo"] else ["serve", *arguments]


def test(arguments: Sequence[str]) -> int:
    """Run every check, also after one has failed, and say at the end which did."""
    browser = ensure_browser()
    env = prepare(ROOT, "test", shutil.which("uv"))
    environ = {**clean_environ(os.environ), "STORYPOOL_CHROMIUM": browser}
    lines, failed = [], 0
    for name, command in stages(ROOT, env.program("python"), arguments).items():
        say(f"\n== {name}: {shlex.join(command[2:])}")
        start = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL).returncode
        failed += code != 0
        lines.append(f"  {name:8}{'ok' if not code else f'FAILED (exit {code})':18}{time.monotonic() - start:6.1f} s")
    say("\n".join(["", *lines, "", f"{failed} of {len(lines)} failed." if failed else "All is well."]))
    return 1 if failed else 0


def bench(arguments: Sequence[str]) -> NoReturn:
    """Run the benchmarks."""
    env = prepare(ROOT, "bench", shutil.which("uv"))
    os.chdir(ROOT)
    become([str(env.program("python")), "-m", "benchmarks", *arguments])


def become(command: Sequence[str]) -> NoReturn:
    """Go on as another program, so that a signal sent to this one reaches it."""
    environ = clean_environ(os.environ)
    if WINDOWS:  # which has no exec that a console would wait for
        sys.exit(subprocess.run(command, env=environ).returncode)
    try:
        os.execve(command[0], list(command), environ)
    except OSError as error:
        raise Stopped(f"{command[0]} cannot be started ({error.strerror}): remove .venv and run this again.") from error


def lock(arguments: Sequence[str]) -> int:
    """Write the requirement files from pyproject.toml: for every platform, with hashes, without an address."""
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as place:
        uv = shutil.which("uv") or _borrow_uv(Environment(Path(place) / "uv"))
        for name, (extras, agree) in LOCKS.items():
            say(f"Locking requirements/{name}.txt ...")
            quietly(lock_command(uv, name, extras, agree, arguments), f"Locking {name}.txt")
            path = lock_file(ROOT, name)
            text = "# Made by 'python3 dev.py lock' from pyproject.toml; change that, not this.\n" + path.read_text(
                "utf-8"
            )
            trace = address_in(text)
            if trace:
                raise Stopped(f"requirements/{name}.txt holds an address, which must not be committed: {trace}")
            path.write_text(text, encoding="utf-8", newline="\n")
    return 0


def lock_command(uv: str, name: str, extras: Sequence[str], agree: str | None, arguments: Sequence[str]) -> list[str]:
    """The command that writes one requirement file."""
    return [
        *(
            uv,
            "pip",
            "compile",
            "pyproject.toml",
            "--universal",
            "--generate-hashes",
            "--output-file",
            f"requirements/{name}.txt",
        ),
        *("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"),
        *(part for extra in extras for part in ("--extra", extra)),
        *(("--constraint", f"requirements/{agree}.txt") if agree else ()),
        *arguments,
    ]


def address_in(text: str) -> str | None:
    """The first line of a requirement file that says where to fetch something, or None."""
    marks = ("://", "--index", "--extra-index", "--find-links", "--trusted-host", "file:", " @ ")
    return next((line for line in text.splitlines() if any(mark in line for mark in marks)), None)


def _borrow_uv(env: Environment) -> str:
    """uv in an environment of its own, for one command."""
    ensure_pip()
    say("Fetching uv for this one command ...")
    quietly(Installer(None).make(env), "Making an environment for uv")
    quietly([str(env.program("python")), "-m", "pip", "install", "--no-input", "uv"], "Installing uv")
    return str(env.program("uv"))


def parse(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The command and what is passed on; a first `--` only says that the rest is for somebody else."""
    if not arguments:
        raise Stopped("Say what to do: python3 dev.py run, test, bench or lock. 'python3 dev.py --help' tells more.")
    command, *rest = arguments
    if command not in COMMANDS:
        raise Stopped(f"dev.py has no command {command!r}: it is run, test, bench or lock.")
    return command, rest[1:] if rest[:1] == ["--"] else rest


COMMANDS = {"run": run, "test": test, "bench": bench, "lock": lock}


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when it went well, 1 when a check or a step failed, 2 when the command was not understood."""
    if arguments and arguments[0] in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    try:
        command, rest = parse(arguments)
    except Stopped as reason:
        print(reason, file=sys.stderr)
        return 2
    try:
        return COMMANDS[command](rest)
    except Stopped as reason:
        print(reason, file=sys.stderr)
    except OSError as error:
        where = error.filename or ROOT
        print(f"{error.strerror or error}: {where}. This checkout must be one that you can write to.", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
