"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.systems.c2d10 import reading
from storypool.systems.c2d10.dice import RIVAL, net
from storypool.words.languages import ENGLISH, Language


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """What these dice came to, and that in words; whether they succeed is known only in a contest of two."""
    came_to = net(lies)
    words = reading.own_words(language)
    if not any(pool.get(name, 0) for name in (RIVAL.regular, RIVAL.crisis)):
        return None, came_to, reading.counted(words, came_to)
    return reading.beats(came_to), came_to, reading.contested(words, came_to)
