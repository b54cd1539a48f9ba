"""Zones of a conflict, side by side. Source: seed 004, Moving Assets."""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.dune.conditions import in_play


@dataclass(frozen=True)
class Zone(r.State):
    """A zone, and the ids of those that are `next` to it."""

    next: tuple[str, ...] = ()


zones = r.traits("zone")
"""Offers the zones of the scene."""
ANY_ZONE = r.any_of(zones, "zone.none")
"""There is a zone."""


def beside(table: r.Table, zone: str) -> tuple[str, ...]:
    trait = table.traits.get(zone)
    return tuple(id for id in Zone.of(trait).next if id in table.traits) if trait else ()


def link_zones(table: r.Table, one: str, other: str) -> Iterator[r.Event]:
    """Put two zones next to each other, each knowing of the other."""
    for this, that in ((one, other), (other, one)):
        if that not in beside(table, this) and this != that:
            yield r.TraitSet(Zone.put(table.traits[this], next=(*beside(table, this), that)))


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
        yield from link_zones(turn.table, id, turn.text("next"))


@r.gm_move(
    "zone.join",
    when=r.requires(lambda t: len(list(zones(t))) > 1, "zone.two", firm=True),
    asks=[
        r.ChoiceAsk("zone", "Which zone?", zones),
        r.ChoiceAsk(
            "next",
            "Next to which?",
            r.traits("zone", only=lambda t, zone: zone.id != t.text("zone")),
        ),
    ],
    rule="Moving Assets",
    place=r.at("scene"),
)
def join_zones(turn: r.Turn) -> Iterator[r.Event]:
    """Put two zones next to each other"""
    yield from link_zones(turn.table, turn.text("zone"), turn.text("next"))
