"""Conflicts: their kinds, zones side by side, whose turn it is, and keeping the initiative.

The sides alternate. Whose turn it is stands in one trait, so everybody sees it. Source: seed 004, Conflict and Moving
Assets; dune.md 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Refusal,
    Table,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    answers,
    characters,
    idle,
    in_session,
    move,
)
from storypool.systems.dune.sheet import traits_of
from storypool.systems.dune.terms import ACTIONS, Payment, in_play

KINDS = {
    "personal": "battle",
    "skirmish": "battle",
    "warfare": "battle",
    "espionage": "move",
    "intrigue": "communicate",
}
"""The five kinds of conflict, each with the skill that its tests mostly use."""
CONFLICT = "conflict"
KEEP_PRICE = 2


def conflict(table: Table) -> Trait | None:
    """The conflict that is going on, or None."""
    return table.traits.get(CONFLICT)


def usual_skill(turn: Turn) -> str | None:
    """The skill that tests in this conflict mostly use."""
    trait = conflict(turn.table)
    return KINDS.get(str(trait.terms.get("kind", ""))) if trait else None


def side_of(turn: Turn) -> str:
    """The side of this seat in a conflict."""
    return "gm" if turn.seat.side == "gm" else "players"


def running(turn: Turn) -> Refusal | None:
    """A conflict is going on."""
    return None if conflict(turn.table) else turn.firm("conflict.none")


def nobody_acts(turn: Turn) -> Refusal | None:
    """No action is going on that everybody sees."""
    open_ones = (check for check in turn.table.checks.values() if check.seen_by is None)
    return next((turn.no("busy", title=check.title) for check in open_ones), None)


def in_turn(turn: Turn) -> Refusal | None:
    """It is this side's turn: it has not acted in it yet, or the other side has acted in theirs."""
    trait = conflict(turn.table)
    if trait is None:
        return None
    ours, acted = trait.terms.get("side") == side_of(turn), bool(trait.terms.get("acted"))
    if ours == (not acted):
        return None
    return turn.no("turn.over" if ours else "turn.theirs")


@move(
    "conflict.begin",
    by=["gm"],
    when=lambda t: in_session(t) or (t.no("conflict.running") if conflict(t.table) else None),
    asks=[
        ChoiceAsk("kind", "What kind?", answers("conflict", *KINDS)),
        TextAsk("text", "What is it about?"),
        ChoiceAsk("first", "Who goes first?", answers("conflict.first", "players", "gm"), default="players"),
    ],
    rule="Conflict",
)
def begin(turn: Turn) -> Iterator[Event]:
    """Begin a conflict

    A duel, a skirmish, a war, espionage or an intrigue: all alike in zones, turns, assets and defeat. The game master
    says which side goes first.
    """
    kind_of = turn.words[f"conflict.{turn.text('kind')}"]
    title = turn.words.say("conflict.title", kind=kind_of, text=turn.text("text"))
    terms: dict[str, Value] = {"kind": turn.text("kind"), "side": turn.text("first"), "acted": False}
    yield TraitSet(Trait(CONFLICT, "conflict", title, by=turn.seat.id, until="scene", terms=terms))


def _no_action(turn: Turn) -> Refusal | None:
    """No action of the conflict is going on, so that none is cut short."""
    open_ones = (check for check in turn.table.checks.values() if _conflict_of(turn, check))
    return next((turn.no("conflict.action", title=check.title) for check in open_ones), None)


@move("conflict.end", by=["gm"], when=lambda t: running(t) or _no_action(t), rule="Conflict")
def end(turn: Turn) -> Iterator[Event]:
    """End the conflict"""
    yield TraitRemoved(CONFLICT)


# Zones.


def zones(turn: Turn) -> Iterator[Choice]:
    """The zones of the scene."""
    return (Choice(zone.id, zone.text) for zone in traits_of(turn.table, "zone"))


def beside(table: Table, zone: str) -> tuple[str, ...]:
    """The zones that lie next to one."""
    trait = table.traits.get(zone)
    listed = trait.terms.get("next", ()) if trait else ()
    return tuple(str(id) for id in listed if str(id) in table.traits) if isinstance(listed, tuple) else ()


def joined(table: Table, one: str, other: str) -> Iterator[Event]:
    """Two zones next to each other, each knowing of the other."""
    for here, there in ((one, other), (other, one)):
        trait = table.traits[here]
        if there not in beside(table, here) and here != there:
            yield TraitSet(trait.with_terms(next=(*beside(table, here), there)))


@in_play(
    "zone.add",
    asks=[
        TextAsk("text", "What is the zone called?"),
        ChoiceAsk("next", "Next to which?", zones, needed=False, shown=lambda t: any(zones(t))),
    ],
    rule="Moving Assets",
)
def add_zone(turn: Turn) -> Iterator[Event]:
    """Lay out a zone"""
    id = turn.fresh("z")
    yield TraitSet(Trait(id, "zone", turn.text("text"), by=turn.seat.id, until="scene"))
    if turn.text("next"):
        yield from joined(turn.table, id, turn.text("next"))


