"""The prices of a move: each way to pay, its cost, and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, islice, product
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.gamefile.file_format.expressions import CHOSEN, Expression, Value
from storypool.gamefile.file_format.schema import AskRow, MoveRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_asks import entries_of
from storypool.gamefile.paper.rows_in_words import RowsInWords
from storypool.gamefile.scope import TurnScope

__all__ = ["FREE", "Payment", "enough_symbols", "price_in_words"]

MOST_COMPARED = 64
"""The most combinations of answers among which the lowest price is found."""


class Cost(NamedTuple):
    """The cost of a price: points taken, points given to the GM, and symbols of the roll."""

    points: r.Points
    given: r.Points
    symbols: r.Bag


FREE = Cost(r.Points(), r.Points(), r.Bag())
"""The price of a move without one."""


class Price:
    """One way to pay for a move."""

    def __init__(self, rules: Rules, row: MoveRow, parts: Mapping[str, Expression]) -> None:
        self.key, self.parts, points = "+".join(parts), parts, rules.game.points
        self.symbols = [name for name in parts if name not in points]
        self._own = {name for name in parts if rules.is_of_character(name)}
        self._to_gm = {
            name for name in parts if row.who != "gm" and name in points and points[name].of == "gm"
        }
        self.apart = bool(self.symbols or self._to_gm)
        """Whether it takes what the engine takes no price of: symbols, or points that go to the
        GM.
        """
        self.same: Cost | None = None
        """What it always comes to; None where that follows from answers, or from who pays."""
        if not self._own | self._to_gm and all(n.fixed is not None for n in parts.values()):
            self.same = self._counted(
                {name: n.fixed or 0 for name, n in parts.items()}, None, r.Team.GM
            )

    def due(self, scope: TurnScope, team: r.Team) -> Cost:
        """The cost for the character of a scope, paid by this side."""
        if self.same is not None:
            return self.same
        return self._counted(
            {name: n.number(scope) for name, n in self.parts.items()}, scope.who, team
        )

    def gives(self, name: str, team: r.Team) -> bool:
        """Whether these points go to the GM because the players pay."""
        return name in self._to_gm and team is not r.Team.GM

    def in_words(self, scope: TurnScope, team: r.Team) -> str:
        """The price in words, and whether it is given to the GM."""
        turn, counted = scope.turn, {name: n.number(scope) for name, n in self.parts.items()}
        text = turn.words["list.comma"].join(
            f"{n} {turn.word(name, n)}" for name, n in counted.items()
        )
        given = any(self.gives(name, team) for name in self.parts)
        if given:
            return turn.words.say("filed.given", price=text)
        return text

    def _counted(self, counts: Mapping[str, int], who: r.Character | None, team: r.Team) -> Cost:
        points, apart, own = dict[r.Purse, int](), self.apart, self._own
        given, symbols = dict[r.Purse, int](), dict[str, int]()
        for name, n in counts.items():
            if apart and name in self.symbols:
                symbols[name] = max(0, n)
            elif apart and self.gives(name, team):
                given[r.Purse(name)] = max(0, n)
            elif name not in own:
                points[r.Purse(name)] = max(0, n)
            elif who is not None:
                points[r.Purse(name, who.id)] = max(0, n)
        if apart:
            return Cost(r.Points(points), r.Points(given), r.Bag(symbols))
        return Cost(r.Points(points), *FREE[1:])


def unanswered(row: MoveRow, price: Price, scope: TurnScope) -> list[AskRow]:
    """The open questions of a move that a price depends on."""
    read = {name for n in price.parts.values() for name in n.names}
    return [
        ask
        for ask in row.asks
        if ask.name in read
        and ask.name not in scope.turn.args
        and (ask.when is None or ask.when.holds(scope))
    ]


def lowest_cost(price: Price, scope: TurnScope, team: r.Team, row: MoveRow) -> Cost:
    """The cost of a price; the lowest one while a choice without a default is open."""
    ways: dict[str, list[Value]] = {}
    for ask in unanswered(row, price, scope):
        if ask.default is None and ask.needed and (ask.choices or ask.entry):
            entries = entries_of(scope.rules, ask)
            ratings = [scope.rules.rating(scope.who, entry) for entry in entries]
            ways[ask.name] = [*ask.choices, *ratings]
            if ask.choose:
                least = max(1, ask.choose[0].number(scope))
                ways[ask.name] = list(map(CHOSEN.join, combinations(ask.choices, least)))
    costs = []
    for values in islice(product(*ways.values()), MOST_COMPARED):
        scope.numbers |= dict(zip(ways, values, strict=True))
        costs.append(price.due(scope, team))
    return min(costs, key=lambda cost: sum(sum(part.values()) for part in cost))


class Payment:
    """The payment of a move: its ways, the one that a seat chooses, and what each costs it."""

    def __init__(self, rules: Rules, row: MoveRow, scope: Callable[[r.Turn], TurnScope]) -> None:
        self.row, self.scope = row, scope
        self.prices = tuple(Price(rules, row, price) for price in row.price)
        self.apart = any(price.apart for price in self.prices)
        self.of_actor = row.who == "actor" and row.when in ("before the roll", "after the roll")
        """Whether the side of the acting character pays."""

    def price(self, turn: r.Turn) -> r.Points:
        """The price in points of the chosen way, without points for the GM."""
        return self.due(turn, self.paid_by(turn)).points

    def due(self, turn: r.Turn, price: Price) -> Cost:
        """The cost of a price of the move."""
        if price.same is not None:
            return price.same
        team = self.payers(turn) if price.apart else turn.team
        return lowest_cost(price, self.scope(turn), team, self.row)

    def caution(self, turn: r.Turn) -> str:
        """What the price depends on, while that is open."""
        open_asks = unanswered(self.row, self.paid_by(turn), self.scope(turn))
        if not open_asks:
            return ""
        return turn.words.say("filed.price.depends", question=open_asks[0].label)

    def payers(self, turn: r.Turn) -> r.Team:
        """The side that pays for the move."""
        check = turn.check if self.of_actor else None
        return turn.team if check is None else check.team

    def missing_symbols(self, turn: r.Turn, *prices: Price) -> tuple[str, str] | None:
        """The symbols that a price takes and those left, where that is too little for each."""
        costs = [self.due(turn, price).symbols for price in prices]
        left = turn.check.left if turn.check else r.Bag()
        if any(left >= cost for cost in costs):
            return None
        cost = next(filter(None, costs), r.Bag())
        return r.priced(turn, cost), r.priced(turn, left.only(cost)) or turn.words["nothing"]

    def paid_by(self, turn: r.Turn) -> Price:
        """The chosen price, else the first payable one, else the first."""
        prices = self.prices
        if len(prices) == 1:
            return prices[0]
        if chosen := turn.text("pay"):
            return next((price for price in prices if price.key == chosen), prices[0])
        payable = (
            one
            for one in prices
            if not self.why_unpayable(turn, one) and not self.missing_symbols(turn, one)
        )
        return next(payable, prices[0])

    def why_unpayable(self, turn: r.Turn, price: Price) -> r.Refusal | None:
        """Why a price cannot be paid now, or None."""
        for (account, owner), n in self.due(turn, price).points.items():
            row = turn.system.by_account[account]
            room = row.room(turn.table, owner)
            if room is not None and room < n:
                return turn.short(account, n, room, row.paying == "raises")
        return None

    def ways(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The ways to pay."""
        for price in self.prices:
            yield r.Choice(price.key, price.in_words(self.scope(turn), self.payers(turn)))

    def title(self, turn: r.Turn) -> str:
        """The title with points for the GM and symbols of the roll, which are not engine prices."""
        if len(self.prices) != 1:
            return ""
        price, team = self.prices[0], self.payers(turn)
        if not price.symbols and not any(price.gives(name, team) for name in price.parts):
            return ""
        return turn.words.say(
            "filed.title", title=turn.title, price=price.in_words(self.scope(turn), team)
        )


def enough_symbols(payment: Payment) -> r.Condition:
    """The condition that the open roll has the symbols that a payment takes."""

    def enough(turn: r.Turn) -> r.Refusal | None:
        """The roll has the symbols left that the move costs, in one way at least."""
        short = payment.missing_symbols(turn, *payment.prices)
        if short:
            return turn.no("symbols.short", price=short[0], left=short[1])
        return None

    return enough


def price_in_words(rules: Rules, row: MoveRow) -> str:
    """The price of a move in words; several prices are a choice."""
    spelt, points, ways = RowsInWords.of_row(rules, row), rules.game.points, []
    for price in row.price:
        parts = []
        for name, n in price.items():
            to_gm = name in points and points[name].of == "gm" and row.who in ("player", "helper")
            parts.append(spelt.counted(name, n) + (" for the GM" if to_gm else ""))
        ways.append(", ".join(parts))
    return " or ".join(ways)
