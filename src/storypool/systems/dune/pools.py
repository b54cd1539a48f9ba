"""Momentum and Threat: buying dice, what a success buys, what escalates, and what the game master does with Threat.

Source: seed 004, Momentum Uses, Adding to Threat and Spending Threat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Limit,
    Mod,
    Move,
    NumberAsk,
    Refusal,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    building,
    characters,
    in_session,
    move,
    rolled,
)
from storypool.systems.dune.payment import Payment
from storypool.systems.dune.terms import in_the_open, number, own, own_or_won, shifted, succeeded, with_terms
from storypool.systems.twod20.dice import BASE, D20, MOST, ONE

# Dice.


def curve(bought: int, n: int, first_free: bool = False) -> int:
    """What `n` more dice cost after those bought already for this test: 1, 2, 3, whoever paid for which.

    Source: seed 004, Momentum Uses; dune.md 4.6.

    >>> curve(0, 3), curve(1, 1), curve(0, 3, first_free=True)
    (6, 2, 5)
    """
    prices = [0 if first_free and die == 1 else die for die in range(bought + 1, bought + n + 1)]
    return sum(prices)


def room(check: Check | None) -> int:
    """How many more d20 this test can have; helpers' dice do not count."""
    return MOST - (check.pool[D20.name] + check.pool[ONE.name]) if check else MOST - BASE


def _dice_cost(turn: Turn) -> int:
    check = turn.check
    n = min(turn.number("n", 1), max(1, room(check)))
    return curve(number(check, "bought"), n, bool(check and check.terms.get("proficient")))


DICE = Payment("dice", _dice_cost)


def _has_room(turn: Turn) -> Refusal | None:
    return None if turn.check is None or room(turn.check) > 0 else turn.firm("dice.most", most=MOST, room=0)


@move(
    "dice.buy",
    when=building,
    price=DICE.price,
    only_if=[own, in_the_open, _has_room],
    asks=[NumberAsk("n", "How many dice?", default=1, low=1, high=MOST - BASE), *DICE.asks],
    rule="Momentum Uses: Buying d20s",
)
def buy_dice(turn: Turn) -> Iterator[Event]:
    """Buy d20s

    The first costs 1, the second 2, the third 3, whichever pool pays: Momentum, or as many points added to Threat, or
    some of both; the game master pays in Threat for NPCs. Never more than 5d20.
    """
    check, n = turn.here, turn.number("n", 1)
    if n > room(check):
        raise turn.refused("argument", "dice.most", "n", most=MOST, room=room(check))
    yield from DICE.paid(turn)
    check = with_terms(turn.here, bought=number(check, "bought") + n)
    why = turn.system.words.say("dice.bought", who=turn.seat.name, n=n)
    yield turn.amend(check, why, mods=(*check.mods, Mod("add", D20.name, n, why, turn.seat.id)))


# Momentum.

TRAIT = Payment("trait", lambda turn: 2)
QUESTIONS = Payment("ask", lambda turn: turn.number("n", 1))
ABOUT = ChoiceAsk("about", "About whom?", characters(), needed=False)


def circumstance(turn: Turn, text: str, about: str, kind: str = "trait", until: str = "scene") -> TraitSet:
    """A new trait of the scene or of somebody."""
    return TraitSet(Trait(turn.fresh("t"), kind, text, about, by=turn.seat.id, until=until))


@move(
    "momentum.trait",
    when=rolled,
    price=TRAIT.price,
    limit=Limit("trait", ("check", "seat")),
    only_if=[own_or_won, in_the_open, succeeded],
    asks=[TextAsk("text", "Which trait follows from what was just done?"), ABOUT, *TRAIT.asks],
    approval=lambda t: t.seat.side == "player",
    rule="Momentum Uses: Create a Trait",
    group="spend",
)
def create_trait(turn: Turn) -> Iterator[Event]:
    """Create a trait

    It costs 2, relates to the action just attempted, and could reasonably result from it: the game master agrees to it.
    """
    yield from TRAIT.paid(turn)
    yield circumstance(turn, turn.text("text"), turn.text("about"))


@move(
    "momentum.ask",
    when=rolled,
    price=QUESTIONS.price,
    only_if=[own_or_won, in_the_open, succeeded],
    asks=[
        TextAsk("text", "What do you want to know?"),
        NumberAsk("n", "How many questions is that?", default=1, low=1, high=6, needed=False),
        *QUESTIONS.asks,
    ],
    approval=lambda t: t.seat.side == "player",
    rule="Momentum Uses: Obtain Information",
    group="spend",
)
def ask_question(turn: Turn) -> Iterator[Event]:
    """Ask a question

    1 for each question about the situation, as many as can be paid. Where the game master cannot answer, they decline,
    and the point comes back.
    """
    yield from QUESTIONS.paid(turn)
    yield turn.amend(turn.here, turn.system.words.say("momentum.asked", text=turn.text("text")))


# Threat.

REASON = TextAsk("text", "What happens?")


@move(
    "threat.escalate",
    when=in_session,
    price=lambda t: _escalation(t),
    asks=[REASON],
    rule="Adding to Threat: Escalation",
)
def escalate(turn: Turn) -> Iterator[Event]:
    """Escalate the situation

    A player's action that does so adds 1 to Threat; an NPC's costs 1.
    """
    if turn.seat.side == "player":
        yield from turn.change("threat", 1, why=turn.text("text"))
    yield _announced(turn)


