"""The seeds' rules by sentence: each has a play that names it, and each play names its rule.

`plays/seeds.toml` of a game is its list; the words of a sentence are the anchor of its play's line.
A price is written as the key of its move, `{asset.further}`: the play has the number, and pays it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import pytest

from storypool import play, systems
from storypool.engine.bag import Bag
from storypool.engine.table import Table
from storypool.play.text import Acting, Offering, Seeing, Statement
from tests.batched_cases import together
from tests.performed_plays import played

LISTS = {key: systems.folder(key).joinpath("plays", "seeds.toml") for key in systems.names()}
LISTED = {
    key: tomllib.loads(file.read_text(encoding="utf-8"))
    for key, file in LISTS.items()
    if file.is_file()
}
"""The listed sentences and ruling sections of each game with a seed."""
SECTIONS = {
    seed: tuple(names) for own in LISTED.values() for seed, names in own.get("sections", {}).items()
}
NAMED = re.compile(r"# (ruling on )?seed (\d{3}), ([^:]+): (.+)")
PRICE = re.compile(r"\{([a-z]+\.[a-z_]+)\}")
"""The place of a price in the words of a sentence, with the key of the move that costs it."""


class Sentence(NamedTuple):
    """A sentence of a rule: whether it is a ruling, its place and words in a seed, and its play."""

    kind: str
    seed: str
    section: str
    words: str
    play: str

    def names(self, other: Sentence) -> re.Match[str] | None:
        """Whether a play's sentence is this one, with numbers in the places of prices."""
        if self._replace(words="") != other._replace(words=""):
            return None
        texts = PRICE.split(self.words)[::2]
        return re.fullmatch(r"(\d+)".join(map(re.escape, texts)), other.words)


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
    """Every sentence in a play, with its line number."""
    found = [(n, NAMED.fullmatch(line)) for n, line in enumerate(files()[name].splitlines(), 1)]
    return [
        (n, Sentence("ruling" if m[1] else "rule", m[2], m[3], m[4], name)) for n, m in found if m
    ]


@cache
def statements(name: str) -> tuple[Statement, ...]:
    """The lines of a play; the first opens its table."""
    return play.read(files()[name], name).statements


def checks(name: str) -> list[int]:
    """The lines of a play that can break: expectations, views and open offers."""
    return [
        statement.line
        for statement in statements(name)
        if isinstance(statement, Seeing | Offering)
        or (isinstance(statement, Acting) and statement.expects)
    ]


def end_of(name: str, line: int) -> int:
    """The line of the play that names the next sentence, or the one after its last."""
    after = [n for n, _ in named(name) if n > line]
    return min(after, default=len(files()[name].splitlines()) + 1)


def paid(name: str, move: str, line: int, end: int) -> set[int]:
    """The points that each such move between these lines of a play pays, in all."""
    found, before = set[int](), Table()
    game, _, file = name.partition("/")
    for step, table in played(game, f"{file}.play").statements:
        made = re.match(rf"\S+ +{re.escape(move)}\b", step.text)
        if made and line < step.line < end and step.refusal is None:
            found.add(sum(abs(n) for n in (_points(table) - _points(before)).values()))
        before = table
    return found


def _points(table: Table) -> Bag:
    """The balances of a table, and what its rolls owe."""
    owed = sum((check.owed for check in table.checks.values()), Bag())
    return Bag({str(purse): n for purse, n in table.points.items()}) + owed


@pytest.mark.slow
@together(listed())
def test_sentence_is_checked_by_its_play(sentence: Sentence) -> None:
    """The play names a listed sentence with seed and section, and checks it below."""
    assert sentence.play in files(), (
        f"there is no play {sentence.play}: seeds.toml beside the plays of that game lists it"
    )
    names = named(sentence.play)
    lines = [n for n, one in names if sentence.names(one)]
    assert 1 == len(lines), (
        f"{sentence.play}.play names it {len(lines)} times; it names {[one for _, one in names]}"
    )
    end = end_of(sentence.play, lines[0])
    held = [n for n in checks(sentence.play) if lines[0] < n < end]
    assert held, (
        f"{sentence.play}.play:{lines[0]} says it, and nothing up to line {end - 1} checks it"
    )


@pytest.mark.slow
@together([one for one in listed() if PRICE.search(one.words)])
def test_price_is_paid_in_its_play(sentence: Sentence) -> None:
    """A price that a play writes is the one that its moves pay below: one more would show."""
    found = [(n, sentence.names(one)) for n, one in named(sentence.play)]
    line, numbers = next((n, match.groups()) for n, match in found if match)
    for move, number in zip(PRICE.findall(sentence.words), numbers, strict=True):
        assert {int(number)} == paid(sentence.play, move, line, end_of(sentence.play, line))


@pytest.mark.slow
def test_every_sentence_of_a_play_is_listed() -> None:
    """The list has each sentence that a play claims."""
    covered = {one for name in files() for _, one in named(name)}
    missing = [one for one in covered if not any(each.names(one) for each in listed())]
    assert [] == sorted(missing)


def test_every_play_names_its_section() -> None:
    """Each play names the seed and section of its rule or ruling."""
    silent = [name for name in files() if not named(name)]
    assert [] == silent


def test_every_section_has_its_rules() -> None:
    """Exactly the sections of the seeds are listed, each with a rule."""
    assert SECTIONS
    sentences = listed()
    sections = {(seed, section) for seed, names in SECTIONS.items() for section in names}
    assert sections == {(one.seed, one.section) for one in sentences if one.kind == "rule"}
    assert sections >= {(one.seed, one.section) for one in sentences if one.kind == "ruling"}


@pytest.mark.parametrize("game", LISTED)
def test_every_option_value_has_a_play(game: str) -> None:
    """Each non-default value of an option is used by some play of these games."""
    played = {choice for name in files() for choice in statements(name)[0].text.split()[2:]}
    system = systems.get(game)
    rules = [option for option in system.options if option.system or option.key == "enforcement"]
    values = {f"{o.key}={value}" for o in rules for value in o.values if value != o.default}
    assert values
    assert [] == sorted(values - played)
