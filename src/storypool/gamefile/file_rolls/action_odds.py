"""The odds of every action of a game file: its key is the term `action` of a question."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from storypool.gamefile.file_format.expressions import Value
from storypool.gamefile.file_format.readable_names import ACTION
from storypool.gamefile.file_rolls.action_names import rolls
from storypool.gamefile.file_rolls.pool_odds import FileOdds
from storypool.gamefile.file_rolls.roll_reading import RollReading
from storypool.odds.question import LONGEST, Question, Reckoned, no_odds

__all__ = ["ActionOdds"]


class ActionOdds:
    """Answers questions about the pools of the actions, by default of the first."""

    def __init__(self, readings: Mapping[str, RollReading]) -> None:
        self.each = {key: FileOdds(one) for key, one in readings.items()}

    def of(self, terms: Mapping[str, object], pool: Collection[str] = ()) -> FileOdds:
        """The odds of the action of these terms, else of the first with all dice of the pool.

        Raises `Refused` for an unknown action.
        """
        first = next(iter(self.each))
        if not first:
            return self.each[first]
        rolling = (key for key, one in self.each.items() if _rolls_all(one, pool))
        key = str(terms.get(ACTION) or next(rolling, first))
        if key not in self.each:
            values = ", ".join(self.each)
            raise no_odds("value", ACTION, key=ACTION, value=key[:LONGEST], values=values)
        return self.each[key]

    def reckon(self, question: Question) -> Reckoned:
        """The odds of a pool under its terms; `Refused` for an unknown term or too many dice."""
        return self.of(question.terms, question.pool).reckon(question)

    def assumed(
        self, given: Mapping[str, str], pool: Mapping[str, int] | None = None
    ) -> dict[str, str]:
        """The deciding terms that are not given, with their values; without open questions."""
        return self.of(given, pool or ()).asked.assumed(given, pool)

    def terms(
        self, given: Mapping[str, str], pool: Mapping[str, int] | None = None
    ) -> dict[str, Value]:
        """The terms that dice are read by, as typed, or by default as in an unchanged form."""
        return self.of(given, pool or ()).asked.terms(given, pool)


def _rolls_all(odds: FileOdds, pool: Collection[str]) -> bool:
    """Whether an action can roll each die of a pool before any move."""
    return all(rolls(odds.reading.game.action, die) for die in pool)
