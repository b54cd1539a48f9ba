"""Fate points: Refresh, the GM's budget for a scene, compels.

Source: destinydice.md 3.5; the FAE that seed 002 is written for.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    CharacterSet,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    PeriodBegan,
    PeriodEnded,
    Points,
    PointsSet,
    Purse,
    Refusal,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    characters,
    here,
    in_session,
    move,
)
from storypool.systems.destinydice.aspects import name, purses
from storypool.systems.destinydice.sheet import first_of, player_characters, plays, refresh

# What a session, a scene and a newcomer bring.


def new_session(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins, each player's character has as many Fate points as its Refresh, or what was left."""
    assert isinstance(event, PeriodBegan)
    for one in player_characters(turn.table) if event.kind == "session" else ():
        yield from _up_to_refresh(turn, one.id)


def _up_to_refresh(turn: Turn, who: str) -> Iterator[Event]:
    missing = refresh(turn.table, who) - turn.table.balance("fate", who)
    if missing > 0:
        yield from turn.change("fate", missing, who, turn.system.words["fate.refresh"])


def new_scene(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene begins, the GM's budget is one Fate point for each player's character; none is kept over."""
    assert isinstance(event, PeriodBegan)
    if event.kind == "scene":
        before, now = turn.table.balance("budget"), len(player_characters(turn.table))
        if now != before:
            yield PointsSet("budget", "", now, now - before, turn.system.words["fate.budget"])


def newcomer(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a player brings in a character, it has its Refresh, and the GM's budget one point more."""
    assert isinstance(event, CharacterSet)
    if turn.key == "character.add" and event.character.side == "players":
        yield from _up_to_refresh(turn, event.character.id)
        if "scene" in turn.table.running:
            yield from turn.change("budget", 1, why=turn.system.words["fate.budget"])


# Compels.


def _compellable(turn: Turn) -> Iterator[Choice]:
    """The GM compels the players' characters; a player an NPC, or, if the GM agrees, a character of their own."""
    for one in turn.table.characters.values():
        theirs = one.side == "players" if turn.seat.side == "gm" else one.side == "gm" or one.seat == turn.seat.id
        if theirs and here(one) and one.seen_by is None and any(_aspects_of(turn, one.id)):
            yield Choice(one.id, one.name)


def _aspects_of(turn: Turn, who: str) -> Iterator[Choice]:
    """What somebody can be compelled by: aspects of their own, and of the scene."""
    for trait in turn.table.traits.values():
        if trait.kind in ("aspect", "consequence") and trait.seen_by is None and trait.about in ("", who):
            yield Choice(trait.id, name(trait))


def _any_compellable(turn: Turn) -> Refusal | None:
    return None if any(_compellable(turn)) else turn.firm("compel.nobody")


def _own(turn: Turn) -> bool:
    """A player compels a character of their own."""
    one = turn.table.characters.get(turn.text("who"))
    return turn.seat.side == "player" and one is not None and one.seat == turn.seat.id


def _costs(turn: Turn) -> bool:
    return turn.seat.side == "player" and bool(turn.text("who")) and not _own(turn)


def _payers(turn: Turn) -> Iterator[Choice]:
    if turn.seat.side == "player":
        yield from purses(turn)


def _offer_price(turn: Turn) -> Points:
    """Nothing for the GM and for a character of one's own; a Fate point for a player who compels an NPC"""
    if not _costs(turn):
        return Points()
    ours = next((choice.value for choice in characters(own=True)(turn)), "")
    payer = turn.text("with") or next((choice.value for choice in _payers(turn)), str(Purse("fate", ours)))
    return Points({Purse.read(payer): 1})


@move(
    "compel.offer",
    when=in_session,
    price=_offer_price,
    only_if=[_any_compellable],
    asks=[
        ChoiceAsk("who", "Who is compelled?", _compellable),
        ChoiceAsk("aspect", "By which aspect?", lambda t: _aspects_of(t, t.text("who"))),
        TextAsk("text", "What goes wrong?"),
        ChoiceAsk(
            "with",
            "With whose point?",
            _payers,
            default=first_of(_payers),
            needed=False,
            shown=_costs,
        ),
    ],
    approval=_own,
    rule="Compels",
)
def offer_compel(turn: Turn) -> Iterator[Event]:
    """Offer a compel

    The GM offers as many as they like, and the points come from nowhere. A player pays for compelling an NPC, and
    proposes what befalls a character of their own.
    """
    who = turn.text("who")
    if _own(turn):
        yield from _suffered(turn, who, turn.text("text"))
        return
    paid = next(map(str, _offer_price(turn)), "")
    terms = {"aspect": turn.text("aspect"), "paid": paid, "text": turn.text("text")}
    text = turn.system.words.say("compel.text", text=turn.text("text"))
    yield TraitSet(Trait(turn.fresh("t"), "compel", text, who, by=turn.seat.id, until="scene", terms=terms))


def _suffered(turn: Turn, who: str, text: str) -> Iterator[Event]:
    yield TraitSet(Trait(turn.fresh("t"), "effect", text, who, by=turn.seat.id, until="scene"))
    yield from turn.change("fate", 1, who)


def _waiting(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        one = turn.table.characters.get(trait.about)
        if trait.kind == "compel" and one is not None and plays(turn, one):
            yield Choice(trait.id, f"{one.name}: {trait.text}")


COMPEL = ChoiceAsk("compel", "Which one?", _waiting, default=first_of(_waiting))


def _compelled(turn: Turn) -> Refusal | None:
    return None if any(_waiting(turn)) else turn.firm("compel")


@move("compel.accept", when=_compelled, asks=[COMPEL], rule="Compels")
def accept_compel(turn: Turn) -> Iterator[Event]:
    """Accept a compel

    It happens, and whoever is compelled gains a Fate point.
    """
    compel = turn.table.traits[turn.text("compel")]
    yield TraitRemoved(compel.id, turn.system.words["compel.accepted"])
    yield from _suffered(turn, compel.about, str(compel.terms["text"]))


def _refusal_price(turn: Turn) -> Points:
    """A Fate point of whoever is compelled; for an NPC without one, of the GM's budget"""
    compel = turn.table.traits.get(turn.text("compel") or next((c.value for c in _waiting(turn)), ""))
    if compel is None:
        return Points()
    npc = turn.table.characters[compel.about].side == "gm"
    if npc and not turn.table.balance("fate", compel.about):
        return Points({Purse("budget"): 1})
    return Points({Purse("fate", compel.about): 1})


@move("compel.refuse", when=_compelled, price=_refusal_price, asks=[COMPEL], rule="Compels")
def refuse_compel(turn: Turn) -> Iterator[Event]:
    """Buy off a compel

    It costs a Fate point, so without one it cannot be refused. What a player paid for it comes back.
    """
    compel = turn.table.traits[turn.text("compel")]
    yield TraitRemoved(compel.id, turn.system.words["compel.refused"])
    yield from _paid_back(turn, compel)


def _paid_back(turn: Turn, compel: Trait) -> Iterator[Event]:
    account, owner = Purse.read(str(compel.terms["paid"]))
    if account:
        yield from turn.change(account, 1, owner, turn.system.words.say("points.refund", what=compel.text))


def unanswered(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene ends, a compel that nobody answered is off, and what a player paid for it comes back."""
    assert isinstance(event, PeriodEnded)
    for compel in [t for t in turn.table.traits.values() if t.kind == "compel" and event.kind == "scene"]:
        yield TraitRemoved(compel.id)
        yield from _paid_back(turn, compel)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
