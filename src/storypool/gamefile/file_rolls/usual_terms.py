"""The meanings of the names of a game file without a table: for a new character in a new game."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations, islice

from storypool.gamefile.cards.decks import decks
from storypool.gamefile.file_format.expressions import (
    CHOSEN,
    GROUP,
    Other,
    Scope,
    Value,
    as_number,
)
from storypool.gamefile.file_format.readable_names import ACTION, HERO, PLAYERS, SIDE
from storypool.gamefile.file_format.schema import AskRow, EntriesRow, GameFile
from storypool.gamefile.file_rolls.roll_reading import Terms

__all__ = ["UsualScope", "bounds_of", "bounds_of_several", "group_of", "possible_answers"]
__all__ += ["usual_answer", "usual_number"]


MOST_ANSWERS = 99
"""The most numbers above the lowest that are tried as an answer."""


class UsualScope(Scope):
    """The given or default answers, and the values of a new character and a new table.

    Questions of the action have the answers of an unchanged form.
    """

    def __init__(self, game: GameFile, given: Terms) -> None:
        self.game, self.given = game, given
        self.known: dict[str, Value] = {}

    def value(self, name: str) -> Value:
        """The value of this name; 0 if only a table knows it, and one player."""
        if name in self.given:
            return self.given[name]
        if name not in self.known:
            self.known[name] = 0  # a circle reads 0
            self.known[name] = self._usual(name)
        return self.known[name]

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """0: no statement is true yet, no dice are rolled, and a deck has all of its cards.

        One who acts alone is a group too.
        """
        if function in GROUP:
            return as_number(self.value(about[0]))
        return len(decks(self.game.deck)[about[0]].cards) if function == "left" else 0

    def is_text(self, name: str, text: str) -> bool:
        """Whether this is the text of a name; of a question for an entry, the one that is usual."""
        ask = self._ask(name)
        if ask is not None and ask.entry and name not in self.given:
            asked = ask.when is None or ask.when.holds(self)
            return (usual_entry(self.game, ask) if asked else "") == text
        return self.value(name) == text

    def other(self, read: Other) -> Value:
        """A number of a new character, where the question is answered in any case."""
        ask = self._ask(read.question)
        if ask is not None and ask.reads_statement(read, self.game.trait):
            return 0 if read.name == "rank" else ""
        if ask is None or not ask.needed or read.function == "traits":
            return 0
        if read.name == HERO and group_of(self.game.sheet, HERO) is None:
            return int(ask.character == "players")
        value = self.value(read.name)
        return value if isinstance(value, int) else 0

    def _ask(self, name: str) -> AskRow | None:
        return next((one for one in self.game.action.asks if one.name == name), None)

    def _usual(self, name: str) -> Value:
        game = self.game
        ask = self._ask(name)
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
        if name == SIDE:
            return "players"
        return 1 if name in (PLAYERS, HERO) else 0


def usual_answer(game: GameFile, ask: AskRow, scope: Scope) -> Value:
    """The value of an action's question in an unchanged form."""
    usual = ask.default(scope) if ask.default is not None else None
    if ask.when is not None and not ask.when.holds(scope):
        return "" if ask.choices else 0
    if ask.choose:
        least, _ = bounds_of_several(ask, scope)
        return CHOSEN.join(list(ask.choices)[:least]) if ask.needed else ""
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
        return usual_number(ask, scope) or 0
    return 0 if ask.trait else ""


def possible_answers(game: GameFile, ask: AskRow) -> tuple[Value, ...]:
    """What a question can be answered with, an entry by its number; () for words and statements."""
    if ask.choose:
        low, high = bounds_of_several(ask, UsualScope(game, {}))
        several = (combinations(ask.choices, n) for n in range(low, high + 1))
        found = chain.from_iterable(several)
        return tuple(map(CHOSEN.join, islice(found, MOST_ANSWERS)))
    if ask.choices:
        return tuple(ask.choices)
    if ask.number:
        low, high = bounds_of(ask, UsualScope(game, {}))
        return tuple(range(low, min(high, low + MOST_ANSWERS) + 1))
    groups = [game.sheet[name] for name in ask.entry if name in game.sheet]
    numbers = {n for group in groups for n in range(group.low, group.high + 1)}
    return tuple(sorted(numbers))


def bounds_of(ask: AskRow, scope: Scope) -> tuple[int, int]:
    """The lowest and the highest number of a question, which is at least the lowest."""
    low, high = ask.number[0].number(scope), ask.number[-1].number(scope)
    return low, max(low, high)


def bounds_of_several(ask: AskRow, scope: Scope) -> tuple[int, int]:
    """The least and the most answers to a question for several, of those that there are."""
    low, high = ask.choose[0].number(scope), ask.choose[-1].number(scope)
    most = max(0, min(high, len(ask.choices)))
    return max(0, min(low, most)), most


def usual_number(ask: AskRow, scope: Scope) -> int | None:
    """The usual answer to a question for a number, within its bounds; None if it can be left out.

    Without a default, that of a needed one is the lowest.
    """
    low, high = bounds_of(ask, scope)
    if ask.default is not None:
        return min(high, max(low, ask.default.number(scope)))
    return low if ask.needed else None


def usual_entry(game: GameFile, ask: AskRow) -> str:
    """The entry that a question of an unchanged form means; "" for none."""
    groups = [game.sheet[name] for name in ask.entry if name in game.sheet]
    entries = [entry for group in groups for entry in group.entries]
    if ask.default is not None and ask.default.text in entries:
        return ask.default.text
    return entries[0] if entries and ask.needed else ""


def group_of(sheet: Mapping[str, EntriesRow], entry: str) -> EntriesRow | None:
    """The group of the sheet that has this entry, or None."""
    return next((group for group in sheet.values() if entry in group.entries), None)
