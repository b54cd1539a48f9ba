"""Names of what can be read at a table, what is found by them, and paths through what was read."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from storypool.engine.bag import Multiset

MAX_ITEMS = 16
"""Up to how many entries a mapping is compared by what it holds, and not as one thing."""

Step = tuple[Any, ...]
"""How to get from one thing to a next one: a function, and its arguments after the first, which may be names."""


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """What can be read: a step from something else that can be. There is one for each, so it is itself its key.

    What is there by an `own` name depends on the seat that reads. A step `by_names` has names among its arguments.
    """

    of: Name | None = None
    step: Step = ()
    own: bool = False
    by_names: bool = False
    _next: dict[Step, Name] = field(default_factory=dict, repr=False)

    def then(self, *step: Any) -> Name:
        """Return the name of what one more step leads to."""
        found = self._next.get(step)
        if found is not None:
            return found
        names = [one for one in step if type(one) is Name]
        own = self.own or any(one.own for one in names)
        return self._next.setdefault(step, Name(self, step, own, bool(names)))

    def forget(self) -> None:
        """Make all names that begin with this one again; those that are in use go on leading to the same.

        None of them holds on to another then that holds on to it.
        """
        names = [*self._next.values()]
        self._next.clear()
        for name in names:
            name.forget()


MISSING = object()
"""What is found where there is nothing."""


class _Same:
    """A thing as a key: equal for the very same thing alone, which it keeps from being freed."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return type(other) is _Same and self.thing is other.thing


_KEYS: Mapping[bool | None, Hashable] = {True: object(), False: object(), None: object()}
"""What yes, no and nothing are compared by: yes is not one."""


def _key(value: object) -> Hashable:
    """Return what a value is compared by: what is small by what it holds, in order, anything else by identity."""
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
    """What has been found by names, and what it is compared by."""

    __slots__ = ("keys", "values")

    def __init__(self, name: Name, value: object) -> None:
        self.values: dict[Name, Any] = {name: value}
        self.keys: dict[Name, Hashable] = {}


class Path(NamedTuple):
    """A stretch of what answers read, with the keys that lead along it, and what is at its end.

    Where paths part, it is the name `on` which they do, with a further path for each of its keys; else an answer.
    """

    names: tuple[Name, ...]
    keys: tuple[Hashable, ...]
    on: Name | None
    end: Any


class View:
    """A table as one seat sees it: a name is looked up once, and one that is no seat's own once for all seats."""

    def __init__(self, table: Found, seat: Found) -> None:
        self._found = (table, seat)

    def value(self, name: Name) -> Any:
        """Return what is there by this name."""
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
        """Return what is there by this name as a key; where it cannot be read, as one that nothing else has."""
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
        """Whether each name of a path leads on along it."""
        known = self._found[0].keys.get
        for name, along in zip(path.names, path.keys, strict=True):
            key = known(name)
            if (self.key(name) if key is None else key) != along:
                return False
        return True
