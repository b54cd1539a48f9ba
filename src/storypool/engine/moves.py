"""The moves of a game: a row of the book's table, with the sentence beside it as a generator of events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType

from storypool.engine.asks import Ask
from storypool.engine.bag import Bag
from storypool.engine.events import Event
from storypool.engine.refusal import Refusal
from storypool.engine.table import Side
from storypool.engine.turn import Turn

Condition = Callable[[Turn], Refusal | None]
"""Gives the reason why not, or None where nothing stands in the way."""

Body = Callable[[Turn], Iterable[Event]]

Reaction = Callable[[Turn, Event], Iterable[Event]]


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `n` uses of a group in each scope: of "check", "seat" (all game masters are one), "side", "actor",
    or a period such as "session" or "scene". Where a scope does not exist just now, the limit does not bind.
    `check` names an action that is only being opened.
    """

    group: str
    per: tuple[str, ...]
    n: int = 1
    check: str = ""

    def counter(self, turn: Turn) -> str | None:
        """The name under which the uses are counted, or None where the limit does not bind."""
        scopes = [self.group]
        for scope in self.per:
            check = turn.check
            if scope == "check" and self.check:
                scopes.append(f"check={self.check}")
            elif scope == "check" or scope == "actor":
                if check is None:
                    return None
                scopes.append(f"check={check.id}" if scope == "check" else f"actor={check.actor}")
            elif scope == "seat":
                scopes.append(f"seat={'@gm' if turn.seat.side == 'gm' else turn.seat.id}")
            elif scope == "side":
                scopes.append(f"side={turn.seat.side}")
            else:
                scopes.append(f"{scope}={turn.table.periods[scope]}")
        return "/".join(scopes) + "/"

    def used(self, turn: Turn) -> int:
        """How often this limit's group has been used in its scope."""
        counter = self.counter(turn)
        return turn.table.made[counter] if counter else 0


@dataclass(frozen=True, slots=True)
class Move:
    """A row of the book's table, with the sentence beside it as its body. Made with the decorator `move`."""

    key: str
    body: Body
    title: str
    by: tuple[Side, ...]
    when: Condition | None = None
    window: Condition | None = None
    price: Callable[[Turn], Bag] | None = None
    limits: Callable[[Turn], tuple[Limit, ...]] | None = None
    only_if: tuple[Condition, ...] = ()
    asks: tuple[Ask, ...] = ()
    approval: Callable[[Turn], bool] | None = None
    rule: str = ""
    group: str = ""

    def cost(self, turn: Turn) -> Bag:
        """What the move costs as things stand."""
        return self.price(turn) if self.price else Bag()


def move(
    key: str,
    *,
    by: Iterable[Side] = ("player", "gm"),
    when: Condition | None = None,
    window: Condition | None = None,
    price: Bag | Callable[[Turn], Bag] | None = None,
    limit: Limit | tuple[Limit, ...] | Callable[[Turn], tuple[Limit, ...]] = (),
    only_if: Iterable[Condition] = (),
    asks: Iterable[Ask] = (),
    approval: Callable[[Turn], bool] | None = None,
    rule: str = "",
    group: str = "",
) -> Callable[[Body], Move]:
    """A decorator that makes a `Move` of a generator of events; the first line of its docstring is the title."""

    def made(body: Body) -> Move:
        title = (body.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        if not title:
            raise ValueError(f"The move {key} needs a docstring: its first line is the title on every button.")
        fixed = (limit,) if isinstance(limit, Limit) else limit
        return Move(
            key,
            body,
            title,
            tuple(by),
            when,
            window,
            price if callable(price) or price is None else (lambda _: price),
            fixed if callable(fixed) else (lambda _: fixed) if fixed else None,
            tuple(only_if),
            tuple(asks),
            approval,
            rule,
            group or key.partition(".")[0],
        )

    return made


def moves_of(*modules: ModuleType) -> tuple[Move, ...]:
    """Every move that these modules define, in the order in which they stand there."""

    def defined(module: ModuleType) -> Iterator[Move]:
        for row in vars(module).values():
            if isinstance(row, Move) and row.body.__module__ == module.__name__:
                yield row

    return tuple(row for module in modules for row in defined(module))
