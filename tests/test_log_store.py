"""The promises of every store, checked on disk, in memory and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from storypool.engine.events import (
    Event,
    OptionsSet,
    PaperRemoved,
    PaperSet,
    PointsSet,
    Record,
    Said,
    TableOpened,
)
from storypool.engine.sight import records_of
from storypool.engine.table import Paper
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.shared.postgres import PostgresStore
from storypool.log.store import (
    REVOKED_KEPT_MS,
    Answer,
    Append,
    Conflict,
    Grant,
    Listing,
    NoTable,
    Store,
    StoreError,
    TokenReused,
)

OPENED = TableOpened("starwars", "The Long Haul", {})


@pytest.fixture(params=["sqlite", "memory", pytest.param("postgres", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each kind."""
    store: Store
    match request.param:
        case "sqlite":
            store = SqliteStore(tmp_path)
        case "memory":
            store = MemoryStore()
        case _:
            store = PostgresStore(request.getfixturevalue("database"))
    yield store
    store.close()


def append(
    events: list[Event] | None = None,
    after: int = 0,
    at: int = 7,
    table: str = "t",
    token: str = "",
    hash: str = "h",
) -> Append:
    """An append of events to a table, with an answer that names the token."""
    records = records_of(events or [OPENED], "s1", after, at)
    return Append(
        table,
        after,
        records,
        seat="s1",
        token=token,
        request_hash=hash,
        answer=f"answer to {token}",
    )


def test_records_are_read_as_written(store: Store) -> None:
    """Records are whole and in order, also hidden and secret ones, and in parts by number."""
    first = append([OPENED, PointsSet("light", "", 2, 2, "rolled", seen_by=("@gm",))])
    hidden = Append("t", 2, [Record(3, None, "", 9)])
    assert Answer(2, "", "") == store.append(replace(first, token="", request_hash="", answer=""))
    assert 3 == store.append(hidden).seq
    whole = [*first.records, *hidden.records]
    assert whole == store.read("t")
    assert ("@gm",) == store.read("t")[1].seen_by
    assert whole[1:] == store.read("t", after=1)
    assert whole[1:2] == store.read("t", after=1, upto=2)
    assert [] == store.read("t", after=3) == store.read("other")


@pytest.mark.parametrize("after", [0, 1, 3])
def test_append_follows_the_last_record(store: Store, after: int) -> None:
    """Records decided on an outdated state are refused as a whole."""
    store.append(append([OPENED, Said("s1", "x")]))
    with pytest.raises(
        Conflict, match=f"at record 2, and this was decided at {after}.*repeat the move"
    ):
        store.append(append([OPENED, Said("s1", "y")], after, token="a"))
    assert 2 == len(store.read("t"))
    assert store.answered("t", "s1", "a") is None


def test_append_needs_ordered_numbers() -> None:
    """An empty append or a gap in its numbers is refused at once."""
    with pytest.raises(ValueError, match="at least one record"):
        Append("t", 0, [])
    with pytest.raises(ValueError, match="numbered from 5"):
        Append("t", 4, records_of([OPENED], "", 5, 0))


def test_one_of_many_wins(store: Store) -> None:
    """Of threads' appends on one state exactly one is kept."""
    store.append(append())

    def attempt(n: int) -> bool:
        try:
            store.append(append([Said("s1", str(n))], after=1))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert 1 == sum(threads.map(attempt, range(40)))
    assert 2 == len(store.read("t"))


def test_pending_appends_keep_their_order(store: Store) -> None:
    """Appends on pending ones are kept in the order of submission."""
    futures = [
        store.submit(append([OPENED if n == 0 else Said("s1", str(n))], after=n)) for n in range(60)
    ]
    assert list(range(1, 61)) == [future.result().seq for future in futures]
    assert list(range(1, 61)) == [record.seq for record in store.read("t")]


def test_append_on_a_refused_one_is_refused(store: Store) -> None:
    """It fails with its predecessor, and the batch's other tables continue."""
    store.append(append())
    lost = store.submit(append([Said("s1", "lost")], after=5))
    child = store.submit(append([Said("s1", "child of it")], after=6))
    other = store.submit(append(table="u"))
    for refused in (lost, child):
        assert isinstance(refused.exception(), Conflict)
    assert 1 == other.result().seq
    assert 1 == len(store.read("t"))


def test_growing_log_is_verified_whole(store: Store) -> None:
    """It is verified as of one moment."""
    futures = [
        store.submit(append([OPENED if n == 0 else Said("s1", str(n))], after=n))
        for n in range(300)
    ]
    futures[0].result()
    while not futures[-1].done():
        store.verify("t")
    store.verify("t")


