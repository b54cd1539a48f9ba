"""A language that nobody speaks: every sentence of the catalogue between brackets, so that what is not in it shows."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from storypool import systems
from storypool.catalogue import whole
from storypool.play import Play
from storypool.play.text import Acting, Offering, Seeing, Statement
from storypool.words import as_toml, english, speak

MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]+")


def marked(text: str) -> str:
    """A sentence with all that is its own between brackets, and its blanks outside of them.

    >>> marked("{who} has {n}."), marked("")
    ('{who}⟦ has ⟧{n}⟦.⟧', '')
    """
    said = ""
    for own, blank, _, _ in string.Formatter().parse(text):
        said += f"⟦{own.replace('{', '{{').replace('}', '}}')}⟧" if own else ""
        said += "" if blank is None else f"{{{blank}}}"
    return said


def bare(text: str) -> set[str]:
    """The words of a text that no sentence of the catalogue has said: what was filled into its blanks as it was."""
    left = MARKED.sub(" ", text)
    assert not {"⟦", "⟧"} & set(left), f"a sentence was cut in two: {text}"
    return set(WORD.findall(left))


def words_in(texts: Iterable[str]) -> set[str]:
    """Every word of these texts."""
    return {word for text in texts for word in WORD.findall(text)}


@contextmanager
def nobodys(folder: Path) -> Iterator[None]:
    """The program speaks this language, as it would speak any other: from the files in a folder."""
    _write(folder / "program.toml", english())
    for key in systems.names():
        _write(folder / f"{key}.toml", whole(systems.get(key)))
    speak(folder)
    try:
        yield
    finally:
        speak(None)


def _write(file: Path, texts: Mapping[str, str]) -> None:
    # The page fills its blanks itself, and one of its sentences is an example in JSON.
    said = {key: f"⟦{text}⟧" if key.startswith("page.") else marked(text) for key, text in texts.items()}
    file.write_text(as_toml(said), encoding="utf-8")


def without_words(play: Play) -> Play:
    """A play that expects nothing of what is said: what is refused is refused, but not in which words."""
    kept: list[Statement] = []
    for statement in play.statements:
        if isinstance(statement, Acting):
            codes = tuple(expect[:2] for expect in statement.expects if expect[0] == "refused:")
            kept.append(replace(statement, expects=codes))
        elif not isinstance(statement, (Seeing, Offering)):
            kept.append(statement)
    return replace(play, statements=tuple(kept))
