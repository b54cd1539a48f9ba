"""Every command, snippet, request and scene of the docs runs, or has a reason why not.

A new page needs nothing: its examples in Python, its plays and its commands are run by this module.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import dev
from storypool.cli.group import storypool
from storypool.play.stage import perform
from storypool.play.text import read
from storypool.web.app import ENDPOINTS
from storypool.web.help.contents import located, pages

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    page.file: located(page.file).read_text(encoding="utf-8")
    for page in pages().values()
    if not page.made
}
PAGES |= {"README.md": (ROOT / "README.md").read_text(encoding="utf-8")}
RUN_BY = {
    ("README.md", "python"): "test_readme.py",
    ("README.md", "console"): "test_readme.py",
    ("docs/a-game-on-one-page.md", "toml"): "gamefile/test_guide.py",
    ("docs/a-game-on-one-page.md", "play"): "gamefile/test_guide.py",
    ("docs/adding-a-game.md", "python"): "test_adding_a_game.py",
    ("docs/adding-a-game.md", "toml"): "test_adding_a_game.py",
    ("docs/adding-a-game.md", "json"): "test_adding_a_game.py",
    ("docs/adding-a-game.md", ""): "test_adding_a_game.py",
    ("docs/api.md", "console"): "test_bots.py",
    ("docs/api.md", "json"): "test_wire.py",
    ("docs/client.md", "python"): "test_bots.py",
    ("docs/embedding.md", "python"): "test_names.py",
    ("docs/hosting.md", ""): "test_hosting_docs.py",
    ("docs/hosting.md", "sh"): "test_hosting_docs.py",
    ("docs/upgrades.md", "sh"): "test_upgrades_page.py",
    ("docs/lab.md", "python"): "test_lab.py",
    ("docs/odds-cookbook.md", "python"): "test_odds_cookbook.py",
    ("docs/odds-cookbook.md", "text"): "test_odds_cookbook.py",
    ("docs/looks.md", "toml"): "gamefile/test_own_looks.py",
    ("docs/odds-tables.md", "console"): "test_odds_table.py",
    ("docs/odds.md", "python"): "test_readme.py",
    ("docs/tuning.md", "python"): "test_tuning.py",
}
"""The tests that run a page's language in place of this module."""
NOT_RUN = {
    "src/storypool/": "a list of packages; test_layers.py holds it",
    "class Multiset": "a sketch of the types, without bodies",
    "   browser": "a drawing",
    "storypool dice 1": "the text that is hashed; test_verified_rolls.py computes it",
    "With 3 hero points": "what a command prints; test_playbook.py reads such sentences",
}
"""Texts that are not commands or examples, by their beginning, with the reason."""
NOT_RUN_COMMANDS = {
    "node docs/verify-dice.mjs": (
        "browser/test_verified_dice.py runs the file in a browser; nothing here needs Node"
    ),
    "python3 dev.py": "it checks, builds or serves for minutes; test_dev.py takes its decisions",
    "storypool lab solve": "it takes minutes; test_playbook.py solves smaller evenings with it",
    "storypool demo": "it serves until it is stopped; test_web_serve.py and test_wheel.py start it",
    "storypool serve": "it serves until it is stopped; test_web_serve.py starts it",
    "pipx": "test_wheel.py installs the package with it",
    "pip": "test_wheel.py installs the package with it",
    "uvx": "test_wheel.py runs a demo with it",
}
"""Commands that do not run here, by their beginning, with the reason."""


class Fence(NamedTuple):
    """A piece of a page between two fences."""

    page: str
    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        """The commands of a piece without their remarks."""
        lines = [
            line.removeprefix("$ ").partition("  ")[0].partition(" #")[0]
            for line in self.text.splitlines()
            if line
        ]
        known = ("storypool ", *NOT_RUN_COMMANDS)
        is_listed = self.text.startswith(tuple(NOT_RUN))
        return lines if all(line.startswith(known) for line in lines) and not is_listed else []

    @property
    def is_play(self) -> bool:
        """Whether this is a whole scene."""
        return self.text.lstrip("# ").startswith("table ") or "\ntable " in self.text


FENCES = [
    Fence(page, found[1], found[2])
    for page, text in PAGES.items()
    for found in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
]
OURS = [fence for fence in FENCES if (fence.page, fence.language) not in RUN_BY]
COMMANDS = [
    (fence.page, one)
    for fence in OURS
    for one in fence.commands
    if not one.startswith(tuple(NOT_RUN_COMMANDS))
]
INLINE = [
    (page, found)
    for page, text in PAGES.items()
    for found in re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    )
]


