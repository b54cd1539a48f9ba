"""What the bytes of a file say of characters, whichever format they are in."""

from collections.abc import Iterator

from storypool.brought import foundry, oggdude, own_files, spreadsheets
from storypool.brought.characters import MOST_BYTES, MOST_CHARACTERS, BroughtCharacter, NoCharacter
from storypool.brought.json_files import data_of
from storypool.brought.safe_xml import tree_of
from storypool.words.text_files import NotText, text_of

FORMATS = (
    own_files.FORMAT,
    oggdude.FORMAT,
    *(f"foundry-{system}" for system in foundry.READERS),
    spreadsheets.FORMAT,
)
"""Every format that is read."""


def characters_in(data: bytes) -> list[BroughtCharacter]:
    """The characters of a file, at least one; `NoCharacter` or `NotText` with one sentence."""
    if len(data) > MOST_BYTES:
        raise NoCharacter("large", most=MOST_BYTES)
    return characters_of(text_of(data))


def characters_of(text: str) -> list[BroughtCharacter]:
    """The characters of a text that was pasted, or of a file's."""
    if len(text) > MOST_BYTES:
        raise NoCharacter("large", most=MOST_BYTES)
    text = text.strip().strip("`").strip() if text.lstrip()[:1] == "`" else text.strip()
    if not text:
        raise NoCharacter("empty")
    found = [one.bounded() for one in _read(text)]
    if not found:
        raise NoCharacter("nobody")
    if len(found) > MOST_CHARACTERS:
        raise NoCharacter("many", n=len(found), most=MOST_CHARACTERS)
    for one in found:
        if not (one.numbers or one.texts):
            raise NoCharacter("nothing", name=one.name or "?")
    return found


def _read(text: str) -> Iterator[BroughtCharacter]:
    if text.startswith("<"):
        yield from oggdude.read(tree_of(text))
    elif text[0] in "{[":
        data = data_of(text)
        for one in data if isinstance(data, list) else [data]:
            yield from _in_json(one)
    else:
        yield from spreadsheets.read(text)


def _in_json(data: object) -> Iterator[BroughtCharacter]:
    """Yield the characters of an object: our own, an actor, or a list of actors."""
    if own_files.is_own(data):
        yield from own_files.read(data)  # type: ignore[arg-type]
    elif foundry.is_actor(data):
        yield foundry.read(data)  # type: ignore[arg-type]
    elif isinstance(data, dict) and isinstance(data.get("actors"), list):
        for one in data["actors"]:
            yield from _in_json(one)
    else:
        raise NoCharacter("json.other")


__all__ = ["FORMATS", "NoCharacter", "NotText", "characters_in", "characters_of"]
