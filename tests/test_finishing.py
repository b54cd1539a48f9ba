"""An action without further choices ends with the previous move, if that requests it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from storypool import systems
from storypool.engine.events import CheckClosed, MoveMade, Record, Rewound
from storypool.engine.fold import fold
from storypool.engine.offers import offer
from storypool.live.tables import Tables
from storypool.live.writer import Made
from storypool.log.memory import MemoryStore
from storypool.log.store import TokenReused
from storypool.play import perform, read
from tests.batched_cases import together
from tests.test_live_tables import table_of_three, tables

STARWARS = """table starwars trust=players_set
seat gm   side=gm
seat ann  pash: agility=3 ranged-light=1 skulduggery=1 cunning=2
seat gm   rusk: brawn=3
ann  check.declare as=pash skill=ranged-light characteristic=agility difficulty=average
"""
C2D10 = """table c2d10 trust=players_set
seat gm   side=gm
seat ann  mira: systems=2 logic=2
points hero=0
ann  check.declare as=mira skill=systems talent=logic dc=1
"""
DUNE = """table dune trust=players_set
seat gm   side=gm
seat ann  ruhan: battle=7 duty=8
points momentum=0
ann  check.declare as=ruhan skill=battle drive=duty difficulty=1
"""
DESTINY = """table destinydice
seat gm   side=gm
seat ann  juna: quick=2 refresh=3
ann  check.declare as=juna title=Leap
gm   check.oppose difficulty=fair
"""
SECRET = """table starwars
seat gm   side=gm
seat gm   rusk: brawn=3
gm   check.declare as=rusk pool="2 ability / 1 difficulty" secret=yes
"""

BESIDE = """table starwars trust=players_set
seat gm   side=gm
seat ann  pash: agility=3 ranged-light=1
seat gm   rusk: brawn=3
points light=1 dark=1
ann  check.declare as=pash skill=ranged-light characteristic=agility difficulty=average
ann  destiny.pass
gm   destiny.pass
gm   check.declare as=rusk pool="2 ability / 1 difficulty" secret=yes title=Listen
"""


def moves(records: Iterable[Record]) -> list[tuple[str, str]]:
    """The moves of these records with their seats."""
    made = [(record.seat, record.event) for record in records if isinstance(record.event, MoveMade)]
    assert all(seat == event.seat for seat, event in made)
    return [(seat, event.move) for seat, event in made]


def made(play: str, line: str) -> list[tuple[str, str]]:
    """The moves of a play's last line at a table that requests the end."""
    seat, move, *given = line.split()
    args = dict(one.split("=") for one in given)

    async def play_on() -> list[tuple[str, str]]:
        house = Tables(MemoryStore(), systems.get, lambda sides: 0, lambda: 10**12)
        id = await house.begin(perform(read(play, "a play")).records)
        return moves((await house.make(id, seat, move, args, finish=True)).records)

    return asyncio.run(play_on())


@together(
    [
        (STARWARS, "ann check.roll faces=2,2,2,1,1"),
        (STARWARS + "ann check.roll dice 2 2 2 4 1", "gm spend.waive"),
        (STARWARS + "ann check.roll dice 2 2 6 1 1", "ann spend.waive"),
        (
            STARWARS + "ann check.roll dice 2 2 12 4 1\ngm spend.waive",
            "ann spend.buy row=notice with=triumph",
        ),
        # A hidden action of the GM's, on which no points can be spent, makes no difference.
        (BESIDE, "ann check.roll faces=2,2,2,1,1"),
        (BESIDE + "gm check.roll check=Listen dice 2 2 1", "ann check.roll faces=2,2,2,1,1"),
        (C2D10, "ann check.roll faces=7,7,1,1"),
        (DUNE, "ann check.roll faces=15,19"),
        (DESTINY, "ann check.roll faces=4,4,1,1"),
    ]
)
def test_action_without_choices_ends(case: tuple[str, str]) -> None:
    """A roll without spends, or the last spend of a side, ends its player's action."""
    play, line = case
    seat, move, *_ = line.split()
    assert [(seat, move), ("ann", "check.close")] == made(play, line)


