"""Dice that were promised for a later check: they wait as traits, and arrive by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import Audience, Character, Check, Event, Mod, Trait, TraitRemoved, TraitSet, Turn


def promise(turn: Turn, mod: Mod, about: str, text: str, but: str = "") -> TraitSet:
    """A promise to a character, or to the next of a side ("@players", "@gm") to act, `but` for this one."""
    id = turn.fresh("t")
    terms = {"but": but} if but else {}
    mods = (replace(mod, promise=id),)
    kept = Trait(id, "promise", text, about, by=turn.seat.id, mods=mods, until="scene", terms=terms)
    return TraitSet(replace(kept, seen_by=_hidden(turn, about)))


def note(turn: Turn, text: str, about: str, until: str = "scene") -> TraitSet:
    """What a roll or an ability did, as a sentence about somebody."""
    id = turn.fresh("t")
    return TraitSet(Trait(id, "effect", text, about, by=turn.seat.id, until=until, seen_by=_hidden(turn, about)))


def waiting_for(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The modifications that were promised to whoever acts in this check.

    What everybody knows of waits for an action that everybody sees: its end would tell of a hidden one.
    """
    actor = turn.table.characters.get(check.actor)
    return tuple(
        mod
        for trait in turn.table.traits.values()
        if trait.kind == "promise" and actor and _meant(trait, actor) and (check.seen_by is None or trait.seen_by)
        for mod in trait.mods
    )


def kept(turn: Turn, check: Check) -> Iterator[Event]:
    """Promises end when the dice they brought are rolled; an action that is called off leaves them waiting."""
    for mod in check.mods:
        if mod.promise in turn.table.traits:
            yield TraitRemoved(mod.promise, turn.system.words["promise.kept"])


def _hidden(turn: Turn, about: str) -> Audience:
    """Who may see what comes of a hidden action, or of somebody hidden."""
    check, who = turn.check, turn.table.characters.get(about)
    return (check.seen_by if check else None) or (who.seen_by if who else None)


def _meant(trait: Trait, actor: Character) -> bool:
    but = trait.terms.get("but", "")
    side = "@gm" if actor.side == "gm" else "@players"
    return trait.about == actor.id or (trait.about == side and actor.id != but)
