"""A store that forgets everything when the program ends, for tests, examples, throwaway tables."""

import os
from concurrent.futures import Future
from dataclasses import replace
from threading import RLock

from storypool.engine.events import Record
from storypool.log import store as s
from storypool.log.codec import EventRow, from_row, to_row
from storypool.words import BadValue


class MemoryStore:
    """A `Store` in memory. Events go through the codec, which refuses what cannot be stored."""

    epoch = "memory"

    def __init__(self) -> None:
        self.secret = os.urandom(32).hex()
        self._listings: dict[str, s.Listing] = {}
        self._rows: dict[str, list[EventRow]] = {}
        self._answers: dict[tuple[str, str, str], s.Answer] = {}
        self._grants: dict[tuple[str, str, str], s.Grant] = {}
        self._kept: dict[str, str] = {}
        self._pictures: dict[tuple[str, str], bytes] = {}
        self._lock = RLock()

    def submit(self, append: s.Append) -> Future[s.Answer]:
        rows = [to_row(record) for record in append.records]
        future: Future[s.Answer] = Future()
        try:
            future.set_result(self._append(append, rows))
        except s.StoreError as error:
            future.set_exception(error)
        return future

    def append(self, append: s.Append) -> s.Answer:
        return self.submit(append).result()

    def _append(self, append: s.Append, rows: list[EventRow]) -> s.Answer:
        with self._lock:
            if append.token and (known := self.answered(append.table, append.seat, append.token)):
                return s.same_command(append, known)
            listing = self._listings.get(append.table)
            if listing is None and not append.after:
                listing = s.Listing(append.table)
            elif listing is None or listing.deleted:
                raise s.no_table(append.table)
            log = self._rows.setdefault(append.table, [])
            if len(log) != append.after:
                raise s.conflict(append, len(log))
            log += rows
            self._listings[append.table] = listing.after(append.records)
            answer = s.Answer(len(log), append.request_hash, append.answer)
            if append.token:
                self._answers[append.table, append.seat, append.token] = answer
            return answer

    def answered(self, table: str, seat: str, token: str) -> s.Answer | None:
        return self._answers.get((table, seat, token))

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        with self._lock:
            rows = self._rows.get(table, [])[after:upto]
        return [from_row(*row) for row in rows]

    def verify(self, table: str) -> None:
        pass

    def listing(self, table: str) -> s.Listing | None:
        return self._listings.get(table)

    def listings(self) -> list[s.Listing]:
        with self._lock:
            kept = [one for one in self._listings.values() if not one.deleted]
        return sorted(kept, key=lambda one: (-one.changed, one.id))

    def mark(self, table: str, mark: s.Mark, at: int) -> None:
        with self._lock:
            listing = self._here(table)
            self._listings[table] = (
                replace(listing, closed=at) if mark == "closed" else replace(listing, archived=at)
            )

    def delete(self, table: str, at: int) -> None:
        with self._lock:
            self._listings[table] = replace(self._here(table), title="", deleted=at)
            self._rows.pop(table, None)
            self._kept.pop(table, None)
            self._answers = {key: one for key, one in self._answers.items() if key[0] != table}
            self._grants = {key: one for key, one in self._grants.items() if one.table != table}
            self._pictures = {at: one for at, one in self._pictures.items() if at[0] != table}

    def keep(self, table: str, text: str) -> None:
        with self._lock:
            if (listing := self._listings.get(table)) and not listing.deleted:
                self._kept[table] = text

    def kept(self, table: str) -> str:
        return self._kept.get(table, "")

    def put_picture(self, table: str, key: str, picture: bytes) -> None:
        with self._lock:
            self._here(table)
            self._pictures.setdefault((table, key), picture)

    def drop_pictures(self, table: str, before: str) -> None:
        with self._lock:
            old = [key for key in self.pictures(table) if key < before]
            for key in s.unnamed(old, (row.data for row in self._rows.get(table, []))):
                del self._pictures[table, key]

    def picture(self, table: str, key: str) -> bytes | None:
        return self._pictures.get((table, key))

    def pictures(self, table: str) -> dict[str, int]:
        with self._lock:
            return {key: len(one) for (at, key), one in self._pictures.items() if at == table}

    def grant(self, grant: s.Grant) -> None:
        with self._lock:
            key = (grant.hash, grant.table, grant.seat)
            before = grant.made - s.REVOKED_KEPT_MS
            forgotten = [
                at
                for at, one in self._grants.items()
                if at[1] == grant.table and 0 < one.revoked < before
            ]
            for at in (key, *forgotten):
                self._grants.pop(at, None)
            self._grants[key] = grant

    def grants(
        self, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> list[s.Grant]:
        with self._lock:
            return [
                one
                for one in self._grants.values()
                if hash in (None, one.hash)
                and table in (None, one.table)
                and seat in (None, one.seat)
            ]

    def revoke(
        self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        if hash is table is seat is None:
            raise BadValue("Say which grants to revoke: by hash, table or seat.")
        with self._lock:
            held = [
                one for one in self.grants(hash=hash, table=table, seat=seat) if not one.revoked
            ]
            for one in held:
                self._grants[one.hash, one.table, one.seat] = replace(one, revoked=at)
            return len(held)

    def close(self) -> None:
        pass

    def _here(self, table: str) -> s.Listing:
        listing = self._listings.get(table)
        if listing is None or listing.deleted:
            raise s.no_table(table)
        return listing
