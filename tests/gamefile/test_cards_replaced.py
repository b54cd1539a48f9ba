"""Cards of a roll that are replaced by others: where they go, and what that is worth."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, factorial

import pytest

from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.engine.refusal import Refused
from storypool.engine.sight import without_hidden
from storypool.gamefile.action_stakes import FileStakes
from storypool.gamefile.cards.card_odds import redrawn_states
from storypool.gamefile.cards.piles import DISCARD
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES, mistakes
from tests.gamefile.small_game import HARBOUR
from tests.gamefile.test_cards import DECLARED, asked_of_the_tide, piles, seated

TEXT = (GAMES / "saltbell.game.toml").read_text(encoding="utf-8")
AGAIN = 'do = [{ again = "face < 3" }]'


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    """The game of the docs with a deck."""
    return compiled(TEXT)


def drawn(game: CompiledGame, faces: str, way: int = 1) -> LocalTable:
    """A table on which Ilka has drawn these cards, with a water to pay with."""
    table = seated(game)
    table.make("ann", "character.set", {"who": "ilka", "sheet": f"row={way}"})
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    table.make("ann", "check.roll", {"faces": faces})
    return table


def test_replaced_cards_stay_discarded(game: CompiledGame) -> None:
    """Those below 3 do, by their values; new ones come in their place, and are discarded too."""
    table = drawn(game, "3 22 11", way=2)
    table.make("ann", "move.swap", {"faces": "5 10"})
    [check] = table.state.checks.values()
    assert [3, 5, 10] == [one.face for one in check.rolled]
    assert (3, 22, 11, 5, 10) == piles(game, table).cards(DISCARD)
    assert 17 == piles(game, table).left
    assert check.outcome is not None
    assert 5 == check.outcome.net["best"]
    table.make("mona", "table.undo")
    assert (3, 22, 11) == piles(game, table).cards(DISCARD)


def test_points_of_the_first_cards_are_taken_back(game: CompiledGame) -> None:
    """What a toll brought goes with it, and what the new cards bring follows."""
    table = drawn(game, "21 1")
    assert 1 == table.state.balance("water")
    table.make("ann", "move.swap", {"faces": "4 5"})
    assert 1 == table.state.balance("water")  # the price, which goes to the GM
    sentences = [one for one in table.sentences("ann") if "the cards are replaced" in one]
    assert 1 == len(sentences)


def test_move_is_closed_without_a_low_card(game: CompiledGame) -> None:
    """It says that no card is to be replaced, and asks for as many real cards as there are."""
    closed = drawn(game, "3 4").offer("ann", "move.swap").closed
    assert closed is not None
    assert "No card is to be replaced." == closed.text
    table = drawn(game, "1 4")
    [ask] = [one for one in table.offer("ann", "move.swap").asks if one.name == "faces"]
    assert ("Which cards were drawn?", 1) == (ask.label, len(ask.choices))
    with pytest.raises(Refused, match="cannot be drawn: it is not in the deck"):
        table.make("ann", "move.swap", {"faces": "4"})


def test_discard_is_shuffled_in_for_them(game: CompiledGame) -> None:
    """Where none are left, those that were discarded are shuffled in first."""
    table = seated(game, *[1] * 20)
    asked_of_the_tide(table, 20)
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    table.make("ann", "check.roll", {"faces": "21 22"})
    assert 0 == piles(game, table).left
    table.make("ann", "move.swap")
    [check] = table.state.checks.values()
    assert tuple(one.face for one in check.rolled) == piles(game, table).cards(DISCARD)
    assert 20 == piles(game, table).left


def test_too_few_cards_are_refused() -> None:
    """Where nothing is shuffled in, the move says how many are left, and nothing is lost."""
    text = TEXT.replace('empty = "shuffled"', 'empty = "refused"')
    game = compiled(text.replace(AGAIN, AGAIN.replace("3", "9")))
    table = seated(game, *[1] * 19)
    asked_of_the_tide(table, 19)
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    table.make("ann", "check.roll")
    before = table.state
    with pytest.raises(Refused, match="2 would be drawn, and there are 1"):
        table.make("ann", "move.swap")
    assert before == table.state


def counted(game: CompiledGame, cards: tuple[int, ...], n: int) -> dict[str, Fraction]:
    """The chances by enumerating every hand of these cards, and all that can replace it."""
    reading, hands = game.rules.reading, Counter[tuple[int, ...]]()
    for hand in combinations(cards, n):
        kept = [card for card in hand if reading.number("tide", card) >= 3]
        rest = [card for card in cards if card not in hand]
        # Each hand counts alike, whatever number of ways there is to replace its cards.
        weight = factorial(len(cards)) // comb(len(rest), n - len(kept))
        for new in combinations(rest, n - len(kept)):
            hands[tuple(sorted((*kept, *new)))] += weight
    found, terms = Counter[str](), {"against": 4, "played": 0}
    for hand, weight in hands.items():
        rolled = tuple(Rolled("tide", card) for card in hand)
        found[reading.result(rolled, terms, Bag(tide=n)).outcome.key] += weight
    return {rung: Fraction(part, found.total()) for rung, part in found.items()}


@pytest.mark.parametrize(("way", "seat"), [(0, "ann"), (1, "ann"), (1, "mona"), (2, "ann")])
def test_worth_is_that_of_an_enumeration(game: CompiledGame, way: int, seat: str) -> None:
    """Before the draw the odds count which cards could be replaced, and which are left then."""
    table = seated(game, 5, 9)
    table.make("ann", "move.ready", {"as": "ilka"})
    table.make("ann", "character.set", {"who": "ilka", "sheet": f"row={way}"})
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    known = without_hidden(table.state, table.state.seats[seat])
    [check] = known.checks.values()
    stakes = game.modules["stakes"]
    assert isinstance(stakes, FileStakes)
    [worth] = list(stakes.further(known, check))
    cards = piles(game, table).unseen()
    assert 20 == len(cards)
    expected = counted(game, cards, 1 + way)
    assert expected == {key: n for key, n in worth.after.items() if n and key != "pass"}
    assert worth.after["pass"] > worth.before["pass"]


@pytest.mark.parametrize(("gone", "is_known"), [(18, True), (19, False)])
def test_worth_needs_enough_cards(game: CompiledGame, gone: int, is_known: bool) -> None:
    """Where a shuffle could come between, the odds say nothing of it."""
    table = seated(game, *[1] * gone)
    asked_of_the_tide(table, gone)
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    [check] = table.state.checks.values()
    stakes = game.modules["stakes"]
    assert isinstance(stakes, FileStakes)
    assert is_known is bool(list(stakes.further(table.state, check)))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_states_of_replaced_cards_have_equal_weight(n: int) -> None:
    """Each hand counts alike, however many of its cards are replaced."""
    cards = [("a", True), ("a", True), ("b", False), ("c", True), ("d", False), ("d", False)]
    nothing: dict[tuple[str, ...], int] = {(): 1}
    states = redrawn_states(nothing, cards, n, _with, lambda steps: None)
    total = sum(states.values())
    found = Counter[tuple[str, ...]]()
    for hand in combinations(range(len(cards)), n):
        kept = [cards[one][0] for one in hand if not cards[one][1]]
        rest = [cards[one][0] for one in range(len(cards)) if one not in hand]
        ways = comb(len(rest), n - len(kept))
        for new in combinations(rest, n - len(kept)):
            found[tuple(sorted((*kept, *new)))] += Fraction(1, ways)  # type: ignore[assignment]
    whole = Fraction(sum(found.values()))
    assert {state: Fraction(part, total) for state, part in states.items() if part} == {
        state: Fraction(part) / whole for state, part in found.items()
    }


def _with(state: tuple[str, ...], face: str, k: int) -> tuple[str, ...]:
    return tuple(sorted((*state, *[face] * k)))


MIXED = """
[deck.tide]
ranks = ["1", "2", "3"]
suits = { ebb = "Ebb", flood = "Flood" }
[[move]]
key = "more"
title = "Once more"
who = "actor"
when = "after the roll"
do = [{ again = "face < 9" }]
"""


def test_dice_and_cards_are_distinct() -> None:
    """A game with dice rolls its dice alone again, and cards where their deck is named."""
    text = HARBOUR.replace('d6 = "skill + min(3, with.rank)"', 'd6 = "skill", tide = 1') + MIXED
    for kinds, expected in (
        ("", {"d6"}),
        (', dice = "tide"', {"tide"}),
        (', dice = ["tide", "d6"]', {"tide", "d6"}),
    ):
        game = compiled(text.replace('again = "face < 9"', f'again = "face < 9"{kinds}'))
        table = LocalTable(game.system, lambda low, high: low)
        table.sit("Mona", "gm")
        table.sit("Ann")
        table.make("mona", "session.begin")
        table.make("ann", "character.add", {"name": "Kit"})
        table.make("ann", "check.declare", {"as": "kit", "skill": "pilot"})
        table.make("ann", "check.roll")
        asks = table.offer("ann", "move.more").asks
        [ask] = [one for one in asks if one.name == "faces"]
        assert expected == {one.value for one in ask.choices}
        label = "Which cards were drawn?" if expected == {"tide"} else "What do they show now?"
        assert label == ask.label


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ('again = "face < 3", dice = "tides"', "did you mean “tide”?"),
        ('again = "face < 3", dice = "lamps"', "There is no “lamps” here; there are tide."),
    ],
)
def test_wrong_kinds_are_refused(new: str, why: str) -> None:
    """Only a die or a deck is rolled or drawn again."""
    text = TEXT.replace('again = "face < 3"', new)
    assert why in " ".join(str(one.what) for one in mistakes(text))


def test_replacing_is_put_into_words() -> None:
    """The reference speaks of cards, not of dice."""
    about = (
        'about = "Cards below 3 stay with the discarded ones, and others come in their place."\n'
    )
    for always, sentence in (
        (False, "Replace the tide cards for which the value of the card is less than 3."),
        (True, "Replace the tide cards."),
    ):
        text = TEXT.replace(about, "").replace('"face < 3"', '"1"' if always else '"face < 3"')
        rows = [row for note in compiled(text).system.notes for row in note.rows if len(row) == 4]
        assert sentence == {row[0]: row[3] for row in rows}["Draw against the tide"]
