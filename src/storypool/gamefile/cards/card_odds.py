"""The exact odds of cards drawn without replacement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from math import comb, lcm
from typing import TypeVar

from storypool.gamefile.cards.decks import Deck

__all__ = ["GONE", "drawn_states", "gone_cards", "numbers_in", "redrawn_states"]

GONE = ".gone"
"""Suffix of a term of odds: the cards of this deck that cannot be drawn, as in `1-4,9`."""

WEIGHT = 2
"""How many ways to replace cards take the time of one step."""

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


def redrawn_states(
    before: Mapping[State, int],
    cards: Iterable[tuple[Face, bool]],
    n: int,
    added: Callable[[State, Face, int], State],
    count: Callable[[int], None],
) -> dict[State, int]:
    """Like `drawn_states`, but the cards that are marked are replaced by others of the deck.

    The cards that are left for that depend on those drawn first: of `m` equal cards `k` are drawn
    first and `j` later in comb(m, k) * comb(m - k, j) ways. The ways of all hands have the same
    weight, however many of their cards are replaced.
    """
    kinds = Counter(cards)
    left = kinds.total() - n
    states: dict[tuple[State, int, int, int], int]
    states = {(state, n, 0, 0): ways for state, ways in before.items()}
    rest = kinds.total()
    for (face, is_replaced), m in kinds.items():
        rest -= m
        after: dict[tuple[State, int, int, int], int] = {}
        for (state, wanted, replaced, later), ways in states.items():
            for k in range(max(0, wanted - rest), min(m, wanted) + 1):
                out, most = replaced + k * is_replaced, min(m - k, n - later)
                count(1 + most // WEIGHT)
                for j in range(most + 1):
                    shown = j + k * (not is_replaced)
                    found = added(state, face, shown) if shown else state
                    key = (found, wanted - k, out, later + j)
                    after[key] = after.get(key, 0) + ways * comb(m, k) * comb(m - k, j)
        states = after
    whole = lcm(*(comb(left, k) for k in range(min(n, left) + 1)))
    done: dict[State, int] = {}
    for (state, wanted, out, later), ways in states.items():
        if not wanted and out == later:
            done[state] = done.get(state, 0) + ways * (whole // comb(left, out))
    return done


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
