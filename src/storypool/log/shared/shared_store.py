"""The SharedStore protocol: the promises of a store that several processes write to."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from storypool.log.store import Grant, Store


class End(NamedTuple):
    """The end of a log: its last record's number, times of closing and deletion, 0 for never."""

    last: int
    closed: int
    deleted: int


GRANTS = ""
"""The name of the grants among the ids of tables in notifications."""
PRESENCE = "@"
"""The prefix of the id of a table in a notification that only its followers have changed."""


@runtime_checkable
class SharedStore(Store, Protocol):
    """A store that other processes write to as well. It reports their writes, and can be polled."""

    def listen(self, notify: Callable[[Collection[str]], object]) -> None:
        """Call `notify`, from a thread, with the ids of tables that others wrote to, and `GRANTS`.

        It may come late, twice, or for nothing, and it may fail to come: ask for `ends` now and
        then.
        """
        ...

    def ends(self, tables: Collection[str]) -> dict[str, End]:
        """The current ends of these tables, without those that never existed."""
        ...

    def present(self, process: str, changed: Mapping[str, Collection[str]]) -> None:
        """Record that a process runs, and the seats that now follow some tables there.

        It counts for a few seconds.
        """
        ...

    def present_elsewhere(self, process: str, tables: Collection[str]) -> dict[str, set[str]]:
        """The seats that follow these tables at other running processes, where there are any."""
        ...

    def replace_kept(self, table: str, was: str, now: str) -> bool:
        """Replace a text kept with a log if it is `was` ("" for none); return whether it was."""
        ...

    def grants_since(self, seconds: float) -> list[Grant]:
        """The grants stored or revoked in the last seconds, by the clock of the store."""
        ...

    def take(self, bucket: str, burst: float, each_second: float) -> float:
        """Take one from a token bucket of all processes and return 0, or the seconds to wait.

        A bucket holds `burst`, and gains `each_second` a second, by the clock of the store.
        """
        ...
