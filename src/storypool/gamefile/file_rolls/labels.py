"""What people call the terms, numbers and outcomes of an action, whose keys only a file needs."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.gamefile.cards.card_odds import GONE
from storypool.gamefile.file_format.expressions import CHOSEN
from storypool.gamefile.file_format.readable_names import ACTION
from storypool.gamefile.file_format.schema import ActionRow
from storypool.gamefile.file_rolls.roll_reading import RollReading

__all__ = ["called_term", "labels", "term_in_words"]

AND, WITHOUT = " + ", "without"
"""The sign between several answers to one question, and the word before cards that are gone."""


def called_term(action: ActionRow, name: str) -> str:
    """What a term is called: as the page shows it, by its question, or by its key in words."""
    ask = next((one for one in action.asks if one.name == name), None)
    usual = ask.label.rstrip("?") if ask is not None else _in_words(name)
    return action.shown.get(name, usual[:1].upper() + usual[1:])


def term_in_words(reading: RollReading, name: str, value: str) -> str:
    """A term of a question about odds with its value: “Position: Risky”, or the action's title."""
    game, action = reading.game, reading.game.action
    if name == ACTION and action.key == value:
        return action.title
    deck = game.deck.get(name.removesuffix(GONE))
    if deck is not None and name.endswith(GONE):
        return f"{deck.plural or deck.word or _in_words(name)} {WITHOUT} {value}"
    ask = next((one for one in action.asks if one.name == name), None)
    if ask is not None and ask.choices:
        chosen = value.split(CHOSEN) if ask.choose else [value]
        value = AND.join(ask.choices.get(one, one) for one in chosen)
    return f"{called_term(action, name)}: {value}"


def labels(reading: RollReading) -> Mapping[str, str]:
    """What the numbers and the outcomes of an action are called, each by a label of its own."""
    game, found = reading.game, dict[str, str]()
    for name in (*reading.numbers, *(rung.key for rung in game.outcome), reading.passing):
        symbol = game.symbols.get(name)
        word = (symbol.plural or symbol.word if symbol is not None else "") or _in_words(name)
        label = game.action.shown.get(name, word)
        # Two that are called alike would be one bar: the later one has its key.
        found.setdefault(name, name if label in found.values() else label)
    return found


def _in_words(name: str) -> str:
    return name.replace("_", " ")
