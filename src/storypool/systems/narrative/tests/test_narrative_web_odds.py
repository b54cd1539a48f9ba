"""Odds of many narrative dice over the web: the cost is known before the work."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from storypool.odds.packing import Packed, Packing
from storypool.web.server_settings import Limits
from tests.browsers import serving

DEAR = "12P10B/12C10S"
"""A pool with less than a million results that takes more than two seconds to count."""


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The dice of each joint distribution computed from here on."""
    done: list[object] = []

    def pack(packing: Packing, dice: Mapping[Any, int]) -> Packed:
        done.append(dice)
        return whole(packing, dice)

    whole = Packing.pack
    monkeypatch.setattr(Packing, "pack", pack)
    return done


def test_expensive_odds_are_not_started(tmp_path: Path, packed: list[object]) -> None:
    """A question beyond the time limit is refused before any work; the sentence names the limit."""
    with serving(tmp_path, limits=Limits()) as house:
        error = house.browser().refused(413, "POST", "/api/odds", system="starwars", pool=DEAR)
    assert ("limit", "pool") == (error["code"], error["field"])
    assert "2.36 seconds, and at most 2.00" in error["text"]
    assert not packed


def test_any_number_of_dice_has_odds(tmp_path: Path, packed: list[object]) -> None:
    """The limit is time, not number: given time, sixty dice against sixty have odds."""
    asked = {"system": "starwars", "pool": "30A30B", "against": "30A30B"}
    with serving(tmp_path) as house:
        assert house.browser().post("/api/odds", system="starwars", pool="30A30B")["joint"]
        assert packed
        outcomes = house.browser().post("/api/odds", **asked)["outcomes"]
    assert outcomes["active"] == outcomes["opponent"]
