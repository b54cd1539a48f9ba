"""Answers about a table that are given again for as long as nothing has changed of what they read.

A rule is handed a table that notes what is read of it. What an answer read is kept as a path through a tree: each
node names one thing to look up, and has a branch for each thing that was found there. A rule that finds the same
reads on in the same way, so where such a path leads through a table as it is now, the answer at its end holds.
Nothing is ever declared out of date, and no rule knows of it.

Source of the idea: verifying traces, in Mokhov, Mitchell and Peyton Jones, "Build Systems à la Carte" (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from operator import contains, eq, getitem
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from storypool.engine.bag import Multiset
from storypool.engine.table import Check, Points, Seat, Table, Trait

T = TypeVar("T")
P = ParamSpec("P")

MAX_NAMES = 16_000
"""How many names the answers about one table have read in all; beyond that all are worked out again."""
MAX_ITEMS = 16
"""Up to how many entries a mapping is compared by what it holds, and not as one thing."""

Step = tuple[Any, ...]
"""How to get from one thing to a next one: a function, and its arguments after the first."""


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """What can be read: a step from something else that can be. There is one for each, so it is itself its key.

    What is there by an `own` name depends on the seat that reads.
    """

    of: Name | None = None
    step: Step = ()
    own: bool = False
    _next: dict[Step, Name] = field(default_factory=dict, repr=False)

    def then(self, *step: Any) -> Name:
        """Return the name of what one more step leads to."""
        found = self._next.get(step)
        if found is not None:
            return found
        own = self.own or any(one is OWN for one in step)
        return self._next.setdefault(step, Name(self, step, own))

    def forget(self) -> None:
        """Make all names that begin with this one again; those that are in use go on leading to the same."""
        self._next.clear()


OWN = object()
"""Among the arguments of a step: the seat that reads."""
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


def _key(value: object) -> Hashable:
    """Return what a value is compared by: what is small by what it holds, in order, anything else by identity."""
    if isinstance(value, (str, int)) and value is not True and value is not False:
        return value
    if isinstance(value, (tuple, list)):
        return tuple(map(_key, cast(Sequence[object], value)))
    if isinstance(value, (dict, Multiset)) and len(value) <= MAX_ITEMS:
        return tuple((name, _key(one)) for name, one in value.items())
    return _Same(value)


class _Found:
    """What has been found by names, and what it is compared by."""

    __slots__ = ("keys", "values")

    def __init__(self, name: Name, value: object) -> None:
        self.values: dict[Name, Any] = {name: value}
        self.keys: dict[Name, Hashable] = {}


class View:
    """A table as one seat sees it: a name is looked up once, and one that is no seat's own once for all seats."""

    def __init__(self, memory: Memory, table: Table, seat: Seat) -> None:
        self.memory, self.seat = memory, seat
        self._found = (memory.found(table), _Found(memory.seat, seat))

    def value(self, name: Name) -> Any:
        """Return what is there by this name."""
        values = self._found[name.own].values
        found = values.get(name, MISSING)
        if found is MISSING:
            assert name.of is not None
            function, *arguments = name.step
            of = self.value(name.of)
            found = values[name] = function(of, *(self.seat if one is OWN else one for one in arguments))
        return found

    def key(self, name: Name) -> Hashable:
        """Return what is there by this name as a key."""
        keys = self._found[name.own].keys
        key = keys.get(name)
        if key is None:
            key = keys[name] = _key(self.value(name))
        return key

    def leads(self, path: _Path) -> bool:
        """Whether each name of a path leads on along it."""
        known = self._found[0].keys.get
        for name, along in zip(path.names, path.keys, strict=True):
            key = known(name)
            if (self.key(name) if key is None else key) != along:
                return False
        return True


class _Path(NamedTuple):
    """A stretch of what answers read, with the keys that lead along it, and what is at its end.

    Where paths part, it is the name `on` which they do, with a further path for each of its keys; else an answer.
    """

    names: tuple[Name, ...]
    keys: tuple[Hashable, ...]
    on: Name | None
    end: Any


