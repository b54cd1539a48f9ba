"""What the log says of every play of every game: whole sentences, nothing raw, nothing silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import storypool
from storypool import play, systems
from storypool.engine import story
from storypool.engine.events import CheckChanged, CheckOpened, MoveMade, Record
from storypool.engine.fold import fold, fold_on
from storypool.engine.game.system import System
from storypool.engine.sight import view
from storypool.engine.table import Check, Table
from storypool.worth.session import session_recap
from storypool.worth.session_leaflet import leaflet, picture
from storypool.worth.session_view import view_session
from tests.tries import sample

NAMES = sample([(key, name) for key in systems.names() for name in systems.plays(key)])
ROOT = Path(storypool.__file__).parent
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
"""Words that are never told of one thing."""


@cache
def records(key: str, name: str) -> tuple[Record, ...]:
    """The log that a play leaves."""
    return tuple(play.perform(play.read(systems.plays(key)[name], name)).records)


@cache
def told(key: str, name: str) -> tuple[str, ...]:
    """What is said of each record of a play, for somebody who sees them all."""
    return tuple(story.sentences(records(key, name), systems.get(key)))


@cache
def ids(key: str) -> frozenset[str]:
    """Ids of a game that look like no word: moves, options, symbols, entries of a sheet, rows of tables."""
    system = systems.get(key)
    found = {*system.by_key, *(option.key for option in system.options), *system.axes.moves, *system.axes.names}
    found |= {entry.key for entry in system.sheet} | set(system.by_account)
    found |= {id.rpartition(".")[2] for id in system.words} | {id.partition(".")[2] for id in system.words}
    # The names of dice are not among them: a pool is told in the notation that people type.
    return frozenset(id for id in found - {die.name for die in system.dice} if re.search(r"[._-]", id))


def written(key: str, name: str) -> str:
    """What people write in a play in their own words: names, titles, and texts in quotation marks."""
    text = systems.plays(key)[name]
    return " ".join((*re.findall(r'"[^"]*"', text), *re.findall(r"^seat .*|^table .*", text, re.M)))


def raw(key: str, name: str, line: str) -> Iterator[str]:
    """Ids in a sentence that nobody wrote there: with a dot or an underscore, or a game's own with a hyphen."""
    typed = written(key, name)
    for word in re.findall(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)+", line):
        if word in typed or word in systems.plays(key)[name].splitlines()[0]:
            continue
        if word in ids(key) or re.search(r"[a-z][._][a-z]", word):
            yield word


def disagreeing(system: System, line: str) -> Iterator[str]:
    """Numbers in a sentence that do not agree with the word after them."""
    plurals = {look.plural for look in system.look.values() if look.plural and look.plural != look.word}
    words = {look.word for look in system.look.values() if look.plural and look.plural != look.word}
    for n, word in re.findall(r"(?<![\w.+−-])(\d+) ([A-Za-z]+(?: points?| dice)?)(?![\w-])", line):
        if (n == "1" and word in {*plurals, *COUNTED}) or (n != "1" and word in words - plurals):
            yield f"{n} {word}"


@pytest.mark.parametrize(("key", "name"), NAMES)
def test_sentences_are_whole_and_say_nothing_raw(key: str, name: str) -> None:
    """Every line is a sentence with its stop, without ids, names said twice, or numbers that disagree."""
    system = systems.get(key)
    wrong = []
    for line in filter(None, told(key, name)):
        wrong += [f"{word}: {line}" for word in (*raw(key, name, line), *disagreeing(system, line))]
        if doubled := re.search(r"(?<!\w)([^\W\d][^:.]*): \1(?!\w)", line):
            wrong.append(f"{doubled.group()}: {line}")
        if doubled := re.search(r"\bagainst (\w+)\b(?=.*\bagainst \1\b)", line):
            wrong.append(f"{doubled.group()} twice: {line}")
        if not line.endswith((*story.ENDS, "”")) or re.search(r"[{}]|[^.]\.\.(?!\.)|[:,;]\.$|\(\)", line):
            wrong.append(f"not whole: {line}")
    assert [] == wrong


