"""Payment for what a test brings: players pay with Momentum, or by adding to Threat, the GM for
NPCs with Threat.

Source: seed 004, Momentum Uses, Adding to Threat and Spending Threat; rulings.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps

from storypool.engine import rules as r
from storypool.systems.dune.people.advancement import returnable
from storypool.systems.dune.test import Test, with_difficulty, with_gone
from storypool.systems.twod20.dice import D20

SUBSTITUTES = {
    "seed": ("dice", "resist", "initiative"),
    "immediate_only": ("dice", "resist", "initiative", "trait"),
}
"""What players may pay for by adding to Threat, by the option `threat_substitution`; "any" is
everything.
"""
APART = ("resist", "initiative")
"""What is paid for apart from any test, also while one happens to be open."""


def pool_of(team: r.Team) -> str:
    """Return the pool that a side saves to and spends from."""
    return "threat" if team is r.Team.GM else "momentum"


def threat(words: str, n: Callable[[r.Turn], int]) -> Callable[[r.Turn], r.Bag]:
    """Return a price in Threat alone, for the page of the rules in these words."""

    def price(turn: r.Turn) -> r.Bag:
        return r.Bag(threat=n(turn))

    price.__doc__ = words
    return price


@dataclass(frozen=True, slots=True)
class Payment:
    """A price in points, by what it is for. `cost` may look at the answers.

    Where points of this roll are still owed, they are taken first.
    """

    what: str
    cost: Callable[[r.Turn], int] = lambda turn: 2

    def buys(self, move: r.Move) -> r.Move:
        """Return a move as a purchase at this price: it asks how it is paid, and pays before all
        else.
        """

        @wraps(move.body)
        def body(turn: r.Turn) -> Iterator[r.Event]:
            yield from self.pay(turn)
            yield from move.body(turn)

        held = self.held if move.approval else None
        asks = (*move.asks, *self._asks())
        return r.replace(
            move, body=body, price=self.price, asks=asks, holds=held, caution=self.adding
        )

    def _asks(self) -> tuple[r.Ask, r.Ask]:
        """Return the questions how much is paid by adding to Threat, and how much from the pool."""
        label, default = "How much by adding to Threat?", self._shortfall
        ask = r.NumberAsk("threat", label, default=default, needed=False, high=20, most=self.cost)
        threat = r.replace(ask, shown=self.may_add)
        # Settled when the move is made, so that a proposal costs what it named.
        saved = r.NumberAsk(
            "saved", "From the pool", default=self._from_pool, needed=False, high=99, quiet=True
        )
        return threat, saved

    def price(self, turn: r.Turn) -> r.Bag:
        """Momentum of the players, or Threat of the GM for an NPC, as far as this roll did not
        bring it
        """
        pool, saved, owed = pool_of(turn.team), self._saved(turn), self._owed(turn)
        if owed and saved > turn.table.balance(pool):
            # What arrives counts, and the sentence adds up only with it.
            cost = r.priced(turn, r.Bag({pool: saved + owed}))
            have = turn.table.balance(pool)
            raise turn.refused("price", "payment.short", cost=cost, brought=owed, have=have)
        return r.Bag({pool: saved})

    def adding(self, turn: r.Turn) -> str:
        """Return in words what it costs besides its price, of this roll and added to Threat; else
        "".
        """
        cost, n, owed = self._split(turn)
        brought, whole = min(cost - n, owed), r.priced(turn, r.Bag({pool_of(turn.team): cost}))
        parts = [turn.words.say("payment.brought", price=whole, n=brought)] if brought > 0 else []
        return " ".join([*parts, turn.words.say("payment.adds", n=n)] if n else parts)

    def in_words(self, turn: r.Turn) -> str:
        """Return how it is paid where the answers do not say: from the pool, and the rest by adding
        to Threat.
        """
        cost, added = self.cost(turn), self._shortfall(turn) or 0
        paid = [r.priced(turn, r.Bag({pool_of(turn.team): cost - added}))] if cost > added else []
        rest = [turn.words.say("payment.rest", n=added)] if added else []
        return turn.words["list.comma"].join([*paid, *rest])

    def pay(self, turn: r.Turn) -> Iterator[r.Event]:
        """Pay the rest once the price is taken: with this roll's own points, and by adding to
        Threat.
        """
        cost, threat, owed = self._split(turn)
        check, pool, saved = self._test(turn), pool_of(turn.team), self._saved(turn)
        brought = cost - threat - saved
        if brought < 0:
            raise turn.refused("argument", "too.much", "threat", price=cost)
        if brought > owed:
            have = turn.table.balance(pool) + saved + owed
            raise r.Refused(r.replace(turn.short(pool, cost - threat, have), code="price"))
        if threat:
            yield from turn.change("threat", threat, why=turn.title)
        if check is None:
            return
        if check.phase == "build":
            paid = r.Points({r.Purse(pool): saved})
            back = returnable(turn, paid)
            check = with_gone(Test.add(check, added=threat), paid - back)
            yield turn.amend(check, spent=check.spent + back)
        elif brought:
            left = check.owed - r.Bag({pool: brought})
            what = turn.words.say(
                "payment.spent",
                who=turn.seat.name,
                n=brought,
                points=turn.word(pool, brought),
                left=left[pool],
            )
            yield turn.amend(Test.put(check, touched=True), what, owed=left)

    def held(self, turn: r.Turn) -> r.Held:
        """Return what a proposal holds of what this roll owes, until it is answered."""
        cost, threat, _ = self._split(turn)
        brought = cost - threat - self._saved(turn)
        return r.Held(owed=r.Bag({pool_of(turn.team): brought}))

    def may_add(self, turn: r.Turn, team: r.Team | None = None) -> bool:
        """Whether a side, or the seat's, may pay by adding to Threat: players, as far as the table
        has it so.
        """
        allowed = SUBSTITUTES.get(turn.option("threat_substitution"))
        return (team or turn.team) is r.Team.PLAYERS and (allowed is None or self.what in allowed)

    def _split(self, turn: r.Turn) -> tuple[int, int, int]:
        """Return what it costs in all, what of that is added to Threat, and what this roll still
        owes.
        """
        cost, owed = self.cost(turn), self._owed(turn)
        if not self.may_add(turn):
            return cost, 0, owed
        return (
            cost,
            turn.number("threat", max(0, cost - owed - turn.table.balance("momentum"))),
            owed,
        )

    def _test(self, turn: r.Turn) -> r.Check | None:
        return None if self.what in APART else turn.check

    def _owed(self, turn: r.Turn) -> int:
        check = self._test(turn)
        return check.owed[pool_of(turn.team)] if check else 0

    def _shortfall(self, turn: r.Turn) -> int | None:
        """Return what Momentum cannot cover: the least that has to be added to Threat."""
        if not self.may_add(turn):
            return None
        return max(0, self.cost(turn) - self._owed(turn) - turn.table.balance("momentum"))

    def _from_pool(self, turn: r.Turn) -> int:
        cost, threat, owed = self._split(turn)
        return max(0, cost - threat - owed)

    def _saved(self, turn: r.Turn) -> int:
        """Return what is paid from the pool: what was answered, or what is left to pay."""
        saved = turn.args.get("saved")
        return saved if isinstance(saved, int) else self._from_pool(turn)


def refund(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Give back what was paid for a test that is called off, and take out what was added to Threat."""
    yield from turn.refund(check.spent, check.title)
    yield from _take_out(turn, check)


def take_back_bought(turn: r.Turn) -> Iterator[r.Event]:
    """Take back what points bought for the open test, dice and Difficulty, and what was added to
    Threat.
    """
    check, test = turn.here, Test.of(turn.here)
    yield from _take_out(turn, check)
    kept = tuple(one for one in test.shifts if one.why not in test.raised)
    bought = sum(mod.n for mod in check.mods if mod.kind == "add" and mod.die == D20.name)
    yield turn.amend(
        with_difficulty(Test.put(check, shifts=kept, raised=(), bought=bought, added=0))
    )


def _take_out(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Take out the points that players added to Threat for a test, as far as they are still there."""
    added = min(Test.of(check).added, turn.table.balance("threat"))
    if added:
        yield from turn.change(
            "threat", -added, why=turn.words.say("points.refund", what=check.title)
        )
