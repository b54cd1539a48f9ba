"""What coins come to, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language
from tests.games.tiny.dice import AXES, DICE


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """Whether heads beat tails, by how much, and that in words."""
    words = Words({}).plus(files("tests.games.tiny").joinpath("words.toml")).under(language.game("tiny"))
    net = AXES.net(symbols(lies, DICE))
    return net["heads"] > 0, net, sentence(words, net)


def sentence(words: Words, net: Bag) -> str:
    """Heads or tails, and by how much; an even toss fails."""
    return words.say("toss.heads" if net["heads"] > 0 else "toss.tails", n=abs(net["heads"]))