def test_every_piece_runs_or_has_a_reason() -> None:
    """No piece of a page is skipped silently, and no reason is unused."""
    silent = [
        f"{fence.page}: {fence.text.splitlines()[0]}"
        for fence in OURS
        if not (
            fence.commands
            or fence.is_play
            or ">>> " in fence.text
            or fence.language in ("toml", "json")
        )
        and not fence.text.startswith(tuple(NOT_RUN))
    ]
    assert [] == silent
    assert [] == [
        start for start in NOT_RUN if not any(fence.text.startswith(start) for fence in OURS)
    ]
    for (page, _), test in RUN_BY.items():
        text = (ROOT / "tests" / test).read_text(encoding="utf-8")
        assert Path(page).name in text or "PAGE" in text, (page, test)


def test_examples_of_pages_are_true() -> None:
    """Every example in Python gives its page's result, in the order of the page."""
    for page in PAGES:
        text = "\n".join(
            fence.text for fence in OURS if fence.page == page and ">>> " in fence.text
        )
        test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
        assert doctest.TestResults(0, len(test.examples)) == doctest.DocTestRunner().run(test)


def test_every_scene_is_played() -> None:
    """A play on a page works as written."""
    scenes = [fence for fence in OURS if fence.is_play]
    assert scenes
    for fence in scenes:
        perform(read(fence.text, fence.page))


def test_data_can_be_read() -> None:
    """Examples of TOML or JSON are valid."""
    for fence in FENCES:
        if fence.language in ("toml", "json"):
            (tomllib.loads if fence.language == "toml" else json.loads)(fence.text)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_command_works(page: str, command: str, tmp_path: Path) -> None:
    """Each command succeeds with output; the lab plays two evenings instead of many."""
    for name in ("docs", "src", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "table.jsonl").write_bytes(
        (ROOT / "tests" / "logs" / "events-dice.jsonl").read_bytes()
    )
    words = shlex.split(re.sub(r"--evenings \d+", "--evenings 2 --cores 1", command))
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", "storypool.cli", *words[1:]],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
    )
    assert 0 == ran.returncode, f"{page}: {ran.stderr}"
    assert ran.stdout.strip()


def test_named_commands_exist() -> None:
    """Each subcommand and option, also in sentences, belongs to the program."""
    context = click.Context(storypool)
    every = [*INLINE, *((fence.page, one) for fence in FENCES for one in fence.commands)]
    named = [
        (page, one) for page, one in every if re.match(r"storypool [a-z]", one) and "⏎" not in one
    ]
    assert len(named) > 50
    for page, text in named:
        command: click.Command = storypool
        for word in text.partition(" > ")[0].split()[1:]:
            if isinstance(command, click.Group) and not word.startswith("--"):
                inner = command.get_command(context, word)
                assert inner, f"{page}: `{text}`"
                command = inner
            elif word.startswith("--"):
                options = {
                    option
                    for param in command.params
                    for option in (*param.opts, *param.secondary_opts)
                }
                assert word.partition("=")[0] in options | {"--help"}, f"{page}: `{text}`"
                if isinstance(command, click.Group):
                    break  # the next word is its value
    steps = [(page, one.split()[2]) for page, one in every if re.match(r"python3 dev.py \w", one)]
    assert [] == [(page, step) for page, step in steps if step not in dev.COMMANDS]


def test_named_requests_exist() -> None:
    """Each route in a sentence is an endpoint with that method; three dots mean the table."""
    known = {f"{one.method} {re.sub(r'{.*?}', '{}', one.path)}" for one in ENDPOINTS}
    named = [
        (page, one) for page, one in INLINE if re.match(r"(GET|POST|PUT|PATCH|DELETE) [/.]", one)
    ]
    assert len(named) > 50
    wrong = []
    for page, text in named:
        method, path = text.split()[:2]
        path = re.sub(r"{.*?}", "{}", path.partition("?")[0]).removesuffix(
            "{}" if path.endswith('{"text"}') else ""
        )
        ends = [
            one
            for one in known
            if one.startswith(f"{method} ") and one.endswith(path.removeprefix("..."))
        ]
        if not (ends if path.startswith("...") else f"{method} {path}" in known):
            wrong.append((page, text))
    assert [] == wrong
