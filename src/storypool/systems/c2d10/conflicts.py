"""Conflicts: stakes, sides, circumstances, assets, whose turn it is, and how far they have come.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Character,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    NumberAsk,
    PeriodEnded,
    Refusal,
    Table,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    characters,
    here,
    idle,
    in_session,
    move,
)
from storypool.systems.c2d10.prices import costs
from storypool.systems.c2d10.reading import winner
from storypool.systems.c2d10.sheet import acts_for, stance
from storypool.systems.c2d10.sides import who

ROUNDS = 3
"""Rounds that an unopposed conflict is planned for, where the Keeper names no target."""
PROGRESS = 2
"""Progress that a passing test makes, before its excess."""


def current(table: Table) -> Trait | None:
    """The conflict that is going on, or None."""
    return next((trait for trait in table.traits.values() if trait.kind == "conflict"), None)


def going_on(turn: Turn) -> Refusal | None:
    """A conflict is going on."""
    return None if current(turn.table) else turn.firm("conflict.none")


def of(table: Table, *kinds: str) -> list[Trait]:
    """What belongs to the conflict that is going on."""
    conflict = current(table)
    return [t for t in table.traits.values() if conflict and t.kind in kinds and t.at == conflict.id]


def difficulty(turn: Turn) -> int | None:
    """The DC that tests in the conflict have unless the Keeper says otherwise."""
    conflict = current(turn.table)
    value = conflict.terms.get("dc") if conflict else None
    return value if isinstance(value, int) else None


def side_of(table: Table, one: Character | None) -> str:
    """The side of a conflict that somebody is on: in a duel each is one of their own."""
    conflict = current(table)
    if one is not None and conflict is not None and one.id in (conflict.terms.get("one"), conflict.terms.get("other")):
        return one.id
    return "@players" if stance(one) == "heroes" else "@gm"


def shift(table: Table, check: Check) -> int:
    """By how much the circumstances of the conflict move the DC of this test: everybody's, and those of its side."""
    side = side_of(table, table.characters.get(check.actor))
    return sum(
        trait.rating
        for trait in table.traits.values()
        if trait.kind == "circumstance" and trait.at == check.terms.get("conflict") and trait.about in ("", side)
    )


def assets(turn: Turn, owner: str) -> Iterator[Choice]:
    """The assets that somebody can use: their own, their side's, and everybody's."""
    one = turn.table.characters.get(owner)
    whose = ("", owner, side_of(turn.table, one))
    for trait in turn.table.traits.values():
        if trait.kind == "asset" and trait.about in whose and (trait.seen_by is None or (one and one.seen_by)):
            yield Choice(trait.id, trait.text, str(trait.rating))


# Beginning and end.

TYPE = ChoiceAsk(
    "type",
    "Of which kind?",
    lambda t: [Choice(one, t.system.words[f"conflict.{one}"]) for one in ("unopposed", "opposed", "duel")],
)


def _duel(turn: Turn) -> bool:
    return turn.text("type") == "duel"


def open_people(turn: Turn) -> Iterator[Choice]:
    """The characters that everybody knows of."""
    for choice in characters()(turn):
        if turn.table.characters[choice.value].seen_by is None:
            yield choice


def _planned(turn: Turn) -> int:
    if turn.text("type") != "unopposed":
        return 0
    playing = [c for c in turn.table.characters.values() if c.side == "players" and c.seat]
    return max(1, len(playing)) * ROUNDS


def _targets(turn: Turn) -> bool:
    return turn.text("type") != "unopposed" or turn.number("target", 1) > 0


@move(
    "conflict.open",
    by=["gm"],
    when=lambda t: in_session(t) or idle(t) or (t.no("conflict.running") if current(t.table) else None),
    asks=[
        TextAsk("title", "What is it about?"),
        TYPE,
        ChoiceAsk("one", "Who fights?", open_people, shown=_duel),
        ChoiceAsk(
            "other",
            "Against whom?",
            lambda t: [c for c in open_people(t) if c.value != t.text("one")],
            shown=_duel,
        ),
        TextAsk("stake", "What is at stake for the heroes?", needed=False),
        TextAsk(
            "their_stake",
            "And for the other side?",
            needed=False,
            shown=lambda t: t.text("type") in ("opposed", "duel"),
        ),
        NumberAsk("dc", "The usual DC", default=2, high=10, needed=False),
        NumberAsk("target", "The target; 0 for none", default=_planned, high=99, needed=False),
    ],
    rule="Conflicts",
)
def open_conflict(turn: Turn) -> Iterator[Event]:
    """Open a conflict

    Unopposed, it has a target: as many as there are players, times the rounds it is meant to last, is a good one.
    Opposed, and in a duel, each side has its stake; a target is reached by one side first, or the Keeper ends it.
    """
    if not _targets(turn):
        raise turn.refused("argument", "conflict.target", "target")
    id, kind, target = turn.fresh("t"), turn.text("type"), turn.number("target")
    terms: dict[str, Value] = {"type": kind, "dc": turn.number("dc", 2)}
    terms |= {key: turn.text(key) for key in ("stake", "their_stake", "one", "other") if turn.text(key)}
    yield TraitSet(Trait(id, "conflict", turn.text("title"), by=turn.seat.id, until="scene", terms=terms))
    if target:
        for side in {"unopposed": ("@players",), "opposed": ("@players", "@gm")}.get(
            kind, (turn.text("one"), turn.text("other"))
        ):
            text = turn.system.words.say("conflict.progress", who=_side_name(turn, side))
            yield TraitSet(Trait(turn.fresh("t"), "progress", text, side, 0, target, id, turn.seat.id, until="scene"))


