"""A server that is replaced while pages are open: this process holds the socket, another serves.

On SIGHUP, or SIGUSR2, the supervisor starts its own command once more, and so the program that is
installed now. The new process loads everything while the old one serves, and sends SIGUSR1 when it
is ready. Then the old one ends, and the new one gets the same signal to go on. Connections made in
between wait in the socket. If the new process ends before it is ready, as with a package missing,
the old one goes on.
"""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress

from storypool.web.serving import lifetime, systemd
from storypool.web.serving.lifetime import STOP_SIGNALS
from storypool.web.serving.listener import hand
from storypool.web.serving.workers import end_with

ENDING_S = 20
"""Seconds until an ending process is killed; acknowledged moves are safe."""
SUPERVISOR, REPLACES = "STORYPOOL_SUPERVISOR", "STORYPOOL_REPLACES"

logger = logging.getLogger("storypool.web")


def supervise(listener: socket.socket) -> int:
    """Serve in other processes until asked to end; returns the exit code of the last one."""
    replacing = (signal.SIGHUP, signal.SIGUSR2)
    signals = {*STOP_SIGNALS, *replacing, signal.SIGUSR1, signal.SIGCHLD, signal.SIGALRM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # It is waited for, and never handled: only a handled signal shows in /proc.
        signal.signal(signal.SIGHUP, lifetime.stop)
    terminal = lifetime.Terminal()
    serving, following, ready, code = 0, _start(listener), False, 0
    while serving or following:
        match signal.sigwait(signals):
            case signal.SIGCHLD:
                for pid, code in _ended():
                    if pid == serving:
                        serving = 0
                        if ready:
                            lifetime.ended(pid, f"replaced by process {following}")
                        else:
                            lifetime.failed(pid, lifetime.cause_of(code))
                    elif pid == following:
                        following, ready = 0, False
                        lifetime.failed(pid, lifetime.cause_of(code))
                        if serving:
                            _goes_on(serving, lifetime.cause_of(code))
            case signal.SIGUSR1:
                ready = True
                _send(serving, signal.SIGTERM)
                signal.alarm(ENDING_S)
            case number if number in replacing and not (
                number == signal.SIGHUP and terminal.was_closed()
            ):
                systemd.reloading()
                following = following or _start(listener, replaces=serving)
            case signal.SIGALRM:
                _send(serving, signal.SIGKILL)
            case number:
                systemd.stopping()
                _end({serving, following} - {0})
                lifetime.ended(serving or following, f"signal {lifetime.name_of(number)}")
                return 0
        if ready and not serving:
            signal.alarm(0)
            _send(following, signal.SIGUSR1)
            serving, following, ready = following, 0, False
    lifetime.answer(False, "The server has ended: its log says why.")
    return code


def _goes_on(serving: int, cause: str) -> None:
    """Report that a new process ended before it could serve, so the old one goes on."""
    text = f"The new server ended early ({cause}), so the old one goes on: process {serving}."
    logger.error(text)
    lifetime.answer(False, text)
    systemd.notify(systemd.READY, f"STATUS={text}")


def is_supervised() -> bool:
    """Whether a supervisor has started this process."""
    return os.environ.get(SUPERVISOR) == str(os.getppid())


def replaced() -> str:
    """The process of a server whose place this one takes, and whose links people have, or ""."""
    return os.environ.get(REPLACES, "") if is_supervised() else ""


def wait_for_turn() -> None:
    """Report that this process can serve, and wait until the one before it has ended.

    From then on it ends with its supervisor. `KeyboardInterrupt` if it is to end before its turn;
    without a supervisor it returns at once.
    """
    if not is_supervised():
        return
    first = os.getppid()
    waited = {signal.SIGUSR1, *STOP_SIGNALS}
    signal.pthread_sigmask(signal.SIG_BLOCK, waited)
    # Block signals first: a running thread could receive one before sigwait and end the process.
    threading.Thread(target=end_with, args=(first,), daemon=True).start()
    os.kill(first, signal.SIGUSR1)
    came = signal.sigwait(waited)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, waited)
    if came in STOP_SIGNALS:
        raise KeyboardInterrupt


def report_serving() -> None:
    """Answer `storypool reload` for the supervisor, if this process has replaced another."""
    if replaced():
        lifetime.answer(True, f"Process {os.getpid()} serves now.", os.getppid())


def _start(listener: socket.socket, replaces: int = 0) -> int:
    """Start this command once more as a supervised process, and return its id."""
    if pid := os.fork():
        return pid
    try:
        hand(listener)
        os.environ[SUPERVISOR] = str(os.getppid())
        os.environ.update({REPLACES: str(replaces)} if replaces else {})
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execv(*program())
    except OSError as error:
        logger.error("The server could not be started: %s", error)
    finally:
        os._exit(127)


def program() -> tuple[str, list[str]]:
    """The program of this process, and its command line.

    A script names its Python: after a new installation that is another one than this.
    """
    words = sys.orig_argv[1:]
    if words and words[0] == sys.argv[0] and os.access(words[0], os.X_OK):
        return words[0], words
    return sys.executable, [sys.executable, *words]


def _end(processes: set[int]) -> None:
    """End these processes, and kill the late ones."""
    for pid in processes:
        _send(pid, signal.SIGTERM)
    signal.alarm(ENDING_S)
    while processes:
        if signal.sigwait({signal.SIGCHLD, signal.SIGALRM}) == signal.SIGALRM:
            for pid in processes:
                _send(pid, signal.SIGKILL)
        processes -= {pid for pid, _ in _ended()}


def _ended() -> Iterator[tuple[int, int]]:
    """Each process that has ended, with its exit code."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found[0], os.waitstatus_to_exitcode(found[1])


def _send(pid: int, number: int) -> None:
    if pid:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
