"""The start and the end of a server as entries of its log, each with its cause."""

import json
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
from storypool.web.serving import systemd

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
ANSWERS = "@storypool-reload-{process}"
"""The socket on which `storypool reload` waits for the answer of a server's process."""

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


def handle_hangups(supervised: bool) -> None:
    """Handle SIGHUP, which asks for a newer version, in a server that cannot be replaced.

    It says so, and goes on. Where its terminal was closed, it ends; a supervised process leaves
    both to its supervisor, and a program under nohup goes on in any case.
    """
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return
    first, terminal = os.getpid(), Terminal()

    def hang_up(number: int, frame: FrameType | None) -> None:
        if terminal.was_closed():
            if os.getpid() == first:
                logger.warning("The terminal of process %s was closed.", first)
            signal.raise_signal(signal.SIGTERM)
        else:
            text = f"Process {first} goes on: without --replaceable it cannot be replaced."
            logger.warning(text)
            answer(False, text)

    signal.signal(signal.SIGHUP, signal.SIG_IGN if supervised else hang_up)


class Terminal:
    """The terminal of this process when it was started, if it had one."""

    def __init__(self) -> None:
        self.is_there, self.in_foreground = self._look()

    def was_closed(self) -> bool:
        """Whether a SIGHUP that came just now is about the end of the terminal.

        A server in the background that nobody ended with the terminal goes on without one.
        """
        if not self.is_there or self._look()[0]:
            return False
        return self.in_foreground or self._shell_runs()

    def _look(self) -> tuple[bool, bool]:
        """Whether there is a terminal, and whether this process is in its foreground."""
        try:
            terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
        except OSError:
            return False, False
        try:
            return True, os.tcgetpgrp(terminal) == os.getpgrp()
        finally:
            os.close(terminal)

    def _shell_runs(self) -> bool:
        try:
            os.kill(os.getsid(0), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True


def answer(done: bool, text: str, process: int | None = None) -> None:
    """Answer `storypool reload`, if it waits for this process, or for that one."""
    address = ANSWERS.format(process=process or os.getpid())
    systemd.send(address, json.dumps({"done": done, "text": text}))


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
    keeps = "no tables" if kept is None else f"its tables in {kept}"
    instead = f", in place of process {replaced}" if replaced else ""
    start = (
        f"Storypool {__version__} listens on {named(listener)}{public} and keeps {keeps}:"
        f" process {os.getpid()}{instead}."
    )
    first = os.getppid()
    try:
        # A signal may come as soon as this is read.
        logger.info(start)
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
