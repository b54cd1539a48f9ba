"""Payment with Momentum and Threat.

Source: seed 004, Momentum Uses, Adding to Threat; rulings.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.systems.dune.people.advancement import returnable
from storypool.systems.dune.skill_test_terms import SkillTest, with_difficulty, with_gone
from storypool.systems.twod20.dice import D20

SUBSTITUTES = {
    "seed": ("dice", "resist", "initiative"),
    "immediate_only": ("dice", "resist", "initiative", "trait"),
}
"""What players may pay for by adding to Threat, by the option; "any" is everything."""
APART = ("resist", "initiative")
"""What is paid for apart from any test, also while one happens to be open."""


PAID = (
    "Momentum of the players, or Threat of the GM for an NPC, as far as this roll did not bring it"
)


def pool_of(team: r.Team) -> str:
    return "threat" if team is r.Team.GM else "momentum"


def threat(words: str, n: Callable[[r.Turn], int]) -> r.Worded[r.Bag]:
    """A price in Threat alone, in these words."""
    return r.Worded(words, lambda turn: r.Bag(threat=n(turn)))


class Bill(NamedTuple):
    """A price as it is paid: in all, by adding to Threat, from the pool; and what is owed."""

    cost: int
    added: int
    saved: int
    owed: int

    @property
    def brought(self) -> int:
        return self.cost - self.added - self.saved


@dataclass(frozen=True, slots=True)
class Payment:
    """A price in points by purpose: a number, or a function of the turn and its answers.

    Where points of this roll are still owed, they are taken first.
    """

    what: str
    n: int | Callable[[r.Turn], int]

    def buys(self, move: r.Move) -> r.Move:
        """The move as a purchase at this price: it asks how it is paid, and pays first."""

        @wraps(move.body)
        def body(turn: r.Turn) -> r.Events:
            yield from self.pay(turn)
            yield from move.body(turn)

        held = self.held if move.approval else None
        asks, price = (*move.asks, *self._asks()), r.Worded(PAID, self.price)
        return r.replace(move, body=body, price=price, asks=asks, holds=held, caution=self.adding)

    def _asks(self) -> tuple[r.Ask, r.Ask]:
        label, default = "How much by adding to Threat?", self._shortfall
        ask = r.NumberAsk("threat", label, default=default, needed=False, high=20, most=self.cost)
        # Settled when the move is made, so that a proposal costs what it named.
        saved = r.NumberAsk(
            "saved", "From the pool", default=self._from_pool, needed=False, high=99, quiet=True
        )
        return r.replace(ask, shown=self.may_add), saved

    def cost(self, turn: r.Turn) -> int:
        return self.n(turn) if callable(self.n) else self.n

    def bill(self, turn: r.Turn) -> Bill:
        """How it is paid by the answers; else from this roll, the pool, and by adding to Threat."""
        cost, owed = self.cost(turn), self._owed(turn)
        added = turn.number("threat", self._shortfall(turn) or 0) if self.may_add(turn) else 0
        return Bill(cost, added, turn.number("saved", max(0, cost - added - owed)), owed)

    def price(self, turn: r.Turn) -> r.Bag:
        """What the pool pays of it."""
        pool, bill = pool_of(turn.team), self.bill(turn)
        have = turn.table.balance(pool)
        if bill.owed and bill.saved > have:
            # What arrives counts, and the sentence adds up only with it.
            cost = r.priced(turn, r.Bag({pool: bill.saved + bill.owed}))
            raise turn.refused("price", "payment.short", cost=cost, brought=bill.owed, have=have)
        return r.Bag({pool: bill.saved})

    def adding(self, turn: r.Turn) -> str:
        """What it costs besides its price, of this roll and added to Threat, in words; else ""."""
        cost, n, _, owed = self.bill(turn)
        brought, whole = min(cost - n, owed), r.priced(turn, r.Bag({pool_of(turn.team): cost}))
        parts = [turn.words.say("payment.brought", price=whole, n=brought)] if brought > 0 else []
        return " ".join([*parts, turn.words.say("payment.adds", n=n)] if n else parts)

    def in_words(self, turn: r.Turn) -> str:
        """How it is paid where nothing is answered: from the pool, the rest added to Threat."""
        cost, added = self.cost(turn), self._shortfall(turn) or 0
        paid = r.priced(turn, r.Bag({pool_of(turn.team): cost - added}))
        rest = turn.words.say("payment.rest", n=added) if added else ""
        return turn.words["list.comma"].join(filter(None, (paid, rest)))

    def pay(self, turn: r.Turn) -> r.Events:
        """Pay the rest once the price is taken: from this roll, and by adding to Threat."""
        bill, check, pool = self.bill(turn), self._test(turn), pool_of(turn.team)
        if bill.brought < 0:
            raise turn.refused("argument", "too.much", "threat", price=bill.cost)
        if bill.brought > bill.owed:
            have = turn.table.balance(pool) + bill.saved + bill.owed
            raise r.Refused(r.replace(turn.short(pool, bill.cost - bill.added, have), code="price"))
        if bill.added:
            yield from turn.change("threat", bill.added, why=turn.title)
        if check is not None and check.phase == "build":
            paid = r.Points({r.Purse(pool): bill.saved})
            back = returnable(turn, paid)
            check = with_gone(SkillTest.add(check, added=bill.added), paid - back)
            yield turn.amend(check, spent=check.spent + back)
        elif check is not None and bill.brought:
            n, left = bill.brought, check.owed - r.Bag({pool: bill.brought})
            values = {
                "who": turn.seat.name,
                "n": n,
                "points": turn.word(pool, n),
                "left": left[pool],
            }
            what = turn.words.say("payment.spent", **values)
            yield turn.amend(SkillTest.put(check, touched=True), what, owed=left)

    def held(self, turn: r.Turn) -> r.Held:
        """What a proposal holds of what this roll owes, until it is answered."""
        return r.Held(owed=r.Bag({pool_of(turn.team): self.bill(turn).brought}))

    def may_add(self, turn: r.Turn, team: r.Team | None = None) -> bool:
        """Whether a side may pay by adding to Threat: players, as far as the table has it so."""
        allowed = SUBSTITUTES.get(turn.option("threat_substitution"))
        return (team or turn.team) is r.Team.PLAYERS and (allowed is None or self.what in allowed)

    def _test(self, turn: r.Turn) -> r.Check | None:
        return None if self.what in APART else turn.check

    def _owed(self, turn: r.Turn) -> int:
        check = self._test(turn)
        return check.owed[pool_of(turn.team)] if check else 0

    def _shortfall(self, turn: r.Turn) -> int | None:
        if not self.may_add(turn):
            return None
        return max(0, self.cost(turn) - self._owed(turn) - turn.table.balance("momentum"))

    def _from_pool(self, turn: r.Turn) -> int:
        bill = self.bill(turn)
        return max(0, bill.cost - bill.added - bill.owed)


def refund(turn: r.Turn, check: r.Check) -> r.Events:
    """Refund the payments for a test that is called off, and the points added to Threat."""
    yield from turn.refund(check.spent, check.title)
    yield from _take_out(turn, check)


def take_back_bought(turn: r.Turn) -> r.Events:
    """Take back what points bought for the open test, and what was added to Threat."""
    check, test = turn.here, SkillTest.of(turn.here)
    yield from _take_out(turn, check)
    kept = tuple(one for one in test.shifts if one.why not in test.raised)
    bought = sum(mod.n for mod in check.mods if mod.kind == "add" and mod.die == D20.name)
    yield turn.amend(
        with_difficulty(SkillTest.put(check, shifts=kept, raised=(), bought=bought, added=0))
    )


def _take_out(turn: r.Turn, check: r.Check) -> r.Events:
    added = min(SkillTest.of(check).added, turn.table.balance("threat"))
    if added:
        yield from turn.change(
            "threat", -added, why=turn.words.say("points.refund", what=check.title)
        )
