"""Bag: a multiset of names. Dice in a pool, symbols on a face, a result, a price, a purse: all are bags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Self


class Bag(Mapping[str, int]):
    """An immutable, hashable multiset: names with whole counts.

    A missing name counts 0 and no zero is kept, so two bags with the same contents are equal whatever was added
    and taken on the way. Counts may be negative: a bag is also a change.

    >>> pool = Bag(ability=2) + Bag(difficulty=2) - Bag(ability=1)
    >>> pool
    Bag(ability=1, difficulty=2)
    >>> pool["boost"]
    0
    >>> pool >= Bag(difficulty=1)
    True
    """

    __slots__ = ("_counts", "_hash")

    _counts: dict[str, int]
    _hash: int | None

    def __init__(self, counts: Mapping[str, int] | Iterable[str] = (), /, **more: int) -> None:
        if type(counts) is Bag and not more:
            kept = counts._counts
        else:
            kept = {}
            # The first question is the quick one: most bags are made of a plain dict.
            if type(counts) is dict or isinstance(counts, Mapping):
                for name, n in counts.items():
                    kept[name] = kept.get(name, 0) + n
            else:
                for name in counts:
                    kept[name] = kept.get(name, 0) + 1
            for name, n in more.items():
                kept[name] = kept.get(name, 0) + n
            kept = {name: n for name, n in kept.items() if n}
        self._counts = kept
        self._hash = None

    def __getitem__(self, name: str) -> int:
        return self._counts.get(name, 0)

    def __contains__(self, name: object) -> bool:
        return name in self._counts

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._counts.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Bag) else NotImplemented

    def __add__(self, other: Mapping[str, int]) -> Self:
        return self._combined(other, 1)

    def __sub__(self, other: Mapping[str, int]) -> Self:
        return self._combined(other, -1)

    def __neg__(self) -> Self:
        return type(self)({name: -n for name, n in self._counts.items()})

    def __mul__(self, times: int) -> Self:
        return type(self)({name: n * times for name, n in self._counts.items()})

    def __ge__(self, other: Mapping[str, int]) -> bool:
        """True when every count here is at least the other's: the price can be paid, the dice are there."""
        return all(self[name] >= n for name, n in other.items()) and all(
            n >= 0 or name in other for name, n in self._counts.items()
        )

    def __le__(self, other: Mapping[str, int]) -> bool:
        return Bag(other) >= self

    def __repr__(self) -> str:
        if all(name.isidentifier() for name in self._counts):
            return f"Bag({', '.join(f'{name}={n}' for name, n in self._counts.items())})"
        return f"Bag({self._counts!r})"

    @property
    def total(self) -> int:
        """The sum of all counts.

        >>> Bag(ability=2, difficulty=3).total
        5
        """
        return sum(self._counts.values())

    def only(self, names: Iterable[str]) -> Self:
        """The part of this bag that has these names.

        >>> Bag(success=2, triumph=1).only(["triumph", "despair"])
        Bag(triumph=1)
        """
        return type(self)({name: self[name] for name in names})

    def with_count(self, name: str, n: int) -> Self:
        """This bag with the count of one name set.

        >>> Bag(light=2).with_count("dark", 3)
        Bag(light=2, dark=3)
        """
        return type(self)({**self._counts, name: n})

    def _combined(self, other: Mapping[str, int], sign: int) -> Self:
        counts = dict(self._counts)
        for name, n in other.items():
            counts[name] = counts.get(name, 0) + sign * n
        return type(self)(counts)
