"""The notes of what an answer reads, and questions about a table of which only the results are noted."""

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

    def proxy(self, kind: type, name: Name) -> Any:
        """Return what is there by this name as a thing that notes what is read of it; each time the same one."""
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
            return self.proxy(Table, name)
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
            name = checks.then(nth_of, place)
        return self.proxy(Check, checks.then(latest_of) if place == LATEST else name)


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
    return notes and notes.proxy(kind, terms.noted_as.of.then(_kept, kind))  # type: ignore


def _count(value: tuple[object, ...] | None) -> int | None:
    return None if value is None else len(value)


def _holds(thing: object, holds: Callable[[object], object]) -> bool:
    return bool(holds(thing))


def _kept(thing: object, kind: Any) -> object:
    return kind.of(thing)


LATEST = 0
"""The place of the latest action, which is asked for most, whatever came before it."""


def _place(check: Check | None, checks: Mapping[str, Check]) -> int | None:
    if check is None or check is latest_of(checks):
        return None if check is None else LATEST
    return next((n for n, one in enumerate(checks.values(), 1) if one is check), -1)
