"""Hits, stress boxes, consequences, being taken out, conceding, and recovery.

Source: destinydice.md 3.5, Stress; seed 002, Using Special Symbols, for the lowest box and the lowest open slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.engine.rules import (
    Ask,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    PeriodBegan,
    PeriodEnded,
    Refusal,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    here,
    in_session,
    move,
)
from storypool.systems.destinydice.aspects import free_invokes
from storypool.systems.destinydice.sheet import (
    able,
    checked,
    first_of,
    number,
    open_consequences,
    plays,
    severities,
    shifts,
    unchecked,
)
from storypool.systems.destinydice.sides import has_somebody


def check_box(turn: Turn, who: str, box: int) -> TraitSet:
    """A stress box that is checked from now on, until the end of the scene."""
    text = turn.system.words.say("stress.box", n=box)
    return TraitSet(Trait(turn.fresh("t"), "stress", text, who, box, by=turn.seat.id, until="scene"))


def clear_box(turn: Turn, who: str, box: int) -> Iterator[Event]:
    """A stress box that is checked no more."""
    for trait in list(turn.table.traits.values()):
        if trait.kind == "stress" and trait.about == who and trait.rating == box:
            yield TraitRemoved(trait.id)


def take_consequence(turn: Turn, who: str, severity: str, text: str, inflicted_by: str = "") -> TraitSet:
    """A consequence: an aspect that lasts, with a free invoke for the side that inflicted it."""
    name = text or turn.system.words["consequence.unnamed"]
    terms: dict[str, Value] = {
        "name": name,
        "session": turn.table.periods["session"],
        "scene": turn.table.periods["scene"],
    }
    rating = shifts(severity)
    trait = Trait(turn.fresh("t"), "consequence", name, who, rating, at=severity, by=turn.seat.id, terms=terms)
    return free_invokes(turn, trait, inflicted_by or "gm", 1 if inflicted_by else 0)


# Taking a hit.


def _hits(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        one = turn.table.characters.get(trait.about)
        if trait.kind == "hit" and one is not None and plays(turn, one):
            yield Choice(trait.id, f"{one.name}: {trait.text}")


def _hit(turn: Turn) -> Trait | None:
    id = turn.text("hit") or next((choice.value for choice in _hits(turn)), "")
    return turn.table.traits.get(id)


def _is_hit(turn: Turn) -> Refusal | None:
    return None if any(_hits(turn)) else turn.firm("hit.none")


HIT = ChoiceAsk("hit", "Which hit?", _hits, default=first_of(_hits))


def _boxes(turn: Turn) -> Iterator[Choice]:
    hit = _hit(turn)
    yield Choice("0", turn.system.words["stress.none"])
    for box in unchecked(turn.table, hit.about) if hit else ():
        yield Choice(str(box), turn.system.words.say("stress.takes", n=box))


def _usual_box(turn: Turn) -> str:
    """The lowest box that takes up what the consequences leave of the hit, where there is one and it is needed."""
    hit = _hit(turn)
    left = (hit.rating if hit else 0) - sum(shifts(severity) for severity in _named(turn))
    boxes = [box for box in unchecked(turn.table, hit.about) if box >= left > 0] if hit else []
    return str(boxes[0]) if boxes else "0"


def _named(turn: Turn) -> list[str]:
    """The consequences that are taken, the lightest first."""
    return [severity for severity in severities() if turn.text(severity)]


def _can_take(severity: str) -> Callable[[Turn], bool]:
    def can(turn: Turn) -> bool:
        hit = _hit(turn)
        return hit is not None and severity in open_consequences(turn.table, hit.about)

    return can


def _asked(severity: str) -> Ask:
    label = f"Take a {severity} consequence ({shifts(severity)} shifts): what is it?"
    return TextAsk(severity, label, needed=False, shown=_can_take(severity))


@move(
    "harm.absorb",
    when=_is_hit,
    asks=[
        HIT,
        *(_asked(severity) for severity in severities()),
        ChoiceAsk("box", "Which stress box?", _boxes, default=_usual_box),
    ],
    rule="Stress and consequences",
)
def absorb(turn: Turn) -> Iterator[Event]:
    """Take a hit

    At most one unchecked stress box, and any number of open consequences; together they take up all shifts of the
    hit. Whoever inflicted it has a free invoke of each consequence.
    """
    hit = turn.table.traits[turn.text("hit")]
    box = int(turn.text("box"))
    taken = _named(turn)
    for severity in taken:
        if severity not in open_consequences(turn.table, hit.about):
            raise turn.refused("argument", "consequence.full", severity, kind=turn.system.words[f"severity.{severity}"])
    total = box + sum(shifts(severity) for severity in taken)
    if total < hit.rating:
        raise turn.refused("argument", "hit.short", "box", n=total, of=hit.rating)
    yield TraitRemoved(hit.id, turn.system.words["hit.taken"])
    if box:
        yield check_box(turn, hit.about, box)
    for severity in taken:
        yield take_consequence(turn, hit.about, severity, turn.text(severity), str(hit.terms["by"]))


@move("harm.fall", when=_is_hit, asks=[HIT], rule="Stress and consequences")
def fall(turn: Turn) -> Iterator[Event]:
    """Be taken out

    Whoever cannot take up all shifts of a hit, or does not want to, is out of the scene.
    """
    hit = turn.table.traits[turn.text("hit")]
    yield TraitRemoved(hit.id)
    text = turn.system.words["taken-out"]
    yield TraitSet(Trait(turn.fresh("t"), "taken-out", text, hit.about, by=turn.seat.id, until="scene"))


# Conceding.


def _before_the_roll(turn: Turn) -> Refusal | None:
    """Who concedes does so before the dice of an action lie."""
    check = turn.check
    return in_session(turn) or (turn.no("concede.late") if check and check.phase == "rolled" else None)


@move(
    "conflict.concede",
    when=_before_the_roll,
    only_if=[has_somebody],
    asks=[
        ChoiceAsk("as", "Who concedes?", able, default=first_of(able)),
        TextAsk("text", "How do they go?", needed=False),
    ],
    rule="Conceding",
)
def concede(turn: Turn) -> Iterator[Event]:
    """Concede the conflict

    Before a roll, and on your own terms: a Fate point, and one more for each consequence taken in this conflict.
    """
    who = turn.text("as")
    scene = turn.table.periods["scene"]
    taken = sum(
        1
        for trait in turn.table.traits.values()
        if trait.kind == "consequence" and trait.about == who and trait.terms["scene"] == scene
    )
    text = turn.text("text") or turn.system.words["conceded"]
    yield TraitSet(Trait(turn.fresh("t"), "conceded", text, who, by=turn.seat.id, until="scene"))
    yield from turn.change("fate", 1 + taken, who)


# By hand, and recovery.


def _everybody(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.characters.values():
        if here(one) and number(one, "stress"):
            yield Choice(one.id, one.name)


def _their_boxes(turn: Turn) -> Iterator[Choice]:
    one = turn.table.characters.get(turn.text("who"))
    for box in range(1, number(one, "stress") + 1) if one else ():
        state = "checked" if box in checked(turn.table, turn.text("who")) else "clear"
        yield Choice(str(box), turn.system.words.say("stress.box", n=box), turn.system.words[f"stress.{state}"])


@move(
    "stress.toggle",
    by=["gm"],
    asks=[ChoiceAsk("who", "Whose stress?", _everybody), ChoiceAsk("box", "Which box?", _their_boxes)],
    rule="Stress and consequences",
)
def toggle(turn: Turn) -> Iterator[Event]:
    """Check or clear a stress box by hand"""
    who, box = turn.text("who"), int(turn.text("box"))
    if box in checked(turn.table, who):
        yield from clear_box(turn, who, box)
    else:
        yield check_box(turn, who, box)


@move("recovery.rest", by=["gm"], when=in_session, rule="Stress and consequences")
def rest(turn: Turn) -> Iterator[Event]:
    """Say that there is time to rest in this scene

    Mild consequences are over at its end then. Stress is cleared at the end of every scene, whether anybody rests.
    """
    if not any(trait.kind == "rest" for trait in turn.table.traits.values()):
        text = turn.system.words["rest"]
        yield TraitSet(Trait(turn.fresh("t"), "rest", text, by=turn.seat.id, until="scene"))


@move("scenario.end", by=["gm"], when=in_session, rule="Stress and consequences")
def end_scenario(turn: Turn) -> Iterator[Event]:
    """The scenario is over

    Severe consequences are over with it.
    """
    yield PeriodEnded("adventure", max(1, turn.table.periods["adventure"]))


def recovered(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene, a session or a scenario ends, the consequences that last until then are over."""
    assert isinstance(event, PeriodEnded)
    rested = any(trait.kind == "rest" for trait in turn.table.traits.values())
    for trait in [t for t in turn.table.traits.values() if t.kind == "consequence"]:
        over = {
            "mild": event.kind == "scene" and rested,
            "moderate": event.kind == "session" and event.number > int(str(trait.terms["session"])),
            "severe": event.kind == "adventure",
        }[trait.at]
        if over:
            yield TraitRemoved(trait.id, turn.system.words["consequence.over"])


def new_scenario(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins and no scenario is running, a new one begins with it."""
    assert isinstance(event, PeriodBegan)
    if event.kind == "session" and "adventure" not in turn.table.running:
        yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
