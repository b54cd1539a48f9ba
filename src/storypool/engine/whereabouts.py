"""Places: zones next to each other, who is in which, and the moves that say so.

A zone is a trait of the kind `zone`; where a character is, one of the kind `place`. Both end with
their scene, and the page draws them as a board. The range between two people is the number of zones
on the way from one to the other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from storypool.engine.events import Event, TraitSet
from storypool.engine.game.asks import Ask, Choice, ChoiceAsk, TextAsk
from storypool.engine.game.moves import Move, Spot, at, gm_move, move
from storypool.engine.game.state import State
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import Choices, characters, here, traits, written_by
from storypool.engine.house.conditions import (
    all_of,
    has_a_character,
    in_session,
    proposes,
    requires,
)
from storypool.engine.refusal import Refusal
from storypool.engine.table import Character, Table, Trait

__all__ = ["Reach", "any_zone", "beside", "first_to_place", "gathering", "going", "is_placed"]
__all__ += ["laying_out", "place_of", "placing", "put_in_zone", "steps", "zones"]

ZONE, PLACE = "zone", "place"
"""The kinds of the traits that are a zone, and the place of a character."""
MOST_ZONES = 12
"""The most zones that are laid out at once."""

SCENE = at("scene")
"""The place on the page of the moves that lay out zones."""


def zones(turn: Turn) -> Choices:
    """Yield the zones."""
    return traits(ZONE)(turn)


def any_zone(turn: Turn) -> Refusal | None:
    """A zone is laid out."""
    return None if any(zones(turn)) else turn.firm("zone.none")


@dataclass(frozen=True)
class Zone(State):
    """A zone, and the ids of those that are `next` to it."""

    next: tuple[str, ...] = ()


@dataclass(frozen=True)
class Whereabouts(State):
    """Where a character is, and the turn in which they went there, if only one go is free."""

    moved: str = ""


class Reach(NamedTuple):
    """How many zones a character goes at once, or None for any; once a `turn`, where it has one."""

    most: int | None = None
    turn: str = ""


def beside(table: Table, zone: str) -> tuple[str, ...]:
    """The ids of the zones next to a zone."""
    trait = table.traits.get(zone)
    return tuple(id for id in Zone.of(trait).next if id in table.traits) if trait else ()


def steps(table: Table, start: str, end: str) -> int | None:
    """The number of zones on the shortest way from one to another, 0 for the same; None for none.

    >>> def zone(id, *beside):
    ...     return Trait(id, "zone", id, terms=Zone(beside).terms)
    >>> row = zone("gate", "yard"), zone("yard", "gate", "hall"), zone("hall", "yard"), zone("roof")
    >>> table = Table(traits={one.id: one for one in row})
    >>> steps(table, "gate", "hall"), steps(table, "gate", "gate"), steps(table, "gate", "roof")
    (2, 0, None)
    """
    ways = {start: 0}
    # The list grows while it is read: nearer zones come first.
    for zone in (row := [start]):
        new = [one for one in beside(table, zone) if one not in ways]
        ways |= dict.fromkeys(new, ways[zone] + 1)
        row += new
    return ways.get(end) if start in table.traits else None


def place_of(table: Table, who: str) -> str:
    """The zone of a character, or ""."""
    return next((trait.at for trait in table.of_kind(PLACE, about=who)), "")


def is_placed(table: Table, what: str) -> bool:
    """Whether a character, or a thing, is in a zone already."""
    trait = table.traits.get(what)
    return (trait.at if trait else place_of(table, what)) in table.traits


def unplaced(turn: Turn, *sides: str) -> list[Character]:
    """The characters of these sides whom everybody sees, and who are in no zone yet."""
    people = turn.table.characters.values()
    return [
        one
        for one in people
        if here(one) and one.side in sides and not one.hidden and not is_placed(turn.table, one.id)
    ]


def put_in_zone(turn: Turn, who: str, zone: str, moved: str = "") -> Event:
    """The event that a character is in a zone from now on; the engine hides it with them."""
    known = turn.table.traits.get(zone)
    text = turn.words.say("zone.in", zone=known.text if known else "")
    place = Trait(f"place-{who}", PLACE, text, who, at=zone, until="scene")
    return TraitSet(Whereabouts.put(place, moved=moved))


def _near(turn: Turn, start: str, most: int | None = 1) -> str:
    """The names of the zones up to this many from a zone; "" without one."""
    ways = ((one.text, steps(turn.table, start, one.id)) for one in turn.table.of_kind(ZONE))
    names = [name for name, way in ways if way and (most is None or way <= most)]
    return turn.words["list.comma"].join(names)


# Laying zones out.


def _link(table: Table, one: str, other: str) -> Iterator[Event]:
    """Put two zones next to each other, each knowing of the other."""
    for this, that in ((one, other), (other, one)):
        if that not in beside(table, this) and this != that:
            yield TraitSet(Zone.put(table.traits[this], next=(*beside(table, this), that)))


def laying_out(rule: str, place: Spot = SCENE) -> tuple[Move, ...]:
    """The GM's moves that add zones, and put them next to each other."""

    @gm_move(
        "zone.add",
        when=in_session,
        asks=[
            TextAsk(
                "text",
                "What is the zone called?",
                preset=lambda t: None if any(zones(t)) else t.words["zone.row"] or None,
            ),
            ChoiceAsk("next", "Next to which?", zones, needed=False, shown=lambda t: any(zones(t))),
        ],
        rule=rule,
        place=place,
    )
    def add_zone(turn: Turn) -> Iterator[Event]:
        """Lay out a zone

        Several with commas between them are a row, each next to the one before.
        """
        names = [name.strip() for name in turn.text("text").split(",") if name.strip()]
        if len(names) > MOST_ZONES:
            raise turn.refused("argument", "zone.most", "text", n=MOST_ZONES)
        before = turn.text("next")
        for name in names or [turn.text("text")]:
            id = turn.fresh("z")
            yield TraitSet(Trait(id, ZONE, name, by=turn.seat.id, until="scene"))
            if before:
                yield from _link(turn.table, id, before)
            before = id

    @gm_move(
        "zone.join",
        when=requires(lambda t: len(list(zones(t))) > 1, "zone.two", firm=True),
        asks=[
            ChoiceAsk("zone", "Which zone?", zones),
            ChoiceAsk(
                "next",
                "Next to which?",
                traits(ZONE, only=lambda t, zone: zone.id != t.text("zone")),
            ),
        ],
        rule=rule,
        place=place,
    )
    def join_zones(turn: Turn) -> Iterator[Event]:
        """Put two zones next to each other"""
        yield from _link(turn.table, turn.text("zone"), turn.text("next"))

    return add_zone, join_zones


