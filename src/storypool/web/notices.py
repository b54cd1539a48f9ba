"""Notices about the server itself; the page shows each until it is cleared."""

from collections.abc import Callable
from typing import NamedTuple

from storypool.engine.refusal import Refusal
from storypool.words import Words

STORAGE = "storage"
"""The name of the notice that nothing can be stored; a move that is stored ends it."""


class Notice(NamedTuple):
    """A problem and its remedy, shown to everybody or only to the host."""

    refusal: Refusal
    host: bool


class Notices:
    """The notices of one server by name; every change calls `changed`."""

    def __init__(self) -> None:
        self.changed: Callable[[], object] = lambda: None
        self._shown: dict[str, Notice] = {}

    def show(self, name: str, refusal: Refusal, host: bool = False) -> None:
        """Show a notice until it is cleared."""
        if self._shown.get(name) != (notice := Notice(refusal, host)):
            self._shown[name] = notice
            self.changed()

    def clear(self, name: str) -> None:
        """Remove a notice, if it is shown."""
        if self._shown.pop(name, None):
            self.changed()

    def holds(self, name: str) -> bool:
        """Whether this notice is shown."""
        return name in self._shown

    def texts(self, words: Words, host: bool) -> list[str]:
        """The notices for the host, or those for everybody, in these words."""
        shown = (
            notice.refusal.localize(words)
            for notice in self._shown.values()
            if host or not notice.host
        )
        return [f"{one.text} {one.remedy}".strip() for one in shown]
