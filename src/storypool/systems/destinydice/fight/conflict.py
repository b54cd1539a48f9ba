"""The order of turns in a conflict: who acts when, whose turn it is, and the end.

Source: destinydice.md 3.5: the order is by Quick in a physical conflict and by Careful in a mental one. Where people
are rated by skills it is by Notice and by Empathy, as in Fate Core.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from storypool.engine import rules as r
from storypool.systems.destinydice.sheet import able, number, out

KINDS = {"physical": ("quick", "notice"), "mental": ("careful", "empathy")}
"""What decides the order, by the kind of conflict: an approach, and a skill."""


def slots(table: r.Table) -> list[r.Trait]:
    """The turns of those who are still in the conflict, in their order; the present one is at "now"."""
    found = [slot for slot in table.of_kind("slot") if (who := _in_slot(table, slot)) and _fights(table, who)]
    return sorted(found, key=lambda slot: -slot.rating)


def _in_slot(table: r.Table, slot: r.Trait) -> r.Character | None:
    return table.characters.get(str(slot.terms["who"]))


def acts_now(table: r.Table) -> r.Character | None:
    """Whose turn it is, or None where no order is kept."""
    return next((_in_slot(table, slot) for slot in slots(table) if slot.at == "now"), None)


def acts_next(table: r.Table) -> r.Character | None:
    """Whose turn comes next."""
    order = slots(table)
    now = next((i for i, slot in enumerate(order) if slot.at == "now"), -1)
    return _in_slot(table, order[(now + 1) % len(order)]) if order else None


def beaten(table: r.Table) -> bool:
    """Whether nobody of one side is left in the conflict."""
    return {slot.about for slot in slots(table)} != {slot.about for slot in table.of_kind("slot")}


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """Where an order is kept, it is the turn of somebody whom this seat plays; or they have no place in the order."""
    now, free = acts_now(turn.table), any(not choice.closed for choice in acting(turn))
    return turn.no("turn", who=now.name) if now is not None and not free else None


def acting(turn: r.Turn) -> Iterator[r.Choice]:
    """Those whom this seat plays; in a conflict, those apart whose turn it is not."""
    now, order = acts_now(turn.table), {slot.terms["who"] for slot in slots(turn.table)}
    for choice in able(turn):
        waits = now is not None and choice.value in order and choice.value != now.id
        yield replace(choice, closed=turn.words.say("no.turn", who=now.name) if now and waits else "")


def _running(turn: r.Turn) -> r.Refusal | None:
    """A conflict is going on."""
    return None if turn.table.of_kind("slot") else turn.firm("conflict.none")


def _none_running(turn: r.Turn) -> r.Refusal | None:
    """No conflict is going on."""
    return turn.no("conflict.on") if turn.table.of_kind("slot") else None


_by_gm = partial(r.move, by=["gm"], rule="Conflicts")


@_by_gm(
    "conflict.begin",
    when=lambda t: r.in_session(t) or r.idle(t) or _none_running(t),
    asks=[r.ChoiceAsk("kind", "What kind of conflict?", r.answers("conflict", *KINDS))],
    place=r.at("scene", 10),
)
def begin(turn: r.Turn) -> Iterator[r.Event]:
    """Start a conflict

    Everybody in the scene takes turns: in a physical conflict those with the highest Quick first, in a mental one
    those with the highest Careful.
    """
    key = KINDS[turn.text("kind")][turn.option("ratings") == "skills"]
    fighters = [one for one in turn.table.characters.values() if _fights(turn.table, one)]
    fighters.sort(key=lambda one: (-number(one, key), one.side == "gm"))
    for n, one in enumerate(fighters):
        yield _slot(turn, one, len(fighters) - n, key)
    yield from r.house.next_round.body(turn)
    yield from _goes_to(turn, slots(turn.table)[:1])


def _fights(table: r.Table, one: r.Character) -> bool:
    return r.here(one) and not one.hidden and not out(table, one.id)


def _slot(turn: r.Turn, one: r.Character, place: int, key: str) -> r.TraitSet:
    """A turn in the order, those with the highest place first, with the number that decides it."""
    text = turn.words.say("conflict.slot", who=one.name, what=turn.system.entry(key), n=f"{number(one, key):+}")
    return turn.trait("slot", text, one.team.mark, rating=place, until="scene", terms={"who": one.id, "by": key})


def _goes_to(turn: r.Turn, to: list[r.Trait]) -> Iterator[r.Event]:
    """It is the turn of this slot now; the log says whose."""
    for old in turn.table.of_kind("slot", at="now"):
        yield r.TraitSet(replace(old, at=""))
    for told in turn.table.of_kind("turn"):
        yield r.TraitRemoved(told.id)
    for slot in to:
        yield r.TraitSet(replace(slot, at="now"))
        who = turn.table.characters[str(slot.terms["who"])].name
        yield turn.trait("turn", turn.words.say("conflict.turn", who=who), until="scene")


def _on(turn: r.Turn) -> Iterator[r.Event]:
    """The turn of whoever comes next; after the last a new round begins."""
    order = slots(turn.table)
    now = next((slot.rating for slot in turn.table.of_kind("slot", at="now")), 0)
    after = [slot for slot in order if slot.rating < now]
    if not after:
        yield from r.house.next_round.body(turn)
    yield from _goes_to(turn, (after or slots(turn.table))[:1])


@_by_gm("conflict.next", when=lambda t: r.in_session(t) or r.idle(t) or _running(t), place=r.at("slots"))
def next_turn(turn: r.Turn) -> Iterator[r.Event]:
    """Next turn

    It goes on by itself when whoever has the turn is done with an action.
    """
    yield from _on(turn)


@_by_gm("conflict.end", when=lambda t: r.in_session(t) or r.idle(t) or _running(t), place=r.at("slots"))
def end(turn: r.Turn) -> Iterator[r.Event]:
    """End the conflict

    The log tells how long it was, and who is out of it.
    """
    words, n = turn.words, turn.table.periods["round"] if "round" in turn.table.running else 1
    marks = [trait for trait in turn.table.of_kind("taken-out", "conceded") if not trait.hidden]
    names = dict.fromkeys(one.name for trait in marks if (one := turn.table.characters.get(trait.about)))
    told = words.say("conflict.over", rounds=words.say("conflict.rounds", n=n))
    out = words.say("conflict.out", text=told, who=words["list.comma"].join(names)) if names else told
    yield turn.trait("conflict-over", out, until="scene")
    for trait in turn.table.of_kind("slot", "turn"):
        yield r.TraitRemoved(trait.id)
    if "round" in turn.table.running:
        yield r.PeriodEnded("round", turn.table.periods["round"])


@r.whenever(r.CheckClosed)
def acted(turn: r.Turn, event: r.CheckClosed) -> Iterator[r.Event]:
    """Whenever somebody is done with an action in their turn of a conflict, it is the turn of whoever comes next."""
    check, now = turn.before.checks.get(event.id), acts_now(turn.table)
    gone = now is None and bool(slots(turn.table))
    if check is None or check.hidden or event.how != "done":
        return
    if (gone or (now is not None and now.id == check.actor)) and not beaten(turn.table):
        yield from _on(turn)


@r.whenever(r.CharacterSet)
def joined(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Whenever somebody comes into the open while a conflict goes on, they take their turn last."""
    one, order = event.character, turn.table.of_kind("slot")
    if order and _fights(turn.table, one) and all(slot.terms["who"] != one.id for slot in order):
        yield _slot(turn, one, min(slot.rating for slot in order) - 1, str(order[0].terms["by"]))
