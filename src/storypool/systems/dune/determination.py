"""Determination: an automatic 1, a re-roll, a declaration, an extra action. NPCs pay 3 Threat for each.

Source: seed 004, Determination (Players) and Spending Threat: Determination; dune.md 4.3; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Check,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    Mod,
    Move,
    Points,
    Purse,
    Refusal,
    Rolled,
    Turn,
    acting,
    building,
    move,
    rolled,
)
from storypool.systems.dune.checks import faces_of
from storypool.systems.dune.conflicts import conflict
from storypool.systems.dune.pools import BECOMES, OF_WHOM, WAY, WHICH, reshaped
from storypool.systems.dune.rolling import result
from storypool.systems.dune.sheet import MINOR, rank
from storypool.systems.dune.terms import (
    ACTIONS,
    in_the_open,
    kind,
    number,
    numbers,
    own,
    text,
    untouched,
    with_terms,
)
from storypool.systems.twod20.dice import D20, ONE, bound

NPC_PRICE = 3


def price(turn: Turn) -> Points:
    """1 Determination of whoever acts; for an NPC 3 Threat"""
    check = turn.check
    if check is None:
        return Points()
    return Points({Purse("threat"): NPC_PRICE} if check.side == "gm" else {Purse("determination", check.actor): 1})


def fitting(turn: Turn) -> Refusal | None:
    """The statement of the drive in use applies, without conflict with the action."""
    check = turn.check
    if check is None:
        return None
    if check.side == "gm" and rank(turn.table.characters.get(check.actor)) == MINOR:
        return None if turn.option("minor_npc_determination") == "yes" else turn.no("determination.minor")
    return None if text(check, "fit") == "applies" else turn.no("determination.fit")


def spent(turn: Turn, check: Check) -> Check:
    """The check with this price on it, so that it comes back when the test is called off."""
    return replace(check, spent=check.spent + price(turn)) if check.phase == "build" else check


def _has_die(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or check.pool[D20.name] else turn.no("dice.fixed")


@move(
    "determination.one",
    when=building,
    price=price,
    only_if=[own, in_the_open, fitting, _has_die],
    rule="Determination: Automatic 1",
)
def automatic_one(turn: Turn) -> Iterator[Event]:
    """Make one die a 1

    Chosen before the roll: that die is not rolled, is two successes, and no complication.
    """
    check = turn.here
    why = turn.system.words.say("determination.one", who=turn.seat.name)
    mods = (Mod("remove", D20.name, 1, why, turn.seat.id), Mod("add", ONE.name, 1, why, turn.seat.id))
    yield turn.amend(spent(turn, check), why, mods=(*check.mods, *mods))


def places(check: Check, die: str = D20.name) -> list[int]:
    """The places, from 1, of the dice of this name that lie, and have not been rolled again."""
    again = numbers(check, "again")
    return [i for i, one in enumerate(check.rolled, 1) if one.die == die and i not in again]


def blanks(check: Check) -> list[int]:
    """The places of those among them that brought no success."""
    die = bound(D20.name, number(check, "target"), number(check, "critical", 1))
    return [i for i in places(check) if not die.face(check.rolled[i - 1].face)["success"]]


def _selections(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    if check is None:
        return
    for key, chosen in (("failed", blanks(check)), ("all", places(check))):
        if chosen:
            shown = ", ".join(str(check.rolled[i - 1].face) for i in chosen)
            yield Choice(key, turn.system.words[f"reroll.{key}"], shown)
    for i in places(check):
        yield Choice(str(i), turn.system.words.say("reroll.die", n=i, face=check.rolled[i - 1].face))


def _selected(turn: Turn) -> list[int]:
    """The places that the answer names: by what lies there, or one by one."""
    check, which = turn.check, turn.text("which")
    if check is None:
        return []
    if which in ("failed", "all"):
        return blanks(check) if which == "failed" else places(check)
    return sorted({int(n) for n in which.replace(",", " ").split() if n.isdecimal() and len(n) < 3})


def _again_possible(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or places(check) else turn.firm("reroll.none")


@move(
    "determination.reroll",
    when=rolled,
    price=price,
    only_if=[own, in_the_open, fitting, untouched, _again_possible],
    asks=[
        ChoiceAsk("which", "Which dice, by their places?", _selections, free=True),
        faces_of(lambda t: Bag({D20.name: len(_selected(t))})),
    ],
    rule="Determination: Re-roll",
    group="spend",
)
def reroll(turn: Turn) -> Iterator[Event]:
    """Re-roll any or all dice

    Before anything else comes of the roll. What is rolled again stands, even if it is worse, and is not rolled a third
    time. A die that Determination made a 1 stays a 1.
    """
    check, which, chosen = turn.here, turn.text("which"), _selected(turn)
    doubled = which not in ("failed", "all") and len(chosen) != len(which.replace(",", " ").split())
    if doubled or not chosen:
        raise turn.refused("argument", "reroll.which", "which", got=which[:30])
    if twice := [i for i in chosen if i in numbers(check, "again")]:
        raise turn.refused("argument", "reroll.twice", "which", n=twice[0])
    if wrong := [i for i in chosen if i not in places(check)]:
        raise turn.refused("argument", "reroll.which", "which", got=wrong[0])
    yield from rolled_again(turn, chosen, D20.name)


def rolled_again(turn: Turn, chosen: list[int], die: str) -> Iterator[Event]:
    """These dice, by their places, rolled once more; the result is read anew."""
    check = turn.here
    new = turn.cast(Bag({die: len(chosen)}), turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, new, turn.system.words["reroll.told"])
    lies = list[Rolled](check.rolled)
    for i, one in zip(chosen, new, strict=True):
        lies[i - 1] = one
    check = with_terms(turn.here, again=(*numbers(check, "again"), *chosen))
    changed = result(turn, check, tuple(lies))
    # The outcome is told by itself only the first time.
    yield turn.amend(changed, changed.outcome.words if changed.outcome else "")


@move(
    "determination.declare",
    when=acting,
    price=price,
    only_if=[own, in_the_open, fitting],
    asks=[WAY, WHICH, BECOMES, OF_WHOM],
    rule="Determination: Declaration",
)
def declaration(turn: Turn) -> Iterator[Event]:
    """Declare something

    A new trait, or one changed or removed.
    """
    yield from reshaped(turn)


def _in_conflict(turn: Turn) -> Refusal | None:
    return None if conflict(turn.table) else turn.firm("conflict.none")


def _is_action(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    if check.terms.get("extra"):
        return turn.no("action.extra")
    return None if kind(check) in ACTIONS else turn.no("action.none")


@move(
    "determination.act",
    when=rolled,
    price=price,
    only_if=[own, in_the_open, fitting, _in_conflict, _is_action],
    rule="Determination: Extra Action",
    group="spend",
)
def extra_action(turn: Turn) -> Iterator[Event]:
    """Act again in this conflict

    When this action is done, the same character acts once more, at no greater Difficulty.
    """
    check = turn.here
    said = turn.system.words.say("action.again", who=turn.seat.name)
    yield turn.amend(with_terms(check, extra=True), said)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
