"""The dice of a game file: their faces, and how a roll is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Rolled
from storypool.engine.notation import Notation
from storypool.gamefile.cards.decks import Deck, decks
from storypool.gamefile.cards.suits import unread_suits
from storypool.gamefile.file_format.expressions import Expression, Scope, Value, as_number
from storypool.gamefile.file_format.readable_names import ACTION
from storypool.gamefile.file_format.schema import (
    DieRow,
    FigureRow,
    GameFile,
    OutcomeRow,
    WheneverRow,
)
from storypool.gamefile.file_rolls.followed_rows import (
    followed_rows,
    left_out,
    read_names,
    terms_in_order,
)
from storypool.words.folding import alike

__all__ = [
    "MOST_ROLLS",
    "MOST_THROWN",
    "RollReading",
    "Rung",
    "SingleDie",
    "TermScope",
    "blanks_of",
]

_BLANK = re.compile(r"\{(\w+)\}")
"""A blank of a sentence."""
NOTHING = Bag()
MOST_ROLLS = 8
"""The most rolls of one die that explodes."""
MOST_THROWN = 20
"""The most dice of a kind thrown or promised at once."""
NO_FACE = 1_000_000
"""A number that no die reaches."""
MOST_BOUND = 64
"""The most cached sets of dice whose faces depend on terms."""
Terms = Mapping[str, Value]
"""The terms that the dice of an action are read by, by name."""


class SingleDie(NamedTuple):
    """One rolled die: its name, its number, and how many sides it has."""

    die: str
    number: int
    sides: int


class Rung(NamedTuple):
    """The result of a roll: its rung of the ladder, and every number read."""

    outcome: OutcomeRow
    net: Bag


class TermScope(Scope):
    """A scope of the terms of an action and the numbers read so far."""

    def __init__(
        self,
        terms: Terms,
        numbers: Mapping[str, int] | None = None,
        pool: Mapping[str, int] | None = None,
    ) -> None:
        self.terms, self.numbers, self.pool = terms, {} if numbers is None else numbers, pool or {}

    def value(self, name: str) -> Value:
        """A number that was read, or a term."""
        if name in self.numbers:
            return self.numbers[name]
        return self.terms.get(name, 0)

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """The number of dice of a kind in the pool."""
        return self.pool.get(about[0], 0)


@dataclass(frozen=True)
class RollReading:
    """How the dice of a game are read."""

    game: GameFile

    @cached_property
    def dice(self) -> tuple[Die, ...]:
        """The dice; where symbols depend on terms, only their numbers."""
        dice = (_die(name, row, None) for name, row in self.game.dice.items())
        return (*dice, *(deck.die for deck in self.decks.values()))

    @cached_property
    def decks(self) -> Mapping[str, Deck]:
        """The decks of cards by name; each is one of the dice."""
        return decks(self.game.deck)

    def number(self, die: str, face: int) -> int:
        """The number of a face: the value of a card, else what is printed on the die."""
        return self.decks[die].card(face).value if die in self.decks else face

    @cached_property
    def by_name(self) -> Mapping[str, Die]:
        """The dice by name."""
        return {die.name: die for die in self.dice}

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The place of each die among the dice."""
        return {die.name: n for n, die in enumerate(self.dice)}

    def sized(self, sides: int) -> str:
        """The numbered die with the most sides up to this many, the first of equal ones, or ""."""
        fitting = [
            (row.sides, name) for name, row in self.game.dice.items() if 0 < row.sides <= sides
        ]
        return max(fitting, key=lambda one: one[0])[1] if fitting else ""

    @cached_property
    def bound(self) -> Mapping[str, tuple[str, ...]]:
        """The terms that the symbols of dice depend on, by the names of those dice."""
        return {name: terms for name, row in self.game.dice.items() if (terms := _terms_of(row))}

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The symbols, in the order of first mention."""
        faces = (
            symbol
            for row in self.game.dice.values()
            for face in row.faces
            for symbol in face.split()
        )
        shown = (symbol for row in self.game.dice.values() for symbol in row.shows)
        cards = (one for deck in self.decks.values() for one in deck.cards)
        on_cards = (symbol for one in cards for symbol in one.symbols)
        return tuple(dict.fromkeys([*self.game.symbols, *faces, *shown, *on_cards]))

    @cached_property
    def axes(self) -> Axes:
        """How symbols cancel. Only numbers read off symbols are axes, of suits those that count."""
        below = {row.opposite: name for name, row in self.game.symbols.items() if row.opposite}
        idle = unread_suits(self.game)
        moves = {symbol: Bag({symbol: symbol not in idle}) for symbol in self.symbols}
        for opposite, name in below.items():
            if opposite in moves:
                moves[opposite] = Bag({name: -1})
        return Axes(moves, {axis: symbol for symbol, axis in below.items()})

    @cached_property
    def axis_names(self) -> tuple[str, ...]:
        """The axes, in order of first mention."""
        return self.axes.names

    @cached_property
    def _none(self) -> Mapping[str, int]:
        return dict.fromkeys(self.axis_names, 0)

    def to_spend(self, net: Bag) -> Bag:
        """The symbols of a roll that can be spent."""
        if not self.game.action.spends:
            return NOTHING
        return self.axes.named(net.only(self.axis_names)).only(self.game.action.spends)

    @cached_property
    def notation(self) -> Notation:
        """The notation of pools."""
        helping = (
            *(name for name, row in self.game.dice.items() if not row.hinders),
            *self.game.deck,
        )
        hindering = tuple(name for name, row in self.game.dice.items() if row.hinders)
        rows = self.game.pool_dice
        letters = {row.letter: name for name, row in rows.items() if row.letter}
        words = {alike(row.word): name for name, row in rows.items()}
        plural = {alike(row.plural): name for name, row in rows.items()}
        both = {word: name for word, name in {**words, **plural}.items() if word.isalpha()}
        known = {word: name for word, name in both.items() if word not in rows}
        schemes = {"letters": letters} if letters else {}
        return Notation(helping, hindering, schemes, words=known)

    @cached_property
    def figures(self) -> Mapping[str, FigureRow]:
        """The numbers that are read off single dice."""
        return self.game.action.figures

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Every number that a reading gives: symbols left over, figures, and counts."""
        return (*self.axis_names, *self.figures, *self.game.action.counts)

    @cached_property
    def blanks(self) -> Mapping[str, tuple[str, ...]]:
        """The blanks in the sentence of each rung, by the key of the rung."""
        return {one.key: blanks_of(one.words) for one in self.game.outcome}

    @cached_property
    def passing(self) -> str:
        """The name of the chance to succeed among the rungs: "pass", unless a rung has it."""
        keys = {one.key for one in self.game.outcome}
        return next(name for name in ("pass", "passed", "any pass") if name not in keys)

    def pool_of(self, throw: Mapping[str, Expression], known: Scope) -> Bag:
        """The dice that a row throws; any other name stands for the die of its size."""
        found = Bag()
        for name, n in throw.items():
            die = name if name in self.by_name else self.sized(as_number(known.value(name)))
            if die:
                found += Bag({die: max(0, min(MOST_THROWN, n.number(known)))})
        return found

    def base_pool(self, known: Scope) -> Bag:
        """The dice of an action by its answers, before any move."""
        action = self.game.action
        base = Bag(
            {die: max(0, min(action.most, n.number(known))) for die, n in action.pool.items()}
        )
        sizes = (known.value(name) for name in action.sized)
        return base + Bag(filter(None, (self.sized(as_number(n)) for n in sizes)))

    @cached_property
    def terms(self) -> frozenset[str]:
        """The names of the terms that decide how dice are read."""
        rows = self.game
        read = [one for die in rows.dice.values() for one in die.shows.values()]
        read += [*rows.action.counts.values(), *(one.when for one in rows.outcome if one.when)]
        named = {name for one in read for name in one.names} | {
            name for one in self.blanks.values() for name in one
        }
        named |= read_names(rows, self.followed)
        asked = {ask.name for ask in rows.action.asks}
        key = {ACTION} if rows.action.key else set()
        return frozenset(named & {*asked, *rows.action.terms} | key)

    @cached_property
    def terms_in_order(self) -> Mapping[str, Expression]:
        """The terms of the action, each after those that it is made of."""
        return terms_in_order(self.game)

    @cached_property
    def followed(self) -> tuple[WheneverRow, ...]:
        """The rows on `rolled` that odds follow."""
        return followed_rows(self.game, self.numbers)

    @cached_property
    def left_out(self) -> str:
        """The part after a roll that its odds leave out: `placed`, `thrown`, `rolled`, or ""."""
        if self.several_places:
            return "placed"
        return left_out(self.game, self.followed, self.terms)

    @cached_property
    def _choices(self) -> Mapping[str, list[str]]:
        return {ask.name: list(ask.choices) for ask in self.game.action.asks if ask.choices}

    def place(self, name: str, value: object) -> int:
        """The number of a term's value; that of a choice is its place on the list."""
        if (choices := self._choices.get(name)) is not None:
            return choices.index(str(value)) if str(value) in choices else 0
        return value if isinstance(value, int) else 0

    def shifted(self, name: str, value: object, n: int) -> Value:
        """The value of a term moved by `n`, a choice along its list."""
        place = self.place(name, value) + n
        if (choices := self._choices.get(name)) is not None:
            return choices[max(0, min(len(choices) - 1, place))]
        return place

    def die(self, name: str, terms: Terms) -> Die:
        """A die with the symbols of its faces under these terms."""
        if name not in self.bound:
            return self.by_name[name]
        return self._bound_die(name, tuple((term, terms.get(term, 0)) for term in self.bound[name]))

    @cached_property
    def _bound_die(self) -> Callable[[str, tuple[tuple[str, Value], ...]], Die]:
        return lru_cache(maxsize=MOST_BOUND)(
            lambda name, terms: _die(name, self.game.dice[name], dict(terms))
        )

    @cached_property
    def explodes(self) -> Mapping[str, tuple[int, ...]]:
        """The faces on which dice explode, by the names of those dice."""
        return {name: row.explodes for name, row in self.game.dice.items() if row.explodes}

    def rolls_on(self, rolls: Sequence[Rolled]) -> bool:
        """Whether a die with these rolls is rolled once more."""
        last = rolls[-1]
        return last.face in self.explodes.get(last.die, ()) and len(rolls) < MOST_ROLLS

    def by_die(self, rolled: Iterable[Rolled], pool: Mapping[str, int]) -> list[tuple[Rolled, ...]]:
        """The rolls of each die of a thrown pool, whose further rolls follow its first.

        Where a kind has no more rolls than dice, none of them rolled on.
        """
        rolled = tuple(rolled)
        if not self.explodes:
            return [(one,) for one in rolled]
        counts, found = Counter(one.die for one in rolled), list[list[Rolled]]()
        for one in rolled:
            last = found[-1] if found else None
            more = counts[one.die] > pool.get(one.die, 0)
            if last and last[-1].die == one.die and more and self.rolls_on(last):
                last.append(one)
            else:
                found.append([one])
        return [tuple(rolls) for rolls in found]

    def single_dice(self, rolls: Iterable[Sequence[Rolled]]) -> list[SingleDie]:
        """Each die by its rolls, with their sum as its number."""
        found = []
        for one in rolls:
            die = self.by_name[one[0].die]
            number = sum(self.number(roll.die, roll.face) for roll in one)
            found.append(SingleDie(die.name, number, die.sides))
        return found

    def is_empty(self, pool: Mapping[str, int]) -> bool:
        """Whether the pool has no dice, so that something else is rolled."""
        return self.game.action.empty is not None and not any(pool.values())

    def thrown(self, pool: Mapping[str, int]) -> Bag:
        """The dice that are rolled for a pool."""
        empty = self.game.action.empty
        if empty is not None and self.is_empty(pool):
            return Bag(empty.roll)
        return Bag(pool)

    def figures_of(self, empty: bool) -> Mapping[str, FigureRow]:
        """The figures that are read, those of the empty pool where it is one."""
        row = self.game.action.empty
        if empty and row is not None:
            return {**self.figures, **row.figures}
        return self.figures

    @property
    def several_places(self) -> bool:
        """Whether figures read several places, so that none has a die before a player's choice."""
        return len(self.game.action.places) > 1

    def figures_of_odds(self, empty: bool) -> Mapping[str, FigureRow]:
        """The figures that odds read: nothing at places where a player has yet to put dice."""
        figures = self.figures_of(empty)
        if not self.several_places:
            return figures
        none = {name: replace(row, over=NO_FACE) for name, row in figures.items() if row.at}
        return {**figures, **none}

    def result(
        self,
        rolled: Iterable[Rolled],
        terms: Terms,
        pool: Mapping[str, int],
        more: Mapping[str, int] | None = None,
        placed: Mapping[str, tuple[int, ...]] | None = None,
    ) -> Rung:
        """The result of the dice of a pool, with `more` symbols; `placed` are its dice by place."""
        dice, rolled = self.by_name, tuple(rolled)
        if self.bound:
            names = {one.die for one in rolled}
            dice = {name: self.die(name, terms) for name in names}
        symbols = dict(more or {})
        for one in rolled:
            for symbol, n in dice[one.die].face(one.face).items():
                symbols[symbol] = symbols.get(symbol, 0) + n
        found = dict[str, int]()
        if figures := self.figures_of(self.is_empty(pool)):
            shown = self.single_dice(self.by_die(rolled, self.thrown(pool)))
            for name, row in figures.items():
                there = (placed or {}).get(row.at, ())
                if row.at and (there or self.several_places):
                    found[name] = figure(row, [shown[n] for n in there if n < len(shown)])
                else:
                    found[name] = figure(row, shown)
        net = self.axes.net(symbols)
        numbers = self.read_numbers({**self._none, **dict(net.items()), **found}, terms, pool)
        return Rung(self.outcome(numbers, terms, pool), Bag(numbers))

    def sentence(self, rung: Rung, terms: Terms, text: str) -> str:
        """The sentence of a rung, its blanks filled with numbers and terms."""
        if "{" not in text:
            return text
        known = {name: str(value) for name, value in terms.items()} | {
            name: str(rung.net[name]) for name in self.numbers
        }
        return _BLANK.sub(lambda blank: known.get(blank[1], blank[0]), text)

    @cached_property
    def counted_terms(self) -> tuple[str, ...]:
        """The terms that counts read."""
        read = {name for one in self.game.action.counts.values() for name in one.names}
        return tuple(sorted(read & self.terms))

    def read_numbers(
        self, numbers: dict[str, int], terms: Terms, pool: Mapping[str, int]
    ) -> dict[str, int]:
        """Every number read where these are the numbers of the axes and the figures."""
        scope = TermScope(terms, numbers, pool)
        for name, count in self.game.action.counts.items():
            numbers[name] = count.number(scope)
        return {name: numbers[name] for name in self.numbers}

    def outcome(
        self, numbers: Mapping[str, int], terms: Terms, pool: Mapping[str, int]
    ) -> OutcomeRow:
        """The first rung that holds for these numbers, else the last."""
        scope, rungs = TermScope(terms, numbers, pool), self.game.outcome
        return next((one for one in rungs if one.when is None or one.when.holds(scope)), rungs[-1])


