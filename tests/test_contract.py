"""Every game at random, played once and looked at in every way: its contract holds."""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace

import pytest

from storypool import systems
from storypool.contract.answer_promises import check_open_offers
from storypool.contract.calling_off import check_calling_off
from storypool.contract.finding import Broken
from storypool.contract.game_rows import rows
from storypool.contract.hidden_work import Further
from storypool.contract.material import SELDOM, WEIGHTS, material
from storypool.contract.random_game import Game
from storypool.contract.random_play import SEATS, check_consent, check_unpaid, play
from storypool.contract.table_promises import check_balances, check_refusal
from storypool.contract.wait_promises import PRESSED_AGAIN, check_waits
from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.decisions import decide, decision_of
from storypool.engine.dice import Mod
from storypool.engine.events import Event, MoveMade, PointsSet, Record, Rewound, Said
from storypool.engine.game.asks import ChoiceAsk, TextAsk
from storypool.engine.game.moves import move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import Wait
from storypool.engine.house.conditions import requires
from storypool.engine.offers import offer
from storypool.engine.refusal import CODES
from storypool.engine.table import Check, Points, Purse, Seat, Table
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes
from storypool.words.languages import Language
from tests.fixed_set import cases
from tests.languages import not_in_catalogue, of_log, of_offers, typed_dice, words_in
from tests.sample_table import Evening
from tests.surfaces import surfaces

SEEDS, MORE_SEEDS = (0, 1), (2, 3, 4, 5, 6, 7, 9, 12)
"""The seeds of the games: multiples of three begin at a new table, others after a rare move."""
TRIES = 150
FURTHER = range(20, 120)
"""The seeds of further games for rare things."""
SHORT = 25
"""The tries of such a game, which starts before the rare thing or may make it in any try."""
SYSTEMS: dict[str, System] = systems.find()
every_game = pytest.mark.parametrize("key", SYSTEMS)
Games = Callable[[str], tuple[Game, ...]]


def played(key: str, seed: int, language: Language) -> Game:
    """A random game with every promise checked on the way.

    A game at a new table uses an invented language, where text outside the catalogue shows. Others,
    which continue plays in English, look for hidden work on every surface.
    """
    if begins(seed):
        return play(systems.get(key, language), seed, TRIES)
    return play(SYSTEMS[key], seed, TRIES, further=surfaces)


def begins(seed: int) -> bool:
    """Whether this seed's game starts at a new table."""
    return seed % 3 == 0


@pytest.fixture(scope="session")
def games(language: Language) -> Games:
    """The shared games of a system."""
    return functools.cache(lambda key: tuple(played(key, seed, language) for seed in SEEDS))


def further(key: str, rare: Collection[str], seed: int, walks: int = 0) -> Game:
    """A further game that prefers these moves, from where a play is about to make one."""
    game = material(key)
    others = {move: min(weight, SELDOM / 2) for move, weight in {**WEIGHTS, **game.weights}.items()}
    # The others cannot come to one, and take long to read.
    plays = {name: text for name, text in game.plays.items() if any(move in text for move in rare)}
    likelier = replace(game, weights={**others, **dict.fromkeys(rare, 10 * SELDOM)}, plays=plays)
    return play(SYSTEMS[key], seed, SHORT, likelier, walks)


def test_systems_are_found() -> None:
    """Games are found in the package and elsewhere, so that no run is green without games."""
    assert len(SYSTEMS) > 1
    assert "tiny" in SYSTEMS
    assert list(SYSTEMS) == [system.key for system in SYSTEMS.values()]


@pytest.mark.slow
@every_game
def test_random_play_keeps_the_contract(key: str, games: Games) -> None:
    """Random games break no promise; a failure names the seed that repeats it."""
    assert len(SEEDS) == len(games(key))
    assert all(game.made for game in games(key))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", MORE_SEEDS)
@every_game
def test_further_random_play_keeps_the_contract(key: str, seed: int, language: Language) -> None:
    """More games break no promise."""
    game = played(key, seed, language)
    assert game.made
    says_only_what_is_in_the_catalogue([game] if begins(seed) else [])


@pytest.mark.slow
@every_game
def test_random_play_uses_the_catalogue(key: str, games: Games) -> None:
    """The log of random games and all final buttons have only texts of the catalogue."""
    started = [game for game in games(key) if begins(game.seed)]
    assert started
    says_only_what_is_in_the_catalogue(started)


