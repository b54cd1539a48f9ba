"""The price of an offer is that of its default answers, in every game."""

from __future__ import annotations

import pytest

from storypool import play, systems
from storypool.engine.decisions import decision_of
from storypool.engine.offers import offers
from storypool.engine.refusal import Refused
from storypool.systems import game_files
from tests.gamefile.conftest import GAMES

FILES = sorted(str(file) for file in GAMES.glob(f"*{game_files.ENDING}"))


def wrong_prices(key: str) -> list[str]:
    """Each offer in a game's plays with a wrong price, or one that is open but unaffordable."""
    found, system = set[str](), systems.get(key)
    for name, text in list(systems.plays(key).items())[:12]:
        performance = play.Performance(play.read(text, name))
        for _ in performance.steps():
            if performance.table.seq == 0:
                continue
            table = performance.table
            for seat in table.seats.values():
                for one in offers(system, table, seat.id):
                    if one.closed or not system.by_key[one.key].price:
                        continue
                    try:
                        paid = decision_of(
                            system, table, seat.id, one.key, {}, roll=lambda die: die.first
                        ).turn.paid
                    except Refused as refused:
                        if refused.refusal.code == "price" and not any(
                            ask.kind == "number" for ask in one.asks
                        ):
                            found.add(f"{name}: {one.key} says {one.price!r}: {refused}")
                        continue
                    if paid != one.price:
                        found.add(f"{name}: {one.key} says {one.price!r}, not {paid!r}")
    return sorted(found)


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
