"""Logs of rolls: of an honest server with its players' pages, and of hosts with one cheat each."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from storypool.engine.dice import Rolled
from storypool.engine.events import DiceBound, DiceRolled, Record
from storypool.engine.game.system import System
from storypool.gamefile.compiled import compiled
from storypool.live.peers.shared_tables import tables_class
from storypool.live.tables import Tables
from storypool.log.export import export_lines
from storypool.log.fair import FairFaces, seal
from storypool.log.memory import MemoryStore
from storypool.log.store import Store
from storypool.words.languages import ENGLISH, Language
from tests.games.tiny import game as tiny

CARDS = Path(__file__).parents[1] / "docs" / "games" / "saltbell.game.toml"
POOL = "9S/3W"
RANGES = {die.name: f"{die.first}-{die.last}" for die in tiny.SYSTEM.dice}
NOW = 1_700_000_000_000


class FairPage:
    """The dice page of a seat: it seals a number, and opens it once the next roll is bound."""

    def __init__(self, house: Tables, table: str, seat: str) -> None:
        self.house, self.table, self.seat = house, table, seat
        self.numbers: dict[str, str] = {}
        self.spare = ""

    async def hear(self) -> list[str]:
        """The hashes of the taken numbers, after an answer to the table's current binding."""
        bound = (await self.house.look(self.table)).binding
        ours = [one.partition("=")[2] for one in bound.sealed] if bound else []
        events = [record.event for record in await self.house.records(self.table)]
        used = {one for event in events if isinstance(event, DiceBound) for one in event.sealed}
        if not self.spare or f"{self.seat}={self.spare}" in used:
            number = secrets.token_hex(32)
            self.spare = seal(number)
            self.numbers[self.spare] = number
        known = [self.numbers[hash] for hash in ours if hash in self.numbers]
        return await self.house.take_numbers(self.table, self.seat, known, self.spare)


def real(store: Store | None = None, system: System = tiny.SYSTEM) -> Tables:
    """Tables with real dice and a stopped clock."""

    def find(key: str, language: Language = ENGLISH) -> System:
        return system

    kept = store or MemoryStore()
    return tables_class(kept)(kept, find, now=lambda: NOW, gather=0)


async def opened(house: Tables, key: str = "tiny") -> tuple[str, list[FairPage]]:
    """A table with a GM and two players, whose pages have sealed nothing."""
    id = await house.open(key, "Coins")
    for name, side in (("Mona", "gm"), ("Ann", "player"), ("Bo", "player")):
        await house.take_seat(id, name, side)  # type: ignore[arg-type]
    await house.make(id, "mona", "session.begin", {})
    await house.make(id, "ann", "character.add", {"name": "Ilse"})
    return id, [FairPage(house, id, seat) for seat in ("mona", "ann", "bo")]


async def seated(house: Tables, key: str = "tiny") -> tuple[str, list[FairPage]]:
    """A table with a GM and two players, whose pages are all bound to the next roll."""
    id, pages = await opened(house, key)
    # Each that comes in lets the others seal and open again.
    for n in range(1, len(pages) + 1):
        for _ in range(2):
            await heard(pages[:n])
    return id, pages


async def heard(pages: Sequence[FairPage]) -> None:
    """Answer the current binding with every page."""
    for page in pages:
        await page.hear()


async def tossed(house: Tables, id: str, pool: str = POOL, **more: object) -> None:
    """An action with its roll."""
    await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": pool})
    await house.make(id, "ann", "check.roll", more)
    await house.make(id, "ann", "check.close", {})


def honest(rolls: int = 4) -> list[Record]:
    """The log of an honest table with this many rolls, each verifiable by all pages."""

    async def play() -> list[Record]:
        house = real()
        id, pages = await seated(house)
        for _ in range(rolls):
            await tossed(house, id)
            await heard(pages)
        return await house.records(id)

    return asyncio.run(play())


