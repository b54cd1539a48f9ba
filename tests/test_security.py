"""The pages about security and for contributors keep to what is there: packages, tests, commands,
forms for issues.
"""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
import yaml

from storypool.cli.group import storypool
from storypool.words.languages import ENGLISH

ROOT = Path(__file__).resolve().parent.parent


def test_every_installed_package_has_its_purpose() -> None:
    """What a server installs is what SECURITY.md lists, no more and no less."""
    locked = set(
        re.findall(
            r"^([a-z0-9-]+)==", (ROOT / "requirements" / "run.txt").read_text(), re.MULTILINE
        )
    )
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9, -]+) \| ", page.partition("| package |")[2], re.MULTILINE)
    assert locked == {name for row in rows for name in row.split(", ")}


def test_every_locked_package_has_hashes() -> None:
    """An archive that is not the one that was locked is not installed."""
    for name in ("run", "test", "bench"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        blocks = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
        assert blocks
        assert [] == [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block]


def test_every_threat_names_tests_that_are_there() -> None:
    """Each row of docs/threats.md names at least one file of tests, and all of them exist."""
    page = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
    rows = [
        line
        for line in page.splitlines()
        if line.startswith("| ") and not line.startswith("| surface")
    ]
    named = {
        row: re.findall(r"`((?:browser/)?test_\w+\.py)`", row.rsplit(" | ", 1)[1]) for row in rows
    }
    assert named
    assert [] == [row for row, files in named.items() if not files]
    assert [] == [
        file for files in named.values() for file in files if not (ROOT / "tests" / file).is_file()
    ]


FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
FIELDS = {"markdown": {"value"}, "textarea": {"label"}, "input": {"label"}}
"""The kinds of questions that a form of the usual forge may have, of those that ours use, and what
each needs.
"""


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_a_form_for_issues_is_one(file: Path) -> None:
    """It has a name, a sentence and questions of known kinds, each with an id of its own, and
    commands that exist.
    """
    text = file.read_text(encoding="utf-8")
    form = yaml.safe_load(text)
    assert {"name", "description", "body", "labels"} == form.keys()
    asked = [one for one in form["body"] if one["type"] != "markdown"]
    assert len(asked) == len({one["id"] for one in asked})
    for one in form["body"]:
        assert FIELDS[one["type"]] <= one["attributes"].keys()
    context = click.Context(storypool)
    for words in re.findall(r"`storypool ([a-z ]+)", text):
        command: click.Command | None = storypool
        for word in words.split():
            command = (
                command.get_command(context, word) if isinstance(command, click.Group) else None
            )
            assert command, words
    for name in re.findall(r'"(Download[^"]+)"', text):
        assert name in ENGLISH.program.values()


def test_a_fault_comes_with_the_machine_and_the_table() -> None:
    """The form for faults asks for what `doctor` says and for an exported table, and says what the
    table holds.
    """
    body = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/fault.yml").read_text(encoding="utf-8"))[
        "body"
    ]
    asked = {one.get("id"): str(one["attributes"]) for one in body}
    assert "storypool doctor" in asked["doctor"]
    assert "table export" in asked["table"]
    assert "what is hidden" in asked["table"]
    assert "SECURITY.md" in asked[None]
