"""The cards of the decks of a game file, each with its number in its deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.gamefile.file_format.deck_rows import DeckRow

__all__ = ["Card", "Deck", "answer_of", "card_of", "decks"]


class Card(NamedTuple):
    """One card: its number in the deck, its rank or name, its value, its suit, its symbols."""

    number: int
    rank: str
    value: int
    suit: str
    symbols: Bag


class Deck:
    """A deck: its row and its cards, numbered from 1; `die` has a face for each."""

    def __init__(self, name: str, row: DeckRow) -> None:
        self.name, self.row = name, row
        self.cards = tuple(_cards(row))
        # A half-written deck may have no cards yet, and a die has at least one face.
        self.die = Die(name, tuple(card.symbols for card in self.cards) or (Bag(),))

    def card(self, number: int) -> Card:
        """The card with this number."""
        return self.cards[number - 1]

    @property
    def numbers(self) -> range:
        """The numbers of all of its cards."""
        return range(1, len(self.cards) + 1)


def answer_of(deck: Deck, number: int) -> str:
    """The answer that means a card; no hidden text has the like of it."""
    return f"{deck.name}-{number}"


def card_of(decks: Mapping[str, Deck], answer: str) -> tuple[Deck, Card] | None:
    """The card that an answer means, with its deck; None for any other text."""
    name, _, number = answer.rpartition("-")
    deck = decks.get(name)
    if deck is None or not number.isdecimal() or int(number) not in deck.numbers:
        return None
    return deck, deck.card(int(number))


def decks(rows: Mapping[str, DeckRow]) -> Mapping[str, Deck]:
    """The decks of a game, by name."""
    return {name: Deck(name, row) for name, row in rows.items()}


def _cards(row: DeckRow) -> Iterator[Card]:
    values, n = row.values or tuple(range(1, len(row.ranks) + 1)), 0
    for suit in row.suits:
        for rank, value in zip(row.ranks, values, strict=False):
            n += 1
            yield Card(n, rank, value, suit, Bag({suit: 1}))
    for one in row.card:
        symbols = Bag(one.symbols.split()) + Bag([one.suit] if one.suit else [])
        for _ in range(one.copies):
            n += 1
            yield Card(n, one.words, one.value, one.suit, symbols)
