"""Ids that note how they are used: an answer that only looks things up by one can be given for
other ids too.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq
from typing import Any, Protocol

from storypool.engine.recall.paths import Name


class Reads(Protocol):
    """The notes of one answer, as an id needs them."""

    read: dict[Name, None]
    is_open: bool

    def note(self, name: Name) -> Any:
        """Note that a name is read, and return its value."""
        ...


class Id(str):
    """An id that was read from a proxy: a str that notes how an answer uses it.

    Where something is looked up by it, its name is noted and not its text; where it is compared, or
    tested for being empty, the result is; for any other use, the text. Once the answer is done it
    is a plain text.
    """

    __slots__ = ("noted_as", "notes")
    noted_as: Name
    notes: Reads

    @property
    def text(self) -> str:
        """The id as a plain text; that it is read is noted."""
        text: str = self.notes.note(self.noted_as) if self.notes.is_open else str.__str__(self)
        return text

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, str):
            return False
        notes = self.notes
        if not notes.is_open or self.noted_as in notes.read:
            return self.text == (other.text if type(other) is Id else other)
        if type(other) is Id:
            other = other.noted_as if other.notes is notes else other.text
        return bool(notes.note(self.noted_as.then(eq, other)))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.text)

    def __bool__(self) -> bool:
        notes, name = self.notes, self.noted_as
        if not notes.is_open or name in notes.read:
            return self.text != ""
        return bool(notes.note(name.then(bool)))

    def __radd__(self, other: str) -> str:
        return other + self.text

    def __reduce_ex__(self, protocol: Any) -> Any:
        return str, (self.text,)


def _of_the_text(name: str) -> Callable[..., Any]:
    """Return the method of `str` with this name for an `Id`: it notes the text, which its result
    depends on.
    """
    method = getattr(str, name)

    def ask(self: Id, *arguments: Any, **named: Any) -> Any:
        return method(
            self.text, *(one.text if type(one) is Id else one for one in arguments), **named
        )

    return ask


_NOT_OF_THE_TEXT = {"__new__", "__getattribute__", "__sizeof__", "maketrans", *vars(Id)}
for _name in vars(str).keys() - _NOT_OF_THE_TEXT:
    if callable(getattr(str, _name)):
        setattr(Id, _name, _of_the_text(_name))
