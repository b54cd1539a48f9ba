"""The price of an offer is that of its default answers, in every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storypool import play, systems
from storypool.engine.decisions import decision_of
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, open_offers
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.systems import game_files
from tests.gamefile.conftest import GAMES

FILES = sorted(str(file) for file in GAMES.glob(f"*{game_files.ENDING}"))


def wrong_prices(key: str) -> list[str]:
    """Each offer in a game's plays with a wrong price, or one that is open but unaffordable."""
    found, system = set[str](), systems.get(key)
    priced = [move for move in system.moves if move.price]
    for name, text in list(systems.plays(key).items())[:12]:
        for table in tables(play.Performance(play.read(text, name))):
            for seat in table.seats.values():
                keys = [move.key for move in priced if seat.here and seat.side in move.by]
                found.update(
                    f"{name}: {one.key} says {one.price!r}{fault}"
                    for one in open_offers(system, table, seat.id, keys)
                    if (fault := wrong_price(system, table, seat.id, one))
                )
    return sorted(found)


def tables(performance: play.Performance) -> Iterator[Table]:
    """Each table of a play once: a statement that only looks at something changes nothing."""
    before = performance.table
    for _ in performance.steps():
        if performance.table is not before:
            yield performance.table
        before = performance.table


def wrong_price(system: System, table: Table, seat: str, one: Offer) -> str:
    """What an open offer costs with its default answers, if that is not its price."""
    try:
        decision = decision_of(system, table, seat, one.key, {}, roll=lambda die: die.first)
    except Refused as refused:
        is_chosen = any(ask.kind == "number" for ask in one.asks)
        return f": {refused}" if refused.refusal.code == "price" and not is_chosen else ""
    return f", not {decision.turn.paid!r}" if decision.turn.paid != one.price else ""


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in systems.names() if not systems.is_file(key)])
def test_shown_price_is_charged(key: str) -> None:
    """In the built-in games."""
    assert [] == wrong_prices(key)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_shown_price_is_charged_in_files(file: str) -> None:
    """In the games of one file."""
    key = systems.added(file)
    try:
        assert [] == wrong_prices(key)
    finally:
        systems.removed(key)
