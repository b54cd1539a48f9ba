"""Rolling and ending an action, for a game that has no rule of its own for either."""

from collections.abc import Iterator

from storypool.engine.events import CheckClosed, DiceRolled, Event
from storypool.engine.game.faces_ask import FacesAsk
from storypool.engine.game.moves import LAST, Condition, Move, at, move
from storypool.engine.game.turn import Turn
from storypool.engine.house.conditions import building, rolled, yours
from storypool.engine.house.promises import kept_promises

__all__ = ["FACES", "rolling"]

FACES = FacesAsk("faces", "Faces of real dice, one for each die", needed=False)
"""What real dice show that are rolled in place of the program's."""


def rolling(rule: str = "", window: Condition | None = None) -> tuple[Move, Move, Move]:
    """Return three moves: to roll the pool of an action, to end it after the roll, to cancel it
    before.

    `window` is the condition for whose turn it is to decide before the roll.
    """

    @move(
        "check.roll",
        when=building,
        window=window,
        only_if=[yours],
        asks=[FacesAsk("faces", "What do your dice show?", needed=False)],
        rule=rule,
        place=at("primary", 80),
    )
    def roll(turn: Turn) -> Iterator[Event]:
        """Roll the dice

        Or type in the faces of real dice, in the order in which the pool is written.
        """
        check = turn.here
        yield from kept_promises(turn, check)
        dice = turn.cast(check.pool, turn.numbers("faces"))
        yield DiceRolled(check.id, turn.seat.id, dice)
        yield turn.read(dice)

    @move("check.close", when=rolled, only_if=[yours], rule=rule, place=at("primary", 90))
    def close(turn: Turn) -> Iterator[Event]:
        """Done"""
        yield CheckClosed(turn.here.id, "done")

    @move("check.cancel", when=building, only_if=[yours], rule=rule, place=at("actions", LAST))
    def cancel(turn: Turn) -> Iterator[Event]:
        """Cancel

        Points that were spent on it come back.
        """
        check = turn.here
        yield from turn.refund(check.spent, check.title)
        yield CheckClosed(check.id, "cancelled")

    return roll, close, cancel
