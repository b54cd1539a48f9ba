"""Reading narrative dice: the net result, and its sentences for players.

Its sentences have their own file, since rolling in the terminal reads no others.
"""

from collections.abc import Iterable, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.systems.narrative.symbol_dice import AXES, DICE
from storypool.words import Words


def net(rolled: Iterable[Rolled]) -> Bag:
    """The net result: success and advantage; triumphs and despairs counted apart.

    Source: seed 003, Interpreting the Pool.
    """
    return AXES.net(symbols(rolled, DICE))


def passed(net: Bag) -> bool:
    """Whether a check with this result succeeds; zero is a failure."""
    return net["success"] >= 1


def came_to(rolled: Sequence[Rolled], words: Words) -> tuple[bool, Bag, str]:
    """Whether these dice succeed, their net result, and its sentence."""
    found = net(rolled)
    return passed(found), found, sentence(words, found)


def sentence(words: Words, net: Bag) -> str:
    """The result in one or two sentences: passed or not, other symbols, and their meaning."""
    n, named = net["success"], AXES.named(net)
    if n > 0:
        key = "success"
    elif n:
        key = "failure"
    else:
        key = "failure_even"
    head = words.say(f"result.{key}", n=abs(n))
    beside = ("advantage", "threat", "triumph", "despair")
    sides = [words.say(f"result.{symbol}", n=named[symbol]) for symbol in beside if named[symbol]]
    if not sides:
        return words.say("result.plain", head=head)
    text = words.say("result.with", head=head, side=words.joined(sides, "result.and"))
    if net["triumph"] and not passed(net):
        text += words["result.triumph_fails"]
    if net["despair"] and passed(net):
        text += words["result.despair_succeeds"]
    return text
