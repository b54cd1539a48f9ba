"""`storypool doctor`: the state of this machine, for hosts and bug reports."""

import json
from functools import partial

import click

from storypool.cli.config.config_file import setting
from storypool.cli.data_folder import data_option, json_option
from storypool.cli.refusals import denied
from storypool.log.places import Data
from storypool.words.languages import Languages


def _setting(key: str, default: object) -> object:
    """A value in the file of settings."""
    return (setting(key) or (None, default))[1]


@click.command()
@click.argument("address", default="")
@click.option(
    "--host", default=partial(_setting, "host", ""), envvar="STORYPOOL_HOST", help="As for `serve`."
)
@click.option(
    "--port",
    default=partial(_setting, "port", 8230),
    envvar="STORYPOOL_PORT",
    type=click.IntRange(1, 65535),
    help="As for `serve`.",
)
@click.option(
    "--idle", "seconds", default=60, show_default=True, type=click.IntRange(1, 3600),
    help="Seconds for which a live page has to stay connected.",
)  # fmt: skip
@data_option
@json_option
@click.pass_obj
def doctor(
    languages: Languages,
    address: str,
    host: str,
    port: int,
    seconds: int,
    data: Data,
    as_json: bool,
) -> int:
    """Report the state of this machine, without secrets, for bug reports.

    With an ADDRESS, such as https://table.example.org, also how a proxy in front of the server
    there treats it; with the link of a seat, which lets a device in, also whether a live page stays
    connected.
    """
    from storypool.cli.examination.findings import Verdict
    from storypool.cli.examination.machine import examine
    from storypool.cli.examination.proxy import ServerAddress

    words = languages.default.program
    if address and not address.startswith(("http://", "https://")):
        raise denied("argument", "address", "address")
    findings = [
        *examine(data, host, port),
        *(ServerAddress(address).examine(seconds, words) if address else ()),
    ]
    n = sum(one.state is Verdict.WRONG for one in findings)
    texts = [(one, one.phrase.localize(words)) for one in findings]
    if as_json:
        rows = [{"id": one.phrase.key, "state": one.state, "text": text} for one, text in texts]
        click.echo(json.dumps({"wrong": n, "findings": rows}))
        return 1 if n else 0
    for one, text in texts:
        click.echo(f"{words[f'doctor.state.{one.state}']} {text}")
    click.echo(words.say("doctor.wrong", n=n) if n else words["doctor.works"])
    return 1 if n else 0
