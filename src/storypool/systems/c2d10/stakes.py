"""The odds of an open test or contest, and the worth of re-rolls and bought successes."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from storypool.engine import rules as r
from storypool.odds import ge
from storypool.odds import question as answers
from storypool.odds.question import Question, Worth
from storypool.systems.c2d10 import odds
from storypool.systems.c2d10.conflicts import PROGRESS, moved_scores
from storypool.systems.c2d10.dice import ACTIVE, NOTATION, RIVAL
from storypool.systems.c2d10.gains import pool_of
from storypool.systems.c2d10.game import SYSTEM
from storypool.systems.c2d10.test import Test

TRIED = frozenset(
    {
        "character.give",
        "character.leave",
        "check.call",
        "check.count",
        "check.dc",
        "check.reveal",
        "check.trait",
        "circumstance.change",
        "circumstance.create",
        "circumstance.set",
        "conflict.end",
        "conflict.open",
        "contest.answer",
        "dice.buy",
        "dire.circumstance",
        "proposal.accept",
        "scene.begin",
        "session.begin",
        "session.end",
        "trait.remove",
        "trait.set",
    }
)
"""The moves that can change an open roll, including circumstances."""

ONE_DIE = odds.distribution(r.Bag({ACTIVE.regular: 1}))


def question(table: r.Table, check: r.Check) -> Question | None:
    """The question about a test or contest; None without a DC or a rival's dice.

    Also None at DC 0, where nothing is rolled or gained unless the Keeper asks for the roll.
    """
    test = Test.of(check)
    if test.is_contest:
        known = bool(check.pool.only(RIVAL.dice))
    else:
        known = test.target is not None
    if not known:
        return None
    if check.phase == "build" and test.needs_no_roll:
        return None
    tie, dc = table.options.get("contest_tie", "draw"), str(test.target)
    terms = {"contest_tie": tie} if test.is_contest else {"dc": dc}
    account = pool_of(table, check, ACTIVE, partial(SYSTEM.option, table))
    if account != "hero":
        terms["gains"] = account or "none"
    return Question(check.pool, terms)


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """The worth of a re-roll before and after the roll, and of a bought success after it.

    Before the roll, it is one point held for a re-roll; none for a contest. After a pass, it is
    the average of an empty die in progress and points. A hidden action takes no points.
    """
    if check.hidden:
        return
    outcome, test = check.outcome, Test.of(check)
    wins = "active" if test.is_contest else "pass"
    if check.phase == "build":
        dc = None if test.is_contest else test.target
        if dc is not None and question(table, check) and check.pool.total <= odds.MAX_ROLLED_AGAIN:
            now = odds.distribution(check.pool).p(successes=ge(dc))
            again = odds.rolled_again(check.pool, dc, 1).p(successes=ge(dc))
            yield Worth("check.reroll", {}, {wins: now}, {wins: again})
        return
    if outcome is None or not check.rolled:
        return
    empty = any(die.die == ACTIVE.regular and die.face < 7 for die in check.rolled)
    changeable = empty and not test.settled
    if outcome.passed:
        if moved_scores(table, check):
            brings = {"progress": Fraction(PROGRESS + outcome.margin)}
        else:
            brings = {}
        if brings:
            yield Worth(
                "success.buy", {}, brings, {name: n + 1 for name, n in brings.items()}, of="amount"
            )
        account = pool_of(table, check, ACTIVE, partial(SYSTEM.option, table))
        if account and SYSTEM.option(table, "reroll_blocks_gain") != "yes":
            brings = {**brings, f"{account}_points": Fraction(outcome.margin)}
        if changeable and brings:
            more = {name: n + ONE_DIE.mean("successes") for name, n in brings.items()}
            yield Worth("check.reroll", {}, brings, more, of="amount")
    elif changeable:
        after = ONE_DIE.p(successes=ge(int(test.is_contest) - outcome.margin))
        yield Worth("check.reroll", {}, {wins: Fraction(0)}, {wins: after})


def scene(question: Question) -> str:
    """A hero's test with this pool against this DC."""
    dc = question.terms.get("dc", str(odds.USUAL_DC))
    pool = odds.with_crisis(question.pool, int(question.terms.get("crisis", 0)))
    line = f'check.declare as=hero pool="{NOTATION.show(pool)}" dc={dc}'
    return answers.scene("c2d10", "strength=2", "hero=10 villain=10", line)
