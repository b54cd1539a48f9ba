"""An imported log is judged like moves, before anything of it is stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.live.tables import Tables
from storypool.log.chain import START
from storypool.log.export import BadFile, _link, export_lines
from storypool.log.memory import MemoryStore
from storypool.log.store import Answer, Append, StoreFull
from storypool.play import Performance, read
from storypool.words import Phrase

LOGS = Path(__file__).parent / "logs"


def exported(key: str) -> list[bytes]:
    """The demo scene of a game as an exported file."""
    performance = Performance(read(systems.demo(key) or "", key))
    assert [] == [step.problem for step in performance.steps() if step.problem]
    return list(export_lines(performance.records))


def linked(lines: list[Any]) -> list[bytes]:
    """A file of these lines with a matching header, like a careful forger's."""
    written = [json.dumps(line).encode() + b"\n" for line in lines[1:]]
    link = START
    for line in written:
        link = _link(link, line)
    return [
        json.dumps({**lines[0], "records": len(written), "link": link.hex()}).encode() + b"\n",
        *written,
    ]


def brought(lines: list[bytes]) -> MemoryStore:
    """The store after an import."""
    store = MemoryStore()
    asyncio.run(Tables(store).bring(lines))
    return store


@pytest.mark.parametrize("key", [key for key in systems.playable() if systems.demo(key)])
def test_played_log_is_accepted(key: str) -> None:
    """An exported scene of each game becomes a table."""
    assert 1 == len(brought(exported(key)).listings())


def test_seats_export_is_not_a_table() -> None:
    """A file with gaps is refused, with the file to import instead."""
    with pytest.raises(BadFile, match=r"what one seat saw.*Import an export of the game master"):
        brought((LOGS / "events-v1.jsonl").read_bytes().splitlines(keepends=True))


def first(lines: list[Any], type: str) -> dict[str, Any]:
    """The first event of this type."""
    event: dict[str, Any] = next(
        line["event"] for line in lines[1:] if line["event"]["type"] == type
    )
    return event


def again(lines: list[Any]) -> None:
    """Open the table a second time at the end."""
    lines.append({**lines[1], "seq": len(lines), "at": lines[-1]["at"]})


def clock(lines: list[Any], by: int) -> list[Any]:
    """Set the clock back at the end, to the first record's time."""
    event = {"type": "clock.set", "v": 1, "by": by}
    lines[-1]["at"] += 9000
    lines.append({**lines[-1], "seq": len(lines), "at": lines[1]["at"], "event": event})
    return lines


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: first(lines, "table.opened").update(system="recipes"), "recipes"),
        (again, "a table is opened once"),
        (lambda lines: first(lines, "table.opened").update(title="x" * 201), "longer than 200"),
        (lambda lines: first(lines, "seat.taken")["seat"].update(id="@gm"), "'@gm' is not an id"),
        (lambda lines: first(lines, "seat.taken")["seat"].update(id=""), "'' is not an id"),
        (
            lambda lines: first(lines, "seat.taken")["seat"].update(name="x" * 201),
            "longer than 200",
        ),
        (lambda lines: first(lines, "seat.taken")["seat"].update(name="  "), "is empty"),
        (
            lambda lines: first(lines, "character.set")["character"].update(id="a=b"),
            "'a=b' is not an id",
        ),
        (
            lambda lines: first(lines, "character.set")["character"].update(
                sheet={"x": "y" * 4001}
            ),
            "longer than 4000",
        ),
        (
            lambda lines: first(lines, "character.set")["character"].update(
                sheet={str(n): n for n in range(2001)}
            ),
            "more than 2000",
        ),
        (lambda lines: first(lines, "points.set").update(balance=99), "99"),
        (lambda lines: first(lines, "points.set").update(balance=-1), "-1"),
        (lambda lines: first(lines, "points.set").update(account="gold"), "gold"),
        (lambda lines: first(lines, "points.set").update(owner="nobody"), "nobody"),
        (
            lambda lines: lines[5].update(at=lines[5]["at"] + 1),
            "its time is before that of the record before it",
        ),
        (
            lambda lines: first(lines, "points.set").update(balance=2**70),
            "a number is larger than 1000000",
        ),
        (
            lambda lines: first(lines, "character.set")["character"].update(sheet={"x": -(2**70)}),
            "is larger than",
        ),
        (lambda lines: lines[-1].update(at=4 * 10**12), "its time is more than a day ahead"),
        (lambda lines: lines[-2].update(at=2**70), "with a time in milliseconds"),
        (lambda lines: clock(lines, by=9000), "its time is before that of the record before it"),
    ],
)
def test_impossible_log_is_refused(
    change: Callable[[list[Any]], object], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line that no move could make is refused, despite a valid file; nothing is stored."""
    lines = [json.loads(line) for line in exported("dune")]
    assert 1 == len(brought(linked(lines)).listings())
    change(lines)
    stored: list[object] = []
    monkeypatch.setattr(MemoryStore, "append", lambda _, append: stored.append(append))
    with pytest.raises(BadFile, match=rf"Line \d+ .*{reason}"):
        brought(linked(lines))
    assert [] == stored


def test_clock_set_back_is_accepted() -> None:
    """A time before the previous record's is valid where the log marks it."""
    lines = clock([json.loads(line) for line in exported("dune")], by=-9000)
    assert 1 == len(brought(linked(lines)).listings())


def test_long_log_is_stored_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others' moves are stored in between; a failed piece removes all of it."""
    monkeypatch.setattr("storypool.live.writer.IMPORT_BATCH", 4)
    sizes, append, full = list[int](), MemoryStore.append, set[int]()

    def appended(store: MemoryStore, what: Append) -> Answer:
        sizes.append(len(what.records))
        if len(sizes) in full:
            raise StoreFull(Phrase("log.full", path="there"))
        return append(store, what)

    monkeypatch.setattr(MemoryStore, "append", appended)
    lines, store = exported("dune"), MemoryStore()
    id = asyncio.run(Tables(store).bring(lines))
    assert len(lines) - 1 == sum(sizes) == len(store.read(id))
    assert {4} == set(sizes[:-1])
    assert 1 <= sizes[-1] <= 4
    sizes.clear()
    full.add(2)
    with pytest.raises(StoreFull):
        asyncio.run(Tables(store).bring(lines))
    assert [id] == [listing.id for listing in store.listings()]


def test_file_has_a_record_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """More records than many years need are refused while they are read."""
    monkeypatch.setattr("storypool.log.export.MAX_RECORDS", 5)
    with pytest.raises(BadFile, match="more than 5 records"):
        brought(exported("dune"))
