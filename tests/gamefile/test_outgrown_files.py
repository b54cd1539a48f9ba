"""A game that has outgrown its file: a package with the file as its base, to which Python adds what it cannot say."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from storypool import systems
from storypool.check.checking import check
from storypool.engine import rules as r
from storypool.engine.bag import Bag
from storypool.gamefile.compiled import Additions, CompiledGame, base
from storypool.odds.question import Question
from tests.elsewhere import EXAMPLE, announce, installed
from tests.gamefile.conftest import GAMES, Add

KEY = "nightshift"


def outgrown(place: Path, old: str = "", new: str = "") -> Path:
    """The package of the docs with its file, in which a text may be replaced, and with the plays of both."""
    folder, text = place / KEY, (GAMES / f"{KEY}.game.toml").read_text(encoding="utf-8")
    assert old in text
    shutil.copytree(EXAMPLE / KEY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(GAMES / KEY / "plays", folder / "plays", dirs_exist_ok=True)
    (folder / f"{KEY}.game.toml").write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
    announce(place, KEY, KEY)
    return folder


@pytest.fixture
def night(tmp_path: Path) -> Iterator[CompiledGame]:
    """The file of the package, while that is installed."""
    outgrown(tmp_path)
    with installed(tmp_path, KEY):
        yield base(KEY, KEY)


def test_it_keeps_every_promise_and_every_play_of_the_file(night: CompiledGame) -> None:
    """The plays of the file hold beside one of the new move, and random play makes it as it does the rows."""
    assert systems.plays(KEY).keys() > {file.name for file in (GAMES / KEY / "plays").iterdir()}
    assert [str(one) for one in check(KEY, 4)] == []
    assert systems.get(KEY).moves[-1].key == "stress.share"


def test_what_it_has_no_module_for_is_in_the_file(night: CompiledGame, added: Add) -> None:
    """Dice, results, odds, the demo and the weights of random play are the file's."""
    asked = Question(Bag(risk=2))
    here = systems.odds(KEY).reckon(asked), systems.demo(KEY), systems.data(KEY, "check"), systems.dice(KEY).DICE
    file = night.reckon(asked), night.game.demo, night.game.check, night.rules.reading.dice
    assert here[1:] == file[1:]
    assert dict(here[0].outcomes) == dict(file[0].outcomes)
    assert systems.is_file(KEY)
    assert systems.stakes(KEY) is not None


def test_what_has_a_key_of_the_file_takes_its_place(night: CompiledGame) -> None:
    """A move, a panel, points and a sentence are replaced where they were; nothing else moves."""
    plain = night.system
    push = replace(plain.by_key["move.push"], title="Go too far")
    panel = r.ActionsPanel("What now?")
    stress = r.Account("stress", "character", cap=3)
    whole = night.grown(Additions(moves=(push,), panels=(panel,), accounts=(stress,)))
    assert [row.key for row in whole.moves] == [row.key for row in plain.moves]
    assert (whole.title("move.push"), whole.by_account["stress"].cap) == ("Go too far", 3)
    assert [one.kind for one in whole.panels] == [one.kind for one in plain.panels]
    assert [one.title for one in whole.panels if one.kind == "actions"] == ["What now?"]


def test_a_mistake_in_the_file_is_named_by_its_line(tmp_path: Path) -> None:
    """The game cannot be played, and the reason has the file, the line and the nearest name."""
    outgrown(tmp_path, "price = { stress = 2 }", "price = { stres = 2 }")
    text = (tmp_path / KEY / f"{KEY}.game.toml").read_text(encoding="utf-8")
    line = text[: text.index("stres = 2")].count("\n") + 1
    with installed(tmp_path, KEY), pytest.raises(systems.UnfitSystem, match=rf"{KEY}\.game\.toml:{line}: .*stress"):
        systems.get(KEY)
