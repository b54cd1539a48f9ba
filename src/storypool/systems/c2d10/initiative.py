"""The order of acting in a conflict: rolling for it, one action a turn, going on, handing over, acting again.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Character,
    CharacterSet,
    Check,
    CheckOpened,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    FacesAsk,
    Limit,
    Refusal,
    Table,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    any_of,
    first_choice,
    here,
    house,
    idle,
    in_session,
    move,
    rolled,
)
from storypool.systems.c2d10.abilities import skills_of
from storypool.systems.c2d10.conflicts import current_id, fighting, going_on, reaches_target
from storypool.systems.c2d10.prices import buys
from storypool.systems.c2d10.sides import acts_for, people, stance, succeeded

FIRST = "first"
"""What a slot that acts out of turn remembers where the order goes on with its first slot, in the same round."""


def _order(table: Table) -> list[Trait]:
    """Every slot, highest first, a hero first where two are equal."""
    return sorted(table.of_kind("slot"), key=lambda slot: (-slot.rating, not _heroic(table, slot), slot.id))


def _heroic(table: Table, slot: Trait) -> bool:
    return slot.about == "@players" or stance(in_slot(table, slot)) == "heroes"


def slots(table: Table) -> list[Trait]:
    """The slots of those who are here, in their order; the current one is at "now"."""
    return [slot for slot in _order(table) if (character := in_slot(table, slot)) and here(character)]


def in_slot(table: Table, slot: Trait) -> Character | None:
    """Who acts in this slot of the order."""
    return table.characters.get(str(slot.terms.get("who", "")))


def _now(table: Table) -> Trait | None:
    return next((slot for slot in slots(table) if slot.at == "now"), None)


def _given(table: Table) -> Trait | None:
    """What says who acts next out of turn: the initiative was handed over, or another action bought."""
    return next(iter(table.of_kind("acts-next")), None)


def up(table: Table) -> Character | None:
    """Who acts now: who was handed the initiative in the last action, else who has the current slot."""
    now, given = _now(table), _given(table)
    if now is None:
        return None
    return table.characters.get(given.about) if given else in_slot(table, now)


def in_turn(turn: Turn) -> Refusal | None:
    """Where an order is kept, it is the turn of a character whom this seat plays, who has not acted in it yet."""
    now, who = _now(turn.table), up(turn.table)
    if now is None or who is None or _beside(turn):
        return None
    if not acts_for(turn, who):
        return turn.no("turn", who=who.name)
    return turn.no("acted", who=who.name) if now.terms.get("acted") and not _given(turn.table) else None


def _beside(turn: Turn) -> bool:
    """Whether an action would only be the Keeper's hidden one, beside one that everybody sees: it is nobody's turn."""
    return turn.seat.side == "gm" and any(check.seen_by is None for check in turn.table.checks.values())


def actors(*holds: Callable[[Turn, Character], bool], hidden: bool = False) -> Callable[[Turn], Iterator[Choice]]:
    """Those whom this seat plays: where an order is kept, who acts now, and those who have no place in it."""

    def choices(turn: Turn) -> Iterator[Choice]:
        now = None if _beside(turn) else up(turn.table)
        unseen = next((check.title for check in turn.table.checks.values() if check.seen_by is not None), "")
        for choice in people(*holds, own=True, hidden=hidden)(turn):
            waits = now is not None and choice.value != now.id and choice.value in _in_order(turn)
            closed = turn.words.say("no.turn", who=now.name) if now and waits else ""
            if unseen and turn.table.characters[choice.value].seen_by is not None:
                closed = turn.words.say("no.busy", title=unseen)
            yield replace(choice, closed=closed)

    return choices


def acted(turn: Turn, check: Check) -> Iterator[Event]:
    """An action is done: whoever made it in their turn has had their action."""
    now = _now(turn.table)
    if now is not None and now.terms["who"] == check.actor and _counts(now, check):
        yield TraitSet(replace(now, terms={**now.terms, "acted": True}))


def _counts(known: Trait, check: Check) -> bool:
    """Whether this is an action in the order: not the test of a scene, and nothing hidden that would tell of itself."""
    return check.text("kind") != "end" and (check.seen_by is None or known.seen_by is not None)


def _in_order(turn: Turn) -> list[object]:
    """The ids of the characters who have a slot in the order."""
    return [slot.terms["who"] for slot in slots(turn.table)]


WITHOUT_A_SLOT = people(acts_for, lambda t, character: character.id not in _in_order(t), hidden=True)


@move(
    "initiative.roll",
    when=lambda t: fighting(t) or idle(t),
    only_if=[any_of(WITHOUT_A_SLOT, "slots.all")],
    asks=[
        first_choice("as", "Who?", WITHOUT_A_SLOT),
        ChoiceAsk("skill", "With which skill?", skills_of(lambda t: t.character("as")), needed=False),
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
    side, terms = "@gm" if character.side == "gm" else "@players", {"who": character.id}
    yield turn.trait("slot", text, side, rating=n, until="scene", terms=terms, seen_by=character.seen_by)


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
    given = _given(turn.table)
    yield from _handed_over(turn, given) if given is not None else _on(turn)


def _on(turn: Turn) -> Iterator[Event]:
    """Go on in the order; after the last, with a new round."""
    order, now = _order(turn.table), next((slot for slot in _order(turn.table) if slot.at == "now"), None)
    after = _after(now)
    if now is not None:
        yield TraitSet(replace(now, at="", terms={"who": now.terms["who"]}))
    place = next((i for i, slot in enumerate(order) if slot.id == after), -1)
    if after != FIRST and (place < 0 or place + 1 == len(order)):
        yield from house.next_round.body(turn)
    order = _order(turn.table)
    yield TraitSet(replace(order[(place + 1) % len(order)], at="now"))


def _after(now: Trait | None) -> str:
    """The slot after which the order goes on: the current one, or the one that it took the turn from."""
    return str(now.terms.get("after", now.id)) if now else ""


def _handed_over(turn: Turn, given: Trait) -> Iterator[Event]:
    """Whoever the initiative was handed to has the turn; their slot remembers after which one the order goes on."""
    now = _now(turn.table)
    after = _after(now)
    yield TraitRemoved(given.id)
    if now is not None:
        yield TraitSet(replace(now, at="", terms={"who": now.terms["who"]}))
    slot = next((slot for slot in slots(turn.table) if slot.terms["who"] == given.about), None)
    if slot is not None:
        yield TraitSet(replace(slot, at="now", terms={"who": given.about, "after": after}))


def taken_up(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever whoever was handed the initiative begins an action, the turn is theirs."""
    assert isinstance(event, CheckOpened)
    given = _given(turn.table)
    if given is not None and given.about == event.check.actor and _counts(given, event.check):
        yield from _handed_over(turn, given)


