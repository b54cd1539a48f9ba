"""Dice that explode: those that show such a face are rolled again at once."""

from __future__ import annotations

from collections.abc import Generator

from storypool.engine import rules as r
from storypool.gamefile.file_rolls.roll_reading import RollReading

__all__ = ["exploded"]


def exploded(
    turn: r.Turn, reading: RollReading, about: str, fell: tuple[r.Rolled, ...]
) -> Generator[r.Event, None, list[tuple[r.Rolled, ...]]]:
    """Roll on the dice that explode. The value is the rolls of each die.

    All that explode together are one throw, by the program even where `fell` was typed.
    """
    dice, typed = [[one] for one in fell], any(one.source == "hand" for one in fell)
    why = turn.words["filed.explodes_typed" if typed else "filed.explodes"]
    while exploding := [rolls for rolls in dice if reading.rolls_on(rolls)]:
        more = turn.cast(r.Bag(rolls[0].die for rolls in exploding))
        yield r.DiceRolled(about, turn.seat.id, more, why)
        for rolls, one in zip(exploding, more, strict=True):
            rolls.append(one)
    return [tuple(rolls) for rolls in dice]
