"""The result of Destiny Dice, and its sentence for players.

Source: seed 002, Roll and Interpret. A roll without a table reads only this, so it imports no
rules.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled, in_order, symbols
from storypool.engine.folder import read_alone, words_of
from storypool.systems.destinydice.dice import AXES, DICE, SYMBOLS
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

STYLE = 3
"""The lowest margin of a success with style."""
TERMS = {"hope_success_uncancellable": ("no", "yes")}
"""The terms of a roll and its odds apart from the pool, each with its default first."""


def net(rolled: Iterable[Rolled], hope_stands: bool = False) -> Bag:
    """The net result: the margin, net advantage, and Hope and Despair counted apart.

    Hope counts as a Success and Despair as a Failure. Where `hope_stands` (the option
    `hope_success_uncancellable`), Failures cancel other Successes but no Hope.
    """
    shown = symbols(rolled, DICE)
    found = AXES.net(shown)
    return found.with_count(
        "margin", margin_of(found["margin"] - shown["hope"], shown["hope"], hope_stands)
    )


def margin_of(plain: int, hope: int, hope_stands: bool) -> int:
    """The margin, from that of all other symbols and the number of Hopes.

    >>> margin_of(-2, 1, False), margin_of(-2, 0, True)
    (-1, -2)
    >>> margin_of(-2, 1, True), margin_of(2, 1, True)
    (1, 3)
    """
    return hope + (max(0, plain) if hope and hope_stands else plain)


def passed(margin: int) -> bool | None:
    """Whether a margin is a success; None for a tie, which is neither."""
    return None if margin == 0 else margin > 0


def grade(margin: int) -> str:
    """The outcome by name: fail, tie, succeed or style. Source: destinydice.md 3.5, Outcomes.

    >>> [grade(n) for n in (-1, 0, 1, 2, 3)]
    ['fail', 'tie', 'succeed', 'succeed', 'style']
    """
    if margin <= 0:
        return "tie" if margin == 0 else "fail"
    return "style" if margin >= STYLE else "succeed"


def sentence(words: Words, found: Bag, opposed: bool = False) -> str:
    """The result in a sentence: its outcome and its margin, then the other symbols.

    A failure against an opponent is called the opponent's success (seed 002, Roll and
    Interpret).
    """
    margin, named = found["margin"], AXES.named(found)
    key = "opposed" if opposed and margin < 0 else grade(margin)
    head = words.say(f"result.{key}", n=abs(margin))
    sides = [words.say(f"result.{name}", n=named[name]) for name in SYMBOLS[2:] if named[name]]
    if not sides:
        return words.say("result.plain", head=head)
    return words.say("result.with", head=head, side=words.joined(sides, "result.and"))


def under(
    pool: Bag, terms: Mapping[str, str], language: Language = ENGLISH
) -> tuple[tuple[Die, ...], Callable[[Sequence[Rolled]], tuple[bool | None, Bag, str]]]:
    """The dice of the pool, and the reader of the roll; `hope_success_uncancellable` is a term."""
    from storypool.odds.question import chosen  # only where there are terms

    stands = chosen(terms, TERMS)["hope_success_uncancellable"] == "yes"
    words = words_of("destinydice", language, "storypool.systems.destinydice")
    return in_order(pool, DICE), lambda rolled: _read(rolled, words, stands)


def _read(
    rolled: Sequence[Rolled], words: Words, hope_stands: bool = False
) -> tuple[bool | None, Bag, str]:
    """Whether these dice succeed (None for a tie), their net result, and that in words."""
    found = net(rolled, hope_stands)
    return passed(found["margin"]), found, sentence(words, found)


result = read_alone(_read, "destinydice", "storypool.systems.destinydice")
