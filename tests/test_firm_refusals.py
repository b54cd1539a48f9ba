"""Firm refusals stand, even behind a refusal that can be overridden."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from storypool import systems
from storypool.contract.finding import Broken
from storypool.contract.firmness import check_firmness
from storypool.contract.material import Material, material
from storypool.contract.random_game import Game
from storypool.contract.random_play import _begin, _resume, _scenes
from storypool.engine import offers
from storypool.engine.decisions import decide
from storypool.engine.events import Event, SeatTaken, TableOpened
from storypool.engine.fold import evolve
from storypool.engine.game.moves import Condition, move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.house.conditions import building, rolled
from storypool.engine.offers import offer
from storypool.engine.refusal import Refusal, Refused, Waived
from storypool.engine.table import Seat, Table
from tests.games.tiny import game as tiny

SYSTEMS: dict[str, System] = systems.find()


def walks(key: str, games: int) -> Iterator[int]:
    """The hidden firm reasons in a few games at tables that override rules."""
    brings: Material = material(key)
    scenes = _scenes(brings)
    for seed in range(games):
        game = Game(SYSTEMS[key], seed, random.Random(f"firm {key} {seed}"))
        _resume(game, scenes) if seed % 3 and scenes else _begin(game)
        yield check_firmness(game, random.Random(f"{key} {seed}"))


def test_first_reason_alone_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged only by it, Dune accepts firmly refused moves, and this is found."""
    monkeypatch.setattr(offers, "_waivable", lambda turn, condition, reason: iter([reason]))
    with pytest.raises(Broken, match="is open where rules are set aside"):
        list(walks("dune", 12))


# One move at a time.


def table(level: str) -> Table:
    """A game master's table with this level of enforcement."""
    opened = evolve(Table(), TableOpened("tiny", "Coins", {"enforcement": level}))
    return evolve(opened, SeatTaken(Seat("mona", "Mona", "gm")))


def game(when: Condition, only_if: Sequence[Condition] = ()) -> System:
    """The tiny game with one more move under these conditions."""

    @move("coin.bend", when=when, only_if=only_if, rule="Coins")
    def bend(turn: Turn) -> Iterator[Event]:
        """Bend a coin"""
        yield from ()

    return replace(tiny.SYSTEM, moves=(*tiny.SYSTEM.moves, bend))


def soft(turn: Turn) -> Refusal | None:
    """A condition that never holds, and can be set aside."""
    return turn.no("session")


def hard(turn: Turn) -> Refusal | None:
    """A condition that never holds, and cannot be set aside."""
    return turn.firm("check")


def acts(turn: Turn) -> Refusal | None:
    """A condition on the open action."""
    return None if turn.here.phase == "build" else turn.no("session")


def raises(turn: Turn) -> Refusal | None:
    """A condition that can be judged only while an action is open."""
    raise KeyError("nothing to judge by")


@pytest.mark.parametrize("level", ["warn", "log"])
@pytest.mark.parametrize(
    ("when", "is_open"),
    [
        (soft, True),
        (lambda t: soft(t) or None, True),
        (lambda t: soft(t) or soft(t), True),
        (lambda t: soft(t) or hard(t), False),
        (lambda t: soft(t) or soft(t) or hard(t), False),
        (lambda t: soft(t) or building(t), False),
        (lambda t: soft(t) or rolled(t.as_seat(t.seat)), False),
        (lambda t: soft(t) or acts(t), False),
        (lambda t: soft(t) or raises(t), False),
        (lambda t: replace(t.no("session"), remedy="Wait."), True),
    ],
)
def test_first_reason_hides_no_other(when: Condition, is_open: bool, level: str) -> None:
    """`or` stops at a reason; later ones still count, and those that need it are skipped."""
    system, strict = game(when), table("strict")
    found = offer(system, table(level), "mona", "coin.bend", {})
    assert is_open == (found.closed is None)
    for at, override in ((table(level), False), (strict, True)):
        if is_open:
            decide(system, at, "mona", "coin.bend", {}, roll=None, override=override)
        else:
            with pytest.raises(Refused) as refused:
                decide(system, at, "mona", "coin.bend", {}, roll=None, override=override)
            assert not refused.value.refusal.overridable
    # In strict play the first reason is the answer, as before.
    assert system.words["no.session"] == getattr(
        offer(system, strict, "mona", "coin.bend", {}).closed, "text", ""
    )


@pytest.mark.parametrize("level", ["strict", "warn", "log"])
def test_reason_hides_no_later_stage(level: str) -> None:
    """Without an open action a soft `when` does not end the search before `only_if`."""
    system = game(soft, only_if=[soft, hard])
    found = offer(system, table(level), "mona", "coin.bend", {})
    assert ["when", "only_if", "only_if"] == [one.code for one in found.all_closed]
    assert [True, True, False] == [one.overridable for one in found.all_closed]
    with pytest.raises(Refused, match=re.escape(system.words["no.check"])):
        decide(system, table(level), "mona", "coin.bend", {}, roll=None, override=True)


def test_waived_refusal_is_false() -> None:
    """On a waiving turn `no` is false and `firm` true; on any other both are true."""
    turn = Turn(tiny.SYSTEM, table("strict"), Seat("mona", "Mona", "gm"), "coin.bend")
    waiving = turn.waiving()
    assert [True, True, False, True] == [
        bool(one)
        for one in (
            turn.no("session"),
            turn.firm("session"),
            waiving.no("session"),
            waiving.firm("session"),
        )
    ]
    assert bool(replace(waiving.no("session"), firm=True))
    assert isinstance(waiving.no("session"), Waived)
