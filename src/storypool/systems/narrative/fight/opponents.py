"""The choices of actors and opponents, the most likely first, each with their condition."""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import (
    ORDER,
    has_fallen,
    ready_to_act,
    side_of,
    unrolled,
    usually_act,
)
from storypool.systems.narrative.sheet import FULL, MINIONS, note_of, standing_of


def actors(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters of this seat; in the GM's turn those first who take it, with why not others.

    In the players' turn the GM's characters who are in the fight and standing come first.
    Without an order the fallen come last.
    """
    table, slot, own = turn.table, ORDER.present(turn.table), list(r.characters(own=True)(turn))
    if slot is None or not turn.is_gm:
        yield from sorted(own, key=lambda one: has_fallen(table, table.characters[one.value]))
        return
    if side_of(slot) is not r.Team.GM:
        apart, people = unrolled(table, r.Team.GM), table.characters
        yield from sorted(
            own, key=lambda one: people[one.value] in apart or has_fallen(table, people[one.value])
        )
        return
    asked, ready = usually_act(table, r.Team.GM), ready_to_act(table, r.Team.GM)
    for choice in sorted(own, key=lambda choice: table.characters[choice.value] not in asked):
        one = table.characters[choice.value]
        if one not in asked:
            if has_fallen(table, one):
                why = "fallen"
            elif one in ready:
                why = "unrolled"
            else:
                why = "acted"
            choice = r.replace(choice, note=turn.words[f"initiative.{why}"])
        yield choice


def opponents(turn: r.Turn) -> Iterator[r.Choice]:
    """Everybody but the actor: first enemies who are in the fight and standing.

    In a check that helps its target, the actor and allies come first, the worst hurt before
    others.
    """
    actor = turn.character("as")
    if actor is None and turn.check is not None:
        actor = turn.table.actor(turn.check)
    own = actor.team if actor else turn.team
    others = [turn.table.characters[choice.value] for choice in r.characters()(turn)]
    if _is_treatment(turn):
        others.sort(key=lambda one: (one.team is not own, -turn.table.balance("wounds", one.id)))
    else:
        others = [one for one in others if actor is None or one.id != actor.id]
        if ORDER.slots(turn.table):
            apart = unrolled(turn.table, r.Team.GM)
        else:
            apart = []
        others.sort(key=lambda one: (one.team is own, has_fallen(turn.table, one), one in apart))
    for one in others:
        yield r.Choice(one.id, one.name, _condition(turn, one))


def usual_opponent(turn: r.Turn) -> str | None:
    """The default target: in a fight the first enemy, in a treatment the worst hurt ally."""
    actor = turn.character("as")
    if actor is None:
        return None
    if _is_treatment(turn):
        return _first(
            turn, lambda one: one.team is actor.team and turn.table.balance("wounds", one.id)
        )
    if ORDER.present(turn.table) is None:
        return None
    return _first(turn, lambda one: one.team is not actor.team)


def _first(turn: r.Turn, suits: Callable[[r.Character], object]) -> str | None:
    """The first opponent who suits."""
    for choice in opponents(turn):
        if suits(turn.table.characters[choice.value]):
            return choice.value
    return None


def _is_treatment(turn: r.Turn) -> bool:
    """Whether the declared check helps its target."""
    return note_of(turn, turn.text("skill"), "helps") != ""


def _condition(turn: r.Turn, one: r.Character) -> str:
    """A character's wounds out of the threshold, or the number of a group still standing.

    A threshold that this seat does not read is left out.
    """
    most = r.rating(one, FULL["wounds"])
    if r.rating(one, MINIONS):
        standing = standing_of(turn, one)
        if standing:
            return turn.words.say("beyond.left", n=standing)
        return turn.words["beyond.none"]
    wounds = turn.table.balance("wounds", one.id)
    if most and wounds and not r.reads_sheet(turn.seat, one):
        return turn.words.say("beyond.so_far", n=wounds)
    if most and wounds:
        return turn.words.say("beyond.hurt", n=wounds, most=most)
    return ""
