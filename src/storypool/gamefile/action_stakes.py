"""The odds of an open action of a game file, and the worth of rolling dice again."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.cards.known_cards import gone_terms
from storypool.gamefile.doing import POOL
from storypool.gamefile.file_format.expressions import CHOSEN, Expression, Scope
from storypool.gamefile.file_format.schema import AskRow, MoveRow
from storypool.gamefile.file_rolls.action_odds import ActionOdds
from storypool.gamefile.file_rolls.pool_odds import Again
from storypool.gamefile.file_rolls.roll_reading import Terms
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_rows import key_of
from storypool.gamefile.together.joined import joining_rows
from storypool.gamefile.together.joining import LEAVE
from storypool.odds import question as asking
from storypool.odds.question import Question, Worth

__all__ = ["FileStakes"]


class FileStakes:
    """The odds of an open action, and the worth of moves that roll dice again."""

    def __init__(self, rules: Rules, odds: ActionOdds) -> None:
        self.rules, self.odds = rules, odds
        changing, keys = (*POOL, "set", "shift"), set[str]()
        if rules.game.gm:
            keys.add("proposal.accept")
        if not rules.game.gm or any(row.consent not in ("", "gm") for row in rules.game.move):
            keys.add("consent.give")
        for one in rules.actions.values():
            if any(ask.whose for ask in one.asks.values()):
                keys |= {"check.agree", one.decided}
        for joining in joining_rows(rules.game):
            keys |= {key_of(joining), LEAVE}
        for row in rules.game.move:
            if any(do.verb in changing for do in row.do):
                keys.add(key_of(row))
        self.TRIED = frozenset(keys)
        """The moves that can change what an open action rolls."""

    def question(self, table: r.Table, check: r.Check) -> Question | None:
        """The question whose odds are those of the unchanged action."""
        rules = self.rules.of(check)
        if not rules.reading.thrown(check.pool) or not rules.reading.numbers:
            return None
        terms = {name: str(n) for name, n in rules.terms(check, table).items()}
        gone = gone_terms(rules.reading.decks, table, check)
        return None if gone is None else Question(check.pool, terms | gone)

    def further(self, table: r.Table, check: r.Check) -> Iterator[Worth]:
        """The worth of rolling dice again, before the roll: of the whole pool."""
        rules = self.rules.of(check)
        if check.phase != "build" or not rules.reading.thrown(check.pool):
            return
        for row in rules.game.move:
            game = rules.game
            found = (Again(do.again, game.again(do)) for do in row.do if do.again is not None)
            again = next((one for one in found if _of_face(one.when)), None)
            if row.when != "after the roll" or again is None:
                continue
            gone = gone_terms(rules.reading.decks, table, check)
            if gone is None:
                continue
            terms = rules.terms(check, table) | gone
            changed, odds = self._with_changes(row, terms), self.odds.of(terms)
            if changed is not None and odds.has_enough(check.pool, terms, again):
                before = odds.outcomes(check.pool, terms)
                after = odds.outcomes(check.pool, changed, again)
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

    def scene(self, question: Question) -> str:
        """A play in which a player is about to roll this pool, as far as a sheet can give it."""
        rules = self.rules.named(question.terms)
        row = rules.game.action
        entry = next((ask for ask in row.asks if ask.entry), None)
        group = rules.game.sheet[entry.entry[0]] if entry else None
        key = next(iter(group.entries)) if group else ""
        n = question.pool.total
        sheet = f"{key}={max(group.low, min(group.high, n))}" if group else ""
        answers = [f"{entry.name}={key}"] if entry else []
        answers += [
            f"{name}={value}"
            for name, value in question.terms.items()
            if _is_typed(rules.asks.get(name), value)
        ]
        line = " ".join([f"{rules.declared} as=hero", *answers])
        return asking.scene(rules.game.key, sheet, "", line)


def _is_typed(ask: AskRow | None, value: str) -> bool:
    """Whether the form of an action answers a question with this value."""
    if ask is not None and ask.choose:
        return all(one in ask.choices for one in value.split(CHOSEN))
    return ask is not None and bool(ask.number or value in ask.choices)


def _of_face(expression: Expression) -> bool:
    """Whether an expression reads nothing but the face of a die."""
    return not (expression.names - {"face"} or expression.counts)
