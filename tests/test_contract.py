"""Every system there is, played at random: what tests/contract.py promises holds at every table that can be reached."""

from __future__ import annotations

import functools
from collections import Counter
from contextlib import suppress

import pytest

from storypool import systems
from storypool.engine.asks import Ask
from storypool.engine.bag import Bag
from storypool.engine.events import PointsSet, Rewound
from storypool.engine.moves import Move
from storypool.engine.refusal import Refused
from storypool.engine.system import System
from storypool.engine.table import Value
from storypool.odds.question import Question
from tests import tiny
from tests.contract import CODES, Game, clear, in_range, play
from tests.tries import tries

GAMES = tries(30)
TRIES = 150
SYSTEMS: dict[str, System] = {**systems.find(), "tiny": tiny.SYSTEM}


@functools.cache
def games(key: str) -> tuple[Game, ...]:
    """The games of this system that this run played, each with every promise checked on the way."""
    return tuple(play(SYSTEMS[key], seed, TRIES) for seed in range(GAMES))


def moves() -> list[tuple[str, Move]]:
    """Every move of every system."""
    return [(system.key, move) for system in SYSTEMS.values() for move in system.moves]


def test_systems_are_found() -> None:
    """The systems are found by their packages, so that no run is green because there was nothing to play."""
    assert {"starwars", "genesys"} <= systems.find().keys()
    assert list(SYSTEMS) == [system.key for system in SYSTEMS.values()]


@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_keeps_every_promise(key: str) -> None:
    """Thirty games at random break none of the promises of contract.py; a failure names the seed that repeats it."""
    assert GAMES == len(games(key))
    assert all(game.made for game in games(key))


@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_reaches_every_move(key: str) -> None:
    """Random play makes every move of the system at least once, so no promise is kept by never being put to it.

    Where something is rare, as a move that only an option allows, more games are played until it has been made.
    """
    made = Counter[str]()
    for game in games(key):
        made.update(game.made)
    for seed in range(GAMES, 5 * GAMES):
        if all(made[move.key] for move in SYSTEMS[key].moves):
            break
        made.update(play(SYSTEMS[key], seed, TRIES).made)
    assert [] == [move.key for move in SYSTEMS[key].moves if not made[move.key]]


@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_reaches_secrets_and_rewinds(key: str) -> None:
    """Random play hides records from players, changes balances and takes moves back, so those promises were tried."""
    records = [record for game in games(key) for record in game.records]
    assert any(record.seen_by for record in records)
    assert any(isinstance(record.event, Rewound) and record.event.redo for record in records)
    assert any(isinstance(record.event, Rewound) and not record.event.redo for record in records)
    assert any(isinstance(record.event, PointsSet) for record in records)


@pytest.mark.parametrize("key", SYSTEMS)
def test_play_is_repeated_by_its_seed(key: str) -> None:
    """The same seed plays the same game, record for record, so a failure can be looked at again."""
    again = play(SYSTEMS[key], GAMES - 1, 40)
    first = games(key)[-1].records[: len(again.records)]
    assert [record.event for record in first] == [record.event for record in again.records]


def test_contract_notices_a_word_that_is_heard() -> None:
    """A hidden word in what a seat reads that may not know it is a broken promise."""
    game = games("tiny")[0]
    word = game.word(["mona"])
    game.unheard(game.table.seats["mona"], f"Once {word} ", "a test")
    with pytest.raises(AssertionError, match="ann reads a hidden word in a test"):
        game.unheard(game.table.seats["ann"], f"Once {word.upper()} ", "a test")


def test_contract_notices_a_refusal_that_says_nothing() -> None:
    """A refusal without a sentence, with a blank left open, or with an unknown code is a broken promise."""
    from storypool.engine.refusal import Refusal

    game = games("tiny")[0]
    for no in (Refusal("when", ""), Refusal("when", "No {check}."), Refusal("why", "No."), Refusal("when", "no")):
        with pytest.raises(AssertionError):
            clear(game, game.table.seats["ann"], no)
    clear(game, game.table.seats["ann"], Refusal(CODES[0], "No."))


def test_contract_notices_a_balance_out_of_range() -> None:
    """A balance beyond its cap, or of an account that nobody knows, is a broken promise."""
    from dataclasses import replace

    from storypool.engine.table import Points, Purse

    table = games("tiny")[0].table
    for name, n in (("luck", 6), ("luck", -1), ("nobody.nerve", 1), ("nerve", 1)):
        points = Points({Purse.read(name): n})
        with pytest.raises(AssertionError):
            in_range(tiny.SYSTEM, replace(table, points=Points()), replace(table, points=points, checks={}))


@pytest.mark.parametrize(("key", "move"), moves(), ids=lambda value: getattr(value, "key", str(value)))
def test_move_is_a_complete_row(key: str, move: Move) -> None:
    """A move has a key noun.verb, a title, a rule or a place in the house, sides, and questions with unlike names."""
    noun, _, verb = move.key.partition(".")
    assert noun.isidentifier()
    assert verb.isidentifier()
    assert move.title
    assert move.title[0].isupper()
    assert set(move.by) <= {"gm", "player", "spectator"}
    assert move.by
    names = [ask.name for ask in move.asks]
    assert sorted(set(names)) == sorted(names)
    assert all(_well_put(ask) for ask in move.asks)


