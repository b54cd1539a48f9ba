"""The limits of odds: how many dice, faces, results and steps, and how much time they may take.

There are no others. A server, which counts odds for anybody, sets its own around each request.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace

from storypool.words import Phrase, StorypoolError

MAX_COUNTED = 10**9
"""The largest number of dice that a refusal prints: thousands of digits are slow to write."""


class TooManyDice(StorypoolError, ValueError):
    """Dice beyond a limit, refused before any work is done; the message has the limit."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that odds may take, None for any; beyond, `TooManyDice` comes before any work.

    `dice` are those of one pool and `faces` those of one die. `results` are the rows of a joint
    distribution, `steps` those of a count of single dice (about 1 µs each) or of a decision what to
    roll again (about 3 µs each, so a third of them). `microseconds` are for one count, by the upper
    estimate `Distribution.cost`; within `allowing`, all counts of the block share them.

    By default dice and faces have no limit, and the others end what would fill the memory or take
    longer than about a minute.

    >>> from storypool import Allowance, d, odds
    >>> odds(150 @ d(6)).mean(), odds(d(1000)).p(1000)
    (Fraction(525, 1), Fraction(1, 1000))
    >>> odds(150 @ d(6), allowance=Allowance(dice=100))
    Traceback (most recent call last):
    storypool.odds.allowance.TooManyDice: 150 dice are too many for exact odds; take at most 100.
    """

    dice: int | None = None
    faces: int | None = None
    results: int | None = 3_000_000
    steps: int | None = 30_000_000
    microseconds: int | None = 60_000_000

    def check_dice(self, n: int) -> None:
        """Raise `TooManyDice` for more dice than are allowed."""
        if self.dice is not None and n > self.dice:
            key = "odds.endless" if n > MAX_COUNTED else "odds.dice"
            raise TooManyDice(Phrase(key, n=min(n, MAX_COUNTED), most=self.dice))

    def check_faces(self, die: str, n: int) -> None:
        """Raise `TooManyDice` for a die with more faces than are allowed."""
        if self.faces is not None and n > self.faces:
            raise TooManyDice(Phrase("odds.faces", die=die, n=n, most=self.faces))

    def check_results(self, axes: tuple[str, ...], n: int) -> None:
        """Raise `TooManyDice` for more results than are allowed."""
        if self.results is not None and n > self.results:
            counted = {"n": f"{n:,}", "most": f"{self.results:,}"}
            raise TooManyDice(Phrase("odds.results", axes=", ".join(axes), **counted))

    def check_steps(self, n: int) -> None:
        """Raise `TooManyDice` for more steps of a count than are allowed."""
        if self.steps is not None and n > self.steps:
            raise TooManyDice(Phrase("odds.states", most=f"{self.steps:,}"))


SURFACES = Allowance(dice=100, faces=100, results=1_000_000, steps=3_000_000, microseconds=None)
"""The limits of the server and the terminal; their time is limited for each question."""


_DEFAULT = Allowance()
_limits: ContextVar[Allowance] = ContextVar("limits", default=_DEFAULT)
_left: ContextVar[list[int] | None] = ContextVar("left", default=None)

current = _limits.get
"""The limits in this context: the variable's own function, as every question calls it."""

_UNCHANGED = nullcontext()


@contextmanager
def allowing(allowance: Allowance | int) -> Iterator[None]:
    """Set the limits of odds in this context, in this thread or task.

    A number is the microseconds that all counts of the block share; the other limits stay. A count
    beyond a limit is refused with `TooManyDice` before it starts. Costs are estimates that do not
    depend on the speed of the computer, see `Distribution.cost`; rows that are already counted cost
    nothing.

    >>> from storypool import Allowance, allowing, d, odds
    >>> with allowing(Allowance(dice=100)):
    ...     odds(150 @ d(6))
    Traceback (most recent call last):
    storypool.odds.allowance.TooManyDice: 150 dice are too many for exact odds; take at most 100.
    """
    if not isinstance(allowance, Allowance):
        allowance = replace(current(), microseconds=allowance)
    shared = allowance.microseconds
    limits = _limits.set(allowance)
    left = _left.set(None if shared is None else [shared])
    try:
        yield
    finally:
        _left.reset(left)
        _limits.reset(limits)


def within(allowance: Allowance | None) -> AbstractContextManager[None]:
    """`allowing`, where an allowance is given."""
    return _UNCHANGED if allowance is None else allowing(allowance)


def pay(cost: int, axes: str, own: Allowance | None = None) -> None:
    """Charge a count of this cost, in microseconds; `TooManyDice` if that is too much.

    `own` are the limits of the dice themselves, in place of those of the context.
    """
    left = _left.get() if own is None else None
    most = (own or current()).microseconds if left is None else left[0]
    if most is not None and cost > most:
        seconds = {"n": f"{min(cost, 10**18) / 1e6:,.2f}", "most": f"{most / 1e6:,.2f}"}
        raise TooManyDice(Phrase("odds.dear", axes=axes, **seconds))
    if left is not None:
        left[0] -= cost
