"""Complications: suffered as a trait, or kept away with Threat, each by itself.

Source: seed 004, Complications, Adding to Threat: Ignore Complications, Spending Threat: Buy off NPC Complications.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

from storypool.engine.rules import (
    Bag,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    NumberAsk,
    Refusal,
    Trait,
    TraitSet,
    Turn,
    move,
    rolled,
)
from storypool.systems.dune.terms import in_the_open, own, with_terms, yours

PRICE = 2
"""Threat for each complication: players add it, the GM spends it."""

_FILE = files("storypool.systems.dune").joinpath("complications.toml")
SUGGESTIONS: dict[str, str] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["suggestions"]


def _any(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or check.left["complication"] else turn.firm("complication.none")


def suggestions(turn: Turn) -> Iterator[Choice]:
    """Complications that fit anywhere, for those who have none at hand."""
    for key in SUGGESTIONS:
        text = turn.system.words[f"complication.suggestion.{key}"]
        yield Choice(text, text)


WHAT = ChoiceAsk("text", "What goes wrong?", suggestions, free=True)


@move(
    "complication.suffer",
    when=rolled,
    only_if=[yours, _any],
    asks=[WHAT],
    approval=lambda t: t.seat.side == "player",
    rule="Complications",
    group="spend",
)
def suffer(turn: Turn) -> Iterator[Event]:
    """Suffer a complication

    Each is a trait of its own. The game master says which; a player may propose one.
    """
    check = turn.here
    if not check.left["complication"]:
        raise turn.refused("argument", "complication.none")
    text = turn.text("text")
    said = turn.system.words.say("complication.told", text=text)
    yield turn.amend(with_terms(check, touched=True), said, left=check.left - Bag(complication=1))
    id = turn.fresh("t")
    trait = Trait(id, "complication", text, check.actor, by=turn.seat.id, until="scene", seen_by=check.seen_by)
    yield TraitSet(trait)


def _price(turn: Turn) -> Bag:
    """2 Threat for each, for an NPC"""
    return Bag(threat=PRICE * turn.number("n", 1)) if turn.seat.side == "gm" else Bag()


@move(
    "complication.ignore",
    when=rolled,
    price=_price,
    only_if=[own, in_the_open, _any],
    asks=[NumberAsk("n", "How many complications?", default=1, low=1, high=10, needed=False)],
    rule="Adding to Threat: Ignore Complications",
    group="spend",
)
def ignore(turn: Turn) -> Iterator[Event]:
    """Ignore complications

    Players add 2 to Threat for each; the game master spends 2 Threat for each of an NPC's.
    """
    check, n = turn.here, turn.number("n", 1)
    if n > check.left["complication"]:
        raise turn.refused("argument", "complication.most", "n", n=check.left["complication"])
    said = turn.system.words.say("complication.ignored", n=n)
    yield turn.amend(with_terms(check, touched=True), said, left=check.left - Bag(complication=n))
    if turn.seat.side == "player":
        yield from turn.change("threat", PRICE * n, why=said)


def settled(turn: Turn) -> Refusal | None:
    """Every complication of this roll has been suffered or ignored."""
    check = turn.check
    n = check.left["complication"] if check and check.phase == "rolled" else 0
    return turn.no("complication.left", n=n) if n else None


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
