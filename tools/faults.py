"""Plant faults one at a time in a copy, and check that tests fail: `python -m tools.faults`.

A test that cannot fail protects nothing. `tools/faults.toml` lists promises, a fault that breaks
each in one place, and the tests that must fail. Arguments choose faults by name. `dev.py docs`
makes a page of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
FAULTS = Path(__file__).with_suffix(".toml")
# The files that the tests of a copy need.
COPIED = (
    *("benchmarks", "docs", "src", "tests", "tools", "vendor"),
    *("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "dev.py", "pyproject.toml"),
)
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
# Exit codes of pytest; anything above means that no test was run.
PASSED, FAILED = 0, 1
COMPILED = shutil.ignore_patterns("__pycache__")
# Seconds after which tests count as waiting for ever, because of the fault.
ENDLESS = 300

HEAD = """# Planted faults

Each row is a promise, a fault that breaks it in one place of the source, and the tests that must \
fail with it.
`python -m tools.faults` plants the faults of `tools/faults.toml` in a copy, one at a time.
It fails if a test stays green.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """A change that breaks a promise: in `file` the unique text `was` `becomes` another.

    Without `becomes` it is removed. `caught` are the tests that must fail then, as pytest takes
    them.
    """

    name: str
    part: str
    promise: str
    file: str
    was: str
    caught: tuple[str, ...]
    becomes: str = ""

    def planted(self, root: Path) -> str:
        """The text of its file under `root` with the fault; ValueError unless `was` is unique."""
        text = (root / self.file).read_text(encoding="utf-8")
        if text.count(self.was) != 1 or self.was == self.becomes:
            raise ValueError(
                f"{self.name}: its text stands {text.count(self.was)} times in {self.file}"
            )
        return text.replace(self.was, self.becomes)


def faults(file: Path = FAULTS) -> list[Fault]:
    """All faults, in the order of their file."""
    parts = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Fault(name, part, **{**row, "caught": tuple(row["caught"])})
        for part, rows in parts.items()
        for name, row in rows.items()
    ]


@contextmanager
def copied(root: Path = ROOT) -> Iterator[Path]:
    """A copy of a checkout in which faults can be planted."""
    with TemporaryDirectory(prefix="storypool-faults-") as folder:
        copy = Path(folder)
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name, ignore=COMPILED)
            else:
                shutil.copy2(root / name, copy / name)
        yield copy


def noticed(fault: Fault, copy: Path) -> str:
    """Plant a fault in a copy, run its tests, and restore the copy; returns the failed test, or "".

    A test that waits for ever has failed too. Raises RuntimeError if the tests could not run: a
    fault that breaks their import shows nothing.
    """
    place = copy / fault.file
    whole = place.read_text(encoding="utf-8")
    _write(place, fault.planted(copy))
    try:
        environ = {**os.environ, "PYTHONPATH": str(copy / "src")}
        command = [*PYTEST, *fault.caught]
        done = subprocess.run(
            command, cwd=copy, env=environ, capture_output=True, text=True, timeout=ENDLESS
        )
    except subprocess.TimeoutExpired:
        return f"{fault.caught[0]} (waits for ever)"
    finally:
        _write(place, whole)
    if done.returncode not in (PASSED, FAILED):
        raise RuntimeError(f"{fault.name}: its tests did not run.\n{done.stdout}{done.stderr}")
    failed = (line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED "))
    return next(failed, "") if done.returncode == FAILED else ""


def _write(place: Path, text: str) -> None:
    """Write a file, and remove its bytecode.

    A change within the same second and of the same length would not replace it.
    """
    place.write_text(text, encoding="utf-8")
    if place.suffix == ".py":
        Path(cache_from_source(str(place))).unlink(missing_ok=True)


def page(all_faults: Iterable[Fault]) -> str:
    """The page about the faults, as Markdown."""
    lines, part = [HEAD], ""
    for fault in all_faults:
        if fault.part != part:
            part = fault.part
            lines += [
                f"\n## {part}\n",
                "| what is promised | the fault | caught by |",
                "|---|---|---|",
            ]
        tests = ", ".join(f"`{test.rsplit('/')[-1]}`" for test in fault.caught)
        lines.append(f"| {fault.promise} | {fault.name} | {tests} |")
    return "\n".join(lines) + "\n"


def main(names: list[str]) -> int:
    """Plant the faults of these names, or all; the exit code is 1 if one is not caught."""
    known = faults()
    chosen = [fault for fault in known if fault.name in names or not names]
    if unknown := set(names) - {fault.name for fault in known}:
        print(f"There is no such fault: {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 2
    missed = []
    with copied() as copy:
        for fault in chosen:
            try:
                test = noticed(fault, copy)
            except RuntimeError as error:
                print(error, file=sys.stderr)
                test = ""
            print(f"{fault.name}: {test or 'NOT CAUGHT'}", flush=True)
            missed += [] if test else [fault.name]
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults were caught.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
