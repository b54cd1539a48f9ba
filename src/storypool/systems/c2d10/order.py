"""The order of acting in a conflict: rolled for, gone through, handed over or seized for points.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    FacesAsk,
    Move,
    PeriodBegan,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    idle,
    in_session,
    move,
)
from storypool.systems.c2d10.conflicts import current, going_on, my_people, of, open_people, slots
from storypool.systems.c2d10.prices import costs
from storypool.systems.c2d10.sheet import rating, skills
from storypool.systems.c2d10.sides import succeeded


def _unrolled(turn: Turn) -> Iterator[Choice]:
    rolled = {slot.terms["who"] for slot in slots(turn.table)}
    for choice in my_people(turn):
        if choice.value not in rolled:
            yield choice


@move(
    "initiative.roll",
    when=lambda t: going_on(t) or in_session(t) or idle(t),
    only_if=[lambda t: None if any(_unrolled(t)) else t.firm("slots.all")],
    asks=[
        ChoiceAsk("as", "Who?", _unrolled, default=lambda t: next((c.value for c in _unrolled(t)), None)),
        ChoiceAsk("skill", "With which skill?", skills, needed=False),
        FacesAsk("faces", "The face of a real die", needed=False),
    ],
    rule="Initiative",
)
def roll_initiative(turn: Turn) -> Iterator[Event]:
    """Roll for the initiative

    A die and the dots of a skill, highest first; a 0 is nothing.
    """
    one = turn.table.characters[turn.text("as")]
    lies = turn.cast(Bag(d10=1), turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.system.words["initiative.rolled"], one.seen_by)
    n = lies[0].face + (rating(one, turn.text("skill")) or 0)
    text = turn.system.words.say("initiative.slot", who=one.name, n=n)
    slot = Trait(turn.fresh("t"), "slot", text, "@gm" if one.side == "gm" else "@players", n, by=turn.seat.id)
    yield TraitSet(replace(slot, until="scene", terms={"who": one.id}, seen_by=one.seen_by))


@move(
    "initiative.next",
    by=["gm"],
    when=lambda t: (None if slots(t.table) else t.firm("slots.none")) or in_session(t) or idle(t),
    rule="Initiative",
)
def next_slot(turn: Turn) -> Iterator[Event]:
    """Go on to whoever acts next

    In the order of the initiative, but first whoever it was handed to. After the last the next round begins.
    """
    order = slots(turn.table)
    now = next((slot for slot in order if slot.at == "now"), None)
    given = next(iter(of(turn.table, "acts-next")), None)
    # Whoever acts out of turn remembers after whom the order goes on.
    after = str(now.terms.get("after", now.id)) if now else ""
    if now is not None:
        yield TraitSet(replace(now, at="", terms={"who": now.terms["who"]}))
    if given is not None:
        yield TraitRemoved(given.id)
        slot = next((slot for slot in slots(turn.table) if slot.terms["who"] == given.about), None)
        if slot is not None:
            yield TraitSet(replace(slot, at="now", terms={**slot.terms, "after": after}))
            return
    place = next((i for i, slot in enumerate(order) if slot.id == after), -1)
    if place < 0 or place + 1 == len(order):
        yield PeriodBegan("round", turn.table.periods["round"] + 1 if "round" in turn.table.running else 1)
    order = slots(turn.table)
    yield TraitSet(replace(order[(place + 1) % len(order)], at="now"))


def _next_people(turn: Turn) -> Iterator[Choice]:
    order = {slot.terms["who"] for slot in slots(turn.table)}
    for choice in open_people(turn):
        if not order or choice.value in order:
            yield choice


@move(
    "initiative.seize",
    when=succeeded,
    price=costs("initiative", "4 points"),
    only_if=[going_on],
    asks=[ChoiceAsk("who", "Who acts next? Oneself, for another action", _next_people)],
    rule="Uses for hero and villain points",
    group="spend",
)
def seize(turn: Turn) -> Iterator[Event]:
    """Spend points to hand over the initiative, or to act again

    After a successful test: somebody of one's choice acts next, or whoever just succeeded acts once more.
    """
    conflict, check, one = current(turn.table), turn.here, turn.table.characters[turn.text("who")]
    assert conflict is not None
    yield turn.amend(check, terms={**check.terms, "settled": True})
    own = one.id in (check.actor, check.against)
    text = turn.system.words["initiative.again" if own else "initiative.given"]
    yield TraitSet(Trait(turn.fresh("t"), "acts-next", text, one.id, 0, 0, conflict.id, turn.seat.id, until="scene"))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
