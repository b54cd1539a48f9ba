"""A hand follows its character: the new player sees it from then on, and the old one no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.cards.decks import Deck
from storypool.gamefile.cards.piles import HAND, Piles, audience_of_hand

__all__ = ["hands_follow"]

Reaction = Callable[[r.Turn, r.Event], Iterator[r.Event]]


def hands_follow(decks: Mapping[str, Deck]) -> Iterator[tuple[type, Reaction]]:
    """The reaction to a character who changes hands; none without decks."""
    if decks:
        yield r.CharacterSet, partial(_followed, decks)


def _followed(decks: Mapping[str, Deck], turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
    if not isinstance(event, r.CharacterSet):
        return
    one = event.character
    for deck in decks.values():
        hand = Piles(deck, turn.table).trait(HAND, one.id)
        if hand is None:
            continue
        seen_by = audience_of_hand(deck, one)
        if seen_by != hand.seen_by:
            yield r.TraitSet(replace(hand, seen_by=seen_by))