def _well_put(ask: Ask) -> bool:
    low, high = ask.bounds()
    return bool(ask.label) and low <= high


@pytest.mark.parametrize("key", systems.names())
def test_moves_of_a_game_name_their_rule(key: str) -> None:
    """Each move that a game brings says which place in the book it comes from."""
    from storypool.engine import house

    own = [move for move in SYSTEMS[key].moves if move not in house.MOVES]
    # Whom the GM brings in, and what is noted, is everybody's business and no rule of a book.
    assert [] == [move.key for move in own if not move.rule and move.key != "adversary.add"]


@pytest.mark.parametrize("key", SYSTEMS)
def test_limits_have_words(key: str) -> None:
    """Every limit that random play ran into, and every fixed one, has its own sentence in the catalogue."""
    system = SYSTEMS[key]
    groups = {use.group for game in games(key) for table in game.tables for use in table.uses}
    assert [] == sorted(group for group in groups if f"no.limit.{group}" not in system.words)


@pytest.mark.parametrize("key", SYSTEMS)
def test_panels_name_what_there_is(key: str) -> None:
    """Every panel names moves and accounts that exist, and no move stands in two panels besides the primary one."""
    system = SYSTEMS[key]
    homes = Counter[str]()
    for panel in system.panels:
        named = panel.binds.get("moves", ())
        listed = [str(one) for one in named] if isinstance(named, tuple) else []
        listed += [str(panel.binds[name]) for name in ("up", "down") if name in panel.binds]
        assert [] == [one for one in listed if one not in system.by_key]
        accounts = panel.binds.get("accounts", ())
        assert [] == [one for one in (accounts if isinstance(accounts, tuple) else ()) if one not in system.by_account]
        if panel.kind != "primary":
            homes.update(set(listed))
    assert [] == [name for name, n in homes.items() if n > 1]


def listed(value: Value) -> tuple[object, ...]:
    """What a panel binds under one name, as a list."""
    return value if isinstance(value, tuple) else (value,)


def outcomes(key: str) -> set[str]:
    """What the outcomes of this game's odds are called; none for a game that tells no odds."""
    found: set[str] = set()
    for die in SYSTEMS[key].dice if key in systems.names() else ():
        for terms in ({}, {"target": "10"}):
            with suppress(Refused):
                found |= set(systems.odds(key).reckon(Question(Bag({die.name: 2}), terms)).outcomes)
    return found


@pytest.mark.parametrize("key", SYSTEMS)
def test_names_of_dice_symbols_and_accounts_agree(key: str) -> None:
    """Dice, notation, axes, upgrades and looks speak of the same names, and every symbol on a face has its axis."""
    system = SYSTEMS[key]
    dice = {die.name for die in system.dice}
    assert dice == {*system.notation.helping, *system.notation.hindering}
    assert {symbol for die in system.dice for face in die.faces for symbol in face} <= set(system.axes.moves)
    assert {*system.upgrades, *system.upgrades.values()} <= dice
    assert set(system.axes.below) <= set(system.axes.names)
    for letters in (*system.notation.schemes.values(), *system.notation.after_slash.values()):
        assert set(letters.values()) <= dice
        assert all(len(letter) == 1 for letter in letters)
    known = dice | set(system.by_account) | set(system.axes.moves) | set(system.axes.names)
    bound = {str(name) for panel in system.panels for value in panel.binds.values() for name in listed(value)}
    assert set(system.look) <= known | set(system.axes.below.values()) | bound | outcomes(key)


@pytest.mark.parametrize("key", systems.names())
def test_everything_shown_has_a_look(key: str) -> None:
    """Each die, each account and each symbol of a game has a word for people, and dice differ by more than colour."""
    system = SYSTEMS[key]
    shown = {die.name for die in system.dice} | set(system.by_account)
    shown |= {symbol for die in system.dice for face in die.faces for symbol in face}
    assert set() == shown - set(system.look)
    told_apart = [
        (system.look[die.name].outline, system.look[die.name].pattern, system.look[die.name].letter)
        for die in system.dice
    ]
    assert len(set(told_apart)) == len(told_apart)


@pytest.mark.parametrize("key", SYSTEMS)
def test_options_have_a_default_and_words(key: str) -> None:
    """Each option has its default among its values, its own key, and a sentence that says what it decides."""
    system = SYSTEMS[key]
    keys = [option.key for option in system.options]
    assert sorted(set(keys)) == sorted(keys)
    assert [] == [option.key for option in system.options if option.default not in option.values]
    assert [] == [option.key for option in system.options if f"option.{option.key}" not in system.words]


@pytest.mark.parametrize("key", systems.names())
def test_ready_made_characters_fit_the_sheet(key: str) -> None:
    """Ready-made characters have names of their own, and only numbers that the sheet has, within their bounds."""
    system = SYSTEMS[key]
    assert system.ready
    entries = {entry.key: entry for entry in system.sheet}
    names = [one["name"] for one in system.ready]
    assert len(set(names)) == len(names)
    for one in system.ready:
        sheet = one["sheet"]
        assert isinstance(sheet, dict)
        assert set(sheet) <= set(entries)
        assert [] == [k for k, n in sheet.items() if not entries[k].low <= n <= entries[k].high]
