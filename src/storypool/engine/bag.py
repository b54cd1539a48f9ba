"""Multisets: bags of names, such as dice in a pool and symbols on a face, and points in purses."""

from collections.abc import Hashable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import NamedTuple, Self, TypeVar

__all__ = ["Bag", "Multiset", "Points", "Purse"]

K = TypeVar("K", bound=Hashable)


class Multiset(Mapping[K, int]):
    """An immutable, hashable multiset: a whole count for each key.

    A missing key counts 0 and zeros are not kept, so multisets with the same contents are equal
    however they were built. Counts may be negative, so a multiset can also describe a change.

    >>> Multiset("abba") == Multiset({"a": 2, "b": 2, "c": 0}), Multiset("ab") - Multiset("b")
    (True, Multiset({'a': 1}))
    """

    __slots__ = ("_counts", "_hash")

    _counts: dict[K, int]
    _hash: int | None

    def __init__(self, counts: Mapping[K, int] | Iterable[K] = (), /) -> None:
        if type(counts) is type(self):
            kept = counts._counts
        # `type(...) is dict` comes first because it is cheap, and most multisets come from a plain
        # dict.
        elif type(counts) is dict or isinstance(counts, Mapping):
            kept = {key: n for key, n in counts.items() if n}
        else:
            kept = {}
            for key in counts:
                kept[key] = kept.get(key, 0) + 1
        self._counts = kept
        self._hash = None

    def __getitem__(self, key: K) -> int:
        return self._counts.get(key, 0)

    def __contains__(self, key: object) -> bool:
        return key in self._counts

    def __iter__(self) -> Iterator[K]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    # The mixins of Mapping look up every key again; these are the views of the dictionary itself.

    def keys(self) -> KeysView[K]:
        """The keys that are counted."""
        return self._counts.keys()

    def values(self) -> ValuesView[int]:
        """The counts."""
        return self._counts.values()

    def items(self) -> ItemsView[K, int]:
        """The keys with their counts."""
        return self._counts.items()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._counts.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Multiset) else NotImplemented

    def __add__(self, other: Mapping[K, int]) -> Self:
        return self._combined(other, 1)

    def __sub__(self, other: Mapping[K, int]) -> Self:
        return self._combined(other, -1)

    def __neg__(self) -> Self:
        return self._of({key: -n for key, n in self._counts.items()})

    def __mul__(self, times: int) -> Self:
        return self._of({key: n * times for key, n in self._counts.items()} if times else {})

    def __ge__(self, other: Mapping[K, int]) -> bool:
        """Whether every count is at least the other's: the dice are there, the price is covered."""
        return all(self[key] >= n for key, n in other.items()) and all(
            n >= 0 or key in other for key, n in self._counts.items()
        )

    def __le__(self, other: Mapping[K, int]) -> bool:
        return type(self)(other) >= self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._counts!r})"

    @property
    def total(self) -> int:
        """The sum of all counts.

        >>> Bag(ability=2, difficulty=3).total
        5
        """
        return sum(self._counts.values())

    def only(self, keys: Iterable[K]) -> Self:
        """The part of this multiset with these keys.

        >>> Bag(success=2, triumph=1).only(["triumph", "despair"])
        Bag(triumph=1)
        """
        return self._of({key: n for key in keys if (n := self[key])})

    def with_count(self, key: K, n: int) -> Self:
        """This multiset with the count of one key replaced.

        >>> Bag(light=2).with_count("dark", 3)
        Bag(light=2, dark=3)
        """
        return self._combined({key: n - self[key]}, 1)

    def _combined(self, other: Mapping[K, int], sign: int) -> Self:
        counts = dict(self._counts)
        for key, n in other.items():
            count = counts.get(key, 0) + sign * n
            if count:
                counts[key] = count
            else:
                counts.pop(key, None)
        return self._of(counts)

    @classmethod
    def _of(cls, counts: dict[K, int]) -> Self:
        """A multiset of this class with these counts, none of them 0."""
        new = cls.__new__(cls)
        new._counts = counts
        new._hash = None
        return new


class Bag(Multiset[str]):
    """A multiset of names, which may be passed as keywords.

    >>> pool = Bag(ability=2) + Bag(difficulty=2) - Bag(ability=1)
    >>> pool
    Bag(ability=1, difficulty=2)
    >>> pool["boost"]
    0
    >>> pool >= Bag(difficulty=1)
    True
    """

    __slots__ = ()

    def __init__(self, counts: Mapping[str, int] | Iterable[str] = (), /, **more: int) -> None:
        if more:
            counts = Multiset(counts) + more if counts else more
        Multiset.__init__(self, counts)

    def __repr__(self) -> str:
        if all(name.isidentifier() for name in self._counts):
            return f"Bag({', '.join(f'{name}={n}' for name, n in self._counts.items())})"
        return f"Bag({self._counts!r})"


class Purse(NamedTuple):
    """Where points are kept: an account of the table, or of a character, its owner.

    >>> str(Purse("luck")), str(Purse("nerve", "pash")), Purse.read("pash.nerve").owner
    ('luck', 'pash.nerve', 'pash')
    """

    account: str
    owner: str = ""

    def __str__(self) -> str:
        return f"{self.owner}.{self.account}" if self.owner else self.account

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse a purse from its text."""
        owner, _, account = text.rpartition(".")
        return cls(account, owner)


class Points(Multiset[Purse]):
    """How many points are in each purse, or are taken from it: balances, or a price."""

    __slots__ = ()

    @classmethod
    def of_the_table(cls, counts: Mapping[str, int]) -> Self:
        """Points of the table's own accounts, by name.

        >>> Points.of_the_table(Bag(luck=2))[Purse("luck")]
        2
        """
        return cls({Purse(account): n for account, n in counts.items()})

    def written(self) -> dict[str, int]:
        """The counts by the purses' text."""
        return {str(purse): n for purse, n in self._counts.items()}


NO_POINTS = Points()
