"""Views of counted rows: nothing is copied, and a number is as good a key as its row."""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from itertools import chain

from storypool.odds.polynomial import Row


class Counts(Mapping[int, int]):
    """The counts of rows on one axis by number; `counts[3]` is also found as `counts[3,]`.

    A view with the methods of a mapping, equal to a dict with the same items, and as quick to make
    as a name: it reads the rows that it was made of.

    >>> from storypool import d, odds
    >>> counts = odds(2 @ d(2)).counts
    >>> counts, counts[3], counts.get(5), counts == {2: 1, 3: 2, 4: 1}
    (Counts({2: 1, 3: 2, 4: 1}), 2, None, True)
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: Mapping[Row, int]) -> None:
        self._rows = rows

    def __getitem__(self, number: int | Row) -> int:
        try:
            return self._rows[number if isinstance(number, tuple) else (number,)]
        except KeyError:
            raise KeyError(number) from None

    def __contains__(self, number: object) -> bool:
        return (number if isinstance(number, tuple) else (number,)) in self._rows

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def values(self) -> ValuesView[int]:
        """The counts, in the order of the numbers."""
        return self._rows.values()

    def items(self) -> ItemsView[int, int]:
        """The numbers with their counts, in order."""
        return _Items(self)

    def __repr__(self) -> str:
        return f"Counts({dict(self.items())})"


class _Items(ItemsView[int, int]):
    """Items without a look-up for each."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        counts: Counts = self._mapping  # type: ignore[attr-defined]  # it is in every view
        return zip(counts, counts.values(), strict=True)
