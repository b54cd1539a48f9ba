"""The opponent's side of a contest: a test of their own, rolled first.

Source: dune.md 4.2; seed 004, Attack Sequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from storypool.engine.rules import (
    Bag,
    Check,
    CheckOpened,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    Refusal,
    Turn,
    Value,
    move,
)
from storypool.systems.dune.checks import TEST, chosen
from storypool.systems.dune.sheet import remembered
from storypool.systems.dune.terms import ORDINARY, kind, number, text, with_difficulty, with_terms
from storypool.systems.twod20.dice import BASE


def _contested(turn: Turn) -> Refusal | None:
    """A contest waits for its opponent."""
    check = turn.check
    if check is None or check.phase != "build" or not check.against or kind(check) == "oppose":
        return turn.firm("contest.none")
    return turn.firm("contest.none") if "opposed" in check.terms else None


def _opponent(turn: Turn) -> Refusal | None:
    check = turn.check
    one = turn.table.characters.get(check.against) if check else None
    if check is None or one is None:
        return None
    ours = turn.seat.side == "gm" if one.side == "gm" else one.seat == turn.seat.id
    return None if ours or turn.seat.side == "gm" else turn.firm("contest.theirs", who=one.name)


def _whom(turn: Turn) -> Iterator[Choice]:
    one = turn.table.characters.get(turn.check.against) if turn.check else None
    if one is not None:
        yield Choice(one.id, one.name)


WHO = ChoiceAsk("as", "Who opposes?", _whom, default=lambda t: next((c.value for c in _whom(t)), None))


@move(
    "contest.oppose",
    when=_contested,
    only_if=[_opponent],
    asks=[WHO, *TEST],
    rule="Attack Sequence",
)
def oppose(turn: Turn) -> Iterator[Event]:
    """Oppose this test

    The opponent rolls first: their successes are the Difficulty. At a table where both test against 1, their Momentum
    is what has to be met.
    """
    first, who = turn.here, turn.table.characters[turn.text("as")]
    yield from remembered(turn, who)
    side: Literal["players", "gm"] = "gm" if who.side == "gm" else "players"
    both = turn.option("contest_style") == "srd"
    terms: dict[str, Value] = {"kind": "oppose", "opposes": first.id, "range": ORDINARY, "both_test": both}
    if "target" in turn.args:
        terms |= {"by_hand": True, "target": turn.number("target"), "critical": turn.number("twice", 1)}
    pool = Bag(d20=BASE)
    title = turn.system.words.say("contest.title", what=first.title)
    check = Check(turn.own_check, who.id, side, turn.seat.id, title, first.actor, base=pool, pool=pool, terms=terms)
    yield CheckOpened(chosen(turn, with_difficulty(check, 1) if both else with_terms(check, difficulty=0)))


def opposed(turn: Turn, check: Check) -> Iterator[Event]:
    """An opponent's test is done: its successes are the other's Difficulty, or its Momentum is what must be met."""
    first = turn.table.checks.get(text(check, "opposes"))
    if first is None or check.outcome is None:
        return
    first = with_terms(first, opposed=True, opponent_skill=text(check, "skill"))
    if check.terms.get("both_test"):
        first = with_terms(with_difficulty(first, 1), rival=check.outcome.margin if check.outcome.passed else -1)
        told = check.outcome.words
    else:
        first = with_difficulty(first, check.outcome.net["successes"])
        told = turn.system.words.say("contest.difficulty", n=number(first, "difficulty"))
    yield turn.amend(first, told, windows=())


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
