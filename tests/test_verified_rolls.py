"""Dice that nobody need trust: an honest table is verified, and each way in which a host could
cheat is found.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from storypool.cli import main
from storypool.engine.events import DiceBound, DiceRolled, Record
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refused
from storypool.live.tables import Tables
from storypool.log.disk import database
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.fair import FairFaces, seal
from storypool.log.memory import MemoryStore
from storypool.log.store import Answer, Append, StoreError, StoreFull
from storypool.log.verified import verified
from storypool.words import Phrase
from tests.browsers import serving
from tests.fair_logs import (
    CHEATS,
    NOW,
    RANGES,
    FairPage,
    as_file,
    bound,
    cheated,
    heard,
    honest,
    proofs,
    real,
    seated,
    tossed,
)
from tests.games.tiny import game as tiny
from tools import fairness

PAGE = (Path(__file__).parent.parent / "docs" / "fair-dice.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def log() -> list[Record]:
    """The log of an honest table."""
    return honest()


def found(records: list[Record]) -> list[tuple[str, str | None]]:
    """What is found of each roll, without the number of its record."""
    return [(one.verdict, one.fault) for one in verified(records, RANGES)]


def test_an_honest_log_is_verified(log: list[Record]) -> None:
    """Every roll follows from what was bound before it, and each page has its number in every
    roll.
    """
    assert [("fair", None)] * 4 == found(log)
    assert all(len(bound(log[n]).numbers) == 3 and all(bound(log[n]).numbers) for n in proofs(log))


def test_the_next_seed_is_bound_before_it_is_used(log: list[Record]) -> None:
    """Each record that binds opens what the one before it had bound, in one row without a gap."""
    rows = [bound(record) for record in log if isinstance(record.event, DiceBound)]
    assert list(range(len(rows))) == [one.place for one in rows]
    for before, after in pairwise(rows):
        assert before.next == seal(after.seed)
        assert [one.partition("=")[2] for one in before.sealed] == [
            seal(number) for number in after.numbers
        ]
    assert len(rows) == len({one.seed for one in rows})


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_a_cheating_host_is_found(cheat: Callable[[list[Record]], None], log: list[Record]) -> None:
    """What the host did is named, and no roll that it changed is verified."""
    records = found(cheated(cheat, log))
    assert CHEATS[cheat] <= set(records)
    assert records.count(("fair", None)) < 4


def test_the_terminal_verifies_a_file(
    log: list[Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what it finds of each roll and in sum; a false one gives exit code 1."""
    file = tmp_path / "table.jsonl"
    file.write_bytes(as_file(log))
    assert 0 == main(["verify", str(file)])
    output = capsys.readouterr().out
    assert 4 == output.count(": verified\n")
    assert "4 rolls: 4 verified, 0 typed in, 0 not verifiable, 0 false." in output
    for cheat, wanted in CHEATS.items():
        file.write_bytes(as_file(cheated(cheat, log)))
        assert (1 if any(verdict == "false" for verdict, _ in wanted) else 0) == main(
            ["verify", str(file)]
        )
        assert "4 verified" not in capsys.readouterr().out


def play(
    story: Callable[[Tables, str, list[FairPage]], Any], store: MemoryStore | None = None
) -> list[Record]:
    """The log of a table with three pages at which something happens."""

    async def played() -> list[Record]:
        house = real(store)
        id, pages = await seated(house)
        await story(house, id, pages)
        return await house.records(id)

    return asyncio.run(played())


def test_a_roll_is_verified_with_the_players_who_are_there() -> None:
    """A page that has not opened its number is named; one that has gone is bound no more."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await tossed(house, id)
        await heard(pages[:2])
        house.withdraw_numbers(id, "bo")
        await tossed(house, id)
        await heard(pages[:2])
        await tossed(house, id)

    records = play(story)
    assert ["fair", "missing", "fair"] == [one.verdict for one in verified(records)]
    assert ("bo",) == verified(records)[1].seats


def test_a_roll_that_comes_too_soon_says_so() -> None:
    """Two rolls at once: no page could open its number in between, and the row goes on unbroken."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await tossed(house, id)
        await tossed(house, id)
        await heard(pages)
        await heard(pages)
        await tossed(house, id)

    assert ["fair", "missing", "fair"] == [one.verdict for one in verified(play(story))]


def test_no_number_is_bound_twice() -> None:
    """However many rolls come before any page answers, what was bound once stands in no later
    place.
    """

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        for _ in range(4):
            await tossed(house, id)
        await heard(pages)
        await tossed(house, id)

    sealed = [
        one
        for record in play(story)
        if isinstance(record.event, DiceBound)
        for one in record.event.sealed
    ]
    assert len(sealed) == len(set(sealed))


