"""The order of acting in a conflict: rolled for, gone through, handed over or seized for points.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Character,
    ChoiceAsk,
    DiceRolled,
    Event,
    FacesAsk,
    PeriodBegan,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    any_of,
    entries,
    first_of,
    idle,
    in_session,
    move,
)
from storypool.systems.c2d10.conflicts import current_id, going_on, slots
from storypool.systems.c2d10.prices import buys
from storypool.systems.c2d10.sides import acts_for, is_known, people, succeeded


def _in_order(turn: Turn) -> list[object]:
    """Who has a place in the order, by their ids."""
    return [slot.terms["who"] for slot in slots(turn.table)]


WITHOUT_A_SLOT = people(acts_for, lambda t, character: character.id not in _in_order(t))


@move(
    "initiative.roll",
    when=lambda t: going_on(t) or in_session(t) or idle(t),
    only_if=[any_of(WITHOUT_A_SLOT, "slots.all")],
    asks=[
        ChoiceAsk("as", "Who?", WITHOUT_A_SLOT, default=first_of(WITHOUT_A_SLOT)),
        ChoiceAsk("skill", "With which skill?", entries("skill", "with"), needed=False),
        FacesAsk("faces", "The face of a real die", needed=False),
    ],
    rule="Initiative",
)
def roll_initiative(turn: Turn) -> Iterator[Event]:
    """Roll for the initiative

    A die and the dots of a skill, highest first; a 0 is nothing.
    """
    character = turn.table.characters[turn.text("as")]
    lies = turn.cast(Bag(d10=1), turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.words["initiative.rolled"], character.seen_by)
    n = lies[0].face + (character.rating(turn.text("skill")) or 0)
    text = turn.words.say("initiative.slot", who=character.name, n=n)
    slot = Trait(turn.fresh("t"), "slot", text, "@gm" if character.side == "gm" else "@players", n, by=turn.seat.id)
    yield TraitSet(replace(slot, until="scene", terms={"who": character.id}, seen_by=character.seen_by))


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
    given = next(iter(turn.table.of_kind("acts-next", at=current_id(turn.table))), None)
    # A slot that acts out of turn remembers after which one the order goes on.
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


def _may_be_next(turn: Turn, character: Character) -> bool:
    order = _in_order(turn)
    return not order or character.id in order


@buys("initiative")
@move(
    "initiative.seize",
    when=succeeded,
    only_if=[going_on],
    asks=[ChoiceAsk("who", "Who acts next? Oneself, for another action", people(is_known, _may_be_next))],
)
def seize(turn: Turn) -> Iterator[Event]:
    """Spend points to hand over the initiative, or to act again

    After a successful test: somebody of one's choice acts next, or whoever just succeeded acts once more.
    """
    check, who = turn.here, turn.text("who")
    yield turn.amend(check.with_terms(settled=True))
    text = turn.words["initiative.again" if who in (check.actor, check.against) else "initiative.given"]
    at, by = current_id(turn.table), turn.seat.id
    yield TraitSet(Trait(turn.fresh("t"), "acts-next", text, who, at=at, by=by, until="scene"))
