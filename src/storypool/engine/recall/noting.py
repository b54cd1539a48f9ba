"""A table and a seat that note what is read of them, and questions about them of which the answers are noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache, wraps
from itertools import islice
from operator import contains, eq, getitem
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from storypool.engine.recall.ids import Id
from storypool.engine.recall.paths import MISSING, Name, View
from storypool.engine.table import Character, Check, Points, Purse, Seat, Table, Trait

T = TypeVar("T")
P = ParamSpec("P")


class Notes:
    """What one answer reads of a view, in order."""

    def __init__(self, view: View, blank: bool = False) -> None:
        self.view, self.blank = view, blank
        self.is_open = True
        self.is_whole = True
        """Whether all that was read could be noted: what raised an error could not."""
        self.read: dict[Name, None] = {}
        self.asked: dict[Name, Any] = {}
        """What questions about the table have found."""
        self._made: dict[Name, Any] = {}

    def note(self, name: Name) -> Any:
        """Note a name, and return what is there."""
        try:
            value = self.view.value(name)
        except Exception:
            self.is_whole = False
            raise
        self.read[name] = None
        return value

    def noting(self, kind: type, name: Name) -> Any:
        """Return what is there by this name as a thing that notes what is read of it; each time the same one."""
        made = self._made.get(name)
        if made is None:
            if kind is Id:
                made = str.__new__(Id, "" if self.blank else self.view.value(name))
            else:
                made = object.__new__(_NOTING.get(kind) or _noting_kind(kind))
            self._made[name] = made
            object.__setattr__(made, "notes", self)
            object.__setattr__(made, "noted_as", name)
        return made

    def argument(self, one: Any) -> Any:
        """Return an argument of a step: what notes what is read of it by its name, all else as it is."""
        name = getattr(one, "noted_as", None)
        if name is None or one.notes is self:
            return one if name is None else name
        return one.text if type(one) is Id else one.notes.view.value(name)

    def note_all(self) -> None:
        """Note each thing of which something could be noted as a whole."""
        for name in [*self._made]:
            self.note(name)

    def close(self) -> None:
        """End the noting, and let go of all that notes, which holds on to this: nothing is left to collect."""
        self.is_open = False
        self._made.clear()
        self.asked.clear()

    def found(self, name: Name, table: Name) -> Any:
        """Return what a question about a table found: actions and tables note what is read of them in turn."""
        value = self.view.value(name)
        if isinstance(value, Table):
            return self.noting(Table, name)
        if isinstance(value, tuple):
            self.note(name.then(_count))
            return tuple(self.found(name.then(getitem, n), table) for n in range(len(value)))
        if not isinstance(value, (Check, type(None))):
            return self.note(name)
        return self.check(name, table.then(getattr, "checks"))

    def check(self, name: Name, checks: Name) -> Any:
        """Return the action with this name as one that notes, or None; its place among all of them is noted.

        It has one name then, whichever way it was found, and one that all seats share: an action is itself alone.
        """
        place = self.note(name.then(_place, checks))
        if place is None:
            return None
        if place > LATEST:
            name = checks.then(_nth, place)
        return self.noting(Check, checks.then(_latest) if place == LATEST else name)


def question(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Decorate a function of a table so that what it finds is noted, and not all that it looks through.

    Further arguments are values, which can be hashed, or things that note what is read of them. What it has found
    at the table that it was asked about last is known: rules ask again and again.
    """
    latest: tuple[Table | None, dict[tuple[object, ...], T]] = None, {}

    @wraps(function)
    def ask(table: Table, /, *arguments: P.args, **named: P.kwargs) -> T:
        nonlocal latest
        notes: Notes | None = getattr(table, "notes", None)
        if notes is None:
            last = latest
            if last[0] is not table:
                # Another thread may ask about another table meanwhile.
                last = latest = table, {}
            found = last[1].get(arguments, MISSING)
            if found is MISSING:
                found = last[1][arguments] = function(table, *arguments, **named)
            return cast(T, found)
        of: Name = table.noted_as  # type: ignore[attr-defined]
        name = of.then(function, *map(notes.argument, arguments))
        if name not in notes.asked:
            notes.asked[name] = notes.found(name, of)
        return cast(T, notes.asked[name])

    return cast(Callable[Concatenate[Table, P], T], ask)


def judged(holds: Callable[[Any], object], thing: object) -> bool:
    """Return whether something holds of a thing; of one that notes only this is noted, not what was looked at."""
    notes: Notes | None = getattr(thing, "notes", None)
    return bool(holds(thing) if notes is None else notes.note(thing.noted_as.then(_holds, holds)))  # type: ignore


def kept_in(terms: Mapping[str, Any], kind: type[T]) -> T | None:
    """Return what a game keeps in these terms as a `kind` that notes each field; None for plain terms."""
    notes: Notes | None = getattr(terms, "notes", None)
    return notes and notes.noting(kind, terms.noted_as.of.then(_kept, kind))  # type: ignore


class _NotingMapping(Mapping[str, Any]):
    """A mapping of a table: notes each key that is looked up, or the whole."""

    notes: Notes
    noted_as: Name

    def __getitem__(self, key: str) -> Any:
        found = self.notes.note(self.noted_as.then(_get, self.notes.argument(key)))
        if found is MISSING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return cast(bool, self.notes.note(self.noted_as.then(contains, self.notes.argument(key))))

    def __iter__(self) -> Iterator[str]:
        return iter(self.notes.note(self.noted_as))

    def __len__(self) -> int:
        return len(self.notes.note(self.noted_as))

    def values(self) -> Any:
        """Return what there is."""
        return self.notes.note(self.noted_as).values()

    def items(self) -> Any:
        """Return what there is, with its keys."""
        return self.notes.note(self.noted_as).items()

    def __repr__(self) -> str:
        return repr(self.notes.note(self.noted_as))


