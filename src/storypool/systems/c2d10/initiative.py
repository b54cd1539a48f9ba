"""The order of acting in a conflict: rolling for it, one action a turn, going on, handing over, acting again.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.c2d10.abilities import best_skill, skills_of
from storypool.systems.c2d10.conflicts import current, current_id, fighters, fighting, going_on, reaches_target
from storypool.systems.c2d10.prices import buys
from storypool.systems.c2d10.sides import acts_for, people, stance, succeeded

UP = "turn"
"""The kind of trait that says on a character that it is their turn."""
FIRST = "first"
"""What a slot that acts out of turn remembers where the order goes on with its first slot, in the same round."""


def _order(table: r.Table) -> list[r.Trait]:
    """Every slot, highest first, a hero first where two are equal."""
    return sorted(table.of_kind("slot"), key=lambda slot: (-slot.rating, not _heroic(table, slot), slot.id))


def _heroic(table: r.Table, slot: r.Trait) -> bool:
    return slot.about == "@players" or stance(in_slot(table, slot)) == "heroes"


def slots(table: r.Table) -> list[r.Trait]:
    """The slots of those who are here, in their order; the current one is at "now"."""
    return [slot for slot in _order(table) if (character := in_slot(table, slot)) and r.here(character)]


def in_slot(table: r.Table, slot: r.Trait) -> r.Character | None:
    """Who acts in this slot of the order."""
    return table.characters.get(str(slot.terms.get("who", "")))


def now(table: r.Table) -> r.Trait | None:
    """The slot whose turn it is, or None."""
    return next((slot for slot in slots(table) if slot.at == "now"), None)


def _given(table: r.Table) -> r.Trait | None:
    """What says who acts next out of turn: the initiative was handed over, or another action bought."""
    return next(iter(table.of_kind("acts-next")), None)


def up(table: r.Table) -> r.Character | None:
    """Who acts now: who was handed the initiative in the last action, else who has the current slot."""
    slot, given = now(table), _given(table)
    if slot is None:
        return None
    return table.characters.get(given.about) if given else in_slot(table, slot)


def over(table: r.Table) -> bool:
    """Whether whoever has the turn has acted in it, and nobody was handed the next action."""
    slot = now(table)
    return slot is not None and bool(slot.terms.get("acted")) and _given(table) is None


def missing(table: r.Table) -> list[r.Character]:
    """Who has still to roll before the order of a conflict begins, among those whom everybody sees.

    Those who fight a duel; where two sides meet, each hero whose player is here, and each NPC opposed to them. Nobody
    where the conflict is against a target alone, and nobody once it has begun.
    """
    conflict, duel = current(table), fighters(table)
    begun = any(slot.at == "now" and not slot.hidden for slot in slots(table))
    if conflict is None or conflict.terms["type"] == "unopposed" or conflict.terms.get("begun") or begun:
        return []

    def fights(character: r.Character) -> bool:
        seat = table.seats.get(character.seat)
        plays = stance(character) == "opposed" or (character.side == "players" and seat is not None and seat.here)
        return character.id in duel if duel else plays

    waits = (one for one in table.characters.values() if r.here(one) and not one.hidden and fights(one))
    return [one for one in waits if one.id not in _in_order(table)]


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """Where an order is kept, it is the turn of a character whom this seat plays, who has not acted in it yet."""
    who = up(turn.table)
    if who is None or _beside(turn):
        return None
    if not acts_for(turn, who):
        return turn.no("turn", who=who.name)
    return turn.no("acted", who=who.name) if over(turn.table) else None


def _beside(turn: r.Turn) -> bool:
    """Whether an action would only be the Keeper's hidden one, beside one that everybody sees: it is nobody's turn."""
    return turn.is_gm and any(not check.hidden for check in turn.table.checks.values())


def actors(
    *holds: Callable[[r.Turn, r.Character], bool], hidden: bool = False
) -> Callable[[r.Turn], Iterator[r.Choice]]:
    """Those whom this seat plays: where an order is kept, who acts now first, and those who have no place in it."""

    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        acts = None if _beside(turn) else up(turn.table)
        unseen = next((check.title for check in turn.table.checks.values() if check.hidden), "")
        own = people(*holds, own=True, hidden=hidden)(turn)
        for choice in sorted(own, key=lambda choice: acts is None or choice.value != acts.id):
            waits = acts is not None and choice.value != acts.id and choice.value in _in_order(turn.table)
            closed = turn.words.say("no.turn", who=acts.name) if acts and waits else ""
            if unseen and turn.table.characters[choice.value].hidden:
                closed = turn.words.say("no.busy", title=unseen)
            yield replace(choice, closed=closed)

    return choices


def acted(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """An action is done: whoever made it in their turn has had their action."""
    slot = now(turn.table)
    if slot is not None and slot.terms["who"] == check.actor and _counts(slot, check):
        yield r.TraitSet(replace(slot, terms={**slot.terms, "acted": True}))


def goes_on(turn: r.Turn) -> Iterator[r.Event]:
    """Where whoever has the turn has acted, the next turn begins.

    The Keeper goes on by hand from somebody hidden, and to them.
    """
    slot, given = now(turn.table), _given(turn.table)
    if slot is None or not slot.terms.get("acted") or slot.hidden:
        return
    upcoming = _slot_of(turn.table, given.about) if given else _upcoming(turn.table)
    if upcoming is not None and not upcoming.hidden:
        yield from _handed_over(turn, given) if given else _on(turn)


def _counts(known: r.Trait, check: r.Check) -> bool:
    """Whether this is an action in the order: not the test of a scene, and nothing hidden that would tell of itself."""
    return check.text("kind") != "end" and (check.may_use(known) is not None)


def _in_order(table: r.Table) -> list[object]:
    """The ids of the characters who have a slot in the order."""
    return [slot.terms["who"] for slot in slots(table)]


def _slot_of(table: r.Table, character: str) -> r.Trait | None:
    return next((slot for slot in slots(table) if slot.terms["who"] == character), None)


WITHOUT_A_SLOT = people(acts_for, lambda t, character: character.id not in _in_order(t.table), hidden=True)


def _rolling(turn: r.Turn) -> r.Character | None:
    return turn.character("as")


@r.move(
    "initiative.roll",
    when=lambda t: fighting(t) or r.idle(t),
    only_if=[r.any_of(WITHOUT_A_SLOT, "slots.all")],
    asks=[
        r.ChoiceAsk("as", "Who?", WITHOUT_A_SLOT, first=True, needed=False),
        r.ChoiceAsk("skill", "With which skill?", skills_of(_rolling), default=best_skill(_rolling), needed=False),
        r.FacesAsk("faces", "What does your die show?", needed=False),
    ],
    rule="Initiative",
    place=r.at("actions", 72),
)
def roll_initiative(turn: r.Turn) -> Iterator[r.Event]:
    """Roll initiative

    A die and the dots of a skill, highest first; a 0 is nothing. Once everybody has rolled, the first turn begins.
    """
    character = turn.table.characters[turn.text("as")]
    lies = turn.cast(r.Bag(d10=1), turn.numbers("faces"))
    yield r.hidden_like(r.DiceRolled("", turn.seat.id, lies, turn.words["initiative.rolled"]), character)
    n = lies[0].face + (character.rating(turn.text("skill")) or 0)
    text = turn.words.say("initiative.slot", who=character.name, n=n)
    new = turn.trait("slot", text, character.team.mark, rating=n, until="scene", terms={"who": character.id})
    yield r.hidden_like(new, character)
    if not character.hidden and _complete(turn.table):
        yield from _on(turn)


def _complete(table: r.Table) -> bool:
    """Whether everybody has rolled for a conflict that has not begun, so that the first turn begins."""
    conflict, order = current(table), _order(table)
    if conflict is None or conflict.terms["type"] == "unopposed" or conflict.terms.get("begun") or _current(table):
        return False
    return bool(order) and not order[0].hidden and not missing(table)


@r.move(
    "initiative.next",
    by=["gm"],
    when=lambda t: (None if slots(t.table) else t.firm("slots.none")) or r.in_session(t) or r.idle(t),
    rule="Initiative",
    place=r.at("slots"),
)
def next_slot(turn: r.Turn) -> Iterator[r.Event]:
    """Next turn

    It goes on by itself when an action is done, but not from or to somebody hidden. In the order of the
    initiative, but first whoever it was handed to. After the last the next round begins.
    """
    given = _given(turn.table)
    yield from _handed_over(turn, given) if given is not None else _on(turn)


def _on(turn: r.Turn, order: Sequence[r.Trait] = ()) -> Iterator[r.Event]:
    """Go on in this order, or in that of all; after the last, with a new round, in which nobody has acted yet."""
    upcoming, wraps = _upcoming(turn.table, order), _wraps(turn.table, order)
    yield from _ends(turn)
    if wraps:
        yield from r.house.next_round.body(turn)
        for slot in [slot for slot in _order(turn.table) if slot.terms.get("acted")]:
            yield r.TraitSet(replace(slot, terms={"who": slot.terms["who"]}))
    if upcoming is not None:
        yield from _begins(turn, upcoming.id)


def _place(table: r.Table, order: Sequence[r.Trait]) -> int:
    """The place in an order of the slot after which it goes on; -1 before the first."""
    after = _after(_current(table))
    return next((i for i, slot in enumerate(order) if slot.id == after), -1)


def _upcoming(table: r.Table, order: Sequence[r.Trait] = ()) -> r.Trait | None:
    """The slot that is next in this order, or in that of all, hidden ones too."""
    order = order or _order(table)
    return order[(_place(table, order) + 1) % len(order)] if order else None


def _wraps(table: r.Table, order: Sequence[r.Trait] = ()) -> bool:
    """Whether the next slot begins a round."""
    order = order or _order(table)
    place = _place(table, order)
    return _after(_current(table)) != FIRST and (place < 0 or place + 1 == len(order))


def _current(table: r.Table) -> r.Trait | None:
    """The slot whose turn it is, also where its character has left."""
    return next((slot for slot in _order(table) if slot.at == "now"), None)


def _after(slot: r.Trait | None) -> str:
    """The slot after which the order goes on: the current one, or the one that it took the turn from."""
    return str(slot.terms.get("after", slot.id)) if slot else ""


def _begins(turn: r.Turn, id: str, **terms: r.Value) -> Iterator[r.Event]:
    """The turn of this slot begins, which the log tells."""
    slot = turn.table.traits[id]
    who = turn.table.characters[str(slot.terms["who"])]
    yield r.TraitSet(replace(slot, at="now", terms={"who": who.id, **terms}))
    text = turn.words.say("initiative.up", who=who.name)
    yield r.hidden_like(turn.trait(UP, text, who.id, until="scene"), slot)


def _ends(turn: r.Turn) -> Iterator[r.Event]:
    """The current turn ends; the slot remembers until the round is over that it was used, unless it took another's."""
    for trait in turn.table.of_kind(UP):
        yield r.TraitRemoved(trait.id)
    slot = _current(turn.table)
    if slot is not None:
        used = {"acted": True} if slot.terms.get("acted") and "after" not in slot.terms else {}
        yield r.TraitSet(replace(slot, at="", terms={"who": slot.terms["who"], **used}))


