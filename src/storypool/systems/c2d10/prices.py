"""The prices of what points buy: the two tables of seed 001, from prices.toml."""

from collections.abc import Callable, Iterator
from functools import wraps

from storypool.engine import rules as r
from storypool.systems.c2d10.dice import Part
from storypool.systems.c2d10.sides import POOLS, paid_part
from storypool.systems.c2d10.test import Test

POINTS = r.rows("storypool.systems.c2d10", "prices")
"""The uses of points, their gains and losses: the rows of prices.toml."""


def price(use: str, n: int = 1, before: int = 0) -> int:
    """The price of the next n of these, after `before` in the same test.

    >>> [price("die", n) for n in (1, 2, 3)], price("die", before=2)
    ([1, 3, 6], 3)
    >>> [price("success", n) for n in (1, 2, 3)], price("reroll", 3)
    ([2, 6, 14], 3)
    """
    row = POINTS["uses"][use]
    more, times = row.get("more", 0), row.get("times", 1)
    return sum((int(row["cost"]) + more * i) * times**i for i in range(before, before + n))


def buys(
    use: str, had: str = "", whose: Callable[[r.Turn], Part] = paid_part
) -> Callable[[r.Move], r.Move]:
    """A decorator that makes a move a use of points from this seat's pool.

    `had` names the count of those bought in this test, on the side of `whose`. A move with a
    number `n` buys as many at once.
    """

    def cost(turn: r.Turn) -> r.Bag:
        before = 0
        if had and turn.check:
            before = _bought(turn.check, whose(turn), had)
        return r.Bag({POOLS[turn.team]: price(use, turn.number("n", 1), before)})

    priced = r.Worded(POINTS["uses"][use]["words"], cost)
    rule = "Uses for hero and villain points"
    return lambda move: r.replace(move, price=priced, rule=rule, group="spend")


def keeps_price(move: r.Move) -> r.Move:
    """A decorator for a move with an immediate effect, whose price stays spent."""

    @wraps(move.body)
    def body(turn: r.Turn) -> Iterator[r.Event]:
        yield from move.body(turn)
        check = turn.check
        if (
            check is not None
            and check.phase == "build"
            and check.team is turn.team
            and not check.hidden
        ):
            yield turn.amend(Test.add(check, gone=turn.paid.total))

    return r.replace(move, body=body)


def charged(turn: r.Turn, check: r.Check, part: Part, had: str, n: int = 1) -> r.Check:
    """The check with this move's cost, to be refunded if it ends; `had` counts n more."""
    check = r.replace(check, spent=check.spent + turn.paid)
    return Test.add(check, **{f"{part.axis}{had}": n})


def _bought(check: r.Check, part: Part, had: str) -> int:
    """The number of dice or successes bought, or of re-rolls, on one side."""
    return int(getattr(Test.of(check).side(part), had))
