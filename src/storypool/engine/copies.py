"""Changed copies of frozen dataclasses, in half the time that the standard library takes for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")
Slot = tuple[str, Callable[[object], object], Callable[[object, object], None]]

if TYPE_CHECKING:
    # Fields and their types are checked as they are for the standard library's.
    from dataclasses import replace as replace
else:

    def replace(thing: T, **changes: Any) -> T:
        """Return a frozen dataclass with slots again, with these fields changed.

        It is `dataclasses.replace` without `__init__`: a table changes with each record, and has many fields.

        >>> from storypool.engine.table import Table
        >>> replace(Table(title="The long night"), seq=3).title
        'The long night'
        >>> replace(Table(), length=3)
        Traceback (most recent call last):
        ...
        TypeError: Table has no field 'length'.
        """
        # One that notes what is read of it is copied as a whole.
        thing = thing.whole() if hasattr(thing, "whole") else thing
        copy = object.__new__(type(thing))
        for name, read, write in _slots(type(thing)):
            write(copy, changes.pop(name) if name in changes else read(thing))
        if changes:
            raise TypeError(f"{type(thing).__name__} has no field {next(iter(changes))!r}.")
        return copy


@cache
def _slots(cls: Any) -> tuple[Slot, ...]:
    slots = [(field.name, getattr(cls, field.name)) for field in fields(cls)]
    return tuple((name, slot.__get__, slot.__set__) for name, slot in slots)
