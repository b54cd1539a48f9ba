"""The session's Destiny pool: one Force die from each player with a character, tallied, then fixed.

Source: seed 000, Preparing the Destiny Pool; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    Bag,
    DiceRolled,
    Event,
    Limit,
    PeriodBegan,
    PointsSet,
    Refusal,
    Seat,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Wait,
    gms,
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
    for account in ("light", "dark"):
        before = turn.table.balance(account)
        if before:
            yield PointsSet(account, "", 0, -before, turn.words["destiny.new"])
    yield TraitSet(Trait(UNSET, UNSET, turn.words["destiny.waiting"], until="session"))


def _unset(turn: Turn) -> Refusal | None:
    """The pool of this session is not set yet."""
    return None if UNSET in turn.table.traits else turn.no("pool.set")


def _may_roll(turn: Turn) -> Refusal | None:
    closed = None if turn.option("late_rolls") == "add" else _unset(turn)
    return in_session(turn) or closed


def _plays(turn: Turn) -> Refusal | None:
    return None if turn.seat in players_with_a_character(turn.table) else turn.no("nobody")


def _missing(turn: Turn) -> list[Seat]:
    """The players with a character who have not rolled for this pool."""
    unset = turn.table.traits.get(UNSET)
    rolled = unset.names("rolled") if unset else ()
    return [seat for seat in players_with_a_character(turn.table) if seat.id not in rolled]


@move(
    "destiny.roll",
    by=["player"],
    when=_may_roll,
    limit=Limit("roll", ("session", "seat")),
    only_if=[_plays],
    asks=[FACES],
    rule="Preparing the Destiny Pool",
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll for Destiny

    Each player with a character rolls one, once a session; the GM rolls none.
    """
    lies = turn.cast(Bag(force=1), turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.words["destiny.rolled"])
    for account, n in symbols(lies, [FORCE]).items():
        yield from turn.change(account, n, why=turn.words["destiny.pip"])
    unset = turn.table.traits.get(UNSET)
    if unset is not None:
        yield TraitSet(unset.with_terms(rolled=(*unset.names("rolled"), turn.seat.id)))
        if not _missing(turn):
            yield TraitRemoved(UNSET)


def waits(turn: Turn) -> Iterator[Wait]:
    """The Force dice of all who have not rolled for the pool; the GM need not wait."""
    if UNSET in turn.table.traits:
        missing = _missing(turn)
        if not missing:
            yield Wait("destiny.nobody", gms(turn.table), ("destiny.begin",))
            return
        yield Wait("destiny", tuple(seat.id for seat in missing), ("destiny.roll",), each=True)
        *most, last = (seat.name for seat in missing)
        names = turn.words["list.last"].join([*filter(None, [turn.words["list.comma"].join(most)]), last])
        yield Wait("destiny.begin", gms(turn.table), ("destiny.begin",), values={"missing": names})


@move("destiny.begin", by=["gm"], when=_unset, rule="Preparing the Destiny Pool")
def begin(turn: Turn) -> Iterator[Event]:
    """Start without the others

    Those who have not rolled add nothing to the pool.
    """
    missing = ", ".join(seat.name for seat in _missing(turn))
    yield TraitRemoved(UNSET, turn.words.say("destiny.without", who=missing) if missing else "")
