"""Contests: the opponent's test, rolled first, and what it makes of the other.

Source: seed 004, Attack Sequence; dune.md 4.2 and 4.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.dune.checks import TEST, chosen, unopened
from storypool.systems.dune.conflict.conflicts import usual_skill
from storypool.systems.dune.people.sheet import best_skill, remembered
from storypool.systems.dune.terms import (
    ORDINARY,
    awaits_opponent,
    opposing,
    plays,
    told_difficulty,
    with_difficulty,
)


def _opponent(turn: r.Turn) -> r.Character | None:
    return turn.table.characters.get(turn.check.against) if turn.check else None


def _contested(turn: r.Turn) -> r.Refusal | None:
    """A contest waits for its opponent, who has not begun to roll."""
    check = turn.check
    waits = check is not None and check.phase == "build" and awaits_opponent(check)
    return None if waits and check is not None and not opposing(turn.table, check) else turn.firm("contest.none")


def _theirs(turn: r.Turn) -> r.Refusal | None:
    who = _opponent(turn)
    if who is None or turn.is_gm or plays(turn, who):
        return None
    return turn.firm("contest.theirs", who=who.name)


def _whom(turn: r.Turn) -> Iterator[r.Choice]:
    who = _opponent(turn)
    if who is not None:
        yield r.Choice(who.id, who.name)


OPPONENT = r.ChoiceAsk("as", "Who opposes?", _whom, default=lambda t: next((c.value for c in _whom(t)), None))


def _same_skill(turn: r.Turn) -> str | None:
    """The skill that the conflict mostly uses, or else that of the test which is opposed."""
    return usual_skill(turn) or (turn.check.text("skill") if turn.check else "") or best_skill(turn.character("as"))


_OPPOSING = tuple(replace(ask, default=_same_skill) if ask.name == "skill" else ask for ask in TEST)


@r.move(
    "contest.oppose",
    when=_contested,
    only_if=[_theirs],
    asks=[OPPONENT, *_OPPOSING],
    rule="Attack Sequence",
    place=r.at("primary", 1),
)
def oppose(turn: r.Turn) -> Iterator[r.Event]:
    """Roll against it

    The opponent rolls first: their successes are the Difficulty. At a table where both test against 1, their Momentum
    is what has to be met.
    """
    first, both = turn.here, turn.option("contest_style") == "srd"
    yield from remembered(turn, turn.table.characters[turn.text("as")])
    actor = turn.table.characters[first.actor].name
    title = turn.words.say("contest.title", actor=actor, what=first.title)
    check = unopened(turn, "oppose", title, first.actor, opposes=first.id, range=ORDINARY, both_test=both)
    check = chosen(turn, with_difficulty(check, 1) if both else check.with_terms(difficulty=0))
    yield turn.open(check, beside=True)


def opposed(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """An opponent's test is done: its successes are the other's Difficulty, or its Momentum is what must be met."""
    first = turn.table.checks.get(check.text("opposes"))
    if first is None or check.outcome is None:
        return
    first = first.with_terms(opposed=True, opponent_skill=check.text("skill"))
    if check.terms.get("both_test"):
        first = with_difficulty(first, 1).with_terms(rival=check.outcome.margin if check.outcome.passed else -1)
        told = check.outcome.words
    else:
        first = with_difficulty(first, check.outcome.net["successes"])
        told = told_difficulty(turn, first)
    yield turn.amend(first, told, windows=())
