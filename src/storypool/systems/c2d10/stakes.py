"""What the odds of an open test or contest are, and what rolling again or a bought success is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from storypool.engine.rules import Bag, Check, Table
from storypool.odds import ge
from storypool.odds import question as answers
from storypool.odds.question import Question, Worth
from storypool.systems.c2d10 import odds
from storypool.systems.c2d10.conflicts import PROGRESS
from storypool.systems.c2d10.dice import ACTIVE, NOTATION, RIVAL
from storypool.systems.c2d10.gains import pool_of
from storypool.systems.c2d10.game import SYSTEM
from storypool.systems.c2d10.reading import is_contest

ONE_DIE = odds.distribution(Bag({ACTIVE.regular: 1})).mean("successes")
"""What a die shows on average."""


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
    account = pool_of(table, check, ACTIVE, lambda key: SYSTEM.option(table, key))
    return Question(check.pool, terms if account == "hero" else {**terms, "gains": account or "none"})


def further(table: Table, check: Check) -> Iterator[Worth]:
    """What rolling a die again is worth before and after the roll, and a success more after it, in a conflict.

    Before the roll it is one point held for rolling again; none for a contest that is not rolled yet. After a pass it
    is what an empty die brings on average: progress, and points.
    """
    if check.phase == "build":
        if not is_contest(check) and "target" in check.terms and check.pool.total <= odds.MOST_ROLLED_AGAIN:
            dc = check.number("target")
            now = odds.distribution(check.pool).p(successes=ge(dc))
            again = odds.rolled_again(check.pool, dc, 1).p(successes=ge(dc))
            yield _reroll(check, now, again)
    elif check.outcome is not None and check.rolled:
        yield from _after(table, check, check.outcome.margin, bool(check.outcome.passed))


def _after(table: Table, check: Check, margin: int, passed: bool) -> Iterator[Worth]:
    empty = any(one.die == ACTIVE.regular and one.face < 7 for one in check.rolled)
    again = empty and not check.terms.get("settled")
    if passed:
        progress = {"progress": Fraction(PROGRESS + margin)} if "conflict" in check.terms else {}
        if progress:
            yield Worth("success.buy", {}, progress, _more(progress, Fraction(1)), of="amount")
        stops = SYSTEM.option(table, "reroll_blocks_gain") == "yes"
        account = "" if stops else pool_of(table, check, ACTIVE, lambda key: SYSTEM.option(table, key))
        brings = progress | ({f"{account}_points": Fraction(margin)} if account else {})
        if again and brings:
            yield Worth("check.reroll", {}, brings, _more(brings, ONE_DIE), of="amount")
    elif again:
        short = -margin + (1 if is_contest(check) else 0)
        chance = odds.distribution(Bag({ACTIVE.regular: 1})).p(successes=ge(short))
        yield _reroll(check, Fraction(0), chance)


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
