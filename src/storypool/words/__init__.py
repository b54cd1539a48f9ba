"""Every sentence that people read, by its id: one catalogue, so that another language is another folder of files."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

PROGRAM = ("en", "log", "check", "web", "cli", "page")
"""The files of the sentences that belong to no game."""


class Words(Mapping[str, str]):
    """A catalogue of sentences by dotted id; `say` fills in the blanks.

    >>> Words({"no.points": "You have {have}, it costs {price}."}).say("no.points", have=0, price=1)
    'You have 0, it costs 1.'
    """

    __slots__ = ("_texts",)

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def say(self, key: str, /, **values: object) -> str:
        """The sentence with its blanks filled; `KeyError` when there is no such sentence."""
        return self._texts[key].format_map(values)

    def plus(self, file: Traversable) -> Words:
        """This catalogue and the sentences of a TOML file; an id that is already there is an error."""
        return self.also(_read(file))

    def also(self, texts: Mapping[str, object], before: str = "") -> Words:
        """This catalogue and more sentences, such as those of a table of rows; an id that is already there is an error.

        >>> dict(Words({}).also({"notice": "Notice one thing"}, "spend"))
        {'spend.notice': 'Notice one thing'}
        """
        more = _flat(texts, f"{before}." if before else "")
        twice = more.keys() & self._texts.keys()
        if twice:
            raise ValueError(f"These sentences are already in the catalogue: {', '.join(sorted(twice))}.")
        return Words({**self._texts, **more})

    def under(self, other: Mapping[str, str]) -> Words:
        """This catalogue in other words: each of its sentences as `other` has it, and as it was where that has none.

        Another sentence has no other blanks than the one it stands for: a `ValueError` names the first that has.
        """
        for key in sorted(self._texts.keys() & other.keys()):
            if not blanks(other[key]) <= blanks(self._texts[key]):
                raise ValueError(f"The sentence {key} has a blank that nothing fills: {other[key]}")
        return Words({key: other.get(key, text) for key, text in self._texts.items()})


class Phrase:
    """A sentence of the program that is only said when somebody reads it: its id, and what fills its blanks."""

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: object) -> None:
        self.key, self.values = key, values

    def __str__(self) -> str:
        return program().say(self.key, **self.values)

    def __repr__(self) -> str:
        return repr(str(self))


def blanks(text: str) -> set[str]:
    """The names of the blanks in a sentence; `ValueError` where its braces are no blanks."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@cache
def house() -> Words:
    """The sentences that every game shares, in English."""
    return Words({}).plus(files("storypool.words").joinpath("en.toml"))


@cache
def english() -> Words:
    """The sentences of the program that belong to no game, in English: of the server, the page and the terminal too."""
    said = Words({})
    for name in PROGRAM:
        said = said.plus(files("storypool.words").joinpath(f"{name}.toml"))
    return said


# Another language: a folder with `program.toml`, and beside it a file for each game, named by its key.

_folders: list[Path] = []


def speak(folder: Path | None) -> None:
    """From now on the program speaks as the files in this folder say, and English where they say nothing.

    `program.toml` holds what belongs to no game, and KEY.toml what belongs to a game. None: English again.
    """
    _folders[:] = [folder] if folder else []
    spoken.cache_clear()
    program.cache_clear()


@cache
def spoken(name: str) -> Words:
    """What the language of now says for `program` or for a game; nothing where English is spoken."""
    found = [file for folder in _folders for one in ("program", name) if (file := folder / f"{one}.toml").is_file()]
    said: dict[str, str] = {}
    for file in found:
        said |= _read(file)
    return Words(said)


@cache
def program() -> Words:
    """The sentences of the program that belong to no game, in the language that is spoken."""
    return english().under(spoken("program"))


def as_toml(texts: Mapping[str, str]) -> str:
    """Sentences as a file to translate, in the order of their ids.

    >>> print(as_toml({"no.busy": "An action is still going on: {title}."}), end="")
    "no.busy" = "An action is still going on: {title}."
    """
    return "".join(f"{_quoted(key)} = {_quoted(texts[key])}\n" for key in sorted(texts))


def _quoted(text: str) -> str:
    import json  # only a file to translate needs it

    # A basic string of TOML is one of JSON, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(file: Traversable) -> dict[str, str]:
    return _flat(tomllib.loads(file.read_text(encoding="utf-8")))


def _flat(tree: Mapping[str, object], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = str(value)
    return flat
