"""Points of a game file that move themselves by what follows from them, without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from storypool.gamefile.file_format.game_bounds import Found, Move, Path, moves_of
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.schema import DoRow, GameFile
from storypool.words import Phrase

__all__ = ["endless_points"]


WAYS = (("rises", 1), ("falls", -1))


def endless_points(game: GameFile) -> Found:
    """Each place where points move themselves without end."""
    points = game.points
    after: dict[Move, set[Move]] = {}
    for name, row in points.items():
        lowered = {(other, "falls") for other in _capped(game, name)}
        over = {(row.overflow, "rises")} if row.overflow in points else set()
        after |= {(name, "rises"): lowered | over, (name, "falls"): lowered}
    for group in game.sheet.values():
        after |= {(name, way): set() for name in group.entries for way in ("rises", "falls")}
    places: dict[Move, Path] = {(one, "rises"): ("points", one, "overflow") for one in points}
    for n, follows in enumerate(game.whenever):
        for move in after.keys() & moves_of(follows):
            after[move] |= set(_moved(game, follows.do)) & after.keys()
            places[move] = ("whenever", n)
    for move, path in places.items():
        if move in _reachable(after, move):
            key = "endless" if move[1] == "rises" else "endless.falls"
            yield path, Phrase(f"gamefile.{key}", name=move[0])


def _capped(game: GameFile, name: str) -> Iterator[str]:
    """The points whose cap depends on a name: other points, or a kind of statements."""
    for other, row in game.points.items():
        if row.cap is not None and (name in row.cap.names or ("traits", (name,)) in row.cap.counts):
            yield other


def _moved(game: GameFile, rows: tuple[DoRow, ...]) -> Iterator[Move]:
    """The points that these rows move, also by a table of effects or by a lowered cap."""
    for row in rows:
        for _, effect in nested_rows(game, row.consult):
            yield from _moved(game, tuple(replace(do, consult="") for do in effect.do))
        if row.gain:
            yield row.gain, "rises"
        if row.lose:
            yield row.lose, "falls"
        n = row.n.fixed if row.n is not None else 1
        if changed := row.step or row.improve:
            yield from ((changed, way) for way, sign in WAYS if n is None or n * sign > 0)
        yield from ((other, "falls") for other in _capped(game, row.make))


def _reachable(steps: Mapping[Move, set[Move]], begin: Move) -> set[Move]:
    """Every node reachable from here; includes the start only on a circle."""
    found, ahead = set[Move](), list(steps[begin])
    while ahead:
        move = ahead.pop()
        if move not in found:
            found.add(move)
            ahead += steps[move]
    return found
