"""Typed faces of real dice: numbers, words, letters and signs, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from storypool import systems
from storypool.engine.faces import face_number, face_texts
from storypool.engine.offers import offers, open_moves
from storypool.engine.refusal import Refused
from storypool.engine.rules import FacesAsk, Table
from storypool.play import perform, read
from tests.performed_plays import plays_of

GAMES = ("starwars", "genesys", "destinydice", "c2d10", "dune")


@pytest.mark.parametrize("key", GAMES)
def test_each_face_is_read_as_shown(key: str) -> None:
    """A number, or its symbols in any order, which mean the first such face."""
    game = systems.get(key)
    faces = [(die, number) for die in game.dice for number in range(die.first, die.last + 1)]
    for die, number in faces:
        assert number == face_number(die, str(number))
        face = die.face(number)
        names = {symbol: (game.word(symbol), game.plural(symbol)) for symbol in face}
        words = [f"{n} {game.word(symbol, n)}" for symbol, n in face.items()] or ["blank"]
        first = die.first + die.faces.index(face)
        for text in ("+".join(words), " and ".join(reversed(words)), ", ".join(words)):
            assert first == face_number(die, text, names), (die.name, text)


@pytest.mark.parametrize(
    ("key", "die", "text", "face"),
    [
        ("starwars", "force", "LL", 10),
        ("starwars", "force", "d", 1),
        ("starwars", "force", "two", None),
        ("starwars", "force", "2 light", 10),
        ("starwars", "force", "blank", None),
        ("starwars", "proficiency", "SA", 7),
        ("starwars", "proficiency", "Tr", 12),
        ("genesys", "challenge", "ft", 8),
        ("genesys", "setback", "-", 1),
        ("destinydice", "skill", "+o", 5),
        ("destinydice", "skill", "＋○", 5),
        ("destinydice", "expertise", "hope", 6),
        ("destinydice", "difficulty", "--", 6),
        ("destinydice", "difficulty", "−x", 5),
        ("destinydice", "difficulty", ".", 1),
        ("dune", "d20", "LL", None),
        ("c2d10", "d10", "0", 0),
    ],
)
def test_faces_are_read_in_letters_and_signs(
    key: str, die: str, text: str, face: int | None
) -> None:
    """A game's printed letters and signs are read, also from other keyboards."""
    game = systems.get(key)
    names = {name: (look.word, look.plural, look.letter) for name, look in game.look.items()}
    assert face_number(next(one for one in game.dice if one.name == die), text, names) == face


@pytest.mark.parametrize(
    ("text", "n", "parts"),
    [
        ("LL DD", 2, ["LL", "DD"]),
        ("two light, dark", 2, ["two light", "dark"]),
        ("3,5 7", 3, ["3", "5", "7"]),
        ("light light", 1, ["light light"]),
        ("1 2", 1, ["1", "2"]),
    ],
)
def test_text_is_split_into_faces(text: str, n: int, parts: list[str]) -> None:
    """Spaces and commas split, or only commas for faces of several words."""
    assert face_texts(text, n) == parts


def played(text: str) -> Table:
    """The table after a play."""
    return perform(read(text)).table


DESTINY = "table starwars\nseat gm side=gm\nseat ann pash: agility=3\ngm session.begin\n"


def test_force_die_is_typed_in_letters() -> None:
    """A player's Force die may be typed as read aloud: two light symbols."""
    table = played(DESTINY + 'ann destiny.roll faces="LL" => light 2, dark 0\n')
    assert table.balance("light") == 2


def test_missing_face_lists_the_faces() -> None:
    """The refusal names the faces of the die."""
    with pytest.raises(Refused, match=r"has no face “LD”, but these: 1 .*, 2 .*") as refused:
        decided("starwars", played(DESTINY), "ann", "destiny.roll", faces="LD")
    assert "from 1 to 12" in refused.value.refusal.remedy


def decided(key: str, table: Table, seat: str, move: str, **args: Any) -> Any:
    """The result of a move."""
    from storypool.engine.decisions import decide

    return decide(systems.get(key), table, seat, move, args, roll=lambda die: die.first)


def test_initiative_asks_for_its_skill_first() -> None:
    """The dice are unknown before the skill is chosen."""
    table = played(DESTINY + "ann destiny.roll dice 12\n")
    game = systems.get("starwars")
    [offer] = [one for one in offers(game, table, "ann") if one.key == "initiative.roll"]
    assert "faces" not in [ask.name for ask in offer.asks]


def test_no_game_uses_bare_face_numbers() -> None:
    """Every question for faces knows its dice, so labels are never missing numbers."""
    for key in GAMES:
        asked = [(ask, move.key) for move in systems.get(key).moves for ask in move.asks]
        for ask, move in asked:
            assert isinstance(ask, FacesAsk) or ask.name not in ("face", "faces"), (key, move)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_each_typed_die_is_known(key: str) -> None:
    """In each state of the plays a question for faces has dice, which the page draws to tap."""
    game = systems.get(key)
    of_actions = [
        move.key
        for move in game.moves
        if any(isinstance(ask, FacesAsk) and ask.dice is None for ask in move.asks)
    ]
    asked = 0
    for play in plays_of(key):
        for _, table in play.statements:
            pools = [check.pool for check in table.checks.values() if check.phase == "build"]
            is_known = all(game.notation.thrown(pool) for pool in pools)
            # Where all dice are known, it makes no difference which moves ask for them.
            if not pools or (is_known and asked):
                continue
            here = [seat.id for seat in table.seats.values() if seat.here]
            for seat in here:
                is_asked = open_moves(game, table, seat, of_actions)
                assert is_known or not is_asked, (play.name, seat, is_asked)
                asked += len(is_asked)
    assert asked