def _side_name(turn: Turn, side: str) -> str:
    if side.startswith("@"):
        return turn.system.words[f"conflict.side.{side[1:]}"]
    one = turn.table.characters.get(side)
    return one.name if one else side


def moved_on(turn: Turn, check: Check) -> Iterator[Event]:
    """A test of the conflict is done: where it passed, its side comes nearer to the target, or reaches it."""
    conflict, part = current(turn.table), winner(turn.table, check)
    if conflict is None or check.terms.get("conflict") != conflict.id:
        return
    if not conflict.terms.get("begun"):
        yield TraitSet(replace(conflict, terms={**conflict.terms, "begun": True}))
    outcome = check.outcome
    if part is None or outcome is None:
        return
    one = who(turn, check, part)
    side = side_of(turn.table, one)
    track = next((trait for trait in of(turn.table, "progress") if trait.about == side), None)
    if track is None:
        return
    asset = turn.table.traits.get(str(check.terms.get("asset", ""))) if part.mark == "" else None
    quality = max(0, asset.rating) if asset else 0
    n = track.rating + PROGRESS + abs(outcome.margin) + quality
    yield TraitSet(replace(track, rating=n))
    if n >= track.goal:
        yield from _over(turn, turn.system.words.say("conflict.reached", who=_side_name(turn, side)))


@move(
    "conflict.end",
    by=["gm"],
    when=lambda t: going_on(t) or in_session(t) or idle(t),
    asks=[TextAsk("text", "How does it end?", needed=False)],
    rule="Conflicts",
)
def end_conflict(turn: Turn) -> Iterator[Event]:
    """End the conflict

    Its circumstances, its temporary assets and its order are gone with it.
    """
    yield from _over(turn, turn.text("text") or turn.system.words["conflict.ended"])


def _over(turn: Turn, why: str) -> Iterator[Event]:
    conflict = current(turn.table)
    for trait in [*of(turn.table, "progress", "circumstance", "asset", "acts-next"), *slots(turn.table)]:
        yield TraitRemoved(trait.id)
    if conflict is not None:
        yield TraitRemoved(conflict.id, why)
    if "round" in turn.table.running:
        yield PeriodEnded("round", turn.table.periods["round"])


# Circumstances.

TEXT = TextAsk("text", "What is it?")
WAY = ChoiceAsk(
    "way",
    "Which way?",
    lambda t: [Choice(way, t.system.words[f"way.{way}"]) for way in ("harder", "easier")],
)


def _sides(turn: Turn) -> Iterator[Choice]:
    """Everybody, or one of the two sides: in a duel those who fight it."""
    conflict = current(turn.table)
    two = [str(conflict.terms[key]) for key in ("one", "other") if key in conflict.terms] if conflict else []
    for side in ("all", *(two or ("players", "gm"))):
        yield Choice(side, _whom(turn, side))


def _whom(turn: Turn, side: str) -> str:
    one = turn.table.characters.get(side)
    return one.name if one else turn.system.words[f"circumstance.{side}"]


FOR_SIDE = ChoiceAsk("whom", "For whom?", _sides, default="all", needed=False)


def _signed(turn: Turn) -> int:
    return 1 if turn.text("way") == "harder" else -1


def _created(turn: Turn) -> Iterator[Event]:
    conflict = current(turn.table)
    assert conflict is not None
    whom = turn.text("whom")
    about = {"": "", "all": "", "players": "@players", "gm": "@gm"}.get(whom, whom)
    trait = Trait(turn.fresh("t"), "circumstance", "", about, at=conflict.id, by=turn.seat.id, until="scene")
    yield TraitSet(_standing(turn, replace(trait, terms={"name": turn.text("text")}), _signed(turn)))


def _standing(turn: Turn, trait: Trait, n: int) -> Trait:
    """A circumstance at so much on the DC, that everybody can read."""
    whom = _whom(turn, trait.about.removeprefix("@") or "all")
    text = turn.system.words.say(
        "circumstance.stands", what=trait.terms["name"], n=f"{n:+d}".replace("-", "−"), whom=whom
    )
    return replace(trait, rating=n, text=text)


