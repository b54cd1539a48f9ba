"""Pages on security and contributing match packages, tests, commands and issue forms."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
import yaml

from storypool.cli.group import storypool
from storypool.words.languages import ENGLISH

ROOT = Path(__file__).resolve().parent.parent


def test_every_package_has_its_purpose() -> None:
    """SECURITY.md lists exactly the installed packages of a server."""
    locked = set(
        re.findall(
            r"^([a-z0-9-]+)==", (ROOT / "requirements" / "run.txt").read_text(), re.MULTILINE
        )
    )
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9, -]+) \| ", page.partition("| package |")[2], re.MULTILINE)
    assert locked == {name for row in rows for name in row.split(", ")}


def test_every_locked_package_has_hashes() -> None:
    """An archive that differs from the locked one is not installed."""
    for name in ("run", "test", "bench"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        blocks = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
        assert blocks
        assert [] == [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block]


def test_every_threat_names_its_tests() -> None:
    """Each row of docs/threats.md names existing test files."""
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
"""The supported kinds of form questions, with their required parts."""


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_issue_form_is_valid(file: Path) -> None:
    """It has a name, a sentence, known kinds of questions with unique ids, and real commands."""
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


def test_fault_form_asks_for_diagnostics() -> None:
    """It requests the output of `doctor` and an exported table, and explains its contents."""
    body = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/fault.yml").read_text(encoding="utf-8"))[
        "body"
    ]
    asked = {one.get("id"): str(one["attributes"]) for one in body}
    assert "storypool doctor" in asked["doctor"]
    assert "table export" in asked["table"]
    assert "what is hidden" in asked["table"]
    assert "SECURITY.md" in asked[None]
