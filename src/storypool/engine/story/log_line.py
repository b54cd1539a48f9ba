"""A line of the log while its sentence is written, with the common parts of sentences."""

from collections.abc import Iterable
from dataclasses import dataclass

from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.words import Words

ENDS = (".", "!", "?", "…", "”")
"""The signs that end a sentence."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A record, the table before it, and the game by whose rules it was made."""

    record: Record
    before: Table
    system: System

    @property
    def words(self) -> Words:
        """The sentences of the game."""
        return self.system.words

    @property
    def who(self) -> str:
        """The name of the seat that made the record."""
        return self.seat(self.record.seat)

    def say(self, id: str, **values: object) -> str:
        """A sentence of the game."""
        return self.system.words.say(id, **values)

    def own(self, ids: Iterable[str]) -> str:
        """The first of these sentences that the game has, or ""."""
        return next((id for id in ids if id in self.words), "")

    def seat(self, id: str) -> str:
        """The name of a seat; its id where it is not there."""
        return self.before.seats[id].name if id in self.before.seats else id

    def character(self, id: str) -> str:
        """The name of a character; its id where it is not there."""
        return self.before.characters[id].name if id in self.before.characters else id

    def because(self, text: str, why: str) -> str:
        """A sentence with the reason behind it, if there is one."""
        return (
            self.say("story.because", text=text.rstrip("."), why=why.rstrip(".")) if why else text
        )


def ended(text: str) -> str:
    """A text with a full stop, unless it ends in a sign of its own or is empty."""
    return text if not text or text.endswith(ENDS) else f"{text.rstrip(' :')}."
