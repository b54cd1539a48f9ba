"""A check that treats its target, as Medicine does: each net success heals a wound.

No source of ours has this count: it is a house reading. That Advantage recovers strain is in
starwars.md 1.5.
"""

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.sheet import noted


def patient(turn: r.Turn, check: r.Check) -> r.Character | None:
    """The patient of an action, or None; never an opponent."""
    attempt, target = Attempt.of(check), turn.table.target(check)
    treats = attempt.difficulty != "opposed" and noted(turn, attempt.skill, "helps") != ""
    return target if treats else None


def healed(turn: r.Turn, check: r.Check, outcome: r.Outcome) -> int:
    """How many wounds a roll heals: a hidden one none of a character whom all see, for that would
    tell of it.
    """
    who = patient(turn, check)
    if who is None or not outcome.passed or not check.may_use(who):
        return 0
    return min(outcome.net["success"], turn.table.balance("wounds", who.id))
