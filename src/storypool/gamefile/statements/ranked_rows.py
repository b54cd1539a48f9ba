"""Statements with kinds and ranks: their bounds, their words, and the verb `rank`."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.action_rows import ActionRows
from storypool.gamefile.file_format.expressions import Value
from storypool.gamefile.file_format.schema import DoRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.scope import KIND, TurnScope
from storypool.words import Words

__all__ = ["RankedRows", "note_of", "rank_bounds"]

MOST_RANK = 99


def rank_bounds(rules: Rules, kind: str, scope: TurnScope) -> tuple[int, int]:
    """The lowest and the highest rank of a kind of statements, for the character of the scope."""
    rank = rules.game.trait[kind].rank
    low, high = (max(0, min(MOST_RANK, one.number(scope))) for one in (rank[0], rank[-1]))
    return low, max(low, high)


def note_of(rules: Rules, words: Words, trait: r.Trait) -> str:
    """The kind and the rank of a statement in words, as far as its text does not say them."""
    row = rules.game.trait.get(trait.kind)
    if row is None:
        return ""
    rank = words.say("filed.rank_of", n=trait.rating) if row.rank else ""
    kind = row.kinds.get(str(trait.terms.get(KIND, "")), "")
    kind = "" if kind.casefold() == trait.text.casefold() else kind
    return words["list.comma"].join(filter(None, (kind, rank)))


class RankedRows(ActionRows):
    """The rows of one move or reaction, as far as they are about kinds and ranks."""

    def _kind_of_new(self, row: DoRow) -> dict[str, Value]:
        """The term of a new statement that has its kind; the first where the row has none."""
        kinds = self.rules.game.trait[row.make].kinds
        if not kinds:
            return {}
        written = row.kind
        if written not in kinds and written:
            written = str(self.scope().value(written))
        return {KIND: written if written in kinds else next(iter(kinds))}

    def _rank_of_new(self, row: DoRow, about: r.Character | None) -> int:
        """The rating of a new statement: its rank, or without ranks the number of the row."""
        steps = self.rules.game.trait[row.make].steps
        n = max((0, *steps)) if row.n is None else max(0, min(99, self._n(row)))
        if not self.rules.game.trait[row.make].rank:
            return n
        low, high = self._bounds(row.make, about)
        return low if row.n is None else max(low, min(high, n))

    def _bounds(self, kind: str, about: r.Character | None) -> tuple[int, int]:
        return rank_bounds(self.rules, kind, TurnScope(self.rules, self.turn, who=about))

    def _rank(self, row: DoRow) -> Iterator[r.Event]:
        trait = self.statement(row.rank)
        if trait is None or not self.rules.game.trait[trait.kind].rank:
            return
        low, high = self._bounds(trait.kind, self.turn.table.characters.get(trait.about))
        n = trait.rating + self._n(row) if row.to is None else row.to.number(self.scope())
        if (rating := max(low, min(high, n))) != trait.rating:
            yield r.TraitSet(replace(trait, rating=rating))
