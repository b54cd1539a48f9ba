"""Plain answers: with values in place of proxies."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy as copied
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import cache
from operator import is_, is_not
from typing import Any, cast

from storypool.engine.bag import Multiset
from storypool.engine.dice import Die
from storypool.engine.recall.ids import Id
from storypool.engine.recall.noting import Notes

_PLAIN = frozenset({str, int, bool, type(None), float, bytes, Fraction, Die})
"""The types of values that hold no proxy."""


def plain(value: Any, notes: Notes) -> Any:
    """Return an answer with the values of the proxies in it, which are noted, in place of these."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, (str, Enum)):
        return value.text if type(value) is Id else value
    if hasattr(value, "noted_as"):
        return value.notes.note(value.noted_as)
    if kind in (list, set, frozenset):
        return kind(plain(one, notes) for one in value)
    if isinstance(value, tuple):
        ones = [plain(one, notes) for one in value]
        if all(map(is_, ones, value)):
            return value
        return tuple(ones) if kind is tuple else kind(*ones)
    if isinstance(value, Multiset):
        counts = {plain(one, notes): n for one, n in value.items()}
        return kind(counts) if any(map(is_not, counts, value)) else value
    if isinstance(value, Mapping):
        return {plain(key, notes): plain(one, notes) for key, one in value.items()}
    if not hasattr(kind, "__dataclass_fields__"):
        # Nobody knows what is in it, so the answer rests on everything.
        notes.note_all()
        return value
    copy = None
    for name in _names_of(cast(Hashable, kind)):
        one = getattr(value, name)
        if type(one) in _PLAIN or (now := plain(one, notes)) is one:
            continue
        copy = copy or copied(value)
        object.__setattr__(copy, name, now)
    return copy or value


@cache
def _names_of(kind: Hashable) -> tuple[str, ...]:
    return tuple(one.name for one in fields(cast(Any, kind)))
