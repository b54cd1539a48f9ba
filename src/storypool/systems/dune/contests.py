"""Contests: the opponent's test, rolled first, and what it makes of the other.

Source: seed 004, Attack Sequence; dune.md 4.2 and 4.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.dune.checks import TEST, chosen, unopened
from storypool.systems.dune.conditions import plays
from storypool.systems.dune.conflict.conflicts import usual_skill
from storypool.systems.dune.people.sheet import RATED, best_skill
from storypool.systems.dune.test import (
    ORDINARY,
    Test,
    awaits_opponent,
    difficulty_in_words,
    opposing,
    with_difficulty,
)


def _contested(turn: r.Turn) -> r.Refusal | None:
    """A contest waits for its opponent, who has not begun to roll."""
    check = turn.check
    waits = check is not None and check.phase == "build" and awaits_opponent(check)
    return None if waits and check is not None and not opposing(turn.table, check) else turn.firm("contest.none")


def _theirs(turn: r.Turn) -> r.Refusal | None:
    who = turn.table.characters.get(turn.here.against)
    return None if who is None or turn.is_gm or plays(turn, who) else turn.firm("contest.theirs", who=who.name)


def _whom(turn: r.Turn) -> Iterator[r.Choice]:
    who = turn.table.characters[turn.here.against]
    yield r.Choice(who.id, who.name)


OPPONENT = r.first_choice("as", "Who opposes?", _whom)


def _same_skill(turn: r.Turn) -> str | None:
    """The skill that the conflict mostly uses, or else that of the test which is opposed."""
    return usual_skill(turn) or Test.of(turn.here).skill or best_skill(turn.character("as"))


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

    The opponent rolls first: their successes are the Difficulty. At a table where both test against 1, their
    Momentum is what has to be met.
    """
    first, both = turn.here, turn.option("contest_style") == "srd"
    yield from r.remember(turn, turn.table.characters[turn.text("as")], RATED)
    actor = turn.table.characters[first.actor].name
    title = turn.words.say("contest.title", actor=actor, what=first.title)
    check = unopened(turn, title, first.actor, kind="oppose", opposes=first.id, range=ORDINARY, both_test=both)
    check = chosen(turn, with_difficulty(check, 1) if both else Test.put(check, difficulty=0))
    yield turn.open(check, beside=True)


def set_what_opposes(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Make the successes of an opponent's test the Difficulty of the other, or its Momentum what must be met."""
    test, outcome = Test.of(check), check.outcome
    first = turn.table.checks.get(test.opposes)
    if first is None or outcome is None:
        return
    first = Test.put(first, opposed=True, opponent_skill=test.skill)
    if test.both_test:
        rival = outcome.margin if outcome.passed else -1
        yield turn.amend(Test.put(with_difficulty(first, 1), rival=rival), outcome.words, windows=())
    else:
        first = with_difficulty(first, outcome.net["successes"])
        yield turn.amend(first, difficulty_in_words(turn, first), windows=())