def test_token_repeats_the_first_answer(store: Store) -> None:
    """A repeated command is answered from its record and adds nothing."""
    store.append(append())
    again = append([Said("s1", "x")], after=1, token="a")
    assert Answer(2, "h", "answer to a") == store.append(again)
    store.append(append([Said("s1", "y")], after=2))
    assert Answer(2, "h", "answer to a", repeated=True) == store.append(again)
    assert Answer(2, "h", "answer to a") == store.answered("t", "s1", "a")
    assert 3 == len(store.read("t"))


def test_token_belongs_to_one_command(store: Store) -> None:
    """Other contents are refused; another seat or table may use the same token."""
    store.append(append(token="a"))
    with pytest.raises(TokenReused, match="make a new token"):
        store.append(append([Said("s1", "x")], after=1, token="a", hash="other"))
    assert 1 == len(store.read("t"))
    store.append(replace(append([Said("s2", "x")], after=1, token="a", hash="other"), seat="s2"))
    store.append(append(table="u", token="a", hash="other"))
    assert ["h", "other", "other"] == [
        known.request_hash
        for known in (
            store.answered("t", "s1", "a"),
            store.answered("t", "s2", "a"),
            store.answered("u", "s1", "a"),
        )
        if known
    ]


def test_simultaneous_token_is_kept_once(store: Store) -> None:
    """A command that arrives twice is stored once and answered twice."""
    futures = [store.submit(append(token="a")) for _ in range(2)]
    assert [False, True] == [future.result().repeated for future in futures]
    assert 1 == len(store.read("t"))


def test_unstorable_event_is_refused_at_once(store: Store) -> None:
    """An event that would change in storage is refused before it is queued."""
    with pytest.raises(StoreError, match="balance: a whole number"):
        store.submit(append([OPENED, PointsSet("light", "", 0.5, 1, "")]))  # type: ignore[arg-type]
    assert [] == store.read("t")


def test_table_listing_follows_its_log(store: Store) -> None:
    """Its game, newest title, and first and last time follow the log automatically."""
    store.append(append(at=5))
    store.append(append([OptionsSet({}, "The Longer Haul"), Said("s1", "x")], after=1, at=8))
    store.append(append(table="u", at=9))
    assert Listing("t", "starwars", "The Longer Haul", created=5, changed=8) == store.listing("t")
    assert ["u", "t"] == [listing.id for listing in store.listings()]
    assert store.listing("v") is None


def test_tables_are_closed_and_reopened(store: Store) -> None:
    """A mark and its time are kept and removed, and the log stays."""
    store.append(append())
    store.mark("t", "closed", 11)
    store.mark("t", "archived", 12)
    assert [(11, 12)] == [(one.closed, one.archived) for one in store.listings()]
    store.mark("t", "closed", 0)
    assert [(0, 12)] == [(one.closed, one.archived) for one in store.listings()]
    store.append(append([Said("s1", "x")], after=1))
    assert [(0, 12)] == [(one.closed, one.archived) for one in store.listings()]
    assert 2 == len(store.read("t"))
    with pytest.raises(NoTable, match="no table u here"):
        store.mark("u", "closed", 1)


def test_deleted_table_stays_deleted(store: Store) -> None:
    """Its log, answers and grants go, and its id can never be used again."""
    store.append(append(token="a"))
    store.append(append(table="u", token="a"))
    for table in "tu":
        store.grant(Grant("h1", "link", table, side="player"))
    store.delete("t", 20)
    assert ([], []) == (store.read("t"), store.grants(table="t"))
    assert store.answered("t", "s1", "a") is None
    assert Listing("t", "starwars", "", 7, 7, deleted=20) == store.listing("t")
    assert ["u"] == [one.id for one in store.listings()]
    assert (1, 1) == (len(store.read("u")), len(store.grants(table="u")))
    for again in (append(), append([Said("s1", "x")], after=1)):
        with pytest.raises(NoTable, match="deleted, or never existed"):
            store.append(again)
    with pytest.raises(NoTable):
        store.mark("t", "closed", 21)
    with pytest.raises(NoTable):
        store.delete("t", 21)


def test_table_needs_a_first_record(store: Store) -> None:
    """Only record 1 begins a table."""
    with pytest.raises(NoTable):
        store.append(append([Said("s1", "x")], after=1))
    assert [] == store.listings()


