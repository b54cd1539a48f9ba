"""`storypool play`: the printed steps, and the first broken one."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main

GOOD = """\
table tiny
seat gm side=gm
seat ann ilse: wits=3
points luck=1
ann check.declare as=ilse pool="2 coin vs weight"
ann luck.spend => luck 0, pool 3 coin vs weight
ann luck.spend => refused: limit
ann check.roll dice 1 1 1 3 => passed
ann check.close => doom 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A play that runs."""
    path = tmp_path / "good.play"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_every_step_is_printed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line is printed with its number, the sentences of its events, and a refusal's reason."""
    assert 0 == main(["play", str(file)])
    output = capsys.readouterr().out
    for number, line in enumerate(GOOD.splitlines(), 1):
        assert f"{number:>4}  {line}\n" in output
    assert "The pool is now 3 coin vs 1 weight." in output
    assert "Refused: Luck was pushed already in this action." in output
    assert "ann adds 1 doom (1 in all)." in output


def test_broken_expectation_ends_the_play(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its file, line, found and expected value are printed, and the exit code is 1."""
    file.write_text(GOOD.replace("luck 0,", "luck 1,"), encoding="utf-8")
    assert 1 == main(["play", str(file)])
    output = capsys.readouterr()
    assert f"{file}:6: found luck 0, expected luck 1." in output.err
    assert "check.roll" not in output.out


def test_steps_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints every step, and a broken one with the common error shape."""
    assert 0 == main(["play", str(file), "--json"])
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert list(range(1, 10)) == [step["line"] for step in steps]
    assert [None] * 6 + ["limit"] + [None] * 2 == [step["refused"] for step in steps]
    file.write_text(GOOD.replace("=> passed", "=> failed"), encoding="utf-8")
    assert 1 == main(["play", str(file), "--json"])
    output = json.loads(capsys.readouterr().out)
    assert ["code", "text", "rule", "remedy", "field", "overridable"] == list(output["error"])
    assert ("expectation", f"{file}:8") == (output["error"]["code"], output["error"]["field"])
    assert "found passed, expected failed." == output["steps"][-1]["problem"]


def test_several_plays_stop_at_a_broken_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Plays run in turn, quietly on request, until one is broken."""
    wrong = file.with_name("wrong.play")
    wrong.write_text("table tiny\nseat gm side=gm\ngm table.fly\n", encoding="utf-8")
    assert 0 == main(["play", "-q", str(file), str(file)])
    assert "" == capsys.readouterr().out
    assert 1 == main(["play", "-q", str(file), str(wrong), str(file)])
    assert f"{wrong}:3: found refused (unknown)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "field", "text"),
    [
        (None, "files", "cannot be read"),
        (b"caf\xe9", "files", "not UTF-8 text"),
        (b"seat gm side=gm", "x.play:1", "expected one `table SYSTEM` statement"),
        (b"table tiny\nseat gm side=judge", "x.play:2", "gm|player|spectator"),
    ],
)
def test_bad_files(
    content: bytes | None, field: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An invalid play is bad input: exit code 2, with the line if there is one."""
    path = tmp_path / "x.play"
    if content is not None:
        path.write_bytes(content)
    assert 2 == main(["play", str(path), "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["field"].endswith(field)
    assert text in error["text"]


def test_demo_scenes_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Each game of the package has a scene under way, a play that runs as written."""
    scenes = sorted(Path(str(files("storypool.systems"))).glob("*/demo.play"))
    ours = [key for key in systems.names() if systems.package(key).startswith("storypool.")]
    assert ours == [file.parent.name for file in scenes]
    assert 0 == main(["play", *map(str, scenes)]), capsys.readouterr().err
