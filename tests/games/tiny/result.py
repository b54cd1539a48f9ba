"""The result of coins, in words."""

from __future__ import annotations

from collections.abc import Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.engine.folder import read_alone
from storypool.words import Words
from tests.games.tiny.dice import AXES, DICE


def came_to(rolled: Sequence[Rolled], words: Words) -> tuple[bool, Bag, str]:
    """The result of heads against tails, the margin and its words. An even toss fails."""
    net = AXES.net(symbols(rolled, DICE))
    return (
        net["heads"] > 0,
        net,
        words.say("toss.heads" if net["heads"] > 0 else "toss.tails", n=abs(net["heads"])),
    )


result = read_alone(came_to, "tiny", "tests.games.tiny")
