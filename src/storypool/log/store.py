"""The Store protocol: the promises of every store of logs, its results, and its errors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from hashlib import sha256
from typing import Literal, NamedTuple, Protocol

from storypool.engine.events import OptionsSet, Record, RulesChanged, TableOpened
from storypool.words import BadValue, Phrase, StorypoolError

PICTURE_KEY = re.compile("[0-9a-f]{32}")


class StoreError(StorypoolError):
    """Raised for a failure to store or read; nothing confirmed is lost, and its text has a remedy.

    Its argument is a phrase of the catalogue.
    """


class NoTable(StoreError):
    """There is no such table here, or it was deleted."""


class Conflict(StoreError):
    """The log has moved on: the first new record's number is already taken, or is not the next."""


class TokenReused(StoreError):
    """The token already belongs to another command of this seat."""


class StoreFull(StoreError):
    """The disk is full, or the database has reached its size limit."""


class StoreReadOnly(StoreError):
    """This user may not write to the data folder or the database."""


class StoreUnreachable(StoreError):
    """The database did not answer in time; pending writes may be stored: their tokens find out."""


class StoreDamaged(StoreError):
    """The database is damaged, or is not one of this program's."""


class Lost(NamedTuple):
    """Acknowledged records that a database lacks: the table, the first of them, and their count.

    `n` is 0 where the records are there and are others than those acknowledged, or where a deleted
    table is back.
    """

    table: str
    first: int
    n: int


class StoreLost(StoreDamaged):
    """Acknowledged records are missing; `lost` lists them. A host may decide to use the rest."""

    def __init__(self, text: Phrase, lost: Sequence[Lost] = ()) -> None:
        super().__init__(text)
        self.lost = tuple(lost)


class StoreNewer(StoreError):
    """The database or an event in it comes from a newer version."""


class StoreBusy(StoreError):
    """Another process holds the data folder; `address` is its address, "" if unknown."""

    def __init__(self, text: Phrase, address: str = "") -> None:
        super().__init__(text)
        self.address = address


@dataclass(frozen=True, slots=True)
class Append:
    """Records that one command appends to a log, all or none, directly after record `after`.

    `after` 0 begins a new table. `token` is an idempotency key, unique for (table, seat). It is
    stored with `request_hash`, which shows whether a repetition is the same command, and with the
    `answer` to give again. `on` is the future of the append that this one was decided on top of, as
    long as that is pending: if it stores nothing, this is a conflict too, even where as many
    records have been stored in its place. `ValueError` for no records, or if they are not numbered
    from `after` + 1 without a gap.
    """

    table: str
    after: int
    records: Sequence[Record]
    seat: str = ""
    token: str = ""
    _: KW_ONLY
    request_hash: str = ""
    answer: str = ""
    on: Future[Answer] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.records:
            raise BadValue("There is nothing to append: give at least one record.")
        if [record.seq for record in self.records] != list(
            range(self.after + 1, self.after + 1 + len(self.records))
        ):
            raise BadValue(
                f"Records to append must be numbered from {self.after + 1} without a gap."
            )


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored result of a command: last number, hash and answer; `repeated` if already there."""

    seq: int
    request_hash: str
    answer: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A table's row in a list of tables. Times are in milliseconds since 1970, UTC; 0: never."""

    id: str
    system: str = ""
    title: str = ""
    created: int = 0
    changed: int = 0
    closed: int = 0
    archived: int = 0
    deleted: int = 0

    def after(self, records: Iterable[Record]) -> Listing:
        """The listing after these records: the game and title they set, and the last one's time."""
        listing = self
        for record in records:
            listing = replace(listing, created=listing.created or record.at, changed=record.at)
            match record.event:
                case TableOpened(system, title, _, _):
                    listing = replace(listing, system=system, title=title)
                case RulesChanged(system):
                    listing = replace(listing, system=system)
                case OptionsSet(_, title):
                    listing = replace(listing, title=title)
        return listing


LISTING = ", ".join(one.name for one in fields(Listing))
"""The columns of a listing, in their order."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Access to a table for the bearer of the secret with this hash: to a side, or to one seat.

    An invitation link names a side; a session, another device's link and a program's token name a
    seat. A session that holds several seats has several grants with the same hash. `table` is ""
    for the whole server. The secret itself is never stored. `made` and `revoked` are in
    milliseconds since 1970, UTC; `revoked` is 0 while the grant holds.
    """

    hash: str
    kind: str
    table: str
    seat: str = ""
    side: str = ""
    note: str = ""
    made: int = 0
    revoked: int = 0


REVOKED_KEPT_MS = 60_000
"""Milliseconds for which a revoked grant stays on record, so all who watch the grants see it."""

