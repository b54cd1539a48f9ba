"""Read a game file: from text to the rows of `schema`, with each mistake at its line.

>>> read("nonsense").findings[0].line
1
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from storypool.engine.dice import described
from storypool.engine.refusal import nearest
from storypool.gamefile import LARGEST, Mistake
from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_format.expressions import Expression, ExpressionError, constant
from storypool.gamefile.file_format.schema import (
    FORMAT,
    ActionRow,
    DoRow,
    EmptyRow,
    FigureRow,
    GameFile,
    MoveRow,
    WheneverRow,
)
from storypool.gamefile.file_format.thing_rows import written_key
from storypool.words import Phrase
from storypool.words.text_files import visible

__all__ = ["Path", "ReadFile", "depth_of", "line_of", "names_of", "numbered", "read", "rows_of"]

LONGEST = 4_000
"""The most characters of a text in a file; plays may be longer."""
MOST, FEW = 100, 24
"""The most rows of one kind in a file, and in an action, a move, and the effects of one."""
DEEPEST = 12
"""The most nested tables."""
MOST_DOTS = 60
"""The most dots in a line: TOML takes quadratic time for a dotted key."""
IN_ROWS = (ActionRow, DoRow, EmptyRow, FigureRow, MoveRow, WheneverRow)
LARGEST_NUMBER = 1_000_000
_QUOTED = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'""")
_CURLY = "“”„‟‘’‚‛«»"
MOST_MISTAKES = 50
"""The most mistakes that are listed."""

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class ReadFile:
    """The result of reading: the game, or None and its mistakes."""

    game: GameFile | None
    findings: tuple[Mistake, ...] = ()


