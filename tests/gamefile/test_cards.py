"""Decks of cards: hidden hands, odds without replacement, undo, and the limits of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import pytest

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.engine.events import DiceRolled, MoveMade, Rewound
from storypool.engine.fold import fold
from storypool.engine.refusal import Refused
from storypool.engine.sight import without_hidden
from storypool.gamefile.authoring.rule_changes import gone_kinds, rule_changes
from storypool.gamefile.cards.piles import DISCARD, HAND, OPEN, Piles
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.lab.evenings import evening
from storypool.lab.solutions import solution
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES, Add, mistakes

TEXT = (GAMES / "saltbell.game.toml").read_text(encoding="utf-8")
DECLARED = {"as": "ilka", "way": "row", "against": 4}


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    """The game of the docs with a deck."""
    return compiled(TEXT)


def seated(game: CompiledGame, *places: int) -> LocalTable:
    """Mona as the GM, Ann with Ilka, Bo with Tamsin, Cy who watches.

    The first cards come from these places of what is left of the deck, the others at random.
    """
    chance, first = Random(1), list(places)
    table = LocalTable(
        game.system, lambda low, high: first.pop(0) if first else chance.randint(low, high)
    )
    table.sit("Mona", "gm")
    table.sit("Ann")
    table.sit("Bo")
    table.sit("Cy", "spectator")
    table.make("mona", "session.begin")
    for seat, who in (("ann", "Ilka"), ("bo", "Tamsin")):
        table.make(seat, "character.add", {"name": who, "sheet": {"row": 1}})
    return table


def piles(game: CompiledGame, table: LocalTable) -> Piles:
    """The piles of the deck at this table."""
    return Piles(game.rules.reading.decks["tide"], table.state)


def odds_of(game: CompiledGame, table: LocalTable, seat: str) -> Mapping[str, Fraction]:
    """The odds of the open action, as far as a seat knows the deck."""
    known = without_hidden(table.state, table.state.seats[seat])
    [check] = known.checks.values()
    question = game.modules["stakes"].question(known, check)  # type: ignore[attr-defined]
    return game.reckon(question).outcomes


@pytest.mark.parametrize("typed", [False, True])
def test_others_receive_the_same_bytes(game: CompiledGame, typed: bool) -> None:
    """Other players and spectators receive the same, whatever a hand has drawn or typed."""
    received: dict[str, list[object]] = {}
    for one, two in ((3, 8), (20, 11)):
        table = seated(game, *([] if typed else [one, two]))
        faces = {"faces": f"{one} {two}"} if typed else {}
        table.make("ann", "move.ready", {"as": "ilka", **faces})
        table.make("ann", "check.declare", DECLARED)
        table.make("mona", "check.agree")
        for seat in table.state.seats:
            lines = b"\n".join(table.lines(seat)), list(table.sentences(seat)), table.seen(seat)
            weighed = odds_of(game, table, seat)
            received.setdefault(seat, []).append((lines, table.offers(seat), weighed))
    for seat in ("bo", "cy"):
        assert received[seat][0] == received[seat][1], seat
    for seat in ("ann", "mona"):
        assert received[seat][0] != received[seat][1], seat


def test_number_of_cards_in_hand_is_public(game: CompiledGame) -> None:
    """Everybody reads it, and how many cards are left; the player's log names the cards."""
    table = seated(game, 3, 8)
    table.make("ann", "move.ready", {"as": "ilka"})
    for seat in table.state.seats:
        known = Piles(game.rules.reading.decks["tide"], table.seen(seat))
        assert known.count("ilka") == 2
        assert known.left == 20
        assert bool(known.cards(HAND, "ilka")) is (seat in ("ann", "mona"))
    assert "Take cards in hand: Ann drew 3 of Lamps, 4 of Bells." in list(table.sentences("ann"))
    made = [one.event for one in table.log("bo") if isinstance(one.event, MoveMade)]
    assert made[-1].move == "move.ready"


