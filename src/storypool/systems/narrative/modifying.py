"""What changes a pool before the roll: dice added, upgraded, downgraded and removed, and help.

Every change is kept with its reason and its giver; they count in the book's order, not in that of their coming.
Sources: seed 003, Modifying a Dice Pool; starwars.md 1.6 for help.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from storypool.engine.rules import (
    Ask,
    Choice,
    ChoiceAsk,
    Event,
    Limit,
    Mod,
    Move,
    NumberAsk,
    TextAsk,
    Turn,
    building,
    here,
    move,
)
from storypool.systems.narrative.checks import founded, has_a_character
from storypool.systems.narrative.sheet import rating


def _dice(*names: str) -> Ask:
    return ChoiceAsk("die", "Which die?", lambda t: [Choice(n, t.word(n)) for n in names], default=names[0])


WHY = TextAsk("why", "Why?")
COUNT = NumberAsk("n", "How many?", default=1, low=1, high=10, needed=False)


def _proposes(turn: Turn) -> bool:
    return turn.seat.side == "player"


def _modified(turn: Turn, kind: Literal["add", "upgrade", "downgrade", "remove"]) -> Iterator[Event]:
    check = turn.here
    mod = Mod(kind, turn.text("die"), turn.number("n", 1), turn.text("why"), turn.seat.id)
    what = turn.system.words.say(f"mod.{kind}", n=mod.n, die=turn.word(mod.die), why=mod.why)
    yield turn.amend(check, what, mods=(*check.mods, mod))


@move(
    "pool.add",
    when=building,
    asks=[_dice("boost", "setback", "difficulty", "ability", "proficiency", "challenge"), COUNT, WHY],
    approval=_proposes,
    rule="Adding Dice",
)
def add_dice(turn: Turn) -> Iterator[Event]:
    """Add dice for what helps or hinders

    A Boost for each thing that helps, a Setback for each that hinders; they do not cancel. A player proposes them.
    """
    yield from _modified(turn, "add")


@move(
    "pool.upgrade",
    when=building,
    asks=[_dice("difficulty", "ability"), COUNT, WHY],
    approval=_proposes,
    rule="Upgrading Dice",
)
def upgrade_dice(turn: Turn) -> Iterator[Event]:
    """Upgrade dice without a point

    For skilled opposition, harsh circumstances, or a talent (seed 003, Difficulty). Not the GM's one point. A player
    proposes it.
    """
    yield from _modified(turn, "upgrade")


@move(
    "pool.downgrade",
    when=building,
    asks=[_dice("challenge", "proficiency"), COUNT, WHY],
    approval=_proposes,
    rule="Downgrading Dice",
)
def downgrade_dice(turn: Turn) -> Iterator[Event]:
    """Downgrade dice

    After all upgrades; what is already in its lesser form stays (seed 003).
    """
    yield from _modified(turn, "downgrade")


@move(
    "pool.remove",
    when=building,
    asks=[_dice("setback", "boost", "difficulty", "challenge", "ability", "proficiency"), COUNT, WHY],
    approval=_proposes,
    rule="Removing Dice",
)
def remove_dice(turn: Turn) -> Iterator[Event]:
    """Remove dice

    Last of all; removals beyond what is there are dropped (seed 003).
    """
    yield from _modified(turn, "remove")


@move(
    "check.assist",
    when=building,
    limit=Limit("assist", ("check",)),
    only_if=[has_a_character],
    asks=[ChoiceAsk("helper", "Who helps?", lambda t: _helpers(t))],
    rule="Assisted checks",
)
def assist(turn: Turn) -> Iterator[Event]:
    """Help with this action

    A helper who is better in the characteristic or the skill lends it; any other adds a Boost die (starwars.md 1.6).
    """
    check = turn.here
    helper, actor = turn.table.characters[turn.text("helper")], turn.table.characters.get(check.actor)
    keys = [str(check.terms.get(name, "")) for name in ("characteristic", "skill")]
    better = any((rating(helper, key) or 0) > (rating(actor, key) or 0) for key in keys if key)
    if better and "by_hand" not in check.terms:
        changed = founded(turn, replace(check, terms={**check.terms, "helper": helper.id}))
        yield turn.amend(changed, turn.system.words.say("assist.skilled", who=helper.name))
    else:
        why = turn.system.words.say("assist.boost", who=helper.name)
        yield turn.amend(check, why, mods=(*check.mods, Mod("add", "boost", 1, why, helper.id)))


def _helpers(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    for one in turn.table.characters.values():
        ours = turn.seat.side == "gm" or one.seat == turn.seat.id
        known = check is not None and (one.seen_by is None or check.seen_by is not None)
        if check and known and here(one) and one.id != check.actor and one.side == check.side and ours:
            yield Choice(one.id, one.name)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
