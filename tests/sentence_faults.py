"""Faults in sentences of the log: raw ids, wrong plurals, doubled names."""

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
"""Words for more than one thing."""


def wrong_with(line: str, play: Played) -> Iterator[str]:
    """Each fault in a line of a play's log, with the line."""
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
    """Raw ids in a sentence: with a dot or underscore, or a game's own with a hyphen."""
    for word in re.findall(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)+", line):
        if word in _written(play.text) or word in play.text.splitlines()[0]:
            continue
        if word in _ids(play.key) or re.search(r"[a-z][._][a-z]", word):
            yield word


@cache
def _ids(key: str) -> frozenset[str]:
    """A game's ids that resemble no word: moves, options, symbols, sheet entries and table rows."""
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
    """The texts typed in a play: names, titles and quoted texts."""
    return " ".join((*re.findall(r'"[^"]*"', play), *re.findall(r"^seat .*|^table .*", play, re.M)))


def _disagreeing(line: str, system: System) -> Iterator[str]:
    """The numbers in a sentence that disagree with the next word."""
    plurals = {
        look.plural for look in system.look.values() if look.plural and look.plural != look.word
    }
    words = {look.word for look in system.look.values() if look.plural and look.plural != look.word}
    for n, word in re.findall(r"(?<![\w.+−-])(\d+) ([A-Za-z]+(?: points?| dice)?)(?![\w-])", line):
        if (n == "1" and word in {*plurals, *COUNTED}) or (n != "1" and word in words - plurals):
            yield f"{n} {word}"
