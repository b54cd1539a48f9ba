"""Treatments, such as Medicine: each net success heals a wound, or a success a critical injury.

This count is a house reading: no source has it. Recovering strain with Advantage is in starwars.md
1.5.
"""

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.sheet import note_of


def patient(turn: r.Turn, check: r.Check) -> r.Character | None:
    """The patient of an action, or None; never an opponent."""
    attempt, target = Attempt.of(check), turn.table.target(check)
    treats = attempt.difficulty != "opposed" and note_of(turn, attempt.skill, "helps") != ""
    return target if treats else None


def wounds_healed(turn: r.Turn, check: r.Check, outcome: r.Outcome) -> int:
    """The wounds that a roll heals; none of a visible character for a hidden roll."""
    who = patient(turn, check)
    treats = injury_healed(turn, check, outcome)
    if who is None or treats or not outcome.passed or not check.may_use(who):
        return 0
    return min(outcome.net["success"], turn.table.balance("wounds", who.id))


def injury_healed(turn: r.Turn, check: r.Check, outcome: r.Outcome) -> r.Trait | None:
    """The critical injury that a roll heals instead of wounds, or None."""
    trait = turn.table.traits.get(Attempt.of(check).injury)
    who = patient(turn, check)
    if trait is None or who is None or trait.about != who.id or not check.may_use(trait):
        return None
    return trait if outcome.passed else None
