"""Dice that were promised for a later check: they wait as traits, and arrive by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.dice import Mod
from storypool.rules import Turn
from storypool.table import Character, Check, Event, Trait, TraitRemoved, TraitSet


def promise(turn: Turn, mod: Mod, about: str, text: str, but: str = "") -> TraitSet:
    """A promise to a character, or to the next of a side ("@players", "@gm") to act, `but` for this one."""
    id = turn.fresh("t")
    terms = {"but": but} if but else {}
    mods = (replace(mod, promise=id),)
    return TraitSet(Trait(id, "promise", text, about, by=turn.seat.id, mods=mods, until="scene", terms=terms))


def waiting_for(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The modifications that were promised to whoever acts in this check."""
    actor = turn.table.characters.get(check.actor)
    return tuple(
        mod
        for trait in turn.table.traits.values()
        if trait.kind == "promise" and actor and _meant(trait, actor)
        for mod in trait.mods
    )


def kept(turn: Turn, check: Check) -> Iterator[Event]:
    """Promises end when the dice they brought are rolled; an action that is called off leaves them waiting."""
    for mod in check.mods:
        if mod.promise in turn.table.traits:
            yield TraitRemoved(mod.promise, turn.system.words["promise.kept"])


def _meant(trait: Trait, actor: Character) -> bool:
    but = trait.terms.get("but", "")
    side = "@gm" if actor.side == "gm" else "@players"
    return trait.about == actor.id or (trait.about == side and actor.id != but)
