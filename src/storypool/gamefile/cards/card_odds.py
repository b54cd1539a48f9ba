"""The exact odds of cards drawn without replacement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from math import comb
from typing import TypeVar

from storypool.gamefile.cards.decks import Deck

__all__ = ["GONE", "drawn_states", "gone_cards", "numbers_in"]

GONE = ".gone"
"""Suffix of a term of odds: the cards of this deck that cannot be drawn, as in `1-4,9`."""

State = TypeVar("State", bound=Hashable)
Face = TypeVar("Face", bound=Hashable)


def drawn_states(
    before: Mapping[State, int],
    faces: Iterable[Face],
    n: int,
    added: Callable[[State, Face, int], State],
    count: Callable[[int], None],
) -> dict[State, int]:
    """The ways to reach each state by drawing `n` of the cards with these faces.

    Equal faces are counted together: of `m` equal cards `k` are drawn in comb(m, k) ways. `count`
    takes the number of steps, and raises if they are too many.
    """
    kinds = Counter(faces)
    states: dict[tuple[State, int], int] = {(state, n): ways for state, ways in before.items()}
    rest = kinds.total()
    for face, m in kinds.items():
        rest -= m
        after: dict[tuple[State, int], int] = {}
        for (state, wanted), ways in states.items():
            for k in range(max(0, wanted - rest), min(m, wanted) + 1):
                found = (added(state, face, k) if k else state, wanted - k)
                after[found] = after.get(found, 0) + ways * comb(m, k)
        count(len(after))
        states = after
    return {state: ways for (state, wanted), ways in states.items() if not wanted}


def gone_cards(deck: Deck, text: str) -> tuple[int, ...]:
    """The numbers of the cards that are still there, by a text such as `1-4,9` of those gone."""
    gone = numbers_in(text, len(deck.cards)) or set()
    return tuple(n for n in deck.numbers if n not in gone)


def numbers_in(text: str, most: int) -> set[int] | None:
    """The numbers of a text such as `1-4,9`, from 1 to `most`; None for any other text.

    >>> numbers_in("1-3,5", 9), numbers_in("0", 9), numbers_in("x", 9)
    ({1, 2, 3, 5}, None, None)
    """
    found = set[int]()
    for part in text.split(","):
        low, _, high = part.strip().partition("-")
        ends = low, high or low
        if not all(end.isdecimal() and end.isascii() and len(end) <= 3 for end in ends):
            return None
        first, last = map(int, ends)
        if not 1 <= first <= last <= most:
            return None
        found |= set(range(first, last + 1))
    return found
