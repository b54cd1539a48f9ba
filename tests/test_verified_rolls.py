"""Verified dice: an honest table passes, and every cheat of a host is found."""

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
    cards_swapped,
    cheated,
    heard,
    honest,
    proofs,
    real,
    seated,
    tossed,
    with_cards,
)
from tests.games.tiny import game as tiny
from tools import fairness

PAGE = (Path(__file__).parent.parent / "docs" / "fair-dice.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def log() -> list[Record]:
    """The log of an honest table."""
    return honest()


def found(records: list[Record]) -> list[tuple[str, str | None]]:
    """The finding about each roll, without its record number."""
    return [(one.verdict, one.fault) for one in verified(records, RANGES)]


def test_honest_log_is_verified(log: list[Record]) -> None:
    """Every roll follows from its binding, and has each page's number."""
    assert [("fair", None)] * 4 == found(log)
    assert all(len(bound(log[n]).numbers) == 3 and all(bound(log[n]).numbers) for n in proofs(log))


def test_next_seed_is_bound_before_its_use(log: list[Record]) -> None:
    """Each binding record opens the previous one, in a sequence without gaps."""
    rows = [bound(record) for record in log if isinstance(record.event, DiceBound)]
    assert list(range(len(rows))) == [one.place for one in rows]
    for before, after in pairwise(rows):
        assert before.next == seal(after.seed)
        assert [one.partition("=")[2] for one in before.sealed] == [
            seal(number) for number in after.numbers
        ]
    assert len(rows) == len({one.seed for one in rows})


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_cheating_host_is_found(cheat: Callable[[list[Record]], None], log: list[Record]) -> None:
    """The cheat is named, and no changed roll is verified."""
    records = found(cheated(cheat, log))
    assert CHEATS[cheat] <= set(records)
    assert records.count(("fair", None)) < 4


def test_terminal_verifies_a_file(
    log: list[Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It reports each roll and the sum; a false one gives exit code 1."""
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
    """The log of a table with three pages and these events."""

    async def played() -> list[Record]:
        house = real(store)
        id, pages = await seated(house)
        await story(house, id, pages)
        return await house.records(id)

    return asyncio.run(played())


def test_roll_is_verified_by_present_players() -> None:
    """A page without an opened number is named, and a departed one is not bound."""

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


def test_open_draws_are_verified() -> None:
    """Each follows from the cards that are left, until a hidden hand would be given away."""
    records = with_cards()
    assert ["fair", "fair", "unbound"] == [one.verdict for one in verified(records)]
    false = verified(cheated(cards_swapped, records))
    assert ("false", "faces") == (false[0].verdict, false[0].fault)


def test_early_roll_is_marked() -> None:
    """No page can open its number between two rolls at once; the sequence continues."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await tossed(house, id)
        await tossed(house, id)
        await heard(pages)
        await heard(pages)
        await tossed(house, id)

    assert ["fair", "missing", "fair"] == [one.verdict for one in verified(play(story))]


def test_no_number_is_bound_twice() -> None:
    """However many rolls come before an answer, a bound number is in no later place."""

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
    """They are marked as typed, and the sequence continues after them."""

    async def story(house: Tables, id: str, pages: list[FairPage]) -> None:
        await tossed(house, id, "2C", faces=[1, 2])
        await tossed(house, id)

    assert ["hand", "fair"] == [one.verdict for one in verified(play(story))]


def test_table_without_pages_rolls_unverified() -> None:
    """Terminal and bots get the system's dice, without proofs or further records."""

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


def test_hidden_rolls_leave_no_trace() -> None:
    """A secret roll takes no place, and later openings do not reveal its dice."""

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


def test_undo_does_not_restore_a_seed() -> None:
    """A repeated roll takes the next place, and both are verified."""

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


def test_refused_move_reveals_no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The drawn place stays, and gives the same faces afterwards."""
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


@pytest.mark.slow
def test_restart_keeps_the_sequence(tmp_path: Path) -> None:
    """A restart opens the bound seed; a restored table starts another sequence, with a mark."""

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


def test_opened_number_outlives_page_and_server(tmp_path: Path) -> None:
    """Bo's opened number is in the next evening's roll, which others verify."""

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


def test_imported_log_starts_its_own_sequence(log: list[Record]) -> None:
    """Old rolls stay verified; the new table's first is marked, and later ones verified."""

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
    """A store whose commits wait for release or failure."""

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

    def release(self, failure: StoreError | None = None) -> None:
        """Commit or fail all waiting appends, and hold no more."""
        self.holding = False
        [(append, future)], self.waiting = self.waiting, []
        if failure:
            future.set_exception(failure)
        else:
            future.set_result(super().submit(append).result())


def test_unstored_roll_uses_no_seed() -> None:
    """After a disk error nobody has seen the faces, and a retry gives the same ones."""
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
        store.release(StoreFull(Phrase("log.full", path="here")))
        with pytest.raises(StoreFull):
            await roll
        await house.make(id, "ann", "check.roll", {})

    records = play(story, store)
    assert [("fair", None)] == found(records)
    assert tried == [one.event.rolled for one in records if isinstance(one.event, DiceRolled)]


def test_late_number_is_not_accepted() -> None:
    """A page's number is confirmed only inside a roll, so an honest host is not accused."""
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
        store.release()
        await roll

    assert [("fair", ()), ("missing", ("bo",))] == [
        (one.verdict, one.seats) for one in verified(play(story, store))
    ]


def test_repeated_move_is_one_roll() -> None:
    """A repeated token gets the first answer, and the sequence continues."""

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


def test_only_sealed_numbers_are_accepted() -> None:
    """Unsealed numbers, other seats' and those beyond a seat's limit are left out."""

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


def test_seat_opens_only_its_own_numbers(tmp_path: Path) -> None:
    """The route needs the session's seat and valid input within its limit."""
    with serving(tmp_path) as house:
        party = house.table()
        path, number = f"{party.path}/numbers", "ab" * 32
        assert {"opened": []} == party.ann.post(path, numbers=[number], sealed=number)
        assert {"opened": []} == party.vera.post(path, numbers=[number], sealed=number)
        party.ann.refused(403, "POST", path, seat="bo", numbers=[number])
        house.browser().refused(401, "POST", path, numbers=[number])
        for wrong in ({"numbers": ["ab"]}, {"sealed": number.upper()}, {"numbers": [number] * 9}):
            party.ann.refused(400, "POST", path, **wrong)


def test_worked_examples_are_true() -> None:
    """Each value of the page about the construction is reproduced."""
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
def test_every_face_has_equal_byte_counts(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all bytes each face has equally many, and the rest is drawn again."""
    chance = FairFaces("00" * 32, "row", 1, ())
    monkeypatch.setattr(chance, "_bytes", iter(range(256)))
    each = 256 // sides
    assert dict.fromkeys(range(sides), each) == Counter(
        chance.below(sides) for _ in range(each * sides)
    )
    assert 256 - each * sides == len(list(chance._bytes))


@pytest.mark.slow
@pytest.mark.parametrize("sides", fairness.sides())
def test_faces_pass_the_statistical_tests(sides: int) -> None:
    """A part of `tools.fairness` passes chi-square and serial tests; a missing face fails."""
    assert fairness.tested(sides, 20_000, fairness.SEED).is_fair


def test_page_has_the_figures_of_every_die() -> None:
    """The docs report ten million rolls for each number of faces of a game."""
    rows = [line.split("|")[1:3] for line in PAGE.splitlines() if f"| {fairness.ROLLS:,} |" in line]
    coins = {die.sides for die in tiny.SYSTEM.dice}
    assert [n for n in fairness.sides() if n not in coins] == [int(faces) for faces, _ in rows]


def test_loaded_dice_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A modulo bias fails by its faces, and repetition by its pairs."""
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
