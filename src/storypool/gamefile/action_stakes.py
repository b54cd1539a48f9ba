"""The odds of an open action of a game file, and the worth of rolling dice again."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.doing import POOL
from storypool.gamefile.file_format.expressions import Scope
from storypool.gamefile.file_format.schema import MoveRow
from storypool.gamefile.file_rolls.pool_odds import Again, FileOdds
from storypool.gamefile.file_rolls.roll_reading import Terms
from storypool.gamefile.move_rows import key_of
from storypool.gamefile.scope import Rules
from storypool.odds import question as asking
from storypool.odds.question import Question, Worth

__all__ = ["FileStakes"]


class FileStakes:
    """The odds of an open action, and the worth of moves that roll dice again."""

    def __init__(self, rules: Rules, odds: FileOdds) -> None:
        self.rules, self.odds = rules, odds
        changing, keys = (*POOL, "set", "shift"), {"proposal.accept"}
        if any(ask.whose for ask in rules.asks.values()):
            keys |= {"check.agree", "check.decide"}
        for row in rules.game.move:
            if any(do.verb in changing for do in row.do):
                keys.add(key_of(row))
        self.TRIED = frozenset(keys)
        """The moves that can change what an open action rolls."""

    def question(self, table: r.Table, check: r.Check) -> Question | None:
        """The question whose odds are those of the unchanged action."""
        if not self.odds.reading.thrown(check.pool) or not self.odds.reading.numbers:
            return None
        return Question(
            check.pool, {name: str(n) for name, n in self.rules.terms(check, table).items()}
        )

    def further(self, table: r.Table, check: r.Check) -> Iterator[Worth]:
        """The worth of rolling dice again, before the roll: of the whole pool."""
        if check.phase != "build" or not self.odds.reading.thrown(check.pool):
            return
        for row in self.rules.game.move:
            found = (Again(do.again, do.dice) for do in row.do if do.again is not None)
            again = next((one for one in found if not one.when.names - {"face"}), None)
            if row.when != "after the roll" or again is None:
                continue
            terms = self.rules.terms(check, table)
            changed = self._with_changes(row, terms)
            if changed is not None:
                before = self.odds.outcomes(check.pool, terms)
                after = self.odds.outcomes(check.pool, changed, again)
                yield Worth(key_of(row), {}, before, after)

    def _with_changes(self, row: MoveRow, terms: Terms) -> Terms | None:
        """The terms after a move's own changes; None where those depend on the first roll."""
        found = dict(terms)
        for do in row.do:
            if do.symbol or (do.shift or do.set) in terms:
                if do.to is None or do.to.names or do.to.counts or do.when is not None:
                    return None
                found[do.set] = do.to(Scope())
        return found

    def _typed(self, name: str, value: str) -> bool:
        """Whether the form of the action answers a term with this value."""
        ask = self.rules.asks.get(name)
        return ask is not None and bool(ask.number or value in ask.choices)

    def scene(self, question: Question) -> str:
        """A play in which a player is about to roll this pool, as far as a sheet can give it."""
        rules, row = self.rules, self.rules.game.action
        entry = next((ask for ask in row.asks if ask.entry), None)
        group = rules.game.sheet[entry.entry[0]] if entry else None
        key = next(iter(group.entries)) if group else ""
        n = question.pool.total
        sheet = f"{key}={max(group.low, min(group.high, n))}" if group else ""
        answers = [f"{entry.name}={key}"] if entry else []
        answers += [
            f"{name}={value}" for name, value in question.terms.items() if self._typed(name, value)
        ]
        return asking.scene(self.odds.key, sheet, "", " ".join(["check.declare as=hero", *answers]))
