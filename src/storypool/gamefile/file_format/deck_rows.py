"""The decks of cards of a game in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from storypool.gamefile.file_format.thing_rows import column

__all__ = ["CardRow", "DeckRow"]


@dataclass(frozen=True, kw_only=True)
class CardRow:
    """A card of its own in a deck, besides those of its suits and ranks."""

    words: str = column("what it is called", '"The Drowned Bell"')
    value: int = column("its number, which figures read", "0", 0)
    suit: str = column("the suit that it belongs to, if any", '"lamps"', "")
    symbols: str = column("the symbols that it shows, with a space between", '"omen omen"', "")
    copies: int = column("how many there are of it", "2", 1)


@dataclass(frozen=True, kw_only=True)
class DeckRow:
    """A deck of cards, which stands wherever a die can be rolled; a card drawn is not replaced."""

    word: str = column("what a card of it is called", '"street card"', "")
    plural: str = column("what several are called", '"street cards"', "")
    letter: str = column("the letter that people type for a card", '"C"', "")
    suits: Mapping[str, str] = column(
        "its suits, and what each is called; a card shows its suit as a symbol",
        '{ lamps = "Lamps", bells = "Bells" }',
        {},
    )
    ranks: tuple[str, ...] = column(
        "the ranks of each suit, from the lowest", '["Ace", "Two", "Three"]', ()
    )
    values: tuple[int, ...] = column(
        "the number of each rank, which figures read; 1, 2, 3 and so on if they are left out",
        "[11, 2, 3]",
        (),
    )
    card: tuple[CardRow, ...] = column("cards of their own", "[[deck.street.card]]", ())
    hands: Literal["hidden", "open"] = column(
        "whether only the player of a character, and the GM, see the cards in its hand",
        '"open"',
        "hidden",
    )
    most: int = column("the most cards in a hand", "5", 20)
    empty: Literal["shuffled", "refused"] = column(
        "what happens when more cards are to be drawn than are left: those that were discarded are"
        " shuffled in first, or it is refused",
        '"refused"',
        "shuffled",
    )
