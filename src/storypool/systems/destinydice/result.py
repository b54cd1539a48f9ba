"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.systems.destinydice import reading
from storypool.words.languages import ENGLISH, Language


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """Whether these dice succeed (None for a tie), what they came to, and that in words."""
    net = reading.net(lies)
    return reading.passed(net["margin"]), net, reading.sentence(reading.own_words(language), net)
