"""The looks of decks: what their cards are called, and what is printed in their corners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.gamefile.cards.decks import Card, Deck
from storypool.gamefile.cards.piles import COUNT, DISCARD, HAND, OPEN, kind_of
from storypool.gamefile.file_format.schema import GameFile, MoveRow
from storypool.words import Words

__all__ = ["card_looks", "card_words", "deck_look", "drawn_words"]

LONGEST_MARK = 2
"""The most letters of a rank that are printed in a corner."""
DRAWS = {"title.check.roll": "roll", "wait.filed.roll": "wait", "wait.filed.roll.yours": "yours"}
"""The sentences about a roll, each with the one about a draw that takes its place."""


def deck_look(deck: Deck, letter: str, words: Words) -> r.Look:
    """The look of a deck, with the names and the marks of its cards."""
    row = deck.row
    return r.Look(
        row.word or deck.name,
        row.plural,
        row.letter or letter,
        "card",
        colour="white",
        faces=tuple(name_of(deck, card, words) for card in deck.cards),
        marks=tuple(map(_mark, deck.cards)),
    )


def card_looks(decks: Mapping[str, Deck]) -> Iterator[tuple[str, r.Look]]:
    """The looks of the suits."""
    for deck in decks.values():
        for suit, word in deck.row.suits.items():
            yield suit, r.Look(word, word)


def card_words(name: str, plural: str, words: Words) -> dict[str, str]:
    """The sentences of the log about the piles of a deck; of a hand its draws say enough."""
    gone = {f"story.removed.{kind_of(pile, name)}": "" for pile in (HAND, COUNT, OPEN)}
    shuffled = words.say("filed.cards.shuffled", deck=plural)
    return {
        **gone,
        f"story.trait.{kind_of(HAND, name)}": "",
        f"story.removed.{kind_of(DISCARD, name)}": shuffled,
    }


def drawn_words(words: Words, game: GameFile) -> dict[str, str]:
    """The sentences about draws: of rows that throw cards alone, and in a game without dice all."""
    moves = [row for row in game.move if _draws_alone(game, row)]
    found = {f"ask.move.{row.key}.faces": words["filed.cards.real"] for row in moves}
    if not game.dice:
        found["ask.check.roll.faces"] = words["filed.cards.real"]
        found["filed.rolled_again"] = words["filed.cards.replaced"]
        found |= {id: words[f"filed.cards.{own}"] for id, own in DRAWS.items()}
    return found


def _draws_alone(game: GameFile, row: MoveRow) -> bool:
    """Whether a move draws or throws something, and all of that are cards."""
    thrown = {name for do in row.do for name in do.thrown}
    again = {name for do in row.do if do.again is not None for name in game.again(do)}
    return bool(thrown | again) and thrown | again <= game.deck.keys()


def name_of(deck: Deck, card: Card, words: Words) -> str:
    """The name of a card: its own, or that of its rank and suit."""
    if not card.suit or card.number > len(deck.row.suits) * len(deck.row.ranks):
        return card.rank
    suit = deck.row.suits.get(card.suit, card.suit)
    return words.say("filed.cards.name", rank=card.rank, suit=suit)


def _mark(card: Card) -> str:
    rank = card.rank
    return rank if len(rank) <= LONGEST_MARK else str(card.value)
