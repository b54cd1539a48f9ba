"""The changes of an attack's pool by its target: by its Adversary rank, and its defence.

Sources: starwars.md 1.6, Adversary, and 1.5, where a defence is a Setback on attacks against it.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.sheet import is_combat

DEFENCE = "defence"
"""The entry of a sheet, and the place of the note that a target has lost it."""


def opposing_mods(turn: r.Turn, check: r.Check) -> Iterator[r.Mod]:
    """The changes of an attack's pool by its target."""
    target = turn.table.target(check)
    if target is None or not is_combat(turn, Attempt.of(check).skill):
        return
    if rank := r.rating(target, "adversary"):
        why = turn.words.say("mod.adversary", who=target.name, rank=rank)
        yield r.Mod("upgrade", "difficulty", rank, why, target.id)
    n = r.rating(target, DEFENCE)
    if n and not turn.table.of_kind("effect", about=target.id, at=DEFENCE):
        why = turn.words.say("mod.defence", who=target.name, n=n)
        yield r.Mod("add", "setback", n, why, target.id)
