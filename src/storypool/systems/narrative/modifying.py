"""What changes a pool before the roll: dice added, upgraded, downgraded and removed, and help.

Every change is kept with its reason and its giver; they count in the book's order, not in that of their coming.
Sources: seed 003, Modifying a Dice Pool; starwars.md 1.6 for help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.engine.rules import (
    DIE_COUNT,
    DIE_WHY,
    Body,
    Choice,
    ChoiceAsk,
    Event,
    Limit,
    Mod,
    Move,
    Turn,
    building,
    die_of,
    has_a_character,
    here,
    modified,
    move,
    proposes,
    rating,
)
from storypool.systems.narrative.checks import founded


def _by_hand(key: str, rule: str, *dice: str) -> Callable[[Body], Move]:
    """A move that changes the number of one of these dice."""
    return move(key, when=building, asks=[die_of(*dice), DIE_COUNT, DIE_WHY], approval=proposes, rule=rule)


@_by_hand("pool.add", "Adding Dice", "boost", "setback", "difficulty", "ability", "proficiency", "challenge")
def add_dice(turn: Turn) -> Iterator[Event]:
    """Add dice for what helps or hinders

    A Boost for each thing that helps, a Setback for each that hinders; they do not cancel. A player proposes them.
    """
    return modified(turn, "add")


@_by_hand("pool.upgrade", "Upgrading Dice", "difficulty", "ability")
def upgrade_dice(turn: Turn) -> Iterator[Event]:
    """Upgrade dice without a point

    For skilled opposition, harsh circumstances, or a talent (seed 003, Difficulty). Not the GM's one point. A player
    proposes it.
    """
    return modified(turn, "upgrade")


@_by_hand("pool.downgrade", "Downgrading Dice", "challenge", "proficiency")
def downgrade_dice(turn: Turn) -> Iterator[Event]:
    """Downgrade dice

    After all upgrades; what is already in its lesser form stays (seed 003).
    """
    return modified(turn, "downgrade")


@_by_hand("pool.remove", "Removing Dice", "setback", "boost", "difficulty", "challenge", "ability", "proficiency")
def remove_dice(turn: Turn) -> Iterator[Event]:
    """Remove dice

    Last of all; removals beyond what is there are dropped (seed 003).
    """
    return modified(turn, "remove")


def _helpers(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    if check is None:
        return
    for who in turn.table.characters.values():
        ours = turn.seat.side == "gm" or who.seat == turn.seat.id
        beside = who.side == check.side and who.id != check.actor
        in_sight = who.seen_by is None or check.seen_by is not None
        if ours and beside and in_sight and here(who):
            yield Choice(who.id, who.name)


@move(
    "check.assist",
    when=building,
    limit=Limit("assist", ("check",)),
    only_if=[has_a_character],
    asks=[ChoiceAsk("helper", "Who helps?", _helpers)],
    rule="Assisted checks",
)
def assist(turn: Turn) -> Iterator[Event]:
    """Help with this action

    A helper who is better in the characteristic or the skill lends it; any other adds a Boost die (starwars.md 1.6).
    """
    check = turn.here
    helper, actor = turn.table.characters[turn.text("helper")], turn.table.characters.get(check.actor)
    keys = check.text("characteristic"), check.text("skill")
    better = any((rating(helper, key) or 0) > (rating(actor, key) or 0) for key in keys)
    if better and "by_hand" not in check.terms:
        changed = founded(turn, check.with_terms(helper=helper.id))
        yield turn.amend(changed, turn.words.say("assist.skilled", who=helper.name))
    else:
        why = turn.words.say("assist.boost", who=helper.name)
        yield turn.amend(check, why, mods=(*check.mods, Mod("add", "boost", 1, why, helper.id)))
