"""The first scene of each game: strangers play right after the link."""

from __future__ import annotations

import asyncio
import io

import pytest

from storypool import systems
from storypool.engine.events import PeriodBegan, Said
from storypool.engine.house.scene import Begins
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.table import Side
from storypool.live.tables import Tables
from storypool.log.export import export_lines
from storypool.log.memory import MemoryStore
from storypool.play import PlayError
from storypool.play.first_scene import first_scene
from tests.sample_table import Evening

GAMES = [key for key in systems.playable() if systems.first_scene(key) is not None]
SEATS: tuple[tuple[str, Side], ...] = (("Mona", "gm"), ("Ann", "player"), ("Bo", "player"))


def tables() -> Tables:
    """Tables of every game, with a stopped clock."""
    return Tables(MemoryStore(), systems.get, lambda sides: 0, lambda: 1_700_000_000_000)


async def opened(key: str) -> tuple[Tables, str]:
    """A new table with a GM and two players."""
    house = tables()
    id = await house.open(key, "First scene")
    for name, side in SEATS:
        await house.take_seat(id, name, side)
    return house, id


@pytest.mark.parametrize("key", systems.playable())
def test_every_game_has_a_first_scene(key: str) -> None:
    """Every game except mere examples has a first scene."""
    assert systems.first_scene(key) is not None or not systems.package(key).startswith(
        "storypool.systems"
    )


@pytest.mark.parametrize("key", GAMES)
def test_first_scene_takes_one_tap(key: str) -> None:
    """It starts the session, describes a place, people and attempts, and adds characters."""

    async def played() -> None:
        house, id = await opened(key)
        await house.play_first_scene(id, "mona")
        table = await house.look(id)
        records = await house.records(id)
        texts = [record.event.text for record in records if isinstance(record.event, Said)]
        assert "session" in table.running
        assert len(texts) >= 2
        assert [one.name for one in table.characters.values() if one.side == "gm"]
        assert not table.checks

    asyncio.run(played())


def test_two_processes_play_it_once() -> None:
    """If two GMs tap on two processes at once, one plays it and one gets the reason."""

    async def played() -> None:
        house, id = await opened("c2d10")
        other = Tables(house.store, systems.get, lambda sides: 0, lambda: 1_700_000_000_000)
        await house.take_seat(id, "Max", "gm")
        # Each has the earlier table in memory, and a move at one of them is not a reason to refuse.
        assert await other.has_first_scene(id)
        await house.make(id, "ann", "table.say", {"text": "Shall we?"})
        taps = (house.play_first_scene(id, "mona"), other.play_first_scene(id, "max"))
        refused = [
            one for one in await asyncio.gather(*taps, return_exceptions=True) if one is not None
        ]
        assert ["limit"] == [one.refusal.code for one in refused if isinstance(one, Refused)]
        started = [
            record.event for record in house.store.read(id) if isinstance(record.event, PeriodBegan)
        ]
        assert ["session", "scene"] == [event.kind for event in started]

    asyncio.run(played())


@pytest.mark.parametrize("key", GAMES)
def test_notes_of_first_scene_are_the_gms(key: str) -> None:
    """Players hear the story that is read aloud; the suggestions for the GM are hidden."""

    async def played() -> None:
        house, id = await opened(key)
        await house.play_first_scene(id, "mona")
        table = await house.look(id)
        tried = table.of_kind("try")
        assert len(tried) == 3
        assert not [one for one in tried if one.id in seen(table, table.seats["ann"]).traits]

    asyncio.run(played())


@pytest.mark.parametrize("key", GAMES)
def test_tries_of_first_scene_can_begin(key: str) -> None:
    """A ready-made hero who is asked to try one begins it with its answers, and the GM agrees."""
    system = systems.get(key)
    evening = Evening(system)
    for step in first_scene(systems.first_scene(key) or "", key):
        evening.make("mona", step.move, step.args)
    sheet = system.ready[0]["sheet"]
    evening.make("ann", "character.set", who="pash", sheet=sheet)
    for noted in evening.table.of_kind("try"):
        begins = Begins.of(noted)
        evening.make("mona", "try.call", id=noted.id, who="pash")
        evening.make("ann", begins.move, {"as": "pash", **begins.args}, override=True)
        if evening.table.proposals:
            evening.make("mona", "proposal.accept")
        [check] = evening.table.checks.values()
        assert {} == check.suggested, noted.text
        evening.make("ann", "check.cancel")


@pytest.mark.parametrize("key", GAMES)
def test_first_scene_precedes_others(key: str) -> None:
    """It is open until a scene begins, for the first GM to tap, and again after an undo."""

    async def played() -> None:
        house, id = await opened(key)
        await house.make(id, "mona", "character.add", {"name": "A stranger", "sheet": ""})
        assert await house.has_first_scene(id)
        await house.make(id, "mona", "session.begin", {})
        before = (await house.look(id)).seq
        # A scene is running, and nothing that comes before the refusal is left behind.
        with pytest.raises(Refused, match="undo what came since"):
            await house.play_first_scene(id, "mona")
        assert (before, False) == ((await house.look(id)).seq, await house.has_first_scene(id))
        await house.make(id, "mona", "table.undo", {})
        twice = [house.play_first_scene(id, "mona") for _ in range(2)]
        first, second = await asyncio.gather(*twice, return_exceptions=True)
        assert first is None
        assert isinstance(second, Refused)
        await house.make(id, "mona", "session.end", {})
        assert not await house.has_first_scene(id)
        copy = tables()
        records = await house.records(id)
        again = await copy.bring(io.BytesIO(b"".join(export_lines(records))))
        assert not await copy.has_first_scene(again)
        while not await house.has_first_scene(id):
            await house.make(id, "mona", "table.undo", {})
        assert ["A stranger"] == [one.name for one in (await house.look(id)).characters.values()]

    asyncio.run(played())


def test_first_scene_needs_a_gm() -> None:
    """A player is refused, and nothing is written in their name."""

    async def refused() -> int:
        house, id = await opened(GAMES[0])
        before = (await house.look(id)).seq
        with pytest.raises(Refused, match="can play the first scene"):
            await house.play_first_scene(id, "ann")
        return (await house.look(id)).seq - before

    assert 0 == asyncio.run(refused())


def test_broken_scene_line_is_named() -> None:
    """An invalid line is an error with its number."""
    with pytest.raises(PlayError, match=r"first_scene\.play:3"):
        first_scene("# Rain.\ngm scene.begin\nnonsense here", "x")