def test_typed_dice_take_no_place() -> None:
    """They are marked as typed, and the row goes on after them."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await tossed(house, id, "2C", faces=[1, 2])
        await tossed(house, id)

    assert ["hand", "fair"] == [one.verdict for one in verified(play(story))]


def test_a_table_without_pages_rolls_as_ever() -> None:
    """The terminal and bots get the dice of the operating system, which nobody can verify, and no
    record more.
    """

    async def played() -> list[Record]:
        house = real()
        id = await house.open("tiny", "Coins")
        for name, side in (("Mona", "gm"), ("Ann", "player")):
            await house.take_seat(id, name, side)  # type: ignore[arg-type]
        await house.make(id, "mona", "session.begin", {})
        await house.make(id, "ann", "character.add", {"name": "Ilse"})
        await tossed(house, id)
        return await house.records(id)

    records = asyncio.run(played())
    assert [("unbound", None)] == found(records)
    assert not any(isinstance(record.event, DiceBound) for record in records)


def test_hidden_rolls_leave_no_trace_in_the_row() -> None:
    """What the GM rolls in secret takes no place, and its dice cannot be worked out from what is
    opened later.
    """

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await house.make(id, "mona", "character.add", {"name": "Shade", "secret": True})
        before = (await house.look(id)).binding
        await house.make(id, "mona", "check.declare", {"as": "shade", "pool": "9S/3W"})
        await house.make(id, "mona", "check.roll", {})
        await house.make(id, "mona", "check.close", {})
        assert before == (await house.look(id)).binding
        await tossed(house, id)

    records = play(story)
    assert [("fair", None)] == found(records)
    hidden, open = [one.event for one in records if isinstance(one.event, DiceRolled)]
    assert hidden.seen_by
    assert hidden.rolled != open.rolled


def test_undo_does_not_bring_a_seed_back() -> None:
    """A roll that is taken back and made again takes the next place, and both are verified."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "9S"})
        await house.make(id, "ann", "check.roll", {})
        await heard(pages)
        await house.make(id, "mona", "table.undo", {})
        await house.make(id, "ann", "check.roll", {})
        await heard(pages)
        await house.make(id, "mona", "table.undo", {})
        await house.make(id, "mona", "table.redo", {})

    assert [("fair", None)] * 2 == found(play(story))


def test_a_refused_move_shows_and_burns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that were drawn for a move that is then refused: the place stays, and gives the same
    faces afterwards.
    """
    drawn = []

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "9S"})
        before, cast = await house.look(id), Turn.cast

        def refused(turn: Turn, pool: Any, typed: tuple[int, ...] = ()) -> Any:
            drawn.append(cast(turn, pool, typed))
            raise turn.refused("argument", "tells")

        monkeypatch.setattr(Turn, "cast", refused)
        for _ in range(2):
            with pytest.raises(Refused):
                await house.make(id, "ann", "check.roll", {})
        monkeypatch.undo()
        assert before == await house.look(id)
        await house.make(id, "ann", "check.roll", {})

    records = play(story)
    assert [("fair", None)] == found(records)
    [rolled] = [one.event.rolled for one in records if isinstance(one.event, DiceRolled)]
    assert [rolled, rolled] == drawn


def test_a_restart_keeps_the_row_and_a_backup_begins_another(tmp_path: Path) -> None:
    """After a restart the same seed is opened that was bound before; a restored table starts over,
    and says so.
    """

    async def first() -> str:
        house = real(SqliteStore(tmp_path / "data"))
        id, _ = await seated(house)
        await tossed(house, id)
        house.store.close()
        return id

    async def then(id: str) -> list[Record]:
        house = real(SqliteStore(tmp_path / "data"))
        pages = [FairPage(house, id, seat) for seat in ("mona", "ann", "bo")]
        await tossed(house, id)
        await heard(pages)
        await heard(pages)
        await tossed(house, id)
        records = await house.records(id)
        house.store.close()
        return records

    id = asyncio.run(first())
    # The pages of the first part are gone, and with them the numbers that they had sealed.
    assert ["fair", "missing", "fair"] == [one.verdict for one in verified(asyncio.run(then(id)))]
    database.backup(tmp_path / "data" / database.NAME, tmp_path / "backup.db")
    asyncio.run(then(id))
    database.restore(tmp_path / "backup.db", tmp_path / "data")
    again = ["fair", "missing", "fair", "unbound", "anew"]
    assert again == [one.verdict for one in verified(asyncio.run(then(id)))]


def test_a_number_that_was_opened_outlives_page_and_server(tmp_path: Path) -> None:
    """Bo opened his number, left, and is not there the next evening: the roll has it, and is
    verified by the others.
    """

    async def one_evening() -> str:
        house = real(SqliteStore(tmp_path))
        id, pages = await seated(house)
        await tossed(house, id)
        await heard(pages)
        for page in pages:
            house.withdraw_numbers(id, page.seat)
        house.store.close()
        return id

    async def the_next(id: str) -> list[Record]:
        house = real(SqliteStore(tmp_path))
        await FairPage(house, id, "mona").hear()
        await tossed(house, id)
        records = await house.records(id)
        await asyncio.to_thread(house.store.delete, id, NOW)
        assert "" == house.store.kept(id)
        house.store.close()
        return records

    assert [("fair", None)] * 2 == found(asyncio.run(the_next(asyncio.run(one_evening()))))


def test_an_imported_log_begins_a_row_of_its_own(log: list[Record]) -> None:
    """The rolls of the file stay verified; the first of the new table is marked, and those after it
    are verified.
    """

    async def played() -> list[Record]:
        house = real()
        id = await house.bring(as_file(log).splitlines(keepends=True))
        pages = [FairPage(house, id, seat) for seat in ("mona", "ann", "bo")]
        for _ in range(4):
            await heard(pages)
        for _ in range(2):
            await tossed(house, id)
            await heard(pages)
        return await house.records(id)

    assert ["fair"] * 4 + ["anew", "fair"] == [
        one.verdict for one in verified(asyncio.run(played()))
    ]


class Held(MemoryStore):
    """A store whose commits wait until they are let go, or are made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.holding = False
        self.waiting: list[tuple[Append, Future[Answer]]] = []

    def submit(self, append: Append) -> Future[Answer]:
        if not self.holding:
            return super().submit(append)
        future: Future[Answer] = Future()
        self.waiting.append((append, future))
        return future

    def let_go(self, failure: StoreError | None = None) -> None:
        """Commit what waits, or fail with it; hold nothing any more."""
        self.holding = False
        [(append, future)], self.waiting = self.waiting, []
        if failure:
            future.set_exception(failure)
        else:
            future.set_result(super().submit(append).result())


