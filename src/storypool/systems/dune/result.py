"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.systems.twod20 import dice
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """What these dice show without a test: nothing passes where there is no target number."""
    return dice.result(lies, Words({}).plus(dice.WORDS).under(language.game("dune")))
