"""The session's Destiny pool: one Force die from each player with a character, tallied, then fixed.

Source: seed 000, Preparing the Destiny Pool; rulings.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative.points import is_newcomer, unchanged_note
from storypool.systems.starwars.dice import FORCE

UNSET = "points-unset"
THROWN = r.Bag(force=1)


@dataclass(frozen=True)
class Unset(r.State):
    """A pool that is not set yet: the seats of the players who have rolled for it."""

    rolled: tuple[str, ...] = ()


@r.whenever(r.PeriodBegan)
def new_pool(turn: r.Turn, event: r.PeriodBegan) -> Iterator[r.Event]:
    """Replace the pool at the start of a session; players with a character roll the new one."""
    if event.kind != "session":
        return
    for account in ("light", "dark"):
        yield from turn.set_balance(account, 0, why=turn.words["destiny.new"])
    who = "waiting" if r.players_with_a_character(turn.table) else "nobody"
    yield r.TraitSet(r.Trait(UNSET, UNSET, turn.words[f"destiny.{who}"], until="session"))


_unset = r.requires(lambda turn: UNSET in turn.table.traits, "pool.set")
"""The pool of this session is not set yet."""


def _may_roll(turn: r.Turn) -> r.Refusal | None:
    closed = None if turn.option("late_rolls") == "add" else _unset(turn)
    return r.in_session(turn) or closed


def _rolled_seats(turn: r.Turn) -> tuple[str, ...]:
    """The seats that have rolled for this pool, while it is not set."""
    unset = turn.table.traits.get(UNSET)
    return Unset.of(unset).rolled if unset else ()


def _missing(turn: r.Turn) -> list[r.Seat]:
    """The players with a character who have not rolled for this pool."""
    return [
        seat
        for seat in r.players_with_a_character(turn.table)
        if seat.id not in _rolled_seats(turn)
    ]


def _start_title(turn: r.Turn) -> str:
    """The title of a start before anybody has rolled."""
    if _rolled_seats(turn):
        return ""
    return turn.words["destiny.begin"]


@r.move(
    "destiny.roll",
    by=["player"],
    when=_may_roll,
    limit=r.Limit("roll", ("session", "seat")),
    only_if=[r.requires(lambda t: t.seat in r.players_with_a_character(t.table), "nobody")],
    asks=[r.faces_of(lambda t: r.Bag({FORCE.name: 1}))],
    rule="Preparing the Destiny Pool",
    place=(r.at("setup"), r.at("primary", 1)),
)
def roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll for Destiny

    Each player with a character rolls one, once a session; the GM rolls none.
    """
    rolled = turn.cast(THROWN, turn.numbers("faces"))
    yield r.DiceRolled("", turn.seat.id, rolled, turn.words["destiny.rolled"])
    for account, n in r.symbols(rolled, [FORCE]).items():
        yield from turn.change(account, n, why=turn.words["destiny.pip"])
    unset = turn.table.traits.get(UNSET)
    if unset is not None:
        yield r.TraitSet(Unset.add(unset, rolled=(turn.seat.id,)))
        if not _missing(turn):
            yield r.TraitRemoved(UNSET)


def waits(turn: r.Turn) -> Iterator[r.Wait]:
    """The Force dice of the players who have not rolled for the pool; the GM may start anyway."""
    if UNSET in turn.table.traits:
        missing = _missing(turn)
        if not missing:
            yield r.Wait("destiny.nobody", r.gms(turn.table), ("destiny.begin",))
            return
        yield r.Wait("destiny", tuple(seat.id for seat in missing), ("destiny.roll",), each=True)
        names = turn.words.joined(seat.name for seat in missing)
        yield r.Wait(
            "destiny.begin", r.gms(turn.table), ("destiny.begin",), values={"missing": names}
        )


@r.whenever(r.CharacterSet)
def record_late_player(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Record that a player who joins after the pool was set rolls no die."""
    if (
        UNSET not in turn.table.traits
        and turn.option("late_rolls") != "add"
        and is_newcomer(turn, event.character)
    ):
        yield unchanged_note(
            turn, "light", turn.words.say("destiny.late", who=event.character.name)
        )


@r.gm_move(
    "destiny.begin",
    when=_unset,
    caution=lambda t: r.naming(t, "destiny.misses", _missing(t)),
    rule="Preparing the Destiny Pool",
    place=r.at("setup"),
    shown_as=_start_title,
)
def begin(turn: r.Turn) -> Iterator[r.Event]:
    """Start without the others

    Those who have not rolled add nothing to the pool.
    """
    yield r.TraitRemoved(UNSET, r.naming(turn, "destiny.without", _missing(turn)))
