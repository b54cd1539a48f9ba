"""Dice that wait for somebody's next roll: they arrive by themselves, mirrored where their bearer is the opposition.

Source: seed 002, Using Special Symbols; destinydice.md 3.6, 11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import Audience, Check, Event, Mod, Trait, TraitRemoved, TraitSet, Turn
from storypool.systems.destinydice.dice import MIRROR


def concealed(turn: Turn, about: str = "") -> Audience:
    """Who may see what comes of a hidden action, or of somebody hidden."""
    check, who = turn.check, turn.table.characters.get(about)
    return (check.seen_by if check else None) or (who.seen_by if who else None)


def promise(turn: Turn, die: str, about: str, why: str) -> TraitSet:
    """A die that waits for the next roll of this character, however long that is off."""
    id = turn.fresh("t")
    text = turn.system.words.say(f"promise.{die}")
    mods = (Mod("add", die, 1, why, turn.seat.id, id),)
    kept = Trait(id, "promise", text, about, by=turn.seat.id, mods=mods)
    return TraitSet(replace(kept, seen_by=concealed(turn, about)))


def waiting(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The dice that were promised to whoever acts in this check."""
    return _of(turn, check, check.actor)


def opposing(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The dice that were promised to the opponent, as they come into this pool: Aid as Hindrance, and back."""
    return tuple(replace(mod, die=MIRROR[mod.die]) for mod in _of(turn, check, check.against))


def without_opponent(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The modifications of a check but for what was promised to its opponent."""
    mine = {mod.promise for mod in waiting(turn, check)}
    return tuple(mod for mod in check.mods if not mod.promise or mod.promise in mine)


def kept(turn: Turn, check: Check) -> Iterator[Event]:
    """Promises end when the dice they brought are rolled; an action that is called off leaves them waiting."""
    for mod in check.mods:
        if mod.promise in turn.table.traits:
            yield TraitRemoved(mod.promise, turn.system.words["promise.kept"])


def _of(turn: Turn, check: Check, who: str) -> tuple[Mod, ...]:
    """What everybody knows of waits for an action that everybody sees: its end would tell of a hidden one."""
    return tuple(
        mod
        for trait in turn.table.traits.values()
        if trait.kind == "promise" and who and trait.about == who and (check.seen_by is None or trait.seen_by)
        for mod in trait.mods
    )
