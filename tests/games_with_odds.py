"""The games with odds, found by a search; a game may omit them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from storypool import systems
from storypool.cli import main
from storypool.contract.material import material

TELLING = tuple(key for key in systems.names() if systems.folder(key).joinpath("odds.py").is_file())


def odds_of_check(key: str, part: str) -> Any:
    """A part of `[odds]` in a game's `check.toml`; without it, what to write there."""
    found = material(key).odds.get(part)
    assert found is not None, (
        f"{key} tells odds: write {part} under [odds] in its check.toml, see storypool.contract."
    )
    return found


def raises_the_odds(
    capsys: pytest.CaptureFixture[str],
    asked: list[str],
    key: str,
    args: dict[str, object],
    price: dict[str, int],
) -> None:
    """One player's offer has this move, answers and price, and raises the first outcome."""
    assert 0 == main(["odds", *asked, "--what-if", "--json"])
    answer = json.loads(capsys.readouterr().out)
    rows = answer["what_if"]["player"]
    alike = [
        row
        for row in rows
        if (row["move"], row["price"]) == (key, price) and args.items() <= row["args"].items()
    ]
    assert 1 == len(alike), [(row["move"], row["args"], row["price"]) for row in rows]
    [row] = alike
    assert answer["outcomes"] == row["before"]
    first = next(iter(row["before"]))
    assert Fraction(row["before"][first]) < Fraction(row["after"][first])
