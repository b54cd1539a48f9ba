"""Notices about the server itself, which the page shows for as long as they hold."""

from collections.abc import Callable
from typing import NamedTuple

from storypool.engine.refusal import Refusal
from storypool.words import Words

STORAGE = "storage"
"""The name of the notice that nothing can be stored; a move that is stored ends it."""


class Notice(NamedTuple):
    """What is the matter and what to do about it, for everybody or only for the host."""

    refusal: Refusal
    host: bool


class Notices:
    """The notices of one server, each under a name; `changed` is called when there is one more, or
    one fewer.
    """

    def __init__(self) -> None:
        self.changed: Callable[[], object] = lambda: None
        self._shown: dict[str, Notice] = {}

    def show(self, name: str, refusal: Refusal, host: bool = False) -> None:
        """Show a notice until it is cleared."""
        if self._shown.get(name) != (notice := Notice(refusal, host)):
            self._shown[name] = notice
            self.changed()

    def clear(self, name: str) -> None:
        """Show a notice no more; it need not be there."""
        if self._shown.pop(name, None):
            self.changed()

    def holds(self, name: str) -> bool:
        """Whether the notice of this name is shown now."""
        return name in self._shown

    def texts(self, words: Words, host: bool) -> list[str]:
        """Return the notices for the host, or for anybody else, in these words."""
        shown = (
            notice.refusal.localize(words)
            for notice in self._shown.values()
            if host or not notice.host
        )
        return [f"{one.text} {one.remedy}".strip() for one in shown]
