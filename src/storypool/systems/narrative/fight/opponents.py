"""The choices of actors and opponents, the most likely first, each with their condition."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import (
    ORDER,
    has_fallen,
    ready_to_act,
    side_of,
    unrolled,
    usually_act,
)
from storypool.systems.narrative.sheet import FULL, MINIONS, noted, standing_of


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
            why = "fallen" if has_fallen(table, one) else "unrolled" if one in ready else "acted"
            choice = r.replace(choice, note=turn.words[f"initiative.{why}"])
        yield choice


def opponents(turn: r.Turn) -> Iterator[r.Choice]:
    """Everybody but the actor: first enemies who are in the fight and standing.

    In a check that helps its target, the actor and allies come first, the worst hurt before
    others.
    """
    actor = turn.character("as") or turn.table.characters.get(
        turn.check.actor if turn.check else ""
    )
    own = actor.team if actor else turn.team
    others = [turn.table.characters[choice.value] for choice in r.characters()(turn)]
    if _treats(turn):
        for one in sorted(
            others, key=lambda one: (one.team is not own, -turn.table.balance("wounds", one.id))
        ):
            yield r.Choice(one.id, one.name, _condition(turn, one))
        return
    apart = unrolled(turn.table, r.Team.GM) if ORDER.slots(turn.table) else []
    for one in sorted(
        others, key=lambda one: (one.team is own, has_fallen(turn.table, one), one in apart)
    ):
        if actor is None or one.id != actor.id:
            yield r.Choice(one.id, one.name, _condition(turn, one))


def usual_opponent(turn: r.Turn) -> str | None:
    """The default target: in a fight the first enemy, in a treatment the worst hurt ally."""
    actor = turn.character("as")
    if _treats(turn):
        hurt = (
            choice.value for choice in opponents(turn) if turn.table.balance("wounds", choice.value)
        )
        return next(
            (id for id in hurt if actor and turn.table.characters[id].team is actor.team), None
        )
    teams = {choice.value: turn.table.characters[choice.value].team for choice in opponents(turn)}
    fighting = ORDER.present(turn.table) is not None
    return next(
        (id for id, team in teams.items() if fighting and actor and actor.team is not team), None
    )


def _treats(turn: r.Turn) -> bool:
    """Whether the declared check helps its target."""
    return noted(turn, turn.text("skill"), "helps") != ""


def _condition(turn: r.Turn, one: r.Character) -> str:
    """A character's wounds out of the threshold, or the number of a group still standing."""
    most = r.rating(one, FULL["wounds"])
    if r.rating(one, MINIONS):
        standing = standing_of(turn, one)
        return turn.words.say("beyond.left", n=standing) if standing else turn.words["beyond.none"]
    wounds = turn.table.balance("wounds", one.id)
    return turn.words.say("beyond.hurt", n=wounds, most=most) if most and wounds else ""
