"""`storypool move-data`: everything in a data folder or a database, moved to another."""

import json
from contextlib import ExitStack, closing
from pathlib import Path

import click

from storypool.cli.data_folder import DataType, json_option, refused, with_tables
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.moving import Movable, move
from storypool.log.places import Data, database_store
from storypool.log.store import StoreError
from storypool.words import Phrase
from storypool.words.languages import Languages


@click.command("move-data")
@click.argument("source", metavar="FROM", type=DataType())
@click.argument("target", metavar="TO", type=DataType())
@json_option
@click.pass_obj
def move_data(languages: Languages, source: Data, target: Data, as_json: bool) -> int:
    """Move everything from FROM to TO, which are data folders or PostgreSQL databases.

    No server may run on either. After an interruption, run it again to continue.
    """
    try:
        if source == target:
            raise StoreError(Phrase("log.moving.same"))
        with_tables(source)
        with ExitStack() as opened:
            stores = (_store(source, makes=False), _store(target))
            moved = move(*(opened.enter_context(closing(one)) for one in stores))
    except StoreError as error:
        raise refused(error) from None
    result = {"source": str(source), "target": str(target), **moved._asdict()}
    click.echo(
        json.dumps(result) if as_json else languages.default.program.say("cli.moved", **result)
    )
    return 0


def _store(data: Data, makes: bool = True) -> Movable:
    return SqliteStore(data) if isinstance(data, Path) else database_store(data, makes)
