"""The logs in a database: their records with links, their ends, and damaged or lost parts."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from storypool.log import chain
from storypool.log.chain import Head
from storypool.log.codec import EventRow
from storypool.log.disk import witness
from storypool.log.disk.witness import Witness, WitnessedCommits
from storypool.log.store import Lost, StoreDamaged, StoreLost
from storypool.words import Phrase


class AnswerRow(NamedTuple):
    """A row of the table `answers`, without the id of its table."""

    seat: str
    token: str
    seq: int
    request_hash: str
    answer: str


CHAIN = """
ALTER TABLE events ADD COLUMN link BLOB NOT NULL DEFAULT x'';
-- Where the log of each table ends, as its last record has it too; 0 when the table was deleted.
ALTER TABLE tables ADD COLUMN last INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN link BLOB NOT NULL DEFAULT x'';
-- How many commits changed anything.
INSERT INTO facts VALUES ('commits', '0');
"""


def add_chains(db: apsw.Connection) -> None:
    """Add the chain to logs that have none."""
    db.execute(CHAIN)
    for table in [row[0] for row in db.execute("SELECT id FROM tables")]:
        head = chain.NOTHING
        for row, _ in list(rows(db, table)):
            head = chain.Head(row.seq, chain.link(head.link, table, row))
            db.execute(
                "UPDATE events SET link = ? WHERE table_id = ? AND seq = ?",
                (head.link, table, head.seq),
            )
        db.execute("UPDATE tables SET last = ?, link = ? WHERE id = ?", (*head, table))


def rows(
    db: apsw.Connection, table: str, after: int = 0, upto: int | None = None
) -> Iterator[tuple[EventRow, bytes]]:
    """Yield a table's stored records after `after` and up to `upto`, each with its link."""
    names = ", ".join(EventRow._fields)
    sql = (
        f"SELECT {names}, link FROM events WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq"
    )
    for *row, link in db.execute(sql, (table, after, (1 << 63) - 1 if upto is None else upto)):
        yield EventRow(*row), link


def head(db: apsw.Connection, table: str, seq: int | None = None) -> Head | None:
    """The head of a table's log, or with record `seq` as the last; None without such a record."""
    found: list[tuple[Any, ...]]
    if seq is None:
        found = db.execute("SELECT last, link FROM tables WHERE id = ?", (table,)).fetchall()
    else:
        found = db.execute(
            "SELECT seq, link FROM events WHERE table_id = ? AND seq = ?", (table, seq)
        ).fetchall()
    return _head(db, *found[0]) if found else None


def _head(db: apsw.Connection, seq: object, link: object) -> Head:
    """A head as stored; `StoreDamaged` if it is invalid, as when pages have changed places."""
    if not isinstance(seq, int) or not isinstance(link, bytes):
        raise StoreDamaged(Phrase("log.damaged", path=db.filename))
    return Head(seq, link)


def heads(db: apsw.Connection) -> Iterator[tuple[str, Head]]:
    """Yield each table, deleted ones included, with the head of its log."""
    for table, *found in db.execute("SELECT id, last, link FROM tables"):
        yield table, _head(db, *found)


def commits(db: apsw.Connection) -> int:
    """The number of commits that changed this database; `StoreDamaged` if it is missing."""
    found = db.execute("SELECT value FROM facts WHERE name = 'commits'").get
    if not isinstance(found, str) or not found.isdecimal():
        raise StoreDamaged(Phrase("log.damaged", path=db.filename))
    return int(found)


def lost(db: apsw.Connection, seen: WitnessedCommits) -> list[Lost]:
    """The commits seen by a witness and lacking here, by table ("" for the side data)."""
    found = []
    missing = seen.commit - commits(db)
    for table, seen_end in seen.heads.items():
        end = head(db, table)
        if end == chain.NOTHING and missing < 0:
            # The witness did not see the commit that deleted the table.
            continue
        last = end.seq if end else 0
        if last < seen_end.seq:
            found.append(Lost(table, last + 1, seen_end.seq - last))
        elif (head(db, table, seen_end.seq) if seen_end.seq else end) != seen_end:
            found.append(Lost(table, 1, 0))
    return found or ([Lost("", 0, missing)] if missing > 0 else [])


