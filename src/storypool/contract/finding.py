"""The findings of a check, as sentences with the remedy."""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from storypool.words import Phrase, StorypoolError


class Broken(StorypoolError, AssertionError):
    """A promise of the house that a game breaks; its text is the promise and the remedy."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(Phrase(f"check.{key}", **values))


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a game: the place, and a sentence with the problem and the remedy."""

    where: str
    what: str
    id: str = field(default="", compare=False)
    """The id of the sentence, with its `values`."""
    values: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        if self.where:
            return f"{self.where}: {self.what}"
        return self.what


def finding(where: object, key: str, /, **values: object) -> Finding:
    """A finding with the sentence `check.KEY` of the catalogue."""
    id = f"check.{key}"
    return Finding(str(where), str(Phrase(id, **values)), id, values)


def error_text(error: BaseException) -> str:
    """An error as text, for the author of the code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, KeyError) and frames and Path(frames[-1].filename).parent.name == "words":
        return str(Phrase("check.no_word", key=error.args[0]))
    return f"{type(error).__name__}: {error}"


def place(error: BaseException) -> str:
    """The place where an error was raised, preferably in the game's files: ` (game.py:12)`."""
    frames = [
        (Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)
    ]
    frames = [(file, line) for file, line in frames if file.suffix == ".py"]
    house = Path(__file__).parent.parent
    own = []
    for file, line in frames:
        if house not in file.parents or house / "systems" in file.parents:
            own.append((file, line))
    return "".join(f" ({file.name}:{line})" for file, line in (own or frames)[-1:])