def with_cards() -> list[Record]:
    """The log of an honest table with two draws in the open, and one besides a hidden hand."""
    system = compiled(CARDS.read_text(encoding="utf-8")).system

    async def play() -> list[Record]:
        house = real(system=system)
        id, pages = await seated(house, system.key)
        for n in range(3):
            if n == 2:
                await house.make(id, "ann", "move.ready", {"as": "ilse"})
            await house.make(id, "ann", "check.declare", {"way": "row", "against": 4})
            await house.make(id, "mona", "check.agree", {})
            await house.make(id, "ann", "check.roll", {})
            await house.make(id, "ann", "check.close", {})
            await heard(pages)
        return await house.records(id)

    return asyncio.run(play())


def cards_swapped(records: list[Record]) -> None:
    """The host says that the first card came from others."""
    [first, *_] = proofs(records)
    with_event(records, first, dice={"tide": "cards 23-44"})


def proofs(records: Sequence[Record]) -> list[int]:
    """The positions of the records that prove a roll."""
    return [
        n for n, one in enumerate(records) if isinstance(one.event, DiceBound) and one.event.rolls
    ]


def bound(record: Record) -> DiceBound:
    """The binding event of a record."""
    assert isinstance(record.event, DiceBound)
    return record.event


def with_event(records: list[Record], n: int, **changes: Any) -> None:
    """Change the event of a record."""
    event: Any = records[n].event
    records[n] = records[n]._replace(event=replace(event, **changes))


def rolled_again(records: list[Record], n: int) -> None:
    """Roll the dice of a proof again by its current seed and numbers, like a skilled cheat."""
    event = bound(records[n])
    chance = FairFaces(event.seed, event.row, event.place, event.numbers)
    for roll in event.rolls:
        rolled_event = records[roll - 1].event
        assert isinstance(rolled_event, DiceRolled)
        faces = []
        for die in rolled_event.rolled:
            first, last = map(int, event.dice[die.die].split("-"))
            faces.append(Rolled(die.die, first + chance.below(last - first + 1)))
        with_event(records, roll - 1, rolled=tuple(faces))


def seed_changed(records: list[Record]) -> None:
    """The host changes the seed, and with it the faces."""
    n = proofs(records)[1]
    with_event(records, n, seed="11" * 32)
    rolled_again(records, n)


def number_changed(records: list[Record]) -> None:
    """The host repeats the roll with other numbers of a player until it likes the faces."""
    n = proofs(records)[1]
    with_event(records, n, numbers=("22" * 32, *bound(records[n]).numbers[1:]))
    rolled_again(records, n)


def number_left_out(records: list[Record]) -> None:
    """The host claims that a player's number did not arrive."""
    n = proofs(records)[1]
    with_event(records, n, numbers=("", *bound(records[n]).numbers[1:]))
    rolled_again(records, n)


def numbers_left_out(records: list[Record]) -> None:
    """The host leaves all numbers out."""
    n = proofs(records)[1]
    with_event(records, n, numbers=())
    rolled_again(records, n)


def order_changed(records: list[Record]) -> None:
    """The host uses the better seed and numbers of the next roll."""
    one, other = proofs(records)[1:3]
    later = bound(records[other])
    with_event(records, one, seed=later.seed, numbers=later.numbers, place=later.place)
    rolled_again(records, one)


def proofs_swapped(records: list[Record]) -> None:
    """The host exchanges the proofs of two rolls."""
    one, other = proofs(records)[1:3]
    records[one], records[other] = (
        records[one]._replace(event=records[other].event),
        records[other]._replace(event=records[one].event),
    )


def face_changed(records: list[Record]) -> None:
    """The host turns a die over."""
    roll = bound(records[proofs(records)[1]]).rolls[0]
    rolled_event = records[roll - 1].event
    assert isinstance(rolled_event, DiceRolled)
    first, *rest = rolled_event.rolled
    with_event(records, roll - 1, rolled=(replace(first, face=first.face % 3 + 1), *rest))


