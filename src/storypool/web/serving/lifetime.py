"""The start and the end of a server as entries of its log, each with its cause."""

import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from storypool import __version__
from storypool.log.places import Data
from storypool.web.server_log import LIFETIME

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)

logger = logging.getLogger(LIFETIME)


def stop(number: int, frame: FrameType | None) -> NoReturn:
    """Handle a signal as Ctrl+C is handled, with the name of the signal as the cause."""
    raise KeyboardInterrupt(name_of(number))


def name_of(number: int) -> str:
    """The name of a signal."""
    return signal.Signals(number).name


def cause_of(code: int) -> str:
    """Why a process ended, by its exit code, which is negative for a signal."""
    return f"signal {name_of(-code)}" if code < 0 else f"exit code {code}"


@contextmanager
def logged(
    listener: socket.socket,
    public_url: str = "",
    kept: Data | None = None,
    replaced: str = "",
    supervised: bool = False,
) -> Iterator[None]:
    """Log where this server listens and keeps its tables, and how it ends.

    Without `kept` its tables are thrown away; `replaced` names the process whose place it takes.
    The end of a supervised server is logged by its supervisor.
    """
    public = f" as {public_url}" if public_url else ""
    place = "nowhere" if kept is None else kept
    instead = f", in place of process {replaced}" if replaced else ""
    logger.info(
        f"Storypool {__version__} listens on {named(listener)}{public} and keeps its tables in"
        f" {place}: process {os.getpid()}{instead}."
    )
    first = os.getppid()
    try:
        yield
    except KeyboardInterrupt as stopped:
        if not supervised or os.getppid() != first:
            ended(os.getpid(), f"signal {str(stopped) or name_of(signal.SIGINT)}")
        raise
    except BaseException as error:
        failed(os.getpid(), str(error) or type(error).__name__)
        raise
    else:
        failed(os.getpid(), "it stopped without being asked to")


def ended(process: int, cause: str) -> None:
    """Log the end of a process that was asked to end."""
    logger.info("Process %s ended: %s.", process, cause)


def failed(process: int, cause: str) -> None:
    """Log the end of a process that was not asked to end."""
    logger.error("Process %s ended: failure, %s", process, cause)


def named(listener: socket.socket) -> str:
    """The address and the port of a socket."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
