"""What dice come to, with or without a table, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lantern.dice import AXES, DICE
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.engine.folder import words_of
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language


def came_to(lie: Sequence[Rolled], words: Words) -> tuple[bool, Bag, str]:
    """Whether the dice pass, what is left of them, and that in words."""
    net = AXES.net(symbols(lie, DICE))
    passed = net["success"] >= 1
    return passed, net, words.say("result.passed" if passed else "result.failed", n=net["success"])


def result(pool: Mapping[str, int], rolled: Sequence[Rolled], language: Language = ENGLISH) -> tuple[bool, Bag, str]:
    """The same for dice that were rolled without a table."""
    return came_to(rolled, words_of("lantern", language, "lantern"))
