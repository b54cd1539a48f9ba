"""A table keeps its game: its log can be played anywhere."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from dataclasses import replace

import pytest

from storypool import systems
from storypool.engine.events import Record, TableOpened
from storypool.gamefile import Unread
from storypool.live.tables import Tables
from storypool.log.export import BadFile, export_lines
from storypool.log.memory import MemoryStore
from storypool.odds.question import Reckoned
from storypool.systems import game_files
from storypool.web.wire import record_json
from storypool.worth.weighing import reckoned
from tests.gamefile.test_file_text import SMALL

CHANGED = SMALL.replace("coin = 2 }", "coin = 3 }")


def tables(store: MemoryStore) -> Tables:
    """Tables whose dice always show their first face, a head."""
    return Tables(store, randbelow=lambda sides: 0)


async def opened(house: Tables, text: str) -> str:
    """A table of this game, where Ann has declared an action."""
    id = await house.open("", "Coins", game=text)
    await house.take_seat(id, "Mona", "gm")
    await house.take_seat(id, "Ann", "player")
    await house.make(id, "mona", "session.begin", {})
    await house.make(id, "ann", "character.add", {"name": "Ilse"})
    await house.make(id, "ann", "check.declare", {})
    return id


async def rolled(house: Tables, id: str) -> int:
    """The number of dice of the open action."""
    await house.make(id, "ann", "check.roll", {})
    (check,) = (await house.look(id)).checks.values()
    return len(check.rolled)


def forgotten() -> None:
    """Forget every kept game, like a new process."""
    game_files.forget_kept()
    gc.collect()


def test_table_continues_after_a_restart() -> None:
    """The text is in its log, so another process plays the same game."""

    async def play() -> int:
        store = MemoryStore()
        id = await opened(tables(store), SMALL)
        forgotten()
        return await rolled(tables(store), id)

    assert asyncio.run(play()) == 2


def test_action_of_a_kept_game_has_odds() -> None:
    """A kept game gives odds of an open action like any other."""

    async def chance() -> Reckoned | None:
        house = tables(MemoryStore())
        table = await house.look(await opened(house, SMALL))
        (check,) = table.checks.values()
        return reckoned(table.system, table, check)

    found = asyncio.run(chance())
    assert found is not None
    assert 0 < found.outcomes["pass"] < 1


def test_two_versions_of_a_game_coexist() -> None:
    """A changed file is another game, and open tables keep theirs."""

    async def play() -> tuple[int, int]:
        house = tables(MemoryStore())
        first, second = await opened(house, SMALL), await opened(house, CHANGED)
        return await rolled(house, first), await rolled(house, second)

    assert asyncio.run(play()) == (2, 3)


def test_exported_table_is_played_elsewhere() -> None:
    """The export includes its game."""

    async def play() -> int:
        store = MemoryStore()
        id = await opened(tables(store), SMALL)
        lines = list(export_lines(store.read(id)))
        forgotten()
        other = tables(MemoryStore())
        return await rolled(other, await other.bring(lines))

    assert asyncio.run(play()) == 2


@pytest.mark.parametrize(
    ("spoilt", "what"),
    [
        (lambda first: replace(first, game=CHANGED), "There is no game"),
        (lambda first: replace(first, game="nonsense"), "not TOML"),
        (lambda first: replace(first, game="#" * 300_000), "at most 200 kB"),
    ],
)
def test_file_with_another_game_is_refused(
    spoilt: Callable[[TableOpened], TableOpened], what: str
) -> None:
    """The game's key must be the hash of its text, which is read before anything is stored."""

    async def bring() -> None:
        store = MemoryStore()
        id = await opened(tables(store), SMALL)
        first, *others = store.read(id)
        assert isinstance(first.event, TableOpened)
        spoiled = [
            Record(first.seq, spoilt(first.event), first.seat, first.at, first.seen_by),
            *others,
        ]
        forgotten()
        await tables(MemoryStore()).bring(list(export_lines(spoiled)))

    with pytest.raises(BadFile, match=what):
        asyncio.run(bring())


def test_text_with_mistakes_opens_no_table() -> None:
    """The mistakes are listed as for a file."""
    with pytest.raises(Unread, match="coins"):
        asyncio.run(
            tables(MemoryStore()).open("", "Coins", game=SMALL.replace("coin = 2 }", "coins = 2 }"))
        )


def test_pages_do_not_get_the_text() -> None:
    """They request the derived game once."""
    record = Record(1, TableOpened("coins-0", "Coins", {}, SMALL), "", 0)
    assert b"Toss, and hope" not in record_json(record, "", False)


def test_kept_game_is_not_listed() -> None:
    """It belongs only to its table."""
    key = game_files.kept(SMALL)
    assert systems.get(key).name == "Coins"
    assert key not in systems.names()
