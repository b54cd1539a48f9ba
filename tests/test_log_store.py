"""What every store promises, asked of each of them: on disk, in memory, and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from storypool.engine.events import Event, OptionsSet, PointsSet, Record, Said, TableOpened
from storypool.engine.sight import records_of
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
    """Events as an append to a table, with an answer that names the token."""
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


def test_records_come_back_as_they_were(store: Store) -> None:
    """What was appended is read back whole and in order, the hidden and the secret too, and in
    parts by number.
    """
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
def test_an_append_has_to_follow_the_last_record(store: Store, after: int) -> None:
    """Records that were decided on another state than the newest are refused whole, and nothing of
    them is kept.
    """
    store.append(append([OPENED, Said("s1", "x")]))
    with pytest.raises(
        Conflict, match=f"at record 2, and this was decided at {after}.*repeat the move"
    ):
        store.append(append([OPENED, Said("s1", "y")], after, token="a"))
    assert 2 == len(store.read("t"))
    assert store.answered("t", "s1", "a") is None


def test_an_append_without_numbers_in_order_is_a_mistake() -> None:
    """Nothing to append, or a gap in the numbers, is refused where it is made."""
    with pytest.raises(ValueError, match="at least one record"):
        Append("t", 0, [])
    with pytest.raises(ValueError, match="numbered from 5"):
        Append("t", 4, records_of([OPENED], "", 5, 0))


def test_one_of_many_wins(store: Store) -> None:
    """Of appends that many threads decided on the same state exactly one is kept."""
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


def test_what_is_submitted_together_is_kept_in_order(store: Store) -> None:
    """Appends decided on ones that are still on their way are kept in the order in which they were
    submitted.
    """
    futures = [
        store.submit(append([OPENED if n == 0 else Said("s1", str(n))], after=n)) for n in range(60)
    ]
    assert list(range(1, 61)) == [future.result().seq for future in futures]
    assert list(range(1, 61)) == [record.seq for record in store.read("t")]


def test_what_was_decided_on_a_refused_append_is_refused(store: Store) -> None:
    """An append that was decided on one that fails fails with it, and the other tables of the batch
    go on.
    """
    store.append(append())
    lost = store.submit(append([Said("s1", "lost")], after=5))
    child = store.submit(append([Said("s1", "child of it")], after=6))
    other = store.submit(append(table="u"))
    for refused in (lost, child):
        assert isinstance(refused.exception(), Conflict)
    assert 1 == other.result().seq
    assert 1 == len(store.read("t"))


def test_a_log_that_grows_meanwhile_is_whole(store: Store) -> None:
    """It is verified as it was at one moment."""
    futures = [
        store.submit(append([OPENED if n == 0 else Said("s1", str(n))], after=n))
        for n in range(300)
    ]
    futures[0].result()
    while not futures[-1].done():
        store.verify("t")
    store.verify("t")


def test_a_token_answers_as_the_first_time(store: Store) -> None:
    """A command repeated with its token is answered from the record and adds nothing, whatever
    happened since.
    """
    store.append(append())
    again = append([Said("s1", "x")], after=1, token="a")
    assert Answer(2, "h", "answer to a") == store.append(again)
    store.append(append([Said("s1", "y")], after=2))
    assert Answer(2, "h", "answer to a", repeated=True) == store.append(again)
    assert Answer(2, "h", "answer to a") == store.answered("t", "s1", "a")
    assert 3 == len(store.read("t"))


def test_a_token_belongs_to_one_command_of_one_seat(store: Store) -> None:
    """With other contents a token is refused; another seat or another table may use the same
    one.
    """
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


def test_a_token_submitted_twice_at_once_is_kept_once(store: Store) -> None:
    """A command that arrives twice before the first is stored is stored once and answered twice."""
    futures = [store.submit(append(token="a")) for _ in range(2)]
    assert [False, True] == [future.result().repeated for future in futures]
    assert 1 == len(store.read("t"))


def test_an_event_that_cannot_be_stored_is_refused_at_once(store: Store) -> None:
    """An event that would not come back the same is refused before it joins the line."""
    with pytest.raises(StoreError, match="balance: a whole number"):
        store.submit(append([OPENED, PointsSet("light", "", 0.5, 1, "")]))  # type: ignore[arg-type]
    assert [] == store.read("t")


def test_a_table_is_listed_as_its_log_says(store: Store) -> None:
    """The game, the newest title and the first and last time of a listing follow the log by
    themselves.
    """
    store.append(append(at=5))
    store.append(append([OptionsSet({}, "The Longer Haul"), Said("s1", "x")], after=1, at=8))
    store.append(append(table="u", at=9))
    assert Listing("t", "starwars", "The Longer Haul", created=5, changed=8) == store.listing("t")
    assert ["u", "t"] == [listing.id for listing in store.listings()]
    assert store.listing("v") is None


def test_tables_are_closed_archived_and_taken_back(store: Store) -> None:
    """A mark and its time are kept, and taken away again, and the log stays."""
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


def test_a_deleted_table_is_gone_and_stays_gone(store: Store) -> None:
    """Deleting erases the log, the answers and the grants of one table; its id can never begin
    another.
    """
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


def test_a_table_that_never_began_takes_no_records(store: Store) -> None:
    """Only record 1 begins a table."""
    with pytest.raises(NoTable):
        store.append(append([Said("s1", "x")], after=1))
    assert [] == store.listings()


def test_grants_are_found_by_hash_table_and_seat(store: Store) -> None:
    """A session holds many seats under one hash, and a seat is held by many devices; each can be
    looked up.
    """
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


def test_a_text_is_kept_beside_a_log(store: Store) -> None:
    """The last text that was kept is there, it goes with its table, and none is kept without a
    table.
    """
    store.append(append())
    for text in ("one", "two"):
        store.keep("t", text)
    store.keep("u", "three")
    store.append(append([Said("s1", "x")], after=1))
    assert ("two", "") == (store.kept("t"), store.kept("u"))
    store.delete("t", 20)
    assert "" == store.kept("t")


def test_a_revoked_grant_stays_on_record(store: Store) -> None:
    """Revoking marks exactly what was named, once, and says how many; a new grant for the same
    holds again.
    """
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


def test_a_revoked_grant_is_forgotten_when_all_have_heard_of_it(store: Store) -> None:
    """What was revoked a minute before another grant of the same table is gone; what holds stays,
    however old.
    """
    for hash, table in (("a", "t"), ("b", "t"), ("c", "t"), ("d", "u")):
        store.grant(Grant(hash, "link", table, made=1))
    for hash, at in (("a", 10), ("b", 11), ("d", 10)):
        store.revoke(at, hash=hash)
    store.grant(Grant("e", "link", "t", made=REVOKED_KEPT_MS + 11))
    assert {"b": 11, "c": 0, "d": 10, "e": 0} == {
        grant.hash: grant.revoked for grant in store.grants()
    }
    assert 1 == store.revoke(99_999, table="t", hash="c")


def test_the_epoch_names_this_life_of_the_store(store: Store) -> None:
    """A store has an epoch that followers can compare."""
    assert store.epoch