@move(
    "circumstance.set",
    by=["gm"],
    when=lambda t: going_on(t) or in_session(t),
    only_if=[lambda t: t.no("conflict.begun") if (c := current(t.table)) and c.terms.get("begun") else None],
    asks=[TEXT, WAY, FOR_SIDE],
    rule="Circumstances",
)
def set_circumstance(turn: Turn) -> Iterator[Event]:
    """Say how things stand as the conflict begins

    Each circumstance is 1 on the DC, up or down, for everybody or for one side. Once the first test is done, a
    circumstance costs points.
    """
    yield from _created(turn)


@move(
    "circumstance.create",
    when=lambda t: going_on(t) or in_session(t),
    price=costs("circumstance", "4 points"),
    asks=[TEXT, WAY, FOR_SIDE],
    rule="Uses for hero and villain points",
    group="spend",
)
def create_circumstance(turn: Turn) -> Iterator[Event]:
    """Spend points to create a circumstance

    In a conflict; it begins at 1 on the DC, up or down.
    """
    yield from _created(turn)


def _circumstances(turn: Turn) -> Iterator[Choice]:
    for trait in of(turn.table, "circumstance"):
        yield Choice(trait.id, str(trait.terms["name"]), f"{trait.rating:+d}")


@move(
    "circumstance.change",
    when=lambda t: going_on(t) or in_session(t),
    price=costs("change", "2 points"),
    only_if=[lambda t: None if any(_circumstances(t)) else t.firm("circumstances.none")],
    asks=[ChoiceAsk("id", "Which?", _circumstances), WAY],
    rule="Uses for hero and villain points",
    group="spend",
)
def change_circumstance(turn: Turn) -> Iterator[Event]:
    """Spend points to change a circumstance

    By 1, up or down. It counts from the next roll on, not for dice that lie.
    """
    trait = turn.table.traits[turn.text("id")]
    yield TraitSet(_standing(turn, trait, trait.rating + _signed(turn)))


# Assets.

QUALITY = NumberAsk("quality", "Its quality", default=1, low=0, high=5, needed=False)


def my_people(turn: Turn) -> Iterator[Choice]:
    """The characters that this seat plays."""
    for one in turn.table.characters.values():
        if here(one) and acts_for(turn, one):
            yield Choice(one.id, one.name)


OWNER = ChoiceAsk("about", "Whose is it?", my_people, needed=False)


@move(
    "asset.create",
    when=lambda t: going_on(t) or in_session(t),
    price=costs("asset", "4 points"),
    asks=[TEXT, OWNER],
    rule="Uses for hero and villain points",
    group="spend",
)
def create_asset(turn: Turn) -> Iterator[Event]:
    """Spend points on an asset for this conflict

    It has a quality of 1, is its owner's or the whole side's, and is gone when the conflict is over.
    """
    conflict = current(turn.table)
    assert conflict is not None
    text, about = turn.text("text"), turn.text("about") or ("@gm" if turn.seat.side == "gm" else "@players")
    yield TraitSet(Trait(turn.fresh("t"), "asset", text, about, 1, 0, conflict.id, turn.seat.id, until="scene"))


@move(
    "asset.add",
    asks=[TEXT, OWNER, QUALITY],
    approval=lambda t: t.seat.side == "player",
    rule="Assets",
)
def add_asset(turn: Turn) -> Iterator[Event]:
    """Write down an asset

    What somebody owns or can count on, with its quality: in a conflict a passing test that uses it gains as much
    progress. A player proposes it.
    """
    yield TraitSet(
        Trait(
            turn.fresh("t"), "asset", turn.text("text"), turn.text("about"), turn.number("quality", 1), by=turn.seat.id
        )
    )


# The order of acting.


def slots(table: Table) -> list[Trait]:
    """Who acts when, in their order; where both are equal a hero comes first. The one whose turn it is is at "now"."""
    found = [t for t in table.traits.values() if t.kind == "slot" and (one := _of_slot(table, t)) and here(one)]
    return sorted(found, key=lambda t: (-t.rating, stance(_of_slot(table, t)) != "heroes", t.id))


def _of_slot(table: Table, slot: Trait) -> Character | None:
    return table.characters.get(str(slot.terms.get("who", "")))


def in_turn(turn: Turn) -> Refusal | None:
    """Where an order is kept, it is the turn of somebody whom this seat plays."""
    now = next((slot for slot in slots(turn.table) if slot.at == "now"), None)
    one = _of_slot(turn.table, now) if now else None
    if now is None or one is None or acts_for(turn, one):
        return None
    return turn.no("turn", who=one.name)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
