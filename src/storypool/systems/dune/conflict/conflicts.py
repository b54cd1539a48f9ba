"""Conflicts: their kinds, zones side by side, the order of turns, and keeping the initiative.

The sides alternate. Whose turn it is stands in one trait, and the order of turns in one for each character: who has
acted, whose turn it is now, and who is yet to act. Source: seed 004, Conflict and Moving
Assets; dune.md 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.conflict.score import score
from storypool.systems.dune.people.sheet import traits_of
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


def conflict(table: r.Table) -> r.Trait | None:
    """The conflict that is going on, or None."""
    return table.traits.get(CONFLICT)


def usual_skill(turn: r.Turn) -> str | None:
    """The skill that tests in this conflict mostly use."""
    trait = conflict(turn.table)
    return KINDS.get(str(trait.terms.get("kind", ""))) if trait else None


def side_of(turn: r.Turn) -> str:
    """The side of this seat in a conflict."""
    return "gm" if turn.seat.side == "gm" else "players"


def to_act(trait: r.Trait) -> str:
    """The side whose turn it is in this conflict."""
    side = str(trait.terms.get("side"))
    return {"gm": "players", "players": "gm"}[side] if trait.terms.get("acted") else side


def next_one(table: r.Table) -> str:
    """The character who is acting in the conflict, or for whom the turn was kept, or the empty text."""
    trait = conflict(table)
    for check in table.checks.values():
        if not check.hidden and check.text("kind") in ACTIONS:
            return check.actor
    named = str(trait.terms.get("who", "")) if trait and not trait.terms.get("acted") else ""
    return named if named in table.characters else ""


def fighters(table: r.Table, side: str) -> list[r.Character]:
    """Those of a side who can act in a conflict: seen by all and not defeated, NPCs as far as they have an asset or
    a place in it.
    """
    in_it = {trait.about for kind in ("asset", "place") for trait in traits_of(table, kind) if not trait.hidden}

    def fights(who: r.Character) -> bool:
        stands = r.here(who) and not who.hidden and f"defeated-{who.id}" not in table.traits
        return stands and who.side == side and (side == "players" or who.id in in_it)

    return [who for who in table.characters.values() if fights(who)]


def beaten(table: r.Table, side: str) -> bool:
    """Whether everybody of this side who was in the conflict is defeated."""
    down = (table.characters.get(trait.about) for trait in traits_of(table, "defeated"))
    return any(who is not None and who.side == side for who in down) and not fighters(table, side)


def running(turn: r.Turn) -> r.Refusal | None:
    """A conflict is going on."""
    return None if conflict(turn.table) else turn.firm("conflict.none")


def nobody_acts(turn: r.Turn) -> r.Refusal | None:
    """No action is going on that everybody sees."""
    open_ones = (check for check in turn.table.checks.values() if not check.hidden)
    return next((turn.no("busy", title=check.title) for check in open_ones), None)


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """It is this side's turn: it has not acted in it yet, or the other side has acted in theirs."""
    trait = conflict(turn.table)
    if trait is None or to_act(trait) == side_of(turn):
        return None
    return turn.no("turn.over") if trait.terms.get("acted") else turn.no("turn.theirs")


@r.move(
    "conflict.begin",
    by=["gm"],
    when=lambda t: r.in_session(t) or (t.no("conflict.running") if conflict(t.table) else None),
    asks=[
        r.ChoiceAsk("kind", "What kind?", r.answers("conflict", *KINDS)),
        r.TextAsk("text", "What is it about?"),
        r.ChoiceAsk("first", "Who goes first?", r.answers("conflict.first", "players", "gm"), default="players"),
    ],
    rule="Conflict",
    place=r.at("scene"),
)
def begin(turn: r.Turn) -> Iterator[r.Event]:
    """Begin a conflict

    A duel, a skirmish, a war, espionage or an intrigue: all alike in zones, turns, assets and defeat. The GM says which
    side goes first.
    """
    kind_of = turn.words[f"conflict.{turn.text('kind')}"]
    title = turn.words.say("conflict.title", kind=kind_of, text=turn.text("text"))
    terms: dict[str, r.Value] = {"kind": turn.text("kind"), "side": turn.text("first"), "acted": False}
    yield r.TraitSet(r.Trait(CONFLICT, "conflict", title, by=turn.seat.id, until="scene", terms=terms))
    yield from ordered(turn)


def _no_action(turn: r.Turn) -> r.Refusal | None:
    """No action of the conflict is going on, so that none is cut short."""
    open_ones = (check for check in turn.table.checks.values() if _conflict_of(turn, check))
    return next((turn.no("conflict.action", title=check.title) for check in open_ones), None)


