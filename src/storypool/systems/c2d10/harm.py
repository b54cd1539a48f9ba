"""What goes wrong: setbacks, complications and messes, taken or ignored; strain, stress and crisis; an offered crisis.

Source: c2d10.md 2.2 and 2.4; seed 001, Villain point gains; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    WHO,
    Bag,
    Character,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Limit,
    Move,
    NumberAsk,
    PeriodEnded,
    Refusal,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    here,
    move,
    rolled,
)
from storypool.systems.c2d10.dice import ACTIVE, RIVAL, Part
from storypool.systems.c2d10.prices import gain
from storypool.systems.c2d10.prices import table as price_table
from storypool.systems.c2d10.reading import is_contest
from storypool.systems.c2d10.sheet import acts_for, data, label, pays_for, stance, track_of
from storypool.systems.c2d10.sides import parts, who

KINDS = ("setback", "complication", "mess")
TRACKS = ("strain", "stress")
OFFER = "crisis-offer"


# What a roll brought.


def _symbols(part: Part, kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{part.mark}{kind}" for kind in kinds)


def _owner(turn: Turn, check: Check, symbol: str) -> Character | None:
    """Whose trouble it is."""
    return who(turn, check, RIVAL if symbol.startswith(RIVAL.mark) else ACTIVE)


def _kind(symbol: str) -> str:
    return symbol.removeprefix(RIVAL.mark)


def _left(turn: Turn, kinds: tuple[str, ...], ignoring: bool) -> Iterator[str]:
    """The trouble of this roll that this seat may take, or as a member of the party ignore."""
    check = turn.check
    for part in parts(check) if check else ():
        assert check is not None
        one = who(turn, check, part)
        mine = pays_for(turn, one) if ignoring else acts_for(turn, one) or turn.seat.side == "gm"
        for symbol in _symbols(part, kinds):
            if mine and check.left[symbol]:
                yield symbol


def _trouble(turn: Turn, symbols: Iterator[str], note: str) -> Iterator[Choice]:
    check = turn.check
    for symbol in symbols if check else ():
        assert check is not None
        one = _owner(turn, check, symbol)
        name = turn.word(symbol)
        text = turn.system.words.say("trouble.whose", what=name, who=one.name if one else "")
        more = turn.system.words.say(note, n=gain(_kind(symbol))) if note else str(check.left[symbol])
        yield Choice(symbol, text if is_contest(check) else name, more)


def _any_left(turn: Turn) -> Refusal | None:
    """This roll brought trouble that is this seat's to take."""
    return rolled(turn) or (None if any(_left(turn, KINDS, False)) else turn.firm("trouble.none"))


def _takeable(turn: Turn) -> Iterator[Choice]:
    return _trouble(turn, _left(turn, KINDS, False), "")


def _ignorable(turn: Turn) -> Iterator[Choice]:
    return _trouble(turn, _left(turn, KINDS[:2], True), "trouble.gives")


def _taken(turn: Turn) -> tuple[Check, str, int]:
    """The check with that much trouble settled, the kind, and how much."""
    check, symbol, n = turn.here, turn.text("what"), turn.number("n", 1)
    if n > check.left[symbol]:
        raise turn.refused(
            "price", "trouble.most", "n", n=check.left[symbol], what=turn.word(symbol, check.left[symbol])
        )
    changed = replace(check, left=check.left - Bag({symbol: n}), terms={**check.terms, "settled": True})
    return changed, _kind(symbol), n


COUNT = NumberAsk("n", "How many?", default=1, low=1, high=60, needed=False)


@move(
    "trouble.take",
    when=_any_left,
    asks=[
        ChoiceAsk("what", "What?", _takeable, default=lambda t: next((c.value for c in _takeable(t)), None)),
        COUNT,
        TextAsk("text", "What goes wrong?", needed=False),
    ],
    rule="Setbacks and complications",
    group="spend",
)
def take(turn: Turn) -> Iterator[Event]:
    """Take what goes wrong

    Each setback, complication or mess is something true until the scene is over. In a conflict or in danger a setback
    also costs strain, or stress where the talent is of the mind.
    """
    symbol = turn.text("what")
    owner = _owner(turn, turn.here, symbol)
    changed, kind, n = _taken(turn)
    yield turn.amend(changed)
    text = turn.text("text") or turn.system.words.say(f"trouble.{kind}", what=changed.title)
    about = owner.id if owner else ""
    for _ in range(n):
        id = turn.fresh("t")
        yield TraitSet(Trait(id, kind, text, about, by=turn.seat.id, until="scene", seen_by=changed.seen_by))
    if kind == "setback" and owner is not None and _hurts(turn, changed):
        talent = str(changed.terms.get("by_talent" if symbol.startswith(RIVAL.mark) else "talent", ""))
        yield from turn.change(track_of(talent), n, owner.id, turn.system.words["trouble.hurts"])


def _hurts(turn: Turn, check: Check) -> bool:
    """The test was made in a conflict, or in danger: while a dire situation lasts."""
    return check.terms.get("conflict") in turn.table.traits or any(
        trait.kind == "dire" for trait in turn.table.traits.values()
    )


@move(
    "trouble.ignore",
    by=["player"],
    when=lambda t: rolled(t) or (None if any(_left(t, KINDS[:2], True)) else t.firm("trouble.ours")),
    asks=[
        ChoiceAsk("what", "What?", _ignorable, default=lambda t: next((c.value for c in _ignorable(t)), None)),
        COUNT,
    ],
    rule="Villain point gains",
    group="spend",
)
def ignore(turn: Turn) -> Iterator[Event]:
    """Ignore what goes wrong

    The Keeper gains 2 villain points for a setback and 5 for a complication, for each one.
    """
    changed, kind, n = _taken(turn)
    words = turn.system.words
    yield turn.amend(changed, words.say("trouble.ignored", n=n, what=turn.word(turn.text("what"), n)))
    yield from turn.change("villain", gain(kind) * n, why=words.say("gain.ignored", what=turn.word(kind, n), n=n))


