"""Printed sheets and references: their numbers are those of moves, in `tests/printed`.

A scene is a play. Below a comment `# printed SECTION.ROW` it makes the moves that this row of a
paper.toml promises, and the resulting table is compared with the numbers of the row. `# printed
SECTION.text "PHRASE"` is about a phrase of its prose, whose numbers are expected below. `# -`
begins a preparation of the next one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract.row_words import price
from storypool.engine.bag import Bag
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.events import PointsSet
from storypool.engine.fold import evolve
from storypool.engine.folder import rows
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.play import Performance, read
from storypool.play.stage import Faces
from storypool.play.text import Acting

pytestmark = pytest.mark.slow

SCENES = Path(__file__).with_name("printed")
GAMES = [key for key in systems.names() if systems.folder(key).joinpath("paper.toml").is_file()]
FOLDERS = {"starwars": ("narrative", "starwars"), "genesys": ("genesys",)}
"""The folders of a game's papers, if not its own folder alone."""
ELSEWHERE = {("dune", "dice"): "held by tests/test_web_reference.py"}
NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
RANGE = re.compile(r"(\d+) to (\d+)")
LIMIT = re.compile(r"(?<!at )\bonce\b|(?:up to|at most) (?:one|two|three|four|five)\b")
MARKER = re.compile(r"^\d+\. ", re.MULTILINE)


@dataclass
class Shown:
    """The results of a passage's moves: payments, gains, other changes, expectations, a refusal."""

    points: set[int] = field(default_factory=set)
    more: set[int] = field(default_factory=set)
    expected: set[int] = field(default_factory=set)
    refused: bool = False

    def agrees(self, text: str, row: bool) -> bool:
        """Whether these are the numbers of a text.

        A row prints all costs and effects of its moves; additions are differences between changes.
        A phrase has the expected numbers, or else the changed ones.
        """
        numbers = {int(n) for n in NUMBER.findall(text.replace("a point", "1 point"))}
        changed = (
            self.points
            | self.more
            | {one - other for one in self.more for other in self.more if one > other}
        )
        if row:
            return self.points <= numbers <= changed | self.expected
        return numbers <= (self.expected or changed)


@cache
def printed(key: str) -> dict[str, str]:
    """The printed texts of a game as SECTION.ROW or SECTION.text, with prices filled in."""
    found, notes = dict[str, str](), {note.title: note for note in systems.get(key).notes}
    for folder in FOLDERS.get(key, (key,)):
        for section, data in rows(f"storypool.systems.{folder}", "paper").items():
            note = notes.get(data["title"]) if isinstance(data, dict) and "title" in data else None
            if note is not None and (key, section) not in ELSEWHERE:
                cells = (" | ".join(row) for row in note.rows)
                found |= {
                    f"{section}.{row}": text
                    for row, text in zip(data.get("rows", ()), cells, strict=True)
                }
                found[f"{section}.text"] = MARKER.sub("", note.text)
    return found


@cache
def shown(key: str) -> dict[tuple[str, str], Shown]:
    """The results for each row and each phrase of a text."""
    found = dict[tuple[str, str], Shown]()
    for name in scenes(key):
        claimed = claims_of_moves(name)
        for one in made(name):
            for place in claimed[one.statement.line]:
                passage = found.setdefault(place, Shown())
                if one.after is None:
                    passage.refused = True
                    continue
                paid, changed = changes(one.before, one.after)
                passage.points |= {max(paid)} if paid else set()
                passage.more |= {*paid, *changed}
                words = (word for words in one.statement.expects for word in words)
                passage.expected |= {int(n) for word in words for n in re.findall(r"\d+", word)}
                passage.expected |= set(one.statement.dice)
    return found


def claims_of_moves(name: str) -> dict[int, tuple[tuple[str, str], ...]]:
    """The rows and phrases that each move of a scene is about, by its line."""
    text = (SCENES / name).read_text(encoding="utf-8")
    lines, found = text.splitlines(), dict[int, tuple[tuple[str, str], ...]]()
    for one in read(text, name).statements:
        if isinstance(one, Acting):
            above = (line for line in reversed(lines[: one.line - 1]) if line.startswith("#"))
            found[one.line] = tuple(claims(next(above)))
    return found