class _NotingThings(_NotingMapping):
    """Things of a table by their ids: one that is looked up by an id that notes does so too, others are noted."""

    kind: type

    def get(self, key: str, default: Any = None) -> Any:
        """Return the thing with this id, or the default."""
        by = self.notes.argument(key)
        if type(by) is not Name:
            found = self.notes.note(self.noted_as.then(_get, by))
            return default if found is MISSING else found
        found = self._noting(self.noted_as.then(_thing, by))
        return default if found is None else found

    def _noting(self, name: Name) -> Any:
        return self.notes.noting(self.kind, name) if self.notes.note(name.then(_exists)) else None

    def __getitem__(self, key: str) -> Any:
        found = self.get(key, MISSING)
        if found is MISSING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        by = self.notes.argument(key)
        if type(by) is not Name:
            return cast(bool, self.notes.note(self.noted_as.then(contains, by)))
        return self._noting(self.noted_as.then(_thing, by)) is not None


class _NotingCharacters(_NotingThings):
    kind = Character


class _NotingSeats(_NotingThings):
    kind = Seat


class _NotingChecks(_NotingThings):
    """The actions of a table: notes how many there are, and of each what is read of it."""

    kind = Check

    def get(self, key: str, default: Any = None) -> Any:
        """Return the action with this id, or the default."""
        return self._noting(self.noted_as.then(_thing, self.notes.argument(key))) or default

    def _noting(self, name: Name) -> Any:
        return self.notes.check(name, self.noted_as)

    def __contains__(self, key: object) -> bool:
        return self.get(cast(str, key)) is not None

    def __iter__(self) -> Iterator[str]:
        return (check.id for check in self.values())

    def __len__(self) -> int:
        return cast(int, self.notes.note(self.noted_as.then(len)))

    def values(self) -> Any:
        """Return the actions, oldest first."""
        n = len(self)
        names = (self.noted_as.then(_latest) if i == n else self.noted_as.then(_nth, i) for i in range(1, n + 1))
        return [self.notes.noting(Check, name) for name in names]

    def items(self) -> Any:
        """Return the actions with their ids, oldest first."""
        return [(check.id, check) for check in self.values()]


class _NotingPoints(Points):
    """The balances of a table: notes the purses that are looked into, or all of them."""

    notes: Notes
    noted_as: Name

    def __getitem__(self, purse: Any) -> int:
        account, owner = map(self.notes.argument, purse)
        return cast(int, self.notes.note(self.noted_as.then(_balance, account, owner)))

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


def _holds(thing: object, holds: Callable[[object], object]) -> bool:
    return bool(holds(thing))


def _kept(thing: object, kind: Any) -> object:
    return kind.of(thing)


def _thing(of: Mapping[str, T], key: str) -> T | None:
    return of.get(key)


def _nth(of: Mapping[str, T], n: int) -> T:
    return next(islice(of.values(), n - 1, None))


def _latest(of: Mapping[str, T]) -> T | None:
    return next(reversed(of.values()), None)  # type: ignore[call-overload]


LATEST = 0
"""The place of the latest action, which is asked for most, whatever came before it."""


def _place(check: Check | None, checks: Mapping[str, Check]) -> int | None:
    if check is None or check is _latest(checks):
        return None if check is None else LATEST
    return next((n for n, one in enumerate(checks.values(), 1) if one is check), -1)


def _balance(points: Points, account: str, owner: str) -> int:
    return points[Purse(account, owner)]


def _of_kind(table: Table, kinds: tuple[str, ...], at: str | None, about: str | None) -> list[Trait]:
    return table.of_kind(*kinds, at=at, about=about)


def _traits(self: Any, *kinds: str, at: str | None = None, about: str | None = None) -> list[Trait]:
    where = map(self.notes.argument, (at, about))
    return list(self.notes.note(self.noted_as.then(_of_kind, kinds, *where)))


def _same_seat(self: Any, other: object) -> bool:
    """Note whether a seat is the other one, and not which one it is."""
    if self is other or not isinstance(other, Seat):
        return self is other
    return bool(self.notes.note(self.noted_as.then(eq, self.notes.argument(other))))


def _has_id(self: Any, id: str) -> bool:
    return bool(self.notes.note(self.noted_as.then(Seat.has_id, self.notes.argument(id))))


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


_NOTING: Mapping[type, type] = {
    Seat: _noting(Seat, {"id": Id}, __eq__=_same_seat, has_id=_has_id),
    Check: _noting(Check, {**dict.fromkeys(("id", "actor", "against", "by"), Id), "terms": _NotingMapping}),
    Character: _noting(Character, {"id": Id, "seat": Id}),
    Table: _noting(
        Table,
        {
            "seats": _NotingSeats,
            "characters": _NotingCharacters,
            "traits": _NotingMapping,
            "checks": _NotingChecks,
            "points": _NotingPoints,
        },
        of_kind=_traits,
    ),
}
"""The classes that note what is read of a thing, by what they stand for."""


@cache
def _noting_kind(kind: Any) -> type:
    """Return the class of what a game keeps in terms that notes each field, or a kind that notes by itself."""
    if not hasattr(kind, "__dataclass_fields__"):
        return cast(type, kind)

    def changed(self: Any, **changes: Any) -> Any:
        return self.notes.note(self.noted_as).changed(**changes)

    return _noting(kind, {}, changed=changed)