def left(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever somebody has left the story, their slot is gone, and the order goes on without them."""
    assert isinstance(event, CharacterSet)
    gone = next((slot for slot in _order(turn.table) if slot.terms["who"] == event.character.id), None)
    if gone is None or here(event.character):
        return
    order = _order(turn.table)
    if gone.at == "now" and len(order) > 1:
        yield from _on(turn)
    for slot in _order(turn.table):
        if slot.terms.get("after") == gone.id:
            place = order.index(gone)
            before = order[place - 1].id if place else FIRST
            yield TraitSet(replace(slot, terms={**slot.terms, "after": before}))
    yield TraitRemoved(gone.id)


MAY_BE_NEXT = people(lambda t, character: character.id in (_in_order(t) or [character.id]))


def _lasts(turn: Turn) -> Refusal | None:
    """The conflict goes on after this action, so that there is a next one."""
    return turn.no("initiative.over") if turn.check and reaches_target(turn, turn.check) else None


def _unordered(turn: Turn) -> str:
    """What to know before the initiative is bought where no order is kept: nobody acts next in it."""
    return "" if slots(turn.table) else turn.words["initiative.unordered"]


@buys("initiative")
@move(
    "initiative.seize",
    when=rolled,
    only_if=[succeeded, going_on, _lasts],
    limit=Limit("initiative", ("check",)),
    asks=[ChoiceAsk("who", "Who acts next? Oneself, for another action", MAY_BE_NEXT)],
    caution=_unordered,
)
def seize(turn: Turn) -> Iterator[Event]:
    """Spend points to hand over the initiative, or to act again

    After a successful test, once: when the action is done somebody of one's choice acts next, or whoever just
    succeeded acts once more.
    """
    check, who = turn.here, turn.text("who")
    yield turn.amend(check.with_terms(settled=True))
    text = turn.words["initiative.again" if who in (check.actor, check.against) else "initiative.given"]
    yield turn.trait("acts-next", text, who, at=current_id(turn.table), until="scene")
