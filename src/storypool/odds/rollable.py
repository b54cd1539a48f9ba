"""Dice in any form, also with weighted faces, read on axes as pools; `odds` is their sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import gcd
from operator import add, index
from re import fullmatch

from storypool.engine.bag import Bag
from storypool.engine.dice import MAX_SIDES, Axes, Die, Misused, described
from storypool.odds.allowance import MAX_COUNTED, Allowance, current
from storypool.odds.distribution import Distribution
from storypool.odds.polynomial import Polynomial, Row, gathered
from storypool.odds.pool import Pool
from storypool.words import BadValue

Rollable = Die | Distribution
"""A die, or a roll with known odds that is made as one."""

Dice = (
    Rollable
    | Mapping[Die, int]
    | Mapping[Distribution, int]
    | Mapping[Rollable, int]
    | Iterable[Rollable | tuple[Rollable, int]]
)
"""Dice in any of the accepted forms."""

_MAX_READINGS = 256
_readings: dict[int, Reading] = {}
_MAX_POOLS = 256
_Kinds = frozenset[tuple[Polynomial, int]]
_Key = tuple[tuple[str, ...], _Kinds] | tuple[tuple[str, ...], _Kinds, Allowance]
_pools: dict[_Key, tuple[int, Distribution]] = {}


_ROLLABLE = (Die, Distribution)
_LONE = (*_ROLLABLE, str)
"""Types that count as one die, though they may be iterable."""


def odds(
    dice: Dice, axes: Axes | None = None, *, allowance: Allowance | None = None
) -> Distribution:
    """The exact joint odds of a pool, on `axes.names` in order; an axis no die moves stays at 0.

    `dice` is one die, a handful such as `3 @ d(6) + d(8)`, a mapping that counts dice, or a list of
    them singly or as pairs of die and number, in any order; a `Distribution` is a roll that is made
    as one. Without `axes` each symbol has an axis of its own name, in the order in which the faces
    show them. Nothing is computed before a question is asked, and a question about some axes
    computes those only; what that takes is known before, see `Distribution.cost`. The same pool
    gives the same object. `ValueError` for a number below 0, a die without faces, and a symbol that
    moves no axis; `Misused` for anything but dice.

    `allowance` limits the dice and faces now, and the results and the time of later questions;
    beyond is `TooManyDice`. Without it, that of the context counts, see `allowing`.

    >>> from storypool import ge
    >>> sword = Die("sword", [{}, {"hit": 1}, {"hit": 2}, {"star": 1}])
    >>> shield = Die("shield", [{}, {"miss": 1}])
    >>> moves = {"hit": {"hit": 1}, "miss": {"hit": -1}, "star": {"hit": 1, "star": 1}}
    >>> d = odds(2 @ sword + shield, Axes(moves, {"hit": "miss"}))
    >>> d.p(hit=ge(1)), d.p(hit=ge(1), star=ge(1)), d.p(lambda hit, star: star > hit)
    (Fraction(13, 16), Fraction(3, 8), Fraction(1, 8))
    >>> d.on("hit").counts
    Counts({-1: 1, 0: 5, 1: 10, 2: 10, 3: 5, 4: 1})
    >>> d.mean("hit"), d.variance("hit"), d.median("hit")
    (Fraction(3, 2), Fraction(5, 4), Fraction(3, 2))
    >>> d.given(star=0).p(hit=ge(1))
    Fraction(7, 9)
    """
    limits = current() if allowance is None else check_allowance(allowance)
    names, pool = kinds(dice, axes, limits)
    kept = frozenset(pool.items())
    key: _Key = (names, kept) if allowance is None else (names, kept, allowance)
    found = _pools.get(key)
    if found is None:
        # The cache is bounded: `_MAX_POOLS` pools, none with more rows than
        # `distribution.MAX_KEPT`.
        if len(_pools) >= _MAX_POOLS:
            _pools.clear()
        made = Pool(names, pool, allowance)
        found = _pools.setdefault(key, (made.number, Distribution(names, made)))
    elif limits.dice is not None:
        limits.check_dice(found[0])
    return found[1]


def check_allowance(given: object) -> Allowance:
    """An allowance; `Misused` for anything else."""
    if not isinstance(given, Allowance):
        raise Misused(
            f"Limits are an Allowance, as in allowance=Allowance(dice=100), not {described(given)}."
        )
    return given


def kinds(
    dice: Dice, axes: Axes | None = None, limits: Allowance | None = None
) -> tuple[tuple[str, ...], dict[Polynomial, int]]:
    """The names of the axes, by default one per symbol, and the number of dice of each kind."""
    if limits is None:
        limits = current()
    if axes is None:
        dice = listed(dice)
        axes = _own_axes(tuple(dict.fromkeys(name for die, _ in dice for name in _symbols(die))))
    reading = _readings.get(id(axes)) or _read(axes)
    known = reading.known
    if limits.faces is not None and reading.most_faces > limits.faces:
        # They were read where more is allowed.
        known = {}
    found: dict[Polynomial, int] = {}
    items: Iterable[Rollable | tuple[Rollable, int]]
    if type(dice) is list:
        items = dice
    elif type(dice) is dict or hasattr(dice, "items"):
        items = dice.items()
    elif hasattr(dice, "__iter__") and not isinstance(dice, _LONE):
        items = dice
    else:
        items = listed(dice)
    for item in items:
        if type(item) is tuple:
            try:
                die, n = item
            except ValueError:
                raise _no_dice(item) from None
        elif isinstance(item, Die):
            die, n = item, 1
        else:
            die, n = _single(item)
        if type(n) is not int:
            n = _number(n)
        if n > 0:
            kind, _ = known.get(id(die)) or reading.read(die, limits)
            found[kind] = found.get(kind, 0) + n
        elif n:
            raise _negative(die, n)
    return reading.names, found


class Reading:
    """The dice read on one set of axes: the names of the axes, and a polynomial for each die."""

    __slots__ = ("_moves", "axes", "known", "most_faces", "names")

    MAX_KNOWN = 4096

    def __init__(self, axes: Axes) -> None:
        self.axes, self.names, self.most_faces = axes, axes.names, 0
        self._moves = dict[str, Row]()
        for symbol, step in axes.moves.items():
            self._moves[symbol] = tuple(step[name] for name in self.names)
        # By identity, since hashing a die costs more than a small pool; keep the die, so that its
        # id stays unique.
        self.known: dict[int, tuple[Polynomial, Rollable]] = {}

    def read(self, die: Rollable, limits: Allowance | None = None) -> tuple[Polynomial, Rollable]:
        """The polynomial of a die, and the die.

        `ValueError` for a die without faces, with too many, or with an unknown symbol.
        """
        if isinstance(die, Distribution):
            if die.axes != self.names:
                here = ", ".join(self.names)
                raise BadValue(
                    f"Only the same axes add, not {', '.join(die.axes)} and {here}; see on and map."
                )
            return die.kind, die
        if not isinstance(die, Die):
            raise _no_dice(die)
        (limits or current()).check_faces(die.name, die.sides)
        if (read := self.known.get(id(die))) is not None:
            return read
        self.most_faces = max(self.most_faces, die.sides)
        if len(self.known) >= self.MAX_KNOWN:
            self.known.clear()
        found = self.known[id(die)] = gathered(len(self.names), self._steps(die)), die
        return found

    def _steps(self, die: Die) -> list[tuple[Row, int]]:
        if not die.sides:
            raise BadValue(f"A {die.name} die without faces has no odds; give it at least one.")
        steps = []
        for face in die.faces:
            at: Row = (0,) * len(self.names)
            for symbol, n in face.items():
                if symbol not in self._moves:
                    known = ", ".join(self._moves) or "none, so leave the axes out"
                    raise BadValue(
                        f"A {die.name} die shows '{symbol}', which moves no axis; known are"
                        f" {known}."
                    )
                at = tuple(map(add, at, (n * step for step in self._moves[symbol])))
            steps.append((at, 1))
        return steps


def _read(axes: Axes) -> Reading:
    if not isinstance(axes, Axes):
        raise Misused(
            f"Axes are made by Axes(['hit', 'miss']), or left out, not {described(axes)}."
        )
    # By identity, as for dice: keep the axes, so that their id stays unique.
    if len(_readings) >= _MAX_READINGS:
        _readings.clear()
    reading = _readings[id(axes)] = Reading(axes)
    return reading


@lru_cache(maxsize=256)
def _own_axes(symbols: tuple[str, ...]) -> Axes:
    """Axes with one for each symbol.

    The same object for the same symbols, as readings go by identity.
    """
    return Axes(symbols)


@lru_cache(maxsize=1024)
def _symbols(die: Rollable) -> tuple[str, ...]:
    """The symbols that a die shows, in the order of its faces."""
    if isinstance(die, Distribution):
        return die.axes
    return tuple(dict.fromkeys(symbol for face in die.faces for symbol in face))


# Dice whose faces are not equally likely.

Face = int | str | Bag | tuple[str, ...]
"""A number of `pips`, a symbol, or several; "" and () are blank."""


def die(faces: Mapping[Face, int] | Iterable[Face], name: str = "die") -> Die:
    """A die with these faces, each as often as its weight: `die({1: 3, 6: 1})`.

    A face is a number, shown as `pips`, a symbol, or a tuple or `Bag` of symbols; "" is a blank.
    Weights are whole numbers of 0 or more; what they share is divided out, and then they are at
    most 100,000 in all, a face for each. `ValueError` for other weights, and where none is above 0;
    `Misused` for anything else.

    >>> from storypool import die, odds
    >>> odds(die({1: 3, 6: 1})).mean(), odds(2 @ die({"hit": 1, "": 2})).p(hit=2)
    (Fraction(9, 4), Fraction(1, 9))
    >>> die({1: 0.5, 2: 0.5})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    storypool.words.BadValue: A weight is a whole number of 0 or more, as in die({1: 3, 6: 1}), ...
    """
    if isinstance(faces, str) or not isinstance(faces, Iterable):
        raise Misused(
            "A die is made of faces, as in die([1, 1, 2]), or of faces and weights, as in"
            f" die({{1: 3, 6: 1}}), not of {described(faces)}."
        )
    if not isinstance(faces, Mapping):
        return Die(name, [_face(face) for face in faces])
    weights = {face: _weight(weight) for face, weight in faces.items()}
    if not sum(weights.values()):
        raise BadValue(
            "A die shows at least one face; give one a weight above 0, as in die({1: 3, 6: 1})."
        )
    shared = gcd(*weights.values())
    if sum(weights.values()) // shared > MAX_SIDES:
        raise BadValue(
            f"The weights of a die are at most {MAX_SIDES:,} in all; larger ones are"
            " Distribution.from_outcomes(['pips'], weights)."
        )
    made: list[Bag] = []
    for face, weight in weights.items():
        made += [_face(face)] * (weight // shared)
    return Die(name, made)


def _weight(given: object) -> int:
    if type(given) is not int or given < 0:
        raise BadValue(
            "A weight is a whole number of 0 or more, as in die({1: 3, 6: 1}), not"
            f" {described(given)}."
        )
    return given


def _face(given: object) -> Bag:
    if isinstance(given, Bag):
        return given
    if type(given) is int:
        return Bag(pips=given)
    if isinstance(given, str):
        return Bag([given] if given else [])
    if isinstance(given, tuple) and all(isinstance(symbol, str) for symbol in given):
        return Bag(given)
    raise Misused(
        "A face is a number, a symbol, or a tuple of symbols, as in die({1: 3, 6: 1}) or"
        f" die({{'hit': 1, '': 2}}), not {described(given)}."
    )


# The accepted forms of dice, and the errors for anything else.


def counted(dice: object) -> list[tuple[Die, int]]:
    """The dice with faces and their numbers, as `listed`; `ValueError` for a number below 0."""
    found = []
    for die, n in listed(dice):
        if not isinstance(die, Die):
            raise Misused(
                "Dice with faces are wanted here, such as d(6), not the odds of a roll:"
                f" {described(die)}."
            )
        if n < 0:
            raise _negative(die, n)
        found.append((die, n))
    return found


def listed(dice: object) -> list[tuple[Rollable, int]]:
    """Each die with its number, in the order given; `Misused` for anything else."""
    if isinstance(dice, _ROLLABLE):
        return [(dice, 1)]
    if isinstance(dice, Mapping):
        pairs: Iterable[object] = dice.items()
    elif isinstance(dice, Iterable) and not isinstance(dice, str):
        pairs = dice
    else:
        raise _no_dice(dice)
    found = []
    for item in pairs:
        die, n = item if isinstance(item, tuple) and len(item) == 2 else (item, 1)
        if not isinstance(die, _ROLLABLE):
            raise _no_dice(die)
        found.append((die, _number(n)))
    return found


def _single(item: object) -> tuple[Rollable, int]:
    if isinstance(item, Distribution):
        return item, 1
    if isinstance(item, Iterable) and not isinstance(item, str):
        pair = tuple(item)
        if len(pair) == 2 and isinstance(pair[0], Die | Distribution):
            return pair[0], _number(pair[1])
    raise _no_dice(item)


def _number(n: object) -> int:
    """A number of dice as an int; `Misused` for anything else."""
    try:
        return index(n)  # type: ignore[arg-type]
    except TypeError:
        raise Misused(
            f"A number of dice is whole, not {described(n)}; write 3 @ die or (die, 3)."
        ) from None


def _no_dice(given: object) -> Misused:
    """The error for an argument that is not a die."""
    if isinstance(given, str):
        hint = "a game reads its own notation, get(key).odds(text)"
        if numbered := fullmatch(r"\s*(\d*)[dD](\d+)\s*", given[:20]):
            hint = f"write {numbered[1] or 1} @ d({numbered[2]})"
        return Misused(f"A die is wanted, and {described(given)} is text; {hint}.")
    if isinstance(given, int):
        sides = given if given > 1 else 6
        return Misused(f"A die is wanted, not {given}; a numbered one is d({sides}).")
    return Misused(
        "A die is wanted, such as d(6) or Die('coin', [{'heads': 1}, {}]), not"
        f" {described(given)}."
    )


def _negative(die: Rollable, n: int) -> ValueError:
    few, name = n if -n <= MAX_COUNTED else "so few", die.name if isinstance(die, Die) else "such"
    return BadValue(f"A pool cannot hold {few} {name} dice; give 0 or more.")