@move(
    "zone.join",
    by=["gm"],
    when=lambda t: None if len(list(zones(t))) > 1 else t.firm("zone.two"),
    asks=[ChoiceAsk("zone", "Which zone?", zones), ChoiceAsk("next", "Next to which?", zones)],
    rule="Moving Assets",
)
def join_zones(turn: Turn) -> Iterator[Event]:
    """Put two zones next to each other"""
    if turn.text("zone") == turn.text("next"):
        raise turn.refused("argument", "zone.itself", "next")
    yield from joined(turn.table, turn.text("zone"), turn.text("next"))


# Turns.


def _conflict_of(turn: Turn, check: Check) -> Trait | None:
    """The conflict in which this test is an action; one that the players do not see changes nothing that they do."""
    return conflict(turn.table) if check.seen_by is None and check.text("kind") in ACTIONS else None


def kept_initiative(turn: Turn, check: Check) -> bool:
    """Whether this action is of a character who kept the initiative, and so is harder by 1."""
    trait = _conflict_of(turn, check)
    return trait is not None and trait.terms.get("side") == check.side and bool(trait.terms.get("harder"))


def begun(turn: Turn, check: Check) -> Iterator[Event]:
    """When an action begins, the turn is its side's. `Refused` where the turn was given to another."""
    trait = _conflict_of(turn, check)
    if trait is None:
        return
    if trait.terms.get("side") != check.side:
        trait = trait.with_terms(side=check.side, acted=False, who="", harder=False)
    named = str(trait.terms.get("who", ""))
    if named and named != check.actor and named in turn.table.characters:
        raise turn.refused("argument", "turn.given", "as", who=turn.table.characters[named].name)
    yield TraitSet(trait)


def ended(turn: Turn, check: Check) -> Iterator[Event]:
    """When an action is done, its side has acted, and the other may keep the initiative again from now on.

    A lost attack or a failed move forbids keeping it; a subtle move that succeeds makes it free.
    """
    trait = _conflict_of(turn, check)
    if trait is None or check.outcome is None:
        return
    passed, extra = bool(check.outcome.passed), bool(check.terms.get("extra"))
    barred = not passed and check.text("kind") in ("attack", "move")
    free = passed and check.text("style") == "subtly" and not check.terms.get("at_cost")
    trait = trait.with_terms(side=check.side, acted=not extra, who=check.actor if extra else "", last=check.actor)
    trait = trait.with_terms(second=extra)
    other = "kept_players" if check.side == "gm" else "kept_gm"
    yield TraitSet(trait.with_terms(harder=False, barred=barred, price=0 if free else KEEP_PRICE, **{other: False}))


def _keep_cost(turn: Turn) -> int:
    trait = conflict(turn.table)
    price = trait.terms.get("price", KEEP_PRICE) if trait else KEEP_PRICE
    return price if isinstance(price, int) else KEEP_PRICE


KEEP = Payment("initiative", _keep_cost)


def _has_acted(turn: Turn) -> Refusal | None:
    trait = conflict(turn.table)
    if trait is None:
        return turn.firm("conflict.none")
    ours = trait.terms.get("side") == side_of(turn) and trait.terms.get("acted")
    return None if ours else turn.no("initiative.when")


def _may_keep(turn: Turn) -> Refusal | None:
    trait = conflict(turn.table)
    if trait is None:
        return None
    if trait.terms.get("barred"):
        return turn.no("initiative.barred")
    return turn.no("initiative.kept") if trait.terms.get(f"kept_{side_of(turn)}") else None


def _ours(turn: Turn) -> Iterator[Choice]:
    """Everybody of this side whom all can see, because all can see whose turn it is."""
    for choice in characters(side_of(turn))(turn):
        if turn.table.characters[choice.value].seen_by is None:
            yield choice


@move(
    "initiative.keep",
    when=lambda t: _has_acted(t) or idle(t),
    price=KEEP.price,
    only_if=[_may_keep],
    asks=[ChoiceAsk("who", "Who acts next?", _ours), *KEEP.asks],
    rule="Conflict: Keeping the Initiative",
    group="spend",
)
def keep(turn: Turn) -> Iterator[Event]:
    """Keep the initiative

    For 2, after this side has acted: the same character acts again at 1 more Difficulty, or an ally acts. Then the
    other side has to act before it is kept again. Free after a subtle move that succeeded; not after a lost attack or
    a failed move.
    """
    trait, side, who = conflict(turn.table), side_of(turn), turn.text("who")
    if trait is None:
        raise turn.refused("argument", "conflict.none")
    yield from KEEP.paid(turn)
    trait = trait.with_terms(**{f"kept_{side}": True})
    yield TraitSet(
        trait.with_terms(side=side, acted=False, second=False, who=who, harder=who == trait.terms.get("last"))
    )
