"""Damage to the files of a store is harmless or reported, never silent.

Planted and found: `log.logs.witnessed` that does not compare (368 failures in 390 tries). Found in
the source: a database without its count of commits ended the start with a traceback (mended); an
older page of answers was not reported (mended: answers have a chain).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from storypool.engine.events import Record, Said, TableOpened
from storypool.engine.sight import records_of
from storypool.log.disk import database, witness
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Append, Grant, StoreError
from tools.torture.harness import Harness, Run

DB, WAL, WITNESS = database.NAME, f"{database.NAME}-wal", witness.NAME
PAGE, FRAME, HEAD = 4096, 4096 + 24, 32
"""The sizes of a page, of a frame of the write-ahead log, and of that log's head."""
LIFE = 65
"""The times that one store is damaged."""
TABLES = "abc"

Files = dict[str, bytes]


class Held(NamedTuple):
    """The contents of a store: the records of each table, and everything else by its kind."""

    records: list[list[Record]]
    others: dict[str, object]


class Life(NamedTuple):
    """The files of a killed server's store, now and at earlier moments, and their contents."""

    files: Files
    earlier: list[Files]
    holds: Held


def lived(chance: random.Random, folder: Path) -> Life:
    """The life of a store with tables, grants and answers."""
    earlier, seqs = list[Files](), dict.fromkeys(TABLES, 0)
    with closing(SqliteStore(folder)) as store:
        for n in range(chance.randint(40, 120)):
            table = chance.choice(TABLES)
            event = Said("s1", f"{table} {n} " + "x" * chance.randint(0, 600))
            opening = TableOpened("starwars", f"Table {table}", {})
            after, seqs[table] = seqs[table], seqs[table] + 1
            records = records_of([event if after else opening], "s1", after, 7)
            store.append(
                Append(
                    table,
                    after,
                    records,
                    seat="s1",
                    token=f"token {n}",
                    request_hash="hash",
                    answer=f"answer {n}",
                )
            )
            if chance.random() < 0.2:
                store.grant(Grant(f"{n:064}", "session", table, "s1", made=n))
            if chance.random() < 0.1:
                store.revoke(n, hash=f"{chance.randint(0, n):064}")
            if chance.random() < 0.05:
                store.mark(table, "closed", n)
            if chance.random() < 0.03:
                store._writer.pragma("wal_checkpoint", "truncate")
            if chance.random() < 0.1:
                earlier.append(_files(folder))
        if chance.random() < 0.3:
            store._writer.pragma("wal_checkpoint", "truncate")
        return Life(_files(folder), earlier or [_files(folder)], _held(store))


def _files(folder: Path) -> Files:
    return {
        name: (folder / name).read_bytes()
        for name in (DB, WAL, WITNESS)
        if (folder / name).exists()
    }


def _held(store: SqliteStore) -> Held:
    """Everything in a store."""
    answers = [store.answered(table, "s1", f"token {n}") for table in TABLES for n in range(120)]
    listings = sorted(store.listings(), key=lambda one: one.id)
    others = {"tables": listings, "grants": store.grants(), "answers": answers}
    return Held([store.read(table) for table in TABLES], others)


Damage = Callable[[Life, random.Random], Mapping[str, bytes | None]]
"""The changed files; None for a deleted one."""


def _flip(life: Life, chance: random.Random, name: str) -> Mapping[str, bytes]:
    content = bytearray(life.files[name])
    if content:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return {name: bytes(content)}


