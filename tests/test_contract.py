"""Every system there is, played at random: what storypool.check promises holds at every table that can be reached."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest

from storypool import systems
from storypool.check.brought import SELDOM, WEIGHTS, brought
from storypool.check.contract import play
from storypool.check.game_rows import rows
from storypool.check.random_game import Game
from storypool.check.table_promises import CODES, clear, in_range
from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.events import CheckClosed, Event, PointsSet, Record, Rewound, Said
from storypool.engine.game.moves import move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from tests.tries import part, tries

GAMES = tries(10)
SEEDS = part(range(GAMES))
"""The seeds of the games of this run."""
TRIES = max(50, tries(150))
SYSTEMS: dict[str, System] = systems.find()


@functools.cache
def games(key: str) -> tuple[Game, ...]:
    """The games of this system that this run played, each with every promise checked on the way."""
    return tuple(play(SYSTEMS[key], seed, TRIES) for seed in SEEDS)


def further(key: str, rare: Iterable[str]) -> Game:
    """A further game that makes these moves sooner than any other, and begins where a play is about to make one."""
    game = brought(key)
    others = {move: min(weight, SELDOM / 2) for move, weight in {**WEIGHTS, **game.weights}.items()}
    seed = next(seeds[key])
    return play(SYSTEMS[key], seed, TRIES // 3, replace(game, weights={**others, **dict.fromkeys(rare, 10 * SELDOM)}))


seeds = {key: itertools.count(GAMES) for key in SYSTEMS}


def test_systems_are_found() -> None:
    """Games are found in the package and beside it, so that no run is green because there was nothing to play."""
    assert len(SYSTEMS) > 1
    assert "tiny" in SYSTEMS
    assert list(SYSTEMS) == [system.key for system in SYSTEMS.values()]


@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_keeps_every_promise(key: str) -> None:
    """Games at random break none of the promises; a failure names the seed that repeats it."""
    assert len(SEEDS) == len(games(key))
    assert all(game.made for game in games(key))


@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_reaches_every_move(key: str) -> None:
    """Random play makes every move of the system at least once, so no promise is kept by never being put to it.

    Where one is rare, as a move that only an option allows, further games are played in which it is likelier.
    """
    made = Counter[str]()
    for game in games(key):
        made.update(game.made)
    for _ in range(5 * GAMES):
        if rare := [move.key for move in SYSTEMS[key].moves if not made[move.key]]:
            made.update(further(key, rare).made)
    asked = any(ask.whose for move in SYSTEMS[key].moves for ask in move.asks)
    unmade = [move.key for move in SYSTEMS[key].moves if not made[move.key]]
    assert [] == [key for key in unmade if asked or key != "check.agree"]


@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_reaches_secrets_and_rewinds(key: str) -> None:
    """Random play hides records from players, changes balances and takes moves back, so those promises were tried.

    Where something is rare, further games are played in which it is likelier.
    """
    wanted: dict[str, Callable[[Record], bool]] = {
        "hidden": lambda record: bool(record.seen_by),
        "undone": lambda record: isinstance(record.event, Rewound) and not record.event.redo,
        "done again": lambda record: isinstance(record.event, Rewound) and record.event.redo,
        "points": lambda record: isinstance(record.event, PointsSet),
    }
    more = (further(key, ("table.undo", "table.redo", "points.correct")) for _ in range(5 * GAMES))
    for game in itertools.chain(games(key), more):
        wanted = {name: met for name, met in wanted.items() if not any(map(met, game.records))}
        if not wanted:
            break
    assert {} == wanted


@pytest.mark.parametrize("key", SYSTEMS)
def test_play_is_repeated_by_its_seed(key: str) -> None:
    """The same seed plays the same game, record for record, so a failure can be looked at again."""
    again = play(SYSTEMS[key], SEEDS[-1], 40)
    first = games(key)[-1].records[: len(again.records)]
    assert [record.event for record in first] == [record.event for record in again.records]


@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_random_play_calls_off_and_hides(key: str) -> None:
    """Random play calls actions off and does hidden work, so those promises were tried.

    Where too little of either was met, further games are played.
    """
    wanted = {"called_off", "hidden"} if "check.cancel" in SYSTEMS[key].by_key else {"hidden"}
    met = Counter[str]()
    for game in itertools.chain(games(key), (further(key, ("character.add", "trait.set")) for _ in range(5 * GAMES))):
        met.update(called_off=game.called_off, hidden=game.hidden)
        if all(met[name] > GAMES for name in wanted):
            break
    assert [] == [name for name in wanted if met[name] <= GAMES]


def test_contract_notices_a_gift() -> None:
    """A point that comes back from an action whose effect stays is a broken promise."""

    @move("luck.wish", when=house.building, by=["player"], price=Bag(luck=1))
    def wish(turn: Turn) -> Iterator[Event]:
        """Wish for something"""
        yield turn.amend(turn.here, spent=turn.here.spent + turn.paid)
        yield turn.trait("fact", "A wish")

    @move("check.cancel", when=house.building)
    def cancel(turn: Turn) -> Iterator[Event]:
        """Call it off"""
        check = turn.here
        yield CheckClosed(check.id, "cancelled")
        yield from turn.refund(check.spent, "a wish")

    system = replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, wish, cancel))
    with pytest.raises(AssertionError, match=r"luck\.wish.* had an effect that stays"):
        _play_on(system)


@pytest.mark.slow
def test_contract_notices_what_hidden_work_shows() -> None:
    """A rule that looks at what is hidden, in something that players get, is a broken promise."""

    @move("omen.read", by=["player"])
    def read(turn: Turn) -> Iterator[Event]:
        """Read the omens"""
        yield Said(turn.seat.id, f"There are {len(turn.table.characters)} of them.")

    system = replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, read))
    with pytest.raises(AssertionError, match="While the GM works in secret"):
        _play_on(system)


def _play_on(system: System) -> None:
    """Play games at random from their very beginning, with what the tiny game brings for its checks."""
    for seed in range(0, 120, 3):
        play(system, seed, TRIES)


def test_contract_notices_a_word_that_is_heard() -> None:
    """A hidden word in what a seat reads that may not know it is a broken promise."""
    game = games("tiny")[0]
    word = game.word(["mona"])
    game.unheard(game.table.seats["mona"], f"Once {word} ", "a test")
    with pytest.raises(AssertionError, match="ann can read hidden text in a test"):
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
    from storypool.engine.table import Points, Purse

    table = games("tiny")[0].table
    for name, n in (("luck", 6), ("luck", -1), ("nobody.nerve", 1), ("nerve", 1)):
        points = Points({Purse.read(name): n})
        with pytest.raises(AssertionError):
            in_range(SYSTEMS["tiny"], replace(table, points=Points()), replace(table, points=points, checks={}))


@pytest.mark.parametrize("key", SYSTEMS)
def test_rows_are_complete(key: str) -> None:
    """Moves, questions, panels, names, looks, options and ready-made characters are as every game needs them."""
    assert [] == [str(found) for found in rows(SYSTEMS[key], brought(key))]


@pytest.mark.parametrize("key", SYSTEMS)
def test_limits_have_words(key: str) -> None:
    """Every limit that random play ran into, and every fixed one, has its own sentence in the catalogue."""
    system = SYSTEMS[key]
    groups = {use.group for game in games(key) for table in game.tables for use in table.uses}
    assert [] == sorted(group for group in groups if f"no.limit.{group}" not in system.words)
