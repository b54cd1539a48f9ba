"""What dice come to, with or without a table, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lantern.dice import AXES, DICE
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.engine.folder import with_words
from storypool.engine.table import Check, Outcome, Table
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language


def came_to(lie: Sequence[Rolled], words: Words) -> tuple[bool, Bag, str]:
    """Whether the dice pass, what is left of them, and that in words."""
    net = AXES.net(symbols(lie, DICE))
    passed = net["success"] >= 1
    return passed, net, words.say("result.passed" if passed else "result.failed", n=net["success"])


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """The same for dice that were rolled without a table."""
    return came_to(lies, with_words(Words({}), "lantern").under(language.game("lantern")))


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """What reads a roll at a table."""

    def read(table: Table, check: Check, lie: tuple[Rolled, ...]) -> Outcome:
        passed, net, said = came_to(lie, words)
        return Outcome(passed, net["success"], net, said)

    return read
