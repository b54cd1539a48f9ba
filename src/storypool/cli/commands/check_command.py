"""`storypool check`: whether a data folder, a backup or an exported log is whole."""

import json
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import apsw
import click

from storypool.cli.data_folder import data_option, folder_of, json_option, refused, with_tables
from storypool.engine.refusal import Refusal, Refused
from storypool.log import logs
from storypool.log.disk import database, sqlite_errors, witness
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.export import BadFile, import_records
from storypool.log.places import Data, DatabaseUrl, database_store
from storypool.log.store import StoreError, StoreLost
from storypool.words.languages import Languages

SQLITE = b"SQLite format 3\0"
"""The first bytes of an SQLite database."""


@click.command()
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--go-on", is_flag=True, help="Give up lost records, and go on with the rest.")
@data_option
@json_option
@click.pass_obj
def check(languages: Languages, file: Path | None, go_on: bool, data: Data, as_json: bool) -> int:
    """Check that nothing is damaged or lost.

    Reads every page and every record: of the data folder, also while the server runs, or of FILE,
    which is a backup or an exported table.
    """
    say = languages.default.program.say
    try:
        if isinstance(data, DatabaseUrl) and not file:
            found = _shared(data, go_on)
        elif file:
            found = _file(file)
        else:
            folder = folder_of(with_tables(data))
            if go_on:
                SqliteStore(folder, without_lost=True).close()
            found = _folder(folder / database.NAME)
    except StoreLost as error:
        if not as_json:
            for table, first, n in error.lost:
                id = "cli.lost.records" if n else "cli.lost.changed"
                if not table:
                    id = "cli.lost.elsewhere"
                click.echo(say(id, table=table, first=first, n=n))
            raise refused(error) from None
        click.echo(json.dumps({"lost": [one._asdict() for one in error.lost]}))
        return 1
    except StoreError as error:
        raise refused(error) from None
    except BadFile as error:
        raise Refused(Refusal.of("argument", error, "file")) from None
    if as_json:
        click.echo(json.dumps({"lost": [], **found}))
        return 0
    click.echo(say("cli.whole", path=file or data, **found))
    if found.get("form", 0) < found.get("current", 0):
        click.echo(say("cli.whole.older.file" if file else "cli.whole.older", **found))
    return 0


def _shared(url: DatabaseUrl, go_on: bool) -> dict[str, Any]:
    """Check a PostgreSQL database and count its records; `StoreError` if it is not whole.

    To go on after a restored backup, or a standby that lacked records, starts a new epoch: numbers
    may now belong to other records.
    """
    with closing(database_store(url, makes=False)) as store:
        if go_on:
            store.begin_epoch()
        return store.check()._asdict()


def _folder(path: Path) -> dict[str, Any]:
    """Check a database against its witness, and count its records; may raise `StoreError`."""
    # Read the witness first, since a running server writes it last.
    with sqlite_errors.as_store_errors(path, reads=True):
        seen = witness.read_witness(path.with_name(witness.NAME)) or witness.WitnessedCommits()
    with database.reading(path) as db, ExitStack() as opened:
        found = _counted(db, path)
        logs.compare_with_witness(database.in_current_form(db, path, opened), path, seen)
        return found


def _file(path: Path) -> dict[str, Any]:
    """Check a backup or an exported table, and count its records.

    `StoreError` or `BadFile` if it is not whole.
    """
    with path.open("rb") as file:
        if file.read(len(SQLITE)) != SQLITE:
            file.seek(0)
            return {"tables": 1, "n": len(import_records(file))}
    with database.reading_backup(path) as db:
        return _counted(db, path)


def _counted(db: apsw.Connection, path: Path) -> dict[str, Any]:
    """Check a database of any known format, and count its records."""
    database.refuse_newer(db, path)
    database.check(db, path)
    tables = db.execute("SELECT count(*) FROM tables WHERE NOT deleted").get
    n, form = db.execute("SELECT count(*) FROM events").get, db.pragma("user_version")
    return {"tables": tables, "n": n, "form": form, "current": len(database.MIGRATIONS)}