def _handed_over(turn: r.Turn, given: r.Trait) -> Iterator[r.Event]:
    """Whoever the initiative was handed to has the turn; their slot remembers after which one the order goes on."""
    after = _after(now(turn.table))
    yield r.TraitRemoved(given.id)
    yield from _ends(turn)
    slot = _slot_of(turn.table, given.about)
    if slot is not None:
        yield from _begins(turn, slot.id, after=after)


@r.whenever(r.CheckOpened)
def taken_up(turn: r.Turn, event: r.CheckOpened) -> Iterator[r.Event]:
    """Whenever whoever was handed the initiative begins an action, the turn is theirs."""
    given = _given(turn.table)
    if given is not None and given.about == event.check.actor and _counts(given, event.check):
        yield from _handed_over(turn, given)


@r.whenever(r.CharacterSet)
def left(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Whenever somebody has left the story, their slot is gone, and the order goes on without them.

    After somebody whom everybody sees it goes on to somebody whom everybody sees, so that it tells of nobody else.
    """
    gone = next((slot for slot in _order(turn.table) if slot.terms["who"] == event.character.id), None)
    if gone is None or r.here(event.character):
        return
    order = [slot for slot in _order(turn.table) if gone.hidden or not slot.hidden]
    if gone.at == "now" and len(order) > 1:
        yield from _on(turn, order)
    for slot in _order(turn.table):
        if slot.terms.get("after") == gone.id:
            place = order.index(gone)
            before = order[place - 1].id if place else FIRST
            yield r.TraitSet(replace(slot, terms={**slot.terms, "after": before}))
    yield r.TraitRemoved(gone.id)


@r.whenever(r.CharacterSet)
def shown(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Whenever somebody comes into the open, so do their slot in the order, and that it is their turn."""
    one = event.character
    if not one.hidden:
        for trait in (*turn.table.of_kind("slot"), *turn.table.of_kind(UP)):
            if trait.hidden and one.id in (trait.about, trait.terms.get("who")):
                yield r.TraitSet(trait.revealed())


MAY_BE_NEXT = people(lambda t, character: character.id in (_in_order(t.table) or [character.id]))


def _lasts(turn: r.Turn) -> r.Refusal | None:
    """The conflict goes on after this action, so that there is a next one."""
    return turn.no("initiative.over") if turn.check and reaches_target(turn, turn.check) else None


def _unordered(turn: r.Turn) -> str:
    """What to know before the initiative is bought where no order is kept: nobody acts next in it."""
    return "" if slots(turn.table) else turn.words["initiative.unordered"]


@buys("initiative")
@r.move(
    "initiative.seize",
    when=r.rolled,
    only_if=[succeeded, going_on, _lasts],
    limit=r.Limit("initiative", ("check",)),
    asks=[r.ChoiceAsk("who", "Who acts next? Pick yourself to act again", MAY_BE_NEXT)],
    caution=_unordered,
    place=r.at("menu", 62, row=True),
)
def seize(turn: r.Turn) -> Iterator[r.Event]:
    """Hand over the initiative, or act again

    After a successful test, once: when the action is done somebody of one's choice acts next, or whoever just
    succeeded acts once more.
    """
    check, who = turn.here, turn.text("who")
    yield turn.amend(check.with_terms(settled=True))
    again = who in (check.actor, check.against)
    name = turn.table.characters[who].name
    text = turn.words.say("initiative.again" if again else "initiative.given", who=name)
    yield turn.trait("acts-next", text, who, at=current_id(turn.table), until="scene")