# Placing people where they begin.


Along = Callable[[Turn, str, str], Iterable[Event]]
"""The events that place what comes along with a character, in a zone."""


def _alone(turn: Turn, who: str, zone: str) -> Iterable[Event]:
    return ()


def gathering(rule: str, place: Spot, along: Along = _alone) -> Move:
    """The GM's move that places everybody at once who is in no zone yet, each side in one."""

    def ask(side: str, label: str, last: int) -> ChoiceAsk:
        def usual(turn: Turn) -> str | None:
            known = [one.value for one in zones(turn)]
            return known[last] if known else None

        def shown(turn: Turn) -> bool:
            return bool(unplaced(turn, side))

        return ChoiceAsk(side, label, zones, default=usual, needed=False, shown=shown)

    asks = [
        ask("players", "Where are the players' characters?", 0),
        ask("gm", "Where are the others?", -1),
    ]

    @gm_move(
        "zone.gather",
        when=all_of(
            any_zone, requires(lambda t: unplaced(t, "players", "gm"), "zone.placed", firm=True)
        ),
        asks=asks,
        rule=rule,
        place=place,
    )
    def gather(turn: Turn) -> Iterator[Event]:
        """Place everybody

        Each side in one zone: all who are in none yet, except for hidden ones.
        """
        for side in ("players", "gm"):
            for one in unplaced(turn, side):
                yield put_in_zone(turn, one.id, turn.text(side))
                yield from along(turn, one.id, turn.text(side))

    return gather


