"""The meaning of each name of a game file, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.expressions import COUNTS, JOINED
from storypool.gamefile.file_format.schema import GameFile
from storypool.words import Phrase

__all__ = ["Meanings"]

OWN = (
    "actor",
    "mover",
    "each",
    "gm",
    "face",
    "outcome",
    "side",
    "round",
    "players",
    "action",
    "hero",
)
"""Names with a meaning of their own, each with its sentence."""


class Meanings:
    """The meanings of the names of a game."""

    def __init__(self, game: GameFile) -> None:
        self.game = game
        self._found: dict[str, Phrase] = {}
        for name, phrase in self._all():
            self._found.setdefault(name, phrase)

    def of(self, name: str) -> Phrase:
        """What a name is; a general sentence for one that the game gets from elsewhere."""
        return self._found.get(name) or Phrase("gamefile.meaning.other")

    def _all(self) -> Iterator[tuple[str, Phrase]]:
        game = self.game
        for name, die in game.dice.items():
            yield name, _meant("die", die.word or name, n=die.sides or len(die.faces))
        for die in game.dice.values():
            for name in die.shows:
                yield name, _meant("symbol", _word(game, name))
            for face in die.faces:
                for name in face.split():
                    yield name, _meant("symbol", _word(game, name))
        for name, points in game.points.items():
            yield name, _meant(f"points.{points.of}", points.plural or points.word or name)
        for group, entries in game.sheet.items():
            for name, label in entries.entries.items():
                yield name, _meant("entry", label, group=entries.title)
            yield group, _meant("group", entries.title)
        for name, option in game.option.items():
            yield name, _meant("option", option.title)
        for name, trait in game.trait.items():
            yield name, _meant("trait", trait.word)
        for name in game.effects:
            yield name, _meant("effects", name)
        for action in game.actions:
            yield action.key, _meant("action", action.title)
            for ask in action.asks:
                yield ask.name, _meant("ask", ask.label)
                for value, label in ask.choices.items():
                    yield value, _meant("answer", label)
            for name, term in action.terms.items():
                yield name, _meant("term", term.text)
            for name in action.figures:
                yield name, _meant("figure", name)
            for name, count in action.counts.items():
                yield name, _meant("count", count.text)
        ladders = (game.outcome, *(action.outcome for action in game.actions))
        for ladder in ladders:
            for rung in ladder:
                yield rung.key, _meant("rung", rung.words)
        for move in game.move:
            yield move.key, _meant("move", move.title)
            for ask in move.asks:
                yield ask.name, _meant("ask.move", ask.label, move=move.title)
        for name, (_, example) in COUNTS.items():
            yield f"{name}(", Phrase("gamefile.meaning.counted", example=example)
        for name in (*OWN, JOINED):
            yield name, Phrase(f"gamefile.meaning.own.{name}")


def _meant(key: str, word: str, **more: object) -> Phrase:
    return Phrase(f"gamefile.meaning.{key}", word=word, **more)


def _word(game: GameFile, name: str) -> str:
    row = game.symbols.get(name)
    return (row.word if row else "") or name
