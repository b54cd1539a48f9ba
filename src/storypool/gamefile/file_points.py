"""The points of a game file: their accounts, first balances, floors and caps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.engine.events import SeatTaken
from storypool.gamefile.file_format.expressions import Expression, Scope, constant
from storypool.gamefile.file_format.readable_names import PLAYERS
from storypool.gamefile.file_format.schema import PointsRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.scope import TurnScope, is_hero


class FilePoints:
    """The reactions that give everybody their first points, and keep points within their bounds."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.rows = rules, rules.game.points

    def reactions(self) -> Iterator[tuple[type, Callable[[r.Turn, r.Event], Iterator[r.Event]]]]:
        """The reactions, each with the kind of event it follows."""
        yield r.PeriodBegan, self._starts
        yield r.CharacterSet, self._arrives
        yield r.RulesChanged, self._taken_over
        if any(map(_has_variable_bounds, self.rows.values())):
            for changed in (r.CharacterSet, r.PointsSet, r.TraitSet, r.TraitRemoved, SeatTaken):
                yield changed, self._bounded

    def _starts(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        """Set the table's first points in its first session, and those of characters without."""
        if isinstance(event, r.PeriodBegan) and event.kind == "session" and event.number == 1:
            for name, row in self.rows.items():
                if not row.is_own and (start := _start(row)) is not None:
                    n, now = start.number(TurnScope(self.rules, turn)), turn.table.balance(name)
                    if n > now or not now:
                        yield from self._started(turn, name, start)
            for one in turn.table.characters.values():
                yield from self._first_points(turn, one)

    def _arrives(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        """Set a new character's first points."""
        assert isinstance(event, r.CharacterSet)
        was = turn.before.characters.get(event.character.id)
        if was is None:
            yield from self._first_points(turn, event.character)
        elif was.side != event.character.side:
            yield from self._first_points_of_a_hero(turn, event.character)

    def _bounded(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        """Clamp points whose floor or cap a number or a statement has moved."""
        for name, row in self.rows.items():
            if _has_variable_bounds(row):
                yield from self._kept_within(turn, name)

    def _kept_within(self, turn: r.Turn, *names: str) -> Iterator[r.Event]:
        """Clamp these points of everybody who has them to their floor and cap."""
        for name in names:
            for owner in list(turn.table.characters) if self.rows[name].is_own else [""]:
                now, n = turn.table.balance(name, owner), self._within(turn, name, owner)
                if n != now:
                    why = turn.words.say("filed.bounded" if n < now else "filed.bounded.least", n=n)
                    yield from turn.set_balance(name, n, owner, why)

    def _within(self, turn: r.Turn, name: str, owner: str, n: int | None = None) -> int:
        """A balance, or this many points, clamped to floor and cap."""
        account = turn.system.by_account[name]
        least, most = account.least(turn.table, owner), account.most(turn.table, owner)
        if n is None:
            n = turn.table.balance(name, owner)
        n = max(least, n)
        if most is None:
            return n
        return min(n, max(least, most))

    def _taken_over(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        """Set the first points of accounts that only the new rules have; clamp the others."""
        old = turn.system.played_at(turn.before).by_account
        for name, row in self.rows.items():
            start = _start(row)
            if start is None or name in old:
                continue
            if row.is_own:
                for one in turn.table.characters.values():
                    yield from self._started(turn, name, start, one)
            elif turn.table.periods["session"]:
                yield from self._started(turn, name, start)
        yield from self._kept_within(turn, *self.rows)

    def _started(
        self, turn: r.Turn, name: str, start: Expression, one: r.Character | None = None
    ) -> Iterator[r.Event]:
        owner = one.id if one else ""
        n = self._within(turn, name, owner, start.number(TurnScope(self.rules, turn, who=one)))
        yield from turn.change(
            name, n - turn.table.balance(name, owner), owner, turn.words["filed.start"]
        )

    def _first_points(self, turn: r.Turn, one: r.Character) -> Iterator[r.Event]:
        if any(purse.owner == one.id for purse in turn.table.points):
            return
        for name, row in self.rows.items():
            if row.is_own and (start := _start(row)) is not None:
                yield from self._started(turn, name, start, one)

    def _first_points_of_a_hero(self, turn: r.Turn, one: r.Character) -> Iterator[r.Event]:
        """Set the first points of players' characters for one who was an NPC."""
        for name, row in self.rows.items():
            start = _start(row)
            fresh = r.Purse(name, one.id) not in turn.table.points
            if row.of == "hero" and start is not None and has_points(row, one) and fresh:
                yield from self._started(turn, name, start, one)


def account_of(rules: Rules, name: str, row: PointsRow) -> r.Account:
    """The account of these points."""
    side = {"players": "players", "gm": "gm"}.get(row.of, "")
    cap, floor = row.cap, row.floor
    fixed = cap.fixed if cap is not None else None
    least_fixed = floor.fixed if floor is not None else 0

    def least(table: r.Table, owner: str) -> int:
        if floor is not None:
            return floor.number(_Sheet(rules, table, owner))
        return 0

    def most(table: r.Table, owner: str) -> int | None:
        if cap is not None:
            return cap.number(_Sheet(rules, table, owner))
        return None

    return r.Account(
        name,
        "character" if row.is_own else "table",
        side,  # type: ignore[arg-type]
        cap=fixed if cap is None or fixed is not None else most,
        overflow=row.overflow,
        paying="raises" if row.rises else "lowers",
        floor=least if least_fixed is None else least_fixed,
        heroes=row.of == "hero",
    )


def has_points(row: PointsRow, one: r.Character) -> bool:
    """Whether a character has these points; an NPC has none that only heroes have."""
    return row.is_own and (row.of != "hero" or is_hero(one))


def _start(row: PointsRow) -> Expression | None:
    """The first balance of these points: 0 with only a floor, None with neither."""
    if row.start is not None:
        return row.start
    return row.floor and constant(0)


def _has_variable_bounds(row: PointsRow) -> bool:
    """Whether the floor or the cap of points depends on the sheet or the table."""
    bounds = (row.floor, row.cap)
    return row.of == "hero" or any(one is not None and one.fixed is None for one in bounds)


class _Sheet(Scope):
    """The sheet and the points of one character as a scope without a turn, for caps."""

    def __init__(self, rules: Rules, table: r.Table, owner: str) -> None:
        self.rules, self.table, self.who = rules, table, table.characters.get(owner)

    def value(self, name: str) -> int:
        """A number of the sheet, or a balance."""
        row = self.rules.game.points.get(name)
        if name == PLAYERS and row is None:
            return len(r.players(self.table))
        if row is not None:
            owner = self.who.id if self.who and row.is_own else ""
            return self.table.balance(name, owner)
        return self.rules.rating(self.who, name)

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """Count statements about the character or the scene."""
        whom = {"", self.who.id if self.who else ""}
        if function == "traits":
            return sum(one.about in whom for one in self.table.of_kind(about[0]))
        return 0
