"""The data folder: its path, the options of the commands that use it, and its store's errors."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from storypool.cli.config.config_file import setting, standard
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused
from storypool.log.disk.lock import DATABASE, cannot_read
from storypool.log.places import SCHEMES, Data, DatabaseUrl, place
from storypool.log.store import StoreBusy, StoreError

Command = TypeVar("Command", bound=Callable[..., Any])

TOKEN = "host.token"
"""The file with the host's token in a data folder, readable by the owner of the folder."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:/+|p\w*g\w*s\w*//+", re.IGNORECASE)


def usual() -> Data:
    """The place of the tables in the file of settings, or else the standard data folder."""
    file, named = setting("data") or (None, None)
    if file is None or not isinstance(named, str):
        return standard()
    found = place(named)
    return Path(file.located(named)) if isinstance(found, Path) else found


class DataType(click.ParamType):  # type: ignore[type-arg]
    """A data folder, as a `Path`, or the address of a database, as a `DatabaseUrl`."""

    name = "directory or postgresql://..."

    def convert(
        self, value: str | Data, param: click.Parameter | None, ctx: click.Context | None
    ) -> Data:
        """The folder or database; a path that is a file is bad usage."""
        if isinstance(value, str) and (scheme := _scheme(value)):
            raise denied(
                "argument", "data.address", (param and param.name) or "data", scheme=scheme
            )
        found = place(value) if isinstance(value, str) else value
        if isinstance(found, Path) and os.path.isfile(found):
            self.fail(f"Directory '{found}' is a file.", param, ctx)
        return found


def data_option(command: Command) -> Command:
    """Add the option `--data`, which every command that uses tables has."""
    return click.option(
        "--data",
        type=DataType(),
        envvar="STORYPOOL_DATA",
        default=usual,
        help=(
            "The data folder, or a PostgreSQL database.  [default: what `serve` prints; or"
            " STORYPOOL_DATA]"
        ),
    )(command)


def _scheme(text: str) -> str:
    """The scheme of a mistyped database address; "" for anything else."""
    begins = _SCHEME.match(text)
    return begins[0] if begins and not text.startswith(SCHEMES) and not os.path.exists(text) else ""


def with_tables(data: Data) -> Data:
    """A place with tables; `Refused` for a folder without any, with the nearest that has some."""
    if isinstance(data, DatabaseUrl):
        return data
    try:
        (data / DATABASE).stat()
    except (FileNotFoundError, NotADirectoryError):
        near = nearest(data)
        raise denied(
            "unknown", "data.near" if near else "data.none", "data", folder=data, near=near
        ) from None
    except OSError as error:
        raise refused(cannot_read(data, error)) from None
    return data


def nearest(folder: Path) -> Path | None:
    """The probably intended folder with tables: of a similar name, inside, or the standard one."""
    found, *parts = map(Path, folder.absolute().parts)
    with suppress(OSError):
        for part in parts:
            if not (found / part).exists():
                like = get_close_matches(part.name, os.listdir(found), 1)
                if not like:
                    break
                part = Path(like[0])
            found /= part
    near = (found, *_inside(found), found.parent, *_inside(found.parent), standard())
    return next((one for one in near if os.path.isfile(one / DATABASE)), None)


def _inside(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.iterdir())
    return []


def folder_of(data: Data) -> Path:
    """A data folder; `Refused` for a database, which does not support the command."""
    if isinstance(data, DatabaseUrl):
        raise denied("argument", "data.database", "data", data=data)
    return data


def json_option(command: Command, variable: str | None = None) -> Command:
    """Add the option `--json`, which every command has."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        envvar=variable,
        help="Print JSON for programs, errors included.",
    )(command)


def refused(error: StoreError) -> Refused:
    """A store error as a refusal."""
    return Refused(Refusal.of("storage", error))


def address_of(error: StoreBusy) -> str:
    """The address of the server that locks the folder; `Refused` if another process locks it."""
    if not error.address:
        raise refused(error)
    return error.address
