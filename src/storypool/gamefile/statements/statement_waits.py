"""The waits for statements that need an answer: a compel, an offer."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_format.schema import MoveRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_rows import key_of

__all__ = ["StatementWaits"]


class StatementWaits:
    """The waits for answers to statements, of the players whose characters they are about."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.kinds = dict[str, tuple[MoveRow, ...]]()
        for kind, row in rules.game.trait.items():
            if row.answers:
                self.kinds[kind] = tuple(rules.moves[key] for key in row.answers)
        """The moves that answer each kind of statements that wants an answer."""

    def waits(self, turn: r.Turn) -> Iterator[r.Wait]:
        """A wait for each public statement without an answer."""
        for kind, rows in self.kinds.items():
            for trait in r.public(turn.table).of_kind(kind):
                about = turn.table.characters.get(trait.about)
                name = next((ask.name for row in rows for ask in row.asks if kind in ask.trait), "")
                values = {"word": self.rules.game.trait[kind].word, "text": trait.text}
                values |= {"name": about.name if about is not None else ""}
                whom = r.player_of(turn.table, trait.about)
                args = {name: trait.id} if name else {}
                keys = tuple(map(key_of, rows))
                yield r.Wait("filed.answer", whom, keys, args=args, values=values)