def test_hand_follows_its_character(game: CompiledGame) -> None:
    """A new player of a character sees its hand, and the old one no longer does."""
    table = seated(game, 3, 8)
    table.make("ann", "move.ready", {"as": "ilka"})
    table.make("mona", "character.give", {"who": "ilka", "seat": "bo"})
    shown = {
        seat: bool(Piles(game.rules.reading.decks["tide"], table.seen(seat)).cards(HAND, "ilka"))
        for seat in table.state.seats
    }
    assert shown == {"mona": True, "ann": False, "bo": True, "cy": False}


def test_odds_count_the_cards_that_a_seat_knows(game: CompiledGame) -> None:
    """They equal an enumeration of the cards that this seat does not see, for every seat."""
    table = seated(game, 5, 9)
    table.make("ann", "move.ready", {"as": "ilka"})
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    reading, deck = game.rules.reading, game.rules.reading.decks["tide"]
    for seat, n in (("ann", 20), ("mona", 20), ("bo", 22), ("cy", 22)):
        unseen = Piles(deck, table.seen(seat)).unseen()
        assert len(unseen) == n
        counted: Counter[str] = Counter()
        for cards in combinations(unseen, 2):
            rolled = tuple(Rolled("tide", card) for card in cards)
            terms = {"against": 4, "played": 0}
            counted[reading.result(rolled, terms, Bag(tide=2)).outcome.key] += 1
        found = odds_of(game, table, seat)
        assert {key: Fraction(ways, comb(n, 2)) for key, ways in counted.items()} == {
            key: chance for key, chance in found.items() if chance and key != "pass"
        }


def test_undo_gives_cards_back_and_says_so(game: CompiledGame) -> None:
    """A rewind across a draw, also one of a hidden hand, is one across dice."""
    table = seated(game, 3, 8)
    before = table.state.seq
    table.make("ann", "move.ready", {"as": "ilka"})
    table.make("mona", "table.undo")
    assert piles(game, table).left == 22
    [rewound] = [one.event for one in table.records[before:] if isinstance(one.event, Rewound)]
    assert rewound.dice
    assert fold(table.records) == table.state


def asked_of_the_tide(table: LocalTable, times: int) -> list[int]:
    """The cards that the GM turns up, one after the other."""
    drawn = list[int]()
    for n in range(times):
        if n % 7 == 0:
            table.make("mona", "points.correct", {"account": "water", "to": 8, "why": "Tide"})
        made = [one.event for one in table.make("mona", "move.listen", {"text": "Is it near?"})]
        [rolled] = [one.rolled for one in made if isinstance(one, DiceRolled)]
        drawn += [die.face for die in rolled]
    return drawn


def test_every_card_is_drawn_once(game: CompiledGame) -> None:
    """The whole deck comes once before what was discarded is shuffled in."""
    table = seated(game)
    drawn = asked_of_the_tide(table, 23)
    assert sorted(drawn[:22]) == list(range(1, 23))
    assert piles(game, table).cards(DISCARD) == (drawn[22],)


def test_empty_deck_can_refuse() -> None:
    """Where nothing is shuffled in automatically, a draw says what is left."""
    refusing = compiled(TEXT.replace('empty = "shuffled"', 'empty = "refused"'))
    table = seated(refusing)
    asked_of_the_tide(table, 22)
    closed = table.offer("ann", "move.ready").closed
    assert closed is not None
    assert closed.text == "No tide cards are left to draw."
    with pytest.raises(Refused, match="Too few tide cards are left: 2 would be drawn"):
        table.make("ann", "check.declare", DECLARED)
    table.make("mona", "move.ebb")
    table.make("ann", "check.declare", DECLARED)


def test_hidden_action_draws_no_cards(game: CompiledGame) -> None:
    """Its cards would be missing from the deck, where everybody counts them."""
    table = seated(game)
    table.make("mona", "npc.bring", {"kind": "warden", "name": "Ruhan"})
    hidden = {"as": "ruhan", "way": "row", "against": 4, "secret": True}
    with pytest.raises(Refused, match="A hidden action draws no tide cards"):
        table.make("mona", "check.declare", hidden)


