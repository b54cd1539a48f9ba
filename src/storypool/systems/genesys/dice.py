"""The dice of this game and what they come to: all that rolling and odds need, without the moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.bag import Bag
from storypool.dice import Rolled
from storypool.systems.narrative import dice, reading

DICE, AXES = dice.DICE, dice.AXES
NOTATION = dice.notation(force=False)


def result(pool: Mapping[str, int], lies: Sequence[Rolled]) -> tuple[bool | None, Bag, str]:
    """Whether these dice succeed, what they came to, and that in words."""
    net = reading.net(lies)
    return reading.passed(net), net, reading.sentence(reading.own_words("genesys"), net)
