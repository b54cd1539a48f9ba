"""Dice: faces with symbols, adding and cancelling of symbols, modified pools, and rolling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NoReturn

from storypool.engine.bag import Bag, Multiset
from storypool.words import BadValue, StorypoolError

MAX_SIDES = 100_000
"""The most sides of a numbered die."""

__all__ = [
    "Axes",
    "Die",
    "Handful",
    "Misused",
    "Mod",
    "Pile",
    "Rolled",
    "UnknownDie",
    "UnknownSymbol",
    "d",
    "derive",
    "roll",
    "symbols",
]


class Misused(StorypoolError, TypeError):
    """A value of the wrong kind; the sentence gives what was expected, received and to write."""


class UnknownSymbol(StorypoolError, KeyError):
    """A symbol that moves no axis; the sentence names those that do."""


class UnknownDie(StorypoolError, KeyError):
    """A die that a game does not have; the sentence names those that it has."""


@dataclass(frozen=True, slots=True, init=False)
class Die:
    """A die: its name and its faces, in printed order; a face is a bag of symbols.

    A face may be given as a dict of symbols and their numbers, or as a list of symbols. Each has
    the same chance; a likelier one is listed repeatedly. `first` is the number printed on the first
    face: 1, or 0 for a ten-sided die read 0 to 9. `n @ die` and `die + die` are handfuls.
    `ValueError` for a die without faces.

    >>> coin = Die("coin", [{}, {"heads": 1}])
    >>> coin.face(2)
    Bag(heads=1)
    >>> sorted((3 @ coin + d(6)).values())
    [1, 3]
    """

    name: str
    faces: tuple[Bag, ...]
    first: int = 1

    def __init__(
        self, name: str, faces: Iterable[Mapping[str, int] | Iterable[str]], first: int = 1
    ) -> None:
        # Games give dice in this form already, so checks of other forms may be slow.
        if type(faces) is not tuple or not faces or not all(type(face) is Bag for face in faces):
            faces = _faces(name, faces)
        if not (_is(str, name) and _is(int, first)):
            raise Misused(
                f"A die has a name and a whole number as its first, not {described(name)} and"
                f" {described(first)}."
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "first", first)

    def __hash__(self) -> int:
        # Equal dice agree in these, and hashing every face would take longer than a small pool.
        return hash((self.name, self.first, len(self.faces)))

    def __rmatmul__(self, n: int) -> Handful:
        """A handful of n of this die."""
        if not _is(int, n) or n < 0:
            raise Misused(f"A handful has 0 or more dice, as in 3 @ die, not {described(n)}.")
        return Handful({self: n})

    def __add__(self, other: Die | Mapping[Die, int]) -> Handful:
        """This die and another, or this die and a handful."""
        return Handful((self,)) + other

    def __mul__(self, other: object) -> NoReturn:
        raise Misused(
            f"A die times {described(other)} could be two things: 3 @ die is a handful of three, "
            "and 3 * odds(die) is what one shows, times 3."
        )

    __rmul__ = __mul__

    @property
    def sides(self) -> int:
        """The number of faces."""
        return len(self.faces)

    @property
    def last(self) -> int:
        """The number printed on the last face."""
        return self.first + len(self.faces) - 1

    def face(self, number: int) -> Bag:
        """The symbols on the face with this printed number; `ValueError` for an unknown face."""
        if not _is(int, number) or not self.first <= number <= self.last:
            raise BadValue(
                f"A {self.name} die has faces {self.first} to {self.last}, not {number}."
            )
        return self.faces[number - self.first]


@dataclass(frozen=True, slots=True, init=False)
class Pile(Die):
    """The cards that can be drawn of a deck, as a die: a face for each, in the order of the deck.

    `cards` are their numbers. No order of a deck is stored, so there is none to be read: one of
    those that are left comes with the same chance, as from a shuffled deck. `in_sight` is whether
    everybody knows which are left, so that a proof of the draw gives no hand away.

    >>> suits = Die("suits", [{"moon": 1}, {"sun": 1}, {"star": 1}])
    >>> pile = Pile(suits, [1, 3])
    >>> pile.sides, pile.face(2), pile.cards[2 - pile.first]
    (2, Bag(star=1), 3)
    """

    cards: tuple[int, ...] = ()
    in_sight: bool = True

    def __init__(self, deck: Die, cards: Iterable[int], in_sight: bool = True) -> None:
        object.__setattr__(self, "cards", tuple(cards))
        object.__setattr__(self, "in_sight", in_sight)
        object.__setattr__(self, "name", deck.name)
        object.__setattr__(self, "faces", tuple([deck.face(n) for n in self.cards]))
        object.__setattr__(self, "first", 1)

    def __hash__(self) -> int:
        return hash((self.name, self.cards))


class Handful(Multiset[Die]):
    """Some dice: how many there are of each. Handfuls and dice add, and nothing else does.

    >>> handful = 2 @ d(6) + d(8)
    >>> [(die.name, n) for die, n in handful.items()]
    [('d6', 2), ('d8', 1)]
    """

    __slots__ = ()

    def __add__(self, other: Die | Mapping[Die, int]) -> Handful:
        if isinstance(other, Die):
            return self._combined({other: 1}, 1)
        if isinstance(other, Mapping):
            return self._combined(other, 1)
        raise Misused(
            f"Dice and {described(other)} make no handful: add dice, or add a number to odds(dice)."
        )

    def __sub__(self, other: object) -> NoReturn:
        raise Misused(
            "Dice are not taken from a handful; what one roll shows less another is odds(one) -"
            " odds(other)."
        )

    def __mul__(self, other: object) -> NoReturn:
        raise Misused(
            f"A handful times {described(other)} is no handful; what it shows times 3 is 3 *"
            " odds(dice)."
        )

    __rmul__ = __mul__

    def __rmatmul__(self, n: int) -> NoReturn:
        raise Misused(
            "Write the number at each die, as in 6 @ d(6); a roll that is made three times is 3 @"
            " odds(dice)."
        )

    def __repr__(self) -> str:
        return " + ".join(f"{n} @ {die.name}" for die, n in self.items()) or "no dice"


_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, init=False)
class Axes:
    """The linear map from symbols to axes: symbols add, and opposites cancel by arithmetic.

    `moves` maps each symbol to its step on the axes, or lists symbols that each have an axis of
    their own; `below` maps an axis to its name when it is negative.

    >>> axes = Axes({"success": {"success": 1}, "failure": {"success": -1}}, {"success": "failure"})
    >>> axes.net(Bag(success=1, failure=3))
    Bag(success=-2)
    >>> axes.named(Bag(success=-2))
    Bag(failure=2)
    """

    moves: Mapping[str, Bag]
    below: Mapping[str, str]

    def __init__(
        self,
        moves: Mapping[str, Mapping[str, int]] | Iterable[str] = (),
        below: Mapping[str, str] = _NOTHING,
    ) -> None:
        object.__setattr__(self, "moves", _moves(moves))
        if not _is(Mapping, below):
            raise Misused(
                f"`below` is a dict such as {{'success': 'failure'}}, not {described(below)}."
            )
        object.__setattr__(self, "below", {} if below is _NOTHING else below)

    @property
    def names(self) -> tuple[str, ...]:
        """The axes in order of first mention."""
        return tuple(dict.fromkeys(axis for step in self.moves.values() for axis in step))

    def net(self, symbols: Mapping[str, int]) -> Bag:
        """The net position of these symbols on the axes; `UnknownSymbol` for one on no axis.

        >>> Axes(["hit"]).net({"miss": 1})
        Traceback (most recent call last):
        storypool.engine.dice.UnknownSymbol: The symbol 'miss' moves no axis; known are hit.
        """
        total = Bag()
        for symbol, n in symbols.items():
            if symbol not in self.moves:
                known = ", ".join(self.moves) or "none"
                raise UnknownSymbol(
                    f"The symbol {described(symbol)} moves no axis; known are {known}."
                )
            total += self.moves[symbol] * n
        return total

    def named(self, net: Mapping[str, int]) -> Bag:
        """The symbols left to spend as positive counts; a negative axis is named by `below`."""
        symbols = {}
        for axis, n in net.items():
            symbols[self.below.get(axis, axis) if n < 0 else axis] = abs(n)
        return Bag(symbols)


def d(sides: int | Iterable[int], first: int = 1) -> Die:
    """A numbered die, whose faces show `first`, `first` + 1 and so on as the symbol `pips`.

    Or it shows the given numbers: `d([0, 1])`. The same arguments give the same die; `ValueError`
    for fewer sides than 1 or more than `MAX_SIDES`.

    >>> d(4).faces, d(10, first=0).face(7), d([-1, 1]).faces
    ((Bag(pips=1), Bag(pips=2), Bag(pips=3), Bag(pips=4)), Bag(pips=7), (Bag(pips=-1), Bag(pips=1)))
    """
    given: object = sides
    if isinstance(given, Iterable) and not isinstance(given, str | Mapping) and first == 1:
        return _listed(_whole_numbers(given))
    if not (_is(int, sides) and _is(int, first)):
        raise Misused(
            "A numbered die has whole numbers, as in d(6) or d(10, 0), "
            f"not {described(sides)} and {described(first)}."
        )
    return _numbered(int(sides), int(first))  # type: ignore[arg-type]


def _whole_numbers(given: Iterable[object]) -> tuple[int, ...]:
    """The numbers on the faces of a die; `Misused` or `ValueError` for anything else."""
    numbers = tuple(given)
    for n in numbers:
        if not (isinstance(n, int) and type(n) is not bool):
            raise Misused(
                f"A numbered die shows whole numbers, as in d([0, 1]), not {described(n)}."
            )
    if not 1 <= len(numbers) <= MAX_SIDES:
        raise BadValue(f"A numbered die has 1 to {MAX_SIDES:,} sides, as in d([0, 1]).")
    return numbers  # type: ignore[return-value]


@lru_cache(maxsize=256)
def _listed(numbers: tuple[int, ...]) -> Die:
    """The die that shows these numbers."""
    return Die(f"d{described(list(numbers))}", tuple([Bag(pips=n) for n in numbers]))


@lru_cache(maxsize=256)
def _numbered(sides: int, first: int) -> Die:
    if not 1 <= sides <= MAX_SIDES:
        raise BadValue(
            f"A numbered die has 1 to {MAX_SIDES:,} sides, as in d(6), not {described(sides)}."
        )
    return Die(f"d{sides}", tuple([Bag(pips=n) for n in range(first, first + sides)]), first)


@dataclass(frozen=True, slots=True)
class Rolled:
    """One rolled die: its name, the number on its upper face, and whether the server rolled it."""

    die: str
    face: int
    source: Literal["server", "hand"] = "server"


@dataclass(frozen=True, slots=True)
class Mod:
    """One modification of a pool, with its reason and its seat.

    Mods are kept; the pool is derived from all. `promise` is the id of the trait that brought it,
    if one did. `bought`: points paid for it, so it goes when they are given back.
    """

    kind: Literal["add", "upgrade", "downgrade", "remove"]
    die: str
    n: int = 1
    why: str = ""
    by: str = ""
    promise: str = ""
    bought: bool = False


def derive(base: Bag, mods: Iterable[Mod], upgrades: Mapping[str, str]) -> Bag:
    """The pool: the base, then all additions, upgrades, downgrades and removals, in that order.

    `upgrades` maps a lesser die to the one it becomes. With no lesser die left, an upgrade adds one
    and the next upgrade promotes it; a downgrade or a removal that finds no die is dropped. The
    order in which modifications were entered does not matter. Source: seed 003, Modifying a Dice
    Pool.

    >>> pairs = {"difficulty": "challenge"}
    >>> derive(Bag(difficulty=2), [Mod("upgrade", "difficulty", 3)], pairs)
    Bag(difficulty=1, challenge=2)
    """
    mods = tuple(mods)
    pool = base
    for mod in mods:
        if mod.kind == "add":
            pool += {mod.die: mod.n}
    for lesser, greater in upgrades.items() if mods else ():
        if ups := sum(mod.n for mod in mods if mod.kind == "upgrade" and mod.die == lesser):
            promoted = min(ups, pool[lesser])
            surplus = ups - promoted
            pool += {lesser: surplus % 2 - promoted, greater: promoted + surplus // 2}
        if downs := sum(mod.n for mod in mods if mod.kind == "downgrade" and mod.die == greater):
            demoted = min(downs, pool[greater])
            pool += {greater: -demoted, lesser: demoted}
    for mod in mods:
        if mod.kind == "remove":
            pool -= {mod.die: min(mod.n, pool[mod.die])}
    return pool


def in_order(pool: Mapping[str, int], dice: Sequence[Die]) -> tuple[Die, ...]:
    """Every single die of a pool, in printed order; `UnknownDie` for one that is not in `dice`.

    >>> in_order({"d8": 1}, [d(6)])
    Traceback (most recent call last):
    storypool.engine.dice.UnknownDie: There is no die 'd8' here; the dice are d6.
    """
    known = {die.name for die in dice}
    for name in pool:
        if name not in known:
            raise UnknownDie(
                f"There is no die {described(name)} here; the dice are {', '.join(known)}."
            )
    return tuple(die for die in dice for _ in range(pool.get(die.name, 0)))


def roll(
    pool: Mapping[str, int], dice: Sequence[Die], randbelow: Callable[[int], int]
) -> tuple[Rolled, ...]:
    """Roll each die of the pool once, in printed order.

    `randbelow(n)` returns a random number from 0 to n - 1.
    """
    return tuple(Rolled(die.name, die.first + randbelow(die.sides)) for die in in_order(pool, dice))


def symbols(rolled: Iterable[Rolled], dice: Sequence[Die]) -> Bag:
    """The sum of all symbols that were rolled."""
    by_name = {die.name: die for die in dice}
    total = Bag()
    for one in rolled:
        total += by_name[one.die].face(one.face)
    return total


def described(given: object) -> str:
    """The repr of a value, cut to 40 characters; a very large integer is described in words."""
    if isinstance(given, int) and abs(given) > 10**30:
        return (  # one of thousands of digits is slow to write, and nothing to read
            "so large a number"
        )
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _is(kind: type, given: object) -> bool:
    """Whether a value has the type that its annotation promises: callers may not check types."""
    return isinstance(given, kind)


_REPEATED = "a likelier face is listed repeatedly: 3 * [{'hit': 1}] + [{}]"
_WEIGHTED = f"; {_REPEATED}, and numbers with weights are Distribution.from_outcomes"


def _faces(name: str, faces: object) -> tuple[Bag, ...]:
    """The faces of a die as bags, from any form in which they may be given."""
    if isinstance(faces, str | Mapping) or not isinstance(faces, Iterable):
        raise Misused(
            "The faces of a die are a list, one dict of symbols for each: [{'hit': 1}, {}], "
            f"not {described(faces)}{_WEIGHTED if isinstance(faces, Mapping) else ''}."
        )
    bags = []
    for face in faces:
        bags.append(face if isinstance(face, Bag) else Bag(_symbols(name, face)))
    if not bags:
        raise BadValue(
            f"A die has at least one face, and {described(name)} has none; a blank face is {{}}."
        )
    return tuple(bags)


def _symbols(name: str, face: object) -> Mapping[str, int] | tuple[str, ...]:
    """The symbols of one face unchanged; `Misused` for anything else."""
    if isinstance(face, Mapping) and all(
        isinstance(key, str) and isinstance(n, int) for key, n in face.items()
    ):
        return face
    if isinstance(face, Iterable) and not isinstance(face, str | Mapping):
        listed = tuple(face)
        if all(isinstance(symbol, str) for symbol in listed):
            return listed
    hint = "numbered dice are made by d(6)" if isinstance(face, int) else "or {} for a blank"
    if isinstance(face, tuple):
        hint = _REPEATED
    raise Misused(
        f"A face of a {name} die is a dict of symbols, such as {{'hit': 2}}, not {described(face)};"
        f" {hint}."
    )


def _moves(moves: object) -> Mapping[str, Bag]:
    """The step of each symbol as a bag, from any form in which it may be given."""
    if isinstance(moves, Mapping):
        if all(type(step) is Bag for step in moves.values()):
            return moves
        for step in moves.values():
            if not isinstance(step, Mapping) or not all(isinstance(n, int) for n in step.values()):
                raise Misused(
                    "A symbol moves axes by whole numbers, as in {'miss': {'hit': -1}}, "
                    f"not by {described(step)}."
                )
        return {symbol: Bag(step) for symbol, step in moves.items()}
    if isinstance(moves, Iterable) and not isinstance(moves, str):
        listed = tuple(moves)
        if all(isinstance(symbol, str) for symbol in listed):
            return {symbol: Bag({symbol: 1}) for symbol in listed}
    raise Misused(
        "Axes are a dict such as {'hit': {'hit': 1}, 'miss': {'hit': -1}} or a list such as"
        f" ['hit', 'miss'], not {described(moves)}."
    )
