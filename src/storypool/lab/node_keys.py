"""What two tables of an evening must share so that the same can happen to their actions."""

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
"""Points that pay for anything. Which moves are open is tried with these, and with none."""


Ended = tuple[Check, Outcome]
"""An action for which dice were rolled, as it was before the roll, and its outcome."""


def in_hand(table: Table) -> Check | None:
    """Return the action that was opened last, if any is open."""
    return next((table.checks[id] for id in reversed(list(table.checks))), None)


class NodeKeys:
    """The keys of tables and of rolls: where two are equal, what follows is the same."""

    def __init__(self, system: System, pools: Purses) -> None:
        self._system, self._pools = system, pools
        self._dice = {die.name: die for die in system.dice}

    def of_table(
        self, table: Table, waits: Sequence[Wait], offered: Iterable[Hashable]
    ) -> Hashable:
        """Return what two tables must share to be one node; `offered` are the spends of those who
        may spend.
        """
        check, offers = in_hand(table), frozenset(offered)
        if check is None:
            asked = tuple((wait.id, wait.whom, wait.moves) for wait in waits)
            return self._stock(table), tuple(table.proposals), asked
        stands = (
            self._ended(table, check, bool(offers)) if check.outcome else self._asked(table, check)
        )
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
        """Return what two tables must share for the same dice to lead to the same."""
        check = table.checks.get(rolled.check)
        if check is None:
            return self.of_table(table, waits, ())
        stands = self._ended(table, check, True) if check.outcome else self._question(table, check)
        return self._stock(table), check.side, check.phase, check.owed, stands, _bought(check)

    def of_end(self, table: Table, check: Check, outcome: Outcome) -> Hashable:
        """Return what two rolls must share to lead to the same if they end their action: how they
        are read.
        """
        asked = self._asks(table, check)
        terms = tuple(asked.terms.items()) if asked else ()
        reads = outcome.passed, outcome.margin, outcome.net
        return self._stock(table), check.side, check.phase, check.owed, terms, reads, _bought(check)

    def read(self, table: Table, rolled: DiceRolled, faces: Faces) -> Ended | None:
        """Return the action for which these dice were rolled, and how they would be read with other
        faces.

        None where no action is open, or dice lie in it already.
        """
        check, falling = table.checks.get(rolled.check), iter(faces)
        if check is None or check.outcome is not None:
            return None
        shown = (
            one if self._dice[one.die].sides == 1 else Rolled(one.die, next(falling))
            for one in rolled.rolled
        )
        return check, self._system.read(table, check, tuple(shown))

    def _stock(self, table: Table) -> tuple[int, ...]:
        """Return what is in the pools that did not have plenty from the first; in an action, in the
        table's.

        Who has points of their own is seen in what they are offered.
        """
        of = zip(self._pools.every, self._pools.of(table), strict=True)
        return tuple(
            n if n < PLENTY // 2 else -1 for purse, n in of if not (purse.owner and table.checks)
        )

    def _question(self, table: Table, check: Check) -> Hashable:
        """Return what the odds of an action ask as it stands."""
        asked = self._asks(table, check)
        return (asked.pool, tuple(asked.terms.items()), asked.against) if asked else check.pool

    def _asks(self, table: Table, check: Check) -> Question | None:
        stakes = game_stakes.stakes(self._system.key)
        return stakes.question(table, check) if stakes else None

    def _asked(self, table: Table, check: Check) -> Hashable:
        """Return how an action stands before the roll: what its odds ask, who has decided and who
        may still.
        """

        def side(id: str) -> str:
            return table.seats[id].side if id in table.seats else id

        uses = frozenset(
            (use.group, tuple(side(id) for kind, id in use.scopes if kind != "check"), n)
            for use, n in table.uses.items()
            if ("check", check.id) in use.scopes
        )
        # What has spaces in it is a title or a reason.
        texts = ((key, _texts(value)) for key, value in check.terms.items())
        words = tuple(
            (key, tuple(sorted({side(id) for id in ids if " " not in id}))) for key, ids in texts
        )
        return self._question(table, check), check.side, check.windows, uses, words, _bought(check)

    def _ended(self, table: Table, check: Check, spends: bool) -> Hashable:
        """Return how an action has ended; where a side may still spend, which faces the dice show
        too.
        """
        assert check.outcome is not None
        ended = check.side, check.outcome.passed, check.outcome.margin
        return (*ended, worth_of(self._system, table, check), _bought(check)) if spends else ended


def _bought(check: Check) -> tuple[str, ...]:
    """Return the numbers of an action that are not 0. How often was bought makes prices, but
    nothing else.
    """
    return tuple(key for key, value in check.terms.items() if value and isinstance(value, int))


def _texts(value: Value) -> tuple[str, ...]:
    """Return the texts in a term, or "" where it has none."""
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(one for one in listed if isinstance(one, str)) or ("",)