def read(text: str) -> ReadFile:
    """The rows of the text of a game file, or its mistakes; names are not looked up."""
    if len(text.encode()) > LARGEST:
        return ReadFile(None, (Mistake(1, Phrase("gamefile.large", most=LARGEST // 1000)),))
    dotted = next(
        (n for n, one in enumerate(text.split("\n"), 1) if one.count(".") > MOST_DOTS), None
    )
    if dotted is not None:
        return ReadFile(None, (Mistake(dotted, Phrase("gamefile.dots", most=MOST_DOTS)),))
    if not text.strip():
        return ReadFile(None, (Mistake(1, Phrase("gamefile.empty", ours=FORMAT)),))
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        return ReadFile(None, (Mistake(line, _toml_fault(text.split("\n")[line - 1], error)),))
    if depth_of(data) > DEEPEST:
        return ReadFile(None, (Mistake(1, Phrase("gamefile.nested", most=DEEPEST)),))
    if data.get("format") != FORMAT:
        path: Path = ("format",) if "format" in data else ()
        return ReadFile(
            None, (Mistake(line_of(text, path), Phrase("gamefile.format", ours=FORMAT)),)
        )
    game, wrong = rows_of(data)
    if wrong:
        placed = [Mistake(line_of(text, path), what) for path, what in wrong[:MOST_MISTAKES]]
        return ReadFile(None, tuple(sorted(placed, key=lambda one: one.line)))
    return ReadFile(game)


def rows_of(data: Mapping[str, Any]) -> tuple[GameFile | None, list[tuple[Path, Phrase]]]:
    """The game of plain data, or None, and its mistakes with their paths."""
    reader = _Reader()
    game: GameFile | None = reader.row(GameFile, data, ())
    return game, reader.found


def depth_of(data: object) -> int:
    """The depth of nested tables and lists, at most one above the limit."""
    depth, inside = 0, [data]
    while depth <= DEEPEST and (inside := [one for each in inside for one in _parts(each)]):
        depth += 1
    return depth


def _parts(data: object) -> Iterable[object]:
    if isinstance(data, dict):
        return data.values()
    if isinstance(data, list):
        return data
    return ()


def _toml_fault(line: str, error: Exception) -> Phrase:
    """Why a line is not TOML: look-alike signs first, then the parser's message."""
    bare = _QUOTED.sub("", line)
    for sign in bare:
        if sign in _CURLY:
            return Phrase("gamefile.toml.quotes", sign=sign)
        if (shown := visible(sign)) != sign:
            return Phrase("gamefile.toml.sign", sign=shown.strip("[]"))
    return Phrase("gamefile.toml", why=_reason(error))


def _reason(error: Exception) -> str:
    text = re.sub(r" ?\(at [^)]*\)", "", str(error))
    return text[:120] or type(error).__name__


class _Wrong(Exception):
    """A wrong value of a key; `what` says why."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.what = Phrase(f"gamefile.{key}", **values)


class _Reader:
    """Reads plain data into rows, and continues after a mistake to find all."""

    def __init__(self) -> None:
        self.found: list[tuple[Path, Phrase]] = []
        self.most = MOST
        """The most rows where it reads now."""

    def row(self, kind: type, data: Mapping[str, Any], path: Path) -> Any:
        """A row of this class, or None if it has a mistake."""
        types, before = hints(kind), len(self.found)
        known = {written_key(one): one for one in fields(kind)}
        values: dict[str, Any] = {}
        for name, value in data.items():
            if len(self.found) > MOST_MISTAKES:
                return None
            self.most = FEW if kind in IN_ROWS else MOST
            if name not in known:
                near = nearest(name[:40], known)
                id = "unknown.near" if near else "unknown"
                what = Phrase(
                    f"gamefile.{id}", key=name[:40], near=(near or [""])[0], known=", ".join(known)
                )
                self.found.append(((*path, name), what))
                continue
            try:
                field = known[name].name
                values[field] = self.value(types[field], value, (*path, name))
            except _Wrong as wrong:
                self.found.append(((*path, name), wrong.what))
        for name, one in known.items():
            if name not in data and one.default is MISSING and one.default_factory is MISSING:
                what = Phrase(
                    "gamefile.missing",
                    key=name,
                    about=one.metadata["about"],
                    example=one.metadata["example"],
                )
                self.found.append((path, what))
        if len(self.found) == before:
            return kind(**values)
        return None

    def value(self, hint: Any, value: Any, path: Path) -> Any:
        """A value in the type of its key; raises `_Wrong`."""
        origin, inner = get_origin(hint), get_args(hint)
        if inner == (int, str):
            return _plain(int if isinstance(value, int) else str, value, path)
        if origin in (Union, UnionType):
            return self.value(next(one for one in inner if one is not NoneType), value, path)
        if origin is Literal:
            if value not in inner:
                raise _Wrong(
                    "one_of", got=_shown(value), values=", ".join(str(one) or '""' for one in inner)
                )
            return value
        if origin is tuple:
            return self._several(inner[0], value, path)
        if origin is not None and issubclass(origin, Mapping):
            if not isinstance(value, dict):
                raise _Wrong("table", got=_shown(value))
            if len(value) > self.most:
                raise _Wrong("many", most=self.most)
            return {name: self._inside(inner[1], one, (*path, name)) for name, one in value.items()}
        if hint is not Expression and is_dataclass(hint) and isinstance(hint, type):
            if not isinstance(value, dict):
                raise _Wrong("table", got=_shown(value))
            return self.row(hint, value, path)
        return _plain(hint, value, path)

    def _several(self, kind: Any, value: Any, path: Path) -> tuple[Any, ...]:
        listed = value if isinstance(value, list) else [value]
        if len(listed) > self.most:
            raise _Wrong("many", most=self.most)
        return tuple(self._inside(kind, one, (*path, n)) for n, one in enumerate(listed))

    def _inside(self, kind: Any, value: Any, path: Path) -> Any:
        try:
            return self.value(kind, value, path)
        except _Wrong as wrong:
            self.found.append((path, wrong.what))
            return None


def _plain(kind: Any, value: Any, path: Path) -> Any:
    if kind is Expression:
        if isinstance(value, bool | int):
            return constant(_bounded(int(value)))
        if not isinstance(value, str):
            raise _Wrong("expression.got", got=_shown(value))
        try:
            return parse(value)
        except ExpressionError as error:
            wrong = _Wrong("expression.got", got="")
            wrong.what = error.args[0]
            raise wrong from None
    if kind is bool and isinstance(value, bool):
        return value
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        return _bounded(value)
    if kind is str and isinstance(value, str):
        if len(value) > LONGEST and path[0] not in ("demo", "first_scene"):
            raise _Wrong("long", most=LONGEST)
        return value
    if kind is Any:
        return value
    raise _Wrong(f"not.{kind.__name__}", got=_shown(value))


def _bounded(n: int) -> int:
    if abs(n) > LARGEST_NUMBER:
        raise _Wrong("number", most=LARGEST_NUMBER)
    return n


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    text = described(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 40 else f"{text[:39]}…"


@cache
def hints(kind: type) -> Mapping[str, Any]:
    """The type of each key of a row."""
    return get_type_hints(kind)


_HEADER = re.compile(r"^\s*\[(\[)?([^\]]+)\]")
_KEY = re.compile(
    r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*="""
)


def line_of(text: str, path: Path) -> int:
    """The line of a key, or of the row that should have it; 1 without either.

    >>> line_of('a = 1\\n[b.c]\\nd = 2\\n[[e]]\\n[[e]]\\nf = 3', ("e", 1, "f"))
    6
    """
    places = _lines(text)
    path = _written(path, places)
    return next((places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in places), 1)


def _written(path: Path, places: Mapping[Path, int]) -> Path:
    """A path as the file writes it: a table in the place of a list of one has no number."""
    found: Path = ()
    for one in path:
        if one != 0 or (*found, one) in places:
            found = (*found, one)
    return found


@lru_cache(maxsize=1)
def _lines(text: str) -> Mapping[Path, int]:
    """The first line of each place of a text, cached for all mistakes of a file."""
    found: dict[Path, int] = {}
    for line, path in _places(text):
        found.setdefault(path, line)
    return found


def _places(text: str) -> Iterator[tuple[int, Path]]:
    """Each line that begins a table or a key, with its path."""
    table: Path = ()
    counts: dict[Path, int] = {}
    inside = ""
    for n, line in enumerate(text.split("\n"), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        if header := _HEADER.match(line):
            names: Path = tuple(names_of(header[2]))
            if header[1]:
                rows = (*numbered(names[:-1], counts), *names[-1:])
                counts[rows] = counts.get(rows, -1) + 1
            table = numbered(names, counts)
            yield n, table
        elif key := _KEY.match(line):
            yield n, (*table, *names_of(key[1]))
        for quotes in ('"""', "'''"):
            if line.count(quotes) % 2:
                inside = quotes


def names_of(dotted: str) -> list[str]:
    """The names of a dotted key, without quotes."""
    return [
        part.strip().strip("\"'") for part in re.findall(r"""\s*("[^"]*"|'[^']*'|[^.]+)""", dotted)
    ]


def numbered(names: Path, counts: Mapping[Path, int]) -> Path:
    """A path with the number of the last row of each list in it."""
    found: Path = ()
    for name in names:
        found = (*found, name)
        if found in counts:
            found = (*found, counts[found])
    return found
