"""The later worth of a point at a table: from a separate solution, for permitted seats."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from storypool import systems
from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.lab import evening, solution, solution_cache
from storypool.lab.course import opening
from storypool.lab.later import Later
from storypool.lab.solutions import Solution
from storypool.odds.question import Worth
from storypool.play import perform, read
from storypool.worth.weighing import may_know_later, weighed
from tests.browsers import Browser, House, serving
from tests.test_web_odds import Scene

SCENE = """
table starwars trust=players_set {options}
seat gm side=gm
seat ann pash: agility=3
seat gm rusk: agility=3
gm session.begin
gm destiny.begin
points light=2 dark=2
{actor} check.declare {who} pool="2A1P/2D"
"""


def table(actor: str = "ann", options: str = "", game: str = "starwars") -> tuple[System, Table]:
    """A table where a player is about to roll."""
    who = "as=rusk" if actor == "gm" else "as=pash"
    played = perform(
        read(SCENE.format(actor=actor, options=options, who=who).replace("starwars", game))
    )
    return played.system, played.table


def row(system: System, at: Table, seat: str) -> Worth:
    """The worth of the upgrade for a seat's side."""
    return next(one for one in weighed(system, at, seat).worth if one.price)


@pytest.fixture(scope="module")
def solved() -> None:
    """The solution of the game's first evening in the cache."""
    assert solution(evening("starwars")).values


@pytest.mark.slow
@pytest.mark.usefixtures("solved")
def test_later_worth_is_the_solutions_loss() -> None:
    """For players and GM: the state with the point less that after it has turned over."""
    worth = solution(evening("starwars")).values[9]
    for actor, kept, spent, sign in (("ann", (2, 2), (1, 3), 1), ("gm", (2, 2), (3, 1), -1)):
        system, at = table(actor)
        found = Later().kept(system, at, actor, row(system, at, actor))
        assert found == pytest.approx(sign * (worth[kept] - worth[spent]), abs=1e-12)
        assert found is not None
        assert found > 0


@pytest.mark.parametrize(
    ("setting", "know"), [("", ()), ("later=gm", ("gm",)), ("later=everybody", ("gm", "ann"))]
)
def test_only_permitted_seats_get_it(setting: str, know: tuple[str, ...]) -> None:
    """The table's option permits nobody, the GM alone, or all seats."""
    _, at = table(options=setting)
    assert know == tuple(seat for seat in ("gm", "ann", "nobody") if may_know_later(at, seat))


@pytest.mark.slow
@pytest.mark.usefixtures("solved")
def test_unsolved_state_has_no_worth() -> None:
    """More points than in any evening, or no price, are in no solution."""
    system, at = table()
    rich = perform(
        read(SCENE.format(actor="ann", options="", who="as=pash").replace("light=2", "light=40"))
    ).table
    assert Later().kept(system, rich, "ann", row(system, rich, "ann")) is None
    free = Worth("check.assist", {}, {}, {})
    assert Later().kept(system, at, "ann", free) is None


class _Process:
    """A started process, which ends on request."""

    started: ClassVar[list[list[str]]] = []

    last: ClassVar[_Process]

    def __init__(self, command: list[str], **more: object) -> None:
        self.started.append(command)
        self.ended = False
        _Process.last = self

    def poll(self) -> int | None:
        return 0 if self.ended else None

    def terminate(self) -> None:
        self.ended = True

    def wait(self) -> None:
        assert self.ended


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The commands of started processes, with an empty cache."""
    monkeypatch.setenv("STORYPOOL_CACHE", str(tmp_path))
    monkeypatch.setattr(_Process, "started", [])
    monkeypatch.setattr(subprocess, "Popen", _Process)
    return _Process.started


def test_one_process_solves_at_a_time(processes: list[list[str]]) -> None:
    """Nobody waits: there is no worth yet, and the process ends with the server."""
    later, (system, at) = Later(), table()
    other, elsewhere = table(options="destiny_limit=side")
    for _ in range(3):
        assert later.kept(system, at, "ann", row(system, at, "ann")) is None
        assert later.kept(other, elsewhere, "ann", row(other, elsewhere, "ann")) is None
    assert 1 == len(processes)
    assert ["lab", "solve", "starwars", "--json"] == processes[0][4:]
    later.close()
    assert later.kept(other, elsewhere, "ann", row(other, elsewhere, "ann")) is None
    assert ["lab", "solve", "starwars", "--set=destiny_limit=side", "--json"] == processes[1][4:]


@pytest.mark.slow
def test_solver_writes_the_expected_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The process's command writes the table's file, with other options too."""
    monkeypatch.setenv("STORYPOOL_CACHE", str(tmp_path))
    later, (system, at) = Later(), table(options="destiny_limit=side")
    assert later.kept(system, at, "ann", row(system, at, "ann")) is None
    assert later._process is not None
    assert 0 == later._process.wait(300)
    assert later.kept(system, at, "ann", row(system, at, "ann")) is not None
    assert 1 == len([file for file in tmp_path.iterdir() if solution_cache.read(file)])