@r.move("conflict.end", by=["gm"], when=lambda t: running(t) or _no_action(t), rule="Conflict", place=r.at("slots", 61))
def end(turn: r.Turn) -> Iterator[r.Event]:
    """End the conflict

    The log tells who is defeated, how far the others were from it, and who can still resist.
    """
    yield r.TraitRemoved(CONFLICT, score(turn))
    yield from ordered(turn)


# Zones.


def zones(turn: r.Turn) -> Iterator[r.Choice]:
    """The zones of the scene."""
    return (r.Choice(zone.id, zone.text) for zone in traits_of(turn.table, "zone"))


def beside(table: r.Table, zone: str) -> tuple[str, ...]:
    """The zones that lie next to one."""
    trait = table.traits.get(zone)
    listed = trait.terms.get("next", ()) if trait else ()
    return tuple(str(id) for id in listed if str(id) in table.traits) if isinstance(listed, tuple) else ()


def joined(table: r.Table, one: str, other: str) -> Iterator[r.Event]:
    """Two zones next to each other, each knowing of the other."""
    for this, that in ((one, other), (other, one)):
        trait = table.traits[this]
        if that not in beside(table, this) and this != that:
            yield r.TraitSet(trait.with_terms(next=(*beside(table, this), that)))


@in_play(
    "zone.add",
    asks=[
        r.TextAsk("text", "What is the zone called?"),
        r.ChoiceAsk("next", "Next to which?", zones, needed=False, shown=lambda t: any(zones(t))),
    ],
    rule="Moving Assets",
    place=r.at("scene"),
)
def add_zone(turn: r.Turn) -> Iterator[r.Event]:
    """Lay out a zone"""
    id = turn.fresh("z")
    yield r.TraitSet(r.Trait(id, "zone", turn.text("text"), by=turn.seat.id, until="scene"))
    if turn.text("next"):
        yield from joined(turn.table, id, turn.text("next"))


@r.move(
    "zone.join",
    by=["gm"],
    when=lambda t: None if len(list(zones(t))) > 1 else t.firm("zone.two"),
    asks=[r.ChoiceAsk("zone", "Which zone?", zones), r.ChoiceAsk("next", "Next to which?", zones)],
    rule="Moving Assets",
    place=r.at("scene"),
)
def join_zones(turn: r.Turn) -> Iterator[r.Event]:
    """Put two zones next to each other"""
    if turn.text("zone") == turn.text("next"):
        raise turn.refused("argument", "zone.itself", "next")
    yield from joined(turn.table, turn.text("zone"), turn.text("next"))


# Turns.

NOW = 100
"""The rating of the present turn in the order: above it who has acted, below it who is yet to act."""


def ordered(turn: r.Turn) -> Iterator[r.Event]:
    """The order of turns, set anew where it has changed: one trait for each character, and one for the side whose turn
    it is where nobody is named.
    """
    wanted = {trait.id: trait for trait in _order(turn)}
    for old in traits_of(turn.table, "slot"):
        if old.id not in wanted:
            yield r.TraitRemoved(old.id)
    for trait in wanted.values():
        if turn.table.traits.get(trait.id) != trait:
            yield r.TraitSet(trait)


def _order(turn: r.Turn) -> Iterator[r.Trait]:
    trait = conflict(turn.table)
    if trait is None:
        return
    named, acted = next_one(turn.table), acted_by(trait)

    def one(id: str, text: str, side: str, rating: int) -> r.Trait:
        now, terms = "now" if rating == NOW else "", dict[str, r.Value](acted=True) if rating > NOW else {}
        return r.Trait(f"turn-{id}", "slot", text, f"@{side}", rating, at=now, until="scene", terms=terms)

    if not named:
        side = to_act(trait)
        yield one("side", turn.words[f"turn.{side}"], side, NOW)
    everybody = {who.id: who for side in ("players", "gm") for who in fighters(turn.table, side)}
    for id in dict.fromkeys((*acted, *everybody, named)):
        who = turn.table.characters.get(id)
        if who is None:
            continue
        side = "gm" if who.side == "gm" else "players"
        if id == named:
            yield one(id, who.name, side, NOW)
        elif id in acted:
            yield one(id, who.name, side, NOW + len(acted) - acted.index(id))
        else:
            yield one(id, who.name, side, 0)


def acted_by(trait: r.Trait) -> tuple[str, ...]:
    """Who has acted, in order, since everybody last had."""
    found = trait.terms.get("acted_by", ())
    return tuple(str(id) for id in found) if isinstance(found, tuple) else ()


