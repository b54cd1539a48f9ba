"""Figures for Prometheus: work, durations and refusals, without names and ids.

They need the extra `metrics`; the server works without it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec

from storypool.web.problem import problem_for

with suppress(ImportError):
    from prometheus_client import (
        CollectorRegistry,
        Counter,
        Gauge,
        Histogram,
        ProcessCollector,
        generate_latest,
        start_http_server,
    )

FAST = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
"""Bounds of the histograms, in seconds."""


def has_prometheus() -> bool:
    """Whether the extra `metrics` is installed."""
    return find_spec("prometheus_client") is not None


class Uncounted:
    """A figure that is not counted."""

    def labels(self, *_: str) -> Uncounted:
        """This figure again."""
        return self

    def inc(self) -> None:
        """Do nothing."""

    def observe(self, _: float) -> None:
        """Do nothing."""


class Metrics:
    """The figures of one server, in a registry of their own; without the extra there is none."""

    def __init__(
        self, followers: Callable[[], int] = int, connections: Callable[[], int] = int
    ) -> None:
        self.registry = registry = CollectorRegistry() if has_prometheus() else None
        if registry:
            ProcessCollector(registry=registry)

        def counter(name: str, about: str, *labels: str) -> Counter | Uncounted:
            return (
                Counter(f"storypool_{name}", about, labels, registry=registry)
                if registry
                else Uncounted()
            )

        def durations(name: str, about: str, *labels: str) -> Histogram | Uncounted:
            if not registry:
                return Uncounted()
            return Histogram(
                f"storypool_{name}_seconds", about, labels, buckets=FAST, registry=registry
            )

        def gauge(name: str, about: str, now: Callable[[], int]) -> None:
            if registry:
                Gauge(f"storypool_{name}", about, registry=registry).set_function(now)

        self.moves = counter("moves", "Moves that were made and stored.")
        self.refusals = counter(
            "refusals", "Requests that were refused, by the code of the refusal.", "code"
        )
        self.requests = durations(
            "request", "Until a request is answered.", "method", "route", "status"
        )
        self.lag = durations(
            "feed_lag", "From the end of a commit until a follower was sent its records."
        )
        self.odds = durations(
            "odds", "Until a question about odds is answered, or refused as too large.", "answer"
        )
        self.commits = durations(
            "commit", "Until the records of a move are durable, with the wait for their turn."
        )
        self.failures = counter("commit_failures", "Commits that failed.")
        gauge("followers", "Live feeds that are open.", followers)
        gauge("connections", "Connections that are open.", connections)

    def text(self) -> bytes | None:
        """The figures in the text format of Prometheus; None without the extra."""
        return generate_latest(self.registry) if self.registry else None

    @contextmanager
    def answering(self, method: str, route: str) -> Iterator[Callable[[int], None]]:
        """Measure a request; call the result with the status, unless an error is raised."""
        began, status = time.perf_counter(), 500

        def answered(with_status: int) -> None:
            nonlocal status
            status = with_status

        try:
            yield answered
        except Exception as error:
            refused = problem_for(error)
            status = refused.status if refused else 500
            self.refusals.labels(refused.refusal.code if refused else "internal").inc()
            raise
        finally:
            self.requests.labels(method, route, str(status)).observe(time.perf_counter() - began)

    def committing(self) -> Callable[[BaseException | None], None]:
        """Measure a commit; call the result at its end, with the error if it failed."""
        began = time.perf_counter()

        def ended(error: BaseException | None) -> None:
            self.commits.observe(time.perf_counter() - began)
            if error is not None:
                self.failures.inc()

        return ended

    @contextmanager
    def serving(self, host: str, port: int) -> Iterator[int]:
        """Serve the figures from a thread on an address of their own; returns the port.

        Raises `OSError` if it is taken. Call only where figures are counted.
        """
        assert self.registry is not None
        server, thread = start_http_server(port, host, self.registry)
        try:
            yield server.server_port
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
