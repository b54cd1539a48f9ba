"""What points would be worth later, which only the lab knows: an extra room, imported when a table
first asks.
"""

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
"""What a server or a terminal answers that is asked for the lab and has none."""


def has_lab() -> bool:
    """Whether the lab is installed; a folder that holds nothing but caches is not it."""
    found = find_spec("storypool.lab")
    return found is not None and found.origin is not None


class Solver(Protocol):
    """What the lab gives to a server: the worth of points that are kept, and whether it is working
    it out.
    """

    @property
    def busy(self) -> bool:
        """Whether a solution is being made."""

    def kept(self, system: System, table: Table, seat_id: str, row: Worth) -> float | None:
        """The later worth of the points that an offer costs, or None if unknown."""

    def close(self) -> None:
        """End what is still being solved."""


class LaterPoints:
    """The worth of points later, for one server. Without the lab none is known, and there is a
    notice.
    """

    def __init__(self) -> None:
        self._solver: Solver | None = None
        self._lock = Lock()

    @property
    def busy(self) -> bool:
        """Whether a solution is being made, so that it may help to ask again."""
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
        """Show the sentence about the lab, where a table asks for what only the lab knows and it is
        missing.
        """
        if not has_lab():
            notices.show("lab", NO_LAB)

    def close(self) -> None:
        """End what is still being solved."""
        if self._solver is not None:
            self._solver.close()
