"""`storypool verify`: whether the dice of an exported table match its sealed numbers."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from storypool import systems
from storypool.cli.data_folder import json_option
from storypool.engine.events import Record
from storypool.engine.refusal import Refusal, Refused
from storypool.log.export import BadFile, import_records
from storypool.log.verified import Verified, verified
from storypool.systems.newer_rules import played_in
from storypool.words import Words
from storypool.words.languages import Languages


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
@click.pass_obj
def verify(languages: Languages, file: Path, as_json: bool) -> int:
    """Verify the dice of an exported table, roll by roll.

    A roll is verified when its faces follow from numbers that were sealed before it, by the server
    and by the players' pages. Exit code 1 if one is false. FILE is an export by
    `table export` or the page; any player's copy will do.
    """
    try:
        with file.open("rb") as lines:
            records = import_records(lines)
    except BadFile as error:
        raise Refused(Refusal.of("argument", error, "file")) from None
    found = verified(records, _ranges(records))
    count = Counter(one.verdict for one in found)
    if as_json:
        click.echo(json.dumps({"rolls": [one._asdict() for one in found], "false": count["false"]}))
    else:
        words = languages.default.program
        for one in found:
            click.echo(words.say("cli.verify.roll", seq=one.seq, what=_described(one, words)))
        numbers = {"fair": count["fair"], "hand": count["hand"], "false": count["false"]}
        left = len(found) - sum(numbers.values())
        click.echo(words.say("cli.verify.sum", n=len(found), open=left, **numbers))
    return 1 if count["false"] else 0


def _described(one: Verified, words: Words) -> str:
    why = words[f"cli.verify.why.{one.fault}"] if one.fault else ""
    return words.say(f"cli.verify.{one.verdict}", why=why, who=", ".join(one.seats))


def _ranges(records: list[Record]) -> Mapping[str, str]:
    """The faces of the game's dice by name; empty if the game is not installed."""
    try:
        game = systems.get(played_in(records))
    except LookupError:
        return {}
    return {die.name: f"{die.first}-{die.last}" for die in game.dice}