def figure(row: FigureRow, shown: Sequence[SingleDie]) -> int:
    """The number that this figure reads off dice; 0 without dice.

    >>> dice = [SingleDie("d6", 4, 6), SingleDie("d8", 7, 8), SingleDie("d10", 2, 10)]
    >>> rows = FigureRow(highest=2), FigureRow(lowest=1), FigureRow(next=1), FigureRow(left=2)
    >>> [figure(row, dice) for row in rows]
    [11, 2, 4, 10]
    >>> duel = FigureRow(of=("d6",), against=("d8",))
    >>> [figure(duel, [SingleDie("d6", n, 6), SingleDie("d8", 4, 8)]) for n in (3, 4, 5)]
    [-1, 0, 1]
    >>> figure(FigureRow(lowest=2, over=2), dice)
    11
    """
    if row.against:
        mine, theirs = (_falling(shown, kinds, row.over) for kinds in (row.of, row.against))
        return (mine > theirs) - (mine < theirs)
    counted = [one for one in shown if counts(row, one)]
    numbers = sorted((one.number for one in counted), reverse=True)
    if row.highest:
        return sum(numbers[: row.highest])
    if row.lowest:
        return sum(numbers[-row.lowest :])
    if row.next:
        if len(numbers) > row.next:
            return numbers[row.next]
        return 0
    rest = sorted(counted, key=lambda one: (-one.number, one.sides))[row.left :]
    return max((one.sides for one in rest if one.number > 1), default=0)


