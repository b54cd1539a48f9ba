"""The dice of this game and what they come to: all that rolling and odds need, without the moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.bag import Bag
from storypool.dice import Rolled
from storypool.systems.twod20 import dice
from storypool.words import Words, spoken

DICE, AXES, NOTATION = dice.DICE, dice.AXES, dice.NOTATION


def result(pool: Mapping[str, int], lies: Sequence[Rolled]) -> tuple[bool | None, Bag, str]:
    """What these dice show without a test: nothing passes where there is no target number."""
    return dice.result(lies, Words({}).plus(dice.WORDS).under(spoken("dune")))
