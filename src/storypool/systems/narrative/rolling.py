"""The roll of an action and its end: reading the dice, whose symbols are whose, closing it, calling it off.

Sources: seed 003, Interpreting the Pool; seed 000, Using Destiny Points.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    Bag,
    Check,
    CheckClosed,
    DiceRolled,
    Event,
    FacesAsk,
    Move,
    Points,
    Purse,
    Refusal,
    Turn,
    building,
    move,
    players_with_a_character,
    rolled,
)
from storypool.systems.narrative import promises, windows
from storypool.systems.narrative.checks import acts_in, difficulty_known, unpaid


def _yours(turn: Turn) -> Refusal | None:
    """The action is this seat's own, or this is the GM."""
    check = turn.check
    if check is None or turn.seat.side == "gm" or acts_in(turn, check):
        return None
    return turn.no("yours")


def _paid(turn: Turn) -> Refusal | None:
    """An Impossible task is paid for before it is attempted."""
    return turn.no("unpaid") if turn.check and unpaid(turn.check) else None


FACES = FacesAsk("faces", "Faces of real dice, one for each die", needed=False)


@move(
    "check.roll",
    when=building,
    window=windows.settled,
    only_if=[_yours, difficulty_known, _paid],
    asks=[FACES],
    rule="Interpreting the Pool",
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll the dice

    Or type in the faces of real dice, in the order in which the pool is written.
    """
    check = turn.here
    lies = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, lies)
    yield from promises.kept(turn, check)
    outcome = turn.system.read(turn.table, check, lies)
    named = turn.system.axes.named(outcome.net)
    left = Bag({symbol: n for symbol, n in named.items() if symbol not in ("success", "failure")})
    yield turn.amend(check, rolled=lies, outcome=outcome, left=left, phase="rolled", windows=())


def gm_spends_all(turn: Turn, check: Check) -> bool:
    """No player spends Threat and Despair of this roll: the table leaves them to the GM, or nobody could see them."""
    if check.side != "gm":
        return False
    return turn.option("npc_threat") == "gm" or check.seen_by is not None or not players_with_a_character(turn.table)


def _others_symbols(turn: Turn, check: Check) -> Bag:
    """The symbols that are not this seat's to spend: those that hinder whoever rolled."""
    if gm_spends_all(turn, check):
        return Bag()
    helping, hindering = check.left.only(["advantage", "triumph"]), check.left.only(["threat", "despair"])
    return hindering if acts_in(turn, check) else helping


def _nothing_left_to_others(turn: Turn) -> Refusal | None:
    """What the other side rolled is theirs to spend before the action is over."""
    check = turn.check
    others = _others_symbols(turn, check) if check and check.phase == "rolled" else Bag()
    if not others:
        return None
    left = ", ".join(f"{n} {turn.word(symbol, n)}" for symbol, n in others.items())
    return turn.no("symbols", left=left)


@move(
    "check.close",
    when=rolled,
    window=_nothing_left_to_others,
    only_if=[_yours],
    rule="Using Destiny Points",
)
def close(turn: Turn) -> Iterator[Event]:
    """The action is done

    What was spent turns over now, on both sides at once (seed 000, Using Destiny Points). Symbols left are lost.
    """
    check = turn.here
    why = turn.system.words["points.turned"]
    yield CheckClosed(check.id, "done")
    for account, n in check.owed.items():
        yield from turn.change(account, n, why=why)


@move("check.cancel", when=building, only_if=[_yours], rule="Using Destiny Points")
def cancel(turn: Turn) -> Iterator[Event]:
    """Call the action off

    Before the roll: every point spent on it comes back, and nothing turns over.
    """
    check = turn.here
    yield CheckClosed(check.id, "cancelled")
    words = turn.system.words
    why = words.say("points.refund", what=check.title) if check.seen_by is None else words["points.back"]
    # What was spent comes back; what has crossed over already, and is not owed any more, is taken from there.
    sides = {windows.purse(turn, side): windows.other_purse(turn, side) for side in ("gm", "player")}
    crossed = Points({Purse(sides[account]): n for (account, _), n in check.spent.items()})
    for (account, _), n in (check.spent - crossed + Points.of_the_table(check.owed)).items():
        yield from turn.change(account, n, why=why)


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