@together(
    [
        # Symbols of either side.
        (STARWARS, "ann check.roll faces=2,2,2,4,1"),
        (STARWARS, "ann check.roll faces=2,2,6,1,1"),
        (STARWARS + "ann check.roll dice 2 2 12 4 1", "gm spend.waive"),
        # A hit that is not counted.
        (
            STARWARS.replace("difficulty=", "against=rusk damage=6 difficulty="),
            "ann check.roll faces=2,2,2,1,1",
        ),
        # Points that could have a die rolled again, buy a question, or turn a failure into a
        # success.
        (C2D10.replace("hero=0", "hero=1"), "ann check.roll faces=7,7,1,1"),
        (DUNE, "ann check.roll faces=1,19"),
        (DUNE.replace("momentum=0", "momentum=1"), "ann check.roll faces=15,19"),
        (DUNE, "ann check.roll faces=16,19"),
        # A complication, and what comes of a roll.
        (DUNE, "ann check.roll faces=15,20"),
        (DESTINY, "ann check.roll faces=4,1,1,4"),
        # A choice that has a default: how a failure ends, after the last symbols were spent.
        (
            DESTINY + "points juna.fate=1\nann check.roll dice 2 2 1 4",
            "ann spend.buy row=fate-point",
        ),
        # A secret could be revealed.
        (SECRET, "gm check.roll faces=2,2,1"),
    ]
)
def test_action_with_choices_stays_open(case: tuple[str, str]) -> None:
    """Nobody loses a possible spend, point, hit, complication or secret to reveal."""
    play, line = case
    seat, move, *_ = line.split()
    assert [(seat, move)] == made(play, line)


async def tossed(house: Tables, finish: bool = True, token: str | None = None) -> tuple[str, Made]:
    """A table with a declared toss, and the move that tosses."""
    id = await table_of_three(house)
    await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "2 coin"})
    return id, await house.make(id, "ann", "check.roll", {}, token, finish=finish)


def test_end_happens_only_on_request() -> None:
    """Clients that do not know of it get the same answers as before."""

    async def play() -> None:
        house = tables(MemoryStore())
        id, made = await tossed(house, finish=False)
        assert [("ann", "check.roll")] == moves(made.records)
        assert (await house.look(id)).checks

    asyncio.run(play())


async def undo_title(house: Tables, id: str, seat: str) -> str:
    """The title of a seat's undo."""
    offers = (await house.offers(id, seat)).offers
    return next(one.title for one in offers if one.key == "table.undo")


def test_undo_includes_the_automatic_end() -> None:
    """One undo takes back a seat's last move with its end, and says so before and after."""

    async def play() -> None:
        house = tables(MemoryStore())
        id, made = await tossed(house)
        assert [("ann", "check.roll"), ("ann", "check.close")] == moves(made.records)
        table = await house.look(id)
        undo = offer(await house.system(id), table, "mona", "table.undo", {})
        both = "Toss the coins, with the end of the action"
        assert f"Undo the last move: “{both}” (Ann)" == undo.title
        # A table with its log names both in the sentences of the log.
        both = "Ann rolled coin: 1 heads (2 dice). Ilse: Heads by 2. “a toss” is done"
        assert f"Take back: {both}" == await undo_title(house, id, "mona")
        undone = await house.make(id, "mona", "table.undo", {}, finish=True)
        assert Rewound(made.records[0].seq - 1, both, dice=True) == undone.records[-1].event
        [check] = (await house.look(id)).checks.values()
        assert "build" == check.phase
        await house.make(id, "mona", "table.redo", {}, finish=True)
        assert not (await house.look(id)).checks
        await house.make(id, "mona", "table.undo", {}, finish=True)
        await house.make(id, "ann", "check.roll", {})
        for seat, move, args in (
            ("bo", "table.say", {"text": "Hm."}),
            ("ann", "fact.add", {"text": "It rains."}),
        ):
            await house.make(id, seat, move, args, finish=True)
        assert (await house.look(id)).checks
        await house.make(id, "ann", "check.close", {}, finish=True)
        assert not (await house.look(id)).checks
        assert [CheckClosed(check.id, "done")] * 2 == [
            record.event
            for record in await house.records(id)
            if isinstance(record.event, CheckClosed)
        ]

    asyncio.run(play())


