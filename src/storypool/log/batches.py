"""Group commit: one thread commits the queue; jobs that arrive meanwhile share the next commit."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, Protocol, TypeVar

from storypool.log.store import StoreError
from storypool.words import Phrase

MAX_BATCH = 256
"""The most writes that share one commit."""


class Job(Protocol):
    """A queued write, and the future of its result."""

    @property
    def future(self) -> Future[Any]:
        """Its future."""
        ...


Queued = TypeVar("Queued", bound=Job)


class Batches(Generic[Queued]):
    """A queue of jobs, and the thread that passes them to `commit` in batches, in order of `put`.

    `commit` resolves the future of each of its jobs. A job that was cancelled before its turn is
    left out.
    """

    def __init__(self, commit: Callable[[list[Queued]], None]) -> None:
        self._commit, self._closed, self._putting = commit, False, Lock()
        self._jobs: SimpleQueue[Queued | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="storypool-log", daemon=True)
        self._thread.start()

    def put(self, job: Queued) -> None:
        """Queue a job; `StoreError` after `close`."""
        with self._putting:
            if self._closed:
                raise StoreError(Phrase("log.closed"))
            self._jobs.put(job)

    def waiting(self) -> int:
        """The approximate number of jobs that wait for the next batch."""
        return self._jobs.qsize()

    def close(self) -> bool:
        """Finish the queue, and return whether this was still open."""
        with self._putting:
            if self._closed:
                return False
            self._closed = True
            self._jobs.put(None)
        self._thread.join()
        return True

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._jobs.get()]
            with suppress(Empty):
                while batch[-1] is not None and len(batch) < MAX_BATCH:
                    batch.append(self._jobs.get_nowait())
            going_on = batch[-1] is not None
            if jobs := [job for job in batch if job and job.future.set_running_or_notify_cancel()]:
                self._commit(jobs)
