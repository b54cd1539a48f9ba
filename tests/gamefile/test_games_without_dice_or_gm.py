"""Games without dice, and games without a GM."""

from __future__ import annotations

from random import Random

import pytest

from storypool import systems
from storypool.cli import arguments
from storypool.engine.bag import Bag
from storypool.engine.decisions import decide
from storypool.engine.house import NewRules, take_seat, with_new_rules
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.gamefile.authoring.rule_changes import rule_changes
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES, Add, mistakes

ORCHARD = (GAMES / "orchardhouse.game.toml").read_text(encoding="utf-8")
WITH_GM = ORCHARD.replace("gm = false\n", "", 1).replace('consent = "others"', 'consent = "gm"', 1)


def sat(*names: str) -> LocalTable:
    """A table of Orchard House in a session, whose players have a character each."""
    table = LocalTable(compiled(ORCHARD).system, Random(1).randint)
    for name in names:
        table.sit(name, "gm")
        table.make(name.lower(), "character.add", {"name": f"{name}'s own"})
    table.make(names[0].lower(), "session.begin")
    return table


def test_game_without_dice_is_refused_by_name(added: Add) -> None:
    """Commands for rolls and odds say that the game has no dice."""
    key = added("orchardhouse")
    for ask in (arguments.dice, systems.odds):
        with pytest.raises(Refused, match="The game “orchardhouse” has no dice"):
            ask(key)
    with pytest.raises(Refused, match="has no dice"):
        systems.get(key).reckon(Question(Bag()))
    with pytest.raises(NotationError, match="This game has no dice"):
        systems.get(key).notation.parse("1d6")


def test_table_without_a_gm_seats_players() -> None:
    """All seats are players, and no move is left that is a GM's or hides anything."""
    table = sat("Ann", "Bo")
    assert {"player"} == {seat.side for seat in table.state.seats.values()}
    for move in table.system.moves:
        assert "gm" not in move.by, move.key
        assert "secret" not in [ask.name for ask in move.asks], move.key
    texts = [str(text) for text in table.system.words.values()]
    assert [] == [text for text in texts if "GM" in text]


def test_seat_without_a_name_is_called_what_it_is() -> None:
    """The seat that opens a table of it has a player's name; in another game, a GM's."""
    for text, name, side in ((ORCHARD, "Player", "player"), (WITH_GM, "GM", "gm")):
        seat = take_seat(compiled(text).system, Table(), "", "gm").seat
        assert (name, side) == (seat.name, seat.side)
    with pytest.raises(Refused, match="needs a name"):
        take_seat(compiled(ORCHARD).system, Table(), "", "player")


def test_another_player_agrees() -> None:
    """A proposal waits for all others, never for its proposer; a player alone needs nobody."""
    table = sat("Ann", "Bo", "Cy")
    table.make("ann", "move.slip", {"text": "A quarrel"})
    table.make("bo", "table.undo")
    [wait] = [one for one in table.waiting("ann") if one.id == "proposal"]
    assert ("ann", "cy") == wait.whom
    with pytest.raises(Refused):
        table.make("bo", "consent.give")
    table.make("cy", "consent.give")
    assert [] == table.state.of_kind("worry")
    alone = sat("Ann")
    alone.make("ann", "move.slip", {"text": "A quarrel"})
    alone.make("ann", "table.undo")
    assert [] == alone.state.of_kind("worry")


def test_any_player_goes_on_for_one_who_left() -> None:
    """An action under way is closed by any other player, and NPCs are everybody's."""
    table = sat("Ann", "Bo", "Cy")
    table.make("ann", "check.declare", {"way": "patient"})
    with pytest.raises(Refused):
        table.make("bo", "check.close")
    table.make("ann", "seat.remove", {"seat": "ann"})
    table.make("bo", "check.close")
    assert {} == table.state.checks
    table.make("cy", "npc.bring", {"kind": "agent"})
    agent = next(one for one in table.state.characters.values() if one.side == "gm")
    assert agent.sheet_seen_by is None
    for seat in ("bo", "cy"):
        table.make(seat, "check.declare", {"as": agent.id, "way": "stubborn"})
        table.make(seat, "check.close")


def test_rules_with_a_gm_are_not_taken_over() -> None:
    """A table keeps its kind of seats: the other rules are for another table."""
    table, new = sat("Ann"), compiled(WITH_GM, kept=True)
    rules = NewRules(new.system, WITH_GM, ("...",), frozenset())
    system = with_new_rules(table.system, rules)
    with pytest.raises(Refused):
        decide(system, table.state, "ann", "rules.take_over", {}, roll=None)
    changes = rule_changes(compiled(ORCHARD).game, new.game, new.system.words)
    assert "There is a GM now." in changes
    assert take_seat(new.system, table.state, "Mona", "gm").seat.side == "gm"


WRONG = {
    'when = "in the action"': ('when = "after the roll"', "Nothing is rolled in its actions"),
    'on = "closed"': ('on = "rolled"', "so this never follows"),
    'shown = { care = "Care" }': (
        'shown = { care = "Care" }\nfigures = { best = { highest = 1 } }',
        "“figures” has no effect with “an action without a roll”",
    ),
    'who = "player"\nonly = "lit == 0"': ('who = "gm"\nonly = "lit == 0"', "This game has no GM"),
    'consent = "others"': ('consent = "gm"', "This game has no GM"),
    'entry = "ways" }]': ('entry = "ways", whose = "gm" }]', "This game has no GM to answer"),
    'of = "players"': ('of = "gm"', "This game has no GM: write of"),
    'word = "Place"': ('word = "Place"\nhidden = true', "This game has no GM from whom"),
}


@pytest.mark.parametrize("piece", WRONG)
def test_rows_about_what_there_is_not_are_mistakes(piece: str) -> None:
    """Each has one sentence at its line that says what to write instead."""
    instead, says = WRONG[piece]
    found = mistakes(ORCHARD.replace(piece, instead, 1))
    assert any(says in str(one.what) for one in found), [str(one.what) for one in found]


def test_moves_of_an_action_need_one() -> None:
    """Without any action there is nothing that a move could be part of."""
    start, end = ORCHARD.index("[action]"), ORCHARD.index("[[move]]")
    found = mistakes(ORCHARD[:start] + ORCHARD[end:])
    assert any("There is no action that this could be part of" in str(one.what) for one in found)


def test_others_agree_only_without_a_gm() -> None:
    """With a GM the GM agrees."""
    found = mistakes(ORCHARD.replace("gm = false\n", "", 1))
    assert any("There is no “others” here" in str(one.what) for one in found)
