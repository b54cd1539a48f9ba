"""The seeds' rules, sentence by sentence: each is held by a play that says so, and each play says
what it holds.

`plays/seeds.toml` of a game is its list; the words of a sentence are the anchor that leads to the
line of its play.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import pytest

from storypool import play, systems
from storypool.play.text import Acting, Offering, Seeing, Statement
from tests.batched_cases import together

LISTS = {key: systems.folder(key).joinpath("plays", "seeds.toml") for key in systems.names()}
LISTED = {
    key: tomllib.loads(file.read_text(encoding="utf-8"))
    for key, file in LISTS.items()
    if file.is_file()
}
"""What each game that has a seed lists: its sentences, and every section of its seeds that states a
rule.
"""
SECTIONS = {
    seed: tuple(names) for own in LISTED.values() for seed, names in own.get("sections", {}).items()
}
NAMED = re.compile(r"# (ruling on )?seed (\d{3}), ([^:]+): (.+)")


class Sentence(NamedTuple):
    """One sentence of a rule: whether it is a ruling, where it stands in a seed, in which words,
    and its play.
    """

    kind: str
    seed: str
    section: str
    words: str
    play: str


@cache
def listed() -> tuple[Sentence, ...]:
    """Every sentence of the lists."""
    return tuple(
        Sentence(kind, seed, section, words, f"{game}/{file}")
        for game, own in LISTED.items()
        for kind in ("rule", "ruling")
        for seed, sections in own.get(kind, {}).items()
        for section, sentences in sections.items()
        for words, file in sentences.items()
    )


@cache
def files() -> Mapping[str, str]:
    """Every play of these games by its name in the list, with its text."""
    return {
        f"{game}/{name.removesuffix('.play')}": text
        for game in LISTED
        for name, text in systems.plays(game).items()
    }


@cache
def named(name: str) -> list[tuple[int, Sentence]]:
    """Every sentence that a play names, with the number of its line."""
    found = [(n, NAMED.fullmatch(line)) for n, line in enumerate(files()[name].splitlines(), 1)]
    return [
        (n, Sentence("ruling" if m[1] else "rule", m[2], m[3], m[4], name)) for n, m in found if m
    ]


@cache
def statements(name: str) -> tuple[Statement, ...]:
    """The lines of a play, the first of which opens its table."""
    return play.read(files()[name], name).statements


def checks(name: str) -> list[int]:
    """The lines of a play that can break: those that expect something, look into what is seen, or
    ask what is open.
    """
    return [
        statement.line
        for statement in statements(name)
        if isinstance(statement, Seeing | Offering)
        or (isinstance(statement, Acting) and statement.expects)
    ]


@together(listed())
def test_sentence_is_held_by_its_play(sentence: Sentence) -> None:
    """The play of a listed sentence is there, names it under its seed and section, and checks it in
    the lines below.
    """
    assert sentence.play in files(), (
        f"there is no play {sentence.play}: seeds.toml beside the plays of that game lists it"
    )
    names = named(sentence.play)
    lines = [n for n, one in names if one == sentence]
    assert 1 == len(lines), (
        f"{sentence.play}.play names it {len(lines)} times; it names {[one for _, one in names]}"
    )
    end = min(
        [n for n, _ in names if n > lines[0]], default=len(files()[sentence.play].splitlines()) + 1
    )
    held = [n for n in checks(sentence.play) if lines[0] < n < end]
    assert held, (
        f"{sentence.play}.play:{lines[0]} says it, and nothing up to line {end - 1} checks it"
    )


def test_every_sentence_of_a_play_is_on_the_list() -> None:
    """What a play says that it holds is on the list, so the list is all there is."""
    covered = {one for name in files() for _, one in named(name)}
    assert [] == sorted(covered - set(listed()))


def test_every_play_names_a_section_of_a_seed() -> None:
    """Each play of these games names the seed and the section whose rule it holds, or on which it
    rules.
    """
    silent = [name for name in files() if not named(name)]
    assert [] == silent


def test_every_section_has_its_rules() -> None:
    """Every section of the seeds is on the list with a rule, and no other section is."""
    assert SECTIONS
    sentences = listed()
    sections = {(seed, section) for seed, names in SECTIONS.items() for section in names}
    assert sections == {(one.seed, one.section) for one in sentences if one.kind == "rule"}
    assert sections >= {(one.seed, one.section) for one in sentences if one.kind == "ruling"}


@pytest.mark.parametrize("game", LISTED)
def test_every_choice_of_a_table_has_its_play(game: str) -> None:
    """Each value that a rule of the table can have, besides its default, is played by some play of
    these games.
    """
    played = {choice for name in files() for choice in statements(name)[0].text.split()[2:]}
    system = systems.get(game)
    rules = [option for option in system.options if option.system or option.key == "enforcement"]
    values = {f"{o.key}={value}" for o in rules for value in o.values if value != o.default}
    assert values
    assert [] == sorted(values - played)
