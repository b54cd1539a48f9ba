"""Whom a check may be against: the other side first, with how they are doing."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import ORDER
from storypool.systems.narrative.sheet import FULL, MINIONS, standing_of


def opponents(turn: r.Turn) -> Iterator[r.Choice]:
    """Yield everybody but the actor, the other side first."""
    actor = turn.character("as") or turn.table.characters.get(turn.check.actor if turn.check else "")
    own = actor.side if actor else turn.team
    others = [turn.table.characters[choice.value] for choice in r.characters()(turn)]
    for one in sorted(others, key=lambda one: one.side == own):
        if actor is None or one.id != actor.id:
            yield r.Choice(one.id, one.name, _condition(turn, one))


def usual_opponent(turn: r.Turn) -> str | None:
    """Whom a form begins with in a fight: the first of the other side."""
    actor = turn.character("as")
    sides = {choice.value: turn.table.characters[choice.value].side for choice in opponents(turn)}
    fighting = ORDER.present(turn.table) is not None
    return next((id for id, side in sides.items() if fighting and actor and actor.side != side), None)


def _condition(turn: r.Turn, one: r.Character) -> str:
    """Return how a character is doing: their wounds of their threshold, or how many of a group still stand."""
    most = r.rating(one, FULL["wounds"])
    if r.rating(one, MINIONS):
        return turn.words.say("beyond.left", n=standing_of(turn, one))
    wounds = turn.table.balance("wounds", one.id)
    return turn.words.say("beyond.hurt", n=wounds, most=most) if most and wounds else ""
