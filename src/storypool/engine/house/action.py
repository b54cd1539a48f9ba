"""The life of an action: it is declared, rolled and closed, or it is cancelled before its roll.

Each step is a row that says when it may be made and by whom. A game names where it differs: the
questions, a window in which others decide first, a warning, its place in the book and on the page.
Its body yields the effects. Between the steps are the moves of the game.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import partial

from storypool.engine.bag import Points
from storypool.engine.dice import Rolled
from storypool.engine.events import CheckClosed, DiceRolled, Event
from storypool.engine.game.asks import Choice, TextAsk
from storypool.engine.game.faces_ask import FacesAsk
from storypool.engine.game.moves import LAST, Condition, Move, at, move
from storypool.engine.game.turn import Turn
from storypool.engine.house.conditions import all_of, building, in_session, rolled, yours
from storypool.engine.house.hiding import may_open
from storypool.engine.house.modifiers import kept_promises
from storypool.engine.table import Check

__all__ = ["FACES", "TITLE", "call_off", "cancels", "closes", "declares", "faces_of"]
__all__ += ["roll_pool", "rolling", "rolls"]

TITLE = TextAsk("title", "What are you trying to do?", needed=False)
"""The action, in the words of the player."""
FACES = FacesAsk("faces", "What do your dice show?", needed=False)
"""The faces of real dice that replace the program's roll."""


def faces_of(dice: Callable[[Turn], Mapping[str, int]]) -> FacesAsk:
    """The question for the faces of dice other than those of the open action, if any."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for name, n in dice(turn).items():
            yield from [Choice(name, turn.word(name))] * n

    return replace(FACES, dice=choices, shown=lambda turn: bool(dice(turn)))


declares = partial(move, "check.declare", when=all_of(in_session, may_open))
"""`move` for declaring an action."""
rolls = partial(move, "check.roll", when=building, only_if=[yours], asks=[FACES])
"""`move` for rolling the pool of an action."""
closes = partial(move, "check.close", when=rolled, only_if=[yours])
"""`move` for closing an action after its roll."""
cancels = partial(move, "check.cancel", when=building, only_if=[yours], place=at("actions", LAST))
"""`move` for cancelling an action before its roll."""


def roll_pool(
    turn: Turn,
    check: Check | None = None,
    pool: Mapping[str, int] | None = None,
    seat: str = "",
    why: str = "",
) -> Generator[Event, None, tuple[Rolled, ...]]:
    """Roll the pool of the open action for the seat that moves, or take the faces of real dice.

    Another action, other dice or another seat may be given, and what for. The value is the dice.
    """
    check = check or turn.here
    dice = turn.cast(check.pool if pool is None else pool, turn.numbers("faces"))
    yield DiceRolled(check.id, seat or turn.seat.id, dice, why)
    return dice


def call_off(turn: Turn, back: Points) -> Iterator[Event]:
    """Cancel the open action, and give these points back."""
    check = turn.here
    yield CheckClosed(check.id, "cancelled")
    yield from turn.refund(back, check.title)


def rolling(rule: str = "", window: Condition | None = None) -> tuple[Move, Move, Move]:
    """The moves that roll, close and cancel an action, for a game with no rule of its own for them.

    `window` is the condition for whose turn it is to decide before the roll.
    """

    @rolls(window=window, rule=rule, place=at("primary", 80))
    def roll(turn: Turn) -> Iterator[Event]:
        """Roll the dice

        Or type in the faces of real dice, in the order in which the pool is written.
        """
        yield from kept_promises(turn, turn.here)
        dice = yield from roll_pool(turn)
        yield turn.read(dice)

    @closes(rule=rule, place=at("primary", 90))
    def close(turn: Turn) -> Iterator[Event]:
        """Done"""
        yield CheckClosed(turn.here.id, "done")

    @cancels(rule=rule)
    def cancel(turn: Turn) -> Iterator[Event]:
        """Cancel

        Points that were spent on it come back.
        """
        check = turn.here
        yield from turn.refund(check.spent, check.title)
        yield CheckClosed(check.id, "cancelled")

    return roll, close, cancel
