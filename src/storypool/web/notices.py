"""Notices about the server itself, which the page shows for as long as they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from storypool.engine.refusal import Refusal
from storypool.words import Words

STORAGE = "storage"
"""The name of the notice that nothing can be stored; a move that is stored ends it."""


class Notice(NamedTuple):
    """What is the matter and what to do about it, told to everybody or only to the host."""

    refusal: Refusal
    host: bool


class Notices:
    """The notices of one server, each under a name; `changed` is called when there is another one, or one fewer."""

    def __init__(self) -> None:
        self.changed: Callable[[], object] = lambda: None
        self._told: dict[str, Notice] = {}

    def tell(self, name: str, refusal: Refusal, host: bool = False) -> None:
        """Show a notice until it is cleared."""
        if self._told.get(name) != (notice := Notice(refusal, host)):
            self._told[name] = notice
            self.changed()

    def clear(self, name: str) -> None:
        """Show a notice no more; it need not be there."""
        if self._told.pop(name, None):
            self.changed()

    def holds(self, name: str) -> bool:
        """Whether the notice of this name is shown now."""
        return name in self._told

    def texts(self, words: Words, host: bool) -> list[str]:
        """Return the notices for the host, or for anybody else, in these words."""
        said = (notice.refusal.localize(words) for notice in self._told.values() if host or not notice.host)
        return [f"{one.text} {one.remedy}".strip() for one in said]
