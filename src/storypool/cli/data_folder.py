"""The data folder: where it is, the options of the commands that use it, and the errors of its store."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused
from storypool.log.places import Data, DatabaseUrl, place
from storypool.log.store import StoreBusy, StoreError

Command = TypeVar("Command", bound=Callable[..., Any])

TOKEN = "host.token"
"""The file in a data folder that holds the host's token, readable by the user who owns the folder."""


def standard() -> Path:
    """Return the standard data folder of this user on this system."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "storypool"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "storypool"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "storypool"


class DataType(click.ParamType):  # type: ignore[type-arg]
    """A data folder, as a `Path`, or the address of a database, as a `DatabaseUrl`."""

    name = "directory or postgresql://..."

    def convert(self, value: str | Data, param: click.Parameter | None, ctx: click.Context | None) -> Data:
        """Return the place that was named; a place that is no folder is bad usage."""
        found = place(value) if isinstance(value, str) else value
        if isinstance(found, Path) and found.exists() and not found.is_dir():
            self.fail(f"Directory '{found}' is a file.", param, ctx)
        return found


def data_option(command: Command) -> Command:
    """Add the option `--data`, which every command that uses tables has."""
    return click.option(
        "--data",
        type=DataType(),
        envvar="STORYPOOL_DATA",
        default=standard,
        help="The data folder, or a PostgreSQL database.  [default: this user's folder; or STORYPOOL_DATA]",
    )(command)


def folder_of(data: Data) -> Path:
    """Return a data folder; `Refused` for a database, which this cannot be done with."""
    if isinstance(data, DatabaseUrl):
        raise denied("argument", "data.database", "data", data=data)
    return data


def json_option(command: Command) -> Command:
    """Add the option `--json`, which every command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")(
        command
    )


def refused(error: StoreError) -> Refused:
    """Return a store error as a refusal."""
    return Refused(Refusal.of("storage", error))


def address_of(error: StoreBusy) -> str:
    """Return the address of the server that holds the folder; `Refused` when another kind of process holds it."""
    if not error.address:
        raise refused(error)
    return error.address
