"""Every sentence that people read, by its id: one catalogue, so that another language is another file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable


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
        more = _flat(tomllib.loads(file.read_text(encoding="utf-8")))
        twice = more.keys() & self._texts.keys()
        if twice:
            raise ValueError(f"These sentences are already in the catalogue: {', '.join(sorted(twice))}.")
        return Words({**self._texts, **more})


@cache
def house(language: str = "en") -> Words:
    """The sentences that every game shares."""
    return Words({}).plus(files("storypool.words").joinpath(f"{language}.toml"))


def _flat(tree: Mapping[str, object], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = str(value)
    return flat