def die_changed(records: list[Record]) -> None:
    """The host rolls dice without a one, unlike those of the game."""
    n = proofs(records)[1]
    with_event(records, n, dice={**bound(records[n]).dice, "spark": "2-3"})
    rolled_again(records, n)


def die_without_end(records: list[Record]) -> None:
    """The host claims a die with more faces than numbers, to occupy its verifier for ever."""
    n = proofs(records)[0]
    with_event(records, n, dice={**bound(records[n]).dice, "spark": "1-" + "9" * 400})


def bound_twice(records: list[Record]) -> None:
    """The host binds itself to a seed that is already public."""
    one, _, other = proofs(records)[:3]
    with_event(records, other, next=bound(records[one]).next)


def thrown_away(records: list[Record]) -> None:
    """The host skips a place with a roll it dislikes, and uses the next."""
    _, n, after = proofs(records)[:3]
    event = bound(records[n])
    # The place that is thrown away is where nothing was rolled: before the roll, instead of the
    # line there.
    roll = event.rolls[0]
    rolled = records[roll - 1]
    later = bound(records[after])
    records[roll - 2] = records[roll - 2]._replace(event=replace(event, rolls=(), dice={}), seat="")
    records[roll - 1] = rolled
    with_event(
        records, n, seed=later.seed, numbers=later.numbers, place=later.place, next=later.next
    )
    rolled_again(records, n)


def started_again(records: list[Record]) -> None:
    """The host restarts the sequence with a better seed."""
    n = proofs(records)[1]
    seed = "33" * 32
    event = bound(records[n])
    records[event.rolls[0] - 2] = records[event.rolls[0] - 2]._replace(
        event=DiceBound(event.row, 0, seal(seed), bound(records[proofs(records)[0]]).sealed),
        seat="",
    )
    with_event(records, n, seed=seed, place=1)
    rolled_again(records, n)


def another_row(records: list[Record]) -> None:
    """The host starts another sequence, as after a restored backup, with a better seed."""
    started_again(records)
    n = proofs(records)[1]
    for place in (bound(records[n]).rolls[0] - 2, n):
        with_event(records, place, row="elsewhere.other")
    rolled_again(records, n)
    del records[n + 1 :]


def proven_late(records: list[Record]) -> None:
    """The host rolls first, and reveals the seed only with the next roll."""
    one, other = proofs(records)[1:3]
    records[one] = records[one]._replace(event=None)
    with_event(records, other, rolls=bound(records[other]).rolls + bound(records[other]).rolls)


def rewritten(records: list[Record]) -> None:
    """The host changes the seed after all numbers are known, and rewrites the log from there.

    The log is consistent: only a page that saw the old one can detect it.
    """
    before, n = proofs(records)[:2]
    with_event(records, before, next=seal("44" * 32))
    with_event(records, n, seed="44" * 32)
    rolled_again(records, n)


CHEATS: dict[Callable[[list[Record]], None], set[tuple[str, str | None]]] = {
    seed_changed: {("false", "seed")},
    number_changed: {("false", "number")},
    number_left_out: {("missing", None)},
    numbers_left_out: {("false", "number")},
    order_changed: {("false", "order")},
    proofs_swapped: {("false", "order")},
    face_changed: {("false", "faces")},
    die_changed: {("false", "dice")},
    die_without_end: {("false", "dice")},
    bound_twice: {("false", "again")},
    thrown_away: {("false", "thrown")},
    started_again: {("false", "row")},
    another_row: {("anew", None)},
    proven_late: {("false", "order")},
}
"""Possible cheats of a host with their findings, about this roll or a later one."""


def cheated(cheat: Callable[[list[Record]], None], records: Sequence[Record]) -> list[Record]:
    """A log after one cheat of a host, with valid lines."""
    changed = list(records)
    cheat(changed)
    return changed


def as_file(records: Sequence[Record]) -> bytes:
    """A log as an exported file."""
    return b"".join(export_lines(list(records)))
