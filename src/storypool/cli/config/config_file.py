"""The folders of this user: for data, and for a file of settings; and that file as it is."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storypool.cli.refusals import denied
from storypool.log.disk.lock import DATABASE

NAME = "storypool.toml"
"""The name of a file of settings at one of its places."""


def standard() -> Path:
    """The standard data folder of this user on this system.

    Tables that an earlier version kept at its own place stay there.
    """
    from platformdirs import user_data_path  # commands that name a folder do not need it

    folder, old = user_data_path("storypool", appauthor=False), earlier()
    is_moved = os.path.exists(old / DATABASE) and not os.path.exists(folder / DATABASE)
    return old if is_moved else folder


def earlier() -> Path:
    """The standard data folder of earlier versions.

    Another one is standard now on a Mac where XDG_DATA_HOME is set, and on Windows where
    LOCALAPPDATA names no known folder.
    """
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "storypool"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "storypool"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "storypool"


def places(data: Path | None) -> list[Path]:
    """The places of a file of settings, for a server with this data folder or a database."""
    from platformdirs import user_config_path

    folders = [data] if data else []
    folders.append(user_config_path("storypool", appauthor=False))
    return [folder / NAME for folder in folders]


@dataclass(frozen=True)
class ConfigFile:
    """A file of settings: its text, and its values by key, not checked yet."""

    path: Path
    text: str
    values: dict[str, Any]

    def line_of(self, key: str) -> int:
        """The number of the line with a key, or with the head of a table of that name."""
        entry = re.compile(rf"""\s*(\[+\s*)?["']?{re.escape(key)}["']?\s*[=.\]]""")
        lines = enumerate(self.text.splitlines(), 1)
        return next((number for number, line in lines if entry.match(line)), 1)

    def located(self, place: str) -> str:
        """A path of this file: a relative one begins at the folder of the file."""
        return str(self.path.parent / place)


def find(given: str | None, data: Path | None) -> ConfigFile | None:
    """The file of settings that is named, or else the first one at its places; None without one.

    `Refused` if it cannot be read.
    """
    if given:
        return read(Path(given))
    return next((read(path) for path in places(data) if os.path.isfile(path)), None)


def setting(key: str) -> tuple[ConfigFile, Any] | None:
    """The file of settings of this user, and a value in it; None where it has none.

    The value is not checked yet.
    """
    file = find(os.environ.get("STORYPOOL_CONFIG"), standard())
    return (file, file.values[key]) if file and key in file.values else None


def read(path: Path) -> ConfigFile:
    """Read a file of settings; `Refused` with the line of a mistake."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise denied("unknown", "config.unread", "config", file=path, why=error.strerror) from None
    except UnicodeDecodeError as error:
        raise denied("argument", "config.unread", "config", file=path, why=error.reason) from None
    try:
        return ConfigFile(path.absolute(), text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise denied("argument", "config.toml", "config", file=path, why=error) from None
