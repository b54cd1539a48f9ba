"""The format of game files for editors and people: its JSON Schema, and the meaning of each key."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.file_text import hints
from storypool.gamefile.file_format.schema import FORMAT, GameFile
from storypool.gamefile.file_format.thing_rows import written_key

__all__ = ["KeyLine", "inner_type", "json_schema", "key_line", "key_lines", "row_in", "types_of"]


class KeyLine(NamedTuple):
    """One key of a kind of table: its type, its default, its meaning, and an example."""

    name: str
    holds: str
    default: str
    about: str
    example: str


def key_lines() -> Iterator[tuple[type, tuple[KeyLine, ...]]]:
    """Every kind of table in a game file with its keys, the whole file first."""
    for kind in kinds():
        yield kind, tuple(key_line(kind, one) for one in fields(kind))


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a game file, for editors.

    >>> json_schema()["properties"]["format"]
    {'description': 'the version of the format', 'const': 1}
    """
    whole = _table(GameFile)
    whole["properties"]["format"] = {"description": _about(GameFile, "format"), "const": FORMAT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game on one page",
        **whole,
        "$defs": {kind.__name__: _table(kind) for kind in kinds() if kind is not GameFile},
    }


def kinds() -> tuple[type, ...]:
    """Every kind of table, in the order of a file."""
    found: dict[type, None] = {GameFile: None}
    for kind in list(found):
        _collect(kind, found)
    return tuple(found)


def _collect(kind: type, found: dict[type, None]) -> None:
    for hint in types_of(kind).values():
        for inner in _rows_in(hint):
            if inner not in found:
                found[inner] = None
                _collect(inner, found)


def types_of(kind: type) -> dict[str, Any]:
    """The type of each field of a table, as it is taught."""
    types = hints(kind)
    return {one.name: one.metadata["taught"] or types[one.name] for one in fields(kind)}


def inner_type(hint: Any) -> Any:
    """The type of one value of a key: without `None`, and of a list that of what is in it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return inner_type(next(one for one in inner if one is not NoneType))
    return inner_type(inner[0]) if origin is tuple else hint


def row_in(hint: Any) -> type | None:
    """The kind of table that a type is, if it is one."""
    if isinstance(hint, type) and is_dataclass(hint) and hint is not Expression:
        return hint
    return None


def _rows_in(hint: Any) -> Iterator[type]:
    if (row := row_in(hint)) is not None:
        yield row
    for inner in get_args(hint):
        yield from _rows_in(inner)


def _table(kind: type) -> dict[str, Any]:
    types = types_of(kind)
    needed = []
    for one in fields(kind):
        if one.default is MISSING and one.default_factory is MISSING:
            needed.append(written_key(one))
    properties = {
        written_key(one): {"description": one.metadata["about"], **_of_key(one, types[one.name])}
        for one in fields(kind)
    }
    found: dict[str, Any] = {
        "type": "object",
        "description": _summary(kind),
        "properties": properties,
    }
    return {**found, "additionalProperties": False, **({"required": needed} if needed else {})}


def _of_key(one: Field[Any], hint: Any) -> dict[str, Any]:
    """The type of a field, as a schema; other keys of a taught table apply to all its rows."""
    found = _type(hint)
    if one.metadata["taught"] and "additionalProperties" in found:
        found["properties"] = _table(get_args(hint)[1])["properties"]
    return found


def _type(hint: Any) -> dict[str, Any]:
    """The type of a key, as a schema."""
    origin, inner = get_origin(hint), get_args(hint)
    if inner == (int, str):
        return {"type": ["integer", "string"]}
    if origin in (Union, UnionType):
        return _type(next(one for one in inner if one is not NoneType))
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        one = _type(inner[0])
        return {"anyOf": [{"type": "array", "items": one}, one]}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type(inner[1])}
    if hint is Expression:
        return {"type": ["string", "integer", "boolean"]}
    if row_in(hint) is not None:
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return {str: {"type": "string"}, int: {"type": "integer"}, bool: {"type": "boolean"}}.get(
        hint, {}
    )


def key_line(kind: type, one: Field[Any]) -> KeyLine:
    """The line of a key of a kind of table."""
    return KeyLine(
        written_key(one),
        _holds(types_of(kind)[one.name]),
        _default(one),
        one.metadata["about"],
        one.metadata["example"],
    )


def _holds(hint: Any) -> str:
    """The type of a key, in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if inner == (int, str):
        return "a whole number or a text"
    if origin in (Union, UnionType):
        return _holds(next(one for one in inner if one is not NoneType))
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in inner if one)
    if origin is tuple:
        return f"one or more: {_holds(inner[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"a table, by name: {_holds(inner[1])}"
    if row_in(hint) is not None:
        return f"a [{name_of(hint)}](#{name_of(hint).replace(' ', '-')})"
    words = {
        str: "a text",
        int: "a whole number",
        bool: "`true` or `false`",
        Expression: "a number or an expression",
    }
    return words.get(hint, "anything")


def _default(one: Field[Any]) -> str:
    if one.default is MISSING and one.default_factory is MISSING:
        return "needed"
    value = one.default if one.default is not MISSING else ""
    if value in ("", (), None):
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def name_of(kind: type) -> str:
    """The name of a kind of table: its class without the ending, in small letters.

    >>> name_of(GameFile)
    'whole file'
    """
    if kind is GameFile:
        return "whole file"
    return kind.__name__.removesuffix("Row").lower()


def _summary(kind: type) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())


def _about(kind: type, name: str) -> str:
    return next(str(one.metadata["about"]) for one in fields(kind) if one.name == name)