@pytest.mark.parametrize(("key", "name"), NAMES)
def test_no_outcome_changes_silently(key: str, name: str) -> None:
    """Each record that gives an action an outcome, or another one, tells that outcome."""
    table, silent = Table(), []
    log = records(key, name)
    for record, line in zip(log, told(key, name), strict=True):
        event = record.event
        if isinstance(event, CheckChanged | CheckOpened) and event.check.outcome is not None:
            old = table.checks.get(event.check.id)
            new = old is None or old.outcome is None or old.outcome.words != event.check.outcome.words
            if new and event.check.outcome.words not in line:
                silent.append((record.seq, event.check.outcome.words, line))
        table = fold_on(table, [record], lambda seq: _at(log, seq))
    assert [] == silent


@pytest.mark.parametrize(("key", "name"), NAMES)
def test_every_move_is_told(key: str, name: str) -> None:
    """Whatever somebody does leaves at least one line in the log."""
    moves: list[tuple[str, bool]] = []
    for record, line in zip(records(key, name), told(key, name), strict=True):
        if isinstance(record.event, MoveMade):
            moves.append((record.event.move, bool(line)))
        elif moves and line:
            moves[-1] = (moves[-1][0], True)
    assert [] == [move for move, said in moves if not said]


@pytest.mark.parametrize(("key", "name"), NAMES)
def test_every_play_has_a_recap(key: str, name: str) -> None:
    """Whatever happens at a table, its recap is told to each side, and each roll has its place among others."""
    system, log = systems.get(key), records(key, name)
    for seat in {seat.side: seat for seat in fold(log).seats.values()}.values():
        found = session_recap(view(log, seat), system)
        assert all(0 <= one.place <= 1 for one in found.rolls)
        told = view_session(found, system, name)
        assert not re.search(r"[{}]", leaflet(told, system).text())
        assert picture(told, system)


@pytest.mark.parametrize("key", [key for key in systems.names() if ROOT in Path(str(systems.folder(key))).parents])
def test_no_line_only_repeats_a_button(key: str) -> None:
    """Each move has a sentence of what happened, or none where the next line says it: never its title."""
    system = systems.get(key)
    assert [] == [move for move in system.by_key if f"story.move.{move}" not in system.words]
    titles = {title.rstrip(".") for title in system.titles.values()}
    assert not titles & {system.words[f"story.move.{move}"].partition(" ")[2].rstrip(".") for move in system.by_key}


@pytest.mark.slow
@pytest.mark.parametrize("key", systems.names())
def test_an_attack_is_told_in_one_sentence(key: str) -> None:
    """Whoever attacks is told with whom, in words that are right for a name of one and of many."""
    system, attacks = systems.get(key), 0
    for name in systems.plays(key):
        table = Table()
        log = records(key, name)
        for record, line in zip(log, told(key, name), strict=True):
            if isinstance(record.event, CheckOpened) and _attacks(system, check := record.event.check):
                actor, target = (table.characters[id].name for id in (check.actor, check.against))
                assert re.match(rf"{actor} (attacked|used .* to attack) {target}\b", line), line
                attacks += 1
            table = fold_on(table, [record], lambda seq, log=log: _at(log, seq))  # type: ignore[misc]
    assert attacks or key not in ("starwars", "destinydice", "dune")


def _attacks(system: System, check: Check) -> bool:
    """Whether an action is an attack on somebody, as these games say it."""
    said = {check.terms.get("kind"), check.terms.get("action"), f"skill.{check.terms.get('skill')}"}
    fights = {id.removeprefix("story.declared.") for id in system.words if id.startswith("story.declared.skill.")}
    return bool(check.against) and bool(said & {"attack", *fights})


@pytest.mark.parametrize("key", systems.names())
def test_sentences_fit_the_names_of_groups(key: str) -> None:
    """Nothing in the log says of a character what is right for one alone: "Dock guards joins"."""
    wrong = re.compile(r"\{(?:character|actor|old)\} (?:is|has|does|[a-z]+[^s\W]s)\b")
    words = systems.get(key).words
    assert [] == [text for id, text in words.items() if id.startswith("story.") and wrong.search(text)]


def test_the_gm_is_the_keeper_in_a_game_of_keepers() -> None:
    """One word for one thing: no sentence of C2D10 says GM, and none of any game says game master."""
    for key in systems.names():
        words = systems.get(key).words
        wrong = r"game master" + (r"|\bGM\b" if words["wait.gm_name"] == "Keeper" else "")
        assert [] == [id for id, text in words.items() if re.search(wrong, text, re.I if key != "c2d10" else 0)]


def _at(log: tuple[Record, ...], seq: int) -> Table:
    from storypool.engine.fold import fold

    return fold(log[:seq])
