"""What points buy, and what they cost: the two tables of seed 001, read from prices.toml beside this."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from storypool.engine.rules import Bag, Turn
from storypool.systems.c2d10.dice import Part
from storypool.systems.c2d10.reading import number
from storypool.systems.c2d10.sides import paid, purse


@cache
def table() -> Mapping[str, Any]:
    """The rows of prices.toml."""
    return tomllib.loads(files("storypool.systems.c2d10").joinpath("prices.toml").read_text(encoding="utf-8"))


def gain(key: str) -> int:
    """What one of these brings the Keeper."""
    return int(table()["gains"][key])


def loss(key: str) -> int:
    """How many of these points the end of the table's period takes."""
    return int(table()["losses"][key])


def price(use: str, n: int = 1, before: int = 0) -> int:
    """What the next n of these cost, after so many in the same test.

    >>> [price("die", n) for n in (1, 2, 3)], price("die", before=2)
    ([1, 3, 6], 3)
    >>> [price("success", n) for n in (1, 2, 3)], price("reroll", 3)
    ([2, 6, 14], 3)
    """
    row = table()["uses"][use]
    more, times = row.get("more", 0), row.get("times", 1)
    return sum((row["cost"] + more * i) * times**i for i in range(before, before + n))


def costs(
    use: str, said: str, had: str = "", counted: bool = False, whose: Callable[[Turn], Part] = paid
) -> Callable[[Turn], Bag]:
    """A price from this seat's own pool, told in the reference as `said`.

    `had` is the term that counts how many there were in this test, on the side that `whose` says; `counted` buys as
    many as the argument `n` says.
    """

    def cost(turn: Turn) -> Bag:
        check = turn.check
        before = number(check, f"{whose(turn).mark}{had}") if had and check else 0
        return Bag({purse(turn): price(use, turn.number("n", 1) if counted else 1, before)})

    cost.__doc__ = said
    return cost
