"""The question for a card in the hand of a character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from storypool.engine import rules as r
from storypool.gamefile.cards.decks import Deck, answer_of
from storypool.gamefile.cards.piles import DISCARD, HAND, Piles
from storypool.gamefile.file_format.schema import AskRow, MoveRow

__all__ = ["Who", "card_conditions", "in_hand", "not_receiving", "receivers"]

Who = Callable[[r.Turn], r.Character | None]
"""Returns the character who makes a move."""


def in_hand(decks: Mapping[str, Deck], ask: AskRow, who: Who) -> Callable[[r.Turn], list[r.Choice]]:
    """The cards in the hand of the character who moves; equal ones once."""

    def choices(turn: r.Turn) -> list[r.Choice]:
        return list(_choices(decks, ask, turn, who(turn)))

    return choices


def not_receiving(
    turn: r.Turn, decks: Iterable[Deck], giver: r.Character | None, whom: r.Character
) -> r.Refusal | None:
    """Why a character cannot take a card of any of these decks, or None."""
    if whom.hidden:
        return turn.firm("filed.cards.hidden", who=whom.name)
    if giver is not None and giver.id == whom.id:
        return turn.firm("filed.cards.own", who=whom.name)
    full = None
    for deck in decks:
        if Piles(deck, turn.table).count(whom.id) < deck.row.most:
            return None
        cards = turn.plural(deck.name)
        full = turn.firm("filed.cards.full.theirs", who=whom.name, n=deck.row.most, cards=cards)
    return full


def receivers(
    decks: Iterable[Deck], choices: Callable[[r.Turn], Iterable[r.Choice]], who: Who
) -> Callable[[r.Turn], list[r.Choice]]:
    """The characters to whom a card can go; the others are closed with the reason."""
    known = tuple(decks)

    def listed(turn: r.Turn) -> list[r.Choice]:
        giver, people = who(turn), turn.table.characters
        return [
            one.unless(not_receiving(turn, known, giver, people[one.value]))
            for one in choices(turn)
        ]

    return listed


def card_conditions(decks: Mapping[str, Deck], row: MoveRow, who: Who) -> Iterator[r.Condition]:
    """The conditions that a move finds the cards that it asks for and draws, and room for those."""
    for ask in row.asks:
        if ask.card and ask.needed and ask.when is None:
            yield _to_choose(decks, ask, who)
    for do in row.do:
        if do.draw and do.when is None:
            yield _has_cards(decks[do.draw])
            if do.of in ("", "mover"):
                yield _has_room(decks[do.draw], who)


def _to_choose(decks: Mapping[str, Deck], ask: AskRow, who: Who) -> r.Condition:
    listed = in_hand(decks, ask, who)

    def holds(turn: r.Turn) -> r.Refusal | None:
        """There is a card in the hand."""
        if listed(turn):
            return None
        names = turn.words["list.or"].join(turn.plural(name) for name in ask.card)
        return turn.firm("filed.cards.none", cards=names)

    return holds


def _has_cards(deck: Deck) -> r.Condition:
    def holds(turn: r.Turn) -> r.Refusal | None:
        """The deck has cards."""
        piles = Piles(deck, turn.table)
        if piles.left or (piles.is_shuffled_in(1) and piles.cards(DISCARD)):
            return None
        return turn.firm("filed.cards.empty", deck=turn.plural(deck.name))

    return holds


def _has_room(deck: Deck, who: Who) -> r.Condition:
    def holds(turn: r.Turn) -> r.Refusal | None:
        """The hand has room."""
        one = who(turn)
        if one is None or Piles(deck, turn.table).count(one.id) < deck.row.most:
            return None
        return turn.firm("filed.cards.full", n=deck.row.most, cards=turn.plural(deck.name))

    return holds


def _choices(
    decks: Mapping[str, Deck], ask: AskRow, turn: r.Turn, one: r.Character | None
) -> Iterator[r.Choice]:
    for name in ask.card if one is not None else ():
        deck, seen = decks[name], set[tuple[object, ...]]()
        for number in Piles(deck, turn.table).cards(HAND, one.id if one else ""):
            card = deck.card(number)
            if card[1:] not in seen:
                seen.add(card[1:])
                label = turn.system.face_in_words(name, number)
                yield r.Choice(answer_of(deck, number), label)
