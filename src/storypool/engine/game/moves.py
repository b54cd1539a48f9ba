"""The moves of a game: each a row of the book's table, with its rule as a generator of events."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload

from storypool.engine.bag import NO_POINTS, Bag, Points
from storypool.engine.events import Event
from storypool.engine.game.asks import Ask
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refusal
from storypool.engine.sight import check_in_sight
from storypool.engine.table import NOTHING, Check, Seat, Side, Table, Use
from storypool.words import BadValue

__all__ = [
    "FIRST",
    "LAST",
    "Body",
    "Condition",
    "Events",
    "Held",
    "Limit",
    "Move",
    "Spot",
    "Whenever",
    "Worded",
]
__all__ += ["at", "gm_move", "move", "moves_of", "placed", "reactions_of", "whenever", "worded"]

Condition = Callable[[Turn], Refusal | None]
"""Returns the refusal, or None if the condition holds."""

Events = Iterator[Event]
"""The effects of a rule, as its generator yields them."""

Body = Callable[[Turn], Iterable[Event]]
"""The effects of a move: a function of the turn of its seat that yields events."""

Reaction = Callable[[Turn, Event], Iterable[Event]]
"""The effects of an event of a kind: a function of the turn and the event that yields events."""

One = TypeVar("One")
Other = TypeVar("Other")
"""Kinds of events."""

Price = Points | Bag
"""The price of a move; the names in a bag are accounts of the table."""

Given = TypeVar("Given", covariant=True)


@dataclass(frozen=True, slots=True)
class Worded(Generic[Given]):
    """A price or a limit that a function works out, with its words for the page of the rules.

    >>> Worded("1 Dread for each die", lambda n: Bag(dread=n))(2)
    Bag(dread=2)
    """

    words: str
    of: Callable[..., Given]

    def __call__(self, *args: Any, **named: Any) -> Given:
        return self.of(*args, **named)


def worded(words: str) -> Callable[[Callable[..., Given]], Worded[Given]]:
    """A decorator that gives a price or a limit its words for the page of the rules."""
    return lambda of: Worded(words, of)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `n` uses of a group in each scope.

    A scope is "check", "seat" (all game masters count as one), "side", "actor", or a period such as
    "session" or "scene". If no action is open, a limit per check or actor does not apply. `check`
    is the id of an action that the move itself opens.
    """

    group: str
    per: tuple[str, ...]
    n: int = 1
    check: str = ""

    def use(self, turn: Turn) -> Use | None:
        """The use to count if this move is made now, or None if the limit does not apply."""
        return self._use(turn.table, turn.seat, self._check(turn))

    def used(self, turn: Turn) -> int:
        """The number of uses of this limit's group in its scope."""
        return self._used(turn.table, turn.seat, self._check(turn))

    def used_by(self, table: Table, seat: Seat, check: str) -> int:
        """The number of uses in the scope of this seat, in the action with this id."""
        return self._used(table, seat, check_in_sight(table, seat, check))

    def _check(self, turn: Turn) -> Check | None:
        """The open action, if it is counted there."""
        counted = ("check" in self.per and not self.check) or "actor" in self.per
        return turn.check if counted else None

    def _used(self, table: Table, seat: Seat, check: Check | None) -> int:
        if not any(use.group == self.group for use in table.uses):
            return 0
        use = self._use(table, seat, check)
        if use is None:
            return 0
        return sum(n for one, n in table.uses.items() if one.counts_as(use))

    def _use(self, table: Table, seat: Seat, check: Check | None) -> Use | None:
        scopes = list[tuple[str, str]]()
        for scope in self.per:
            if scope == "check" and self.check:
                scopes.append(("check", self.check))
            elif scope in ("check", "actor"):
                if check is None:
                    return None
                scopes.append((scope, check.id if scope == "check" else check.actor))
            elif scope == "seat":
                scopes.append((scope, "@gm" if seat.side == "gm" else seat.id))
            elif scope == "side":
                scopes.append((scope, seat.side))
            else:
                scopes.append((scope, str(table.periods[scope])))
        return Use(self.group, tuple(scopes))


class Held(NamedTuple):
    """A proposal's claim on the open roll until its answer: symbols (`left`), and points owed."""

    left: Bag = NOTHING
    owed: Bag = NOTHING


class Spot(NamedTuple):
    """A move's place on the page: its panel, and its order in it. Made by `at`.

    >>> at("actions", LAST), at("scene", FIRST).order
    (Spot(panel='actions', order=99, row=False), 0)
    """

    panel: str
    order: int
    row: bool


FIRST = 0
"""The order of a move that comes before all others in its panel."""
LAST = 99
"""The order of a move that comes after all others in its panel."""


