"""What a seat knows of the decks of an action, for its odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from storypool.engine.table import Check, Table
from storypool.gamefile.cards.card_odds import GONE
from storypool.gamefile.cards.decks import Deck
from storypool.gamefile.cards.piles import Piles

__all__ = ["gone_terms"]


def gone_terms(decks: Mapping[str, Deck], table: Table, check: Check) -> dict[str, str] | None:
    """The missing cards of the decks of an action, as far as this table shows them.

    A hand that is out of sight is as good as in the deck. None where that is not so: where the
    discard is about to be shuffled in, which no such hand can hold.
    """
    found = {}
    for name, deck in decks.items():
        if not (n := check.pool[name]):
            continue
        piles = Piles(deck, table)
        if piles.is_shuffled_in(n) and len(piles.unseen()) != piles.left:
            return None
        gone = sorted({*deck.numbers} - {*piles.drawable(n)})
        if gone:
            found[f"{name}{GONE}"] = ",".join(_ranges(gone))
    return found


def _ranges(numbers: list[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        ends = [n for _, n in run]
        yield str(ends[0]) if len(ends) == 1 else f"{ends[0]}-{ends[-1]}"
