"""Names for what can be read at a table, the values found by them, and paths of what earlier
answers read.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from storypool.engine.bag import Multiset

MAX_ITEMS = 16
"""The most entries of a mapping that is compared by its contents; a larger one is compared by
identity.
"""

Step = tuple[Any, ...]
"""How to get from one value to the next: a function, and its arguments after the first, which may
be names.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """The name of something that can be read: a step on from another name.

    `then` makes each name only once, so names are compared by identity. What an `own` name leads to
    depends on the seat that reads. A step `by_names` has names among its arguments.
    """

    of: Name | None = None
    step: Step = ()
    own: bool = False
    by_names: bool = False
    _next: dict[Step, Name] = field(default_factory=dict, repr=False)

    def then(self, *step: Any) -> Name:
        """Return the name that is one more step on; the same one each time."""
        found = self._next.get(step)
        if found is not None:
            return found
        names = [one for one in step if type(one) is Name]
        own = self.own or any(one.own for one in names)
        return self._next.setdefault(step, Name(self, step, own, bool(names)))

    def forget(self) -> None:
        """Drop the names that begin with this one, so that no cycle of references keeps them alive.

        Those that are in use still lead to the same values.
        """
        names = [*self._next.values()]
        self._next.clear()
        for name in names:
            name.forget()


MISSING = object()
"""Stands for a value that is not there."""


class _Same:
    """A key that compares a thing by identity; it keeps the thing alive, so its id is not used
    again.
    """

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return type(other) is _Same and self.thing is other.thing


_KEYS: Mapping[bool | None, Hashable] = {True: object(), False: object(), None: object()}
"""The keys of True, False and None, because True would equal 1."""


def _key(value: object) -> Hashable:
    """Return what a value is compared by: a small one by its contents, in order, any other by
    identity.
    """
    if value is None or value is True or value is False:
        return _KEYS[value]
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(map(_key, cast(Sequence[object], value)))
    if isinstance(value, (dict, Multiset)) and len(value) <= MAX_ITEMS:
        return tuple((name, _key(one)) for name, one in value.items())
    return _Same(value)


class Found:
    """The values that were found by names, and the keys that these are compared by."""

    __slots__ = ("keys", "values")

    def __init__(self, name: Name, value: object) -> None:
        self.values: dict[Name, Any] = {name: value}
        self.keys: dict[Name, Hashable] = {}


class Path(NamedTuple):
    """A branch of the tree of what answers read: names, and the keys of what was found by them.

    At its `end` is an answer; or, if answers read differently from there, a further path for each
    key of the name `on`.
    """

    names: tuple[Name, ...]
    keys: tuple[Hashable, ...]
    on: Name | None
    end: Any


class View:
    """A table as one seat sees it; each name is looked up once, and one that is not `own` once for
    all seats.
    """

    def __init__(self, table: Found, seat: Found) -> None:
        self._found = (table, seat)

    def value(self, name: Name) -> Any:
        """Return the value that this name leads to."""
        values = self._found[name.own].values
        found = values.get(name, MISSING)
        if found is MISSING:
            assert name.of is not None
            function, *arguments = name.step
            if name.by_names:
                arguments = [self.value(one) if type(one) is Name else one for one in arguments]
            found = values[name] = function(self.value(name.of), *arguments)
        return found

    def key(self, name: Name) -> Hashable:
        """Return the key of the value that this name leads to; one that cannot be read gets a key
        of its own.
        """
        keys = self._found[name.own].keys
        key = keys.get(name)
        if key is None:
            try:
                key = _key(self.value(name))
            except Exception:
                key = object()
            keys[name] = key
        return key

    def leads(self, path: Path) -> bool:
        """Whether each name of a path has the key here that the path has."""
        known = self._found[0].keys.get
        for name, along in zip(path.names, path.keys, strict=True):
            key = known(name)
            if (self.key(name) if key is None else key) != along:
                return False
        return True