Mark = Literal["closed", "archived"]


class Store(Protocol):
    """A store of logs.

    Every method may be called from any thread; each may raise `StoreError` with one sentence.
    Whatever a method has returned, or a future has resolved to, is durable and visible to every
    later read.
    """

    @property
    def epoch(self) -> str:
        """An id that changes with a restored backup: numbers may then stand for other records."""
        ...

    @property
    def secret(self) -> str:
        """A permanent secret of this store: 32 random bytes in hexadecimal, never published."""
        ...

    def submit(self, append: Append) -> Future[Answer]:
        """Queue an append and return a future of its answer; appends keep their order.

        Raises `StoreError` at once if the codec refuses a record or the store is closed.
        """
        ...

    def append(self, append: Append) -> Answer:
        """Store the records and return the answer; for a known token, only return the first one.

        Raises `Conflict` if the log does not end with record `after`, `TokenReused` or `NoTable`;
        then nothing is stored.
        """
        ...

    def answered(self, table: str, seat: str, token: str) -> Answer | None:
        """The stored answer to a seat's token, or None if the token is new."""
        ...

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        """The records after number `after`, up to and including `upto`; empty if there are none."""
        ...

    def verify(self, table: str) -> None:
        """Read a table's whole stored log; `StoreDamaged` if any record is not as written."""
        ...

    def listing(self, table: str) -> Listing | None:
        """A table's listing, even if it is deleted; None if there never was such a table."""
        ...

    def listings(self) -> list[Listing]:
        """Every table that is not deleted, the most recently played first."""
        ...

    def mark(self, table: str, mark: Mark, at: int) -> None:
        """Close or archive a table; with `at` 0, reopen it or bring it back from the archive."""
        ...

    def delete(self, table: str, at: int) -> None:
        """Erase all that a table has for good; its id cannot be used again."""
        ...

    def keep(self, table: str, text: str) -> None:
        """Queue a text to be kept in addition to a table's log, replacing the last one.

        It may be lost in a crash.
        """
        ...

    def kept(self, table: str) -> str:
        """The text that is kept in addition to a table's log, "" if there is none."""
        ...

    def put_picture(self, table: str, key: str, picture: bytes) -> None:
        """Store a picture of a table under a key that is new there; `NoTable` without the table.

        One that is there stays as it is.
        """
        ...

    def drop_pictures(self, table: str, before: str) -> None:
        """Erase the pictures of a table with a key below `before` that no record names."""
        ...

    def picture(self, table: str, key: str) -> bytes | None:
        """A picture of a table, or None; `StoreDamaged` if it is not as written."""
        ...

    def pictures(self, table: str) -> dict[str, int]:
        """The size of each picture of a table in bytes, by its key."""
        ...

    def grant(self, grant: Grant) -> None:
        """Store a grant, replacing an earlier one with the same hash, table and seat.

        Grants of its table that were revoked `REVOKED_KEPT_MS` before it was made are forgotten.
        """
        ...

    def grants(
        self, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> list[Grant]:
        """The grants that match all arguments given, including revoked ones, as stored."""
        ...

    def revoke(
        self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        """Revoke the grants that match all arguments given (at least one); return their number."""
        ...

    def close(self) -> None:
        """Finish what was submitted and release everything; closing twice is fine."""
        ...


def conflict(append: Append, last: int) -> Conflict:
    """The error for records that do not follow the last one."""
    return Conflict(Phrase("log.conflict", last=last, after=append.after))


def same_command(append: Append, known: Answer) -> Answer:
    """The first answer if the token is for the same command; `TokenReused` otherwise."""
    if known.request_hash != append.request_hash:
        raise TokenReused(Phrase("log.token"))
    return replace(known, repeated=True)


def no_table(table: str) -> NoTable:
    """The error for a table that does not exist."""
    return NoTable(Phrase("log.no_table", table=table))


def picture_row(table: str, key: str, picture: bytes) -> tuple[str, str, bytes, bytes]:
    """A picture as a row: its table, its key, its hash and itself."""
    return table, key, sha256(picture).digest(), picture


def unnamed(keys: Collection[str], texts: Iterable[str]) -> list[str]:
    """The keys of pictures that are in none of these texts of records."""
    named = {key for text in texts for key in PICTURE_KEY.findall(text)}
    return [key for key in keys if key not in named]


def whole_picture(key: str, hash: bytes, picture: bytes) -> bytes:
    """A picture as it was stored; `StoreDamaged` if it has another hash."""
    if sha256(picture).digest() != hash:
        raise StoreDamaged(Phrase("log.picture", key=key))
    return picture