# Strain and stress.

TRACK = ChoiceAsk(
    "track",
    "Which track?",
    lambda t: [Choice(name, t.plural(name)) for name in (*TRACKS, "crisis")],
)
BY = NumberAsk("by", "How many?", default=1, low=1, high=5, needed=False)
WHY = TextAsk("why", "Why?", needed=False)


@move("track.suffer", asks=[WHO, TRACK, BY, WHY], rule="Strain and stress")
def suffer(turn: Turn) -> Iterator[Event]:
    """Suffer strain, stress or crisis

    What a full track has no room for is crisis at once.
    """
    yield from turn.change(turn.text("track"), turn.number("by", 1), turn.text("who"), turn.text("why"))


@move("track.recover", asks=[WHO, TRACK, BY, WHY], rule="Strain and stress")
def recover(turn: Turn) -> Iterator[Event]:
    """Recover from strain, stress or crisis"""
    yield from turn.change(turn.text("track"), -turn.number("by", 1), turn.text("who"), turn.text("why"))


def scene_counts(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene ends, each track with something on it is due for a test, and is empty again."""
    assert isinstance(event, PeriodEnded)
    if event.kind != "scene":
        return
    words = turn.system.words
    for one in list(turn.table.characters.values()):
        for track in TRACKS:
            n = turn.table.balance(track, one.id)
            if not n:
                continue
            if here(one):
                talent = str(data()["tracks"][track]["test"])
                text = words.say("track.due", talent=label(turn, talent), n=n, track=turn.plural(track))
                terms: dict[str, Value] = {"track": track, "talent": talent}
                yield TraitSet(Trait(turn.fresh("t"), "due", text, one.id, n, by=turn.seat.id, terms=terms))
            yield from turn.change(track, -n, one.id, words["track.counted"])


def nothing_due(turn: Turn) -> Refusal | None:
    """What the last scene has cost has been tested."""
    # What is due of somebody hidden holds nobody up: the reason would tell of them.
    due = next((trait for trait in turn.table.traits.values() if trait.kind == "due" and not trait.seen_by), None)
    one = turn.table.characters.get(due.about) if due else None
    return turn.no("due", who=one.name) if one else None


# A crisis that the Keeper offers, where the table plays so.


def _crises(turn: Turn) -> Refusal | None:
    check = turn.check
    if turn.option("keeper_crisis") == "no":
        return turn.no("crisis.off")
    if check is None or check.phase != "rolled":
        return rolled(turn)
    return None if any(_shaken(turn)) else turn.firm("crisis.unshaken")


def _shaken(turn: Turn) -> Iterator[Choice]:
    """The heroes of players who had a setback in this roll."""
    check = turn.check
    for part in parts(check) if check else ():
        assert check is not None
        one = who(turn, check, part)
        zeros = check.outcome.net[f"{part.axis}zeros"] if check.outcome else 0
        failed = check.outcome is not None and bool(check.outcome.passed) == (part is RIVAL)
        if one is not None and stance(one) == "heroes" and one.seat and zeros and failed and check.seen_by is None:
            yield Choice(one.id, one.name)


@move(
    "crisis.inflict",
    by=["gm"],
    when=_crises,
    price=Bag(villain=price_table()["crisis"]["cost"]),
    limit=Limit("crisis", ("check",)),
    asks=[ChoiceAsk("who", "On whom?", _shaken)],
    rule="Crisis",
    group="spend",
)
def inflict(turn: Turn) -> Iterator[Event]:
    """Inflict a crisis after a setback

    The player takes a point of crisis, or refuses, which gives the Keeper 5 villain points.
    """
    check, one = turn.here, turn.table.characters[turn.text("who")]
    yield turn.amend(check, terms={**check.terms, "settled": True})
    text = turn.system.words["crisis.offered"]
    yield TraitSet(Trait(turn.fresh("t"), OFFER, text, one.id, at=check.id, by=turn.seat.id, until="check"))


def _offers(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        one = turn.table.characters.get(trait.about)
        if trait.kind == OFFER and one is not None and one.seat == turn.seat.id:
            yield Choice(trait.id, trait.text)


@move(
    "crisis.answer",
    by=["player"],
    when=lambda t: None if any(_offers(t)) else t.firm("crisis.none"),
    asks=[
        ChoiceAsk("offer", "Which?", _offers, default=lambda t: next((c.value for c in _offers(t)), None)),
        ChoiceAsk(
            "answer",
            "Take it?",
            lambda t: [Choice(one, t.system.words[f"crisis.{one}"]) for one in ("take", "refuse")],
        ),
    ],
    rule="Crisis",
    group="spend",
)
def answer(turn: Turn) -> Iterator[Event]:
    """Take the crisis, or refuse it

    Taken, the crisis value grows by 1; refused, the Keeper gains 5 villain points.
    """
    offer, words = turn.table.traits[turn.text("offer")], turn.system.words
    yield TraitRemoved(offer.id)
    if turn.text("answer") == "take":
        yield from turn.change("crisis", 1, offer.about, words["crisis.taken"])
    else:
        yield from turn.change("villain", price_table()["crisis"]["refused"], why=words["crisis.refused"])


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
