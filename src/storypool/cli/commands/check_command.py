"""`storypool check`: whether a data folder, a backup or an exported log is whole."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import click

from storypool.cli.data_folder import data_option, folder_of, json_option, refused
from storypool.engine.refusal import Refusal, Refused
from storypool.log import logs
from storypool.log.disk import database, witness
from storypool.log.disk.reading import ReadingStore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.export import BadFile, import_records
from storypool.log.places import Data, DatabaseUrl, database_store
from storypool.log.store import StoreError, StoreFull, StoreLost, StoreReadOnly
from storypool.words.languages import Languages

SQLITE = b"SQLite format 3\0"
"""How each file of a database begins."""


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--go-on", is_flag=True, help="Give up what is lost, and go on with what is there.")
@data_option
@json_option
@click.pass_obj
def check(speaks: Languages, file: Path | None, go_on: bool, data: Data, as_json: bool) -> int:
    """Check that nothing is damaged or lost.

    Reads every page and every record: of the data folder, also while the server runs, or of FILE, which is a
    backup or an exported table.
    """
    say = speaks.default.program.say
    try:
        if isinstance(data, DatabaseUrl) and not file:
            found = _shared(data, go_on)
        else:
            folder = folder_of(data)
            if go_on:
                SqliteStore(folder, without_lost=True).close()
            found = _file(file) if file else _folder(folder / database.NAME)
    except StoreLost as error:
        if not as_json:
            for table, first, n in error.lost:
                id = "cli.lost.elsewhere" if not table else "cli.lost.records" if n else "cli.lost.changed"
                click.echo(say(id, table=table, first=first, n=n))
            raise refused(error) from None
        click.echo(json.dumps({"lost": [one._asdict() for one in error.lost]}))
        return 1
    except StoreError as error:
        raise refused(error) from None
    except BadFile as error:
        raise Refused(Refusal.of("argument", error, "file")) from None
    click.echo(json.dumps({"lost": [], **found}) if as_json else say("cli.whole", path=file or data, **found))
    return 0


def _shared(url: DatabaseUrl, go_on: bool) -> dict[str, Any]:
    """Check a PostgreSQL database, and count what it has; `StoreError` if it is not whole.

    To go on after a restored backup, or a standby that lacked something, takes a new epoch: numbers may now stand
    for other records.
    """
    with closing(database_store(url)) as store:
        if go_on:
            store.begin_epoch()
        return store.check()._asdict()


def _folder(path: Path) -> dict[str, Any]:
    """Check a database against its witness, and count what it has; `StoreError` if it is not whole."""
    # The witness is read first, since a running server writes it last.
    seen = witness.read_witness(path.with_name(witness.NAME)) or witness.WitnessedCommits()
    try:
        return _database(path, apsw.SQLITE_OPEN_READWRITE, lambda db: logs.compare_with_witness(db, path, seen))
    except (StoreFull, StoreReadOnly) as error:
        with closing(ReadingStore(path.parent, error)) as store:
            store.check()
            tables = store.listings()
            return {"tables": len(tables), "n": sum(len(store.read(table.id)) for table in tables)}


def _file(path: Path) -> dict[str, Any]:
    """Check a backup or an exported table, and count what it has; `StoreError` or `BadFile` if it is not whole."""
    with path.open("rb") as file:
        if file.read(len(SQLITE)) == SQLITE:
            return _database(path, apsw.SQLITE_OPEN_READONLY)
        file.seek(0)
        return {"tables": 1, "n": len(import_records(file))}


def _database(
    path: Path, flags: int, also: Callable[[apsw.Connection], object] = lambda _: None
) -> dict[str, Any]:
    if not path.exists():
        raise database.none_there(path)
    with database.as_store_errors(path), closing(database.connect(path, flags)) as db:
        also(db)
        database.check(db, path)
        tables = db.execute("SELECT count(*) FROM tables WHERE NOT deleted").get
        return {"tables": tables, "n": db.execute("SELECT count(*) FROM events").get}
