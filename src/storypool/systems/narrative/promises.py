"""Dice that were promised for a later check: they wait as traits, and arrive by themselves."""

from __future__ import annotations

from dataclasses import replace

from storypool.engine.rules import Character, Check, Mod, Trait, TraitSet, Turn, hidden_with


def promise(turn: Turn, mod: Mod, about: str, text: str, but: str = "") -> TraitSet:
    """A promise to a character, or to the next of a side ("@players", "@gm") to act, `but` for this one."""
    mods = (replace(mod, promise=turn.fresh("t")),)
    terms = {"but": but} if but else {}
    hidden = hidden_with(turn, about)
    return turn.trait("promise", text, about, mods=mods, until="scene", terms=terms, seen_by=hidden)


def note(turn: Turn, text: str, about: str, until: str = "scene") -> TraitSet:
    """What a roll or an ability did, as a sentence about somebody."""
    return turn.trait("effect", text, about, until=until, seen_by=hidden_with(turn, about))


def waiting_for(turn: Turn, check: Check) -> tuple[Mod, ...]:
    """The modifications that were promised to whoever acts in this check.

    What everybody knows of waits for an action that everybody sees: its end would tell of a hidden one.
    """
    actor = turn.table.characters.get(check.actor)
    waiting = [trait for trait in turn.table.of_kind("promise") if check.seen_by is None or trait.seen_by]
    return tuple(mod for trait in waiting if actor and _meant(trait, actor) for mod in trait.mods)


def _meant(trait: Trait, actor: Character) -> bool:
    side = "@gm" if actor.side == "gm" else "@players"
    return trait.about == actor.id or (trait.about == side and actor.id != trait.terms.get("but"))
