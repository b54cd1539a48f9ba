"""JSON of strangers: with limits on what it nests, and without numbers that are none."""

import json
from typing import Any, NoReturn

from storypool.brought.characters import MOST_CHARACTERS, NoCharacter

DEEPEST = 60


def data_of(text: str) -> Any:
    """The data of a text of JSON, or of its lines; `NoCharacter` for any other."""
    try:
        return _read(text)
    except json.JSONDecodeError as wrong:
        if "\n{" in text.strip():
            return _lines(text, wrong)
        raise NoCharacter("json", line=wrong.lineno) from None


def _lines(text: str, whole: json.JSONDecodeError) -> list[Any]:
    """An actor a line, as Foundry keeps a compendium."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_CHARACTERS:
        raise NoCharacter("many", n=len(lines), most=MOST_CHARACTERS)
    try:
        return [_read(line) for line in lines]
    except json.JSONDecodeError:
        raise NoCharacter("json", line=whole.lineno) from None


def _read(text: str) -> Any:
    try:
        data = json.loads(text, parse_constant=_none)
    except (json.JSONDecodeError, NoCharacter):
        raise
    except (RecursionError, ValueError):
        raise NoCharacter("deep", most=DEEPEST) from None
    if _depth(data) > DEEPEST:
        raise NoCharacter("deep", most=DEEPEST)
    return data


def _none(constant: str) -> NoReturn:
    raise NoCharacter("number", number=constant)


def _depth(data: Any) -> int:
    """How deep lists and objects are in each other; without recursion."""
    level, deep = [data], 0
    while level and deep <= DEEPEST:
        inner = list[Any]()
        for one in level:
            if isinstance(one, dict):
                inner.extend(one.values())
            elif isinstance(one, list):
                inner.extend(one)
        level, deep = inner, deep + 1
    return deep


def at(data: object, *path: str) -> Any:
    """What is at a path of keys; None where an object or a key is missing.

    >>> at({"a": {"b": 1}}, "a", "b"), at({"a": 2}, "a", "b")
    (1, None)
    """
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def objects(data: object) -> list[tuple[str, dict[str, Any]]]:
    """The objects of an object or a list, with their keys."""
    if isinstance(data, dict):
        rows = data.items()
    else:
        rows = ((str(n), one) for n, one in enumerate(data)) if isinstance(data, list) else ()  # type: ignore[assignment]
    return [(key, one) for key, one in rows if isinstance(one, dict)]


def text_at(data: object, *path: str) -> str:
    """The text at a path, or "" where there is none."""
    found = at(data, *path)
    return found if isinstance(found, str) else ""
