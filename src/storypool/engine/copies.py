"""Fast changed copies of frozen dataclasses, and results kept for the same things."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import cache, cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
Read = Callable[[object], object]
Write = Callable[[object, object], None]

if TYPE_CHECKING:
    # Check fields and their types like the standard library's `replace`.
    from dataclasses import replace as replace
else:

    def replace(thing: T, **changes: Any) -> T:
        """A copy of a frozen dataclass with these fields changed.

        It is `dataclasses.replace` without `__init__`. A class of many fields that is copied often,
        as a table is with each record, has no slots: what it holds is copied at once. That must be
        nothing but its fields, so a class with a `cached_property` is refused.

        >>> from storypool.engine.table import Table
        >>> replace(Table(title="The long night"), seq=3).title
        'The long night'
        >>> replace(Table(), length=3)
        Traceback (most recent call last):
        ...
        TypeError: Table has no field 'length'.
        """
        cls = type(thing)
        names, slots = _shape(cls)
        if not changes.keys() <= names.keys():
            unknown = next(name for name in changes if name not in names)
            raise TypeError(f"{cls.__name__} has no field {unknown!r}.")
        copy = object.__new__(cls)
        if not slots:
            copy.__dict__.update(thing.__dict__)
            copy.__dict__.update(changes)
            return copy
        for read, write in slots.values():
            write(copy, read(thing))
        # Written twice for speed: a loop need not ask of each field whether it changes.
        for name, value in changes.items():
            slots[name][1](copy, value)
        return copy


@cache
def _shape(cls: Any) -> tuple[dict[str, None], dict[str, tuple[Read, Write]]]:
    """The fields of a copy, and how to reach those in slots."""
    if any(
        isinstance(member, cached_property)
        for base in cls.__mro__
        for member in vars(base).values()
    ):
        raise TypeError(
            f"{cls.__name__} keeps what it has worked out: copy it with dataclasses.replace."
        )
    names = dict.fromkeys(one.name for one in fields(cls))
    members = [(name, getattr(cls, name)) for name in names] if "__slots__" in vars(cls) else []
    slots = {name: (member.__get__, member.__set__) for name, member in members}
    return names, slots


def recent(most: int) -> Callable[[F], F]:
    """Decorate a function of immutable things to keep its last `most` results.

    Things are compared by identity, which is quicker than a comparison of two tables. Each result
    is kept with its arguments, so an id cannot become that of another thing. Threads may work out
    a result twice.

    >>> pairs = recent(1)(lambda one, other: (one, other))
    >>> a, b = {"a": 1}, {"b": 2}
    >>> pairs(a, b) is pairs(a, b), pairs(a, b) is pairs(a, dict(b))
    (True, False)
    """

    def kept(function: F) -> F:
        results: dict[tuple[int, ...], tuple[tuple[object, ...], object]] = {}

        @wraps(function)
        def known(*args: object) -> object:
            key = tuple(map(id, args))
            found = results.get(key)
            if found is None:
                found = results[key] = args, function(*args)
                # Another thread may remove a result or add one at the same time.
                with suppress(RuntimeError, StopIteration):
                    while len(results) > most:
                        results.pop(next(iter(results)), None)
            return found[1]

        return cast(F, known)

    return kept
