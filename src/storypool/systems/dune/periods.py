"""Adventures and scenes: what the pools hold when one begins, and what a scene's end takes.

Source: rulings.md; dune.md 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.engine.rules import (
    CharacterSet,
    Event,
    Move,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Table,
    TextAsk,
    Turn,
    here,
    idle,
    in_session,
    move,
)

NO_CAP = "none"


def cap(option: str, default: str) -> Callable[[Table, str], int | None]:
    """A cap that an option of the table sets; "none" is no cap at all."""

    def most(table: Table, owner: str) -> int | None:
        value = table.options.get(option, default)
        return None if value == NO_CAP else int(value)

    return most


@move(
    "adventure.begin",
    by=["gm"],
    when=lambda t: in_session(t) or idle(t),
    asks=[TextAsk("title", "What is it called?", needed=False)],
    rule="Start values",
)
def begin_adventure(turn: Turn) -> Iterator[Event]:
    """Begin an adventure

    Momentum starts at 0, Threat at 2 for each player, and each player's character has 1 Determination.
    """
    if "adventure" in turn.table.running:
        yield PeriodEnded("adventure", turn.table.periods["adventure"])
    yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1, turn.text("title"))


def first_adventure(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins and no adventure is under way, one begins with it."""
    assert isinstance(event, PeriodBegan)
    if event.kind == "session" and "adventure" not in turn.table.running:
        yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1)


def start_values(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever an adventure begins, every pool is set to what it starts with."""
    assert isinstance(event, PeriodBegan)
    if event.kind != "adventure":
        return
    players = sum(1 for seat in turn.table.seats.values() if seat.side == "player" and seat.here)
    yield from _set(turn, "momentum", "", 0)
    yield from _set(turn, "threat", "", players * int(turn.option("threat_start")))
    for one in turn.table.characters.values():
        if one.side == "players" and one.seat and here(one):
            yield from _set(turn, "determination", one.id, _determination(turn))


def newcomer(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a player's character joins a running adventure, they have what the others started with."""
    assert isinstance(event, CharacterSet)
    one = event.character
    if turn.key == "character.add" and one.seat and "adventure" in turn.table.running:
        yield from _set(turn, "determination", one.id, _determination(turn))


def taken_over(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a player takes over one of the game master's characters in a running adventure, the same."""
    assert isinstance(event, MoveMade)
    one = turn.table.characters.get(turn.text("who")) if event.move == "character.give" else None
    if one and one.side == "gm" and turn.text("seat") and "adventure" in turn.table.running:
        yield from _set(turn, "determination", one.id, _determination(turn))


def _determination(turn: Turn) -> int:
    most = turn.system.by_account["determination"].most(turn.table, "")
    start = int(turn.option("determination_start"))
    return start if most is None else min(start, most)


def _set(turn: Turn, account: str, owner: str, n: int) -> Iterator[Event]:
    before = turn.table.balance(account, owner)
    if n != before:
        yield PointsSet(account, owner, n, n - before, turn.system.words["adventure.new"])


def decay(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene is over, or where the table says so a round, a point of Momentum is gone."""
    assert isinstance(event, PeriodEnded | PeriodBegan)
    over = isinstance(event, PeriodEnded) or (event.kind == "round" and event.number > 1)
    if over and event.kind == turn.option("momentum_decay") and turn.table.balance("momentum"):
        yield from turn.change("momentum", -1, why=turn.system.words["momentum.decay"])


def unanswered(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session ends, what still waits for an answer comes to nothing, and its points are back in the pool."""
    assert isinstance(event, PeriodEnded)
    words = turn.system.words
    for proposal in [p for p in turn.table.proposals.values() if p.price and event.kind == "session"]:
        yield ProposalSettled(proposal.id, False, turn.seat.id, words["points.unanswered"], proposal.counts)
        for (account, owner), n in proposal.price.items():
            yield from turn.change(account, n, owner, words.say("points.refund", what=proposal.text))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
