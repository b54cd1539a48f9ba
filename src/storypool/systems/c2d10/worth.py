"""What a die, a re-roll or a success is worth at its present price: the chance or the progress before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from storypool.bag import Bag
from storypool.odds import ge
from storypool.systems.c2d10 import odds
from storypool.systems.c2d10.conflicts import PROGRESS
from storypool.systems.c2d10.dice import ACTIVE, RIVAL
from storypool.systems.c2d10.prices import price
from storypool.systems.c2d10.reading import is_contest, number
from storypool.table import Check


@dataclass(frozen=True, slots=True)
class Worth:
    """One thing that points buy for a check as it stands: its price now, and what it changes from what to what.

    `of` is "pass", the chance that the test passes or the contest is won, or "progress", in a conflict.
    """

    use: Literal["die", "reroll", "success"]
    price: int
    of: Literal["pass", "progress"]
    before: Fraction
    after: Fraction


def chances(check: Check) -> Mapping[str, Fraction]:
    """The odds of each outcome of a check that is not rolled yet; empty where its DC is not known."""
    if is_contest(check):
        mine, theirs = _sides(check.pool)
        return odds.contest(odds.distribution(mine), odds.distribution(theirs))
    if "target" not in check.terms:
        return {}
    return odds.outcomes(odds.distribution(check.pool), number(check, "target"))


def worth(check: Check) -> Iterator[Worth]:
    """What points buy for whoever acts: before the roll a die and a re-roll, after it a re-roll or a success.

    Nothing where the DC is not known, and no re-roll for a contest that is not rolled yet.
    """
    if check.phase == "build":
        now = chances(check)
        if now:
            yield from _before(check, next(iter(now.values())))
    elif check.outcome is not None and check.rolled:
        yield from _after(check, check.outcome.margin, bool(check.outcome.passed))


def _before(check: Check, now: Fraction) -> Iterator[Worth]:
    with_die = replace(check, pool=check.pool + Bag({ACTIVE.regular: 1}))
    cost = price("die", 1, number(check, "bought"))
    yield Worth("die", cost, "pass", now, next(iter(chances(with_die).values())))
    if not is_contest(check) and check.pool.total <= odds.MOST_ROLLED_AGAIN:
        dc = number(check, "target")
        again = odds.rolled_again(check.pool, dc, 1).p(successes=ge(dc))
        yield Worth("reroll", price("reroll"), "pass", now, again)


def _after(check: Check, margin: int, passed: bool) -> Iterator[Worth]:
    if passed:
        if "conflict" in check.terms:
            progress = Fraction(PROGRESS + margin)
            yield Worth("success", price("success", 1, number(check, "added")), "progress", progress, progress + 1)
        return
    empty = [one for one in check.rolled if one.die == ACTIVE.regular and one.face < 7]
    if empty and not check.terms.get("settled"):
        short = -margin + (1 if is_contest(check) else 0)
        chance = odds.distribution(Bag({ACTIVE.regular: 1})).p(successes=ge(short))
        yield Worth("reroll", price("reroll"), "pass", Fraction(0), chance)


def _sides(pool: Bag) -> tuple[Bag, Bag]:
    theirs = Bag({mine: pool[other] for mine, other in zip(ACTIVE[2:], RIVAL[2:], strict=True)})
    return pool.only(ACTIVE[2:]), theirs
