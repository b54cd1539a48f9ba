"""The verbs of a game file about cards: drawing to a hand, playing, discarding, shuffling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.action_rows import ActionRows
from storypool.gamefile.cards.card_asks import not_receiving
from storypool.gamefile.cards.decks import Deck, card_of
from storypool.gamefile.cards.piles import (
    DISCARD,
    HAND,
    OPEN,
    Piles,
    audience_of_hand,
    kind_of,
    set_count,
    set_pile,
)
from storypool.gamefile.file_format.schema import DoRow

__all__ = ["PLAYED", "CardRows", "cards_taken_back", "into_discard"]

PLAYED = "played "
"""Prefix of a term of the action: cards of this deck and hand that were played before its roll."""


class CardRows(ActionRows):
    """The rows of one move or reaction, as far as they move cards."""

    def character(self, row: DoRow) -> r.Character | None:
        """The character whom a row is about."""
        raise NotImplementedError

    def _piles(self, name: str) -> Piles:
        return Piles(self.rules.reading.decks[name], self.turn.table)

    def _check_cards(self, pool: r.Bag) -> None:
        """Raise `Refused` if a deck has too few cards for those of a pool that are replaced."""
        for name in self.rules.reading.decks.keys() & pool.keys():
            there = len(self._piles(name).drawable(pool[name]))
            if pool[name] > there:
                few = {"deck": self.turn.plural(name), "n": pool[name], "left": there}
                raise self.turn.refused("argument", "filed.cards.few", **few)

    def _draw(self, row: DoRow) -> Iterator[r.Event]:
        one, deck, turn = self.character(row), self.rules.reading.decks[row.draw], self.turn
        if one is None:
            return
        if one.hidden:
            raise turn.refused("argument", "filed.cards.hidden", who=one.name)
        piles = self._piles(row.draw)
        n = min(self._n(row), deck.row.most - piles.count(one.id))
        if n < 1:
            return
        enough(turn, piles, n)
        fell = self._cast(r.Bag({row.draw: n}))
        if piles.is_shuffled_in(n):
            yield from _shuffled_in(turn, piles)
        hand = (*self._piles(row.draw).cards(HAND, one.id), *(card.face for card in fell))
        seen_by = audience_of_hand(deck, one)
        if seen_by is None or one.seat in seen_by:
            # A hand that GMs alone see leaves no record of its own.
            yield r.DiceRolled("", turn.seat.id, fell, self.why, seen_by=seen_by)
        yield from set_hand(turn, self._piles(row.draw), one, hand)

    def _play(self, row: DoRow) -> Iterator[r.Event]:
        for deck, one, card in self._held(row.play):
            yield from self._out_of_hand(deck, one, card)
            piles = self._piles(deck.name)
            shown = (*piles.cards(OPEN, one.id), card)
            yield from set_pile(
                self.turn, piles, OPEN, shown, about=one.id, text=in_words(self.turn, deck, shown)
            )
            check = self.check
            if check is not None and check.phase == "build":
                term = f"{PLAYED}{deck.name} {one.id}"
                had = check.terms.get(term, ())
                played = (*had, card) if isinstance(had, tuple) else (card,)
                yield self.amend(check, terms={**check.terms, term: played})

    def _discard(self, row: DoRow) -> Iterator[r.Event]:
        if row.discard in self.rules.reading.decks:
            piles = self._piles(row.discard)
            cards = list[int]()
            for trait in self.turn.table.of_kind(kind_of(OPEN, row.discard)):
                cards += piles.cards(OPEN, trait.about)
                yield r.TraitRemoved(trait.id)
            yield from _discarded(self.turn, self._piles(row.discard), cards, shown=True)
        for deck, one, card in self._held(row.discard):
            yield from self._out_of_hand(deck, one, card)
            yield from _discarded(self.turn, self._piles(deck.name), [card], shown=True)

    def _give(self, row: DoRow) -> Iterator[r.Event]:
        whom, turn = self.character(row), self.turn
        if whom is None:
            return
        for deck, one, card in self._held(row.give):
            if no := not_receiving(turn, [deck], one, whom):
                raise r.Refused(replace(no, code="argument"))
            yield self._handed(deck, one, whom, card)
            yield from self._out_of_hand(deck, one, card)
            piles = self._piles(deck.name)
            yield from set_hand(turn, piles, whom, (*piles.cards(HAND, whom.id), card))

    def _handed(self, deck: Deck, one: r.Character, whom: r.Character, card: int) -> r.Event:
        """The card in words for the two players and the GM; for everybody where hands are open."""
        words = {"card": in_words(self.turn, deck, [card]), "who": one.name, "whom": whom.name}
        mine, theirs = audience_of_hand(deck, one), audience_of_hand(deck, whom)
        seen_by = tuple(dict.fromkeys((*(mine or ()), *(theirs or ())))) or None
        text = self.turn.words.say("filed.cards.handed", **words)
        return r.Said(self.turn.seat.id, text, seen_by=seen_by)

    def _shuffle(self, row: DoRow) -> Iterator[r.Event]:
        yield from _shuffled_in(self.turn, self._piles(row.shuffle))

    def _held(self, question: str) -> Iterator[tuple[Deck, r.Character, int]]:
        """The card of the mover's hand that is the answer to a question, if it is there."""
        found, one = card_of(self.rules.reading.decks, self.turn.text(question)), self.who
        if found is None or one is None:
            return
        deck, card = found
        if card.number in self._piles(deck.name).cards(HAND, one.id):
            yield deck, one, card.number

    def _out_of_hand(self, deck: Deck, one: r.Character, card: int) -> Iterator[r.Event]:
        piles = self._piles(deck.name)
        hand = [n for n in piles.cards(HAND, one.id) if n != card]
        yield from set_hand(self.turn, piles, one, hand)


