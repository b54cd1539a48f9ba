"""A server that another one replaces while pages are open: this process holds the socket, and
another one serves.

Asked to replace it (SIGUSR2), the supervisor starts the command that it was started with once more,
so with the program that is installed now. The new process loads everything while the old one
serves, and says that it is ready (SIGUSR1); then the old one ends, and the new one is sent the same
signal, to go on. Connections made in between wait in the socket. Where the new process ends before
it is ready, as with a package missing, the old one goes on.
"""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress

from storypool.web.serving.listener import hand
from storypool.web.serving.workers import end_with

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
ENDING_S = 20
"""Seconds that a process has to end; then it is killed, which loses nothing that was
acknowledged.
"""
SUPERVISOR, REPLACES = "STORYPOOL_SUPERVISOR", "STORYPOOL_REPLACES"

logger = logging.getLogger("storypool.web")


def supervise(listener: socket.socket) -> int:
    """Serve in other processes until this one is asked to end, and return the exit code of the last
    of them.
    """
    signals = {*STOP_SIGNALS, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCHLD, signal.SIGALRM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    serving, following, ready, code = 0, _start(listener), False, 0
    while serving or following:
        match signal.sigwait(signals):
            case signal.SIGCHLD:
                for pid, code in _ended():
                    if pid == serving:
                        serving = 0
                    elif pid == following:
                        following, ready = 0, False
                        if serving:
                            logger.error(
                                "The new server ended early (%s), so the old one goes on.", code
                            )
            case signal.SIGUSR1:
                ready = True
                _send(serving, signal.SIGTERM)
                signal.alarm(ENDING_S)
            case signal.SIGUSR2:
                following = following or _start(listener, replaces=True)
            case signal.SIGALRM:
                _send(serving, signal.SIGKILL)
            case _:
                _end({serving, following} - {0})
                return 0
        if ready and not serving:
            signal.alarm(0)
            _send(following, signal.SIGUSR1)
            serving, following, ready = following, 0, False
    return code


def is_supervised() -> bool:
    """Whether a supervisor has started this process."""
    return os.environ.get(SUPERVISOR) == str(os.getppid())


def is_replacement() -> bool:
    """Whether this process takes the place of one that has served, whose links are known to
    people.
    """
    return is_supervised() and REPLACES in os.environ


def wait_for_turn() -> None:
    """Say that this process could serve, and wait until the one before it has ended; without a
    supervisor, return.

    From then on it ends with its supervisor. `KeyboardInterrupt` where it is to end before its
    turn.
    """
    if not is_supervised():
        return
    first = os.getppid()
    waited = {signal.SIGUSR1, *STOP_SIGNALS}
    signal.pthread_sigmask(signal.SIG_BLOCK, waited)
    # A thread that began before would take a signal that comes before it is waited for, and end the
    # process.
    threading.Thread(target=end_with, args=(first,), daemon=True).start()
    os.kill(first, signal.SIGUSR1)
    came = signal.sigwait(waited)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, waited)
    if came in STOP_SIGNALS:
        raise KeyboardInterrupt


def _start(listener: socket.socket, replaces: bool = False) -> int:
    """Start this command once more, as a process that is supervised, and return its id."""
    if pid := os.fork():
        return pid
    try:
        hand(listener)
        os.environ[SUPERVISOR] = str(os.getppid())
        os.environ.update({REPLACES: "1"} if replaces else {})
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execv(*program())
    except OSError as error:
        logger.error("The server could not be started: %s", error)
    finally:
        os._exit(127)


def program() -> tuple[str, list[str]]:
    """Return the program that this one was started as, and its words.

    A script names the Python that it needs: where it was installed again, that is another one than
    this.
    """
    words = sys.orig_argv[1:]
    if words and words[0] == sys.argv[0] and os.access(words[0], os.X_OK):
        return words[0], words
    return sys.executable, [sys.executable, *words]


def _end(processes: set[int]) -> None:
    """Have these processes end, and kill those that are late."""
    for pid in processes:
        _send(pid, signal.SIGTERM)
    signal.alarm(ENDING_S)
    while processes:
        if signal.sigwait({signal.SIGCHLD, signal.SIGALRM}) == signal.SIGALRM:
            for pid in processes:
                _send(pid, signal.SIGKILL)
        processes -= {pid for pid, _ in _ended()}


def _ended() -> Iterator[tuple[int, int]]:
    """Yield each process that has ended, with its exit code."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found[0], os.waitstatus_to_exitcode(found[1])


def _send(pid: int, number: int) -> None:
    if pid:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
