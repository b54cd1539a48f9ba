"""What is wrong with a sentence of the log: an id that nobody wrote, a number that disagrees, a
doubled name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from storypool import systems
from storypool.engine.game.system import System
from storypool.engine.story import log_line
from tests.performed_plays import Played

COUNTED = (
    "dice",
    "points",
    "pips",
    "shifts",
    "steps",
    "boxes",
    "faces",
    "successes",
    "complications",
    "messes",
    "setbacks",
    "zeros",
    "effects",
    "invokes",
)
"""Words that are never used of one thing."""


def wrong_with(line: str, play: Played) -> Iterator[str]:
    """Yield each thing that is wrong with a line of the log of a play, and the line."""
    for word in (*_raw(line, play), *_disagreeing(line, play.system)):
        yield f"{word}: {line}"
    if doubled := re.search(r"(?<!\w)([^\W\d][^:.]*): \1(?!\w)", line):
        yield f"{doubled.group()}: {line}"
    if doubled := re.search(r"\bagainst (\w+)\b(?=.*\bagainst \1\b)", line):
        yield f"{doubled.group()} twice: {line}"
    if doubled := re.search(r"^(An? \w+) is .*: \1: ", line):
        yield f"{doubled[1]} twice: {line}"
    if not line.endswith((*log_line.ENDS, "”")) or re.search(
        r"[{}]|[^.]\.\.(?!\.)|[:,;]\.$|\(\)", line
    ):
        yield f"not whole: {line}"


def _raw(line: str, play: Played) -> Iterator[str]:
    """Yield ids in a sentence that nobody wrote: with a dot or an underscore, or a game's own with
    a hyphen.
    """
    for word in re.findall(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)+", line):
        if word in _written(play.text) or word in play.text.splitlines()[0]:
            continue
        if word in _ids(play.key) or re.search(r"[a-z][._][a-z]", word):
            yield word


@cache
def _ids(key: str) -> frozenset[str]:
    """Return the ids of a game that look like no word: moves, options, symbols, entries of a sheet,
    rows of tables.
    """
    system = systems.get(key)
    found = {
        *system.by_key,
        *(option.key for option in system.options),
        *system.axes.moves,
        *system.axes.names,
    }
    found |= {entry.key for entry in system.sheet} | set(system.by_account)
    found |= {id.rpartition(".")[2] for id in system.words} | {
        id.partition(".")[2] for id in system.words
    }
    # The names of dice are not among them: a pool is written in the notation that people type.
    return frozenset(
        id for id in found - {die.name for die in system.dice} if re.search(r"[._-]", id)
    )


@cache
def _written(play: str) -> str:
    """Return what people write in a play in their own words: names, titles, and texts in quotation
    marks.
    """
    return " ".join((*re.findall(r'"[^"]*"', play), *re.findall(r"^seat .*|^table .*", play, re.M)))


def _disagreeing(line: str, system: System) -> Iterator[str]:
    """Yield the numbers in a sentence that do not agree with the word after them."""
    plurals = {
        look.plural for look in system.look.values() if look.plural and look.plural != look.word
    }
    words = {look.word for look in system.look.values() if look.plural and look.plural != look.word}
    for n, word in re.findall(r"(?<![\w.+−-])(\d+) ([A-Za-z]+(?: points?| dice)?)(?![\w-])", line):
        if (n == "1" and word in {*plurals, *COUNTED}) or (n != "1" and word in words - plurals):
            yield f"{n} {word}"
