"""Examples of the pages for programmers and designers run, and the README's targets exist."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "docs"
DESIGNERS = (DOCS / "designers.md").read_text(encoding="utf-8")
FIGURES = (DOCS / "figures.md").read_text(encoding="utf-8")
TRIED = [
    line for line in re.findall(r"`(storypool [a-z]+ [^`]*)`", DESIGNERS) if "FILE" not in line
]
WAYS = ("players", "game-masters", "hosting", "designers", "a-game-on-one-page", "programmers")


@pytest.mark.parametrize("page", ["docs/programmers.md", "docs/odds.md", "docs/odds-cookbook.md"])
def test_library_examples_are_true(page: str) -> None:
    """Every Python example gives the page's result."""
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL
    )
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    assert test.examples, f"{page} has lost its examples"
    assert doctest.TestResults(0, len(test.examples)) == doctest.DocTestRunner().run(test)


@pytest.mark.slow
@pytest.mark.parametrize("command", TRIED)
def test_command_works(command: str, tmp_path: Path) -> None:
    """Each command in a sentence for designers runs with output, with four evenings."""
    words = [
        str(ROOT / one) if "/" in one and (ROOT / one).exists() else one
        for one in shlex.split(command)[1:]
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "storypool.cli", *(one.replace("1000", "4") for one in words)],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.strip()


def test_page_has_commands() -> None:
    """The page shows the terminal at work."""
    assert len(TRIED) >= 4


def test_link_targets_exist() -> None:
    """Links and pictures of the README and its first pages are files of this project."""
    for page in (ROOT / "README.md", DOCS / "figures.md", *(DOCS / f"{way}.md" for way in WAYS)):
        targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        assert targets
        assert [] == [
            one
            for one in targets
            if not one.startswith("http") and not (page.parent / one).exists()
        ]


def test_readme_is_one_screen() -> None:
    """Why, two commands, a moving picture, six entries, five figures and the licence."""
    assert len(README.splitlines()) <= 45
    places = [README.index(f"docs/{way}.md") for way in WAYS]
    assert places == sorted(places)
    order = [
        "dev.py run demo",
        "dev.py run ",
        "uvx storypool demo",
        "pipx install storypool",
        "docs/pictures/check.png",
        "docs/players.md",
        "figures.md",
    ]
    found = [README.index(part) for part in [*order, "MIT licence"]]
    assert found == sorted(found)
    assert ["docs/pictures/check.png"] == re.findall(r"!\[[^]]*\]\(([^)]*)\)", README)


def test_readme_figures_match_the_page() -> None:
    """Its five rows are those of the table, and the page names each benchmark."""
    rows = [
        line
        for line in README.partition("## Five figures")[2].splitlines()
        if line.startswith("| ")
    ][1:]
    assert len(rows) == 5
    assert set(rows) <= set(FIGURES.splitlines())
    benchmarks = {path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py")}
    assert [] == [
        name for name in benchmarks if f"`{name}`" not in FIGURES.partition("## Measured")[0]
    ]
