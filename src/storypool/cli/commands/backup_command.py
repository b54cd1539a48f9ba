"""`storypool backup` and `storypool restore`: the whole data folder as one file, and back."""

import json
from pathlib import Path

import click

from storypool.cli.data_folder import data_option, folder_of, json_option, refused, with_tables
from storypool.log.disk import database
from storypool.log.places import Data
from storypool.log.store import StoreError
from storypool.words.languages import Languages


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
@json_option
@click.pass_obj
def backup(languages: Languages, file: Path, data: Data, as_json: bool) -> int:
    """Write a copy of all tables into FILE.

    Also while the server runs.
    """
    folder = folder_of(with_tables(data))
    try:
        database.backup(folder / database.NAME, file)
    except StoreError as error:
        raise refused(error) from None
    text = languages.default.program.say("cli.backup", file=file)
    click.echo(json.dumps({"file": str(file)}) if as_json else text)
    return 0


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
@json_option
@click.pass_obj
def restore(languages: Languages, file: Path, data: Data, as_json: bool) -> int:
    """Put a backup in place of all tables.

    The old data is kept next to it. The server must not run.
    """
    folder = folder_of(data)
    try:
        kept = database.restore(file, folder)
    except StoreError as error:
        raise refused(error) from None
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "kept": str(kept) if kept else None}))
    elif kept:
        click.echo(
            languages.default.program.say("cli.restored.kept", file=file, folder=folder, kept=kept)
        )
    else:
        click.echo(languages.default.program.say("cli.restored", file=file, folder=folder))
    return 0
