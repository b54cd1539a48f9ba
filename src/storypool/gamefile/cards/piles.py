"""The piles of the cards of a deck at a table.

A pile is a statement of the table: a hand, the open cards of a character, the discard. All other
cards are in the deck. The number of cards in a hand is a public statement of its own, because the
hand itself may be hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.engine.table import Audience
from storypool.gamefile.cards.decks import Deck

__all__ = ["COUNT", "DISCARD", "HAND", "OPEN", "Piles", "kind_of"]

HAND, COUNT, OPEN, DISCARD = "hand", "held", "open", "discard"
"""The piles of a deck: a hand, the number of its cards, open cards, and the discard."""
CARDS = "cards"
"""The term of a pile that holds the numbers of its cards."""


def kind_of(pile: str, deck: str) -> str:
    """The kind of the statements that are such a pile; a file cannot name it."""
    return f"{pile} {deck}"


class Piles:
    """The piles of a deck at a table, which may be one as a seat sees it."""

    def __init__(self, deck: Deck, table: r.Table) -> None:
        self.deck, self.table = deck, table

    def trait(self, pile: str, about: str = "") -> r.Trait | None:
        """The statement that is this pile, if it has cards."""
        kind = kind_of(pile, self.deck.name)
        return next(iter(self.table.of_kind(kind, about=about)), None)

    def cards(self, pile: str, about: str = "") -> tuple[int, ...]:
        """The numbers of the cards of a pile, the oldest first."""
        trait = self.trait(pile, about)
        if trait is None:
            return ()
        held = trait.terms.get(CARDS, ())
        return tuple(n for n in held if isinstance(n, int)) if isinstance(held, tuple) else ()

    def count(self, about: str) -> int:
        """The number of cards in a character's hand, which everybody knows."""
        trait = self.trait(COUNT, about)
        return trait.rating if trait is not None else 0

    def unseen(self) -> tuple[int, ...]:
        """The cards that are on no pile of this table: in the deck, or in a hand out of sight."""
        kinds = [kind_of(pile, self.deck.name) for pile in (HAND, OPEN, DISCARD)]
        known = {n for kind in kinds for trait in self.table.of_kind(kind) for n in _numbers(trait)}
        return tuple(n for n in self.deck.numbers if n not in known)

    @property
    def left(self) -> int:
        """The number of cards in the deck, which everybody knows."""
        counts = self.table.of_kind(kind_of(COUNT, self.deck.name))
        open_to_all = (OPEN, DISCARD)
        shown = [
            trait
            for pile in open_to_all
            for trait in self.table.of_kind(kind_of(pile, self.deck.name))
        ]
        seen = sum(len(_numbers(trait)) for trait in shown)
        return len(self.deck.cards) - seen - sum(trait.rating for trait in counts)

    def is_shuffled_in(self, n: int) -> bool:
        """Whether a draw of this many shuffles the discard in first."""
        return n > self.left and self.deck.row.empty == "shuffled"

    def drawable(self, n: int) -> tuple[int, ...]:
        """The cards from which this many are drawn at this table, if nothing is out of sight."""
        found = self.unseen()
        if self.is_shuffled_in(n):
            return tuple(sorted((*found, *self.cards(DISCARD))))
        return found


def _numbers(trait: r.Trait) -> tuple[int, ...]:
    held = trait.terms.get(CARDS, ())
    return tuple(n for n in held if isinstance(n, int)) if isinstance(held, tuple) else ()


def set_pile(
    turn: r.Turn, piles: Piles, pile: str, cards: Iterable[int], *, about: str = "", text: str = ""
) -> Iterator[r.Event]:
    """The event that puts these cards on a pile in place of those there, if that changes it."""
    numbers, trait = tuple(cards), piles.trait(pile, about)
    if numbers == piles.cards(pile, about):
        return
    if not numbers:
        if trait is not None:
            yield r.TraitRemoved(trait.id)
        return
    terms = {CARDS: numbers}
    changes = {"text": text, "rating": len(numbers), "terms": terms}
    if trait is not None:
        yield r.TraitSet(replace(trait, **changes))  # type: ignore[arg-type]
        return
    seen_by = audience_of_hand(piles.deck, turn.table.characters.get(about), pile)
    kind = kind_of(pile, piles.deck.name)
    yield turn.trait(kind, about=about, seen_by=seen_by, **changes)  # type: ignore[arg-type]


def set_count(turn: r.Turn, piles: Piles, about: str, n: int, text: str) -> Iterator[r.Event]:
    """The event that shows everybody the number of cards in a hand."""
    trait = piles.trait(COUNT, about)
    if n == (trait.rating if trait is not None else 0):
        return
    if trait is None:
        yield turn.trait(kind_of(COUNT, piles.deck.name), text, about, rating=n)
    elif n == 0:
        yield r.TraitRemoved(trait.id)
    else:
        yield r.TraitSet(replace(trait, rating=n, text=text))


def audience_of_hand(deck: Deck, who: r.Character | None, pile: str = HAND) -> Audience:
    """The audience of a character's hand: its player and the GM, or everybody."""
    if pile != HAND or who is None or deck.row.hands == "open":
        return None
    return (who.seat, "@gm") if who.seat and who.side != "gm" else ("@gm",)
