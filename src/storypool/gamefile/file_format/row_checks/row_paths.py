"""Every question and every row that does something in a game file, with its path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.gamefile.file_format.schema import AskRow, DoRow, GameFile

__all__ = ["asked_rows", "done_rows"]

Path = tuple[str | int, ...]


def asked_rows(game: GameFile) -> Iterator[tuple[Path, AskRow]]:
    """Every question of actions and moves."""
    listed: list[tuple[Path, tuple[AskRow, ...]]] = []
    listed += [(("action", n, "asks"), row.asks) for n, row in enumerate(game.actions)]
    listed += [(("move", n, "asks"), row.asks) for n, row in enumerate(game.move)]
    for path, asks in listed:
        yield from (((*path, i), ask) for i, ask in enumerate(asks))


def done_rows(game: GameFile) -> Iterator[tuple[Path, DoRow, Mapping[str, AskRow]]]:
    """Every row of moves, consequences and tables, with the questions of its move by name."""
    for n, move in enumerate(game.move):
        asks = {ask.name: ask for ask in move.asks}
        yield from ((("move", n, "do", i), row, asks) for i, row in enumerate(move.do))
    for n, follows in enumerate(game.whenever):
        yield from ((("whenever", n, "do", i), row, {}) for i, row in enumerate(follows.do))
    for table, effects in game.effects.items():
        for n, effect in enumerate(effects):
            path: Path = ("effects", table, n, "do")
            yield from (((*path, i), row, {}) for i, row in enumerate(effect.do))
