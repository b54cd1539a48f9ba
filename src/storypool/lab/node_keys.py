"""The keys by which tables of an evening are equivalent for their actions."""

from collections.abc import Hashable, Iterable, Sequence

from storypool.engine.dice import Rolled
from storypool.engine.events import DiceRolled
from storypool.engine.game.system import System
from storypool.engine.game.waits import Wait
from storypool.engine.table import Check, Outcome, Table, Value
from storypool.lab.flows import Purses
from storypool.lab.rolls import Faces, worth_of
from storypool.odds.question import Question
from storypool.systems import game_stakes

PLENTY = 10_000
"""Points that pay for anything; moves are tried with these, and with none."""


Ended = tuple[Check, Outcome]
"""An action with rolled dice, as it was before the roll, and its outcome."""


def in_hand(table: Table) -> Check | None:
    """The action that was opened last, if any is open."""
    return next((table.checks[id] for id in reversed(list(table.checks))), None)


class NodeKeys:
    """The keys of tables and of rolls: equal keys have the same continuations."""

    def __init__(self, system: System, pools: Purses) -> None:
        self._system, self._pools = system, pools
        self._dice = {die.name: die for die in system.dice}

    def of_table(
        self, table: Table, waits: Sequence[Wait], offered: Iterable[Hashable]
    ) -> Hashable:
        """The key of a table's node; `offered` are the spends of the seats that may spend."""
        check, offers = in_hand(table), frozenset(offered)
        if check is None:
            asked = tuple((wait.id, wait.whom, wait.moves) for wait in waits)
            return self._stock(table), tuple(table.proposals), asked
        if check.outcome:
            stands = self._ended(table, check, bool(offers))
        else:
            stands = self._asked(table, check)
        asks = tuple(wait.id for wait in waits)
        return (
            self._stock(table),
            len(table.proposals),
            check.phase,
            check.owed,
            stands,
            asks,
            offers,
        )

    def of_roll(self, table: Table, rolled: DiceRolled, waits: Sequence[Wait]) -> Hashable:
        """The key of a roll: equal keys give the same results for the same dice."""
        check = table.checks.get(rolled.check)
        if check is None:
            return self.of_table(table, waits, ())
        if check.outcome:
            stands = self._ended(table, check, True)
        else:
            stands = self._question(table, check)
        return (
            self._stock(table),
            check.side,
            check.phase,
            check.owed,
            stands,
            _bought_numbers(check),
        )

    def of_end(self, table: Table, check: Check, outcome: Outcome) -> Hashable:
        """The key of a roll that ends its action: the interpretation of its result."""
        asked = self._asks(table, check)
        terms = tuple(asked.terms.items()) if asked else ()
        reads = outcome.passed, outcome.margin, outcome.net
        return (
            self._stock(table),
            check.side,
            check.phase,
            check.owed,
            terms,
            reads,
            _bought_numbers(check),
        )

    def read(self, table: Table, rolled: DiceRolled, faces: Faces) -> Ended | None:
        """The action of this roll, and its outcome with these faces instead.

        None if no action is open, or it was rolled already.
        """
        check, falling = table.checks.get(rolled.check), iter(faces)
        if check is None or check.outcome is not None:
            return None
        shown = list(rolled.rolled)
        for i, one in enumerate(shown):
            if self._dice[one.die].sides > 1:
                shown[i] = Rolled(one.die, next(falling))
        return check, self._system.read(table, check, tuple(shown))

    def _stock(self, table: Table) -> tuple[int, ...]:
        """The contents of the pools without plenty; in an action only the table's.

        Points of characters show in their offers.
        """
        counted = []
        for purse, n in zip(self._pools.every, self._pools.of(table), strict=True):
            if not (purse.owner and table.checks):
                counted.append(n if n < PLENTY // 2 else -1)
        return tuple(counted)

    def _question(self, table: Table, check: Check) -> Hashable:
        """The inputs for the odds of an action as it is."""
        asked = self._asks(table, check)
        if asked:
            return (asked.pool, tuple(asked.terms.items()), asked.against)
        return check.pool

    def _asks(self, table: Table, check: Check) -> Question | None:
        stakes = game_stakes.stakes(self._system.key)
        if stakes:
            return stakes.question(table, check)
        return None

    def _asked(self, table: Table, check: Check) -> Hashable:
        """The state of an action before the roll: inputs of its odds, past and possible choices."""

        def side(id: str) -> str:
            if id in table.seats:
                return table.seats[id].side
            return id

        uses = set()
        for use, n in table.uses.items():
            if ("check", check.id) in use.scopes:
                scopes = tuple(side(id) for kind, id in use.scopes if kind != "check")
                uses.add((use.group, scopes, n))
        words = []
        for key, value in check.terms.items():
            # Terms with spaces are titles or reasons.
            sides = {side(id) for id in _texts(value) if " " not in id}
            words.append((key, tuple(sorted(sides))))
        asked = self._question(table, check)
        past = frozenset(uses), tuple(words), _bought_numbers(check)
        return asked, check.side, check.windows, *past

    def _ended(self, table: Table, check: Check, spends: bool) -> Hashable:
        """The state of an ended action; with its dice if a side may still spend."""
        assert check.outcome is not None
        ended = check.side, check.outcome.passed, check.outcome.margin
        if spends:
            return (*ended, worth_of(self._system, table, check), _bought_numbers(check))
        return ended


def _bought_numbers(check: Check) -> tuple[str, ...]:
    """The number terms of an action that are not 0; their values only affect prices."""
    return tuple(key for key, value in check.terms.items() if value and isinstance(value, int))


def _texts(value: Value) -> tuple[str, ...]:
    """The texts in a term, or "" if it has none."""
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(one for one in listed if isinstance(one, str)) or ("",)
