"""The chain of a log: each record's link is a hash over the link before it and the record.

Any change, insertion, omission or move breaks the chain there.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

import msgspec

from storypool.log.codec import EventRow

START = b""
"""The link before the first record."""


class Head(NamedTuple):
    """The end of a table's log: the last record's number and link; number 0 once it was deleted."""

    seq: int
    link: bytes


NOTHING = Head(0, START)
"""The head of a table without records: it is new, or it was deleted."""


def link(before: bytes, table: str, row: EventRow) -> bytes:
    """The link of a record of a table: SHA-256, 32 bytes."""
    return link_of(before, (table, *row))


def link_of(before: bytes, values: tuple[object, ...]) -> bytes:
    """The link of these values: SHA-256, 32 bytes."""
    return sha256(before + msgspec.json.encode(tuple(values))).digest()


def links(before: bytes, table: str, rows: Iterable[EventRow]) -> Iterator[bytes]:
    """Yield the links of records that follow the one with the link `before`."""
    for row in rows:
        before = link(before, table, row)
        yield before


def broken(before: Head, table: str, rows: Iterable[tuple[EventRow, bytes]]) -> int:
    """The number of the first of these records that does not follow, or 0 when each does.

    `rows` are records in order, each with its link as it is stored.
    """
    seq, known = before
    for row, stored in rows:
        seq += 1
        known = link(known, table, row)
        if row.seq != seq or known != stored:
            return seq
    return 0
