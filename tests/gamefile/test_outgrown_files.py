"""A game that outgrew its file: a package with the file as its base and Python for the rest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract.checking import check
from storypool.engine import rules as r
from storypool.engine.bag import Bag
from storypool.gamefile import Unread
from storypool.gamefile.compiled import Additions, CompiledGame, base, compiled
from storypool.odds.question import Question
from storypool.play import perform
from storypool.play import read as read_play
from storypool.systems import game_stakes
from tests.fixed_set import cases
from tests.gamefile.conftest import GAMES, Add
from tests.installed_games import EXAMPLE, announce, installed

KEY = "nightshift"


def outgrown(place: Path, old: str = "", new: str = "") -> Path:
    """The docs' package and file, perhaps with a replaced text, and the plays of both."""
    folder, text = place / KEY, (GAMES / f"{KEY}.game.toml").read_text(encoding="utf-8")
    assert old in text
    shutil.copytree(EXAMPLE / KEY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(GAMES / KEY / "plays", folder / "plays", dirs_exist_ok=True)
    (folder / f"{KEY}.game.toml").write_text(
        text.replace(old, new, 1) if old else text, encoding="utf-8"
    )
    announce(place, KEY, KEY)
    return folder


@pytest.fixture
def night(tmp_path: Path) -> Iterator[CompiledGame]:
    """The file of the installed package."""
    outgrown(tmp_path)
    with installed(tmp_path, KEY):
        yield base(KEY, KEY)


@pytest.mark.slow
@pytest.mark.parametrize("games", cases((1, 4), (1,)))
def test_package_keeps_the_contract_and_plays(games: int, night: CompiledGame) -> None:
    """The file's plays hold, one plays the new move, and random play makes it like the rows."""
    assert systems.plays(KEY).keys() > {file.name for file in (GAMES / KEY / "plays").iterdir()}
    assert [str(one) for one in check(KEY, games)] == []
    assert systems.get(KEY).moves[-1].key == "stress.share"


def test_file_provides_missing_modules(night: CompiledGame, added: Add) -> None:
    """Dice, results, odds, the demo and the random weights are the file's."""
    asked = Question(Bag(risk=2))
    here = (
        systems.odds(KEY).reckon(asked),
        systems.demo(KEY),
        systems.data(KEY, "check"),
        systems.dice(KEY).DICE,
    )
    file = night.reckon(asked), night.game.demo, night.game.check, night.rules.reading.dice
    assert here[1:] == file[1:]
    assert dict(here[0].outcomes) == dict(file[0].outcomes)
    assert systems.is_file(KEY)
    assert game_stakes.stakes(KEY) is not None


def test_package_replaces_keys_of_the_file(night: CompiledGame) -> None:
    """A replaced move, panel, account or sentence keeps its place, and nothing else moves."""
    plain = night.system
    push = replace(plain.by_key["move.push"], title="Go too far")
    panel = r.ActionsPanel("What now?")
    stress = r.Account("stress", "character", cap=3)
    whole = night.grown(Additions(moves=(push,), panels=(panel,), accounts=(stress,)))
    assert [row.key for row in whole.moves] == [row.key for row in plain.moves]
    assert (whole.title("move.push"), whole.by_account["stress"].cap) == ("Go too far", 3)
    assert [one.kind for one in whole.panels] == [one.kind for one in plain.panels]
    assert [one.title for one in whole.panels if one.kind == "actions"] == ["What now?"]


@r.whenever(r.PointsSet)
def alarm(turn: r.Turn, event: r.PointsSet) -> Iterator[r.Event]:
    """Whenever heat reaches 3, something is on the way."""
    if (event.account, event.balance) == ("heat", 3):
        yield turn.trait("alarm", "Somebody comes")


@r.move(
    "alarm.answer",
    by=["player"],
    when=r.requires(lambda t: t.table.of_kind("alarm"), "filed.again"),
    rule="Alarms",
)
def answer(turn: r.Turn) -> Iterator[r.Event]:
    """Answer the alarm

    It is over."""
    yield from (r.TraitRemoved(one.id) for one in turn.table.of_kind("alarm"))


def waits(turn: r.Turn) -> Iterator[r.Wait]:
    """An alarm waits for the crew."""
    if turn.table.of_kind("alarm"):
        yield r.Wait("filed.roll", r.players(turn.table), ("alarm.answer",))


ALARM = """
table nightshift loud=yes
seat gm side=gm
seat ann ilse: nose=3
points heat=2
gm points.correct account=heat to=3 why="A bell" => waits ann alarm.answer
ann alarm.answer => heat 3
ann alarm.answer => refused: when
"""


def test_package_adds_new_keys(night: CompiledGame) -> None:
    """It adds a reaction, a wait with its answer, an option and an entry of the sheet."""
    whole = night.grown(
        Additions(
            moves=(answer,),
            waits=(waits,),
            reactions=tuple((kind, alarm.body) for kind in alarm.kinds),
            options=(r.Option("loud", ("no", "yes"), "no"),),
            sheet=(r.Entry("nose", "Nose", "actions", low=0, high=4, default=0),),
            look={"alarm": r.Look("alarm", "alarms")},
        )
    )
    perform(read_play(ALARM), lambda key, language: whole)
    assert ([one.key for one in whole.sheet][-1], whole.look["alarm"].plural) == ("nose", "alarms")
    assert {one.key for one in whole.options} - {one.key for one in night.system.options} == {
        "loud"
    }


WATCH = """
[[move]]
key = "watch"
title = "Take the watch"
who = "gm"
only = "tired > 0"
unless = "Nobody is tired."
price = { heat = "tired" }
do = [{ lose = "stress", of = "each" }]
"""


def tired(turn: r.Turn) -> int:
    """The number of crew members with more than 4 stress."""
    return sum(n > 4 for purse, n in turn.table.points.items() if purse.account == "stress")


def test_row_reads_a_python_number(tmp_path: Path) -> None:
    """Its condition and price can use the name, which is a mistake in a file alone."""
    folder = outgrown(tmp_path)
    text = (folder / f"{KEY}.game.toml").read_text(encoding="utf-8") + WATCH
    (folder / "watch.game.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Unread, match="tired"):
        compiled(text)
    with installed(tmp_path, KEY):
        system = base(KEY, "watch", tired=tired).system
        perform(read_play(CREW_ON_WATCH), lambda key, language: system)


CREW_ON_WATCH = """
table nightshift
seat gm side=gm
seat ann ilse:
seat bo marek:
points ilse.stress=5 marek.stress=5 heat=3
gm move.watch => heat 1, ilse.stress 4, marek.stress 4
gm move.watch => refused: only_if
"""


def test_duplicate_name_is_a_mistake(tmp_path: Path) -> None:
    """A name in both Python and the file is refused at the file's line."""
    outgrown(tmp_path)
    with (
        installed(tmp_path, KEY),
        pytest.raises(ValueError, match=r"nightshift\.game\.toml:\d+: .*stress"),
    ):
        base(KEY, KEY, stress=tired)


def test_every_python_move_is_tried(night: CompiledGame) -> None:
    """The file knows which of its rows change dice, but any Python move might, so all are tried."""
    assert game_stakes.tried(KEY) is None
    assert "move.push" in night.modules["stakes"].TRIED  # type: ignore[attr-defined]


def test_file_mistake_is_located(tmp_path: Path) -> None:
    """The game cannot be played, for a reason with the file, line and nearest name."""
    outgrown(tmp_path, "price = { stress = 2 }", "price = { stres = 2 }")
    text = (tmp_path / KEY / f"{KEY}.game.toml").read_text(encoding="utf-8")
    line = text[: text.index("stres = 2")].count("\n") + 1
    with (
        installed(tmp_path, KEY),
        pytest.raises(systems.UnfitSystem, match=rf"{KEY}\.game\.toml:{line}: .*stress"),
    ):
        systems.get(KEY)
