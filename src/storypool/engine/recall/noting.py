"""The notes of what an answer reads, and questions about a table of which only the results are
noted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from operator import getitem
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from storypool.engine.recall.ids import Id
from storypool.engine.recall.paths import MISSING, Name, View
from storypool.engine.recall.proxies import latest_of, nth_of, proxy_class
from storypool.engine.table import Check, Table

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
        """The results of functions decorated with `question`."""
        self._made: dict[Name, Any] = {}

    def note(self, name: Name) -> Any:
        """Note that a name is read, and return its value."""
        try:
            value = self.view.value(name)
        except Exception:
            self.is_whole = False
            raise
        self.read[name] = None
        return value

    def proxy(self, kind: type, name: Name) -> Any:
        """Return the proxy of what this name leads to, which notes its reads; the same one each
        time.
        """
        made = self._made.get(name)
        if made is None:
            if kind is Id:
                made = str.__new__(Id, "" if self.blank else self.view.value(name))
            else:
                made = object.__new__(proxy_class(kind))
            self._made[name] = made
            object.__setattr__(made, "notes", self)
            object.__setattr__(made, "noted_as", name)
        return made

    def argument(self, one: Any) -> Any:
        """Return a value as the argument of a step: a proxy of these notes as its name, any other
        as its value.
        """
        name = getattr(one, "noted_as", None)
        if name is None or one.notes is self:
            return one if name is None else name
        return one.text if type(one) is Id else one.notes.view.value(name)

    def note_all(self) -> None:
        """Note as a whole each thing that has a proxy."""
        for name in [*self._made]:
            self.note(name)

    def close(self) -> None:
        """Stop noting and drop the proxies, which refer back to these notes: no cycle is left to
        collect.
        """
        self.is_open = False
        self._made.clear()
        self.asked.clear()

    def found(self, name: Name, table: Name) -> Any:
        """Return the result of a `question` about a table, with proxies of the actions and tables
        in it.
        """
        value = self.view.value(name)
        if isinstance(value, Table):
            return self.proxy(Table, name)
        if isinstance(value, tuple):
            self.note(name.then(_count))
            return tuple(self.found(name.then(getitem, n), table) for n in range(len(value)))
        if not isinstance(value, (Check, type(None))):
            return self.note(name)
        return self.check(name, table.then(getattr, "checks"))

    def check(self, name: Name, checks: Name) -> Any:
        """Return the proxy of the action with this name, or None; its place among the actions is
        noted.

        The proxy is named by that place: an action has one name, however it was found, and all
        seats share it.
        """
        place = self.note(name.then(_place, checks))
        if place is None:
            return None
        if place > LATEST:
            name = checks.then(nth_of, place)
        return self.proxy(Check, checks.then(latest_of) if place == LATEST else name)


def question(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Decorate a function of a table: remembered answers depend on its result, not on all that it
    reads.

    Its other arguments are hashable values, or seats, actions and ids as a rule gets them. The
    results about the latest table are cached, because rules call it again and again.
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
    """Return whether `holds(thing)` is true; of a proxy only that is noted, not what was read to
    find out.
    """
    notes: Notes | None = getattr(thing, "notes", None)
    return bool(holds(thing) if notes is None else notes.note(thing.noted_as.then(_holds, holds)))  # type: ignore


def kept_in(terms: Mapping[str, Any], kind: type[T]) -> T | None:
    """Return a proxy for the `kind` of state in these terms, which notes each field; None for plain
    terms.
    """
    notes: Notes | None = getattr(terms, "notes", None)
    return notes and notes.proxy(kind, terms.noted_as.of.then(_kept, kind))  # type: ignore


def _count(value: tuple[object, ...] | None) -> int | None:
    return None if value is None else len(value)


def _holds(thing: object, holds: Callable[[object], object]) -> bool:
    return bool(holds(thing))


def _kept(thing: object, kind: Any) -> object:
    return kind.of(thing)


LATEST = 0
"""The place of the latest action, however many there are: it is asked for most."""


def _place(check: Check | None, checks: Mapping[str, Check]) -> int | None:
    if check is None or check is latest_of(checks):
        return None if check is None else LATEST
    return next((n for n, one in enumerate(checks.values(), 1) if one is check), -1)
