"""`storypool serve` and `storypool demo`: the server, with your own tables or a demo scene."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from storypool.cli.config.configured import Configured, config_option
from storypool.cli.data_folder import DataType, data_option, folder_of, json_option, refused
from storypool.cli.game_argument import GAME
from storypool.cli.public_url import Origin, PublicUrl
from storypool.cli.refusals import denied, exit_code
from storypool.engine.refusal import Refusal, Refused
from storypool.log.places import Data, DatabaseUrl
from storypool.log.store import Store, StoreError
from storypool.words.languages import Languages

if TYPE_CHECKING:
    from storypool.web.serving.host_links import StartLink

Command = TypeVar("Command", bound=Callable[..., Any])

SHORTEST_TOKEN = 20
"""The fewest characters of a token that a host chooses."""
DEMO_INTERVAL_MS = 20_000
"""Milliseconds between two records of a demo scene."""


def _without_brackets(ctx: click.Context, param: click.Parameter, host: str) -> str:
    """An address of IPv6 without the brackets that it has in a URL."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def listen_options(command: Command) -> Command:
    """Add the options of every command that serves."""
    for option in (
        click.option(
            "--host",
            default="",
            callback=_without_brackets,
            help=(
                "Listen on this address alone.  [default: every address of IPv4, or this machine"
                " alone behind https]"
            ),
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            help="Listen on this port.  [default: 8230, or the next free]",
        ),
        click.option(
            "--public-url",
            default="",
            type=PublicUrl(),
            help="The address of this server through a proxy or a tunnel.",
        ),
        click.option("--local", is_flag=True, help="For this machine alone."),
        click.option(
            "--workshop", is_flag=True, help="Let everybody write games, not only the host."
        ),
        click.option(
            "--allow-origin",
            multiple=True,
            type=Origin(),
            help="Let pages of this site use the server with a token; may be repeated.",
        ),
        click.option(
            "--browser/--no-browser", default=True, help="Open a browser where there is one."
        ),
        partial(json_option, variable="STORYPOOL_JSON"),
    ):
        command = option(command)
    return command


