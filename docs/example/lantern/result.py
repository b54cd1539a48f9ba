"""What dice come to, with or without a table, and the sentence that describes it."""

from __future__ import annotations

from collections.abc import Sequence

from lantern.dice import AXES, DICE
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.engine.folder import read_alone
from storypool.words import Words


def came_to(rolled: Sequence[Rolled], words: Words) -> tuple[bool, Bag, str]:
    """Return whether the dice pass, what is left of them, and that in words."""
    net = AXES.net(symbols(rolled, DICE))
    passed = net["success"] >= 1
    return passed, net, words.say("result.passed" if passed else "result.failed", n=net["success"])


result = read_alone(came_to, "lantern", "lantern")
"""The same for dice that were rolled without a table."""
