"""The problems that a request can have: the status, the code and the sentence of each problem.

An endpoint declares its own by their keys; those of any request are added here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from storypool.engine.refusal import CODES
from storypool.words.languages import ENGLISH

STATUS = {"identity": 403, "argument": 400, "unknown": 400}
"""The status of a refusal by its code; every other code is a refusal by a rule, 409."""

PROBLEMS: Mapping[str, tuple[int, str]] = {
    "body": (400, "malformed"),
    "json": (400, "malformed"),
    "host": (400, "host"),
    "seat.which": (400, "identity"),
    "credential.name": (400, "argument"),
    "game.line": (400, "argument"),
    "workshop.line": (400, "argument"),
    "zone": (400, "argument"),
    "picture.broken": (400, "argument"),
    "picture.kind": (400, "argument"),
    "picture.large": (400, "argument"),
    "picture.moving": (400, "argument"),
    "link": (401, "identity"),
    "signin": (401, "identity"),
    "token": (401, "identity"),
    "gm": (403, "identity"),
    "gone": (403, "identity"),
    "hostonly": (403, "identity"),
    "link.other": (403, "identity"),
    "seat": (403, "identity"),
    "seatside": (403, "identity"),
    "elsewhere": (403, "origin"),
    "nowhere": (403, "origin"),
    "absent": (404, "absent"),
    "credential.no": (404, "unknown"),
    "credential.unknown": (404, "unknown"),
    "metrics.missing": (404, "absent"),
    "system": (404, "unknown"),
    "method": (405, "method"),
    "tooslow": (408, "limit"),
    "confirm": (409, "confirm"),
    "credential.taken": (409, "argument"),
    "links.full": (409, "limit"),
    "pictures.full": (409, "limit"),
    "records.full": (409, "limit"),
    "tables.full": (409, "limit"),
    "log.token": (409, "token"),
    "rules.moved": (409, "argument"),
    "rules.none": (409, "argument"),
    "pool.slow": (413, "limit"),
    "qr": (413, "limit"),
    "toolarge": (413, "limit"),
    "workshop.evenings": (413, "limit"),
    "busy": (429, "limit"),
    "claims": (429, "limit"),
    "feeds": (429, "limit"),
    "often": (429, "limit"),
    "share": (429, "limit"),
    "texts.often": (429, "limit"),
    "internal": (500, "internal"),
    "storage": (503, "storage"),
    "storage.full": (503, "storage"),
    "storage.read_only": (503, "storage"),
    "log.closed": (503, "storage"),
    "log.reading.full": (503, "storage"),
    "log.reading.read_only": (503, "storage"),
    "unready": (503, "storage"),
    "unreachable": (503, "unreachable"),
}
"""The status and the code by key: the id of the sentence, without `web.` before it."""

VARIED: Mapping[str, tuple[int, str, str]] = {
    **{code: (STATUS.get(code, 409), code, about) for code, about in CODES.items()},
    "file": (400, "malformed", "The file is no whole export; the text says what is wrong with it."),
    "pool.large": (413, "limit", "The odds would take too long; the text says what is too much."),
}
"""Problems with one of many sentences, by key: the status, the code, and what they are about."""

ANY = ("body", "host", "often", "internal", "storage", "log.closed", "unreachable")
UNSAFE = (
    *("elsewhere", "nowhere", "storage.full", "storage.read_only"),
    *("log.reading.full", "log.reading.read_only"),
)
TAKES = ("toolarge", "tooslow")
"""The problems of a request with a body."""
SEATED = ("signin", "absent", "seat", "seat.which", "gone")
"""The problems of a request that speaks for a seat."""
QUEUED = ("share", "busy")
"""The problems of an answer that takes long."""
POOL = ("argument", "unknown", "pool.slow", "pool.large")
"""The problems of a pool whose odds are asked for."""
MOVE = (*CODES, "log.token", "records.full")
"""The problems of a move."""


class ProblemShown(NamedTuple):
    """A problem as the documentation has it; blanks in braces are filled in when it is sent."""

    status: int
    code: str
    text: str
    remedy: str


def shown(key: str) -> ProblemShown:
    """The problem with this key; `KeyError` if there is none."""
    if key in VARIED:
        return ProblemShown(*VARIED[key], remedy="")
    words, id = ENGLISH.program, key if key.startswith("log.") else f"web.{key}"
    return ProblemShown(*PROBLEMS[key], words[id], words.get(f"{id}.remedy", ""))


def status_of(key: str) -> int:
    """The status of the problem with this key."""
    return (PROBLEMS.get(key) or VARIED[key])[0]


def in_order(keys: Iterable[str]) -> list[str]:
    """These keys, each once, by status and name."""
    return sorted(set(keys), key=lambda key: (status_of(key), key))
