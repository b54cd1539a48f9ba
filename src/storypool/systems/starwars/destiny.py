"""The session's Destiny pool: one Force die from each player with a character, tallied, then fixed.

Source: seed 000, Preparing the Destiny Pool; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    DiceRolled,
    Event,
    Limit,
    Move,
    PeriodBegan,
    PointsSet,
    Refusal,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    in_session,
    move,
    players_with_a_character,
    symbols,
)
from storypool.systems.narrative.rolling import FACES
from storypool.systems.starwars.dice import FORCE

UNSET = "points-unset"


def new_pool(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins, the old pool is gone and everyone rolls for a new one."""
    assert isinstance(event, PeriodBegan)
    if event.kind != "session":
        return
    why = turn.system.words["destiny.new"]
    for account in ("light", "dark"):
        before = turn.table.balance(account)
        if before:
            yield PointsSet(account, "", 0, -before, why)
    yield TraitSet(Trait(UNSET, UNSET, turn.system.words["destiny.waiting"], until="session"))


def _rolled(trait: Trait | None) -> tuple[str, ...]:
    seats = trait.terms.get("rolled", ()) if trait else ()
    return tuple(str(seat) for seat in seats) if isinstance(seats, tuple) else ()


def _unset(turn: Turn) -> Refusal | None:
    if turn.option("late_rolls") == "add" or UNSET in turn.table.traits:
        return in_session(turn)
    return in_session(turn) or turn.no("pool.set")


def _plays(turn: Turn) -> Refusal | None:
    return None if turn.seat in players_with_a_character(turn.table) else turn.no("nobody")


@move(
    "destiny.roll",
    by=["player"],
    when=_unset,
    limit=Limit("roll", ("session", "seat")),
    only_if=[_plays],
    asks=[FACES],
    rule="Preparing the Destiny Pool",
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll a Force die for destiny

    Each player with a character rolls one, once a session; the GM rolls none.
    """
    lies = turn.cast(Bag(force=1), turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.system.words["destiny.rolled"])
    for account, n in symbols(lies, [FORCE]).items():
        yield from turn.change(account, n, why=turn.system.words["destiny.pip"])
    unset = turn.table.traits.get(UNSET)
    if unset is not None:
        rolled = (*_rolled(unset), turn.seat.id)
        yield TraitSet(replace(unset, terms={"rolled": rolled}))
        if all(seat.id in rolled for seat in players_with_a_character(turn.table)):
            yield TraitRemoved(UNSET)


@move(
    "destiny.begin",
    by=["gm"],
    when=lambda t: None if UNSET in t.table.traits else t.no("pool.set"),
    rule="Preparing the Destiny Pool",
)
def begin(turn: Turn) -> Iterator[Event]:
    """Begin without those who have not rolled"""
    rolled = _rolled(turn.table.traits.get(UNSET))
    missing = [seat.name for seat in players_with_a_character(turn.table) if seat.id not in rolled]
    why = turn.system.words.say("destiny.without", who=", ".join(missing)) if missing else ""
    yield TraitRemoved(UNSET, why)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