class Memory:
    """The answers about one table, each with what it read.

    A `question` names all that an answer depends on and that is not read of the view, such as a move. Threads may
    share a memory: a path is never changed but replaced, and one that gets lost costs an answer again.
    """

    def __init__(self) -> None:
        self.table, self.seat = Name(), Name(own=True)
        self._tables: tuple[tuple[Table, _Found], ...] = ()
        self._paths: dict[Hashable, _Path] = {}
        self._size = 0

    def found(self, table: Table) -> _Found:
        """Return what has been found at this table: the same for all seats that see it alike."""
        for one, found in self._tables:
            if one is table:
                return found
        found = _Found(self.table, table)
        # The game masters see another one where something is hidden.
        self._tables = ((table, found), *self._tables[:1])
        return found

    def answer(self, question: Hashable, view: View, work: Callable[[Table, Seat], T]) -> T:
        """Return an answer again where all that it read is as it was; else what `work` returns.

        `work` gets the table and the seat of this view, as ones that note what is read of them.
        """
        path = self._paths.get(question)
        while path is not None and view.leads(path):
            if path.on is None:
                return cast(T, path.end)
            path = path.end.get(view.key(path.on))
        notes = Notes(view)
        answer = work(notes.noting(Table, self.table), notes.noting(Seat, self.seat))
        self._keep(question, tuple(notes.read), tuple(map(view.key, notes.read)), answer)
        return answer

    def _keep(
        self, question: Hashable, names: tuple[Name, ...], keys: tuple[Hashable, ...], answer: object
    ) -> None:
        """Add a path, which parts from that of an earlier answer at some name: up to there the same was read."""
        if self._size + len(names) > MAX_NAMES:
            self._paths, self._size = {}, 0
            self.table.forget()
            self.seat.forget()
            self._tables = ()
        paths, key = self._paths, question
        while (path := paths.get(key)) is not None:
            both = zip(path.names, path.keys, names, keys, strict=False)
            n = next((n for n, (was, at, name, to) in enumerate(both) if was is not name or at != to), None)
            if n is not None:
                if path.names[n] is names[n]:
                    rest = _Path(path.names[n + 1 :], path.keys[n + 1 :], path.on, path.end)
                    parted = {path.keys[n]: rest, keys[n]: _Path(names[n + 1 :], keys[n + 1 :], None, answer)}
                    paths[key] = _Path(names[:n], keys[:n], names[n], parted)
                    self._size += len(names) - n
                    return
                break
            n = len(path.names)
            if path.on is None or names[n : n + 1] != (path.on,):
                break
            paths, key, names, keys = path.end, keys[n], names[n + 1 :], keys[n + 1 :]
        paths[key] = _Path(names, keys, None, answer)
        self._size += len(names)


class Notes:
    """What one answer reads of a view, in order."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.read: dict[Name, None] = {}
        self.asked: dict[Name, Any] = {}
        """What questions about the table have found."""
        self._made: dict[Name, Any] = {}

    def note(self, name: Name) -> Any:
        """Note a name, and return what is there."""
        self.read[name] = None
        return self.view.value(name)

    def noting(self, kind: type, name: Name) -> Any:
        """Return what is there by this name as a thing that notes what is read of it; each time the same one."""
        made = self._made.get(name)
        if made is None:
            cls = _NOTING.get(kind, kind)
            made = self._made[name] = object.__new__(cls)
            object.__setattr__(made, "notes", self)
            object.__setattr__(made, "noted_as", name)
        return made

    def found(self, name: Name) -> Any:
        """Return what a question about the table found: actions and tables note what is read of them in turn."""
        value = self.view.value(name)
        if isinstance(value, Table):
            return self.noting(Table, name)
        if isinstance(value, tuple):
            self.note(name.then(_count))
            return tuple(self.found(name.then(getitem, n)) for n in range(len(value)))
        if not isinstance(value, (Check, type(None))):
            return self.note(name)
        self.note(name.then(_exists))
        return value and self.noting(Check, name)


def question(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Decorate a function of a table so that what it finds is noted, and not all that it looks through.

    Further arguments are values, or the seat that reads.
    """

    @wraps(function)
    def ask(table: Table, /, *arguments: P.args, **named: P.kwargs) -> T:
        notes: Notes | None = getattr(table, "notes", None)
        if notes is None:
            return function(table, *arguments, **named)
        own = tuple(OWN if getattr(one, "noted_as", None) is notes.view.memory.seat else one for one in arguments)
        name = table.noted_as.then(function, *own)  # type: ignore[attr-defined]
        if name not in notes.asked:
            notes.asked[name] = notes.found(name)
        return cast(T, notes.asked[name])

    return cast(Callable[Concatenate[Table, P], T], ask)