def says_only_what_is_in_the_catalogue(found: Iterable[Game]) -> None:
    """Check it for games in an invented language."""
    for game in found:
        typed = [
            str(arg)
            for r in game.records
            if isinstance(r.event, MoveMade)
            for arg in r.event.args.values()
        ]
        known = words_in([*typed, *(name for name, _ in SEATS), "A table", "Guest"]) | typed_dice(
            game.system
        )
        assert {} == not_in_catalogue(of_log(game.system, game.records), known), game.seed
        for seat in game.table.seats:
            assert {} == not_in_catalogue(of_offers(game.system, game.table, seat), known), (
                game.seed
            )


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(SYSTEMS, ("tiny",)))
def test_random_play_reaches_every_move(key: str, games: Games) -> None:
    """Random play makes every move of a system, so that each promise is tried.

    For rare ones, such as those of an option, further games make them likelier.
    """
    moves, made = SYSTEMS[key].moves, Counter[str]()
    asked = any(ask.whose for move in moves for ask in move.asks)
    wanted = [move.key for move in moves if asked or move.key != "check.agree"]
    for game in games(key):
        made.update(game.made)
    for seed in FURTHER:
        if rare := [move for move in wanted if not made[move]]:
            made.update(further(key, rare, seed).made)
    assert [] == [move for move in wanted if not made[move]]


@pytest.mark.slow
@every_game
def test_random_play_reaches_secrets_and_rewinds(key: str, games: Games) -> None:
    """Random play tries hidden records, changed balances and undone moves.

    For rare ones, further games make them likelier.
    """
    wanted: dict[str, Callable[[Record], bool]] = {
        "hidden": lambda record: bool(record.seen_by),
        "undone": lambda record: isinstance(record.event, Rewound) and not record.event.redo,
        "done again": lambda record: isinstance(record.event, Rewound) and record.event.redo,
        "points": lambda record: isinstance(record.event, PointsSet),
    }
    rare = ("table.undo", "table.redo", "points.correct")
    more = (further(key, rare, seed) for seed in FURTHER)
    for game in itertools.chain(games(key), more):
        wanted = {name: met for name, met in wanted.items() if not any(map(met, game.records))}
        if not wanted:
            break
    assert {} == wanted


@pytest.mark.slow
@every_game
def test_seed_repeats_its_game(key: str, games: Games) -> None:
    """The same seed plays the same records, so that a failure can be repeated."""
    first = games(key)[-1]
    again = play(first.system, SEEDS[-1], 20)
    assert [record.event for record in again.records] == [
        record.event for record in first.records[: len(again.records)]
    ]


@pytest.mark.slow
@every_game
def test_random_play_cancels_and_overrides(key: str, games: Games) -> None:
    """Random play cancels, hides, and meets firm reasons behind others: all are tried.

    If there is too little of one, further games are played.
    """
    least = {"hidden": 11}
    if key != "tiny":
        # A condition of the small game has one reason, so nothing stands behind another there.
        least["firm"] = 1
    if "check.cancel" in SYSTEMS[key].by_key:
        least["called_off"] = 11
    met = Counter[str]()
    more = (further(key, ("character.add", "trait.set"), seed, walks=2) for seed in FURTHER)
    for game in itertools.chain(games(key), more):
        met.update(called_off=game.called_off, hidden=game.hidden, firm=game.firm)
        if all(met[name] >= n for name, n in least.items()):
            break
    assert [] == [name for name, n in least.items() if met[name] < n]


@pytest.mark.slow
def test_leaking_surface_is_noticed() -> None:
    """A text that counts everything, including the hidden, is found."""

    def telling(game: Game, seat: Seat) -> Iterator[str]:
        yield (
            f"{len(game.table.characters)} characters and {len(game.table.traits)} facts,"
            f" {seat.name}"
        )

    with pytest.raises(AssertionError, match="While the GM works in secret"):
        _play_on(SYSTEMS["tiny"], "trait.set", telling)


@pytest.mark.slow
def test_contract_notices_a_gift() -> None:
    """A refunded point of an action whose effect stays breaks the contract."""

    @move("luck.wish", when=house.building, by=["player"], price=Bag(luck=1))
    def wish(turn: Turn) -> Iterator[Event]:
        """Wish for something"""
        yield turn.amend(turn.here, spent=turn.here.spent + turn.paid)
        yield turn.trait("fact", "A wish")

    system = replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, wish))
    with pytest.raises(AssertionError, match=r"luck\.wish.* had an effect that stays"):
        _play_on(system, "luck.wish", first=12)


@pytest.mark.slow
def test_contract_notices_a_loss() -> None:
    """A point that a cancelled action loses with its die breaks the contract."""

    @move("luck.waste", when=house.building, by=["player"], price=Bag(luck=1))
    def waste(turn: Turn) -> Iterator[Event]:
        """Waste your luck"""
        yield turn.amend(turn.here, mods=(*turn.here.mods, Mod("add", "coin")))

    system = replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, waste))
    with pytest.raises(
        AssertionError,
        match=r"left nothing of what .*luck\.waste.* paid for, but \d+ of luck is gone",
    ):
        _play_on(system, "luck.waste", first=12)


