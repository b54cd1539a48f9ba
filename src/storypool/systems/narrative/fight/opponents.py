"""Who acts in a check and whom it may be against: those first who are meant as a rule, with how
they are doing.
"""

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
    """Yield whom this seat plays: in a turn of the GM's those first who take it, with why the
    others do not.

    In a turn of the players the GM's who are in the fight and have not fallen are first. Without an
    order of turns the fallen are last.
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
    """Yield everybody but the actor, those first who are of the other side, are in the fight and
    have not fallen.

    In a check that helps its target those of the own side are first, the worst hurt before others,
    and the actor.
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
    """Whom a form begins with in a fight: the first of the other side; in a treatment the worst
    hurt.
    """
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
    """Whether the check that is declared helps its target."""
    return noted(turn, turn.text("skill"), "helps") != ""


def _condition(turn: r.Turn, one: r.Character) -> str:
    """A character's wounds of their threshold, or how many of a group still stand."""
    most = r.rating(one, FULL["wounds"])
    if r.rating(one, MINIONS):
        standing = standing_of(turn, one)
        return turn.words.say("beyond.left", n=standing) if standing else turn.words["beyond.none"]
    wounds = turn.table.balance("wounds", one.id)
    return turn.words.say("beyond.hurt", n=wounds, most=most) if most and wounds else ""