def _falling(shown: Iterable[SingleDie], kinds: tuple[str, ...], over: int) -> list[int]:
    """The numbers of the dice of these kinds above a number, the highest first."""
    numbers = (one.number for one in shown if one.die in kinds and one.number > over)
    return sorted(numbers, reverse=True)


def blanks_of(sentence: str) -> tuple[str, ...]:
    """The names of the blanks of a sentence."""
    return tuple(_BLANK.findall(sentence))


def counts(row: FigureRow, one: SingleDie) -> bool:
    """Whether a figure counts this die."""
    return one.number > row.over and (not row.of or one.die in row.of)


def _terms_of(row: DieRow) -> tuple[str, ...]:
    return tuple(sorted({name for shown in row.shows.values() for name in shown.names} - {"face"}))


def _die(name: str, row: DieRow, terms: Terms | None) -> Die:
    if row.faces:
        return Die(name, tuple(Bag(face.split()) for face in row.faces))
    if terms is None and _terms_of(row):
        return Die(name, (Bag(),) * row.sides)
    return Die(name, tuple(_face(row.shows, terms or {}, n) for n in range(1, row.sides + 1)))


def _face(shows: Mapping[str, Expression], terms: Terms, n: int) -> Bag:
    scope = TermScope(terms, {"face": n})
    return Bag({symbol: max(0, shown.number(scope)) for symbol, shown in shows.items()})
