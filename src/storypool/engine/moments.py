"""Moments: the records that every screen marks with a cue, as a game lists them in its panels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storypool.engine.dice import Rolled
from storypool.engine.events import (
    DiceRolled,
    Event,
    PeriodEnded,
    PointsSet,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.game.moment_panel import MomentPanel
from storypool.engine.game.system import System
from storypool.engine.table import Table, Trait


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a record: the name of its panel, and the places of its dice in the roll."""

    name: str
    dice: tuple[int, ...] = ()


def moments(event: Event | None, before: Table, system: System) -> tuple[Moment, ...]:
    """The moments of an event, in the order of the game's panels; `before` is the table before."""
    system = system.played_at(before)
    match event:
        case DiceRolled(rolled=rolled):
            found = ((one, _dice(one, rolled, system)) for one in listed(system))
            return tuple(Moment(one.name, dice) for one, dice in found if dice)
        case PointsSet():
            return tuple(
                Moment(one.name) for one in listed(system) if _points(one, event, before, system)
            )
        case TraitSet(trait):
            return tuple(Moment(one.name) for one in listed(system) if _true(one, trait, before))
        case PeriodEnded(kind):
            return tuple(Moment(one.name) for one in listed(system) if kind in one.periods)
        case TraitRemoved(id) if id in before.traits:
            gone = before.traits[id]
            return tuple(
                Moment(one.name)
                for one in listed(system)
                if gone.kind in one.ended or (gone.about and gone.kind in one.won)
            )
        case _:
            return ()


def listed(system: System) -> Iterator[MomentPanel]:
    """Yield the moments of a game, in its order."""
    return (panel for panel in system.panels if isinstance(panel, MomentPanel))


def _dice(one: MomentPanel, rolled: Sequence[Rolled], system: System) -> tuple[int, ...]:
    """The places of the dice that bring this moment."""
    dice = {die.name: die for die in system.dice}

    def brings(die: Rolled) -> bool:
        symbols = dice[die.die].face(die.face)
        return (die.die == one.die and die.face in one.faces) or any(
            symbols[name] for name in one.symbols
        )

    return tuple(i for i, die in enumerate(rolled) if brings(die))


def _true(one: MomentPanel, trait: Trait, before: Table) -> bool:
    """Whether a trait that is set brings this moment."""
    old = before.traits.get(trait.id)
    if trait.kind in one.reached and trait.rating >= trait.goal:
        return old is None or old.rating < trait.goal
    had = old.terms if old else {}
    gained = (key for key, value in trait.terms.items() if value and not had.get(key))
    if any(f"{trait.kind} {key}" in one.terms for key in gained):
        return True
    if old is not None:
        return False
    known = {other.kind for other in before.traits.values() if not other.hidden}
    return trait.kind in one.traits or (trait.kind in {*one.began} - known and not trait.hidden)


def _points(one: MomentPanel, event: PointsSet, before: Table, system: System) -> bool:
    """Whether a change of points brings this moment."""
    if event.delta <= 0:
        return False
    if event.account in one.gained:
        return True
    if event.account in one.turned:
        return event.why == system.words.get("points.turned")
    account = system.by_account[event.account]
    if event.account in one.filled and event.balance == account.most(before, event.owner):
        return True
    overflowing = (name for name in one.filled if system.by_account[name].overflow == event.account)
    return any(
        event.why == system.words.say("points.overflow", account=system.plural(name))
        for name in overflowing
    )