def first_to_place(turn: Turn) -> str | None:
    """The first of this seat's characters who is in no zone yet, or None."""
    ours = characters(own=True)(turn)
    return next((one.value for one in ours if not is_placed(turn.table, one.value)), None)


def _name_to_place(turn: Turn) -> str:
    """The title with the name of the character or thing to place."""
    what = turn.text("what") or first_to_place(turn) or ""
    if who := turn.table.characters.get(what):
        return turn.words.say("zone.places", who=who.name)
    thing = turn.table.traits.get(what)
    return turn.words.say("zone.places", who=thing.text) if thing else ""


def placing(
    rule: str,
    place: Spot,
    placed: Callable[[Turn], Choices] = written_by,
    put: Callable[[Turn, str, str], Event] = put_in_zone,
    along: Along = _alone,
    *,
    asks: Sequence[Ask] = (),
) -> Move:
    """The move that places a character, or of all that can be `placed` another thing, in a zone.

    `put` returns the event. A player proposes it for those who are in a zone already.
    """

    @move(
        "zone.place",
        when=all_of(any_zone, has_a_character),
        asks=[
            ChoiceAsk("what", "Who or what?", placed, preset=first_to_place),
            ChoiceAsk("zone", "In which zone?", zones),
            *asks,
        ],
        approval=lambda t: proposes(t) and is_placed(t.table, t.text("what")),
        rule=rule,
        place=place,
        shown_as=_name_to_place,
    )
    def place_one(turn: Turn) -> Iterator[Event]:
        """Place a character

        Where they are when it begins. Later it takes a move, or a player's proposal.
        """
        what, zone = turn.text("what"), turn.text("zone")
        yield put(turn, what, zone)
        yield from along(turn, what, zone)

    return place_one


# Going from one to another.


def going(rule: str, place: Spot, reach: Callable[[Turn, str], Reach]) -> Move:
    """The move by which a character goes to another zone, as far as they `reach`."""

    def movers(turn: Turn) -> Choices:
        own = characters(own=True, only=lambda t, one: is_placed(t.table, one.id))
        return (one.unless(_has_gone(turn, one.value, reach)) for one in own(turn))

    def reached(turn: Turn) -> Choices:
        who = turn.character("who")
        start = place_of(turn.table, who.id) if who else ""
        for zone in zones(turn):
            if who and zone.value != start:
                yield zone.unless(_too_far(turn, who, zone, reach))

    def may_go(turn: Turn) -> Refusal | None:
        """A character of this seat is in a zone, and can go on from there."""
        own = list(movers(turn))
        if not own:
            return turn.firm("zone.nobody")
        return _has_gone(turn, own[0].value, reach) if all(one.closed for one in own) else None

    @move(
        "zone.move",
        when=all_of(any_zone, may_go),
        asks=[
            ChoiceAsk("who", "Who goes?", movers, first=True),
            ChoiceAsk("to", "To which zone?", reached),
        ],
        rule=rule,
        place=place,
    )
    def go(turn: Turn) -> Iterator[Event]:
        """Go to another zone"""
        who = turn.text("who")
        yield put_in_zone(turn, who, turn.text("to"), reach(turn, who).turn)

    return go


def _has_gone(turn: Turn, who: str, reach: Callable[[Turn, str], Reach]) -> Refusal | None:
    """Why a character does not go once more in this turn, or None."""
    now = reach(turn, who).turn
    gone = [Whereabouts.of(one).moved for one in turn.table.of_kind(PLACE, about=who)]
    name = turn.table.characters[who].name
    return turn.no("zone.moved", who=name) if now and now in gone else None


def _too_far(
    turn: Turn, who: Character, zone: Choice, reach: Callable[[Turn, str], Reach]
) -> Refusal | None:
    """Why a character does not reach a zone at once, or None."""
    start, most = place_of(turn.table, who.id), reach(turn, who.id).most
    way = steps(turn.table, start, zone.value)
    if most is None or (way is not None and way <= most):
        return None
    values = {"zone": zone.label, "start": turn.table.traits[start].text, "who": who.name}
    names = _near(turn, start, most)
    if not names:
        return turn.no("zone.alone", **values)
    return turn.no("zone.beyond", **values, near=names)
