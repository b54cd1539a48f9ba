"""Paying with points: first with what this very roll brought, then from the pool, or by adding to Threat where allowed.

Players pay with Momentum, the GM for NPCs with Threat. Source: seed 004, Momentum Uses, Adding to Threat and Spending
Threat; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from storypool.engine.rules import Ask, Bag, Check, Event, NumberAsk, Points, Purse, Refused, Turn
from storypool.systems.dune.terms import number, purse, with_terms

SUBSTITUTES = {
    "seed": ("dice", "resist", "initiative"),
    "immediate_only": ("dice", "resist", "initiative", "trait"),
}
"""What players may pay for by adding to Threat, by the option `threat_substitution`; "any" is everything."""
APART = ("resist", "initiative")
"""What is paid for apart from any test: nothing of it stands on one that happens to be open."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A price in points, by what it is for: the questions, the price of the row, and the paying.

    `cost` may look at the answers. Where points of this roll are still owed, they are taken first.
    """

    what: str
    cost: Callable[[Turn], int]

    @property
    def asks(self) -> tuple[Ask, Ask]:
        """How much is paid by adding to Threat, and how much from the pool."""
        threat = NumberAsk(
            "threat",
            "How much of it by adding to Threat?",
            default=self._shortfall,
            needed=False,
            high=20,
            shown=self.may_add,
        )
        # Settled when the move is made, so that a proposal costs what it said.
        saved = NumberAsk("saved", "From the pool", default=self._from_pool, needed=False, high=99, quiet=True)
        return threat, saved

    def price(self, turn: Turn) -> Bag:
        """Momentum of the players, or Threat of the GM for an NPC, as far as this roll did not bring it"""
        n = turn.number("saved", self._from_pool(turn))
        return Bag({purse(turn.seat.side): max(0, n)})

    def paid(self, turn: Turn) -> Iterator[Event]:
        """What follows when the price of the row was taken: this roll's own points, and Threat, for the rest."""
        cost, threat, saved = self.cost(turn), self._threat(turn), turn.number("saved", self._from_pool(turn))
        check, pool = self._test(turn), purse(turn.seat.side)
        brought = cost - threat - saved
        owed = check.owed[pool] if check else 0
        if brought < 0:
            raise turn.refused("argument", "too.much", "threat", price=cost)
        if brought > owed:
            have = turn.table.balance(pool) + saved + owed
            raise Refused(replace(turn.short(pool, cost - threat, have), code="price"))
        if threat:
            yield from turn.change("threat", threat, why=turn.title)
        if check is None:
            return
        if check.phase == "build":
            spent = check.spent + Points({Purse(pool): saved})
            yield turn.amend(with_terms(check, added=number(check, "added") + threat), spent=spent)
        elif brought:
            yield turn.amend(with_terms(check, touched=True), owed=check.owed - Bag({pool: brought}))

    def may_add(self, turn: Turn) -> bool:
        """Whether these players may pay for this by adding to Threat."""
        allowed = SUBSTITUTES.get(turn.option("threat_substitution"))
        return turn.seat.side == "player" and (allowed is None or self.what in allowed)

    def _threat(self, turn: Turn) -> int:
        return turn.number("threat", self._shortfall(turn) or 0) if self.may_add(turn) else 0

    def _test(self, turn: Turn) -> Check | None:
        return None if self.what in APART else turn.check

    def _owed(self, turn: Turn) -> int:
        check = self._test(turn)
        return check.owed[purse(turn.seat.side)] if check else 0

    def _shortfall(self, turn: Turn) -> int | None:
        """What Momentum cannot cover: the least that has to be added to Threat."""
        if not self.may_add(turn):
            return None
        return max(0, self.cost(turn) - self._owed(turn) - turn.table.balance("momentum"))

    def _from_pool(self, turn: Turn) -> int:
        return max(0, self.cost(turn) - self._threat(turn) - self._owed(turn))


def refunded(turn: Turn, check: Check) -> Iterator[Event]:
    """Everything that was paid for a test that is called off comes back, and what was added to Threat goes."""
    why = turn.system.words.say("points.refund", what=check.title)
    for (account, owner), n in check.spent.items():
        yield from turn.change(account, n, owner, why)
    added = min(number(check, "added"), turn.table.balance("threat"))
    if added:
        yield from turn.change("threat", -added, why=why)
