"""Pictures that people bring, decoded and encoded again in a process of their own.

Only their pixels stay: no metadata, no further frames, nothing behind the end of the file.
"""

import asyncio
import subprocess
import sys
from importlib.util import find_spec

from storypool.engine.table import Table
from storypool.log.export import BadFile
from storypool.web.prints import decoder
from storypool.web.prints.decoder import MAX_BYTES, MAX_SECONDS, Unfit
from storypool.words import Phrase, StorypoolError

MAX_EDGE = 1600
"""The most pixels of an edge of any picture that is kept."""
MEDIA = "image/jpeg"
"""The type of what comes out."""


class BadPicture(StorypoolError, ValueError):
    """Raised for a picture that is not taken, with the reason."""

    def __init__(self, why: Unfit) -> None:
        super().__init__(why.name)
        self.why = why


def has_decoder() -> bool:
    """Whether the extra `pictures` is installed, which everything here needs."""
    return find_spec("PIL") is not None


def pictures_of(table: Table) -> set[str]:
    """The keys of the pictures at a table, and the names of its drawn portraits."""
    portraits = {one.picture for one in table.characters.values()}
    return portraits | {one.picture for one in table.papers.values()}


async def encoded_apart(data: bytes, edge: int) -> bytes:
    """A picture as a JPEG without anything else, at most `edge` pixels wide and high.

    Raises `BadPicture`, also where its process came to one of its bounds, or took twice its time.
    """
    if not 0 < len(data) <= MAX_BYTES:
        raise BadPicture(Unfit.LARGE)
    command = [sys.executable, "-P", decoder.__file__, str(edge)]

    def run() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, input=data, capture_output=True, timeout=2 * MAX_SECONDS)

    try:
        done = await asyncio.to_thread(run)
    except subprocess.TimeoutExpired:
        raise BadPicture(Unfit.BROKEN) from None
    if done.returncode:
        known = done.returncode in [*Unfit]
        raise BadPicture(Unfit(done.returncode) if known else Unfit.BROKEN)
    return done.stdout


async def brought_picture(data: bytes) -> bytes:
    """A picture of an exported table, encoded again; `BadFile` for one that is not taken."""
    try:
        return await encoded_apart(data, MAX_EDGE)
    except BadPicture:
        raise BadFile(Phrase("log.file.picture.bad")) from None