def test_request_for_an_undo_names_what_it_takes_back() -> None:
    """One request and one yes take back a move and its end; all three lines name them."""
    play = STARWARS.replace("ann  check", "points pash.strain=3\nann  check")
    lines = "ann check.roll dice 2 2 7 1 1"

    async def ask() -> None:
        house = Tables(MemoryStore(), systems.get, lambda sides: 0, lambda: 10**12)
        id = await house.begin(perform(read(play + lines, "a play")).records)
        made = await house.make(id, "ann", "spend.buy", {"row": "recover-strain"}, finish=True)
        assert [("ann", "spend.buy"), ("ann", "check.close")] == moves(made.records)
        what = "pash recovered 1 strain (1 Advantage). “Ranged (light)” is done"
        title = await undo_title(house, id, "ann")
        assert title == f"Take back: ann spends 1 Advantage: Recover 1 strain. {what}"
        await house.make(id, "ann", "table.undo", {})
        [proposal] = (await house.look(id)).proposals.values()
        assert title == proposal.text
        undone = await house.make(id, "gm", "proposal.accept", {})
        rewound = undone.records[-1].event
        assert isinstance(rewound, Rewound)
        assert (f"Take back: {rewound.what}", 3) == (
            title,
            (await house.look(id)).balance("strain", "pash"),
        )
        # Taken back, it names the move before.
        assert (await undo_title(house, id, "ann")).startswith("Take back: ann rolled")

    asyncio.run(ask())


def test_undo_says_whose_move_it_takes_back() -> None:
    """Where the sentences do not name who made the last move, the undo of other players does."""

    async def play() -> None:
        house = tables(MemoryStore())
        id = await table_of_three(house)
        await house.make(id, "mona", "trait.set", {"text": "It rains"})
        what = "A fact is added: It rains"
        assert f"Take back: {what}" == await undo_title(house, id, "mona")
        assert f"Take back what Mona did: {what}" == await undo_title(house, id, "bo")
        await house.make(id, "bo", "table.undo", {})
        [proposal] = (await house.look(id)).proposals.values()
        assert f"Take back what Mona did: {what}" == proposal.text

    asyncio.run(play())


def test_undo_does_not_name_hidden_work() -> None:
    """A player's undo names their last visible move; the GM's says that its move is hidden."""

    async def hide() -> None:
        house = tables(MemoryStore())
        id = await table_of_three(house)
        await house.make(id, "ann", "table.say", {"text": "Hello"})
        await house.make(id, "mona", "trait.set", {"text": "A trap", "secret": True})
        assert "Take back: Ann: “Hello”" == await undo_title(house, id, "bo")
        assert "Undo the last move: a hidden one" == await undo_title(house, id, "mona")
        await house.make(id, "bo", "table.undo", {})
        [proposal] = (await house.look(id)).proposals.values()
        assert "Take back: Ann: “Hello”" == proposal.text

    asyncio.run(hide())


def test_repeated_token_includes_the_end() -> None:
    """It gets the first answer with all records; the move without the end is another command."""

    async def play() -> None:
        store = MemoryStore()
        house = tables(store)
        id, made = await tossed(house, token="t1")
        for again in (house, tables(store)):
            repeated = await again.make(id, "ann", "check.roll", {}, "t1", finish=True)
            assert (repeated.repeated, repeated.records) == (True, made.records)
        with pytest.raises(TokenReused):
            await house.make(id, "ann", "check.roll", {}, "t1")

    asyncio.run(play())


def test_end_is_decided_again_with_its_move() -> None:
    """If another process was quicker, both are decided on its stored state."""

    async def play() -> None:
        store = MemoryStore()
        here, there = tables(store), tables(store)
        id = await table_of_three(here)
        await here.make(id, "ann", "check.declare", {"as": "ilse", "pool": "2 coin"})
        await there.make(id, "bo", "luck.spend", {})
        made = await here.make(id, "ann", "check.roll", {}, finish=True)
        assert [("ann", "check.roll"), ("ann", "check.close")] == moves(made.records)
        assert 1 == (await here.look(id)).balance("doom")
        assert fold(store.read(id)) == await here.look(id)

    asyncio.run(play())