def claims(comment: str) -> Iterator[tuple[str, str]]:
    """The rows in a comment, and the phrases of texts."""
    words = (
        shlex.split(comment.removeprefix("# printed ")) if comment.startswith("# printed ") else []
    )
    for word, after in pairwise([*words, ""]):
        if word.endswith(".text"):
            yield word, after
        elif re.fullmatch(r"\w+\.\w+", word):
            yield word, ""


@dataclass(frozen=True)
class Made:
    """A line of a scene: the table before it, and after it unless refused."""

    statement: Acting
    system: System
    before: Table
    after: Table | None


@cache
def made(name: str) -> tuple[Made, ...]:
    """The moves of a scene."""
    play = read((SCENES / name).read_text(encoding="utf-8"), name)
    performance, before, found = Performance(play), Table(), list[Made]()
    for statement, step in zip(play.statements, performance.steps(), strict=False):
        assert step.problem is None, f"{name}:{step.line}: {step.problem}"
        if isinstance(statement, Acting):
            after = None if step.refusal else performance.table
            found.append(Made(statement, performance.system, before, after))
        before = performance.table
    return tuple(found)


def scenes(key: str) -> list[str]:
    """The scenes of a game: KEY.play, and KEY-WHAT.play for other initial tables."""
    return sorted(path.name for path in SCENES.glob("*.play") if path.stem.partition("-")[0] == key)


def changes(before: Table, after: Table) -> tuple[list[int], list[int]]:
    """The changes of points, including those owed by a roll, and of everything else counted."""
    points = {str(purse): n for purse, n in (_points(after) - _points(before)).items()}
    counts = _counts(after) - _counts(before)
    return [abs(n) for n in points.values()], [abs(n) for n in counts.values()]


def _points(table: Table) -> Bag:
    owed = sum((check.owed for check in table.checks.values()), Bag())
    return Bag({str(purse): n for purse, n in table.points.items()}) + owed


def _counts(table: Table) -> Bag:
    found: dict[str, int] = {trait.id: trait.rating for trait in table.traits.values()}
    for check in table.checks.values():
        found |= {f"{check.id}.{name}": n for name, n in check.pool.items()}
        found |= {f"{check.id}.left.{name}": n for name, n in check.left.items()}
        found |= {f"{check.id}.term.{name}": n for name, n in check.terms.items() if type(n) is int}
    return Bag(found)


# The printed papers.


def cases() -> Iterator[tuple[str, str, str]]:
    """Each game with each row and phrase that a scene is about, before any scene is played."""
    for key in GAMES:
        moves = (places for name in scenes(key) for places in claims_of_moves(name).values())
        for place in dict.fromkeys(chain.from_iterable(moves)):
            yield key, *place


@pytest.mark.parametrize(("key", "place", "phrase"), list(cases()))
def test_printed_numbers_match_the_moves(key: str, place: str, phrase: str) -> None:
    """Printed prices and effects are those of moves; a difference of one would show."""
    passage, text = shown(key)[place, phrase], phrase or printed(key)[place]
    assert text in printed(key)[place]
    assert passage.agrees(text, row=not phrase), (text, passage)
    assert passage.refused or not LIMIT.search(text), (
        f"What is one too many is refused nowhere: {text}"
    )
    ends = [int(end) for found in RANGE.finditer(text) for end in found.groups()]
    for number in NUMBER.finditer(text):
        n = int(number[0])
        for wrong in (n + 1, n - 1):
            other = f"{text[: number.start()]}{wrong}{text[number.end() :]}"
            seen = (passage.points or passage.more) if not phrase else passage.expected
            same = n in ends or n not in seen or f"{wrong}" in NUMBER.findall(text)
            assert same or not passage.agrees(other, row=not phrase), other


