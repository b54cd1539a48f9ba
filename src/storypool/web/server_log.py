"""The log of a server: one entry a line, as text or JSON, with the id of its request."""

import json
import logging
import re
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO

REQUEST: ContextVar[str] = ContextVar("REQUEST", default="")
"""The id of the current request, also in its worker threads; "" outside of requests."""
HEADER = "X-Request-Id"
ID = re.compile(r"[A-Za-z0-9-]{1,64}")
LIFETIME = "storypool.lifetime"
"""The name of the log of starts and ends, in which entries of the level INFO are written too."""
REPEAT_AFTER_S = 60
"""Seconds until the same warning is logged again."""


def request_id(given: str) -> str:
    """The request's id that a proxy gave if it is valid, else a new one."""
    return given if ID.fullmatch(given) else secrets.token_hex(8)


class Lines(logging.Formatter):
    """An entry as text: its time, its level, its text, and the id of its request."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry on one line, followed by its traceback if there is one."""
        request = f" [{REQUEST.get()}]" if REQUEST.get() else ""
        line = f"{_at(record)} {record.levelname} {record.getMessage()}{request}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class Json(logging.Formatter):
    """An entry as a line of JSON.

    It has `at`, `level`, `logger` and `text`, and if there are any `request` and `trace`.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The entry on one line, with its traceback if there is one."""
        entry = {
            "at": _at(record),
            "level": record.levelname,
            "logger": record.name,
            "text": record.getMessage(),
        }
        if REQUEST.get():
            entry["request"] = REQUEST.get()
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


class RepeatFilter(logging.Filter):
    """A filter that passes a repeated warning once a minute, so that no client fills the log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._again: dict[str, float] = {}
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether an entry goes into the log; it then counts the skipped ones like it."""
        text, now = str(record.msg), self._clock()
        if record.levelno > logging.WARNING:
            return True
        if now < self._again.get(text, now):
            self._left_out[text] += 1
            return False
        self._again[text] = now + REPEAT_AFTER_S
        if n := self._left_out.pop(text, 0):
            record.msg = f"{text} ({n} more since the last of these)"
        return True


def write_log(stream: TextIO, as_json: bool = False) -> None:
    """Write this process's warnings and errors to a stream, in place of earlier handlers.

    So are its start and its end. As JSON, so is what Python itself would print as text: exceptions
    that nothing caught, and warnings.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Json() if as_json else Lines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(LIFETIME).setLevel(logging.INFO)
    if as_json:
        logging.captureWarnings(True)
        sys.excepthook = _log_uncaught
        threading.excepthook = lambda failed: _log_uncaught(
            failed.exc_type, failed.exc_value, failed.exc_traceback
        )


def _log_uncaught(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    uncaught = error if error is not None else kind()
    logging.getLogger(LIFETIME).critical(
        "Nothing caught an exception: %s", uncaught, exc_info=(kind, uncaught, trace)
    )


def _at(record: logging.LogRecord) -> str:
    return (
        datetime.fromtimestamp(record.created, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )
