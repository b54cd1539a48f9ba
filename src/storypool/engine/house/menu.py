"""The symbols left of a roll, and the rows that they buy: prices, buyers and effects."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from storypool.engine.bag import Bag
from storypool.engine.events import CheckChanged
from storypool.engine.folder import rows
from storypool.engine.game.asks import Ask, Choice, ChoiceAsk, TextAsk
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import actor_of, gms
from storypool.engine.house.choices import players_with_a_character, priced
from storypool.engine.house.conditions import acts_in
from storypool.engine.table import Check, Team

__all__ = ["Menu", "MenuRow", "Shares", "menu_rows"]


@dataclass(frozen=True)
class Shares:
    """The spenders of a roll: `helping` symbols for the acting side, `hindering` for the other.

    `left_to_gm` returns whether at this table the GM spends all symbols of an NPC's roll.
    """

    helping: tuple[str, ...]
    hindering: tuple[str, ...]
    left_to_gm: Callable[[Turn], bool] = lambda turn: False

    @property
    def both(self) -> tuple[str, ...]:
        """All symbols that can be spent."""
        return (*self.helping, *self.hindering)

    def gm_spends_all(self, turn: Turn, check: Check) -> bool:
        """Whether the GM spends every symbol of this roll.

        That is so if no player is here for the actor, or the GM may spend an NPC's roll.
        """
        if check.team is Team.PLAYERS:
            return actor_of(turn.table, check) == gms(turn.table)
        return check.hidden or not players_with_a_character(turn.table) or self.left_to_gm(turn)

    def own(self, turn: Turn, check: Check) -> tuple[str, ...]:
        """The symbols of this roll that this seat spends."""
        if self.gm_spends_all(turn, check):
            return self.both if turn.is_gm else ()
        if acts_in(turn, check):
            return self.helping
        opponent = "player" if check.team is Team.GM else "gm"
        return self.hindering if turn.seat.side == opponent else ()

    def others(self, turn: Turn, check: Check) -> tuple[str, ...]:
        """The symbols of this roll that another seat spends."""
        if self.gm_spends_all(turn, check):
            return ()
        own = self.own(turn, check)
        return tuple(symbol for symbol in self.both if symbol not in own)

    def other_seats(self, turn: Turn, check: Check) -> tuple[str, ...]:
        """The seats that spend the hindering symbols of this roll."""
        if check.team is Team.PLAYERS or self.gm_spends_all(turn, check):
            return gms(turn.table)
        return tuple(seat.id for seat in players_with_a_character(turn.table))


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One thing that symbols can buy; a buyer chooses one of the `costs`."""

    key: str
    costs: tuple[Bag, ...]
    text: str
    effect: str = ""
    whom: str = ""


Row = TypeVar("Row", bound=MenuRow)


def menu_rows(folder: str, file: str, kind: type[Row]) -> Mapping[str, Row]:
    """The rows of a data file of a game, by their keys."""
    return {
        key: kind(key, **{**row, "costs": tuple(map(Bag, row["costs"]))})
        for key, row in rows(folder, file).items()
    }


