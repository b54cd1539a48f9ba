"""A game on one page: a file of text that compiles to the moves, asks, waits and panels of a game.

`file_format.schema` lists its keys, `file_text` reads it, `expressions` is its closed language, and
`compiled` makes the game. Nothing in a file runs: it is data, and may come from a stranger.
"""

from dataclasses import dataclass

from storypool.words import Phrase, StorypoolError

LARGEST = 200_000
"""The most bytes of a file."""


@dataclass(frozen=True)
class Mistake:
    """A mistake in a file: its text and its line, counted from 1."""

    line: int
    what: Phrase

    def __str__(self) -> str:
        return f"{self.line}: {self.what}"


class Unread(StorypoolError, ValueError):
    """A file with `mistakes`; the text is the first. `file` is its path, if known."""

    def __init__(self, mistakes: tuple[Mistake, ...], file: str = "") -> None:
        super().__init__(mistakes[0].what)
        self.mistakes, self.file = mistakes, file
