"""Everything moves between any two stores, and resumes after an interruption."""

from __future__ import annotations

import json
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from storypool.cli import main
from storypool.engine.events import Record, Said, TableOpened
from storypool.engine.sight import records_of
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.moving import Movable, Moved, move
from storypool.log.shared.postgres import PostgresStore
from storypool.log.store import Answer, Append, Grant, StoreError

LENGTH = 1203


class Stopped(BaseException):
    """The end of a killed process."""


def filled(store: Movable) -> None:
    """Fill a store with long logs, hidden records, answers, grants, marks and a deleted table."""
    for table, length in (("long", LENGTH), ("short", 3), ("gone", 2)):
        store.append(
            Append(
                table, 0, records_of([TableOpened("starwars", f"The {table} one", {})], "", 0, 5)
            )
        )
        futures = []
        for after in range(1, length):
            records = records_of([Said("s1", f"{after} ąé")], "s1", after, 5 + after)
            if after % 7 == 0:
                records = [Record(after + 1, None, "", 5 + after, ("@gm",))]
            token = f"k{after}" if after % 3 else ""
            futures.append(
                store.submit(
                    Append(
                        table,
                        after,
                        records,
                        seat="s1",
                        token=token,
                        request_hash=f"h{after}",
                        answer=str(after),
                    )
                )
            )
        for future in futures:
            future.result()
        store.grant(Grant(f"link {table}", "link", table, side="player", made=3))
        store.grant(Grant("a", "session", table, "s1", note="phone", made=4))
    store.grant(Grant("host", "host", "", side="host", made=1))
    store.revoke(9, hash="link short")
    store.mark("short", "closed", 11)
    store.mark("short", "archived", 12)
    store.delete("gone", 20)


def everything(store: Movable) -> object:
    """All contents of a store, for a comparison."""
    listings = store.every_listing()
    logs = [(one, store.read(one.id), store.answers(one.id)) for one in listings]
    return logs, store.grants(), store.epoch, store.secret


@pytest.mark.slow
def test_move_data_there_and_back(database: str, tmp_path: Path) -> None:
    """A folder, a database and another folder have the same contents."""
    with (
        closing(SqliteStore(tmp_path / "one")) as one,
        closing(PostgresStore(database)) as other,
        closing(SqliteStore(tmp_path / "back")) as back,
    ):
        filled(one)
        assert Moved(2, LENGTH + 3, 5) == move(one, other)
        assert everything(one) == everything(other)
        assert Moved(2, LENGTH + 3, 5) == move(other, back)
        assert everything(one) == everything(back)
        for store in (one, other, back):
            store.check()
        again = Append(
            "long",
            1,
            records_of([Said("s1", "1 ąé")], "s1", 1, 6),
            seat="s1",
            token="k1",
            request_hash="h1",
        )
        assert Answer(2, "h1", "1", repeated=True) == other.append(again) == back.append(again)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["to a database", "to a folder"])
def test_interrupted_move_is_resumed(kind: str, database: str, tmp_path: Path) -> None:
    """Killed anywhere, even before the marks and grants, it ends complete."""
    stores: list[Movable] = [SqliteStore(tmp_path / "data"), PostgresStore(database)]
    source, target = stores if kind == "to a database" else reversed(stores)
    filled(source)
    for n in (1, 40, 700, 1, 1200):
        with pytest.raises(Stopped):
            move(source, Stopping(target, n))
    with pytest.raises(Stopped):
        move(source, Stopping(target, 10**9))
    assert Moved(2, LENGTH + 3, 5) == move(source, target)
    assert everything(source) == everything(target)
    for store in stores:
        store.close()


class Stopping:
    """A store whose process is killed after this many appends, or after its first mark."""

    def __init__(self, store: Movable, left: int) -> None:
        self.store, self.left = store, left
        self.last: Future[Answer] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def submit(self, append: Append) -> Future[Answer]:
        """Queue an append, or end."""
        if not self.left:
            if self.last:
                self.last.result()
            raise Stopped
        self.left -= 1
        self.last = self.store.submit(append)
        return self.last

    def mark(self, *given: object) -> None:
        """End before anything is marked."""
        raise Stopped


def test_place_with_other_tables_is_left_alone(database: str, tmp_path: Path) -> None:
    """Tables from elsewhere, or one that was played meanwhile, are not mixed."""
    with closing(SqliteStore(tmp_path)) as one, closing(PostgresStore(database)) as other:
        filled(one)
        other.append(Append("mine", 0, records_of([TableOpened("dune", "Mine", {})], "", 0, 5)))
        with pytest.raises(StoreError, match="a table mine that does not come from there"):
            move(one, other)
        other.delete("mine", 6)
        with pytest.raises(StoreError, match="a table mine"):
            move(one, other)


@pytest.mark.slow
def test_continued_table_is_named(database: str, tmp_path: Path) -> None:
    """A host who continued in the new place cannot move to it again."""
    with closing(SqliteStore(tmp_path)) as one, closing(PostgresStore(database)) as other:
        filled(one)
        move(one, other)
        other.append(Append("short", 3, records_of([Said("s1", "on and on")], "s1", 3, 99)))
        with pytest.raises(StoreError, match="Table short has come to differ"):
            move(one, other)


@pytest.mark.slow
def test_command_moves_and_reports(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It takes folder and database in either order, and prints no password."""
    with closing(SqliteStore(tmp_path / "data")) as store:
        filled(store)
    url = database.replace("storypool@", "storypool:very-secret@")
    assert 0 == main(["move-data", str(tmp_path / "data"), url, "--json"])
    output = capsys.readouterr().out
    assert {"tables": 2, "n": LENGTH + 3, "grants": 5}.items() <= json.loads(output).items()
    assert "secret" not in output
    assert 0 == main(["move-data", url, str(tmp_path / "back")])
    assert "Each table was read there again" in capsys.readouterr().out
    assert 1 == main(["move-data", url, url])
    assert 2 == main(["move-data", str(tmp_path / "nowhere"), url])
    output = capsys.readouterr().err
    assert "one and the same place" in output
    assert "There are no tables in" in output
