"""Write down the current form: `python -m tools.forms`, before the first release that has it.

`tests/logs/forms-vN.json` lists the keys of stored records, and `store-vN.db` is a database with a
table of every game. N is the number of the form. Both are read for ever; those of a released
version are never written again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args, get_type_hints

from storypool import systems
from storypool.cli.commands.serve_command import scene
from storypool.engine.events import Event
from storypool.log import codec
from storypool.log.disk import database
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.kinds import form_of
from storypool.words.languages import Languages

LOGS = Path(__file__).resolve().parent.parent / "tests" / "logs"


def _held(hint: Any) -> Iterator[type]:
    """The classes with fields in values of a type."""
    fields = [*get_type_hints(hint).values()] if hasattr(hint, "__match_args__") else []
    if fields:
        yield hint
    for one in (*fields, *get_args(hint)):
        yield from _held(one)


PARTS = tuple(one for one in dict.fromkeys(_held(Event)) if one not in codec.EVENTS.values())
"""The classes that are stored within events."""


def forms() -> dict[str, dict[str, str]]:
    """The version and the keys of each event, and the keys of its parts."""
    events = {
        name: f"v{v} {' '.join(form.keys)}" for name, (v, form) in sorted(codec.FORMS.items())
    }
    return {
        "events": events,
        "parts": {part.__name__: " ".join(form_of(part).keys) for part in PARTS},
    }


def file_of_forms() -> Path:
    """The file with the form of now, as it was written down last."""
    return LOGS / f"forms-v{len(database.MIGRATIONS)}.json"


def written_forms() -> dict[str, dict[str, str]]:
    """The versions and keys as last written; later ones may still change."""
    found: dict[str, dict[str, str]] = json.loads(file_of_forms().read_text(encoding="utf-8"))
    return found


def write_store(folder: Path) -> Path:
    """Fill a folder's database with the scene of every game that has one; returns its file."""
    store = SqliteStore(folder)
    for key in systems.names():
        if systems.demo(key) is not None:
            scene(store, key, Languages())
    store.close()
    return folder / database.NAME


def main() -> int:
    """Write both files of the current form."""
    n = len(database.MIGRATIONS)
    text = json.dumps(forms(), indent=1) + "\n"
    file_of_forms().write_text(text, encoding="utf-8")
    with TemporaryDirectory() as folder:
        (LOGS / f"store-v{n}.db").write_bytes(write_store(Path(folder)).read_bytes())
    os.chmod(LOGS / f"store-v{n}.db", 0o644)
    return 0


if __name__ == "__main__":
    sys.exit(main())