def yet_to_act(table: r.Table, side: str) -> list[r.Character]:
    """Those of a side who can act and have not, since everybody last had."""
    trait = conflict(table)
    return [who for who in fighters(table, side) if trait is None or who.id not in acted_by(trait)]


def _having_acted(table: r.Table, trait: r.Trait, who: str) -> r.Trait:
    acted = (*[id for id in acted_by(trait) if id != who], who)
    left = {one.id for side in ("players", "gm") for one in fighters(table, side)} - {*acted}
    return trait.with_terms(acted_by=acted if left else ())


def _conflict_of(turn: r.Turn, check: r.Check) -> r.Trait | None:
    """The conflict in which this test is an action; one that the players do not see changes nothing that they do."""
    return conflict(turn.table) if not check.hidden and check.text("kind") in ACTIONS else None


def kept_initiative(turn: r.Turn, check: r.Check) -> bool:
    """Whether this action is of a character who kept the initiative, and so is harder by 1."""
    trait = _conflict_of(turn, check)
    return trait is not None and trait.terms.get("side") == check.side and bool(trait.terms.get("harder"))


def begun(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """When an action begins, the turn is its side's. `Refused` where the turn was given to another."""
    trait = _conflict_of(turn, check)
    if trait is None:
        return
    if trait.terms.get("side") != check.side:
        trait = trait.with_terms(side=check.side, acted=False, who="", harder=False)
    named = str(trait.terms.get("who", ""))
    if named and named != check.actor and named in turn.table.characters:
        raise turn.refused("argument", "turn.given", "as", who=turn.table.characters[named].name)
    yield r.TraitSet(trait)
    yield from ordered(turn)


def ended(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
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
    trait = _having_acted(turn.table, trait, check.actor)
    yield r.TraitSet(trait.with_terms(harder=False, barred=barred, price=0 if free else KEEP_PRICE, **{other: False}))


@r.move(
    "turn.pass",
    when=lambda t: running(t) or nobody_acts(t),
    window=in_turn,
    rule="Conflict",
    group="conflict",
    place=r.at("slots", 60),
)
def pass_turn(turn: r.Turn) -> Iterator[r.Event]:
    """Let the other side act

    Without an action of your own: the turn is the other side's.
    """
    trait = conflict(turn.table)
    if trait is None:
        raise turn.refused("argument", "conflict.none")
    ours, other = (side_of(turn), "players" if side_of(turn) == "gm" else "gm")
    terms: dict[str, r.Value] = {f"kept_{ours}": False, f"kept_{other}": False}
    yield r.TraitSet(trait.with_terms(side=other, acted=False, who="", second=False, harder=False, **terms))
    yield from ordered(turn)


def _keep_cost(turn: r.Turn) -> int:
    trait = conflict(turn.table)
    price = trait.terms.get("price", KEEP_PRICE) if trait else KEEP_PRICE
    return price if isinstance(price, int) else KEEP_PRICE


KEEP = Payment("initiative", _keep_cost)


def _has_acted(turn: r.Turn) -> r.Refusal | None:
    trait = conflict(turn.table)
    if trait is None:
        return turn.firm("conflict.none")
    ours = trait.terms.get("side") == side_of(turn) and trait.terms.get("acted")
    return None if ours else turn.no("initiative.when")


def _may_keep(turn: r.Turn) -> r.Refusal | None:
    trait = conflict(turn.table)
    if trait is None:
        return None
    if trait.terms.get("barred"):
        return turn.no("initiative.barred")
    return turn.no("initiative.kept") if trait.terms.get(f"kept_{side_of(turn)}") else None


def _ours(turn: r.Turn) -> Iterator[r.Choice]:
    """Everybody of this side whom all can see, because all can see whose turn it is."""
    for choice in r.characters(side_of(turn))(turn):
        if not turn.table.characters[choice.value].hidden:
            yield choice


@r.move(
    "initiative.keep",
    when=lambda t: _has_acted(t) or r.idle(t),
    price=KEEP.price,
    only_if=[_may_keep],
    asks=[r.ChoiceAsk("who", "Who acts next?", _ours), *KEEP.asks],
    rule="Conflict: Keeping the Initiative",
    group="spend",
    place=r.at("actions", 71),
)
def keep(turn: r.Turn) -> Iterator[r.Event]:
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
    yield r.TraitSet(
        trait.with_terms(side=side, acted=False, second=False, who=who, harder=who == trait.terms.get("last"))
    )
    yield from ordered(turn)
