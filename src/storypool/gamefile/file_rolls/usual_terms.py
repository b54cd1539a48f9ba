"""The meanings of the names of a game file without a table: for a new character in a new game."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.gamefile.file_format.expressions import Scope, Value
from storypool.gamefile.file_format.schema import AskRow, EntriesRow, GameFile
from storypool.gamefile.file_rolls.followed_rows import ACTION
from storypool.gamefile.file_rolls.roll_reading import Terms

__all__ = ["UsualScope", "group_of", "possible_answers", "usual_answer"]


class UsualScope(Scope):
    """The given or default answers, and the values of a new character and a new table.

    Questions of the action have the answers of an unchanged form.
    """

    def __init__(self, game: GameFile, given: Terms) -> None:
        self.game, self.given = game, given
        self.known: dict[str, Value] = {}

    def value(self, name: str) -> Value:
        """The value of this name; 0 if only a table knows it."""
        if name in self.given:
            return self.given[name]
        if name not in self.known:
            self.known[name] = 0  # a circle reads 0
            self.known[name] = self._usual(name)
        return self.known[name]

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """0: no statement is true yet, and no dice are rolled."""
        return 0

    def _usual(self, name: str) -> Value:
        game = self.game
        ask = next((one for one in game.action.asks if one.name == name), None)
        if ask is not None:
            return usual_answer(game, ask, self)
        if (term := game.action.terms.get(name)) is not None:
            return term.number(self)
        if (points := game.points.get(name)) is not None:
            least = points.floor.number(self) if points.floor is not None else 0
            n = points.start.number(self) if points.start is not None else 0
            if points.cap is not None:
                n = min(n, points.cap.number(self))
            return max(least, n)
        if (group := group_of(game.sheet, name)) is not None:
            return group.default
        if (option := game.option.get(name)) is not None:
            return next(iter(option.values))
        if name == ACTION:
            return game.action.key
        return "players" if name == "side" else 0


def usual_answer(game: GameFile, ask: AskRow, scope: Scope) -> Value:
    """The value of an action's question in an unchanged form."""
    usual = ask.default(scope) if ask.default is not None else None
    if ask.when is not None and not ask.when.holds(scope):
        return "" if ask.choices else 0
    if ask.choices:
        first = next(iter(ask.choices)) if ask.needed else ""
        return str(usual) if usual in ask.choices else first
    if ask.entry:
        group = next((game.sheet[name] for name in ask.entry if name in game.sheet), None)
        if isinstance(usual, int):
            return usual
        if group and ask.needed:
            return group.default
        return 0
    if ask.number:
        if isinstance(usual, int):
            return usual
        if ask.needed:
            return ask.number[0]
        return 0
    return 0 if ask.trait else ""


def possible_answers(game: GameFile, ask: AskRow) -> tuple[Value, ...]:
    """What a question can be answered with, an entry by its number; () for words and statements."""
    if ask.choices:
        return tuple(ask.choices)
    if ask.number:
        return tuple(range(ask.number[0], ask.number[-1] + 1))
    groups = [game.sheet[name] for name in ask.entry if name in game.sheet]
    numbers = {n for group in groups for n in range(group.low, group.high + 1)}
    return tuple(sorted(numbers))


def group_of(sheet: Mapping[str, EntriesRow], entry: str) -> EntriesRow | None:
    """The group of the sheet that has this entry, or None."""
    return next((group for group in sheet.values() if entry in group.entries), None)
