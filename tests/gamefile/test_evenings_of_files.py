"""The evenings of a game in one file, for the lab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storypool import systems
from storypool.lab.drafts.usual_evening import usual_evening
from storypool.lab.evenings import MoveLine, evening
from storypool.lab.playing import Setting
from storypool.lab.position import Position
from storypool.lab.study import play
from storypool.play import perform, read
from storypool.systems import game_files
from tests.gamefile.conftest import GAMES

Add = Callable[[str | Path], str]
ALL = sorted(file.name.removesuffix(game_files.ENDING) for file in GAMES.glob("*.toml"))
WITH = [
    file.name.removesuffix(game_files.ENDING)
    for file in GAMES.glob("*.toml")
    if "[evening." in file.read_text()
]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(WITH))
def test_evening_of_a_file_is_played(name: str, added: Add) -> None:
    """Every action is rolled and ended by the game's own moves."""
    which = evening(added(name))
    [study] = play(which, 2, 0, [Setting()], 1)
    assert [len(row.balances) for row in study.rows] == [which.length + 1] * 2
    assert all(row.measures["refused"] == 0 for row in study.rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_default_evening_of_a_file_is_played(name: str, added: Add) -> None:
    """Any game has an evening whose actions are tried, rolled and ended."""
    which = usual_evening(systems.get(added(name)), "Usual")
    [study] = play(which, 1, 0, [Setting()], 1)
    assert [len(row.balances) for row in study.rows] == [which.length + 1]
    assert all(
        row.measures["refused"] == 0 and "passed.players" in row.measures for row in study.rows
    )


def test_default_evening_spends_usefully(added: Add) -> None:
    """A push without known odds is made only after a failed roll."""
    [study] = play(usual_evening(systems.get(added("lanternlight")), "Usual"), 6, 0, [Setting()], 1)
    pushed = study.estimates()["gained.dread"].mean
    assert pushed > 0
    [never] = play(
        usual_evening(systems.get("lanternlight"), "Usual"), 6, 0, [Setting(players="never")], 1
    )
    assert never.estimates()["gained.dread"].mean == 0


def test_rising_price_counts_once(added: Add) -> None:
    """A push costs 2 stress despite the added 2 stress, and is possible without stress."""
    system = systems.get(added("nightshift"))
    scene = """table nightshift trust=players_set
seat gm side=gm
seat ann ilse: sneak=2
ann check.declare as=ilse action=sneak
"""
    table = perform(read(scene)).table
    seen = Position(system, table, "ann", [MoveLine("move.push", {"what": ("die",)})], 1)
    assert [seen.cost(one) for one in seen.spends] == [2]


@pytest.mark.exhaustive
def test_other_processes_know_the_file(added: Add) -> None:
    """A game added here is added to each process that plays it."""
    which = evening(added("sump"))
    alone, apart = (play(which, 30, 0, [Setting()], cores)[0] for cores in (1, 2))
    assert [row.number for row in apart.rows] == list(range(30))
    assert [(row.measures, row.flows) for row in apart.rows] == [
        (row.measures, row.flows) for row in alone.rows
    ]


def test_default_evening_tries_each_action(added: Add) -> None:
    """Of several actions those are tried that a new table can declare; an oath needs one first."""
    deeds = usual_evening(systems.get(added("kelpwater")), "Usual").deeds
    tried = {(one.who, one.line.move) for one in deeds}
    assert {
        (who, key) for who in ("Ann", "Bo") for key in ("check.declare", "action.save")
    } == tried
