"""Secret choices: answered at the same time, hidden until all are there, and revealed at once."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from storypool import systems
from storypool.contract.random_game import Game
from storypool.engine.decisions import decide, what_if
from storypool.engine.events import Event
from storypool.engine.game.system import System
from storypool.engine.house import open_table, take_seat
from storypool.engine.refusal import Refused
from storypool.engine.sight import copy_for, seen, view
from storypool.gamefile.authoring.rule_changes import gone_kinds, rule_changes
from storypool.gamefile.compiled import compiled
from storypool.live.previews import previewed
from storypool.log.export import export_lines
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES, Add, mistakes
from tests.surfaces import surfaces

Made = tuple[str, str, dict[str, Any]]
"""A seat, a move, and its answers."""
TEXT = (GAMES / "foilwater.game.toml").read_text(encoding="utf-8")
DUEL: tuple[Made, ...] = (("ann", "move.cross", {"foe": "corbin"}),)


def played(system: System, *moves: Made) -> Game:
    """A table with a GM and three duellists after these moves."""
    game = Game(system, 0, Random(0))

    def keep(events: list[Event], seat: str) -> None:
        game.keep(events, seat)

    keep([open_table(system, "The gate", None)], "")
    for name, side in (("Mona", "gm"), ("Ann", "player"), ("Bo", "player"), ("Cy", "player")):
        taken = take_seat(system, game.table, name, side)  # type: ignore[arg-type]
        keep([taken], taken.seat.id)
    first: tuple[Made, ...] = (
        ("mona", "session.begin", {}),
        ("ann", "character.add", {"name": "Tisse"}),
        ("bo", "character.add", {"name": "Corbin"}),
        ("cy", "character.add", {"name": "Ilde"}),
    )
    for seat, move, args in (*first, *moves):
        keep(decide(system, game.table, seat, move, args, roll=game.roll), seat)
    return game


def read_by_others(game: Game) -> dict[str, list[str]]:
    """Every byte that the GM and the other players are sent, without numbers and times."""
    seats = game.table.seats.values()
    return {seat.id: list(surfaces(game, seat)) for seat in seats if seat.id != "ann"}


@pytest.fixture
def foilwater(added: Add) -> System:
    """The game of the docs with duels."""
    return systems.get(added("foilwater"))


@pytest.mark.parametrize(
    "others",
    [
        [("ann", "choose.cross", {"guard": "parry", "dare": 1})],
        [
            ("ann", "choose.cross", {"guard": "lunge", "dare": 0}),
            ("ann", "choose.cross", {"guard": "feint", "dare": 1}),
        ],
    ],
    ids=["another choice", "a changed choice"],
)
def test_choice_is_in_no_other_bytes(foilwater: System, others: Sequence[Made]) -> None:
    """Nothing that others are sent depends on what was chosen, how often, or with which number."""
    one = played(foilwater, *DUEL, ("ann", "choose.cross", {"guard": "lunge", "dare": 0}))
    other = played(foilwater, *DUEL, *others)
    assert read_by_others(one) == read_by_others(other)
    assert "You choose “Lunge, 0”." in "".join(surfaces(one, one.table.seats["ann"]))
    # Their exports have the same length too: a hidden record is a number and a time.
    for id in ("mona", "bo", "cy"):
        copies = [copy_for(game.records, game.table.seats[id]) for game in (one, other)]
        assert copies[0] == view(one.records, one.table.seats[id])
        assert len(copies[1]) - len(copies[0]) == len(other.records) - len(one.records)


def test_copy_without_an_answer_asks_again(foilwater: System) -> None:
    """A log that the GM exported during a choice lacks the answers, so they are asked for again."""
    game = played(foilwater, *DUEL, ("ann", "choose.cross", {"guard": "lunge", "dare": 0}))
    lines = list(export_lines(copy_for(game.records, game.table.seats["mona"])))
    copy = LocalTable.read(lines, lambda key: foilwater, Random(1).randint)
    copy.make("bo", "choose.cross", {"guard": "feint", "dare": 0})
    [wait] = [one for one in copy.waiting("ann") if one.id == "filed.choose"]
    assert ("ann",) == wait.whom
    copy.make("ann", "choose.cross", {"guard": "lunge", "dare": 0})
    [shown] = copy.state.of_kind("secret-reveal")
    assert "Tisse: Lunge, 0 · Corbin: Feint, 0" == shown.text


def test_last_answer_is_no_question(foilwater: System) -> None:
    """Neither a preview nor a try of the last answer shows the result."""
    answers = []
    for guard in ("lunge", "parry"):
        game = played(foilwater, *DUEL, ("ann", "choose.cross", {"guard": guard, "dare": 0}))
        args = {"guard": "feint", "dare": 0}
        before = seen(game.table, game.table.seats["bo"])
        after = what_if(foilwater, game.table, "bo", "choose.cross", args)
        assert before.points == seen(after, game.table.seats["bo"]).points
        found = previewed(foilwater, game.table, "bo", "choose.cross", args)
        answers.append(found)
    assert answers[0] == answers[1]


def test_undo_reveals_nothing(foilwater: System) -> None:
    """A GM who takes moves back reads no choice, and a changed one is not theirs to take back."""
    game = played(
        foilwater,
        *DUEL,
        ("ann", "choose.cross", {"guard": "lunge", "dare": 0}),
        ("ann", "choose.cross", {"guard": "feint", "dare": 0}),
    )
    mona = game.table.seats["mona"]
    known = seen(game.table, mona)
    assert known.undo_to == game.table.open_undo_to < game.table.undo_to
    game.keep(decide(foilwater, game.table, "mona", "table.undo", {}, roll=game.roll), "mona")
    assert [] == game.table.of_kind("secret-answer")
    assert [0, 0] == [one.rating for one in game.table.of_kind("secret-chooser")]
    game.keep(decide(foilwater, game.table, "mona", "table.redo", {}, roll=game.roll), "mona")
    assert "Feint, 0" not in "".join(surfaces(game, mona))
    assert game.table.of_kind("secret-answer")
    assert [] == seen(game.table, mona).of_kind("secret-answer")


def test_hidden_character_is_not_asked(foilwater: System) -> None:
    """Everybody sees who chooses, so a hidden character is refused."""
    game = played(foilwater, ("mona", "character.add", {"name": "Oster", "secret": True}))
    for args in ({"as": "oster", "foe": "tisse"}, {"as": "oster", "foe": "oster"}):
        with pytest.raises(Refused):
            decide(foilwater, game.table, "mona", "move.cross", args, roll=None)


def test_price_of_a_called_off_choice_returns() -> None:
    """What the move cost that opened the choice is given back, with its scene too."""
    system = compiled(
        TEXT.replace('who = "anybody"\nonly', "price = { poise = 1 }\nonly", 1)
    ).system
    purse = "poise", "tisse"
    ends: tuple[Made, ...] = (("ann", "choice.call_off", {}), ("mona", "scene.begin", {}))
    for end in ends:
        game = played(system, *DUEL)
        had = game.table.balance(*purse)
        game.keep(decide(system, game.table, *end, roll=game.roll), end[0])
        assert had + 1 == game.table.balance(*purse)
        assert [] == game.table.of_kind("secret-choice", "secret-chooser", "secret-answer")


def test_newer_rules_end_a_choice() -> None:
    """A choice under way ends where the newer text has it otherwise, and stays where it has not."""
    old = compiled(TEXT).game
    other = compiled(TEXT.replace('parry = "Parry" }', 'parry = "Ward" }', 1))
    assert "secret-choice" in gone_kinds(old, other.game)
    assert "secret-choice" not in gone_kinds(
        old, compiled(TEXT.replace("once a scene", "once a session")).game
    )
    assert "What “Cross foils” asks is different." in rule_changes(
        old, other.game, other.system.words
    )


WRONG: dict[str, tuple[str, str]] = {
    'whose = "both" },\n    { name = "dare"': (
        'whose = "all" },\n    { name = "dare"',
        "All secret questions of a move are answered by the same",
    ),
    'who = "anybody"\nonly = "footing > 0"': (
        'who = "anybody"\nwhen = "any time"\nonly = "footing > 0"',
        "A secret choice is part of no action",
    ),
    'only = "footing > 0"': ('only = "dare > 0"', "“dare”"),
    '{ name = "foe", label = "With whom?", character = "other" },': (
        '{ name = "foe", label = "With whom?", trait = "vow", of = "anybody" },',
        "Who is the other?",
    ),
    '{ lose = "poise", n = "dare" },': (
        "{ throw = { d6 = 1 } },",
        "“throw” is not for a secret choice",
    ),
    "foe.guard == 'feint'\"": ("foe.guard == 'fient'\"", "“fient” is not one of"),
    "chose(light, stay) > 1": ("chose(light, stya) > 1", "“stya” is not one of"),
    'chose(light, stay) > 1"': ("light == 'stay'\"", "Whose “light”?"),
    'entry = "ways" }]': ('entry = "ways", whose = "all" }]', "Only the questions of a [[move]]"),
}


@pytest.mark.parametrize("piece", WRONG)
def test_wrong_secret_questions_are_mistakes(piece: str) -> None:
    """Each has one sentence at its line that says what to write instead."""
    instead, says = WRONG[piece]
    found = mistakes(TEXT.replace(piece, instead, 1))
    assert any(says in str(one.what) for one in found), [str(one.what) for one in found]
