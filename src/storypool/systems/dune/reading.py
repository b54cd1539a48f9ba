"""What a d20 says in a test, and what the whole roll comes to."""

from __future__ import annotations

from collections.abc import Callable

from storypool.engine.rules import Check, Die, Outcome, Rolled, Table
from storypool.systems.dune.terms import number, numbers
from storypool.systems.twod20.dice import CHALLENGE, D20, HELPER, ONE, bound, counted, result
from storypool.words import Words


def bind(table: Table, check: Check) -> tuple[Die, ...]:
    """Each die of the check's pool with what its faces say: the leader's by the target number, helpers' by theirs."""
    target, critical, high = number(check, "target"), number(check, "critical", 1), number(check, "range", 1)
    leader = bound(D20.name, target, critical, high) if target else D20
    helpers = zip(numbers(check, "helper_targets"), numbers(check, "helper_criticals"), strict=True)
    return (
        *[leader] * check.pool[D20.name],
        *[ONE] * check.pool[ONE.name],
        *[bound(HELPER.name, aim, twice, high) for aim, twice in helpers],
        *[CHALLENGE] * check.pool[CHALLENGE.name],
    )


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """Reads a roll: passed when the successes meet the Difficulty; what is beyond it is the margin.

    A test that opposes another one passes nothing by itself. Where both sides of a contest test at one Difficulty, the
    active side has to match the Momentum of an opponent who passed.

    Source: seed 004, Skill Test Procedure; dune.md 4.2.
    """

    def read(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        if "target" not in check.terms:
            passed, net, told = result(lies, words)
            return Outcome(passed, 0, net, told)
        net = counted(lies, bind(table, check))
        n, c = net["successes"], net["complications"]
        margin = n - number(check, "difficulty")
        passed = margin >= 0
        if check.terms.get("kind") == "oppose" and not check.terms.get("both_test"):
            passed, margin = None, 0
        elif "rival" in check.terms:
            rival = number(check, "rival")
            passed, margin = passed and margin >= rival, margin - max(0, rival)
        came = words.say("result.came", n=n)
        said = {"came": came, "c": c, "difficulty": number(check, "difficulty"), "margin": margin}
        key = {True: "passed", False: "failed", None: "opposed"}[passed]
        parts = [words.say(f"result.{key}", **said), *([words.say("result.complications", c=c)] if c else [])]
        return Outcome(passed, margin, net, " ".join(parts))

    return read