def test_grants_are_found_by_hash_table_and_seat(store: Store) -> None:
    """A session's hash has many seats, a seat many devices; each can be found."""
    link = Grant("l", "link", "t", side="player", note="for Ann", made=1)
    mine, other = Grant("a", "session", "t", "s1", made=2), Grant("a", "session", "u", "s9", made=3)
    phone = Grant("b", "session", "t", "s1", made=4)
    for grant in (link, mine, other, phone):
        store.grant(grant)
    assert [link] == store.grants(hash="l")
    assert [mine, other] == store.grants(hash="a")
    assert [link, mine, phone] == store.grants(table="t")
    assert [mine, phone] == store.grants(table="t", seat="s1")
    assert [mine] == store.grants(hash="a", table="t", seat="s1")
    assert [] == store.grants(hash="nobody")
    assert 4 == len(store.grants())
    store.grant(replace(mine, note="laptop"))
    assert ["", "laptop"] == [grant.note for grant in store.grants(hash="a")]


def test_text_is_kept_with_a_log(store: Store) -> None:
    """The last text is there, goes with its table, and needs one."""
    store.append(append())
    for text in ("one", "two"):
        store.keep("t", text)
    store.keep("u", "three")
    store.append(append([Said("s1", "x")], after=1))
    assert ("two", "") == (store.kept("t"), store.kept("u"))
    store.delete("t", 20)
    assert "" == store.kept("t")


def test_pictures_belong_to_their_table(store: Store) -> None:
    """A picture is read as written, is never replaced, and goes with its table."""
    for table in "tu":
        store.append(append(table=table))
        store.put_picture(table, "a1", table.encode() * 300_000)
    store.put_picture("t", "a1", b"other")
    store.put_picture("t", "b2", b"\xff\0")
    assert {"a1": 300_000, "b2": 2} == store.pictures("t")
    assert (b"t" * 300_000, b"\xff\0") == (store.picture("t", "a1"), store.picture("t", "b2"))
    assert store.picture("u", "b2") is None
    store.delete("t", 20)
    assert ({}, None) == (store.pictures("t"), store.picture("t", "a1"))
    assert b"u" * 300_000 == store.picture("u", "a1")
    for gone in "tx":
        with pytest.raises(NoTable):
            store.put_picture(gone, "c3", b"x")


def test_unnamed_pictures_are_dropped(store: Store) -> None:
    """Old ones that no record names go, of their table alone; a hidden and undone one stays."""
    named, old, new = (f"{n:032x}" for n in (1, 2, 9))
    for table in "tu":
        store.append(append(table=table))
        for key in (named, old, new):
            store.put_picture(table, key, b"x")
    paper = Paper("pa1", by="gm", picture=named, seen_by=("@gm",))
    store.append(append([PaperSet(paper), PaperRemoved("pa1")], after=1))
    store.drop_pictures("t", f"{5:032x}")
    store.drop_pictures("t", f"{5:032x}")
    assert {named, new} == {*store.pictures("t")}
    assert {named, old, new} == {*store.pictures("u")}


def test_revoked_grant_stays_on_record(store: Store) -> None:
    """Revoking marks named grants once and counts them; a new grant is valid again."""
    link = Grant("l", "link", "t", side="gm", made=1)
    seats = [Grant(hash, "session", "t", "s1", made=1) for hash in "ab"]
    for grant in (link, *seats):
        store.grant(grant)
    assert 2 == store.revoke(50, table="t", seat="s1")
    assert 0 == store.revoke(60, table="t", seat="s1")
    assert {"l": 0, "a": 50, "b": 50} == {grant.hash: grant.revoked for grant in store.grants()}
    store.grant(seats[0])
    assert [0] == [grant.revoked for grant in store.grants(hash="a")]
    assert 2 == store.revoke(70, table="t")
    with pytest.raises(ValueError, match="Say which"):
        store.revoke(80)


def test_old_revoked_grant_is_forgotten(store: Store) -> None:
    """A grant revoked a minute before another of its table is gone; valid ones stay."""
    for hash, table in (("a", "t"), ("b", "t"), ("c", "t"), ("d", "u")):
        store.grant(Grant(hash, "link", table, made=1))
    for hash, at in (("a", 10), ("b", 11), ("d", 10)):
        store.revoke(at, hash=hash)
    store.grant(Grant("e", "link", "t", made=REVOKED_KEPT_MS + 11))
    assert {"b": 11, "c": 0, "d": 10, "e": 0} == {
        grant.hash: grant.revoked for grant in store.grants()
    }
    assert 1 == store.revoke(99_999, table="t", hash="c")


def test_epoch_identifies_a_store_life(store: Store) -> None:
    """Followers can compare a store's epoch."""
    assert store.epoch
