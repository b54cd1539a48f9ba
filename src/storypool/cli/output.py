"""Writing the output of a command: to a new file, never over an old one, or to standard output."""

import errno
import os
import sys

from storypool.engine.refusal import Refusal, Refused
from storypool.words import Phrase

OUTPUT = "-"
"""The file name of standard output."""


def writable(file: str, field: str) -> str:
    """The name of a file; `Refused` if it exists. Checked before a long computation."""
    if file != OUTPUT and os.path.lexists(file):
        raise _taken(file, field)
    return file


def write(file: str, content: str | bytes, field: str) -> None:
    """Write text or a picture to a new file, or to standard output for `-`.

    `Refused` if the file exists or cannot be written.
    """
    if file == OUTPUT:
        if isinstance(content, str):
            sys.stdout.write(content)
        else:
            sys.stdout.buffer.write(content)
        return
    try:
        with open(file, "xb") as new:
            new.write(content if isinstance(content, bytes) else content.encode())
    except FileExistsError:
        raise _taken(file, field) from None
    except (OSError, ValueError) as error:
        why = os.strerror(error.errno or errno.EIO) if isinstance(error, OSError) else str(error)
        raise Refused(
            Refusal.of("argument", Phrase("picture.file.cannot", file=file, why=why), field)
        ) from None


def one_output(*files: str, as_json: bool = False) -> None:
    """Raise `Refused` if several things are to be written to standard output."""
    if files.count(OUTPUT) + as_json > 1:
        raise Refused(Refusal.of("argument", Phrase("picture.file.output")))


def _taken(file: str, field: str) -> Refused:
    key = "picture.file.folder" if os.path.isdir(file) else "picture.file"
    return Refused(Refusal.of("argument", Phrase(key, file=file), field))
