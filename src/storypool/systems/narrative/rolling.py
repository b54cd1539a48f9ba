"""The roll of an action and its end: reading the dice, whose symbols are whose, closing it, calling it off.

Sources: seed 003, Interpreting the Pool; seed 000, Using Destiny Points.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.rules import (
    Check,
    CheckClosed,
    DiceRolled,
    Event,
    FacesAsk,
    Points,
    Purse,
    Refusal,
    Turn,
    acts_in,
    building,
    kept_promises,
    move,
    of_check,
    players_with_a_character,
    priced,
    rolled,
    yours,
)
from storypool.systems.narrative import windows
from storypool.systems.narrative.checks import difficulty_known, unpaid

FACES = FacesAsk("faces", "Faces of real dice, one for each die", needed=False)

HELPING = ("advantage", "triumph")
HINDERING = ("threat", "despair")


@move(
    "check.roll",
    when=building,
    window=windows.settled,
    only_if=[yours, difficulty_known, of_check(lambda check: not unpaid(check), "unpaid")],
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
    yield from kept_promises(turn, check)
    outcome = turn.system.read(turn.table, check, lies)
    named = turn.system.axes.named(outcome.net)
    left = named - named.only(("success", "failure"))
    yield turn.amend(check, rolled=lies, outcome=outcome, left=left, phase="rolled", windows=())


def gm_spends_all(turn: Turn, check: Check) -> bool:
    """No player spends Threat and Despair of this roll: the table leaves them to the GM, or nobody could see them."""
    if check.side != "gm":
        return False
    return turn.option("npc_threat") == "gm" or check.seen_by is not None or not players_with_a_character(turn.table)


def _nothing_left_to_others(turn: Turn) -> Refusal | None:
    """What the other side rolled is theirs to spend before the action is over."""
    check = turn.check
    if check is None or check.phase != "rolled" or gm_spends_all(turn, check):
        return None
    left = check.left.only(HINDERING if acts_in(turn, check) else HELPING)
    return turn.no("symbols", left=priced(turn, left)) if left else None


@move("check.close", when=rolled, window=_nothing_left_to_others, only_if=[yours], rule="Using Destiny Points")
def close(turn: Turn) -> Iterator[Event]:
    """The action is done

    What was spent turns over now, on both sides at once (seed 000, Using Destiny Points). Symbols left are lost.
    """
    check = turn.here
    yield CheckClosed(check.id, "done")
    for account, n in check.owed.items():
        yield from turn.change(account, n, why=turn.words["points.turned"])


@move("check.cancel", when=building, only_if=[yours], rule="Using Destiny Points")
def cancel(turn: Turn) -> Iterator[Event]:
    """Call the action off

    Before the roll: every point spent on it comes back, and nothing turns over.
    """
    check = turn.here
    yield CheckClosed(check.id, "cancelled")
    why = turn.words.say("points.refund", what=check.title) if check.seen_by is None else turn.words["points.back"]
    # What was spent comes back; what has crossed over already, and is not owed any more, is taken from there.
    crosses = dict([windows.purses(turn, "gm"), windows.purses(turn, "player")])
    crossed = Points({Purse(crosses[account]): n for (account, _), n in check.spent.items()})
    for (account, _), n in (check.spent - crossed + Points.of_the_table(check.owed)).items():
        yield from turn.change(account, n, why=why)
