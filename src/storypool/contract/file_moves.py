"""What the checks know of the rows of a game file."""

from collections.abc import Mapping

from storypool import systems
from storypool.engine.game.system import System
from storypool.engine.table import Value
from storypool.gamefile.doing import changes_the_action_alone
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.schema import DoRow, GameFile, MoveRow

__all__ = ["following_points", "is_refunded", "reads_its_price"]


def is_refunded(system: System, key: str, args: Mapping[str, Value]) -> bool | None:
    """Whether a move of a game file is refunded with its action; None for any other move."""
    row = _row(system, key)
    return None if row is None else changes_the_action_alone(row, args)


def reads_its_price(system: System, key: str) -> bool:
    """Whether the condition of a move from a game file reads points that the move costs."""
    row = _row(system, key)
    if row is None or row.only is None:
        return False
    return any(row.only.names & price.keys() for price in row.price)


def following_points(system: System) -> frozenset[str]:
    """The points that a game file moves where others move, besides any move's own effects."""
    game = _file(system)
    if game is None:
        return frozenset()
    moved = set[str]()
    for row in game.whenever:
        if row.on in ("points", "full"):
            moved |= _moved(game, row.do)
    return frozenset(moved | {row.overflow for row in game.points.values()})


def _moved(game: GameFile, rows: tuple[DoRow, ...]) -> set[str]:
    found = {row.gain or row.lose for row in rows} - {""}
    for row in rows:
        for _, effect in nested_rows(game, row.consult):
            found |= {do.gain or do.lose for do in effect.do} - {""}
    return found


def _row(system: System, key: str) -> MoveRow | None:
    """The row of a move in the file behind a game; None if there is none."""
    game = _file(system)
    rows = game.move if game is not None else ()
    return next((row for row in rows if key == f"move.{row.key}"), None)


def _file(system: System) -> GameFile | None:
    file = systems.file_behind(system.key)
    return file.game if file is not None else None
