"""What 2d20 dice come to in words, for a table and for a roll without one."""

from collections.abc import Callable, Mapping, Sequence

from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.systems.twod20 import dice
from storypool.words import Words

Reading = tuple[tuple[Die, ...], Callable[[Sequence[Rolled]], tuple[bool | None, Bag, str]]]
"""The dice of a test, and what reads their roll: whether it passed, its symbols, both in words."""


def result_in_words(
    words: Words,
    net: Bag,
    passed: bool | None,
    difficulty: int,
    margin: int,
    sides: Sequence[str] = (),
    made_of: str = "",
) -> str:
    """A test in words: its successes, whether they suffice, its margin, and complications.

    `passed` is None for the roll of an opponent, which cannot pass alone. A contest of two
    `sides` has their names. What the Difficulty is `made_of` is a sum in words.
    """
    over = "passed_over" if margin > 0 else "passed"
    key = {True: over, False: "failed", None: "opposed"}[passed]
    came = words.say("result.came", n=net["successes"])
    values = {"came": came, "difficulty": difficulty, "margin": margin}
    if sides:
        won = "beats" if margin > 0 else "ties"
        key = won if passed else "loses"
        values |= {"one": sides[0], "other": sides[1], "mine": net["successes"]}
    if made_of and (sides or passed is None):
        values["difficulty"] = words.say("result.sum", n=difficulty, sum=made_of)
    text = words.say(f"result.{key}", **values)
    n = net["complications"]
    return f"{text} {words.say('result.complications', n=n)}" if n else text


def under(pool: Bag, terms: Mapping[str, str], words: Words) -> Reading:
    """Each die that a test rolls under these terms, and what reads the roll."""
    from storypool.odds.question import no_odds  # only where there are terms
    from storypool.systems.twod20.odds import TEST, TestTerms

    known = TestTerms(terms, TEST)
    if "reroll" in terms:
        raise no_odds("later", "reroll", key="reroll")
    side, difficulty = known.numbers(pool), known.number("difficulty", 1, 0, 30)
    bound = (
        *[dice.bound(dice.D20.name, side.target, side.focus, side.range)] * (side.dice - side.ones),
        *[dice.ONE] * side.ones,
        *[
            dice.bound(dice.HELPER.name, target, focus, side.range)
            for target, focus in side.helpers
        ],
    )

    def judge(rolled: Sequence[Rolled]) -> tuple[bool | None, Bag, str]:
        net = dice.counted(rolled, bound)
        margin = net["successes"] - difficulty
        return margin >= 0, net, result_in_words(words, net, margin >= 0, difficulty, margin)

    return bound, judge
