"""A language that nobody speaks: every sentence of the catalogue in other letters, so that what is not in it shows."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from storypool import systems
from storypool.engine.catalogue import whole
from storypool.engine.events import MoveMade
from storypool.play import Performance, Play
from storypool.play.text import Acting, Offering, Seeing, Statement
from storypool.words import as_toml, english
from storypool.words.languages import Language, languages

LATIN = string.ascii_uppercase + string.ascii_lowercase
OTHER = str.maketrans(LATIN, "".join(chr(ord("А" if c.isupper() else "а") + ord(c.upper()) - ord("A")) for c in LATIN))
"""Each Latin letter as a Cyrillic one, large as large and small as small."""
WORD = re.compile(r"[A-Za-z]+")


def foreign(text: str) -> str:
    """A sentence in this language, its blanks as they were.

    >>> foreign("{who} has {n}."), foreign("")
    ('{who} зат {n}.', '')
    """
    said = ""
    for own, blank, _, _ in string.Formatter().parse(text):
        said += own.translate(OTHER).replace("{", "{{").replace("}", "}}")
        said += "" if blank is None else f"{{{blank}}}"
    return said


@cache
def bare(text: str) -> frozenset[str]:
    """The words of a text that no sentence of the catalogue has said: what was filled into its blanks as it was."""
    return frozenset(WORD.findall(text))


def words_in(texts: Iterable[str]) -> set[str]:
    """Every word of these texts."""
    return {word for text in texts for word in WORD.findall(text)}


def nobodys(folder: Path) -> Language:
    """This language, read as any other would be: from the files of a folder."""
    _write(folder / "program.toml", english())
    for key in systems.names():
        _write(folder / f"{key}.toml", whole(systems.get(key)))
    return languages(folder).default


def _write(file: Path, texts: Mapping[str, str]) -> None:
    said = {key: text if key == "language" else foreign(text) for key, text in texts.items()}
    file.write_text(as_toml(said), encoding="utf-8")


def without_words(play: Play) -> Play:
    """A play that says and expects nothing in words: answers by their values, and of a refusal its code alone."""
    kept: list[Statement] = []
    for statement, step in zip(play.statements, Performance(play).steps(), strict=False):
        assert step.problem is None, step.problem
        if isinstance(statement, Acting):
            codes = tuple(expect[:2] for expect in statement.expects if expect[0] == "refused:")
            made = next((event for event in step.events if isinstance(event, MoveMade)), None)
            args = {**statement.args, **(dict(made.args) if made else {})}
            answered = {name: value for name, value in args.items() if name in statement.args}
            kept.append(replace(statement, args=answered, expects=codes))  # type: ignore[arg-type]
        elif not isinstance(statement, (Seeing, Offering)):
            kept.append(statement)
    return replace(play, statements=tuple(kept))