def witnessed(db: apsw.Connection, path: Path, without_lost: bool = False) -> Witness:
    """A new witness for a database, after comparing it with what an earlier one has seen.

    Raises `StoreLost` if acknowledged records are missing; with `without_lost` they are given up
    for good, and the database gets another epoch, since their numbers may then be those of other
    records.
    """
    file = path.with_name(witness.NAME)
    seen = witness.read_witness(file) or WitnessedCommits()
    if not without_lost:
        compare_with_witness(db, path, seen)
    elif lost(db, seen):
        db.execute("UPDATE facts SET value = lower(hex(randomblob(8))) WHERE name = 'epoch'")
    return Witness(file, commits(db), heads(db))


def compare_with_witness(db: apsw.Connection, path: Path, seen: WitnessedCommits) -> None:
    """Raise `StoreLost` if a database lacks what a witness has seen.

    Its write-ahead log then stays unchanged: the part behind the damage may be worth saving.
    """
    if missing := lost(db, seen):
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        raise StoreLost(Phrase("log.lost", path=path), missing)


def keep_answer(db: apsw.Connection, table: str, answer: AnswerRow) -> None:
    """Add an answer that was just stored to the chain of its table's answers."""
    known = _fact(db, answers_fact(table))
    link = (
        _answers_link(db, table) if known is None else chain.link_of(bytes.fromhex(known), answer)
    )
    _keep(db, answers_fact(table), link)


def keep_grants(db: apsw.Connection, table: str) -> None:
    """Keep a hash of the grants of a table, "" for those of the server, after they changed."""
    _keep(db, grants_fact(table), _grants_link(db, table))


def side_data_intact(db: apsw.Connection, table: str) -> bool:
    """Whether the answers and grants of a table fit their hashes.

    An older version kept no hashes; their absence is fine.
    """
    for name, link in ((answers_fact(table), _answers_link), (grants_fact(table), _grants_link)):
        known = _fact(db, name)
        if known is not None and known != link(db, table).hex():
            return False
    return True


def answers_fact(table: str) -> str:
    """The name of the fact that has the link of a table's last answer."""
    return f"answers of {table}"


def grants_fact(table: str) -> str:
    """The name of the fact that has the hash of a table's grants."""
    return f"grants of {table}"


def _answers_link(db: apsw.Connection, table: str) -> bytes:
    names = ", ".join(AnswerRow._fields)
    return _linked(
        db.execute(f"SELECT {names} FROM answers WHERE table_id = ? ORDER BY seq", (table,))
    )


def _grants_link(db: apsw.Connection, table: str) -> bytes:
    return _linked(
        db.execute("SELECT * FROM grants WHERE table_id = ? ORDER BY hash, seat", (table,))
    )


def _linked(rows: Iterable[tuple[Any, ...]]) -> bytes:
    link = chain.START
    for row in rows:
        link = chain.link_of(link, row)
    return link


def _fact(db: apsw.Connection, name: str) -> str | None:
    found: str | None = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).get
    return found


def _keep(db: apsw.Connection, name: str, link: bytes) -> None:
    sql = "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    db.execute(sql, (name, link.hex()))


def not_as_written(path: Path, table: str, n: int) -> StoreDamaged:
    """The error for a log that is broken at record `n`."""
    return StoreDamaged(Phrase("log.broken", path=path, table=table, n=n))


def broken(db: apsw.Connection, table: str) -> int:
    """The number of a table's first record that is not as written, or 0 if its log is whole."""
    at = chain.NOTHING
    for row, link in rows(db, table):
        if chain.broken(at, table, [(row, link)]):
            return at.seq + 1
        at = Head(row.seq, link)
    return 0 if head(db, table) == at else at.seq + 1
