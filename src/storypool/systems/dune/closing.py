"""The end of a test: what it owes arrives, and what it was for comes about.

Source: seed 004, Skill Test Procedure, Challenging Drives, Advancement Points; dune.md 4.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import Check, CheckClosed, Event, Move, Turn, move, rolled
from storypool.systems.dune import actions, attacks, complications, conflicts, contests
from storypool.systems.dune.drives import strike
from storypool.systems.dune.terms import kind, number, text, yours

HARD = 3
"""The least Difficulty of a failed test that teaches something. Source: seed 004, Gaining Advancement Points."""


@move("check.close", when=rolled, window=complications.settled, only_if=[yours], rule="Skill Test Procedure")
def close(turn: Turn) -> Iterator[Event]:
    """The test is done

    Momentum that is left goes to the party's pool, up to its cap; an NPC's goes to Threat. Whoever challenged a drive
    strikes its statement.
    """
    check = turn.here
    yield from saved(turn, check)
    if text(check, "offer") == "challenge":
        yield strike(turn, check.actor, text(check, "drive"))
    if kind(check) == "oppose":
        yield from contests.opposed(turn, check)
    yield from attacks.fell(turn, check)
    yield from actions.done(turn, check)
    yield from _learned(turn, check)
    yield from conflicts.ended(turn, check)
    yield CheckClosed(check.id, "done")


def saved(turn: Turn, check: Check) -> Iterator[Event]:
    """What this roll still owes is saved; what the pool has no room for is lost, and told to be."""
    for account, n in check.owed.items():
        before = turn.table.balance(account)
        yield from turn.change(account, n, why=turn.system.words.say("momentum.saved", what=check.title))
        lost = before + n - turn.table.balance(account)
        if lost:
            yield turn.amend(turn.here, turn.system.words.say("momentum.lost", n=lost))


def _learned(turn: Turn, check: Check) -> Iterator[Event]:
    actor = turn.table.characters.get(check.actor)
    failed = check.outcome is not None and check.outcome.passed is False and text(check, "offer") != "refused"
    if failed and actor and actor.side == "players" and kind(check) != "oppose" and number(check, "difficulty") >= HARD:
        yield from turn.change("advancement", 1, actor.id, turn.system.words["advance.failure"])


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