def test_cancelled_action_gives_played_cards_back(game: CompiledGame) -> None:
    """They lie in the hand again, and nowhere else."""
    table = seated(game, 3, 8)
    table.make("ann", "move.ready", {"as": "ilka"})
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    table.make("ann", "move.slip", {"what": "tide-3"})
    assert piles(game, table).cards(OPEN, "ilka") == (3,)
    table.make("ann", "check.cancel")
    assert piles(game, table).cards(OPEN, "ilka") == ()
    assert piles(game, table).cards(HAND, "ilka") == (9, 3)


def test_cards_that_changed_go_back_into_the_deck(game: CompiledGame) -> None:
    """New rules with other cards end the piles of a deck, and say so; a new word does not."""
    other = compiled(TEXT.replace('"1", "2", "3"', '"0", "2", "3"'))
    words = game.system.words
    assert "Something about the tide cards is different." in rule_changes(
        game.game, other.game, words
    )
    kinds = {"hand tide", "held tide", "open tide", "discard tide"}
    assert kinds <= gone_kinds(game.game, other.game)
    renamed = compiled(TEXT.replace('word = "tide card"', 'word = "wave"'))
    assert not kinds & gone_kinds(game.game, renamed.game)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("copies = 2", "copies = 90", "A deck has 2 to 100 cards, not 110"),
        ("copies = 2", "copies = 0", "0 is out of bounds: write 1 to 100"),
        ("most = 4", "most = 31", "31 is out of bounds: write 1 to 30"),
        ('ranks = ["1"', 'values = [1]\nranks = ["1"', "There are 5 ranks and 1 values"),
        ('symbols = "toll"', 'symbols = "toll"\nsuit = "moons"', "There is no “moons” here"),
        ('symbols = "toll"', 'symbols = "t t t t t t t"', "at most 6 symbols, not 7"),
        ('card = "tide"', 'card = "tides"', "There is no “tides” here; did you mean “tide”?"),
        ("what == 'lamps'", "what == 'lamp'", "“lamp” is not one of the answers; there are lamps"),
        ('draw = "tide", n = 2', 'draw = "toll", n = 2', "There is no “toll” here"),
        ('play = "what"', 'play = "which"', "There is no “which” here"),
        ("hand(tide)", "hand(tid)", "There is no “tid” here"),
        ('when = "score >= against"', 'when = "left(tide) > 2"', "How dice are read must not"),
        ("[points.water]", "[points.tide]", "“tide” is the name of two things"),
    ],
)
def test_wrong_deck_has_a_sentence(old: str, new: str, sentence: str) -> None:
    """Each mistake and each limit of a deck is a sentence at a line."""
    assert old in TEXT
    assert sentence in "\n".join(str(one.what) for one in mistakes(TEXT.replace(old, new)))


def test_equal_cards_can_be_typed_alike(game: CompiledGame) -> None:
    """Of equal real cards the second is typed as the first, and a third one is refused."""
    table = seated(game)
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    with pytest.raises(Refused, match="“3 of Lamps” cannot be drawn: it is not in the deck"):
        table.make("ann", "check.roll", {"faces": "3 3"})
    table.make("ann", "check.roll", {"faces": "21 21"})
    assert piles(game, table).cards(DISCARD) == (21, 22)


@pytest.mark.parametrize("text", ["0", "1-23", "x", "", "5-2"])
def test_gone_cards_are_numbers_of_the_deck(game: CompiledGame, text: str) -> None:
    """Odds without a table can name the cards that are gone, and nothing else."""
    with pytest.raises(Refused, match="is numbers of cards from 1 to 22"):
        game.reckon(Question(Bag(tide=2), {"tide.gone": text}))


def test_lab_plays_decks_and_solves_none(added: Add) -> None:
    """Each card that a deck no longer has is another state, so its evenings are played alone."""
    with pytest.raises(Refused, match="“Salt and Bell” deals cards, and each card that is gone"):
        solution(evening(added("saltbell")))
