"""The waits of a table: seats, and the moves that answer. Games list them with their moves."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field

from storypool.engine.game.turn import Turn
from storypool.engine.table import Character, Check, Proposal, Table, Team, Value

__all__ = ["Wait", "WaitRule", "actor_of", "gms", "player_of", "players", "players_of"]


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that a table waits for.

    `whom` are the seats asked: any of them answers it, or all of them have to if it is for `each`.
    `moves` answer it, the usual one first, about the action `check` and with the arguments `args`;
    `also` are other open actions that go on only after it. Its sentences are `wait.ID.yours`, for
    the seats asked, and `wait.ID` for all others. Their blanks are `who` (the seats asked), of the
    action `actor`, `player` (who plays the actor), `target` and `title`, and `values`.
    """

    id: str
    whom: tuple[str, ...]
    moves: tuple[str, ...]
    check: str = ""
    args: Mapping[str, Value] = field(default_factory=dict)
    _: KW_ONLY
    each: bool = False
    values: Mapping[str, object] = field(default_factory=dict)
    also: tuple[str, ...] = ()


WaitRule = Callable[[Turn], Iterable[Wait]]
"""Yields the waits of a table, the most pressing first, for a turn without a move.

`turn.seat` is the reader. A wait may name a seat for which all of the moves are closed: such a seat
is left out, and a wait for nobody is dropped.
"""


def _has_no_gm(table: Table) -> bool:
    """Whether nobody is the game master of this table: its players decide together."""
    return all(seat.side != "gm" for seat in table.seats.values())


def gms(table: Table) -> tuple[str, ...]:
    """The seats of the game masters who are here; at a table without one, those of its players."""
    side = "player" if _has_no_gm(table) else "gm"
    return tuple(seat.id for seat in table.seats.values() if seat.here and seat.side == side)


def players(table: Table) -> tuple[str, ...]:
    """The seats of the players who are here."""
    return tuple(seat.id for seat in table.seats.values() if seat.here and seat.side == "player")


def player_of(table: Table, character: str) -> tuple[str, ...]:
    """The seat that plays this character, or the game masters if no present player does."""
    one = table.characters.get(character)
    seat = table.seats.get(one.seat) if one is not None else None
    return (seat.id,) if seat is not None and seat.here and seat.side == "player" else gms(table)


def players_of(table: Table, characters: Iterable[Character]) -> tuple[str, ...]:
    """The seats of these characters' players, each once; the GMs for those without one."""
    return tuple(dict.fromkeys(seat for one in characters for seat in player_of(table, one.id)))


def asked_for(table: Table, proposal: Proposal) -> tuple[str, ...]:
    """The seats whose consent a proposal waits for: a player's, or the GMs'.

    At a table without a GM any other player agrees.
    """
    if proposal.whom:
        return player_of(table, proposal.whom)
    return tuple(id for id in gms(table) if id != proposal.seat)


def actor_of(table: Table, check: Check) -> tuple[str, ...]:
    """The seat that acts in this action, or the GMs if it is theirs or the player is away."""
    return gms(table) if check.team is Team.GM else player_of(table, check.actor)
