"""The effects of a revealed choice: rows that read what each character chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from storypool.engine import rules as r
from storypool.gamefile.doing import EACH, RowExecutor
from storypool.gamefile.file_format.expressions import Other, Value
from storypool.gamefile.file_format.schema import AskRow, DoRow, MoveRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.scope import TurnScope

__all__ = ["Answers", "carried_out", "key_in"]

Answers = Mapping[str, Mapping[str, Value]]
"""The secret answers by question, of each character, by id."""
NO_ANSWERS: Answers = MappingProxyType({})


class _ChosenScope(TurnScope):
    """The names of a row after the reveal: of the mover, and what everybody else chose."""

    chosen: Answers = NO_ANSWERS

    def other(self, read: Other) -> Value:
        """The number that another has, or their answer to a secret question."""
        ask = self.answers.get(read.name)
        if ask is None or not ask.secret or read.function:
            return super().other(read)
        value, one = self._of(read), self.meant(read.question)
        return self.rules.rating(one, str(value)) if ask.entry else value

    def is_other(self, read: Other, text: str) -> bool:
        """Whether another chose this."""
        if read.name in self.answers and not read.function:
            return key_in(self._of(read)) == text
        return super().is_other(read, text)

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """Count the characters who chose an answer, or what any row can count."""
        if function != "chose":
            return super().call(function, about)
        return sum(key_in(given.get(about[0], "")) == about[1] for given in self.chosen.values())

    def _of(self, read: Other) -> Value:
        one = self.meant(read.question)
        return self.chosen.get(one.id, {}).get(read.name, "") if one is not None else ""


class _ChosenRows(RowExecutor):
    """Carries out rows for one character, with the answers of all."""

    chosen: Answers = NO_ANSWERS

    def scope(self) -> TurnScope:
        """The current name scope."""
        scope = self._scope
        if scope is None:
            scope = self._scope = _ChosenScope(
                self.rules, self.turn, who=self.who, answers=self.answers, numbers=self.numbers
            )
            scope.chosen = self.chosen
        scope.who = self.who
        return scope


def key_in(value: Value) -> str:
    """An answer as a file compares it."""
    return str(value)


def carried_out(
    rules: Rules,
    turn: r.Turn,
    row: MoveRow,
    opened: tuple[r.Seat, str, Mapping[str, Value]],
    chosen: Answers,
) -> Iterator[r.Event]:
    """The effects of a choice; `opened` is the seat that opened it, for whom, with which answers.

    A row for each is done for each who chose, in the order in which they came to the table.
    """
    seat, mover, given = opened
    asks: Mapping[str, AskRow] = {ask.name: ask for ask in row.asks}
    acting = r.Turn(turn.system, turn.table, seat, turn.key, title=row.title, rule=turn.rule)
    acting.before, acting.beyond = turn.before, turn.beyond
    for do in row.do:
        for id in chosen if do.of == EACH else (mover,):
            acting.args = {**given, **chosen.get(id, {})}
            acting.table = turn.table
            who = turn.table.characters.get(id)
            rows = _ChosenRows(rules, acting, who, answers=asks, about="", why=row.title)
            rows.chosen = chosen
            for event in rows.all((_of_one(do),)):
                yield event
                acting.table = turn.table


def _of_one(do: DoRow) -> DoRow:
    """A row about the one for whom it is carried out."""
    return replace(do, of="mover") if do.of == EACH else do
