"""The mistakes in the decks of a game file, and their limits."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.deck_rows import DeckRow
from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["MOST_CARDS", "wrong_decks"]

MOST_CARDS, MOST_IN_HAND, MOST_VALUE, MOST_SHOWN = 100, 30, 999, 6
"""The most cards of a deck and of a hand, the largest value, the most symbols of a card."""

EACH = "each"
"""The target of a row that is done for each of the players' characters."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_decks(game: GameFile) -> Found:
    """Each mistake of a deck with its path."""
    for name, row in game.deck.items():
        path: Path = ("deck", name)
        n = len(row.suits) * len(row.ranks) + sum(max(0, one.copies) for one in row.card)
        if not 2 <= n <= MOST_CARDS:
            yield path, Phrase("gamefile.deck.cards", n=n, most=MOST_CARDS)
        if bool(row.suits) != bool(row.ranks) and not (row.suits and row.card):
            yield path, Phrase("gamefile.deck.ranks")
        if row.values and len(row.values) != len(row.ranks):
            yield (
                (*path, "values"),
                Phrase("gamefile.deck.values", n=len(row.ranks), got=len(row.values)),
            )
        yield from _between((*path, "most"), row.most, 1, MOST_IN_HAND)
        for value in row.values:
            yield from _between((*path, "values"), value, -MOST_VALUE, MOST_VALUE)
        yield from _cards(path, row)
    for n, move in enumerate(game.move):
        for i, do in enumerate(move.do):
            if do.give and do.of in ("", "mover", EACH):
                yield ("move", n, "do", i), Phrase("gamefile.deck.whom", name=do.give)
            if do.give and move.consent not in ("", "gm"):
                yield ("move", n, "consent"), Phrase("gamefile.deck.consent")


def _cards(path: Path, row: DeckRow) -> Found:
    for n, one in enumerate(row.card):
        here: Path = (*path, "card", n)
        yield from _between((*here, "copies"), one.copies, 1, MOST_CARDS)
        yield from _between((*here, "value"), one.value, -MOST_VALUE, MOST_VALUE)
        if len(one.symbols.split()) > MOST_SHOWN:
            shown = len(one.symbols.split())
            yield (*here, "symbols"), Phrase("gamefile.deck.symbols", n=shown, most=MOST_SHOWN)
        if one.suit and one.suit not in row.suits:
            known = ", ".join(row.suits) or "-"
            yield (*here, "suit"), Phrase("gamefile.name", name=one.suit[:40], known=known)


def _between(path: Path, n: int, low: int, high: int) -> Found:
    if not low <= n <= high:
        yield path, Phrase("gamefile.bounds.between", got=n, low=low, high=high)