FATE = """
table destinydice trust=players_set later=everybody
seat gm side=gm
seat ann hero: clever=2 refresh=3
seat bo  friend: clever=1 refresh=3
gm session.begin
ann aspect.add about=hero text="Quick wits"
points hero.fate={own} friend.fate=1 budget=2
ann check.declare as=hero pool="2S/1D"
"""


@pytest.mark.exhaustive
def test_characters_share_the_evenings_points() -> None:
    """The payer is each character of the evening in turn; others have equal or known points."""
    values = solution(evening("destinydice")).values[9]
    for own, known in ((2, 3), (4, 1)):
        played = perform(read(FATE.format(own=own)))
        paid = next(one for one in weighed(played.system, played.table, "ann").worth if one.price)
        others = min(own, 3)
        ways = [[2, *[own if i == k else others for i in range(3)]] for k in range(3)]
        lost = []
        for k, way in enumerate(ways):
            less = [n - (i == k + 1) for i, n in enumerate(way)]
            if tuple(way) in values:
                lost.append(values[tuple(way)] - values[tuple(less)])
        assert known == len(lost)
        found = Later().kept(played.system, played.table, "ann", paid)
        assert found == pytest.approx(sum(lost) / len(lost), abs=1e-12)
        assert found is not None
        assert found > 0


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server in this process."""
    with serving(tmp_path) as house:
        yield house


@pytest.mark.slow
def test_early_client_asks_again(processes: list[list[str]], house: House) -> None:
    """It does so during a solution, but not without permission or after a failure."""

    def asked(scene: Scene) -> tuple[bool, bool]:
        setting = scene.ann.get(f"{scene.path}/odds?brief=true")
        return setting["solving"], any(one["later"] is not None for one in setting["worth"])

    assert (False, False) == asked(Scene(house, "starwars", later="gm"))
    assert [] == processes
    scene = Scene(house, "starwars", later="everybody")
    assert [(True, False)] * 2 == [asked(scene), asked(scene)]
    other = Scene(house, "genesys", later="everybody")
    assert (True, False) == asked(other)
    assert 1 == len(processes)
    _Process.last.ended = True
    assert [(False, False)] * 2 == [asked(scene), asked(scene)]
    assert 1 == len(processes)
    assert (True, False) == asked(other)
    which = evening("genesys")
    assert Solution(opening(systems.get("genesys"), which, {}), {}).values
    assert (False, True) == asked(other)
    assert 2 == len(processes)


@pytest.mark.slow
@pytest.mark.usefixtures("solved")
@pytest.mark.parametrize(
    ("setting", "ann", "gm"),
    [("nobody", False, False), ("gm", False, True), ("everybody", True, True)],
)
def test_server_adds_it_to_the_odds(house: House, setting: str, ann: bool, gm: bool) -> None:
    """Each priced offer has it, in full, brief and cached answers; others get null."""
    scene = Scene(house, "starwars", later=setting)

    def known_to(browser: Browser) -> list[bool]:
        found = [
            browser.get(f"{scene.path}/odds{query}")["worth"]
            for query in ("", "?brief=true", "?brief=true")
        ]
        assert all(one["later"] is None for rows in found for one in rows if not one["price"])
        return [one["later"] is not None for rows in found for one in rows if one["price"]]

    assert {ann} == set(known_to(scene.ann))
    scene.ann.move(scene.id, "destiny.pass")
    assert {gm} == set(known_to(scene.gm))