@pytest.mark.parametrize("key", GAMES)
def test_every_printed_number_is_shown(key: str) -> None:
    """Each number of a row, prose or limit is in a row or phrase with a scene."""
    missing = []
    for place, text in printed(key).items():
        phrases = [phrase for other, phrase in shown(key) if other == place]
        spans = [
            (text.index(phrase), text.index(phrase) + len(phrase)) for phrase in phrases if phrase
        ]
        spans += [(0, len(text))] if "" in phrases else []
        for found in (*NUMBER.finditer(text), *LIMIT.finditer(text)):
            if not any(start <= found.start() and found.end() <= end for start, end in spans):
                missing.append(f"{place}: {text[max(0, found.start() - 30) : found.end() + 30]}")
    assert [] == missing, f"tests/printed/{key}*.play has no passage for these"


def test_every_passage_is_printed() -> None:
    """No scene has a passage without a printed text."""
    for key in GAMES:
        assert set() == {place for place, _ in shown(key)} - set(printed(key))


# What the reference says of a move.


def bought(key: str) -> Iterator[tuple[Made, Decision]]:
    """Each priced move of the scenes, with its decision."""
    for one in (one for name in scenes(key) for one in made(name)):
        if one.after is not None:
            decision = decided(one, one.before)
            if isinstance(decision, Decision) and any(decision.turn.paid.values()):
                yield one, decision


def decided(one: Made, table: Table) -> Decision | Refused:
    """The decision on a line at a table, or its refusal."""
    statement = one.statement
    seat = next(seat.id for seat in table.seats.values() if statement.seat in (seat.name, seat.id))
    faces = Faces(statement.dice)
    try:
        return decision_of(
            one.system,
            table,
            seat,
            statement.move,
            statement.args,
            roll=faces,
            override=statement.override,
        )
    except Refused as refused:
        return refused


@pytest.mark.parametrize("key", GAMES)
def test_exact_price_is_enough(key: str) -> None:
    """A point less is refused for lack of points.

    If another pool may pay for the rest, it does.
    """
    for one, decision in bought(key):
        for purse, n in decision.turn.paid.items():
            assert isinstance(
                decided(one, _holding(one.before, purse.account, purse.owner, n)), Decision
            )
            less = decided(one, _holding(one.before, purse.account, purse.owner, n - 1))
            if isinstance(less, Decision):
                assert decision.turn.paid != less.turn.paid, one.statement.text
            else:
                assert "price" in {reason.code for reason in less.all}, (
                    one.statement.text,
                    less.refusal,
                )


def _holding(table: Table, account: str, owner: str, n: int) -> Table:
    return evolve(table, PointsSet(account, owner, n, n - table.balance(account, owner), ""))


@pytest.mark.parametrize("key", GAMES)
def test_reference_prices_are_paid(key: str) -> None:
    """Each priced move is bought in a scene, for each number in the reference."""
    game, paid = systems.get(key), dict[str, set[int]]()
    for one, decision in bought(key):
        paid.setdefault(one.statement.move, set()).add(sum(decision.turn.paid.values()))
    priced = {move.key: move for move in game.moves if move.price is not None}
    assert set() == set(priced) - set(paid), "These are bought in no scene"
    for name, move in priced.items():
        assert {int(n) for n in NUMBER.findall(price(game, move))} <= paid[name], (name, paid[name])


@pytest.mark.parametrize("key", GAMES)
def test_limits_refuse_the_second_use(key: str) -> None:
    """Each limited move is refused for it in a play, or by a repeated line of a scene."""
    refused, again = set[str](), re.compile(r"^\S+ +(\S+) .*=> refused: limit", re.MULTILINE)
    for text in (text for game in GAMES for text in systems.plays(game).values()):
        refused |= set(again.findall(text))
    for one in (one for name in scenes(key) for one in made(name)):
        twice = decided(one, one.after or one.before)
        if isinstance(twice, Refused) and "limit" in {reason.code for reason in twice.all}:
            refused.add(one.statement.move)
    limited = {move.key for move in systems.get(key).moves if move.limits}
    # A second attempt at something impossible is another action, with a limit of its own.
    assert set() == limited - refused - {"check.declare"}
