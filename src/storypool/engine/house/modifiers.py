"""Changes by hand to pools and to tracks on a sheet, and dice promised for a later action.

Promised dice wait as traits, and end when they are rolled.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Literal

from storypool.engine.dice import Mod
from storypool.engine.events import CheckChanged, CheckOpened, Event, TraitRemoved, TraitSet
from storypool.engine.game.asks import Ask, Choice, ChoiceAsk, NumberAsk, TextAsk
from storypool.engine.game.moves import Condition, whenever
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import written_by
from storypool.engine.house.conditions import requires
from storypool.engine.table import Character, Check, Trait

__all__ = [
    "DIE_COUNT",
    "DIE_WHY",
    "die_of",
    "kept_promises",
    "modified",
    "promise",
    "promised",
    "something_on",
    "track_asks",
    "track_changed",
]

DIE_COUNT = NumberAsk("n", "How many?", default=1, low=1, high=10, needed=False)
"""The number of dice in a change of the pool."""
DIE_WHY = TextAsk("why", "Why?", preset=lambda turn: turn.words["mod.why"])
"""The reason for a change of the pool, which is shown next to the dice."""


def die_of(*names: str) -> Ask:
    """The question that asks for one of these dice; the first is the default."""
    return ChoiceAsk(
        "die", "Which die?", lambda t: [Choice(n, t.word(n)) for n in names], default=names[0]
    )


def modified(turn: Turn, kind: Literal["add", "upgrade", "downgrade", "remove"]) -> Iterator[Event]:
    """Modify the open action's pool by the dice, number and reason that were answered."""
    check = turn.here
    mod = Mod(kind, turn.text("die"), turn.number("n", 1), turn.text("why"), turn.seat.id)
    what = turn.words.say(f"mod.{kind}", n=mod.n, die=turn.word(mod.die), why=mod.why)
    yield turn.amend(check, what, mods=(*check.mods, mod))


def track_asks(
    who: Ask, tracks: Callable[[Turn], Iterable[Choice]], most: int, *, lowers: bool = False
) -> tuple[Ask, ...]:
    """The questions for a change of one of these tracks by up to `most`; `who` asks for the owner.

    A change that `lowers` a track is limited to what is on it, and an empty track is closed.
    """

    def listed(turn: Turn) -> Iterator[Choice]:
        for track in tracks(turn):
            empty = not turn.table.balance(track.value, turn.text("who"))
            yield track.unless(turn.no("tracks") if empty else None)

    by = NumberAsk("by", "How many?", default=1, low=1, high=most, needed=False)
    track = ChoiceAsk("track", "Which track?", tracks)
    if lowers:
        by, track = replace(by, most=_track_balance), replace(track, choices=listed)
    return who, track, by, TextAsk("why", "Why?", needed=False)


def something_on(
    tracks: Callable[[Turn], Iterable[Choice]],
    whose: Callable[[Turn], Iterable[Choice]] = written_by,
) -> Condition:
    """The condition that a track of a character whom this seat may change can be lowered."""

    def can_lower(turn: Turn) -> bool:
        return any(
            turn.table.balance(track.value, one.value)
            for one in whose(turn)
            for track in tracks(turn)
        )

    return requires(can_lower, "tracks", firm=True)


def _track_balance(turn: Turn) -> int:
    return turn.table.balance(turn.text("track"), turn.text("who"))


def track_changed(turn: Turn, sign: Literal[1, -1]) -> Iterator[Event]:
    """Raise or lower the answered track by the answered number; `Refused` below 0."""
    return turn.change(
        turn.text("track"), sign * turn.number("by", 1), turn.text("who"), turn.text("why")
    )


@whenever(CheckOpened, CheckChanged)
def _within_bounds(turn: Turn, event: CheckOpened | CheckChanged) -> Iterator[Event]:
    """Refuse a move that would make a pool larger than one that can be typed."""
    check, most = event.check, turn.system.notation.most
    if check.phase == "build" and check.pool.total > most:
        raise turn.refused("argument", "pool.most", most=most, n=check.pool.total)
    yield from ()


def promise(
    turn: Turn, mod: Mod, about: str, text: str, kind: str = "promise", **more: object
) -> TraitSet:
    """The event that promises a modification to the next action of a character, by their id.

    `about` may also be a side ("@players", "@gm"): then it is for the first of that side to act,
    other than the characters in the term `but`, a list of ids separated by spaces. `more` are
    further fields of the trait.
    """
    return turn.result(kind, text, about, mods=(replace(mod, promise=turn.fresh("t")),), **more)


def promised(turn: Turn, check: Check, who: str = "") -> tuple[Mod, ...]:
    """The modifications that wait in this check for its actor, or for `who`.

    A public promise waits for a public action: its end would reveal a hidden one.
    """
    character = turn.table.characters.get(who or check.actor)
    waiting = [trait for trait in turn.table.traits.values() if trait.mods and check.may_use(trait)]
    if not character:
        return ()
    meant = (trait.mods for trait in waiting if _is_for(trait, character))
    return tuple(chain.from_iterable(meant))


def kept_promises(turn: Turn, check: Check) -> Iterator[Event]:
    """Remove the promises whose dice were rolled in this check; a cancelled one keeps them."""
    for mod in check.mods:
        if mod.promise in turn.table.traits:
            yield TraitRemoved(mod.promise, turn.words["promise.kept"])


def _is_for(trait: Trait, who: Character) -> bool:
    return trait.about == who.id or (
        trait.about == who.team.mark and who.id not in str(trait.terms.get("but", "")).split()
    )
