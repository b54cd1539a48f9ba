"""Assets: what somebody brings to a conflict, and in which zone it is.

Source: seed 004, Use of Assets and Attack Sequence; dune.md 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Choice,
    ChoiceAsk,
    Event,
    FlagAsk,
    Move,
    NumberAsk,
    Table,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    Value,
    move,
)
from storypool.systems.dune.conflicts import conflict, zones
from storypool.systems.dune.sheet import first_own, written_by
from storypool.systems.dune.terms import has_a_character

KINDS = ("weapon", "protection", "people", "spies", "vehicle", "contact", "knowledge", "favour")


def assets(turn: Turn) -> Iterator[Choice]:
    """Every asset at the table that this seat may see, with its owner and Potency."""
    for trait in turn.table.traits.values():
        if trait.kind == "asset":
            owner = turn.table.characters.get(trait.about)
            note = turn.system.words.say("asset.note", who=owner.name if owner else "", potency=trait.rating)
            yield Choice(trait.id, trait.text, note)


def owned(turn: Turn, field: str = "asset") -> Trait:
    """The asset of the answers; `Refused` when it is somebody else's, or set aside."""
    trait = turn.table.traits.get(turn.text(field))
    if trait is None:
        raise turn.refused("argument", "asset.none", field)
    if trait.about != turn.text("as"):
        owner = turn.table.characters.get(trait.about)
        raise turn.refused("argument", "asset.theirs", field, who=owner.name if owner else "", asset=trait.text)
    if trait.terms.get("aside"):
        raise turn.refused("argument", "asset.aside", field, asset=trait.text)
    return trait


def place_of(table: Table, who: str) -> str:
    """The zone that a character is in, or the empty text."""
    return next((t.at for t in table.traits.values() if t.kind == "place" and t.about == who), "")


def defences(table: Table, who: str) -> list[Trait]:
    """The defensive assets that protect somebody: those of their side in their zone, or where nobody knows where that
    is, their own. Source: seed 004, Attack Sequence.
    """
    target, zone = table.characters.get(who), place_of(table, who)
    if target is None:
        return []
    found = []
    for trait in table.traits.values():
        owner = table.characters.get(trait.about)
        if trait.kind == "asset" and trait.terms.get("defensive") and not trait.terms.get("aside") and owner:
            near = owner.side == target.side and trait.at == zone if zone else owner.id == who
            found += [trait] if near and trait.seen_by is None else []
    return found


@move(
    "asset.add",
    when=lambda t: None if any(written_by(t)) else t.firm("character.none"),
    asks=[
        ChoiceAsk("who", "Whose is it?", written_by, default=first_own),
        TextAsk("text", "What is it called?"),
        ChoiceAsk(
            "kind",
            "What kind?",
            lambda t: [Choice(k, t.system.words[f"asset.{k}"]) for k in KINDS],
            needed=False,
            free=True,
        ),
        NumberAsk("potency", "Potency", default=0, low=0, high=5, needed=False),
        FlagAsk("defensive", "Does it defend its zone?", default=False, needed=False),
        FlagAsk("tangible", "Can it be touched?", default=True, needed=False),
        ChoiceAsk("zone", "In which zone?", zones, needed=False, shown=lambda t: any(zones(t))),
    ],
    approval=lambda t: t.seat.side == "player" and conflict(t.table) is not None,
    rule="Use of Assets",
)
def add_asset(turn: Turn) -> Iterator[Event]:
    """Write down an asset

    With its kind, its zone, and its rating, called Potency here and Quality in other books of the family. In the middle
    of a conflict a player proposes it.
    """
    terms: dict[str, Value] = {
        "kind": turn.text("kind"),
        "defensive": turn.flag("defensive"),
        "tangible": turn.flag("tangible"),
    }
    who, potency = turn.text("who"), turn.number("potency")
    yield TraitSet(
        Trait(
            turn.fresh("t"),
            "asset",
            turn.text("text"),
            who,
            potency,
            at=turn.text("zone"),
            by=turn.seat.id,
            terms=terms,
        )
    )


def _things(turn: Turn) -> Iterator[Choice]:
    ours = {choice.value for choice in written_by(turn)}
    yield from written_by(turn)
    for trait in turn.table.traits.values():
        if trait.kind == "asset" and trait.about in ours:
            yield Choice(trait.id, trait.text)


@move(
    "zone.place",
    when=lambda t: (None if any(zones(t)) else t.firm("zone.none")) or has_a_character(t),
    asks=[ChoiceAsk("what", "Who or what?", _things), ChoiceAsk("zone", "In which zone?", zones)],
    approval=lambda t: t.seat.side == "player",
    rule="Moving Assets",
)
def place(turn: Turn) -> Iterator[Event]:
    """Put somebody or something in a zone

    Where they are when it begins. A player proposes it; later it takes a move.
    """
    yield put(turn, turn.text("what"), turn.text("zone"))


def put(turn: Turn, what: str, zone: str) -> Event:
    """An asset, or a character, in a zone from now on."""
    trait = turn.table.traits.get(what)
    if trait is not None:
        terms = {key: value for key, value in trait.terms.items() if key != "aside"}
        return TraitSet(replace(trait, at=zone, terms=terms))
    name = turn.table.traits[zone].text if zone in turn.table.traits else ""
    said = turn.system.words.say("zone.in", zone=name)
    return TraitSet(Trait(f"place-{what}", "place", said, what, at=zone, until="scene"))


def where(table: Table, what: str) -> str:
    """The zone of an asset or a character, or the empty text."""
    trait = table.traits.get(what)
    return trait.at if trait is not None else place_of(table, what)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
