"""Plain dice as text, against the dice that it means and an enumeration of every face."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from storypool.odds import Misused, TooManyDice, allowing, d, dice_text, drop, keep, odds, parse
from storypool.odds.allowance import SURFACES

NOTED = {
    "3d6+2": odds(3 @ d(6)) + 2,
    "2d20kl1": keep(2 @ d(20), lowest=1),
    "d20": odds(d(20)),
    "2D20 KL1": keep(2 @ d(20), lowest=1),
    "4d6dl": drop(4 @ d(6), lowest=1),
    "4d6dh2": drop(4 @ d(6), highest=2),
    "- 1d4 + 2d6kh - 3": keep(2 @ d(6), highest=1) - odds(d(4)) - 3,
    " 1d8−d6 ": odds(d(8)) - odds(d(6)),
    "d%": odds(d(100)),
    "0d6 + 5": odds([], dice_text._PIPS) + 5,
    "7": odds([], dice_text._PIPS) + 7,
}

REFUSED = {
    "": "character 1 of ''",
    "4d6xh3": "character 4 of '4d6xh3', write +, - or kh3.",
    "4d6kh3 kl1": "character 8 of '4d6kh3 kl1', write +",
    "3d6 +": "character 6",
    "3d6 + + 2": "character 7",
    "3d6 * 2": "character 5 of '3d6 * 2', write +",
    "1d20, 2d6": "character 5",
    "4d6kh5": "character 4 of '4d6kh5', 1 to 4 of 4 dice can be kept, not 5",
    "2d6dl2": "1 to 1 of 2 dice can be dropped, not 2",
    "2d6dh0": "1 to 1 of 2 dice can be dropped, not 0",
    "0d6kh1": "none of 0 dice",
    "2d6kh0": "1 to 2 of 2 dice",
    "3d6.5": "character 4",
    "d0": "1 to 100,000 sides",
    "1d100001": "1 to 100,000 sides",
    "²d6": "character 1",
    "10d": "character 3",
    "1+" * 101: "at most 200 characters",
}


@pytest.mark.parametrize("text", NOTED)
def test_text_means_its_dice(text: str) -> None:
    """Each text has the odds of the dice, the kept ones and the numbers."""
    assert NOTED[text] == parse(text)


def test_kept_dice_match_every_face() -> None:
    """`kh`, `kl`, `dh` and `dl` sum the ranked faces, in either case."""
    for suffix, part in (
        ("kh2", slice(1, 3)),
        ("K2", slice(1, 3)),
        ("KL", slice(0, 1)),
        ("dh1", slice(0, 2)),
        ("dl2", slice(2, 3)),
    ):
        sums = Counter(
            sum(sorted(faces)[part]) for faces in product(range(1, 5), range(1, 5), range(1, 5))
        )
        found = parse(f"3d4{suffix}")
        assert {n: Fraction(count, 64) for n, count in sums.items()} == dict(found)


@pytest.mark.parametrize("text", REFUSED)
def test_wrong_text_is_refused_with_its_place(text: str) -> None:
    """One sentence has the character and what is wanted there."""
    with pytest.raises(ValueError, match=re.escape(REFUSED[text])):
        parse(text)


def test_other_values_and_many_dice_are_refused() -> None:
    """A number is refused, and limits are those of `odds`."""
    wrong: Any = 6
    with pytest.raises(Misused, match=r"parse\('4d6kh3'\)"):
        parse(wrong)
    with allowing(SURFACES), pytest.raises(TooManyDice, match="at most 100"):
        parse("999999999d6")