def at(panel: str, order: int = 50, row: bool = False) -> Spot:
    """A place of a move: its panel, and its order in it from `FIRST` to `LAST`.

    Ties keep source order. A panel is named by its kind (actions, menu, primary, setup, slots), and
    a drawer by its own name.

    A `row` of a menu stays there when it is closed, with its price and the reason.
    """
    return Spot(panel, order, row)


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A row of the book's table, with its rule as the body. Made by the decorator `move`.

    `holds` returns what a proposal of this move takes from the open roll until it is answered; the
    body, which takes it for good, runs only when the proposal is accepted. `caution` returns what a
    seat should know before the move; `ends` what the move would end for others, which a front end
    asks about once more; `shown_as` a title that says what it would do now; each of them "" for
    nothing. `approval` returns whether the GM has to agree first, or the id of the character whose
    player has to. With `loss` it accepts something bad, such as a hit: a front end does not
    recommend it. One that is `aside` is not part of the story, as a note is: no undo takes it back.
    """

    key: str
    body: Body
    title: str
    by: tuple[Side, ...]
    when: Condition | None = None
    _: KW_ONLY
    window: Condition | None = None
    price: Points | Worded[Price] | None = None
    limits: tuple[Limit, ...] | Worded[tuple[Limit, ...]] = ()
    only_if: tuple[Condition, ...] = ()
    asks: tuple[Ask, ...] = ()
    approval: Callable[[Turn], bool | str] | None = None
    rule: str = ""
    group: str = ""
    holds: Callable[[Turn], Held] | None = None
    caution: Callable[[Turn], str] | None = None
    places: tuple[Spot, ...] = ()
    shown_as: Callable[[Turn], str] | None = None
    ends: Callable[[Turn], str] | None = None
    loss: bool = False
    aside: bool = False

    def cost(self, turn: Turn) -> Points:
        """The current price."""
        price = self.price(turn) if callable(self.price) else self.price
        return NO_POINTS if price is None else _points(price)

    def limits_now(self, turn: Turn) -> tuple[Limit, ...]:
        """The limits of the move at present."""
        return self.limits(turn) if callable(self.limits) else self.limits

    @property
    def about(self) -> str:
        """The docstring of the rule below its title, one line for each paragraph."""
        paragraphs = inspect.cleandoc(self.body.__doc__ or "").split("\n\n")[1:]
        return "\n\n".join(" ".join(one.split()) for one in paragraphs)

    def title_now(self, turn: Turn) -> str:
        """The title of the move as it would be made at present."""
        return (self.shown_as(turn) if self.shown_as else "") or turn.title


def move(
    key: str,
    *,
    by: Iterable[Side] = ("player", "gm"),
    when: Condition | None = None,
    window: Condition | None = None,
    price: Price | Worded[Price] | None = None,
    limit: Limit | tuple[Limit, ...] | Worded[tuple[Limit, ...]] = (),
    only_if: Iterable[Condition] = (),
    asks: Iterable[Ask] = (),
    approval: Callable[[Turn], bool | str] | None = None,
    rule: str = "",
    group: str = "",
    holds: Callable[[Turn], Held] | None = None,
    caution: Callable[[Turn], str] | None = None,
    shown_as: Callable[[Turn], str] | None = None,
    ends: Callable[[Turn], str] | None = None,
    loss: bool = False,
    aside: bool = False,
    place: Spot | tuple[Spot, ...] = (),
) -> Callable[[Body], Move]:
    """A decorator that makes a `Move` of a generator of events.

    The first line of its docstring is the title.

    `place` is where it is on the page.

    `ValueError` if the generator has no docstring.
    """

    def row(body: Body) -> Move:
        title = (body.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        if not title:
            raise BadValue(
                f"The move {key} needs a docstring: its first line is the title on every button."
            )
        fixed = (limit,) if isinstance(limit, Limit) else limit
        paid = price if price is None or callable(price) else _points(price)
        return Move(
            key,
            body,
            title,
            by=tuple(by),
            when=when,
            window=window,
            price=paid,
            limits=fixed,
            only_if=tuple(only_if),
            asks=tuple(asks),
            approval=approval,
            rule=rule,
            group=group or key.partition(".")[0],
            holds=holds,
            caution=caution,
            places=(place,) if isinstance(place, Spot) else place,
            shown_as=shown_as,
            ends=ends,
            loss=loss,
            aside=aside,
        )

    return row


gm_move = partial(move, by=["gm"])
"""`move` for a move of the GM alone."""


@dataclass(frozen=True, slots=True)
class Whenever:
    """The effects of every event of some kinds. Made by the decorator `whenever`."""

    kinds: tuple[type, ...]
    body: Reaction


@overload
def whenever(
    kind: type[One], /
) -> Callable[[Callable[[Turn, One], Iterable[Event]]], Whenever]: ...


@overload
def whenever(
    kind: type[One], other: type[Other], /
) -> Callable[[Callable[[Turn, One | Other], Iterable[Event]]], Whenever]: ...


@overload
def whenever(kind: type, other: type, third: type, /) -> Callable[[Reaction], Whenever]: ...


def whenever(*kinds: type) -> Callable[[Callable[[Turn, Any], Iterable[Event]]], Whenever]:
    """A decorator that makes a rule of a generator of events: it runs at every such event."""

    def rule(body: Reaction) -> Whenever:
        return Whenever(kinds, body)

    return rule


def _points(price: Price) -> Points:
    # `isinstance` is slow for both: they are mappings with an abstract base.
    return Points.of_the_table(price) if type(price) is Bag else cast(Points, price)


def moves_of(*modules: ModuleType) -> tuple[Move, ...]:
    """Every move that these modules define, in the order of the source."""
    return tuple(_defined(Move, modules))


def placed(moves: Iterable[Move], places: Mapping[str, Spot]) -> tuple[Move, ...]:
    """These moves with the places in `places`, by key, so a game can place the house's moves."""
    found = []
    for move in moves:
        found.append(replace(move, places=(places[move.key],)) if move.key in places else move)
    return tuple(found)


def reactions_of(*modules: ModuleType) -> tuple[tuple[type, Reaction], ...]:
    """Every rule that these modules define with `whenever`, in source order, by kind of event."""
    return tuple((kind, rule.body) for rule in _defined(Whenever, modules) for kind in rule.kinds)


Row = TypeVar("Row", Move, Whenever)


def _defined(kind: type[Row], modules: Iterable[ModuleType]) -> Iterator[Row]:
    for module in modules:
        for row in vars(module).values():
            if isinstance(row, kind) and row.body.__module__ == module.__name__:
                yield row
