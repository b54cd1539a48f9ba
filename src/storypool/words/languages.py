"""The languages of a program: English, and those of a folder of files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from storypool.words import BadValue, Phrase, Words, english, read_text
from storypool.words.text_files import text_in

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ENGLISH", "Language", "Languages", "languages"]

LANGUAGE = "language"
"""The table option that selects the language of a table, by its key."""
_TAG = r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"


@dataclass(frozen=True, eq=False)
class Language:
    """A language: its own sentences, and English for those it lacks.

    Its `folder` holds `program.toml` for what belongs to no game, and KEY.toml for a game; either
    may be missing. Its words raise `OSError` for a file that cannot be read, and `ValueError` for a
    sentence that cannot be used.
    """

    folder: Path | None = None
    named: str = ""

    @property
    def key(self) -> str:
        """The value of the table option `language`: the folder name, else the tag in its file."""
        return self.named or self._own.language

    @property
    def name(self) -> str:
        """The name of the language in the language itself."""
        return self.program["language.name"]

    @cached_property
    def program(self) -> Words:
        """The sentences that belong to no game."""
        return english().under(self._own) if self.folder or self.named else english()

    def game(self, key: str) -> Words:
        """The sentences for a game: its own file takes precedence over those for all games."""
        return Words({**self._own, **self._read(key)}, self._own.language)

    @cached_property
    def _own(self) -> Words:
        texts = {"language": self.named or "en", **self._read("program")}
        if not re.fullmatch(_TAG, texts["language"]):
            raise BadValue(
                "A language is named as browsers name it, such as pl or pt-BR, not"
                f" {texts['language']}"
            )
        return Words(texts, texts["language"])

    def _read(self, name: str) -> dict[str, str]:
        file = self.folder / f"{name}.toml" if self.folder else None
        if not file or not file.is_file():
            return {}
        try:
            return read_text(text_in(file))
        except ValueError as wrong:
            raise BadValue(Phrase("brought.file", file=file.name, why=wrong)) from None


ENGLISH = Language()
"""The language that everything is written in; it has no folder."""


@dataclass(frozen=True, eq=False)
class Languages:
    """The languages of a server or a terminal: the default, and the others a table may choose."""

    default: Language = ENGLISH
    others: tuple[Language, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, Language]:
        """Every language by its key; English is always one of them."""
        return {one.key: one for one in (ENGLISH, *self.others, self.default)}

    def of(self, options: Mapping[str, str]) -> Language:
        """The language that a table's options select; the default for none or unknown."""
        return self.by_key.get(options.get(LANGUAGE, ""), self.default)


def languages(folder: Path | None) -> Languages:
    """The languages of a folder: its own files are the default, each sub-folder is another.

    A sub-folder has a `program.toml` and is named by the key of its language. `OSError` for an
    unreadable file, `ValueError` for an invalid sentence.
    """
    if folder is None:
        return Languages()
    inside = sorted(one for one in folder.iterdir() if (one / "program.toml").is_file())
    found = Languages(Language(folder), tuple(Language(one, one.name) for one in inside))
    for language in found.by_key.values():
        assert language.program
    return found
