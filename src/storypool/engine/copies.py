"""Changed copies of frozen dataclasses, in half the time that the standard library takes for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")
Read = Callable[[object], object]
Write = Callable[[object, object], None]

if TYPE_CHECKING:
    # Fields and their types are checked as they are for the standard library's.
    from dataclasses import replace as replace
else:

    def replace(thing: T, **changes: Any) -> T:
        """Return a copy of a frozen dataclass with slots, with these fields changed.

        It is `dataclasses.replace` without `__init__`: a table changes with each record, and has many fields.

        >>> from storypool.engine.table import Table
        >>> replace(Table(title="The long night"), seq=3).title
        'The long night'
        >>> replace(Table(), length=3)
        Traceback (most recent call last):
        ...
        TypeError: Table has no field 'length'.
        """
        plain, reads, writes = _slots(type(thing))
        copy = object.__new__(plain)
        for read, write in reads:
            write(copy, read(thing))
        # Written twice, which is quicker than to ask of each field whether it changes.
        for name, value in changes.items():
            if name not in writes:
                raise TypeError(f"{type(thing).__name__} has no field {name!r}.")
            writes[name](copy, value)
        return copy


@cache
def _slots(cls: Any) -> tuple[type, tuple[tuple[Read, Write], ...], dict[str, Write]]:
    """Return the class of a copy (the `plain` of a class that has one), and how to read and write each field."""
    plain = getattr(cls, "plain", cls)
    writes = {one.name: getattr(plain, one.name).__set__ for one in fields(cls)}
    return plain, tuple((getattr(cls, name).__get__, write) for name, write in writes.items()), writes
