"""The roll and its end: what the dice come to, what follows, when it is done or called off; what a scene has cost.

Source: c2d10.md 2.1, 2.2 and 2.4; seed 001, Hero points; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from storypool.engine.rules import (
    Bag,
    Check,
    CheckClosed,
    CheckOpened,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    Move,
    Outcome,
    Refusal,
    Rolled,
    TraitRemoved,
    Turn,
    Value,
    building,
    idle,
    in_session,
    move,
    rolled,
)
from storypool.systems.c2d10 import conflicts, gains
from storypool.systems.c2d10.declaring import FACES, dice_of, dots, targeted, tested
from storypool.systems.c2d10.dice import ACTIVE, RIVAL
from storypool.systems.c2d10.reading import is_contest, number, trouble, winner
from storypool.systems.c2d10.sheet import acts_for
from storypool.systems.c2d10.sides import unrolled, who, yours

# Conditions.


def _dc_known(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None or is_contest(check) or "dc" in check.terms:
        return None
    return turn.no("dc")


def _answered(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None or not is_contest(check) or check.pool[RIVAL.regular] + check.pool[RIVAL.crisis]:
        return None
    rival = who(turn, check, RIVAL)
    return turn.no("contest.unanswered", who=rival.name if rival else "")


def _free(turn: Turn) -> bool:
    """The DC has come down to 0, and the Keeper has not called for the roll."""
    check = turn.check
    if check is None or is_contest(check) or "dc" not in check.terms or check.terms.get("called"):
        return False
    return not number(check, "target")


def _worth_rolling(turn: Turn) -> Refusal | None:
    return turn.no("dc.free") if _free(turn) else None


def _not_free(turn: Turn) -> Refusal | None:
    return None if turn.check is None or _free(turn) else turn.no("dc.above")


# The roll, and its end.


@move(
    "check.roll",
    when=building,
    window=_answered,
    only_if=[yours, _dc_known, _worth_rolling],
    asks=[FACES],
    rule="Tests",
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll the dice

    Or type in the faces of real dice, in the order in which the pool is written. A DC of 0 is not rolled for, unless
    the Keeper calls for it.
    """
    check = turn.here
    lies = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, lies)
    yield from reads(turn, turn.here, lies)


def reads(turn: Turn, check: Check, lies: tuple[Rolled, ...]) -> Iterator[Event]:
    """What the dice come to as they lie now, what it brings, and the points that will arrive."""
    outcome = turn.system.read(turn.table, check, lies)
    if is_contest(check) and not outcome.margin and turn.option("contest_tie") == "reroll":
        fresh = replace(check, rolled=lies, outcome=None, phase="build", left=Bag(), owed=Bag())
        yield turn.amend(fresh, turn.system.words["contest.again"])
        return
    check = replace(check, rolled=lies, outcome=outcome, phase="rolled")
    yield turn.amend(check, left=trouble(turn.table, check), owed=gains.owed(turn, check))


@move("check.call", by=["gm"], when=lambda t: tested(t) or _not_free(t), rule="Tests")
def call(turn: Turn) -> Iterator[Event]:
    """Call for the roll all the same

    At DC 0 nothing is rolled and nothing is gained, unless the Keeper wants to see the dice.
    """
    check = turn.here
    yield turn.amend(check, turn.system.words["check.called"], terms={**check.terms, "called": True})


@move("check.pass", when=lambda t: tested(t) or _not_free(t), only_if=[yours], rule="Tests")
def succeed(turn: Turn) -> Iterator[Event]:
    """Succeed without a roll

    At DC 0 there is nothing to roll for, and no points come of it.
    """
    outcome = Outcome(True, 0, Bag(), turn.system.words["result.free"])
    yield turn.amend(turn.here, outcome=outcome, phase="rolled")


def _nothing_left(turn: Turn) -> Refusal | None:
    """What the roll brought has been taken or ignored, and no offer of the Keeper's waits for an answer."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if any(t.kind == "crisis-offer" and t.at == check.id for t in turn.table.traits.values()):
        return turn.no("crisis.waits")
    if not check.left:
        return None
    return turn.no("trouble", left=", ".join(f"{n} {turn.word(symbol, n)}" for symbol, n in check.left.items()))


@move("check.close", when=rolled, window=_nothing_left, only_if=[yours], rule="Hero points")
def close(turn: Turn) -> Iterator[Event]:
    """It is done

    Now the points arrive: one for each success above the DC, for the party from its heroes and those aligned with them,
    for the Keeper from whoever is opposed. In a conflict it moves on by what was achieved.
    """
    check = turn.here
    yield CheckClosed(check.id, "done")
    part = winner(turn.table, check)
    one = who(turn, check, part) if part else None
    for account, n in check.owed.items():
        why = turn.system.words.say("gain.excess", n=n, what=check.title, who=one.name if one else "")
        yield from turn.change(account, n, why=why)
    yield from conflicts.moved_on(turn, check)
    if check.terms.get("kind") == "end":
        yield from _scene_told(turn, check)


def _scene_told(turn: Turn, check: Check) -> Iterator[Event]:
    """The test of a track is over: where it failed, the crisis value grows by 1."""
    due = str(check.terms.get("due", ""))
    if due in turn.table.traits:
        yield TraitRemoved(due)
    if check.outcome is not None and not check.outcome.passed and check.actor in turn.table.characters:
        track = turn.word(str(check.terms.get("track", "")), 2)
        why = turn.system.words.say("track.failed", track=track)
        yield from turn.change("crisis", 1, check.actor, why)


@move("check.cancel", when=unrolled, only_if=[yours], rule="Tests")
def cancel(turn: Turn) -> Iterator[Event]:
    """Call it off

    Before the roll: every point spent on it comes back.
    """
    check = turn.here
    yield CheckClosed(check.id, "cancelled")
    for (account, _), n in check.spent.items():
        yield from turn.change(account, n, why=turn.system.words.say("points.refund", what=check.title))


# What a scene has cost.


def _dues(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        if trait.kind == "due" and acts_for(turn, turn.table.characters.get(trait.about)):
            yield Choice(trait.id, f"{turn.table.characters[trait.about].name}: {trait.text}")


@move(
    "track.test",
    when=lambda t: (None if any(_dues(t)) else t.firm("due.none")) or in_session(t) or idle(t),
    asks=[ChoiceAsk("due", "Which?", _dues, default=lambda t: next((c.value for c in _dues(t)), None))],
    rule="Strain and stress",
)
def tell_scene(turn: Turn) -> Iterator[Event]:
    """Test what the scene has cost

    Endurance against the strain of the scene, Willpower against its stress; a failed test is a point of crisis.
    """
    due = turn.table.traits[turn.text("due")]
    actor, talent = turn.table.characters[due.about], str(due.terms["talent"])
    terms: dict[str, Value] = {**due.terms, "kind": "end", "due": due.id, "dc": due.rating}
    side: Literal["players", "gm"] = "gm" if actor.side == "gm" else "players"
    pool = dice_of(turn, actor, ACTIVE, max(1, dots(turn, actor, "", talent)), False)
    check = Check(turn.own_check, actor.id, side, turn.seat.id, due.text, base=pool, pool=pool, terms=terms)
    yield CheckOpened(targeted(turn, check))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