@contextmanager
def _garbage_collector_off() -> Iterator[None]:
    """Disable the garbage collector at start: new objects stay, and `serve` enables it again."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _with_refusals_in_the_log(command: Callable[..., int]) -> Callable[..., int]:
    """Let a command whose log is JSON write why it does not start there, instead of as text."""

    @wraps(command)
    def logged(languages: Languages, /, **options: Any) -> int:
        try:
            return command(languages, **options)
        except Refused as refused:
            if options["log"] != "json" or options["as_json"]:
                raise
            from storypool.web.server_log import LIFETIME, write_log

            refusal = refused.refusal.localize(languages.default.program)
            write_log(sys.stderr, as_json=True)
            logging.getLogger(LIFETIME).error(" ".join([refusal.text, refusal.remedy]).strip())
            return exit_code(refusal)

    return logged


@click.command(cls=Configured)
@config_option
@data_option
@listen_options
@click.option(
    "--backup-to",
    type=click.Path(file_okay=False, path_type=Path),
    help="Back up into this folder each night.",
)
@click.option(
    "--backup-days",
    default=14,
    show_default=True,
    type=click.IntRange(1),
    help="The nights whose backups are kept.",
)
@click.option(
    "--processes",
    default=1,
    type=click.IntRange(1),
    help="Number of processes that serve a PostgreSQL database.",
)
@click.option(
    "--replaceable",
    is_flag=True,
    help="On SIGHUP, continue with the installed version, on the same socket: `storypool reload`.",
)
@click.option(
    "--link/--no-link",
    default=None,
    help="Print a link of the host for this start.  [default: unless systemd's journal keeps it]",
)
@click.option(
    "--host-token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with a token that has all rights of the host.",
)
@click.option(
    "--metrics",
    default="",
    metavar="HOST:PORT",
    help="Serve figures for Prometheus at this address.",
)
@click.option(
    "--most-tables", default=0, type=click.IntRange(0), help="The most tables of this server."
)
@click.option(
    "--most-records", default=0, type=click.IntRange(0), help="The most records of each table."
)
@click.option(
    "--log",
    type=click.Choice(["lines", "json"]),
    default="lines",
    help="The format of the log on stderr.",
)
@click.pass_obj
@_with_refusals_in_the_log
def serve(
    languages: Languages,
    /,
    data: Data,
    as_json: bool,
    backup_to: Path | None,
    backup_days: int,
    processes: int,
    replaceable: bool,
    metrics: str,
    most_tables: int,
    most_records: int,
    log: str,
    link: bool | None,
    host_token_file: Path | None,
    **options: Any,
) -> int:
    """Serve the tables of the data folder, or of a PostgreSQL database.

    Until Ctrl+C. Prints the address, a code for phones, and the host's link.
    """
    check_options(**click.get_current_context().params)
    # Do this before importing anything of a server: a supervisor stays as small as possible.
    if (
        replaceable
        and (code := _supervised(languages, as_json, log == "json", **options)) is not None
    ):
        return code

    from storypool.web.server_settings import Limits
    from storypool.web.serving import systemd
    from storypool.web.serving.serve import BackupPolicy, MetricsAt

    options["limits"] = Limits(tables=most_tables, records=most_records)
    options["nights"] = BackupPolicy(backup_to, backup_days) if backup_to else None
    options["metrics"] = MetricsAt(*host_and_port(metrics)) if metrics else None
    options |= {"processes": processes, "log_as_json": log == "json"}
    options["with_link"] = not systemd.is_journal() if link is None else link
    options["host_token"] = token_in(host_token_file) if host_token_file else ""
    return _serve(languages, data, as_json, options)


def check_options(
    data: Data,
    processes: int,
    *,
    replaceable: bool,
    backup_to: Path | None,
    metrics: str,
    host_token_file: Path | None,
    **_: object,
) -> None:
    """Raise `Refused` for options of `serve` that do not go together, or not here."""
    if (replaceable or processes > 1) and not hasattr(os, "fork"):
        key = "replaceable" if replaceable else "processes"
        raise denied("argument", f"{key}.system", key)
    if processes > 1 and isinstance(data, Path):
        raise denied("argument", "processes.folder", "processes")
    if backup_to:
        folder_of(data)
    source = click.get_current_context().get_parameter_source("data")
    if source is ParameterSource.COMMANDLINE and isinstance(data, DatabaseUrl) and data.password:
        raise denied("argument", "data.password", "data", data=data)
    if metrics:
        host_and_port(metrics)
    if host_token_file:
        token_in(host_token_file)


def token_in(file: Path) -> str:
    """The token in a file; `Refused` if it cannot be read, or could be guessed."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise denied("argument", "file.unread", "host_token_file", file=file, why=why) from None
    if len(token) < SHORTEST_TOKEN or not token.isascii() or " " in token:
        raise denied("argument", "host.guessed", "host_token_file", file=file, least=SHORTEST_TOKEN)
    return token


