"""Storypool's own file of a character, or of several: JSON that is written and read here."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from storypool.brought.characters import BroughtCharacter, NoCharacter
from storypool.brought.json_files import objects, text_at

FORMAT, VERSION = "storypool", 1
HEAD = frozenset({"storypool", "version", "game", "name", "npc", "texts", "notes"})
"""The keys of a file that are no numbers."""


def is_own(data: object) -> bool:
    """Whether this is a file of ours: it says so, or has a name and a sheet, or only numbers."""
    if not isinstance(data, dict):
        return False
    if "storypool" in data or isinstance(data.get("sheet"), dict):
        return True
    numbers = [value for key, value in data.items() if key not in HEAD]
    return bool(numbers) and all(type(value) is int for value in numbers)


def read(data: Mapping[str, Any]) -> Iterator[BroughtCharacter]:
    """Yield the characters of a file; `NoCharacter` for a later version, or a pack."""
    if data.get("storypool") == "pack":
        raise NoCharacter("pack")
    version = data.get("version", VERSION)
    if type(version) is not int or version > VERSION:
        raise NoCharacter("newer")
    several = data.get("characters")
    for row in [row for _, row in objects(several)] if isinstance(several, list) else [data]:
        one = _character(row)
        one.game = text_at(data, "game")
        yield one


def _character(data: Mapping[str, Any]) -> BroughtCharacter:
    one = BroughtCharacter(FORMAT, text_at(data, "name"), data.get("npc") is True)
    numbers = {key: value for key, value in data.items() if key not in HEAD}
    sheet = data.get("sheet", numbers)
    for key, value in sheet.items() if isinstance(sheet, dict) else ():
        if isinstance(value, str) and "sheet" in data:
            one.write(str(key), value)
        else:
            one.count(str(key), value, least=-99)
    for _, row in objects(data.get("texts")):
        more = row.get("numbers")
        kept = {str(key): raw for key, raw in more.items()} if isinstance(more, dict) else {}
        one.write(text_at(row, "kind"), row.get("text"), text_at(row, "of"), **_named(kept))
    one.note("", data.get("notes"))
    return one


def _named(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers whose names can be given to `write`."""
    return {key: raw for key, raw in numbers.items() if key not in ("kind", "text", "of", "self")}


def written(game: str, characters: list[dict[str, Any]]) -> str:
    """The text of a file with these characters of a game."""
    head: dict[str, Any] = {"storypool": "character", "version": VERSION, "game": game}
    body = characters[0] if len(characters) == 1 else {"characters": characters}
    return json.dumps(head | body, ensure_ascii=False, indent=1)