def test_a_roll_that_is_not_stored_burns_no_seed() -> None:
    """When the disk fails, nobody has seen the faces; made again, the same place gives the same
    ones.
    """
    store, tried = Held(), list[Any]()

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "9S"})
        store.holding = True
        roll = asyncio.create_task(house.make(id, "ann", "check.roll", {}))
        while not store.waiting:
            await asyncio.sleep(0)
        tried.extend(
            one.event.rolled
            for one in store.waiting[0][0].records
            if isinstance(one.event, DiceRolled)
        )
        store.let_go(StoreFull(Phrase("log.full", path="here")))
        with pytest.raises(StoreFull):
            await roll
        await house.make(id, "ann", "check.roll", {})

    records = play(story, store)
    assert [("fair", None)] == found(records)
    assert tried == [one.event.rolled for one in records if isinstance(one.event, DiceRolled)]


def test_a_number_that_comes_while_a_roll_is_stored_is_not_taken() -> None:
    """A page learns that its number was taken only if it is in the roll: else it would call an
    honest host a cheat.
    """
    store = Held()

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await tossed(house, id)
        await heard(pages[:2])
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "9S"})
        store.holding = True
        roll = asyncio.create_task(house.make(id, "ann", "check.roll", {}))
        while not store.waiting:
            await asyncio.sleep(0)
        assert [] == await pages[2].hear()
        store.let_go()
        await roll

    assert [("fair", ()), ("missing", ("bo",))] == [
        (one.verdict, one.seats) for one in verified(play(story, store))
    ]


