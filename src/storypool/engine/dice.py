"""Dice: faces with symbols, how symbols add and cancel, pools derived from modifications, and rolling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from storypool.engine.bag import Bag

__all__ = ["Axes", "Die", "Mod", "Rolled", "derive", "roll", "symbols"]


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its name and its faces, in printed order; a face is a bag of symbols.

    `first` is the number printed on the first face: 1, or 0 for a ten-sided die read 0 to 9.

    >>> coin = Die("coin", (Bag(), Bag(heads=1)))
    >>> coin.face(2)
    Bag(heads=1)
    """

    name: str
    faces: tuple[Bag, ...]
    first: int = 1

    @property
    def sides(self) -> int:
        """How many faces the die has."""
        return len(self.faces)

    @property
    def last(self) -> int:
        """The number printed on the last face."""
        return self.first + len(self.faces) - 1

    def face(self, number: int) -> Bag:
        """Return the symbols on the face with this printed number; `ValueError` if the die has no such face."""
        if not self.first <= number <= self.last:
            raise ValueError(f"A {self.name} die has faces {self.first} to {self.last}, not {number}.")
        return self.faces[number - self.first]


@dataclass(frozen=True, slots=True)
class Axes:
    """How symbols add and cancel: one linear map from symbols to axes, so opposites cancel by arithmetic.

    `moves` maps each symbol to its step on the axes; `below` maps an axis to its name when it is negative.

    >>> axes = Axes({"success": Bag(success=1), "failure": Bag(success=-1)}, {"success": "failure"})
    >>> axes.net(Bag(success=1, failure=3))
    Bag(success=-2)
    >>> axes.named(Bag(success=-2))
    Bag(failure=2)
    """

    moves: Mapping[str, Bag]
    below: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The axes in order of first mention."""
        return tuple(dict.fromkeys(axis for step in self.moves.values() for axis in step))

    def net(self, symbols: Mapping[str, int]) -> Bag:
        """Return the position of these symbols on the axes, opposites cancelled; `KeyError` for an unknown symbol."""
        total = Bag()
        for symbol, n in symbols.items():
            total += self.moves[symbol] * n
        return total

    def named(self, net: Mapping[str, int]) -> Bag:
        """Return what is left to spend as positive counts, each negative axis under its name in `below`."""
        return Bag({(axis if n > 0 else self.below.get(axis, axis)): abs(n) for axis, n in net.items()})


class Rolled(NamedTuple):
    """One rolled die: its name, the number printed on its upper face, and whether the server or a hand rolled it."""

    die: str
    face: int
    source: Literal["server", "hand"] = "server"


@dataclass(frozen=True, slots=True)
class Mod:
    """One modification of a pool, with its reason and its seat. Mods are kept; the pool is derived from all of them.

    `promise` is the id of the trait that brought it, if one did. `bought`: points paid for it, so it goes when they are
    given back.
    """

    kind: Literal["add", "upgrade", "downgrade", "remove"]
    die: str
    n: int = 1
    why: str = ""
    by: str = ""
    promise: str = ""
    bought: bool = False


def derive(base: Bag, mods: Iterable[Mod], upgrades: Mapping[str, str]) -> Bag:
    """Return the pool: the base, then all additions, all upgrades, all downgrades and all removals, in that order.

    `upgrades` maps a lesser die to the one it becomes. With no lesser die left, an upgrade adds one and the next
    upgrade promotes it; a downgrade or a removal that finds no die is dropped. The order in which modifications were
    entered does not matter. Source: seed 003, Modifying a Dice Pool.

    >>> pairs = {"difficulty": "challenge"}
    >>> derive(Bag(difficulty=2), [Mod("upgrade", "difficulty", 3)], pairs)
    Bag(difficulty=1, challenge=2)
    """
    mods = tuple(mods)
    pool = base
    for mod in mods:
        if mod.kind == "add":
            pool += Bag({mod.die: mod.n})
    for lesser, greater in upgrades.items():
        ups = sum(mod.n for mod in mods if mod.kind == "upgrade" and mod.die == lesser)
        promoted = min(ups, pool[lesser])
        beyond = ups - promoted
        pool += Bag({lesser: beyond % 2 - promoted, greater: promoted + beyond // 2})
        downs = sum(mod.n for mod in mods if mod.kind == "downgrade" and mod.die == greater)
        demoted = min(downs, pool[greater])
        pool += Bag({greater: -demoted, lesser: demoted})
    for mod in mods:
        if mod.kind == "remove":
            pool -= Bag({mod.die: min(mod.n, pool[mod.die])})
    return pool


def in_order(pool: Mapping[str, int], dice: Sequence[Die]) -> tuple[Die, ...]:
    """Return every single die of a pool, in printed order; `KeyError` for a die that is not in `dice`."""
    known = {die.name for die in dice}
    for name in pool:
        if name not in known:
            raise KeyError(name)
    return tuple(die for die in dice for _ in range(pool.get(die.name, 0)))


def roll(pool: Mapping[str, int], dice: Sequence[Die], randbelow: Callable[[int], int]) -> tuple[Rolled, ...]:
    """Roll each die of the pool once, in printed order; `randbelow(n)` returns a random number from 0 to n - 1."""
    return tuple(Rolled(die.name, die.first + randbelow(die.sides)) for die in in_order(pool, dice))


def symbols(rolled: Iterable[Rolled], dice: Sequence[Die]) -> Bag:
    """Return all symbols that lie face up, added up."""
    by_name = {die.name: die for die in dice}
    total = Bag()
    for lies in rolled:
        total += by_name[lies.die].face(lies.face)
    return total
