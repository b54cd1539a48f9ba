"""The spends of an evening that nobody made, and why: when they were open, and the refusals."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from storypool.engine.offers import offer
from storypool.lab.evenings import Evening
from storypool.lab.playing import Evenings
from storypool.lab.policies import SeatPolicy
from storypool.lab.position import Position, Spend

TOO_EARLY_OR_LATE = "when"
"""The code of a refusal at a time that is not that of the move."""
EVENINGS = 2
"""The number of evenings that are watched: offers with their reasons are slow."""


def unspent(lab: Evenings) -> list[dict[str, Any]]:
    """Each spend that nobody made in some evenings.

    It has the title of the move, the number of moments in which a side could decide on it, how
    often it was open then, and the most frequent refusal with its number.
    """
    watched = _Watched(lab.evening)
    policies = {side: watched.over(policy) for side, policy in lab.policies.items()}
    further = Evenings(lab.begins, 0, policies)
    for number in range(EVENINGS):
        further.play(number)
    found = []
    for move in watched.unspent():
        why, often = next(iter(watched.refused[move].most_common(1)), ("", 0))
        found.append(
            {
                "title": lab.system.title(move),
                "moments": watched.moments[move],
                "open": watched.open[move],
                "why": why,
                "often": often,
            }
        )
    return found


class _Watched:
    """The decisions of policies, counted by move."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.moments, self.open, self.spent = Counter[str](), Counter[str](), Counter[str]()
        self.refused: dict[str, Counter[str]] = defaultdict(Counter)

    def over(self, policy: SeatPolicy) -> SeatPolicy:
        """The same policy, with its decisions counted."""

        def watching(position: Position) -> Spend | None:
            chosen = policy(position)
            for move in dict.fromkeys(line.move for line in self._lines(position)):
                shown = offer(position.system, position.table, position.seat.id, move, {})
                if shown.closed is not None and shown.closed.code == TOO_EARLY_OR_LATE:
                    continue
                self.moments[move] += 1
                if shown.closed is None:
                    self.open[move] += 1
                else:
                    self.refused[move][str(shown.closed.text)] += 1
            if chosen is not None:
                self.spent[chosen.key] += 1
            return chosen

        return watching

    def unspent(self) -> Iterator[str]:
        """The moves of both sides on which nobody spent, in the order of the evening."""
        lines = (*self.evening.players.spends, *self.evening.gm.spends)
        for move in dict.fromkeys(line.move for line in lines):
            if not self.spent[move]:
                yield move

    def _lines(self, position: Position) -> Iterator[Any]:
        for line in self.evening.means(position.seat.side):
            if position.seat.side in position.system.by_key[line.move].by:
                yield line
