"""Points that come and go by themselves, and those the Keeper takes with a reason.

Source: seed 001, Hero points, Losing hero points, Villain points, NPC Successes, Villain point gains; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Bag,
    Check,
    Event,
    Move,
    NumberAsk,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    Table,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    house,
    in_session,
    move,
)
from storypool.systems.c2d10 import conflicts
from storypool.systems.c2d10.dice import ACTIVE, Part
from storypool.systems.c2d10.prices import gain, loss
from storypool.systems.c2d10.reading import is_contest, number, winner
from storypool.systems.c2d10.sheet import stance


def owed(turn: Turn, check: Check) -> Bag:
    """The points that this roll brings when it is done: one for each success above what was needed, and to whom.

    None from a failed test, from a neutral NPC, from a hidden check, and from a roll with bought dice. In a contest
    only the winner has an excess, over the other side's successes.
    """
    outcome, part = check.outcome, winner(turn.table, check)
    account = pool_of(turn.table, check, part, turn.option) if part else ""
    if outcome is None or part is None or not account:
        return Bag()
    excess = abs(outcome.margin) - number(check, f"{part.mark}added")
    return Bag({account: excess}) if excess > 0 else Bag()


def pool_of(table: Table, check: Check, part: Part, option: Callable[[str], str]) -> str:
    """The account that an excess of this side's roll fills, as things stand; empty where it brings no points."""
    side = stance(table.characters.get(check.actor if part is ACTIVE else check.against))
    stopped = (
        (is_contest(check) and side == "heroes" and option("contest_hero_gain") == "no")
        or ("conflict" in check.terms and option("conflict_excess") == "progress_only")
        or (number(check, f"{part.mark}rerolled") and option("reroll_blocks_gain") == "yes")
        or (number(check, f"{part.mark}bought") and (side == "heroes" or option("npc_bought_dice_block_gain") == "yes"))
    )
    if side == "neutral" or stopped or check.seen_by is not None:
        return ""
    return "hero" if side == "heroes" else "villain"


def players(table: Table) -> int:
    """How many players sit at the table."""
    return sum(1 for seat in table.seats.values() if seat.side == "player" and seat.here)


def fresh_villain_points(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins, the Keeper has 2 for each player again, unless she says why she keeps what she has.

    Never more than the pool holds; kept points are never less than that start.
    """
    assert isinstance(event, PeriodBegan)
    if event.kind != "session":
        return
    words, before = turn.system.words, turn.table.balance("villain")
    most = turn.system.by_account["villain"].most(turn.table, "")
    start = gain("player") * players(turn.table)
    start = start if most is None else min(start, most)
    kept = turn.text("keep") if turn.key == begin_session.key else ""
    if kept:
        start = max(start, before)
        yield PointsSet("villain", "", start, start - before, words.say("gain.kept", why=kept), turn.seat.id)
    elif start != before:
        yield PointsSet("villain", "", start, start - before, words["gain.session"], turn.seat.id)


def fades(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever the table's period is over, the party loses a hero point: at the end of a scene, a session, or a day."""
    assert isinstance(event, PeriodEnded | PeriodBegan)
    period = turn.option("decay")
    over = isinstance(event, PeriodBegan) if event.kind == "day" else isinstance(event, PeriodEnded)
    gone = min(turn.table.balance("hero"), loss("hero"))
    if event.kind == period and over and gone:
        yield from turn.change("hero", -gone, why=turn.system.words[f"gain.fades.{period}"])


begin_session = replace(
    house.begin_session,
    asks=(
        *house.begin_session.asks,
        TextAsk("keep", "Keep the villain points? Then say why", needed=False),
    ),
    rule="Villain points",
)
"""The house's move, with the reason why the Keeper's pool is not reset."""


@move(
    "day.begin",
    by=["gm"],
    when=lambda t: in_session(t) or house.idle(t),
    rule="Losing hero points",
)
def new_day(turn: Turn) -> Iterator[Event]:
    """A new day begins

    Where the table lets hero points fade by the day, one is gone.
    """
    yield PeriodBegan("day", turn.table.periods["day"] + 1)


REASON = TextAsk("why", "Why? Everybody reads it")
HOW_DIRE = NumberAsk("n", "How many villain points?", default=1, low=1, high=2)


@move("dire.situation", by=["gm"], when=in_session, asks=[REASON, HOW_DIRE], rule="Dire situation")
def dire_situation(turn: Turn) -> Iterator[Event]:
    """Declare a dire situation

    The party has come into a threatening place: 1 or 2 villain points, and everybody hears why.
    """
    yield from _dire(turn, "")


@move(
    "dire.circumstance",
    by=["gm"],
    when=lambda t: conflicts.going_on(t) or in_session(t),
    asks=[REASON, HOW_DIRE],
    rule="Dire situation",
)
def dire_circumstance(turn: Turn) -> Iterator[Event]:
    """Declare a dire circumstance

    The conflict has taken a dire turn: 1 or 2 villain points, and everybody hears why.
    """
    conflict = conflicts.current(turn.table)
    yield from _dire(turn, conflict.id if conflict else "")


def _dire(turn: Turn, at: str) -> Iterator[Event]:
    text = turn.text("why")
    yield TraitSet(Trait(turn.fresh("t"), "dire", text, at=at, by=turn.seat.id, until="scene"))
    yield from turn.change("villain", turn.number("n", 1), why=turn.system.words.say("gain.dire", why=text))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move) and value is not begin_session)
