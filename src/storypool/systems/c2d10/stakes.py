"""What the odds of an open test or contest are, and what rolling again or a bought success is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

from storypool.engine.rules import Bag, Check, Table
from storypool.odds import ge
from storypool.odds import question as answers
from storypool.odds.question import Question, Worth
from storypool.systems.c2d10 import odds
from storypool.systems.c2d10.conflicts import PROGRESS
from storypool.systems.c2d10.dice import ACTIVE, NOTATION, RIVAL
from storypool.systems.c2d10.gains import pool_of
from storypool.systems.c2d10.game import SYSTEM
from storypool.systems.c2d10.result import is_contest

ONE_DIE = odds.distribution(Bag({ACTIVE.regular: 1}))


def question(table: Table, check: Check) -> Question | None:
    """What a test or a contest asks the odds of; None where its DC, or the dice of the other side, are not known."""
    if is_contest(check):
        if not check.pool.only(RIVAL.dice):
            return None
        terms = {"contest_tie": table.options.get("contest_tie", "draw")}
    elif "target" in check.terms:
        terms = {"dc": str(check.number("target"))}
    else:
        return None
    account = _account(table, check)
    return Question(check.pool, terms if account == "hero" else {**terms, "gains": account or "none"})


def further(table: Table, check: Check) -> Iterator[Worth]:
    """What rolling a die again is worth before and after the roll, and a success more after it, in a conflict.

    Before the roll it is one point held for rolling again; none for a contest that is not rolled yet. After a pass it
    is what an empty die brings on average: progress, and points.
    """
    outcome, contest, dc = check.outcome, is_contest(check), check.number("target")
    if check.phase == "build":
        if not contest and "target" in check.terms and check.pool.total <= odds.MOST_ROLLED_AGAIN:
            now = odds.distribution(check.pool).p(successes=ge(dc))
            yield _reroll(check, now, odds.rolled_again(check.pool, dc, 1).p(successes=ge(dc)))
        return
    if outcome is None or not check.rolled:
        return
    empty = any(die.die == ACTIVE.regular and die.face < 7 for die in check.rolled)
    again = empty and not check.terms.get("settled")
    if outcome.passed:
        brings = {"progress": Fraction(PROGRESS + outcome.margin)} if "conflict" in check.terms else {}
        if brings:
            yield Worth("success.buy", {}, brings, _more(brings, Fraction(1)), of="amount")
        account = _account(table, check)
        if account and SYSTEM.option(table, "reroll_blocks_gain") != "yes":
            brings = {**brings, f"{account}_points": Fraction(outcome.margin)}
        if again and brings:
            yield Worth("check.reroll", {}, brings, _more(brings, ONE_DIE.mean("successes")), of="amount")
    elif again:
        yield _reroll(check, Fraction(0), ONE_DIE.p(successes=ge(int(contest) - outcome.margin)))


def _account(table: Table, check: Check) -> str:
    return pool_of(table, check, ACTIVE, partial(SYSTEM.option, table))


def _more(amounts: Mapping[str, Fraction], n: Fraction) -> dict[str, Fraction]:
    return {name: amount + n for name, amount in amounts.items()}


def _reroll(check: Check, before: Fraction, after: Fraction) -> Worth:
    name = "active" if is_contest(check) else "pass"
    return Worth("check.reroll", {}, {name: before}, {name: after})


def scene(question: Question) -> str:
    """A hero who tests with this pool against this DC."""
    dc = question.terms.get("dc", str(odds.USUAL_DC))
    pool = odds.with_crisis(question.pool, int(question.terms.get("crisis", 0)))
    line = f'check.declare as=hero pool="{NOTATION.show(pool)}" dc={dc}'
    return answers.scene("c2d10", "strength=2", "hero=10 villain=10", line)
