"""The later worth of points, from the lab: an extra room, imported when a table first needs it."""

from importlib.util import find_spec
from threading import Lock
from typing import Protocol

from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal
from storypool.engine.table import Table
from storypool.odds.question import Worth
from storypool.web.notices import Notices
from storypool.words import Phrase

NO_LAB = Refusal.of("unknown", Phrase("lab.missing"))
"""The answer of a server or terminal without the lab."""


def has_lab() -> bool:
    """Whether the lab is installed; a folder with nothing but caches does not count."""
    found = find_spec("storypool.lab")
    return found is not None and found.origin is not None


class Solver(Protocol):
    """The part of the lab that a server uses: the worth of saved points."""

    @property
    def busy(self) -> bool:
        """Whether a solution is being made."""

    def kept(self, system: System, table: Table, seat_id: str, row: Worth) -> float | None:
        """The later worth of the points that an offer costs, or None if unknown."""

    def close(self) -> None:
        """End the solutions that are being made."""


class LaterPoints:
    """The later worth of points, for one server; unknown without the lab."""

    def __init__(self) -> None:
        self._solver: Solver | None = None
        self._lock = Lock()

    @property
    def busy(self) -> bool:
        """Whether a solution is being made, so that clients may ask again."""
        return self._solver is not None and self._solver.busy

    def kept(self, system: System, table: Table, seat_id: str, row: Worth) -> float | None:
        """The later worth of an offer's points to this seat's side."""
        if not has_lab():
            return None
        with self._lock:
            if self._solver is None:
                from storypool.lab.later import Later

                self._solver = Later()
        return self._solver.kept(system, table, seat_id, row)

    def note_missing(self, notices: Notices) -> None:
        """Show a notice if the lab is missing."""
        if not has_lab():
            notices.show("lab", NO_LAB)

    def close(self) -> None:
        """End the solutions that are being made."""
        if self._solver is not None:
            self._solver.close()
