"""Moving everything from one store to another of any kind; it may be repeated or resumed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.log.logs import AnswerRow
from storypool.log.store import Append, Listing, Store, StoreError
from storypool.words import Phrase

MOVE_BATCH = 500
"""The most appends in flight at once, and the most records in one."""


class Movable(Store, Protocol):
    """A store that can be copied whole: its deleted tables, answers, epoch and secret too."""

    def every_listing(self) -> list[Listing]:
        """Every table, deleted ones included."""
        ...

    def answers(self, table: str) -> list[AnswerRow]:
        """The stored answers to tokens at a table, in the order of its log."""
        ...

    def record_deleted(self, listing: Listing) -> None:
        """Note a deleted table, so that its id is not used again."""
        ...

    def take_identity(self, epoch: str, secret: str) -> None:
        """Take the epoch and the secret of another store, whose records are here now."""
        ...


class Moved(NamedTuple):
    """The contents of a store after everything was moved to it."""

    tables: int
    n: int
    grants: int


def move(source: Movable, target: Movable) -> Moved:
    """Copy everything to an empty store or resume this, and return the amounts.

    Each table is read back from the target, and must have the same log and the same table. A text
    kept in addition to a log stays behind: pages send it again. No server may run on either store.
    Raises `StoreError`.
    """
    listings = source.every_listing()
    if others := {one.id for one in target.every_listing()} - {one.id for one in listings}:
        raise StoreError(Phrase("log.moving.others", table=min(others)))
    n = 0
    for listing in listings:
        if listing.deleted:
            if target.listing(listing.id) is None:
                target.record_deleted(listing)
            continue
        records = source.read(listing.id)
        _append(target, listing.id, records, source.answers(listing.id))
        target.mark(listing.id, "closed", listing.closed)
        target.mark(listing.id, "archived", listing.archived)
        there = target.read(listing.id)
        same = (
            there == records
            and fold(there) == fold(records)
            and target.listing(listing.id) == listing
        )
        if not same or target.answers(listing.id) != source.answers(listing.id):
            raise StoreError(Phrase("log.moving.differs", table=listing.id))
        for key in {*source.pictures(listing.id)} - {*target.pictures(listing.id)}:
            target.put_picture(listing.id, key, source.picture(listing.id, key) or b"")
        n += len(records)
    grants, known = source.grants(), set(target.grants())
    for grant in grants:
        if grant not in known:
            target.grant(grant)
    target.take_identity(source.epoch, source.secret)
    return Moved(sum(not one.deleted for one in listings), n, len(grants))


def _append(
    target: Movable, table: str, records: Sequence[Record], answers: Sequence[AnswerRow]
) -> None:
    """Append a table's missing records.

    Each append has the records that got one answer, or those before the next answer.
    """
    there = target.read(table)
    if there != records[: len(there)]:
        raise StoreError(Phrase("log.moving.differs", table=table))
    after, on_their_way = len(there), []
    ends = {answer.seq: answer for answer in answers}
    cuts = sorted({*ends, *range(MOVE_BATCH, len(records), MOVE_BATCH), len(records)})
    for end in (cut for cut in cuts if cut > after):
        append = Append(table, after, records[after:end])
        if answer := ends.get(end):
            append = replace(
                append,
                seat=answer.seat,
                token=answer.token,
                request_hash=answer.request_hash,
                answer=answer.answer,
            )
        on_their_way.append(target.submit(append))
        after = end
        if len(on_their_way) >= MOVE_BATCH:
            on_their_way.pop(0).result()
    for future in on_their_way:
        future.result()