def host_and_port(text: str) -> tuple[str, int]:
    """The address for figures; `Refused` for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise denied("argument", "metrics", "metrics", got=text)
    return host.strip("[]"), int(port)


def _supervised(
    languages: Languages,
    as_json: bool,
    log_as_json: bool,
    *,
    host: str,
    port: int | None,
    local: bool,
    public_url: str,
    **_: object,
) -> int | None:
    """Serve in replaceable processes, and return the exit code of the last; None in a child."""
    from storypool.web.server_log import write_log
    from storypool.web.serving import listener, supervisor

    if supervisor.is_supervised():
        return None
    write_log(sys.stderr, log_as_json)
    with _as_refusals(), ExitStack() as opened:
        if (held := listener.handed()) is None:
            held = listener.own_listener(host, port, local, public_url)
            if phrase := listener.moved(held, port):
                _say(phrase.localize(languages.default.program), as_json)
        return supervisor.supervise(opened.enter_context(held))


@click.command()
@click.argument("system", type=GAME, default="starwars")
@click.option("--data", type=DataType(), help="Keep the table here.  [default: nowhere]")
@listen_options
@click.pass_obj
@_garbage_collector_off()
def demo(
    languages: Languages, /, system: str, data: Data | None, as_json: bool, **options: Any
) -> int:
    """Serve a scene that is under way.

    A table of SYSTEM with a link for each seat, thrown away at the end.
    """
    if data is not None:
        return _serve(
            languages, data, as_json, options, lambda store: scene(store, system, languages)
        )
    with TemporaryDirectory(prefix="storypool-demo-", ignore_cleanup_errors=True) as folder:
        options["keeps"] = False
        return _serve(
            languages, Path(folder), as_json, options, lambda store: scene(store, system, languages)
        )


def _serve(
    languages: Languages,
    data: Data,
    as_json: bool,
    options: dict[str, Any],
    ready: Callable[[Store], Sequence[StartLink]] | None = None,
) -> int:
    from storypool.web.serving import lifetime, supervisor
    from storypool.web.serving.serve import run

    _check_languages(languages)
    browser, origins = options.pop("browser"), options.pop("allow_origin")
    # Handle a termination signal like Ctrl+C: the store is closed, and the host's token removed.
    for number in lifetime.STOP_SIGNALS:
        signal.signal(number, lifetime.stop)
    lifetime.handle_hangups(supervisor.is_supervised())
    with suppress(KeyboardInterrupt), _as_refusals():
        say = partial(_say, as_json=as_json)
        options["origins"] = origins
        run(data, **options, open_browser=browser, ready=ready, say=say, languages=languages)
    return 0


def _say(line: str, as_json: bool) -> None:
    click.echo(json.dumps({"said": line}) if as_json else line)


@contextmanager
def _as_refusals() -> Iterator[None]:
    """Turn the errors that keep a server from starting into refusals."""
    from storypool.web.serving.listener import CannotServe

    try:
        yield
    except StoreError as error:
        raise refused(error) from None
    except CannotServe as error:
        raise Refused(Refusal.of("storage", error)) from None


def _check_languages(languages: Languages) -> None:
    """Raise `Refused` for a language with an invalid file: at the start, not during an evening."""
    from storypool import systems

    for language in languages.by_key.values():
        try:
            for key in systems.names() if language.folder else ():
                systems.get(key, language)
        except (OSError, ValueError) as wrong:
            raise denied("argument", "words", folder=language.folder, why=wrong) from None


def scene(store: Store, system: str, languages: Languages) -> list[StartLink]:
    """Open a table in the middle of a game's demo scene, and return a link for each seat."""
    from storypool import systems
    from storypool.live.tables import Tables
    from storypool.play import Performance, PlayError, read
    from storypool.web.access import mint
    from storypool.web.serving.host_links import StartLink

    text = systems.demo(system) if system in systems.names() else None
    if text is None:
        known = ", ".join(key for key in systems.playable() if systems.demo(key) is not None)
        raise denied("unknown", "scene", "system", system=system, known=known)
    name = f"{system}.play"
    play = read(text, name)
    end, last = time.time_ns() // 1_000_000, play.statements[-1].line
    performance = Performance(
        play, when=lambda line: end - (last - line) * DEMO_INTERVAL_MS, language=languages.default
    )
    for step in performance.steps():
        if step.problem is not None:
            raise PlayError(name, step.line, step.problem)
    table = asyncio.run(Tables(store, languages=languages).begin(performance.records))
    words = performance.system.words
    return [
        StartLink(
            f"{seat.name} ({words[f'side.{seat.side}']})",
            f"/join#link={mint(store, 'device', table=table, seat=seat.id)}",
        )
        for seat in performance.table.seats.values()
    ]
