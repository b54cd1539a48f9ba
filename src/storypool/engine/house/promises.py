"""Dice promised for a later action: they wait as traits, and end when they are rolled."""

from collections.abc import Iterator
from itertools import chain

from storypool.engine.copies import replace
from storypool.engine.dice import Mod
from storypool.engine.events import Event, TraitRemoved, TraitSet
from storypool.engine.game.turn import Turn
from storypool.engine.table import Character, Check, Trait

__all__ = ["kept_promises", "promise", "promised"]


def promise(
    turn: Turn, mod: Mod, about: str, text: str, kind: str = "promise", **more: object
) -> TraitSet:
    """The event that promises a modification to the next action of a character, by their id.

    `about` may also be a side ("@players", "@gm"): then it is for the first of that side to act,
    other than the characters in the term `but`, a list of ids separated by spaces. `more` are
    further fields of the trait.
    """
    return turn.result(kind, text, about, mods=(replace(mod, promise=turn.fresh("t")),), **more)


def promised(turn: Turn, check: Check, who: str = "") -> tuple[Mod, ...]:
    """The modifications that wait in this check for its actor, or for `who`.

    A public promise waits for a public action: its end would reveal a hidden one.
    """
    character = turn.table.characters.get(who or check.actor)
    waiting = [trait for trait in turn.table.traits.values() if trait.mods and check.may_use(trait)]
    if not character:
        return ()
    meant = (trait.mods for trait in waiting if _is_for(trait, character))
    return tuple(chain.from_iterable(meant))


def kept_promises(turn: Turn, check: Check) -> Iterator[Event]:
    """Remove the promises whose dice were rolled in this check; a cancelled one keeps them."""
    for mod in check.mods:
        if mod.promise in turn.table.traits:
            yield TraitRemoved(mod.promise, turn.words["promise.kept"])


def _is_for(trait: Trait, who: Character) -> bool:
    return trait.about == who.id or (
        trait.about == who.team.mark and who.id not in str(trait.terms.get("but", "")).split()
    )
