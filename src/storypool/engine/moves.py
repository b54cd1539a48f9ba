"""The moves of a game: each is a row of the book's table, with its rule as a generator of events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

from storypool.engine.asks import Ask
from storypool.engine.bag import Bag
from storypool.engine.events import Event
from storypool.engine.refusal import Refusal
from storypool.engine.table import NO_POINTS, NOTHING, Points, Side, Use
from storypool.engine.turn import Turn

__all__ = ["Body", "Condition", "Held", "Limit", "Move", "Reaction", "move", "moves_of"]

Condition = Callable[[Turn], Refusal | None]
"""Returns the refusal, or None if the condition holds."""

Body = Callable[[Turn], Iterable[Event]]
"""What a move does: from the turn of whoever makes it to its events."""

Reaction = Callable[[Turn, Event], Iterable[Event]]
"""What follows whenever an event of a kind happens: from the turn and that event to more events."""

Price = Points | Bag
"""What a move costs; the names in a bag are accounts of the table."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `n` uses of a group in each scope.

    A scope is "check", "seat" (all game masters count as one), "side", "actor", or a period such as "session" or
    "scene". If no action is open, a limit per check or actor does not apply. `check` is the id of an action that the
    move itself opens.
    """

    group: str
    per: tuple[str, ...]
    n: int = 1
    check: str = ""

    def use(self, turn: Turn) -> Use | None:
        """Return what is counted if this move is made now, or None if the limit does not apply."""
        scopes = list[tuple[str, str]]()
        for scope in self.per:
            check = turn.check
            if scope == "check" and self.check:
                scopes.append(("check", self.check))
            elif scope == "check" or scope == "actor":
                if check is None:
                    return None
                scopes.append((scope, check.id if scope == "check" else check.actor))
            elif scope == "seat":
                scopes.append((scope, "@gm" if turn.seat.side == "gm" else turn.seat.id))
            elif scope == "side":
                scopes.append((scope, turn.seat.side))
            else:
                scopes.append((scope, str(turn.table.periods[scope])))
        return Use(self.group, tuple(scopes))

    def used(self, turn: Turn) -> int:
        """Return how often this limit's group has been used in its scope."""
        if not any(use.group == self.group for use in turn.table.uses):
            return 0
        use = self.use(turn)
        return turn.table.uses[use] if use else 0


class Held(NamedTuple):
    """What a proposal holds of the open roll until it is answered: symbols (`left`), and points that it owes."""

    left: Bag = NOTHING
    owed: Bag = NOTHING


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A row of the book's table, with its rule as the body. Made by the decorator `move`.

    `holds` says what a proposal of this move takes from the open roll until it is answered; the body, which takes it
    for good, runs only when the proposal is accepted. `caution` says what a seat should know before it makes the move.
    """

    key: str
    body: Body
    title: str
    by: tuple[Side, ...]
    when: Condition | None = None
    window: Condition | None = None
    price: Callable[[Turn], Price] | None = None
    limits: Callable[[Turn], tuple[Limit, ...]] | None = None
    only_if: tuple[Condition, ...] = ()
    asks: tuple[Ask, ...] = ()
    approval: Callable[[Turn], bool] | None = None
    rule: str = ""
    group: str = ""
    holds: Callable[[Turn], Held] | None = None
    caution: Callable[[Turn], str] | None = None

    def cost(self, turn: Turn) -> Points:
        """Return what the move costs at present."""
        return _points(self.price(turn)) if self.price else NO_POINTS


def move(
    key: str,
    *,
    by: Iterable[Side] = ("player", "gm"),
    when: Condition | None = None,
    window: Condition | None = None,
    price: Price | Callable[[Turn], Price] | None = None,
    limit: Limit | tuple[Limit, ...] | Callable[[Turn], tuple[Limit, ...]] = (),
    only_if: Iterable[Condition] = (),
    asks: Iterable[Ask] = (),
    approval: Callable[[Turn], bool] | None = None,
    rule: str = "",
    group: str = "",
    holds: Callable[[Turn], Held] | None = None,
    caution: Callable[[Turn], str] | None = None,
) -> Callable[[Body], Move]:
    """Return a decorator that turns a generator of events into a `Move`; its docstring's first line is the title.

    `ValueError` if the generator has no docstring.
    """

    def row(body: Body) -> Move:
        title = (body.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        if not title:
            raise ValueError(f"The move {key} needs a docstring: its first line is the title on every button.")
        fixed = (limit,) if isinstance(limit, Limit) else limit
        paid = _points(price) if isinstance(price, (Points, Bag)) else NO_POINTS
        return Move(
            key,
            body,
            title,
            tuple(by),
            when,
            window,
            price if callable(price) or price is None else (lambda _: paid),
            fixed if callable(fixed) else (lambda _: fixed) if fixed else None,
            tuple(only_if),
            tuple(asks),
            approval,
            rule,
            group or key.partition(".")[0],
            holds,
            caution,
        )

    return row


def _points(price: Price) -> Points:
    return price if isinstance(price, Points) else Points.of_the_table(price)


def moves_of(*modules: ModuleType) -> tuple[Move, ...]:
    """Return every move that these modules define, in the order of the source."""

    def defined(module: ModuleType) -> Iterator[Move]:
        for row in vars(module).values():
            if isinstance(row, Move) and row.body.__module__ == module.__name__:
                yield row

    return tuple(row for module in modules for row in defined(module))
