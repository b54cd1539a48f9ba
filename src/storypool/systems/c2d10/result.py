"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.engine.folder import with_words
from storypool.systems.c2d10.dice import RIVAL, net
from storypool.systems.c2d10.reading import contested, counted
from storypool.words import Words, spoken


def result(pool: Mapping[str, int], lies: Sequence[Rolled]) -> tuple[bool | None, Bag, str]:
    """What these dice came to, and that in words; whether they succeed is known only in a contest of two."""
    total = net(lies)
    words = with_words(Words({}), "storypool.systems.c2d10").under(spoken("c2d10"))
    if not any(pool.get(name, 0) for name in RIVAL.dice):
        return None, total, counted(words, total)
    return total["successes"] > total["rival_successes"], total, contested(words, total)
