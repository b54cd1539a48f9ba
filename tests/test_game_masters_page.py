"""The game masters' page as text: each game has its evening, and each picture its command."""

from __future__ import annotations

import re

import pytest

from tests.browser.first_evening import GAMES, PAGE, step, steps

MOST_BYTES = 60 * 1024
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_first_evening(game: str) -> None:
    """It has a dozen steps of its own, each with an action, and one or two pictures."""
    shared = {one.text for one in steps("no game")}
    own = [one for one in steps(game) if one.text not in shared]
    assert 10 <= len(own) <= 14
    assert all(one.acts for one in own)
    assert 1 <= sum(len(one.pictures) for one in own) <= 3
    assert f"systems/{GAMES[game]}/reference.md" in TEXT


def test_pictures_match_their_command() -> None:
    """They all exist and are small, with no others: `python -m tools.shots --evenings`."""
    named = {path for game in GAMES for one in steps(game) for _, path in one.pictures}
    assert named == set(re.findall(r"!\[[^]]+\]\(([^)]+)\)", TEXT))
    folder = PAGE.parent / "pictures" / "first-evening"
    assert {PAGE.parent / path for path in named} == set(folder.iterdir())
    assert [] == [path.name for path in folder.iterdir() if path.stat().st_size > MOST_BYTES]


@pytest.mark.parametrize(
    "text",
    [
        "There is a button called **Roll the dice**.",
        "She presses **Roll the dice**.",
        "Ann types `Slip past the guards`.",
        "Ann presses `Roll the dice`.",
        "Press **Roll the dice**. **Done** is beside it.",
    ],
)
def test_impossible_step_is_a_mistake(text: str) -> None:
    """Each bold or typed text is an action of the page, and none is skipped."""
    with pytest.raises(AssertionError):
        step(text, "no game")
