"""Plain dice as people type them, `4d6kh3 + 2`, read as the odds of one roll."""

import re

from storypool.engine.dice import Axes, Misused, d, described
from storypool.odds.distribution import Distribution
from storypool.odds.ordered import drop, keep
from storypool.odds.rollable import odds
from storypool.words import BadValue

LONGEST_TEXT = 200
"""The most characters that are read, so that no text takes long."""

SIGNS = {"+": 1, "-": -1, "−": -1}
"""The signs between terms, with the factor of the next one."""

_TERM = re.compile(
    r"\s*(?:(?P<dice>\d{0,9})d(?P<sides>\d{1,9}|%)(?:\s*(?P<verb>kh|kl|dh|dl|k)(?P<some>\d{0,9}))?"
    r"|(?P<number>\d{1,9}))\s*",
    re.ASCII | re.IGNORECASE,
)
_PIPS = Axes(["pips"])


def parse(text: str) -> Distribution:
    """The odds of dice as text: `3d6+2`, `2d20kl1`, `4d6dl1 - 1d4`, `d%`.

    `kh` and `kl` keep the highest or lowest dice, `dh` and `dl` drop them, one without a number;
    `k` is `kh`. The axis is `pips`. `ValueError` says which character is wrong and what is expected
    there; other errors as for `odds` and `keep`.

    >>> parse("4d6kh3").mean(), parse("3d6 + 2").p(20)
    (Fraction(15869, 1296), Fraction(1, 216))
    >>> parse("4d6xh3")
    Traceback (most recent call last):
    storypool.words.BadValue: At character 4 of '4d6xh3', write +, - or kh3.
    """
    given: object = text
    if not isinstance(given, str):
        raise Misused(f"Dice are read from a text, as in parse('4d6kh3'), not {described(given)}.")
    if len(text) > LONGEST_TEXT:
        raise BadValue(f"Dice are read from at most {LONGEST_TEXT} characters, not {len(text)}.")
    total = odds([], _PIPS)
    place = len(text) - len(text.lstrip())
    sign = SIGNS.get(text[place : place + 1], 0)
    place, sign = place + abs(sign), sign or 1
    while True:
        found = _TERM.match(text, place)
        if found is None:
            raise _unread(text, place, "write dice such as 4d6 or a number")
        total += sign * _term(text, found)
        place = found.end()
        if place == len(text):
            return total
        if text[place] not in SIGNS:
            raise _unread(text, place, "write +, - or kh3")
        sign, place = SIGNS[text[place]], place + 1


def _term(text: str, found: re.Match[str]) -> Distribution | int:
    """A number, or the odds of some dice."""
    if found["number"]:
        return int(found["number"])
    number, sides = int(found["dice"] or 1), found["sides"]
    dice = {d(100 if sides == "%" else int(sides)): number}
    if not found["verb"]:
        return odds(dice, _PIPS)
    verb, some = found["verb"].lower(), int(found["some"] or 1)
    keeps = verb.startswith("k")
    most = number if keeps else number - 1
    if not 1 <= some <= most:
        wanted = f"1 to {most}" if most >= 1 else "none"
        raise _unread(
            text,
            found.start("verb"),
            f"{wanted} of {number} dice can be {'kept' if keeps else 'dropped'}, not {some}",
        )
    lowest, highest = (some, 0) if verb.endswith("l") else (0, some)
    return (keep if keeps else drop)(dice, _PIPS, lowest=lowest, highest=highest)


def _unread(text: str, place: int, reason: str) -> ValueError:
    place = len(text) - len(text[place:].lstrip())
    return BadValue(f"At character {place + 1} of {described(text)}, {reason}.")
