"""`storypool host ...`: lasting links and tokens of the host, by name."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import click

from storypool.cli.commands.table_command import TableUse, open_tables
from storypool.cli.data_folder import data_option, json_option
from storypool.log.places import Data
from storypool.words.languages import Languages

RIGHTS = ("open", "watch", "all")


@click.group()
def host() -> None:
    """Make and revoke the host's lasting links and tokens, with or without a server running.

    They last over every start. Only their hashes are kept, so each is shown once.
    """


@host.command()
@click.argument("name", default="host")
@data_option
@json_option
@click.pass_obj
def link(languages: Languages, name: str, data: Data, as_json: bool) -> int:
    """Print a link that signs a browser in as the host until it is revoked.

    It takes the place of an earlier one of this NAME, whose browsers stay signed in.
    """
    with open_tables(data, languages, TableUse.CHANGE) as tables:
        address, running = tables.host_link(name), bool(tables.address)
    if as_json:
        click.echo(json.dumps({"name": name, "link": address}))
        return 0
    click.echo(address)
    if not running:
        click.echo(languages.default.program["cli.host.alone"], err=True)
    return 0


@host.command()
@click.argument("name")
@click.option(
    "--right",
    "rights",
    multiple=True,
    type=click.Choice(RIGHTS),
    default=("open",),
    show_default=True,
    help=(
        "open: open tables. watch: see the titles of all tables, the host's notices and the"
        " figures. all: everything that the host may do. Repeat it for several."
    ),
)
@data_option
@json_option
@click.pass_obj
def token(
    languages: Languages, name: str, rights: tuple[str, ...], data: Data, as_json: bool
) -> int:
    """Print a token for a program, which works until it is revoked by its NAME.

    A program sends it as `Authorization: Bearer TOKEN`.
    """
    with open_tables(data, languages, TableUse.CHANGE) as tables:
        made = tables.host_token(name, rights)
    click.echo(json.dumps(made) if as_json else made["token"])
    return 0


@host.command()
@data_option
@json_option
@click.pass_obj
def tokens(languages: Languages, data: Data, as_json: bool) -> int:
    """List the lasting links and tokens, and the sessions of these links, without any secret."""
    with open_tables(data, languages, TableUse.READ) as tables:
        found = tables.credentials()
    if as_json:
        click.echo(json.dumps(found))
        return 0
    words = languages.default.program
    for one in found:
        made = datetime.fromtimestamp(one["made"] / 1000, UTC)
        rights, kind = ", ".join(one["rights"]), words[f"cli.host.{one['kind']}"]
        click.echo(f"{made:%Y-%m-%d %H:%M}  {kind:8} {rights:12} {one['name']}")
    if not found:
        click.echo(words["cli.host.none"])
    return 0


@host.command()
@click.argument("name")
@data_option
@json_option
@click.pass_obj
def revoke(languages: Languages, name: str, data: Data, as_json: bool) -> int:
    """Revoke the link or token of this NAME.

    Who came by the link loses the host's rights; a program loses its seats too.
    """
    with open_tables(data, languages, TableUse.CHANGE) as tables:
        tables.revoke_credential(name)
    done = languages.default.program.say("cli.host.revoked", name=name)
    click.echo(json.dumps({"revoked": name}) if as_json else done)
    return 0
