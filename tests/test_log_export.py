"""A table as one file, whole or as a seat saw it, and untrusted imports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from storypool.engine.dice import Misused
from storypool.engine.events import (
    PointsSet,
    Record,
    Rewound,
    Said,
    SeatTaken,
    TableOpened,
    TraitSet,
)
from storypool.engine.fold import fold
from storypool.engine.sight import records_of, view
from storypool.engine.table import Seat, Trait
from storypool.log.export import BadFile, export_lines, import_records, load
from storypool.log.memory import MemoryStore
from storypool.log.store import Append

SPECTATOR = Seat("s3", "Bo", "spectator")
LOG = records_of(
    [
        TableOpened("starwars", "The Long Haul", {}),
        SeatTaken(SPECTATOR),
        TraitSet(Trait("t1", "secret", "The droid is a spy", seen_by=("@gm",))),
        PointsSet("light", "", 2, 2, "rolled"),
        Said("s1", "Bo only", seen_by=("s3",)),
        Rewound(3),
    ],
    "s1",
    0,
    1_700_000_000_000,
)


def changed(change: Callable[[list[Any]], object]) -> Iterator[bytes]:
    """The file of the log with a change."""
    lines = [json.loads(line) for line in export_lines(LOG)]
    change(lines)
    return (json.dumps(line).encode() + b"\n" for line in lines)


def test_export_and_import_keep_the_table() -> None:
    """An export imported as a new table has the same records and state."""
    store = MemoryStore()
    store.append(Append("new", 0, import_records(export_lines(LOG))))
    assert LOG == store.read("new")
    assert fold(LOG) == fold(store.read("new"))


def test_file_is_json_lines() -> None:
    """The first line describes the file, and each other is one readable record."""
    lines = [json.loads(line) for line in b"".join(export_lines(LOG)).splitlines()]
    assert {"format": "storypool table", "v": 2, "records": 6, "link": lines[0]["link"]} == lines[0]
    assert 64 == len(lines[0]["link"])
    points = {"account": "light", "owner": "", "balance": 2, "delta": 2, "why": "rolled"}
    event = {"type": "points.set", "v": 1, **points, "by": "", "seen_by": None}
    record = {"seq": 4, "at": 1_700_000_000_000, "seat": "s1", "seen_by": None, "event": event}
    assert record == lines[4]


def test_seats_export_has_only_its_view() -> None:
    """Hidden records are a number and a time, and give the same fold after an import."""
    seen = view(LOG, SPECTATOR)
    file = b"".join(export_lines(seen))
    assert b"spy" not in file
    assert json.loads(file.splitlines()[3]) == {
        "seq": 3,
        "at": 1_700_000_000_000,
        "seat": "",
        "seen_by": None,
        "event": None,
    }
    again = import_records(file.splitlines(keepends=True))
    assert fold(seen) == fold(again)


def test_import_keeps_secrets() -> None:
    """Records of one seat are not shown to everybody at the imported table."""
    again = import_records(export_lines(view(LOG, SPECTATOR)))
    assert ("s3",) == again[4].seen_by


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: lines.clear(), "not the file of a Storypool table"),
        (lambda lines: lines.pop(0), "not the file of a Storypool table"),
        (lambda lines: lines[0].update(format="recipes"), "not the file of a Storypool table"),
        (lambda lines: lines[0].update(records="six"), "not the file of a Storypool table"),
        (lambda lines: lines[0].update(v=3), r"newer Storypool \(format 3\): install"),
        (lambda lines: lines.pop(), "cut off: it has 5 of 6 records. Export the table again"),
        (lambda lines: lines.__setitem__(slice(1, None), []), "cut off: it has 0 of 6 records"),
        (lambda lines: lines.pop(3), "Line 4 .* record 3 was expected"),
        (lambda lines: lines.insert(3, lines[3]), "Line 5 .* record 4 was expected"),
        (lambda lines: lines[2].update(at=-5), "Line 3 .* a time in milliseconds"),
        (lambda lines: lines[2].update(at=2**70), "Line 3 .* a time in milliseconds"),
        (
            lambda lines: lines[2].update(at="noon"),
            "Line 3 .* a whole number was expected, found 'noon'",
        ),
        (lambda lines: lines[2].update(seat=None), "Line 3 .* a text was expected"),
        (lambda lines: lines[2].update(seen_by=[1]), "Line 3 .* a text was expected, found 1"),
        (lambda lines: lines[2].pop("event"), "Line 3 .* 'event'"),
        (lambda lines: lines.__setitem__(2, [1]), "Line 3 .* not a record"),
        (lambda lines: lines.__setitem__(2, None), "Line 3 .* not a record"),
        (
            lambda lines: lines[1].update(event=None),
            "Line 2 .* the first record must open the table",
        ),
        (
            lambda lines: lines[1]["event"].update(type="dice.sung"),
            "Line 2 .* 'dice.sung', which this version",
        ),
        (lambda lines: lines[1]["event"].update(type=[]), "Line 2 .* not a record"),
        (lambda lines: lines[1]["event"].update(v=7), "Line 2 .* table.opened of version 7"),
        (lambda lines: lines[1]["event"].update(v="1"), "Line 2 .* a whole number"),
        (lambda lines: lines[1]["event"].pop("system"), "Line 2 .* 'system'"),
        (
            lambda lines: lines[4]["event"].update(balance="all"),
            "Line 5 .* balance: a whole number",
        ),
        (lambda lines: lines[4]["event"].update(account={}), "Line 5 .* account: a text"),
        (lambda lines: lines[6]["event"].update(to=6), "Line 7 .* rewound to record 6"),
        (lambda lines: lines[6]["event"].update(to=-1), "Line 7 .* rewound to record -1"),
        (lambda lines: lines[6]["event"].update(to="x"), "Line 7 .* to: a whole number"),
    ],
)
def test_file_with_a_mistake_is_refused(change: Callable[[list[Any]], object], reason: str) -> None:
    """Cut, unordered, future or other files are refused, with line and reason."""
    with pytest.raises(BadFile, match=reason):
        import_records(changed(change))


@pytest.mark.parametrize("line", [b"{", b"\xff\xfe", b'{"seq": 1e999}', b"[" * 100_000])
def test_invalid_json_line_is_refused(line: bytes) -> None:
    """Bytes outside JSON, and JSON outside records, are refused anywhere."""
    with pytest.raises(BadFile, match="not the file of a Storypool table"):
        import_records([line])
    with pytest.raises(BadFile, match="Line 3 of the file cannot be imported"):
        import_records([*list(export_lines(LOG))[:2], line])


def test_large_file_is_refused() -> None:
    """A file is read only up to the limit."""
    size = len(b"".join(export_lines(LOG)))
    assert 6 == len(import_records(export_lines(LOG), max_bytes=size))
    with pytest.raises(BadFile, match=f"larger than {size - 1} bytes"):
        import_records(export_lines(LOG), max_bytes=size - 1)


def test_golden_log_is_a_regular_file() -> None:
    """Golden logs are exports, so the file format is permanent too."""
    lines = (
        (Path(__file__).parent / "logs" / "events-v1.jsonl").read_bytes().splitlines(keepends=True)
    )
    records = import_records(lines)
    assert records == import_records(export_lines(records))
    assert Record(24, None, "s2", 1_700_000_021_000) == records[23]


def test_load_reads_a_path_or_lines(tmp_path: Path) -> None:
    """A path as text or a `Path`, and lines as text or bytes, with any line end, are the same."""
    whole = b"".join(export_lines(LOG))
    file = tmp_path / "the haul.jsonl"
    file.write_bytes(whole)
    sources = (
        file,
        str(file),
        whole.splitlines(keepends=True),
        whole.decode().splitlines(),
        (line + "\r\n" for line in whole.decode().splitlines()),
    )
    for source in sources:
        assert LOG == load(source)
    with file.open("rb") as opened:
        assert fold(LOG) == fold(load(opened))


def test_load_has_no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of imports from outside are not those of a program's own file."""
    monkeypatch.setattr("storypool.log.export.MAX_RECORDS", 2)
    with pytest.raises(BadFile, match="more than 2 records"):
        import_records(export_lines(LOG))
    assert 6 == len(load(export_lines(LOG)))


def test_load_names_the_line(tmp_path: Path) -> None:
    """What cannot be loaded is one sentence: with the line inside a file, else with the reason."""
    lines = list(export_lines(LOG))
    for wrong in (lines[3][:-7], lines[3].decode()[:-7], b"\xff", "\udcff", "[" * 100_000):
        with pytest.raises(BadFile, match=r"^Line 4 of the file cannot be imported: [^.]+\."):
            load([*lines[:3], wrong, *lines[4:]])
    unreadable: list[tuple[Any, str]] = [
        (tmp_path / "none.jsonl", "none.jsonl cannot be read: No such file or directory."),
        (tmp_path, "cannot be read: Is a directory."),
        ("a\0b", "cannot be read: embedded null byte."),
        ("", "cannot be read: No such file or directory."),
        ([], "The file is empty"),
        (b"".join(lines).decode(), "the text of a log and not the path of its file"),
        (lines[0].decode().strip(), "the text of a log and not the path of its file"),
    ]
    for source, reason in unreadable:
        with pytest.raises(BadFile, match=reason):
            load(source)
    misused: list[Any] = [None, 7, b"".join(lines), [*lines[:3], 7], [None]]
    for source in misused:
        with pytest.raises(Misused, match=" log "):
            load(source)
