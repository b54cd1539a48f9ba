"""The rows of a game: moves with their sentence beside them, limits, accounts, options, and the system they make up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from storypool.asks import Ask
from storypool.bag import Bag
from storypool.dice import Axes, Die, Rolled
from storypool.notation import Notation
from storypool.refusal import Refusal
from storypool.table import Check, Event, Outcome, Side, Table, Value
from storypool.words import Words

if TYPE_CHECKING:
    from storypool.turn import Turn

Roll = Callable[[Die], int]
"""Gives the printed face of one die. Chance is always an argument."""

Condition = Callable[["Turn"], Refusal | None]
"""Gives the reason why not, or None where nothing stands in the way."""

Read = Callable[[Table, Check, tuple[Rolled, ...]], Outcome]
"""Gives what a roll comes to, with the sentence that says so."""

Body = Callable[["Turn"], Iterable[Event]]
Reaction = Callable[["Turn", Event], Iterable[Event]]


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


@dataclass(frozen=True, slots=True)
class Account:
    """A kind of points: a balance of the table or of each character, its bounds, and where what its cap refuses goes.

    `side` spends it. `overflow` names another account, or is "lost" or "refused". `cap` may depend on its owner.
    """

    name: str
    each: Literal["table", "character"] = "table"
    side: Literal["players", "gm", ""] = ""
    cap: int | Callable[[Table, str], int | None] | None = None
    overflow: str = "refused"

    def most(self, table: Table, owner: str) -> int | None:
        """The cap for this owner, or None where there is none."""
        return self.cap(table, owner) if callable(self.cap) else self.cap


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


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a table may choose: its values, and the one it has unless the table says otherwise."""

    key: str
    values: tuple[str, ...]
    default: str
    system: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry on a character's sheet: its key, its label, its group, and the range of its number."""

    key: str
    label: str
    group: str
    low: int = 0
    high: int = 99
    default: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """How a die, a symbol or an account is shown: word, letter, outline, pattern, colour token and glyph."""

    word: str
    plural: str = ""
    letter: str = ""
    outline: str = ""
    pattern: str = "plain"
    colour: str = ""
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A generic panel of the page, bound to asks, traits or balances by name.

    Its title is in the catalogue by its name, which only panels of one kind need: otherwise the kind will do. `words`
    are what it calls the things that it binds, by their names.
    """

    kind: str
    title: str
    binds: Mapping[str, Value] = field(default_factory=dict)
    name: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """A page of the game's reference besides its moves: plain text, a table, or both; `head` names the columns."""

    title: str
    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class System:
    """A game: dice, axes, accounts, moves, reactions, and how a check is read. Everything the core needs to know.

    What says something is made of words: `reader` gives what reads rolls in them, `pages` the notes of the reference.
    Where numbers on dice become symbols by the terms of a check, `bind` gives each single die of its pool, in printed
    order, with the symbols that its faces say in that check.
    """

    key: str
    name: str
    dice: tuple[Die, ...]
    axes: Axes
    notation: Notation
    moves: tuple[Move, ...]
    reader: Callable[[Words], Read]
    words: Words
    accounts: tuple[Account, ...] = ()
    reactions: tuple[tuple[type, Reaction], ...] = ()
    upgrades: Mapping[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    sheet: tuple[Entry, ...] = ()
    look: Mapping[str, Look] = field(default_factory=dict)
    panels: tuple[Panel, ...] = ()
    ready: tuple[Mapping[str, object], ...] = ()
    about: str = ""
    pages: Callable[[System], tuple[Note, ...]] = lambda _: ()
    bind: Callable[[Table, Check], tuple[Die, ...]] | None = None

    @cached_property
    def read(self) -> Read:
        """What a roll comes to, in the words of this game."""
        return self.reader(self.words)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The pages of the reference besides the moves, in the words of this game."""
        return self.pages(self)

    @cached_property
    def by_key(self) -> Mapping[str, Move]:
        """Every move by its key; `ValueError` when two share one."""
        if len({move.key for move in self.moves}) < len(self.moves):
            raise ValueError(f"Two moves of {self.name} share a key.")
        return {move.key: move for move in self.moves}

    @cached_property
    def by_account(self) -> Mapping[str, Account]:
        """Every account by its name."""
        return {account.name: account for account in self.accounts}

    def title(self, key: str) -> str:
        """What a move is called: the first line of its docstring, unless the catalogue has another name for it."""
        return self.words.get(f"title.{key}", self.by_key[key].title)

    def word(self, name: str, n: int = 1) -> str:
        """The word for a die, symbol or account, in the singular or the plural; its own name where it has no look."""
        look = self.look.get(name)
        if look is None:
            return name
        return look.word if n == 1 else look.plural or look.word + "s"

    def choice(self, option: str, value: str) -> str:
        """The word for a value of an option, or for one that many options have; a number stands for itself."""
        return self.words.get(f"option.{option}.{value}") or self.words.get(f"value.{value}", value)

    def group(self, key: str) -> str:
        """The word for a group of entries on a sheet; its key where the catalogue has none."""
        return self.words.get(f"entries.{key}", key)

    def entry(self, key: str) -> str:
        """How an entry of the sheet is called; a name of the player's own stays as it is."""
        return next((entry.label for entry in self.sheet if entry.key == key), key)

    def option(self, table: Table, key: str) -> str:
        """What this table chose for an option, or its default."""
        return table.options.get(key) or next(o.default for o in self.options if o.key == key)