HEALING = """\
table genesys
seat gm side=gm
seat ann oska: name=Oska brawn=2 wound-threshold=12
points players=4 gm=1
gm session.begin
gm track.suffer who=oska track=wounds by=3
ann check.declare as=oska characteristic=brawn difficulty=average
gm check.agree
"""


def test_healing_in_an_action_is_no_loss() -> None:
    """A wound healed by a talent in a later cancelled action is the purchase, not a loss."""
    healed = perform(read(HEALING, "healing.play"))
    games = [
        Game(healed.system, seed, tables=[healed.table], records=[*healed.records])
        for seed in range(60)
    ]
    # At random, some of them use it.
    assert len(games) == sum(check_calling_off(game, random.Random(game.seed)) for game in games)


@pytest.mark.slow
def test_contract_notices_failing_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers whose worth cannot be computed for the page break the contract."""

    class Stakes:
        @staticmethod
        def question(table: Table, check: Check) -> Question | None:
            raise ZeroDivisionError

    monkeypatch.setattr(game_stakes, "stakes", lambda key: Stakes)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        _play_on(SYSTEMS["tiny"], "check.declare")


@pytest.mark.slow
def test_contract_notices_visible_hidden_work() -> None:
    """A rule that shows players something hidden breaks the contract."""

    @move("omen.read", by=["player"])
    def read(turn: Turn) -> Iterator[Event]:
        """Read the omens"""
        yield Said(turn.seat.id, f"There are {len(turn.table.characters)} of them.")

    system = replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, read))
    with pytest.raises(AssertionError, match="While the GM works in secret"):
        _play_on(system, "omen.read", first=6, walks=2)


@every_game
def test_new_table_offers_can_be_made(key: str) -> None:
    """Without characters each open move of a seat can be made with some answers."""
    system = SYSTEMS[key]
    game = Game(system, 1, random.Random(key))
    game.keep([house.open_table(system, "A table", {})], "")
    for name, side in SEATS:
        game.keep([house.take_seat(system, game.table, name, side)], name.lower())
    for started in (False, True):
        if started:
            game.keep(
                decide(system, game.table, "mona", "session.begin", {}, roll=game.roll), "mona"
            )
        for seat in game.table.seats.values():
            check_open_offers(game, seat)
    closed = offer(system, game.table, "ann", "character.learn", {}).closed
    assert closed is not None
    assert "that you may change" in closed.text


def test_contract_notices_unanswerable_offers() -> None:
    """An open move with a required question without answers breaks the contract."""

    @move("omen.choose", asks=[ChoiceAsk("omen", "Which omen?", lambda turn: ())])
    def choose(turn: Turn) -> Iterator[Event]:
        """Choose an omen"""
        yield Said(turn.seat.id, turn.text("omen"))

    system = replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, choose))
    game = Game(system, 1, random.Random("tiny"))
    game.keep([house.open_table(system, "A table", {})], "")
    game.keep([house.take_seat(system, game.table, "Ann", "player")], "ann")
    with pytest.raises(
        AssertionError, match=r"omen\.choose is open to ann, but none of its answers is accepted"
    ):
        check_open_offers(game, game.table.seats["ann"])


def _play_on(
    system: System, move: str, further: Further | None = None, first: int = 0, walks: int = 0
) -> None:
    """Random games of the tiny game with these additions, in which a move is likely.

    The `first` seed breaks the promise; if its game changes, those after it are tried too.
    """
    game = material("tiny")
    for seed in range(first, first + 120, 3):
        play(
            system,
            seed,
            TRIES,
            brings=replace(game, weights={**game.weights, move: SELDOM / 2}),
            walks=walks,
            further=further,
        )


@pytest.mark.slow
def test_contract_notices_leaked_words(games: Games) -> None:
    """A hidden word in a text of a seat that may not know it breaks the contract."""
    game = games("tiny")[0]
    word = game.word(["mona"])
    game.check_secrets(game.table.seats["mona"], f"Once {word} ", "a test")
    with pytest.raises(AssertionError, match="ann can read hidden text in a test"):
        game.check_secrets(game.table.seats["ann"], f"Once {word.upper()} ", "a test")


@pytest.mark.slow
def test_contract_notices_bad_refusals(games: Games) -> None:
    """A refusal without a sentence, with an open blank or an unknown code breaks the contract."""
    from storypool.engine.refusal import Refusal

    game = games("tiny")[0]
    for no in (
        Refusal("when", ""),
        Refusal("when", "No {check}."),
        Refusal("why", "No."),
        Refusal("when", "no"),
    ):
        with pytest.raises(AssertionError):
            check_refusal(game, game.table.seats["ann"], no)
    check_refusal(game, game.table.seats["ann"], Refusal(next(iter(CODES)), "No."))


@pytest.mark.slow
def test_contract_notices_invalid_balances(games: Games) -> None:
    """A balance above its cap or of an unknown account breaks the contract."""
    table = games("tiny")[0].table
    for name, n in (("luck", 6), ("luck", -1), ("nobody.nerve", 1), ("nerve", 1)):
        points = Points({Purse.read(name): n})
        with pytest.raises(AssertionError):
            check_balances(
                SYSTEMS["tiny"],
                replace(table, points=Points()),
                replace(table, points=points, checks={}),
            )


def test_contract_notices_wrong_price_codes() -> None:
    """A move that is refused for lack of points by another code breaks the contract."""

    @move(
        "luck.push",
        price=Bag(luck=1),
        only_if=[requires(lambda turn: turn.table.points.total, "check")],
    )
    def push(turn: Turn) -> Iterator[Event]:
        """Push your luck"""
        yield Said(turn.seat.id, "Go on")

    evening = Evening(replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, push)))
    points = Points({Purse("luck"): 1})
    game = Game(evening.system, 1, tables=[replace(evening.table, points=points)])
    with pytest.raises(AssertionError, match="only points are lacking"):
        check_unpaid(game, game.table.seats["ann"], evening.offer("ann", "luck.push"), {})


def test_contract_notices_needed_answers() -> None:
    """A button of a wait that is refused without an answer is found, also later in its life."""

    @move("omen.tell", by=["player"], asks=[TextAsk("omen", "Which omen?", needed=False)])
    def tell(turn: Turn) -> Iterator[Event]:
        """Tell an omen"""
        if turn.before.seq > first and not turn.text("omen"):
            raise turn.refused("argument", "check", "omen")
        yield Said(turn.seat.id, "An omen")

    def waits(turn: Turn) -> Iterator[Wait]:
        yield Wait("close", ("ann",), ("omen.tell",))

    moves = (*SYSTEMS["tiny"].moves, tell)
    evening = Evening(replace(SYSTEMS["tiny"], moves=moves, waits=(waits,)))
    game, first = Game(evening.system, 1, tables=[evening.table]), evening.table.seq
    check_waits(game)
    for _ in range(PRESSED_AGAIN - 1):
        game.tables.append(replace(game.table, seq=game.table.seq + 1))
        check_waits(game)
    game.tables.append(replace(game.table, seq=game.table.seq + 1))
    with pytest.raises(Broken, match=r"omen\.tell says that no question needs an answer.* omen"):
        check_waits(game)


@pytest.mark.parametrize("refuses", [False, True])
def test_contract_notices_a_refused_consent(refuses: bool) -> None:
    """A proposal refused at immediate consent breaks the contract, except for its own price."""

    @move(
        "luck.ask",
        price=Bag(luck=1),
        only_if=[requires(lambda turn: turn.table.balance("luck") > 1, "check")],
        approval=lambda turn: True,
    )
    def ask(turn: Turn) -> Iterator[Event]:
        """Ask your luck"""
        if refuses and turn.before.proposals:
            raise turn.refused("when", "check")
        yield Said(turn.seat.id, "Go on")

    evening = Evening(replace(SYSTEMS["tiny"], moves=(*SYSTEMS["tiny"].moves, ask)))
    table = replace(evening.table, points=Points({Purse("luck"): 2}))
    made = decision_of(evening.system, table, "ann", "luck.ask", {}, roll=None)
    game = Game(evening.system, 1, tables=[made.tables[-1]])
    (proposal,) = game.table.proposals.values()
    with pytest.raises(AssertionError, match="agreed to at once") if refuses else nullcontext():
        check_consent(game, proposal)


@pytest.mark.parametrize("key", cases(SYSTEMS, ("starwars", "tiny"), pytest.mark.slow))
def test_rows_are_complete(key: str) -> None:
    """Moves, questions, panels, names, looks, options and ready characters are complete."""
    assert [] == [str(found) for found in rows(SYSTEMS[key], material(key))]


@pytest.mark.slow
@every_game
def test_limits_have_words(key: str, games: Games) -> None:
    """Every limit, fixed or met by random play, has its sentence in the catalogue."""
    system = SYSTEMS[key]
    groups = {use.group for game in games(key) for table in game.tables for use in table.uses}
    assert [] == sorted(group for group in groups if f"no.limit.{group}" not in system.words)
