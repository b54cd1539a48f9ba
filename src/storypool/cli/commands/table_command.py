"""`storypool table ...`: open, list, join, play at, follow, export and import tables."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from storypool.cli.data_folder import (
    address_of,
    data_option,
    folder_of,
    json_option,
    refused,
    with_tables,
)
from storypool.cli.game_argument import GAME
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused
from storypool.log.places import Data, DatabaseUrl, database_store
from storypool.log.store import Store, StoreBusy, StoreError
from storypool.odds.question import pairs_of, terms_of
from storypool.words import NotInstalled
from storypool.words.languages import Languages

if TYPE_CHECKING:
    from storypool.cli.table_client import TableClient
    from storypool.client import ClientSeat
    from storypool.engine.game.system import System

seat_option = click.option(
    "--seat", default="", help="The seat to act for.  [default: the first game master's]"
)


class TableUse(Enum):
    """How a command uses tables, in the order of the rights that it needs."""

    READ = "read"
    CHANGE = "change"
    MAKE = "make"


@contextmanager
def open_tables(data: Data, languages: Languages, use: TableUse) -> Iterator[TableClient]:
    """The tables of a data folder, through the server that runs on it, or else in this process.

    Reading writes no file, and no lock; only making tables makes a folder for them. The tables of a
    database are open to any process.
    """
    from storypool.log.disk.reading import ReadingStore
    from storypool.log.disk.sqlite import SqliteStore

    if use is not TableUse.MAKE:
        with_tables(data)
    try:
        try:
            from storypool.cli.stored_tables import StoredTables

            store: Store
            if isinstance(data, DatabaseUrl):
                store = database_store(data, makes=use is TableUse.MAKE)
            else:
                store = ReadingStore(data) if use is TableUse.READ else SqliteStore(data)
            tables: TableClient = StoredTables(store, languages)
        except StoreBusy as busy:
            from storypool.cli.served_tables import ServedTables

            tables = ServedTables(address_of(busy), folder_of(data), languages.default)
        try:
            yield tables
        finally:
            tables.close()
    except StoreError as error:
        raise refused(error) from None


@click.group()
def table() -> None:
    """Make tables and play at them, with or without a server running on the data folder."""


@table.command()
@click.argument("system", type=GAME)
@click.argument("options", nargs=-1)
@click.option("--title", default="", help="The title of the table.")
@click.option("--name", default="", help="The name of its game master, or of its first player.")
@data_option
@json_option
@click.pass_obj
def new(
    languages: Languages,
    system: str,
    options: tuple[str, ...],
    title: str,
    name: str,
    data: Data,
    as_json: bool,
) -> int:
    """Open a table of SYSTEM.

    House rules are given as option=value. Prints a link for each side.
    """
    words, chosen = terms_of(options)
    if words:
        raise denied("argument", "option", "options", words=words)
    with open_tables(data, languages, TableUse.MAKE) as tables:
        _print_links(tables.open(system, title, chosen, name), tables.address, as_json, languages)
    return 0


def _print_links(opened: dict[str, Any], address: str, as_json: bool, languages: Languages) -> None:
    if as_json:
        _print(opened)
        return
    click.echo(languages.default.program.say("cli.made", id=opened["table"]))
    for side, link in opened["links"].items():
        click.echo(f"  {side:9} {link}")
    if not address:
        click.echo(languages.default.program["cli.made.alone"])


@table.command()
@click.argument("link", default="")
@click.option(
    "--name", prompt="Your name", help="Your name at the table, or the name of your former seat."
)
@click.pass_obj
def sit(languages: Languages, link: str, name: str) -> int:
    """Take a seat with a LINK, and play.

    At a table of any server. Commands: show, offers [MOVE], make [MOVE] [key=value ...], ready,
    say, quit. Missing answers are asked for by label, with their choices; so is a missing LINK,
    which keeps it out of the history of the shell.
    """
    import asyncio

    from storypool.cli import arguments

    try:
        from storypool.cli.sitting import Unreachable, play
    except NotInstalled as missing:
        raise Refused(Refusal.of("storage", missing)) from None

    def game(seat: ClientSeat) -> System:
        return arguments.system(seat.system, languages.of(seat.options))

    link = link or click.prompt("Your link").strip()
    try:
        asyncio.run(play(link, name, click.echo, languages.default.program, game))
    except Unreachable as gone:
        raise Refused(Refusal.of("storage", gone)) from None
    return 0


@table.command("list")
@data_option
@json_option
@click.pass_obj
def list_tables(languages: Languages, data: Data, as_json: bool) -> int:
    """List every table, the one last played first."""
    with open_tables(data, languages, TableUse.READ) as tables:
        found = tables.listings()
    if as_json:
        _print({"tables": found})
    elif not found:
        click.echo(languages.default.program["cli.none"])
    for one in () if as_json else found:
        click.echo(_line(one, languages))
    return 0


def _line(one: dict[str, Any], languages: Languages) -> str:
    """A table as a line of a list."""
    words = languages.default.program
    state = words["cli.closed"] if one["closed"] else ""
    if one["archived"]:
        state = words["cli.archived"]
    return (
        f"{one['id']}  {_when(one['changed'])}  {one['system']:10} {one['title']}  {state}".rstrip()
    )


@table.command()
@click.option(
    "--days",
    default=365,
    show_default=True,
    type=click.IntRange(1),
    help="Only tables last played this many days ago.",
)
@click.option("--yes", is_flag=True, help="Delete them without asking.")
@data_option
@json_option
@click.pass_obj
def sweep(languages: Languages, days: int, yes: bool, data: Data, as_json: bool) -> int:
    """Delete tables that have not been played for a long time.

    Lists them first, and asks. With --json it deletes nothing without --yes.
    """
    before = time.time_ns() // 1_000_000 - days * 86_400_000
    words = languages.default.program
    with open_tables(data, languages, TableUse.CHANGE) as tables:
        old = [one for one in tables.listings() if one["changed"] < before]
        if not as_json:
            for one in old:
                click.echo(_line(one, languages))
            click.echo(words.say("cli.sweep.found", n=len(old), days=days))
        agreed = bool(old) and (
            yes or (not as_json and click.confirm(words.say("cli.sweep.ask", n=len(old))))
        )
        for one in old if agreed else ():
            tables.delete(one["id"], one["title"])
    swept = old if agreed else []
    if as_json:
        _print({"found": old, "deleted": [one["id"] for one in swept]})
    elif old:
        click.echo(words.say("cli.sweep.done", n=len(swept)))
    return 0


@table.command()
@click.argument("id")
@click.option("--gm", "side", flag_value="gm", help="A link for a game master.")
@click.option("--player", "side", flag_value="player", help="A link for players.  [default]")
@click.option("--spectator", "side", flag_value="spectator", help="A link for spectators.")
@click.option("--seat", default="", help="A link for another device of this seat.")
@data_option
@json_option
@click.pass_obj
def link(
    languages: Languages, id: str, side: str | None, seat: str, data: Data, as_json: bool
) -> int:
    """Mint a link to a table.

    It is shown this once, and works until it is revoked.
    """
    if side and seat:
        raise denied("argument", "link.both", "seat")
    with open_tables(data, languages, TableUse.CHANGE) as tables:
        minted = tables.link(id, side or "player", seat)
    _done(
        minted,
        {"table": id, "side": "device" if seat else side or "player", "link": minted},
        as_json,
    )
    return 0


@table.command()
@click.argument("id")
@click.argument("move")
@click.argument("arguments", nargs=-1)
@seat_option
@click.option(
    "--override",
    is_flag=True,
    help="Override a refusal, on record; a player needs the game master's consent.",
)
@data_option
@json_option
@click.pass_obj
def move(
    languages: Languages,
    id: str,
    move: str,
    arguments: tuple[str, ...],
    seat: str,
    override: bool,
    data: Data,
    as_json: bool,
) -> int:
    """Make a MOVE at a table.

    Its arguments are given as key=value; a refusal lists the missing ones with their choices.
    Prints the new records.
    """
    from storypool.cli import offered
    from storypool.cli.address import Unanswered

    words, given = pairs_of(arguments)
    if words:
        raise denied("argument", "argument", "arguments", words=words)
    with open_tables(data, languages, TableUse.CHANGE) as tables:
        try:
            records = tables.move(id, seat, move, given, override)
        except Unanswered as refused:
            no = refused.refusal
            listed = offered.missing(refused.missing, languages.default.program)
            more = " ".join(filter(None, (no.remedy, listed)))
            raise Refused(replace(no, rule="", remedy=more)) from None
    if as_json:
        _print({"seq": records[-1]["seq"], "records": records})
    else:
        _print_log(iter(records), as_json)
    return 0


@table.command()
@click.argument("id")
@seat_option
@click.option(
    "--check",
    default="",
    help="The title of the action, if a hidden one is open in addition to another.",
)
@data_option
@json_option
@click.pass_obj
def offers(languages: Languages, id: str, seat: str, check: str, data: Data, as_json: bool) -> int:
    """Print the offers of a seat.

    Each move with its price and its questions, or the reason why it is closed; before them the
    open actions with their odds, and the proposals that wait for consent.
    """
    from storypool.cli import arguments, offered

    with open_tables(data, languages, TableUse.READ) as tables:
        shown = tables.offers(id, seat, check)
    if as_json:
        _print(shown)
        return 0
    language = languages.of(shown["table"]["options"])
    system = arguments.system(shown["table"]["system"], language)
    for line in offered.lines(shown, system, language.program):
        click.echo(line)
    return 0


@table.command()
@click.argument("id")
@seat_option
@click.option("--after", default=0, help="Start after this record number.")
@click.option("--once", is_flag=True, help="Stop at the end of the log.")
@data_option
@json_option
@click.pass_obj
def follow(
    languages: Languages, id: str, seat: str, after: int, once: bool, data: Data, as_json: bool
) -> int:
    """Print the log as it grows.

    Readable sentences, or with --json one record a line.
    """
    with open_tables(data, languages, TableUse.READ) as tables:
        _print_log(tables.log(id, seat, after) if once else tables.follow(id, seat, after), as_json)
        if not tables.address and not once and not as_json:
            click.echo(languages.default.program["cli.follow.alone"], err=True)
    return 0


def _print_log(records: Iterator[dict[str, Any]], as_json: bool) -> None:
    for record in records:
        if as_json:
            _print(record)
        elif record["text"]:
            click.echo(f"{record['seq']:>5}  {record['text']}")
        sys.stdout.flush()


@table.command()
@click.argument("id")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seat", default="", help="Only what this seat saw.")
@data_option
@json_option
@click.pass_obj
def export(languages: Languages, id: str, file: Path, seat: str, data: Data, as_json: bool) -> int:
    """Write a whole table, its log, into FILE."""
    with open_tables(data, languages, TableUse.READ) as tables:
        _write(file, tables.export(id, seat))
    _done(
        languages.default.program.say("cli.exported", id=id, file=file),
        {"table": id, "file": str(file)},
        as_json,
    )
    return 0


@table.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
@json_option
@click.pass_obj
def import_table(languages: Languages, file: Path, data: Data, as_json: bool) -> int:
    """Open a table from an exported FILE.

    Prints a link for each side.
    """
    with open_tables(data, languages, TableUse.MAKE) as tables:
        _print_links(tables.bring(file.read_bytes()), tables.address, as_json, languages)
    return 0


@table.command()
@click.argument("id")
@seat_option
@data_option
@json_option
@click.pass_obj
def transcript(languages: Languages, id: str, seat: str, data: Data, as_json: bool) -> int:
    """Print the story so far in Markdown, as a seat saw it."""
    with open_tables(data, languages, TableUse.READ) as tables:
        text = tables.transcript(id, seat)
    if as_json:
        _print({"table": id, "markdown": text})
    else:
        click.echo(text, nl=not text.endswith("\n"))
    return 0


def _write(file: Path, data: bytes) -> None:
    """Write a new file; `Refused` if it exists, so that no earlier export is lost."""
    try:
        with file.open("xb") as new:
            new.write(data)
    except FileExistsError:
        raise denied("argument", "file.there", "file", file=file) from None
    except OSError as error:
        raise denied("argument", "file.unwritten", "file", file=file, why=error.strerror) from None


def _done(text: str, data: dict[str, Any], as_json: bool) -> None:
    if as_json:
        _print(data)
    else:
        click.echo(text)


def _print(data: object) -> None:
    click.echo(json.dumps(data))


def _when(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
