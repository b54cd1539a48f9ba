"""A card that passes from one hand to another: the seats that see it, and that can have it."""

from __future__ import annotations

import pytest

from storypool.engine.events import MoveMade, Said, TraitSet
from storypool.engine.fold import fold
from storypool.engine.refusal import Refused
from storypool.gamefile.cards.piles import HAND, Piles
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES, mistakes
from tests.gamefile.test_cards import DECLARED, seated

TEXT = (GAMES / "saltbell.game.toml").read_text(encoding="utf-8")
WHOM = 'name = "whom", label = "To whom?", character = "players"'
GIVES = 'do = [{ give = "what", of = "whom" }]'


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    """The game of the docs with a deck."""
    return compiled(TEXT)


def dealt(game: CompiledGame, *places: int) -> LocalTable:
    """Ann with two cards for Ilka, Bo with Tamsin, Dora with Rue, and Cy who watches."""
    table = seated(game, *places)
    table.sit("Dora")
    table.make("dora", "character.add", {"name": "Rue", "sheet": {"row": 1}})
    table.make("ann", "move.ready", {"as": "ilka"})
    return table


def hand(game: CompiledGame, table: LocalTable, who: str, seat: str = "") -> tuple[int, ...]:
    """The cards of a hand, or as many of them as a seat sees."""
    known = table.seen(seat) if seat else table.state
    return Piles(game.rules.reading.decks["tide"], known).cards(HAND, who)


def test_others_receive_the_same_bytes(game: CompiledGame) -> None:
    """Nothing that another player or a spectator receives depends on which card passes."""
    received: dict[str, list[object]] = {}
    for places in ((3, 8), (20, 11)):
        table = dealt(game, *places)
        card = hand(game, table, "ilka")[0]
        table.make("ann", "move.pass", {"what": f"tide-{card}", "whom": "tamsin"})
        for seat in table.state.seats:
            lines = b"\n".join(table.lines(seat)), list(table.sentences(seat))
            received.setdefault(seat, []).append((lines, table.seen(seat), table.offers(seat)))
    for seat in ("dora", "cy"):
        assert received[seat][0] == received[seat][1], seat
    for seat in ("ann", "bo", "mona"):
        assert received[seat][0] != received[seat][1], seat


def test_two_players_and_the_gm_read_which(game: CompiledGame) -> None:
    """The others read how many cards each hand has, and whose they are."""
    table = dealt(game, 3, 8)
    table.make("ann", "move.pass", {"what": "3 of Lamps", "whom": "tamsin"})
    sentence = "Ann, in confidence: “3 of Lamps, from Ilka to Tamsin”"
    knows = {seat: sentence in list(table.sentences(seat)) for seat in table.state.seats}
    assert {"mona": True, "ann": True, "bo": True, "cy": False, "dora": False} == knows
    assert ((9,), (3,)) == (hand(game, table, "ilka"), hand(game, table, "tamsin"))
    assert ((), (3,)) == (hand(game, table, "ilka", "bo"), hand(game, table, "tamsin", "bo"))
    assert () == hand(game, table, "tamsin", "ann")
    counted = ["Ilka: 1 tide card in hand.", "Tamsin: 1 tide card in hand."]
    assert counted == list(table.sentences("cy"))[-2:]
    made = [one.event for one in table.log("dora") if isinstance(one.event, MoveMade)]
    assert "move.pass" not in [one.move for one in made]


def test_undo_gives_the_card_back(game: CompiledGame) -> None:
    """The GM takes the move back, and the log folds to the same table."""
    table = dealt(game, 3, 8)
    before = hand(game, table, "ilka")
    table.make("ann", "move.pass", {"what": "tide-3", "whom": "tamsin"})
    table.make("mona", "table.undo")
    assert (before, ()) == (hand(game, table, "ilka"), hand(game, table, "tamsin"))
    assert fold(table.records) == table.state


def test_action_called_off_leaves_the_card(game: CompiledGame) -> None:
    """A card that was given stays given, like all that is not part of the action."""
    table = dealt(compiled(TEXT.replace(GIVES, f'when = "any time"\n{GIVES}')), 3, 8)
    table.make("ann", "check.declare", DECLARED)
    table.make("mona", "check.agree")
    table.make("ann", "move.pass", {"what": "tide-3", "whom": "tamsin"})
    table.make("ann", "check.cancel")
    assert (3,) == hand(game, table, "tamsin")


def test_proposal_shows_no_card() -> None:
    """A closed move that a player asks the GM to allow is read by the two of them alone."""
    limited = TEXT.replace(GIVES, f'limit = "once a scene"\n{GIVES}')
    game = compiled(limited)
    shown = []
    for places in ((3, 8, 4, 4), (20, 11, 4, 4)):
        table = dealt(game, *places)
        first, second = hand(game, table, "ilka")
        table.make("ann", "move.pass", {"what": f"tide-{first}", "whom": "tamsin"})
        again = {"what": f"tide-{second}", "whom": "tamsin"}
        with pytest.raises(Refused, match="once a scene"):
            table.make("ann", "move.pass", again)
        table.make("ann", "move.pass", again, override=True)
        [wait] = [one for one in table.waiting("mona") if one.yours]
        assert "proposal.accept" in wait.moves
        for seat in ("bo", "cy", "dora"):
            assert not table.seen(seat).proposals
        [id] = table.state.proposals
        table.make("mona", "proposal.accept", {"id": id})
        assert (first, second) == hand(game, table, "tamsin")
        shown.append(b"\n".join(table.lines("dora")))
    assert shown[0] == shown[1]


