"""Prices of a game file in words, for those who read the rules."""

from __future__ import annotations

import re

from storypool.gamefile.expressions import Expression
from storypool.gamefile.schema import MoveRow
from storypool.gamefile.scope import Rules

__all__ = ["price_in_words"]


def price_in_words(rules: Rules, row: MoveRow) -> str:
    """Return what a move costs; several prices are a choice."""
    ways = [", ".join(_part_in_words(rules, row, name, n) for name, n in price.items()) for price in row.price]
    return " or ".join(ways)


def _part_in_words(rules: Rules, row: MoveRow, name: str, n: Expression) -> str:
    word = _word(rules, name, n)
    part = f"{n.text} {word}" if n.fixed is not None else f"as many {word} as {_read_out(rules, n.text)}"
    points = rules.game.points.get(name)
    return f"{part} for the GM" if points and points.of == "gm" and row.who in ("player", "helper") else part


def _read_out(rules: Rules, text: str) -> str:
    """Return an expression with the dice that it counts in words.

    It stands in the reference, whose sentences are those of the source.
    """
    dice = rules.game.dice
    return re.sub(r"dice\((\w+)\)", lambda found: f"{dice[found[1]].plural or found[1]} in the pool", text)


def _word(rules: Rules, name: str, n: Expression) -> str:
    row = rules.game.points.get(name) or rules.game.symbols.get(name)
    if row is None:
        return name
    return (row.word if n.fixed == 1 else row.plural or row.word) or name