def _escalation(turn: Turn) -> Bag:
    """1 Threat, for an NPC"""
    return Bag(threat=1) if turn.seat.side == "gm" else Bag()


def _announced(turn: Turn) -> Event:
    """What a point did, as a sentence that everybody reads."""
    return TraitSet(Trait(turn.fresh("t"), "effect", turn.text("text"), by=turn.seat.id, until="scene"))


@move(
    "threat.circumstances",
    by=["gm"],
    when=in_session,
    limit=Limit("circumstances", ("scene",)),
    asks=[REASON, NumberAsk("n", "How much Threat?", default=1, low=1, high=2)],
    rule="Adding to Threat: Threatening Circumstances",
)
def circumstances(turn: Turn) -> Iterator[Event]:
    """Threatening circumstances

    A new scene's surroundings add 1 or 2 to Threat, once a scene.
    """
    yield from turn.change("threat", turn.number("n", 1), why=turn.text("text"))


@move(
    "threat.harder",
    by=["gm"],
    when=building,
    price=lambda t: Bag(threat=2 * t.number("n", 1)),
    only_if=[in_the_open],
    asks=[NumberAsk("n", "By how much?", default=1, low=1, high=5), TextAsk("text", "Why?")],
    rule="Spending Threat: Increase Difficulty",
)
def harden(turn: Turn) -> Iterator[Event]:
    """Raise the Difficulty

    By 1 for every 2 Threat, before the roll, for this test alone.
    """
    check, n = turn.here, turn.number("n", 1)
    changed = shifted(check, n, turn.text("text"))
    told = turn.system.words.say("threat.harder", n=n, why=turn.text("text"))
    yield turn.amend(replace(changed, spent=check.spent + turn.paid), told)


def changeable(turn: Turn) -> Iterator[Choice]:
    """Traits of the scene that can be changed or removed, as far as everybody sees them."""
    for trait in turn.table.traits.values():
        if trait.kind in ("trait", "fact", "complication") and trait.text and trait.seen_by is None:
            yield Choice(trait.id, trait.text)


def _ways(turn: Turn) -> Iterator[Choice]:
    for key in ("create", "change", "remove"):
        if key == "create" or any(changeable(turn)):
            yield Choice(key, turn.system.words[f"trait.{key}"])


WAY = ChoiceAsk("do", "What do you do?", _ways, default="create")
WHICH = ChoiceAsk("id", "Which trait?", changeable, shown=lambda t: t.text("do") in ("change", "remove"))
BECOMES = TextAsk("text", "What is true now?", shown=lambda t: t.text("do") != "remove")
OF_WHOM = replace(ABOUT, shown=lambda t: t.text("do") == "create")


def reshaped(turn: Turn) -> Iterator[Event]:
    """A trait created, changed or removed, as the answers say."""
    trait = turn.table.traits.get(turn.text("id"))
    if turn.text("do") == "create":
        yield circumstance(turn, turn.text("text"), turn.text("about"))
    elif trait is None:
        raise turn.refused("argument", "trait.none", "id")
    elif turn.text("do") == "change":
        yield TraitSet(replace(trait, text=turn.text("text")))
    else:
        yield TraitRemoved(trait.id)


@move(
    "threat.trait",
    by=["gm"],
    when=in_session,
    price=Bag(threat=2),
    asks=[WAY, WHICH, BECOMES, OF_WHOM],
    rule="Spending Threat: Traits",
)
def threat_trait(turn: Turn) -> Iterator[Event]:
    """Create, change or remove a trait with Threat

    It costs 2.
    """
    yield from reshaped(turn)


@move(
    "threat.environment",
    by=["gm"],
    when=in_session,
    price=lambda t: Bag(threat=t.number("n", 1)),
    asks=[REASON, NumberAsk("n", "How much Threat?", default=1, low=1, high=20)],
    rule="Spending Threat: Environmental Effects and Narrative Changes",
)
def environment(turn: Turn) -> Iterator[Event]:
    """Make trouble with the surroundings

    For as much Threat as it is worth, announced to everybody.
    """
    yield _announced(turn)


def _houses(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        if trait.kind == "house":
            yield Choice(trait.text, trait.text)


def _known(turn: Turn) -> Refusal | None:
    return None if any(_houses(turn)) else turn.firm("house.none")


@move(
    "threat.house",
    by=["gm"],
    when=in_session,
    price=Bag(threat=1),
    only_if=[_known],
    asks=[ChoiceAsk("house", "Which House?", _houses), replace(REASON, label="How do they step in?")],
    rule="Spending Threat: Rival House Action",
)
def rival_house(turn: Turn) -> Iterator[Event]:
    """Bring in a rival House

    A known enemy of the players' House takes a hand in the situation, for 1 Threat.
    """
    text = turn.system.words.say("house.acts", house=turn.text("house"), text=turn.text("text"))
    yield TraitSet(Trait(turn.fresh("t"), "effect", text, by=turn.seat.id, until="scene"))


@move(
    "house.add",
    by=["gm"],
    asks=[TextAsk("text", "Which House is an enemy?")],
    rule="Spending Threat: Rival House Action",
    group="threat",
)
def add_house(turn: Turn) -> Iterator[Event]:
    """Write down an enemy House"""
    yield TraitSet(Trait(turn.fresh("t"), "house", turn.text("text"), by=turn.seat.id))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