def test_a_move_sent_twice_is_one_roll() -> None:
    """A token that comes again gets the first answer, and the row goes on behind it."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "9S"})
        first = await house.make(id, "ann", "check.roll", {}, "a token")
        await heard(pages)
        again = await house.make(id, "ann", "check.roll", {}, "a token")
        assert again.repeated
        assert first.records == again.records
        await house.make(id, "ann", "check.close", {})
        await tossed(house, id)

    assert [("fair", None)] * 2 == found(play(story))


def test_a_number_is_taken_only_for_what_was_sealed() -> None:
    """Numbers that nobody sealed, numbers of another seat, and more than a seat may have are left
    out.
    """

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        bound = (await house.look(id)).binding
        assert bound
        anns = [one.partition("=")[2] for one in bound.sealed if one.startswith("ann=")]
        number = pages[1].numbers[anns[0]]
        assert [] == await house.take_numbers(id, "bo", [number], "")
        assert [] == await house.take_numbers(id, "ann", ["ab" * 32, "no number"], "")
        assert anns == await house.take_numbers(id, "ann", [number], "")
        for n in range(9):
            await house.take_numbers(id, "vera", [], f"{n}{n}" * 32)
        await tossed(house, id)
        after = (await house.look(id)).binding
        assert after
        assert ["vera=" + "77" * 32, "vera=" + "88" * 32] == [
            one for one in after.sealed if one.startswith("vera")
        ]

    play(story)


def test_a_seat_opens_no_number_but_its_own(tmp_path: Path) -> None:
    """The route speaks for the seats of a session alone, takes what is written rightly, and no more
    of it than fits.
    """
    with serving(tmp_path) as house:
        party = house.table()
        path, number = f"{party.path}/numbers", "ab" * 32
        assert {"opened": []} == party.ann.post(path, numbers=[number], sealed=number)
        assert {"opened": []} == party.vera.post(path, numbers=[number], sealed=number)
        party.ann.refused(403, "POST", path, seat="bo", numbers=[number])
        house.browser().refused(401, "POST", path, numbers=[number])
        for wrong in ({"numbers": ["ab"]}, {"sealed": number.upper()}, {"numbers": [number] * 9}):
            party.ann.refused(400, "POST", path, **wrong)


def test_the_worked_examples_are_true() -> None:
    """Each value that the page about the construction gives comes out."""
    rows = (
        line.strip("| ").split(" | ")
        for line in PAGE.splitlines()
        if line.startswith("| ") and line.count("`") >= 2
    )
    documented = {row[0]: row[-1].strip("`") for row in rows if len(row) == 2}
    seed, numbers = "00" * 32, ("01" * 32, "02" * 32)

    def rolled(sides: Sequence[int], numbers: Sequence[str] = numbers) -> str:
        chance = FairFaces(seed, "0123456789.e", 1, numbers)
        return " ".join(str(1 + chance.below(n)) for n in sides)

    assert [seal(one) for one in (seed, *numbers)] == [
        documented[key] for key in documented if key.startswith("seal of")
    ]
    text = f"storypool dice 1\n0123456789.e\n1\n{','.join(numbers)}\n0"
    assert hmac.digest(bytes(32), text.encode(), "sha256").hex() == documented["block 0"]
    assert rolled([6] * 10) == documented["ten dice of six faces, from 1"]
    assert (
        rolled([6] * 10, (numbers[0], ""))
        == documented['the same without the second number (`""`)']
    )
    assert rolled([6] * 10, ()) == documented["the same without numbers"]
    [mixed] = [key for key in documented if key.startswith("dice of 20, 20")]
    assert rolled([20, 20, 12, 10, 8, 6, 100, 1000, 1, 2]) == documented[mixed]


@pytest.mark.parametrize("sides", [2, 3, 6, 8, 10, 12, 20, 100, 255, 256])
def test_every_face_has_equally_many_bytes(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all bytes, each once, every face gets as many as any other, and what is left is taken
    again.
    """
    chance = FairFaces("00" * 32, "row", 1, ())
    monkeypatch.setattr(chance, "_bytes", iter(range(256)))
    each = 256 // sides
    assert dict.fromkeys(range(sides), each) == Counter(
        chance.below(sides) for _ in range(each * sides)
    )
    assert 256 - each * sides == len(list(chance._bytes))


@pytest.mark.parametrize("sides", fairness.sides())
def test_the_faces_pass_chi_square_and_the_serial_test(sides: int) -> None:
    """A small part of what `tools.fairness` rolls; dice of which one face is wanting do not
    pass.
    """
    assert fairness.tested(sides, 20_000, fairness.SEED).is_fair


def test_the_page_has_the_figures_of_every_die() -> None:
    """The docs tell of ten million rolls of each number of faces that a game has."""
    rows = [line.split("|")[1:3] for line in PAGE.splitlines() if f"| {fairness.ROLLS:,} |" in line]
    coins = {die.sides for die in tiny.SYSTEM.dice}
    assert [n for n in fairness.sides() if n not in coins] == [int(faces) for faces, _ in rows]


def test_loaded_dice_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice with a modulo bias fail by their faces, and dice that repeat themselves by their
    pairs.
    """
    fair = fairness.faces

    def biased(sides: int, seed: str) -> Iterator[int]:
        return (n % 6 for n in fair(8, seed))

    def sticky(sides: int, seed: str) -> Iterator[int]:
        return (n for one in fair(sides, seed) for n in (one, one))

    monkeypatch.setattr(fairness, "faces", biased)
    assert fairness.tested(6, 20_000, "").faces[2] < fairness.UNLIKELY
    monkeypatch.setattr(fairness, "faces", sticky)
    one = fairness.tested(6, 20_000, "")
    assert one.pairs[2] < fairness.UNLIKELY < one.faces[2]