class _NotingMapping(Mapping[str, Any]):
    """A mapping of a table: notes each key that is looked up, or the whole."""

    notes: Notes
    noted_as: Name

    def __getitem__(self, key: str) -> Any:
        found = self.notes.note(self.noted_as.then(_get, key))
        if found is MISSING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return cast(bool, self.notes.note(self.noted_as.then(contains, key)))

    def __iter__(self) -> Iterator[str]:
        return iter(self.notes.note(self.noted_as))

    def __len__(self) -> int:
        return len(self.notes.note(self.noted_as))

    def __repr__(self) -> str:
        return repr(self.notes.note(self.noted_as))


class _NotingChecks(_NotingMapping):
    """The actions of a table: notes which there are, and of each what is read of it."""

    def __getitem__(self, key: str) -> Any:
        if key not in self:
            raise KeyError(key)
        return self.notes.noting(Check, self.noted_as.then(getitem, key))

    def __iter__(self) -> Iterator[str]:
        return iter(self.notes.note(self.noted_as.then(tuple)))

    def __len__(self) -> int:
        return len(self.notes.note(self.noted_as.then(tuple)))


class _NotingPoints(Points):
    """The balances of a table: notes the purses that are looked into, or all of them."""

    notes: Notes
    noted_as: Name

    def __getitem__(self, purse: Any) -> int:
        return cast(int, self.notes.note(self.noted_as.then(getitem, purse)))

    def __contains__(self, purse: object) -> bool:
        return self[purse] != 0

    @property
    def _counts(self) -> dict[Any, int]:  # type: ignore[override]
        return cast(Points, self.notes.note(self.noted_as))._counts

    def __hash__(self) -> int:
        return hash(self.notes.note(self.noted_as))

    def __repr__(self) -> str:
        return repr(self.notes.note(self.noted_as))

    @classmethod
    def _of(cls, counts: dict[Any, int]) -> Any:
        return Points._of(counts)


def _count(value: tuple[object, ...] | None) -> int | None:
    return None if value is None else len(value)


def _exists(value: object) -> bool:
    return value is not None


def _get(of: Mapping[str, object], key: str) -> object:
    return of.get(key, MISSING)


def _of_kind(table: Table, kinds: tuple[str, ...], at: str | None, about: str | None) -> list[Trait]:
    return table.of_kind(*kinds, at=at, about=about)


def _traits(self: Any, *kinds: str, at: str | None = None, about: str | None = None) -> list[Trait]:
    return list(self.notes.note(self.noted_as.then(_of_kind, kinds, at, about)))


def _same_seat(self: Any, other: object) -> bool:
    """Note whether a seat is the other one, and not which one it is."""
    return isinstance(other, Seat) and bool(self.notes.note(self.noted_as.then(eq, other)))


def _has_id(self: Any, id: str) -> bool:
    return bool(self.notes.note(self.noted_as.then(Seat.has_id, id)))


class _Field:
    """A field of a thing that notes: it is noted when it is read first, and from then on is a plain attribute."""

    def __init__(self, name: str, kind: type | None) -> None:
        self.name, self.kind = name, kind

    def __get__(self, thing: Any, cls: type | None = None) -> Any:
        if thing is None:
            return self
        name = thing.noted_as.then(getattr, self.name)
        read = thing.notes.noting(self.kind, name) if self.kind else thing.notes.note(name)
        thing.__dict__[self.name] = read
        return read


def _noting(cls: type, parts: Mapping[str, type], **methods: Any) -> type:
    """Return a subclass of a frozen dataclass of which each field notes that it is read, or is a part that notes.

    What the dataclass works out from its fields, it works out from these.
    """

    def whole(self: Any) -> Any:
        return self.notes.note(self.noted_as)

    def equal(self: Any, other: Any) -> bool:
        return bool(whole(self) == (whole(other) if type(other) is type(self) else other))

    members: dict[str, Any] = {one.name: _Field(one.name, parts.get(one.name)) for one in fields(cls)}
    # A changed copy notes nothing.
    members |= {"plain": cls, "__eq__": equal, **methods}
    members |= {"__hash__": lambda self: hash(whole(self)), "__repr__": lambda self: repr(whole(self))}
    return type(f"Noting{cls.__name__}", (cls,), members)


_PARTS = {
    "characters": _NotingMapping,
    "traits": _NotingMapping,
    "checks": _NotingChecks,
    "points": _NotingPoints,
}
_NOTING: Mapping[type, type] = {
    Seat: _noting(Seat, {}, __eq__=_same_seat, has_id=_has_id),
    Check: _noting(Check, {}),
    Table: _noting(Table, _PARTS, of_kind=_traits),
}
"""The classes that note what is read of a thing, by what they stand for."""