def set_hand(
    turn: r.Turn, piles: Piles, one: r.Character, cards: tuple[int, ...] | list[int]
) -> Iterator[r.Event]:
    """The events that give a character this hand, and tell everybody how many cards it has."""
    name, n = piles.deck.name, len(cards)
    words = in_words(turn, piles.deck, cards)
    yield from set_pile(turn, piles, HAND, cards, about=one.id, text=words)
    text = turn.words.say("filed.cards.held", cards=f"{n} {turn.word(name, n)}")
    yield from set_count(turn, Piles(piles.deck, turn.table), one.id, n, text)


def in_words(turn: r.Turn, deck: Deck, cards: Iterable[int]) -> str:
    """The names of these cards."""
    return turn.words["list.comma"].join(
        turn.system.face_in_words(deck.name, card) for card in cards
    )


def enough(turn: r.Turn, piles: Piles, n: int) -> None:
    """Raise `Refused` if fewer cards than this are left, and nothing is shuffled in."""
    if piles.deck.row.empty == "refused" and n > piles.left:
        deck = {"deck": turn.plural(piles.deck.name), "n": n, "left": piles.left}
        raise turn.refused("argument", "filed.cards.few", **deck)


def into_discard(
    turn: r.Turn, decks: Mapping[str, Deck], about: str, fell: tuple[r.Rolled, ...]
) -> Iterator[r.Event]:
    """Put the cards among rolled dice on the discard, after it was shuffled in if they need it.

    `Refused` for a hidden action: its cards would be missing where everybody looks.
    """
    check = turn.table.checks.get(about)
    for name, deck in decks.items():
        cards = [one.face for one in fell if one.die == name]
        if not cards:
            continue
        if check is not None and check.hidden:
            raise turn.refused("argument", "filed.cards.secret", deck=turn.plural(name))
        if Piles(deck, turn.table).is_shuffled_in(len(cards)):
            yield from _shuffled_in(turn, Piles(deck, turn.table))
        yield from _discarded(turn, Piles(deck, turn.table), cards)


def cards_taken_back(turn: r.Turn, decks: Mapping[str, Deck]) -> Iterator[r.Event]:
    """Give the cards that were played before a roll back to their hands, if they still lie open."""
    for term, played in turn.here.terms.items():
        if not term.startswith(PLAYED) or not isinstance(played, tuple):
            continue
        name, _, id = term.removeprefix(PLAYED).partition(" ")
        one, deck = turn.table.characters.get(id), decks.get(name)
        if one is None or deck is None:
            continue
        shown = Piles(deck, turn.table).cards(OPEN, id)
        back = [n for n in shown if n in played]
        rest = tuple(n for n in shown if n not in played)
        text = in_words(turn, deck, rest)
        yield from set_pile(turn, Piles(deck, turn.table), OPEN, rest, about=id, text=text)
        hand = (*Piles(deck, turn.table).cards(HAND, id), *back)
        yield from set_hand(turn, Piles(deck, turn.table), one, hand)


def _discarded(
    turn: r.Turn, piles: Piles, cards: list[int], shown: bool = False
) -> Iterator[r.Event]:
    """Put cards on the discard; its text names them if they are to be `shown` in the log."""
    text = ""
    if shown:
        text = turn.words.say("filed.cards.discard", cards=in_words(turn, piles.deck, cards))
    yield from set_pile(turn, piles, DISCARD, (*piles.cards(DISCARD), *cards), text=text)


def _shuffled_in(turn: r.Turn, piles: Piles) -> Iterator[r.Event]:
    yield from set_pile(turn, piles, DISCARD, ())
