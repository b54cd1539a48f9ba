"""Several processes with the same work, which are replaced if they fail and end together."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from storypool.web.serving import lifetime

logger = logging.getLogger("storypool.web")

RETRY_PAUSE_S = 1.0
"""Seconds until a failed process is replaced, and between checks of the first process."""


def run(n: int, work: Callable[[int], object]) -> None:
    """Run `work(0)` to `work(n - 1)`, each in a process of its own, until interrupted.

    They are forks of this process, which must have no connections, and no thread with a lock.
    """
    running: dict[int, int] = {}
    try:
        for number in range(n):
            running[_start(work, number)] = number
        while True:
            ended, status = os.wait()
            number = running.pop(ended)
            code = os.waitstatus_to_exitcode(status)
            logger.warning("Process %s ended (%s): another one follows.", ended, code)
            time.sleep(RETRY_PAUSE_S)
            running[_start(work, number)] = number
    finally:
        for pid in running:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        for pid in running:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _start(work: Callable[[int], object], number: int) -> int:
    """Start a process, and return its id."""
    first = os.getpid()
    if pid := os.fork():
        return pid
    code = 1
    try:
        threading.Thread(target=end_with, args=(first,), daemon=True).start()
        with suppress(KeyboardInterrupt):
            work(number)
            code = 0
    except Exception as error:
        lifetime.failed(os.getpid(), str(error))
    finally:
        os._exit(code)


def end_with(first: int) -> None:
    """End this process when its parent is gone, however that ended."""
    while os.getppid() == first:
        time.sleep(RETRY_PAUSE_S)
    os.kill(os.getpid(), signal.SIGTERM)
