"""Completions at the caret of a game file, each with its meaning.

Keys, their values and their meanings are those of the format; the names of a file, and which of
them an expression can read, are those that the check of names knows where the caret is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, get_args, get_origin

from storypool.gamefile.authoring.caret import Caret, caret_at
from storypool.gamefile.authoring.format_schema import (
    KeyLine,
    inner_type,
    key_line,
    row_in,
    types_of,
)
from storypool.gamefile.authoring.half_written import NOTHING, loaded, readable_game, value_at
from storypool.gamefile.authoring.meanings import Meanings
from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.file_text import Path
from storypool.gamefile.file_format.lab_rows import EveningRow
from storypool.gamefile.file_format.readable_names import CARET
from storypool.gamefile.file_format.schema import GameFile
from storypool.gamefile.looks import shared_words
from storypool.gamefile.names import Names
from storypool.words import Phrase

__all__ = ["Completion", "Known", "completion"]

MOST = 60
"""The most things that are offered."""
_TEXT = re.compile(r"(\w+)\s*[=!]=\s*'(\w*)$")
_OTHER = re.compile(r"(\w+)\.(\w*)$")
_COUNT = re.compile(r"((?:\w+\.)?(?:dice|shows|traits|points)\()(\w*)$")
_NAME = re.compile(r"(?<!['\w])[a-z_]\w*$|(?<![\w'])$")
_STATEMENT = re.compile(r"\n[ \t]*(?:\[\[?[a-z_][\w. -]*\]|[\w.-]+[ \t]*=)")


class Known(NamedTuple):
    """A completion: its name, the text to write, and its meaning."""

    name: str
    written: str
    about: str | Phrase


@dataclass(frozen=True)
class Completion:
    """The completions that replace the text from `start` to the caret, and the key there."""

    start: int
    known: tuple[Known, ...] = ()
    key: KeyLine | None = None


def completion(before: str, after: str = "") -> Completion:
    """The completions between two parts of a text.

    >>> [one.name for one in completion("[[whenever]]\\non = 'rol").known]
    ['rolled']
    """
    caret = caret_at(before)
    if caret.kind == "header":
        return Completion(caret.start, _fitting(_headers(), caret.written))
    if caret.kind == "key":
        return _at_key(caret, before, after)
    if caret.kind == "value":
        return _in_value(caret, before, after)
    return Completion(len(before))


def _fitting(known: Iterable[Known], written: str) -> tuple[Known, ...]:
    """Those that begin with what is written, then those that have it in their names."""
    lower = written.lower()
    every = list(known)
    begin = [one for one in every if one.name.lower().startswith(lower)]
    inside = [one for one in every if one not in begin and lower and lower in one.name.lower()]
    return tuple([*begin, *inside][:MOST])


class _Slot(NamedTuple):
    """A place of the format: the type of its value, and the key that leads there."""

    hint: Any
    key: KeyLine | None = None


def _slot(path: Path) -> _Slot:
    """The place of a path in the format; of an unknown one, one that holds anything."""
    slot = _Slot(GameFile)
    for one in path:
        if isinstance(one, int):
            continue
        hint = inner_type(slot.hint)
        if (row := row_in(hint)) is not None:
            slot = next(
                (found for found in _slots(row) if found.key and found.key.name == one), _Slot(Any)
            )
        elif _is_mapping(hint):
            slot = _Slot(get_args(hint)[1], slot.key)
        else:
            return _Slot(Any)
    return slot


def _slots(row: type) -> Iterator[_Slot]:
    """The places of a kind of table."""
    for one in fields(row):
        yield _Slot(types_of(row)[one.name], key_line(row, one))


def _is_mapping(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _headers() -> Iterator[Known]:
    """The headers of a file: its tables and rows, and those inside of them."""
    for hint, key in _slots(GameFile):
        if key is not None:
            yield from _headers_of(hint, key, "")


def _headers_of(hint: Any, key: KeyLine, before: str) -> Iterator[Known]:
    inner = inner_type(hint)
    several = get_origin(hint) is tuple
    path = f"{before}{key.name}"
    if _is_mapping(inner):
        value = get_args(inner)[1]
        inner, several = inner_type(value), get_origin(value) is tuple
        if row_in(inner) is not None:
            path = f"{path}.NAME"
    row = row_in(inner)
    if row is None and not _is_mapping(hint):
        return
    several = several and path != "action"
    header = f"[[{path}]]" if several else f"[{path}]"
    yield Known(header, header.replace("NAME", ""), key.about)
    if row is None or before or "NAME" in path:
        return
    for one in _slots(row):
        if row_in(inner_type(one.hint)) is not None and one.key is not None:
            yield from _headers_of(one.hint, one.key, f"{path}.")


def _at_key(caret: Caret, before: str, after: str) -> Completion:
    """The keys that may stand here, without those that are there; in front of a line, headers."""
    slot = _slot(caret.path)
    hint, written = inner_type(slot.hint), caret.written
    text = f"{before[: caret.start].rstrip().removesuffix(',')}{caret.closers}{_rest(caret, after)}"
    present = value_at(loaded(text), caret.path)
    there = set(present) if isinstance(present, dict) else set()
    found: list[Known] = []
    # Keys of the table `evening` itself apply to all evenings.
    row = EveningRow if caret.path == ("evening",) else row_in(hint)
    if row is not None:
        for one in fields(row):
            line = key_line(row, one)
            is_table = row is GameFile and not _is_plain(types_of(row)[one.name])
            if line.name not in there and not is_table:
                found.append(Known(line.name, f"{line.name} = ", line.about))
    elif caret.path[:1] == ("words",):
        found += _sentences(caret.path[1:])
    elif _is_mapping(hint):
        value = {str: '"1"', int: "1"}.get(get_args(hint)[1], "{}")
        value = '"1"' if get_args(hint)[1] is Expression else value
        text = f"{before[: caret.start]}{CARET} = {value}{caret.closers}{_rest(caret, after)}"
        found += [
            Known(one.name, f"{one.name} = ", one.about)
            for one in _known(text)
            if one.name not in there
        ]
    if not caret.closers and caret.start == caret.begin:
        found += _headers()
    return Completion(caret.start, _fitting(found, written), slot.key)


def _is_plain(hint: Any) -> bool:
    """Whether a key of the whole file is written as a line of its own, not as a table."""
    inner = inner_type(hint)
    return row_in(inner) is None and not _is_mapping(inner)


def _sentences(path: Path) -> Iterator[Known]:
    """The sentences that a game can have in place of others, below a path of their ids."""
    begin = "".join(f"{one}." for one in path)
    for id, text in shared_words().items():
        if id.startswith(begin) and not id.startswith("filed."):
            name = id.removeprefix(begin)
            yield Known(name, f'"{name}" = ', text)


def _rest(caret: Caret, after: str) -> str:
    """The text after the statement of the caret."""
    found = _STATEMENT.search(after) if caret.closers else re.search(r"\n", after)
    return f"\n{after[found.start() :]}" if found else ""


def _in_value(caret: Caret, before: str, after: str) -> Completion:
    """The values of a key: those of a fixed set, or names of the file."""
    slot = _slot(caret.path)
    hint = inner_type(slot.hint)
    quote = "" if caret.quote else '"'
    start = caret.start + len(caret.quote)
    about = slot.key.about if slot.key else ""
    if get_origin(hint) is Literal:
        values = [Known(one, f"{quote}{one}{quote}", about) for one in get_args(hint) if one]
        return Completion(start, _fitting(values, caret.written), slot.key)
    if hint is bool:
        values = [Known(one, one, about) for one in ("true", "false")]
        found = () if caret.quote else _fitting(values, caret.written)
        return Completion(start, found, slot.key)
    if hint not in (str, Expression):
        return Completion(len(before), (), slot.key)
    sentinel, written = CARET, caret.written
    if hint is Expression:
        sentinel, written = _sentinel(caret.written)
    if not sentinel:
        return Completion(len(before), (), slot.key)
    text = f'{before[: caret.start]}"{sentinel}"{caret.closers}{_rest(caret, after)}'
    start = len(before) - len(written)
    known = [
        Known(one.name, f"{quote}{one.name}{quote}", one.about)
        for one in _fitting(_known(text), written)
    ]
    return Completion(start, tuple(known), slot.key)


def _sentinel(written: str) -> tuple[str, str]:
    """A stand-in for an expression, with `CARET` in it, and the word before the caret."""
    if found := _TEXT.search(written):
        return f"{found[1]} == '{CARET}'", found[2]
    if written.count("'") % 2:
        return "", ""
    if found := _COUNT.search(written):
        more = ", 1" if found[1] == "shows(" else ""
        return f"{found[1]}{CARET}{more})", found[2]
    if found := _OTHER.search(written):
        return f"{found[1]}.{CARET}", found[2]
    found = _NAME.search(written)
    return (CARET, found[0]) if found else ("", "")


def _known(text: str) -> list[Known]:
    """The names that the check of names knows in the place of `CARET`, with their meanings."""
    game = readable_game(loaded(text))
    if game is None:
        return []
    names: dict[str, None] = {}
    for _, what in Names(game, ()).all():
        if what.values.get("name") == CARET and isinstance(there := what.values["known"], tuple):
            names |= dict.fromkeys(there)
    meanings = Meanings(game)
    hidden = {CARET, NOTHING, ""}
    return [Known(name, name, meanings.of(name)) for name in names if name not in hidden]