class Menu(Generic[Row]):
    """The rows that a roll's symbols buy, and the parts of the moves that buy them.

    A game overrides `rows`, and where it differs `costs`, `closed`, `people`, `usual` and `begins`.
    Its moves are made of `asks`, `price`, `booked` and `done`.
    """

    def __init__(self, shares: Shares) -> None:
        self.shares = shares

    def rows(self, turn: Turn) -> Mapping[str, Row]:
        """Every row of this table, by its key."""
        raise NotImplementedError

    def costs(self, turn: Turn, check: Check, row: Row) -> Sequence[Bag]:
        """The ways to pay for a row, the cheapest first."""
        return row.costs

    def closed(self, turn: Turn, check: Check, row: Row, costs: Sequence[Bag]) -> str:
        """The reason why a row cannot be bought now, or ""; `costs` are in this seat's symbols."""
        return self.short(turn, check, costs)

    def people(self, turn: Turn, check: Check, row: Row) -> Iterator[Choice]:
        """The possible targets of a row, characters or seats, if its buyer chooses one."""
        return iter(())

    def usual(self, check: Check, row: Row) -> str:
        """The id of a row's default character or seat, or ""."""
        return ""

    def printed(self, turn: Turn, row: Row) -> str:
        """The effect of a row, in the language of the table."""
        return turn.words.get(f"buys.{row.key}", row.text)

    def begins(self, turn: Turn, row: Row) -> str:
        """The initial text of the form, for a row that alone says too little; or ""."""
        return ""

    def left(self, turn: Turn) -> Bag:
        """The symbols of the open roll that this seat may still spend."""
        check = turn.check
        return check.left.only(self.shares.own(turn, check)) if check else Bag()

    def short(self, turn: Turn, check: Check, costs: Sequence[Bag]) -> str:
        """The sentence that too little is left for these costs, or ""."""
        if any(check.left >= cost for cost in costs):
            return ""
        left = check.left.only([symbol for cost in costs for symbol in cost])
        return turn.words.say(
            "no.symbols.short", price=in_either_way(turn, costs), left=_in_words(turn, left)
        )

    def offered(
        self, turn: Turn, check: Check, symbols: Sequence[str]
    ) -> Iterator[tuple[Row, list[Bag], str]]:
        """Yield each row that these symbols can pay for, its costs in them, and why it is closed.

        The reason is "" for an open row.
        """
        own = set(symbols)
        for row in self.rows(turn).values() if own else ():
            if costs := [cost for cost in self.costs(turn, check, row) if set(cost) <= own]:
                yield row, costs, self.closed(turn, check, row, costs)

    def choices(self, turn: Turn) -> Iterator[Choice]:
        """Yield a choice for every row that this seat's symbols can pay for, with its price.

        Some are closed.
        """
        check = turn.check
        if check is None:
            return
        for row, costs, closed in self.offered(turn, check, self.shares.own(turn, check)):
            yield Choice(
                row.key,
                self.printed(turn, row),
                in_either_way(turn, _in_reach(check, costs)),
                closed,
            )

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions of the move that buys a row."""
        return (
            ChoiceAsk("row", "What for?", self.choices, short=self._is_short),
            ChoiceAsk("with", "With what?", self._payable, first=True),
            ChoiceAsk(
                "whom",
                "Which character is it for?",
                self._people,
                default=self._default,
                shown=self._asks_whom,
            ),
            TextAsk("text", "In your own words", default=self._begins, needed=False),
        )

    def row(self, turn: Turn) -> Row | None:
        """The row that was chosen."""
        return self.rows(turn).get(turn.text("row"))

    def price(self, turn: Turn) -> Bag:
        """The price of the chosen row, in the chosen symbols."""
        costs = self.costs(turn, turn.here, self.rows(turn)[turn.text("row")])
        return next((cost for cost in costs if turn.text("with") in cost), costs[0])

    def booked(
        self, turn: Turn, check: Check, price: Bag, text: str, whom: str = ""
    ) -> CheckChanged:
        """The event that takes this price from the open roll; `whom` names its target, or "".

        `Refused` if less is left.
        """
        if not check.left >= price:
            left = _in_words(turn, check.left.only(price))
            raise turn.refused("price", "symbols.short", price=priced(turn, price), left=left)
        key = "spend.booked.on" if whom and whom not in text else "spend.booked"
        what = turn.words.say(
            key, who=turn.seat.name, cost=priced(turn, price), text=text, whom=whom
        )
        return turn.amend(check, what, left=check.left - price)

    def done(self, turn: Turn, check: Check) -> CheckChanged:
        """The event that drops this seat's unspent symbols of the open roll."""
        what = turn.words.say("spend.waived", who=turn.seat.name)
        return turn.amend(check, what, left=check.left - self.left(turn))

    def lost_to_others(self, turn: Turn) -> str:
        """The warning that other players lose the symbols that this seat leaves, or ""."""
        check, seats = turn.check, turn.table.seats
        whom = self.shares.other_seats(turn, check) if check and not acts_in(turn, check) else ()
        others = (
            [seats[id].name for id in whom if id != turn.seat.id] if turn.seat.id in whom else []
        )
        lost = {"left": priced(turn, self.left(turn)), "who": turn.words.joined(others)}
        return turn.words.say("spend.lost_to", **lost) if others and not turn.is_gm else ""

    def _is_short(self, turn: Turn, choice: Choice) -> bool:
        """Whether a row is closed because too little is left for it."""
        check = turn.check
        if check is None:
            return False
        rows = self.offered(turn, check, self.shares.own(turn, check))
        return any(
            row.key == choice.value and closed == self.short(turn, check, costs)
            for row, costs, closed in rows
        )

    def _payable(self, turn: Turn) -> Iterator[Choice]:
        check, row = turn.check, self.row(turn)
        for cost in self.costs(turn, check, row) if check and row else ():
            if self.left(turn) >= cost:
                yield Choice(next(iter(cost)), priced(turn, cost))

    def _people(self, turn: Turn) -> Iterator[Choice]:
        check, row = turn.check, self.row(turn)
        return self.people(turn, check, row) if check and row else iter(())

    def _asks_whom(self, turn: Turn) -> bool:
        return any(self._people(turn))

    def _begins(self, turn: Turn) -> str | None:
        row = self.row(turn)
        return (self.begins(turn, row) if row else "") or None

    def _default(self, turn: Turn) -> str | None:
        """The row's usual id if it may be chosen, else the only choice, else None."""
        check, row = turn.check, self.row(turn)
        people = [choice.value for choice in self._people(turn)]
        usual = self.usual(check, row) if check and row else ""
        if usual in people:
            return usual
        return people[0] if len(people) == 1 else None


def _in_reach(check: Check, costs: Sequence[Bag]) -> Sequence[Bag]:
    """The costs whose symbols the roll has left; all of the costs if it has none of them."""
    return [cost for cost in costs if set(cost) <= set(check.left)] or costs


def in_either_way(turn: Turn, costs: Sequence[Bag]) -> str:
    """Alternative costs in words."""
    return turn.words["list.or"].join(priced(turn, cost) for cost in costs)


def _in_words(turn: Turn, left: Bag) -> str:
    return priced(turn, left) or turn.words["nothing"]
