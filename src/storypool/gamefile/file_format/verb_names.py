"""What each verb of a game file can name: dice, terms, points, statements, cards, questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from storypool.gamefile.file_format.schema import AskRow, GameFile

__all__ = ["named_by"]


def named_by(
    verb: str,
    game: GameFile,
    asks: Mapping[str, AskRow],
    terms: Iterable[str],
    symbols: Iterable[str],
) -> Iterable[str]:
    """The names that a verb can have, among them the questions that are asked where it stands."""

    def asking(of: Callable[[AskRow], object]) -> list[str]:
        return [name for name, ask in asks.items() if of(ask)]

    statements = asking(lambda ask: ask.trait)
    cards = asking(lambda ask: ask.card)
    dice = tuple(game.pool_dice)
    by_verb: dict[str, Iterable[str]] = {
        "add": [*dice, *asking(lambda ask: ask.entry or ask.trait)],
        "upgrade": game.dice,
        "downgrade": game.dice,
        "set": terms,
        "shift": terms,
        "symbol": symbols,
        "gain": game.points,
        "lose": game.points,
        "make": game.trait,
        "reveal": statements,
        "consult": game.effects,
        "next": asking(lambda ask: ask.character),
        "fill": statements,
        "put": asking(lambda ask: ask.rolled),
        "rank": statements,
        "forward": chain.from_iterable(row.raised for row in game.actions),
        "end": [*statements, *game.trait],
        "draw": game.deck,
        "shuffle": game.deck,
        "play": cards,
        "give": cards,
        "discard": [*cards, *game.deck],
    }
    return by_verb.get(verb, dice)
