"""The odds of every action of a game file: the term `action` of a question says of which."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.gamefile.file_format.expressions import Value
from storypool.gamefile.file_rolls.followed_rows import ACTION
from storypool.gamefile.file_rolls.pool_odds import FileOdds
from storypool.gamefile.file_rolls.roll_reading import RollReading
from storypool.odds.question import LONGEST, Question, Reckoned, no_odds

__all__ = ["ActionOdds"]


class ActionOdds:
    """Answers questions about the pools of the actions, by default of the first."""

    def __init__(self, readings: Mapping[str, RollReading]) -> None:
        self.each = {key: FileOdds(one) for key, one in readings.items()}

    def of(self, terms: Mapping[str, object]) -> FileOdds:
        """The odds of the action of these terms; `Refused` for an unknown one."""
        first = next(iter(self.each))
        key = str(terms.get(ACTION, first)) if first else first
        if key not in self.each:
            values = ", ".join(self.each)
            raise no_odds("value", ACTION, key=ACTION, value=key[:LONGEST], values=values)
        return self.each[key]

    def reckon(self, question: Question) -> Reckoned:
        """The odds of a pool under its terms; `Refused` for an unknown term or too many dice."""
        return self.of(question.terms).reckon(question)

    def assumed(
        self, given: Mapping[str, str], pool: Mapping[str, int] | None = None
    ) -> dict[str, str]:
        """The deciding terms that are not given, with their values; without open questions."""
        return self.of(given).assumed(given, pool)

    def terms(
        self, given: Mapping[str, str], pool: Mapping[str, int] | None = None
    ) -> dict[str, Value]:
        """The terms that dice are read by, as typed, or by default as in an unchanged form."""
        return self.of(given).terms(given, pool)
