"""What the checks know of the rows of a game file, and their findings as its author reads them."""

import re
from collections.abc import Iterator, Mapping

from storypool import systems
from storypool.contract.finding import Finding
from storypool.engine.game.system import System
from storypool.engine.table import Value
from storypool.gamefile.doing import changes_the_action_alone
from storypool.gamefile.file_format.file_text import Path, line_of
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.schema import DoRow, GameFile, MoveRow
from storypool.words import Phrase
from storypool.words.languages import ENGLISH

__all__ = ["following_points", "in_file", "is_refunded", "reads_its_price"]


def in_file(key: str, found: Finding) -> Finding:
    """A finding about a game in a file, with the lines there and the remedy of its author."""
    game, text = systems.file_behind(key), systems.newest(key)
    if game is None or not text:
        return found
    places = dict(_places(game.game))

    def placed(name: str, sentence: str) -> str:
        if name not in places:
            return name
        return str(Phrase(sentence, what=name, line=line_of(text, places[name])))

    what, own = found.what, f"{found.id}.file"
    if own in ENGLISH.program:
        what = str(Phrase(own, **found.values))
    what = re.sub(r"\bmove\.\w+", lambda name: placed(name[0], "check.line.within"), what)
    return Finding(placed(found.where, "check.line"), what)


def _places(game: GameFile) -> Iterator[tuple[str, Path]]:
    """The names of a file in findings, each with its place."""
    named = ("dice", "deck", "symbols", "points", "trait", "option", "sheet")
    for table in named:
        yield from ((name, (table, name)) for name in getattr(game, table))
    yield from ((one.name, ("character", n)) for n, one in enumerate(game.character))
    several = len(game.actions) > 1
    for n, action in enumerate(game.actions):
        path: Path = ("action", n) if several else ("action",)
        yield "check.declare" if n == 0 else f"action.{action.key}", path
        yield "check.decide" if n == 0 else f"decide.{action.key}", path
    yield from ((f"move.{row.key}", ("move", n)) for n, row in enumerate(game.move))
    if game.demo:
        yield "demo.play", ("demo",)


def is_refunded(system: System, key: str, args: Mapping[str, Value]) -> bool | None:
    """Whether a move of a game file is refunded with its action; None for any other move."""
    row = _row(system, key)
    return None if row is None else changes_the_action_alone(row, args)


def reads_its_price(system: System, key: str) -> bool:
    """Whether the condition or a bound of a move from a game file reads points that it costs."""
    row = _row(system, key)
    if row is None:
        return False
    bounds = [bound for ask in row.asks for bound in ask.number]
    read = {name for one in (row.only, *bounds) if one is not None for name in one.names}
    return any(read & price.keys() for price in row.price)


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
