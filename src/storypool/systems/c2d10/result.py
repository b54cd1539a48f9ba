"""Results without a table, in words: all that a roll needs besides the dice.

Source: c2d10.md 2.1, 2.2 and 2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from storypool.engine.bag import Bag
from storypool.engine.dice import in_order
from storypool.engine.folder import read_alone, words_of
from storypool.systems.c2d10.dice import ACTIVE, DICE, RIVAL, net
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from storypool.engine.dice import Die, Rolled


def counted(words: Words, net: Bag) -> str:
    """A roll without a DC in words: its successes, and the meaning of zeros and nines."""
    text = words.say("result.successes", n=net["successes"])
    return _with(words, "counted", text, net.only(("zeros", "crisis_zeros", "messes")))


def tested(words: Words, net: Bag, dc: int) -> str:
    """A test against a DC in words."""
    n, over = net["successes"], net["successes"] - dc
    if over > 0:
        key = "result.passed_over"
    elif over == 0:
        key = "result.passed"
    else:
        key = "result.failed"
    text = words.say(key, n=words.say("result.successes", n=n), dc=dc, over=over)
    return _with(words, "with", text, _brought(net, over >= 0))


def contested(words: Words, net: Bag, tie: str = "draw", names: Sequence[str] = ()) -> str:
    """A contest in words, with the names of the sides if both are known."""
    mine, theirs = net["successes"], net["rival_successes"]
    if mine > theirs:
        key = "won"
    elif mine < theirs:
        key = "lost"
    else:
        key = f"equal.{tie}"
    if len(names) == 2:
        text = words.say(f"result.named.{key}", one=names[0], other=names[1], n=mine, m=theirs)
    else:
        text = words.say(f"result.{key}", n=words.say("result.successes", n=mine), m=theirs)
    text = _with(words, "with", text, _brought(net, mine > theirs))
    holds = tie == "defender" and mine == theirs
    other = _brought(net, mine < theirs or holds, RIVAL.axis, fails=mine > theirs)
    if not other:
        return text
    sides = _listed(words, other)
    who = names[1] if len(names) == 2 else words["result.rival"]
    return words.say("result.theirs", text=text, sides=sides[:1].upper() + sides[1:], who=who)


def _brought(net: Bag, passed: bool, axis: str = "", fails: bool = True) -> Bag:
    """The extra of a roll for one side: a mess if it passes, a setback if it `fails`."""
    if passed:
        first = {"mess": net[f"{axis}messes"]}
    else:
        first = {"setback": net[f"{axis}zeros"] if fails else 0}
    return Bag({**first, "complication": net[f"{axis}crisis_zeros"]})


def _with(words: Words, key: str, text: str, brought: Bag) -> str:
    """The result as a sentence, with its extras."""
    if not brought:
        return text + "."
    return words.say(f"result.{key}", text=text, head=text, sides=_listed(words, brought))


def _listed(words: Words, brought: Bag) -> str:
    """The extras of a roll, listed in words."""
    return words.joined(
        (words.say(f"result.{name}", n=n) for name, n in brought.items()), "result.and"
    )


def under(
    pool: Bag, terms: Mapping[str, str], language: Language = ENGLISH
) -> tuple[tuple[Die, ...], Callable[[Sequence[Rolled]], tuple[bool | None, Bag, str]]]:
    """The dice of a pool under these terms, and the reader of the roll: a test or a contest.

    `Refused` for an unknown term, and for one that only odds depend on.
    """
    from storypool.odds.question import Terms, no_odds  # only where there are terms
    from storypool.systems.c2d10 import odds

    for key in terms:
        if key in ("rerolls", "gains"):
            raise no_odds("later", key, key=key)
    contest = bool(pool.only(RIVAL.dice))
    allowed = ("crisis", "contest_tie") if contest else ("dc", "crisis")
    known = Terms(terms, allowed)
    tie = known.choice("contest_tie", odds.TIES)
    dc = None
    if "dc" in terms:
        dc = known.number("dc", odds.USUAL_DC, 0, odds.MAX_DC)
    crisis = known.number("crisis", 0, 0, odds.MAX_CRISIS)
    dice = odds.with_crisis(pool.only(ACTIVE.dice), crisis) + pool.only(RIVAL.dice)
    words = words_of("c2d10", language, "storypool.systems.c2d10")
    return in_order(dice, DICE), lambda rolled: came_to(net(rolled), words, contest, dc, tie)


def came_to(
    total: Bag,
    words: Words,
    contest: bool,
    dc: int | None = None,
    tie: str = "draw",
    names: Sequence[str] = (),
) -> tuple[bool | None, Bag, str]:
    """Whether a roll passes (None without a DC or rival), its result, and that in words."""
    if contest:
        return (
            total["successes"] > total["rival_successes"],
            total,
            contested(words, total, tie, names),
        )
    if dc is None:
        return None, total, counted(words, total)
    return total["successes"] >= dc, total, tested(words, total, dc)


def _read(rolled: Sequence[Rolled], words: Words) -> tuple[bool | None, Bag, str]:
    """The result of these dice, and that in words; only a contest is known to pass or fail."""
    return came_to(net(rolled), words, any(one.die in RIVAL.dice for one in rolled))


result = read_alone(_read, "c2d10", "storypool.systems.c2d10")
