"""What Destiny Dice come to, and the result in words, as a player would say it.

Source: seed 002, Roll and Interpret.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled, symbols
from storypool.systems.destinydice.dice import AXES, DICE
from storypool.words import Words
from storypool.words.languages import Language

STYLE = 3
"""The margin from which on somebody succeeds with style."""


def net(lies: Iterable[Rolled], hope_stands: bool = False) -> Bag:
    """What the dice came to: the margin, net advantage, Hope and Despair each counted apart.

    Hope counts as a Success and Despair as a Failure. Where `hope_stands` (the option `hope_success_uncancellable`),
    Failures cancel what other Successes there are and no Hope.
    """
    lie = symbols(lies, DICE)
    found = AXES.net(lie)
    return found.with_count("margin", margin_of(found["margin"] - lie["hope"], lie["hope"], hope_stands))


def margin_of(plain: int, hope: int, hope_stands: bool) -> int:
    """The margin, from that of all other symbols and the number of Hopes.

    >>> margin_of(-2, 1, False), margin_of(-2, 1, True), margin_of(2, 1, True), margin_of(-2, 0, True)
    (-1, 1, 3, -2)
    """
    return hope + (max(0, plain) if hope and hope_stands else plain)


def passed(margin: int) -> bool | None:
    """Whether somebody succeeds; None for a tie, which is neither."""
    return None if margin == 0 else margin > 0


def grade(margin: int) -> str:
    """The outcome by its name: fail, tie, succeed or style. Source: destinydice.md 3.5, Outcomes.

    >>> [grade(n) for n in (-1, 0, 1, 2, 3)]
    ['fail', 'tie', 'succeed', 'succeed', 'style']
    """
    if margin <= 0:
        return "tie" if margin == 0 else "fail"
    return "style" if margin >= STYLE else "succeed"


def own_words(language: Language) -> Words:
    """The sentences of this game alone: enough to tell a result without a table."""
    return (
        Words({})
        .plus(files("storypool.systems.destinydice").joinpath("words.toml"))
        .under(language.game("destinydice"))
    )


def sentence(words: Words, found: Bag, opposed: bool = False) -> str:
    """The result in a sentence: its outcome and its margin, then what else it brought.

    A failure against an opponent is told as the opponent's success (seed 002, Roll and Interpret).
    """
    margin = found["margin"]
    key = "opposed" if opposed and margin < 0 else grade(margin)
    head = words.say(f"result.{key}", n=abs(margin))
    sides = []
    if found["advantage"]:
        name = "advantage" if found["advantage"] > 0 else "disadvantage"
        sides.append(words.say(f"result.{name}", n=abs(found["advantage"])))
    for name in ("hope", "despair"):
        if found[name]:
            sides.append(words.say(f"result.{name}", n=found[name]))
    if not sides:
        return words.say("result.plain", head=head)
    listed = ", ".join(sides[:-1]) + (words["result.and"] if len(sides) > 1 else "") + sides[-1]
    return words.say("result.with", head=head, side=listed)
