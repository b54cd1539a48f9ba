"""The suits of decks that a game counts, and those that only name a card."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.expressions import expressions_in
from storypool.gamefile.file_format.schema import GameFile

__all__ = ["unread_suits"]

THROWN = "thrown_"


def unread_suits(game: GameFile) -> frozenset[str]:
    """The suits that no expression, sentence or price of a game counts.

    So they have no place among the numbers of a roll, and in its odds.
    """
    suits = {suit for row in game.deck.values() for suit in row.suits} - game.symbols.keys()
    if not suits:
        return frozenset()
    return frozenset(suits - set(_counted(game)))


def _counted(game: GameFile) -> Iterator[str]:
    for expression in expressions_in(game):
        for name in expression.names:
            yield name.removeprefix(THROWN)
    for action in game.actions:
        yield from (*action.spends, *action.shown)
    ladders = (game.outcome, *(action.outcome for action in game.actions))
    for ladder in ladders:
        for rung in ladder:
            yield from rung.words.replace("}", "{").split("{")[1::2]
    rows = [row for move in game.move for row in move.do]
    rows += [row for follows in game.whenever for row in follows.do]
    rows += [row for table in game.effects.values() for effect in table for row in effect.do]
    yield from (row.symbol for row in rows)
    for move in game.move:
        for price in move.price:
            yield from price
