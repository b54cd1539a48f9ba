"""The Store protocol: what every place that keeps logs promises, what it gives, and what it says when it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from storypool.engine.events import OptionsSet, Record, TableOpened
from storypool.words import Phrase


class StoreError(Exception):
    """What could not be kept or read, and what to do about it; nothing acknowledged is lost.

    Made with a phrase of the catalogue, which is what it says.
    """


class NoTable(StoreError):
    """There is no such table here, or it was deleted."""


class Conflict(StoreError):
    """The log went on meanwhile: the number that the first new record would have is taken, or not yet reached."""


class TokenReused(StoreError):
    """The token already belongs to another command of this seat."""


class StoreFull(StoreError):
    """There is no room left on the disk, or in the size that the database may have."""


class StoreReadOnly(StoreError):
    """The data folder or the database may not be written by this user."""


class StoreDamaged(StoreError):
    """The database is damaged, or is no database of this program."""


class StoreNewer(StoreError):
    """The database or an event in it comes from a newer version."""


class StoreBusy(StoreError):
    """Somebody else holds the data folder; `address` is where they can be reached, empty when they do not say."""

    def __init__(self, text: Phrase, address: str = "") -> None:
        super().__init__(text)
        self.address = address


@dataclass(frozen=True, slots=True)
class Append:
    """Records that one command adds to a table's log: all of them or none, and only right behind record `after`.

    With `after` 0 the table begins. A `token` makes the command repeatable: it is unique for (table, seat), and is
    kept with `request_hash`, which tells whether it is the same command, and with the `answer` to give again.
    """

    table: str
    after: int
    records: Sequence[Record]
    seat: str = ""
    token: str = ""
    request_hash: str = ""
    answer: str = ""

    def __post_init__(self) -> None:
        if not self.records:
            raise ValueError("There is nothing to append: give at least one record.")
        if [record.seq for record in self.records] != list(range(self.after + 1, self.after + 1 + len(self.records))):
            raise ValueError(f"Records to append must be numbered from {self.after + 1} without a gap.")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is on record for a command: the last number it took, its hash, its answer; `repeated` if it was there."""

    seq: int
    request_hash: str
    answer: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as a list of tables shows it. Times in milliseconds since 1970, UTC; 0 is never."""

    id: str
    system: str = ""
    title: str = ""
    created: int = 0
    changed: int = 0
    closed: int = 0
    archived: int = 0
    deleted: int = 0

    def after(self, records: Iterable[Record]) -> Listing:
        """The listing after these records: the game and the title they name, and the time of the last one."""
        listing = self
        for record in records:
            listing = replace(listing, created=listing.created or record.at, changed=record.at)
            match record.event:
                case TableOpened(system, title):
                    listing = replace(listing, system=system, title=title)
                case OptionsSet(_, title):
                    listing = replace(listing, title=title)
        return listing


@dataclass(frozen=True, slots=True)
class Grant:
    """Whoever shows the secret with this hash may sit at the table: on a side, or on one seat. One for each of them.

    An invitation link names a side; a session, another device's link and a program's token name a seat. A session
    that holds several seats has several grants with one hash. `table` is empty for the whole server. The secret
    itself is never stored. `revoked` is a time, and 0 while the grant holds.
    """

    hash: str
    kind: str
    table: str
    seat: str = ""
    side: str = ""
    note: str = ""
    made: int = 0
    revoked: int = 0


Mark = Literal["closed", "archived"]


class Store(Protocol):
    """Where logs are kept. Every method may be called from any thread; each raises `StoreError` with one sentence.

    What a method returned, or what a future was resolved with, is durable and is seen by every read after it.
    """

    @property
    def epoch(self) -> str:
        """Which life of the store this is: another one after a restore, when numbers may mean other records."""
        ...

    def submit(self, append: Append) -> Future[Answer]:
        """A future of what `append` gives; what is submitted earlier is decided earlier.

        Records that the codec refuses, and a closed store, raise `StoreError` at once.
        """
        ...

    def append(self, append: Append) -> Answer:
        """The answer on record once all records are kept; for a known token, the answer of the first time.

        Raises `Conflict` when the log does not end with record `after`, `TokenReused`, `NoTable`; then nothing is kept.
        """
        ...

    def answered(self, table: str, seat: str, token: str) -> Answer | None:
        """What is on record for a token of a seat, or None when it is new."""
        ...

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        """The records behind number `after`, up to and with `upto`; empty when there are none."""
        ...

    def listing(self, table: str) -> Listing | None:
        """A table as lists show it, a deleted one too; None when there never was one."""
        ...

    def listings(self) -> list[Listing]:
        """Every table that is not deleted, the one last played first."""
        ...

    def mark(self, table: str, mark: Mark, at: int) -> None:
        """Close or archive a table; with `at` 0, open it again or take it back from the archive."""
        ...

    def delete(self, table: str, at: int) -> None:
        """Erase a table's records, answers and grants for good; its id is never used again."""
        ...

    def grant(self, grant: Grant) -> None:
        """Keep a grant, in place of an earlier one with the same hash, table and seat."""
        ...

    def grants(self, *, hash: str | None = None, table: str | None = None, seat: str | None = None) -> list[Grant]:
        """The grants that match all that is given, revoked ones too, in the order in which they were made."""
        ...

    def revoke(self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None) -> int:
        """How many grants that still held and match all that is given (at least one thing) are now revoked."""
        ...

    def close(self) -> None:
        """Finish what was submitted and let go of everything; closing twice is fine."""
        ...


def conflict(append: Append, last: int) -> Conflict:
    """The refusal of records that do not follow the last one."""
    return Conflict(Phrase("log.conflict", last=last, after=append.after))


def same_command(append: Append, known: Answer) -> Answer:
    """The answer of the first time, when the token stands for the same command; otherwise raises `TokenReused`."""
    if known.request_hash != append.request_hash:
        raise TokenReused(Phrase("log.token"))
    return replace(known, repeated=True)


def no_table(table: str) -> NoTable:
    """The refusal to touch a table that is not here."""
    return NoTable(Phrase("log.no_table", table=table))
