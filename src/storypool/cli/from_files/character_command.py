"""`storypool character`: characters from files of other programs, shown or added to a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from storypool.brought.characters import MOST_BYTES, BroughtCharacter, NoCharacter
from storypool.brought.fitting import Fitted, as_data, fit, guessed_game, template
from storypool.brought.formats import NotText, characters_in
from storypool.cli import arguments
from storypool.cli.commands.table_command import TableUse, open_tables
from storypool.cli.data_folder import data_option, json_option
from storypool.cli.game_argument import GAME
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused
from storypool.log.places import Data
from storypool.words import Words
from storypool.words.languages import Languages

if TYPE_CHECKING:
    from storypool.cli.table_client import TableClient
    from storypool.engine.game.system import System

ENDINGS = frozenset({".xml", ".json", ".csv", ".tsv", ".txt", ".db"})
"""The names of the files that are read of a folder."""
MOST_FILES = 200
STDIN = "-"


@click.command("character")
@click.argument("file", default="")
@click.option("--game", type=GAME, default="", help="The game, where the file fits several.")
@click.option("--table", "id", default="", metavar="ID", help="Add them to this table.")
@click.option(
    "--seat", default="", help="Add them for this seat.  [default: as hidden NPCs of the GM]"
)
@click.option("--template", "as_template", is_flag=True, help="Print a spreadsheet to fill in.")
@data_option
@json_option
@click.pass_obj
def character(
    languages: Languages,
    file: str,
    game: str,
    id: str,
    seat: str,
    as_template: bool,
    data: Data,
    as_json: bool,
) -> int:
    """Read the characters of a FILE, of each file of a folder, or of the input (-).

    OggDude's XML, actors that Foundry exports (Star Wars FFG, Genesys, Dune 2d20, Fate), a
    spreadsheet as CSV, and Storypool's own files. Prints what is understood and what is not, and
    why. With --table they are added.
    """
    if as_template:
        if not game:
            raise denied("argument", "character.game", "game")
        sys.stdout.write(template(arguments.system(game, languages.default)))
        return 0
    if not file:
        raise denied("argument", "character.file", "file")
    if id:
        with open_tables(data, languages, TableUse.CHANGE) as tables:
            played = next((one["system"] for one in tables.listings() if one["id"] == id), game)
            fitted = [*_fitted(file, played or game, languages)]
            added = [_add(tables, id, seat, one) for one in fitted]
    else:
        fitted, added = [*_fitted(file, game, languages)], []
    words = languages.default.program
    if as_json:
        rows = [as_data(one, words) for one in fitted]
        print(json.dumps({"characters": rows, "added": added}))
    else:
        for one in fitted:
            _print(one, words)
        if added:
            click.echo(words.say("cli.character.added", n=len(added), id=id))
    return 0


def _fitted(file: str, game: str, languages: Languages) -> Iterator[Fitted]:
    """Yield the characters of a file or a folder in their game; `Refused` names the bad file."""
    system: System | None = arguments.system(game, languages.default) if game else None
    for path in _files(file):
        try:
            found = _read(path)
            if system is None:
                system = arguments.system(guessed_game(found), languages.default)
            yield from fit(system, found)
        except (NoCharacter, NotText) as wrong:
            if path == file:
                raise Refused(Refusal.of("argument", wrong, "file")) from None
            raise denied("argument", "character.one", "file", file=path, why=wrong) from None


def _files(file: str) -> list[str]:
    if file == STDIN or not Path(file).is_dir():
        return [file]
    inside = sorted(str(one) for one in Path(file).iterdir() if one.suffix.lower() in ENDINGS)
    if not inside:
        raise Refused(Refusal.of("unknown", NoCharacter("folder", folder=file), "file"))
    if len(inside) > MOST_FILES:
        raise denied("argument", "character.many", "file", n=len(inside), most=MOST_FILES)
    return inside


def _read(path: str) -> list[BroughtCharacter]:
    """The characters of a file; one that is too large is not read to its end."""
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with open(path, "rb") as opened:
                data = opened.read(MOST_BYTES + 1)
    except OSError as wrong:
        why = wrong.strerror or wrong
        raise denied("unknown", "game.unread", "file", file=path, why=why) from None
    return characters_in(data)


def _add(tables: TableClient, id: str, seat: str, one: Fitted) -> str:
    """Add a character with its texts to a table, and return its id there."""
    args: dict[str, Any] = {"name": one.name, "sheet": one.sheet}
    if not seat:
        args["secret"] = True
    records = tables.move(id, seat, "character.add", args, override=False)
    who = next(
        record["event"]["character"]["id"]
        for record in records
        if (record["event"] or {}).get("type") == "character.set"
    )
    for text in one.written:
        tables.move(id, seat, text.move, {**text.args, text.who: who}, override=False)
    return str(who)


def _print(one: Fitted, words: Words) -> None:
    click.echo(one.name or words["cli.character.nameless"])
    for found in one.understood:
        how = words[f"imported.how.{found.how}"] if found.how in ("near", "highest") else ""
        text = how.format(name=found.name) if how else ""
        click.echo(f"  {found.label}: {found.value}{text and f'  ({text})'}")
    for left in one.left_out:
        click.echo(f"  - {left.what}: {left.why.localize(words)}")
    for line in one.note.splitlines():
        click.echo(f"    {line}")
