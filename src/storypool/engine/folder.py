"""The data files next to a game's code: tables, sentences and ready-made characters."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from storypool.words import Words, house_words, package_file, toml
from storypool.words.languages import ENGLISH, Language

__all__ = ["game_words", "read_alone", "ready_made", "rows", "with_words", "words_of"]

Rolls = TypeVar("Rolls")
Result = TypeVar("Result")


@cache
def rows(package: str, name: str) -> Mapping[str, Any]:
    """The contents of NAME.toml in a package, such as a table printed in the book. Read once."""
    return toml(package_file(package, f"{name}.toml"))


def with_words(words: Words, *packages: str) -> Words:
    """These sentences and those in each package's `words.toml`, which may override some."""
    for package in packages:
        words = words.over(package_file(package, "words.toml"))
    return words


def game_words(*packages: str) -> Words:
    """The words of a game: the sentences of every table and each package's `words.toml`."""
    return with_words(house_words(), *packages)


def words_of(game: str, language: Language, *packages: str) -> Words:
    """The sentences of these packages in a language of the game: for rolls without a table."""
    return _words_alone(*packages).under(language.game(game))


@cache
def _words_alone(*packages: str) -> Words:
    return with_words(Words({}), *packages)


def read_alone(
    read: Callable[[Rolls, Words], Result], game: str, *packages: str
) -> Callable[..., Result]:
    """The `result` of a game whose dice alone decide: a reader of rolls without a table."""

    def result(pool: Mapping[str, int], rolled: Rolls, language: Language = ENGLISH) -> Result:
        return read(rolled, words_of(game, language, *packages))

    return result


def ready_made(package: str) -> tuple[Mapping[str, object], ...]:
    """The ready-made characters in `ready.toml`: a name, a line about them, and their numbers."""
    return tuple(rows(package, "ready")["character"])
