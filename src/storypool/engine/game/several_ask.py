"""The question for several different choices."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storypool.engine.game.asks import Ask, Choice, ChoiceAsk, Choices, worded
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refused, shortened
from storypool.words.folding import alike

__all__ = ["SeveralAsk"]

MOST_CHOSEN = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralAsk(Ask):
    """Several of some choices, each once, from `least` to `most` of those that are open.

    >>> SeveralAsk("harm", "Which two?", lambda turn: (), least=2, most=2).bounds()
    (2, 2)
    """

    choices: Choices
    least: Callable[[Turn], int] | int = 1
    most: Callable[[Turn], int] | int = MOST_CHOSEN

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The present choices."""
        return tuple(self.choices(turn))

    def bounds(self, turn: Turn | None = None) -> tuple[int, int]:
        """The least and the largest number of choices: ever, or with a turn, of the open ones."""
        if turn is None:
            low = 0 if callable(self.least) else self.least
            return low, MOST_CHOSEN if callable(self.most) else self.most
        least = self.least(turn) if callable(self.least) else self.least
        most = self.most(turn) if callable(self.most) else self.most
        there = sum(not choice.closed for choice in self.choices(turn))
        high = max(0, min(most, there))
        return max(0, min(least, high)), high

    def read(self, turn: Turn, raw: object) -> tuple[str, ...]:
        """The values in the order of the choices, from a list or a text with commas."""
        parts = self._parts(turn, raw) if isinstance(raw, str) else raw
        if not isinstance(parts, (list, tuple)) or len(parts) > MOST_CHOSEN:
            raise self._miscounted(turn, shortened(raw))
        one = ChoiceAsk(self.name, self.label, self.choices, shown_as=self.shown_as)
        found = [one.read(turn, part) for part in parts]
        low, high = self.bounds(turn)
        if len(set(found)) < len(found):
            twice = next(value for value in found if found.count(value) > 1)
            name = next(each.label for each in self.offered(turn) if each.value == twice)
            raise turn.refused(
                "argument", "argument.twice", self.name, name=worded(turn, self), got=name
            )
        if not low <= len(found) <= high:
            raise self._miscounted(turn, len(found))
        return tuple(each.value for each in self.offered(turn) if each.value in found)

    def missing(self, turn: Turn) -> Refused:
        """The refusal for a missing answer: how many are to be chosen."""
        return self._miscounted(turn, 0)

    def _parts(self, turn: Turn, text: str) -> list[str]:
        """The answers in a text; a label may have a comma itself."""
        labels = {alike(choice.label) for choice in self.offered(turn)}
        if not text.strip() or alike(text) in labels:
            return [text] if text.strip() else []
        return list(_joined([part.strip() for part in text.split(",") if part.strip()], labels))

    def _miscounted(self, turn: Turn, got: object) -> Refused:
        low, high = self.bounds(turn)
        id = "argument.several.exactly" if low == high else "argument.several"
        values = {"name": worded(turn, self), "n": low, "high": high, "got": got}
        return turn.refused("argument", id, self.name, **values)


def _joined(parts: list[str], labels: set[str]) -> Iterator[str]:
    """The parts, those of one label with a comma together."""
    at = 0
    while at < len(parts):
        ends = range(len(parts), at + 1, -1)
        end = next((n for n in ends if alike(", ".join(parts[at:n])) in labels), at + 1)
        yield ", ".join(parts[at:end])
        at = end