def _flip_database(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """A bit flipped in the database"""
    return _flip(life, chance, DB)


def _flip_wal(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """A bit flipped in the write-ahead log"""
    return _flip(life, chance, WAL)


def _flip_witness(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """A bit flipped in the witness"""
    return _flip(life, chance, WITNESS)


def _cut(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """A file cut off"""
    name = chance.choice(sorted(life.files))
    return {name: life.files[name][: chance.randint(0, len(life.files[name]))]}


def _delete(life: Life, chance: random.Random) -> Mapping[str, None]:
    """A file deleted"""
    return {chance.choice(sorted(life.files)): None}


def _older(life: Life, chance: random.Random) -> Mapping[str, bytes | None]:
    """An older file put back"""
    older, name = chance.choice(life.earlier), chance.choice(sorted(life.files))
    return {name: older.get(name)}


def _older_database(life: Life, chance: random.Random) -> Mapping[str, bytes | None]:
    """An older database put back with the write-ahead log of that time"""
    older = chance.choice(life.earlier)
    return {name: older.get(name) for name in (DB, WAL)}


def _swap_pages(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """Two pages of the database swapped"""
    return {DB: _swapped(life.files[DB], chance, 0, PAGE)}


def _older_page(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """An older page put back into the database"""
    now, then = life.files[DB], chance.choice(life.earlier)[DB]
    pages = [
        at
        for at in range(0, min(len(now), len(then)), PAGE)
        if now[at : at + PAGE] != then[at : at + PAGE]
    ]
    at = chance.choice(pages) if pages else 0
    return {DB: now[:at] + then[at : at + PAGE] + now[at + PAGE :]} if pages else {}


def _swap_frames(life: Life, chance: random.Random) -> Mapping[str, bytes]:
    """Two frames of the write-ahead log swapped"""
    return {WAL: _swapped(life.files[WAL], chance, HEAD, FRAME)}


def _swapped(content: bytes, chance: random.Random, head: int, size: int) -> bytes:
    places = range(head, len(content) - size + 1, size)
    if len(places) < 2:
        return content
    a, b = sorted(chance.sample(places, 2))
    return (
        content[:a]
        + content[b : b + size]
        + content[a + size : b]
        + content[a : a + size]
        + content[b + size :]
    )


DAMAGES: tuple[Damage, ...] = (
    *(_flip_database, _flip_database, _flip_wal, _flip_wal, _flip_wal, _flip_witness, _cut),
    *(_delete, _older, _older_database, _swap_pages, _older_page, _older_page, _swap_frames),
)


def flipped(run: Run) -> None:
    """Damage the files of one store after another."""
    lives: dict[int, Life] = {}
    for n in run.numbers:
        if n // LIFE not in lives:
            lives = {n // LIFE: lived(run.chance("life", n // LIFE), run.room(f"life{n // LIFE}"))}
        _damage(run, n, lives[n // LIFE])


def _damage(run: Run, n: int, life: Life) -> None:
    chance = run.chance(n)
    damage = DAMAGES[n % len(DAMAGES)]
    files = {**life.files, **damage(life, chance)}
    room = run.room(n)
    for name, content in files.items():
        if content is not None:
            (room / name).write_bytes(content)
    run.count("damages")
    try:
        with closing(SqliteStore(room)) as store:
            held = _held(store)
            if held.records != life.holds.records:
                run.fail(n, f"{damage.__doc__}: other records are served as if they were whole")
            changed = [name for name, one in held.others.items() if one != life.holds.others[name]]
            checked = _checked(store)
        if changed and not checked:
            run.fail(
                n,
                f"{damage.__doc__}: other {', '.join(changed)} are there, and 'storypool check'"
                " finds nothing",
            )
        run.count("checked" if checked else "harmless")
    except StoreError:
        run.count("reported")
    except Exception as error:
        run.fail(n, f"{damage.__doc__}: {error!r} instead of a sentence")
    for file in room.iterdir():
        file.unlink()


def _checked(store: SqliteStore) -> bool:
    try:
        store.check()
    except StoreError:
        return True
    return False


HARNESS = Harness(
    "flips",
    "A bit flipped, a page swapped, a file cut, deleted or put back from an earlier time does no"
    " harm or is reported: in records when they are read, elsewhere by `storypool check`.",
    "{damages} times damaged: reported when opened or read {reported}, by a check {checked},"
    " harmless {harmless}",
    quick=390,
    long=3900,
    run=flipped,
)