def test_npcs_have_hands_too() -> None:
    """A player gives a card to an NPC, and the GM an NPC's to a player; none to a hidden one."""
    anybody = TEXT.replace(WHOM, WHOM.replace("players", "any"))
    of_hand = 'rule = "The hand"\nwho = "player"\nasks = [\n    { name = "what"'
    assert 1 == anybody.count(of_hand)
    game = compiled(anybody.replace(of_hand, of_hand.replace("player", "anybody")))
    table = dealt(game, 3, 8)
    table.make("mona", "npc.bring", {"kind": "warden", "name": "Ruhan"})
    table.make("mona", "npc.bring", {"kind": "warden", "name": "Vey", "secret": True})
    table.make("ann", "move.pass", {"what": "tide-3", "whom": "ruhan"})
    assert [] == [one for one in table.sentences("bo") if "3 of Lamps" in one or "Vey" in one]
    table.make("mona", "move.pass", {"as": "ruhan", "what": "tide-3", "whom": "tamsin"})
    assert (3,) == hand(game, table, "tamsin", "bo")
    table.make("ann", "move.pass", {"what": "tide-9", "whom": "ruhan"})
    [whom] = [one for one in table.offer("mona", "move.pass").asks if one.name == "whom"]
    closed = {one.value: one.closed for one in whom.choices}
    assert "Vey is hidden, and holds no cards" in closed["vey"]
    with pytest.raises(Refused, match="Vey is hidden"):
        table.make("mona", "move.pass", {"as": "ruhan", "what": "tide-9", "whom": "vey"})


def test_full_hand_takes_no_card(game: CompiledGame) -> None:
    """A hand has its limit, and nobody gives a card to themselves; choices have the reasons."""
    small = compiled(TEXT.replace("most = 4", "most = 2"))
    table = dealt(small, 3, 8)
    table.make("bo", "move.ready", {"as": "tamsin"})
    [whom] = [one for one in table.offer("ann", "move.pass").asks if one.name == "whom"]
    closed = {one.value: one.closed for one in whom.choices}
    assert {
        "ilka": "Ilka has the card already.",
        "tamsin": "Tamsin holds 2 tide cards already, and no hand holds more.",
        "rue": "",
    } == closed
    for who, why in (("ilka", "has the card already"), ("tamsin", "no hand holds more")):
        with pytest.raises(Refused, match=why):
            table.make("ann", "move.pass", {"what": "tide-3", "whom": who})
    closed_move = table.offer("dora", "move.pass").closed
    assert closed_move is not None
    assert "There are no tide cards in this hand." == closed_move.text


def test_open_hands_pass_in_the_open() -> None:
    """Where everybody sees the hands, everybody reads which card passes."""
    game = compiled(TEXT.replace('hands = "hidden"', 'hands = "open"'))
    table = dealt(game, 3, 8)
    made = table.make("ann", "move.pass", {"what": "tide-3", "whom": "tamsin"})
    assert all(one.seen_by is None for one in made)
    assert [Said] == [type(one.event) for one in made if isinstance(one.event, Said)]
    assert (3,) == hand(game, table, "tamsin", "cy")
    assert any(isinstance(one.event, TraitSet) for one in table.log("cy"))


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ('do = [{ give = "what" }]', "To whom? One card goes to one character"),
        ('do = [{ give = "what", of = "mover" }]', "To whom?"),
        ('do = [{ give = "what", of = "each" }]', "To whom?"),
        ('do = [{ give = "tide", of = "whom" }]', "There is no “tide” here; there are what."),
        ('do = [{ give = "whom", of = "whom" }]', "There is no “whom” here"),
        ('do = [{ give = "what", of = "what" }]', "There is no “what” here"),
        ('do = [{ give = "what", of = "whom", n = 2 }]', "“n” has no effect with “give”"),
        (f'consent = "whom"\n{GIVES}', "Asking others to agree would show them the card"),
    ],
)
def test_wrong_gifts_are_refused(new: str, why: str) -> None:
    """A card of the hand goes to one character, and nobody is asked to agree but the GM."""
    assert why in " ".join(str(one.what) for one in mistakes(TEXT.replace(GIVES, new)))


def test_gift_is_put_into_words(game: CompiledGame) -> None:
    """The reference says what goes to whom where the row has no sentence of its own."""
    about = 'about = "Nobody sees which, but the two of you and the GM."\n'
    moves = {
        row[0]: row[3]
        for note in compiled(TEXT.replace(about, "")).system.notes
        for row in note.rows
        if len(row) == 4
    }
    assert "The card of “Which card?” goes to “To whom?”." == moves["Hand a card over"]
